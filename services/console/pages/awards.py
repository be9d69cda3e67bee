"""Prize-giving: who is where, awards beside the standings, and the end of the event, looked at before it is said."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers
from muster_client.generated.bodies import Conclude
from services.console.forms import Form
from services.console.language import _
from services.console.signed_in import muster
from services.console.sittings import is_begun
from services.console.undo import say

blueprint = Blueprint("awards", __name__)
BEST = 8
AT_ONCE = 500
"""Players that are asked for at once; all of them can be given an award."""


@blueprint.route("/events/<event>/awards", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """The best, the awards, and concluding: with what that would do, then for good."""
    form, asked, foreseen = Form({"name": "/name", "player": "/player", "why": "/reason"}), muster(), None
    does = request.form.get("do", "") if form.sent else ""
    try:
        if does == "give" and not form["player"]:
            form.add_fault("player", _("Choose a player."))
        elif does == "give":
            done = asked.scoring.give_award(
                event, name=form["name"], player=form["player"], reason=form["reason"], idempotency_key=form.key
            )
            say(_("%(award)s is given.", award=form["name"]), done)
        elif does == "preview":
            foreseen = asked.scoring.conclude_tournament(event, preview=True, **_why(form))
        elif does == "conclude":
            asked.scoring.conclude_tournament(event, idempotency_key=form.key, **_why(form))
            say(_("The event is over. The standings are final."))
        if does in ("give", "conclude") and form.is_valid:
            return redirect(url_for("awards.show", event=event))
    except Problem as problem:
        form.add_problem(problem)
    players = list(_everybody(event))
    best = asked.scoring.show_standings(event, limit=BEST)
    page = render_template(
        "awards.html",
        event=asked.registration.show_tournament(event),
        form=form,
        best=best.items if is_begun(asked, event, best) else [],
        players=[one for one in players if one.status in ("active", "dropped")],
        names={one.id: one.name for one in players},
        awards=asked.scoring.list_awards(event).items,
        foreseen=foreseen,
        place="awards",
    )
    return page, 200 if form.is_valid else 422


def _everybody(event: str) -> Iterator[answers.PlayerView]:
    """All players, by name."""
    after: str | None = None
    while True:
        page = muster().registration.list_players(event, sort="name", limit=AT_ONCE, after=after)
        yield from page.items
        after = page.next
        if not after:
            return


def _why(form: Form) -> Conclude:
    """Why it ends before its last planned round, if somebody said so."""
    return {"reason": form["why"]} if form["why"] else {}
