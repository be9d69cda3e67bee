"""A player's call of a judge: what it may be about, the one that is open at a table, calling and withdrawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from muster_client import answers, problems
from services.console.forms import Form
from services.console.language import N_, _
from services.console.upstream import muster

About = Literal["rules", "time", "dispute", "other"]
ABOUT = {
    "rules": N_("The rules"),
    "time": N_("The time"),
    "dispute": N_("We do not agree"),
    "other": N_("Something else"),
}
"""What a call is about, as pairing names it -> in words."""
POINTERS = {"about": "/reason", "told": "/text"}
OPEN = ("waiting", "taken")
PAGE = 500
"""Calls that are read at once: no event has more of them open."""
KEPT = 20
"""Calls of one player to one table."""


def my_call(event: str, game: str) -> answers.JudgeCallView | None:
    """The last call of whoever is here to the table of a game, unless they have withdrawn it."""
    calls: Sequence[answers.JudgeCallView] = muster().pairing.list_calls(event, game=game, limit=KEPT).items
    kept = [call for call in calls if call.status != "withdrawn"]
    return kept[-1] if kept else None


def call_a_judge(event: str, game: str, form: Form) -> None:
    """Call to the table of a game; whoever has called already is not refused. Raises Problem."""
    about = cast(About, form["about"] if form["about"] in ABOUT else "other")
    try:
        muster().pairing.call_judge(event, game=game, reason=about, text=form["told"], idempotency_key=form.key)
    except problems.JudgeAlreadyCalled:
        mine = my_call(event, game)
        if mine is None or mine.status not in OPEN:
            form.above.append(_("A judge has been called to this table already. Stay where you are."))


def withdraw_my_call(event: str, form: Form) -> None:
    """Say that nobody has to come; a call that is over stays as it ended. Raises Problem."""
    try:
        muster().pairing.withdraw_call(event, form["call"], idempotency_key=form.key)
    except problems.CallOver:
        return
