"""The waiting list: who waits in which place and why, and what has to happen before somebody moves up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem, answers, problems
from services.console.forms import Form
from services.console.language import _
from services.console.signed_in import here, muster
from services.console.undo import say

blueprint = Blueprint("waiting_list", __name__)
PAGE = 100
CHOSEN = "give"
"""The field, and the argument, that names who is given a seat by hand."""


@blueprint.route("/events/<event>/waiting", methods=["GET", "POST"])
def show(event: str) -> ResponseReturnValue:
    """Everybody who waits, first who moves up first. Posting adds a seat, which the first of them takes, or gives one
    to somebody who was chosen; `?give=p4` shows what that would mean.
    """
    form, asked = Form({"seats": "/capacity", "reason": "/reason"}), muster().registration
    shown, status = asked.show_tournament(event), 200
    change = _change(form, shown) if form.sent and here().organises else None
    if change is not None and form.is_valid:
        try:
            say(*change())
            return redirect(url_for("waiting_list.show", event=event))
        except problems.PreconditionFailed:
            form.above.append(_("Somebody was faster. Nothing was changed; below is what stands now."))
            status = 412
        except Problem as problem:
            form.add_problem(problem)
            status = problem.status
        shown = asked.show_tournament(event)
    listed = asked.list_players(event, status="waiting", limit=PAGE, after=request.args.get("after") or None)
    page = render_template(
        "waiting_list.html", event=shown, form=form, players=listed, chosen=_chosen(event, form), place="players"
    )
    return page, status if form.is_valid or status != 200 else 422


def _change(form: Form, event: answers.TournamentView) -> Callable[[], tuple[str, Any]] | None:
    """What the form asks for: it does so, and returns what to say and the answer. None where it asks for nothing."""
    asked, player = muster().registration, form[CHOSEN]
    if player:
        if not form["reason"]:
            form.add_fault("reason", _("Say why; those who are passed over can read it in the log."))

        def give() -> tuple[str, Any]:
            more = form["more"] == "yes"
            done = asked.give_seat(event.id, player, reason=form["reason"], more=more, idempotency_key=form.key)
            return _("%(player)s has a seat.", player=asked.show_player(event.id, player).name), done

        return give
    seats = form.whole("seats")
    if seats is None:
        return None

    def add() -> tuple[str, Any]:
        done = asked.amend_tournament(event.id, capacity=seats, if_match=form.version, idempotency_key=form.key)
        return _("There are %(seats)s seats now.", seats=seats), done

    return add


def _chosen(event: str, form: Form) -> answers.PlayerView | None:
    """Who would be given a seat; None where nobody is named who waits."""
    named = form[CHOSEN] or request.args.get(CHOSEN, "")
    if not named or not here().organises:
        return None
    try:
        player = muster().registration.show_player(event, named)
    except problems.PlayerUnknown:
        return None
    return player if player.status == "waiting" else None
