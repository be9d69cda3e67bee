"""Rosters: who has handed in what, every fault with its clause, accepted or sent back with a word."""

from __future__ import annotations

from typing import Literal, cast

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.forms import Form
from services.console.language import _
from services.console.own_venue import ALL, venue_shown
from services.console.toast import say
from services.console.upstream import muster

blueprint = Blueprint("lists", __name__)
PAGE = 100
STATES = ("submitted", "none", "accepted", "rejected")
State = Literal["none", "submitted", "accepted", "rejected"]


@blueprint.get("/events/<event>/lists")
def show(event: str) -> ResponseReturnValue:
    """Players by the state of their roster; those first that wait for staff."""
    state = request.args.get("state", STATES[0])
    state = state if state in STATES else STATES[0]
    after = request.args.get("after") or None
    shown = muster().registration.show_tournament(event)
    venue = venue_shown(shown)
    players = muster().registration.list_players(
        event,
        roster=cast(State, state),
        limit=PAGE,
        after=after,
        sort="name",
        status="active",
        venue=venue or None,
    )
    return render_template(
        "lists.html", event=shown, players=players, state=state, venue=venue, all_venues=ALL, place="players"
    )


@blueprint.route("/events/<event>/lists/<player>", methods=["GET", "POST"])
def one(event: str, player: str) -> ResponseReturnValue:
    """A roster with what is wrong with it; staff accept it, or send it back and say why."""
    form, asked = Form({"note": "/note"}), muster().registration
    if form.sent:
        does = request.form.get("do", "")
        if does == "reject" and not form["note"]:
            form.add_fault("note", _("Say why, so that the player can mend it."))
        if form.is_valid:
            try:
                if does == "accept":
                    done = asked.accept_roster(event, player, note=form["note"], idempotency_key=form.key)
                    say(_("The list is accepted."), done)
                else:
                    done = asked.reject_roster(event, player, note=form["note"], idempotency_key=form.key)
                    say(_("The list is sent back."), done)
                return redirect(url_for("lists.show", event=event))
            except Problem as problem:
                form.add_problem(problem)
    page = render_template(
        "list.html",
        event=asked.show_tournament(event),
        player=asked.show_player(event, player),
        roster=asked.show_roster(event, player),
        form=form,
        place="players",
    )
    return page, 200 if form.is_valid else 422
