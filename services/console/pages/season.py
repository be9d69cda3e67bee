"""A season: its table, the events that it counts, and what one person played in them."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from muster_client import Problem
from services.console.forms import searched_for
from services.console.signed_in import GUEST, muster

blueprint = Blueprint("season", __name__)
PAGE = 50


@blueprint.get("/events/<event>/season")
def show(event: str) -> ResponseReturnValue:
    """The table, page by page; `q` finds a player, `division` shows one alone."""
    asked = muster(GUEST)
    words = searched_for()
    division, after = request.args.get("division"), request.args.get("after") or None
    shown = asked.registration.show_tournament(event)
    gathered = asked.registration.list_gathered(event).items
    divisions = sorted({one.division for one in gathered if one.division})
    try:
        table = asked.scoring.show_season_standings(event, limit=PAGE, after=after, q=words or None, division=division)
    except Problem as problem:
        if problem.status not in (404, 409):
            raise
        table = None
    return render_template(
        "season.html",
        event=shown,
        place="season",
        table=table,
        gathered=gathered,
        divisions=divisions,
        division=division,
        q=words,
    )


@blueprint.get("/events/<event>/season/<player>")
def player(event: str, player: str) -> ResponseReturnValue:
    """What somebody did in each event of the season."""
    asked = muster(GUEST)
    shown = asked.registration.show_tournament(event)
    played = asked.scoring.show_season_tournaments(event, player)
    return render_template("season_player.html", event=shown, place="season", played=played)
