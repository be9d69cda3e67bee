"""A player's page for staff: what is known, and everything that may happen to them."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.forms import Form
from services.console.language import _
from services.console.own_venue import settles
from services.console.player_changes import DONE, NEED_REASON, change_player
from services.console.toast import say
from services.console.upstream import muster

blueprint = Blueprint("player", __name__)


@blueprint.route("/events/<event>/player/<player>", methods=["GET", "POST"])
def show(event: str, player: str) -> ResponseReturnValue:
    """One player; posting does one thing, and the next page offers to take it back."""
    form = Form({"reason": "/reason", "venue": "/venue", "name": "/name", "club": "/club", "faction": "/faction"})
    asked = muster().registration
    does = request.form.get("do", "")
    if form.sent and does in NEED_REASON and not form["reason"]:
        form.wrong("reason", _("Say why; it stands in the public log."))
    if does in DONE and form.good:
        try:
            name = asked.show_player(event, player).name
            done = change_player(does, event, player, form)
            say(_(DONE[does], player=name), done)
            return redirect(url_for("player.show", event=event, player=player))
        except Problem as problem:
            form.refused(problem)
    shown = asked.show_tournament(event)
    page = render_template(
        "player.html",
        event=shown,
        may={question: settles(shown, question) for question in ("disqualification", "reinstatement")},
        player=asked.show_player(event, player),
        warnings=asked.list_warnings(event, player).items,
        form=form,
        place="players",
    )
    return page, 200 if form.good else 422
