"""Standings, with where a value comes from on request."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from services.console.upstream import muster

blueprint = Blueprint("standings", __name__)
PAGE = 100


@blueprint.get("/events/<event>/standings")
def show(event: str) -> ResponseReturnValue:
    """A page of standings; `why=p7` opens the row of a player."""
    asked, words = muster(), request.args.get("q", "").strip()
    after, why = request.args.get("after") or None, request.args.get("why", "")
    shown = asked.registration.show_tournament(event)
    standings = asked.scoring.show_standings(event, limit=PAGE, after=after, q=words or None)
    explained = asked.scoring.explain_rank(event, why) if why else None
    return render_template(
        "standings.html", event=shown, standings=standings, why=why, explained=explained, q=words, place="standings"
    )
