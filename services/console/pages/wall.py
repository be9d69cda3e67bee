"""For a projector: who plays where, in pages that turn by themselves, standings, the clock; and for a stream. No login.

Programs such as OBS open the overlay as a browser source: nobody clicks there, and it keeps no cookies. It asks as a
guest: what not everybody sees is never on the air. It hears that something changed like other pages, also while it is
not shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from muster_client import answers
from services.console import wall_turns
from services.console.signed_in import GUEST, muster
from services.console.wall_turns import Turn

blueprint = Blueprint("wall", __name__)
SECONDS = 12
"""For which a page stays, unless somebody says otherwise."""
CLOCK_SECONDS, CLOCK_LIVE_SECONDS = 5, 30
"""Between two readings of the clock, without a script and with one, which counts by itself."""


@blueprint.get("/events/<event>/wall/pairings")
def pairings(event: str) -> ResponseReturnValue:
    """Where everybody sits, by name or by table; at one venue, or at all."""
    shown, venue = muster().registration.show_tournament(event), _venue()
    by = "table" if request.args.get("by") == "table" else None
    turn = wall_turns.pairings(shown, venue, by is not None, max(1, request.args.get("page", 1, type=int)))
    following = url_for("wall.pairings", event=event, **(turn.on or {"page": 1}), venue=venue, by=by)
    return page_of(shown, turn, SECONDS, following)


@blueprint.get("/events/<event>/wall/standings")
def standings(event: str) -> ResponseReturnValue:
    """The first of the standings, and on page by page."""
    shown, venue = muster().registration.show_tournament(event), _venue()
    turn = wall_turns.standings(shown, venue, request.args.get("after") or None, request.args.get("first", 1, type=int))
    return page_of(shown, turn, SECONDS, url_for("wall.standings", event=event, **turn.on, venue=venue))


@blueprint.get("/events/<event>/wall/clock")
def clock(event: str) -> ResponseReturnValue:
    """The time left of the round, and the calls to come."""
    shown, venue = muster().registration.show_tournament(event), _venue()
    following = url_for("wall.clock", event=event, venue=venue)
    return page_of(shown, wall_turns.clock(shown, venue), CLOCK_SECONDS, following, turning=CLOCK_LIVE_SECONDS)


def page_of(event: answers.TournamentView, turn: Turn, seconds: int, following: str, **more: Any) -> str:
    """A page of a wall. seconds: for which it stays. following: the address of the one that comes then."""
    shown: Mapping[str, Any] = {**turn.shown, **more}
    return render_template(turn.template, event=event, seconds=seconds, following=following, **shown)


def _venue() -> str | None:
    return request.args.get("venue") or None


TOP, MOST = 6, 12
OVERLAY_SECONDS = 5
"""Between two looks at the service where no script runs."""


@blueprint.get("/events/<event>/overlay")
def overlay(event: str) -> ResponseReturnValue:
    """The page. venue, table, top: as the service takes them."""
    top = min(MOST, max(1, request.args.get("top", TOP, type=int)))
    shown = muster(GUEST).scoring.show_overlay(
        event, venue=request.args.get("venue") or None, table=request.args.get("table", type=int), top=top
    )
    scores = {table.game: _score(table) for table in shown.tables}
    return render_template("overlay.html", shown=shown, scores=scores, seconds=OVERLAY_SECONDS)


def _score(table: object) -> str:
    """The values of a game that counts, as the stream shows them."""
    score = getattr(table, "score", None)
    if not score or not getattr(table, "binds", False):
        return ""
    one, two = next(iter(score.values_1.values()), ""), next(iter(score.values_2.values()), "")
    return f"{one} : {two}"
