"""For a stream: one round, a few tables and the head of the standings, on a ground that lets the picture through.

Programs such as OBS open it as a browser source: nobody clicks there, and it keeps no cookies. It asks as a guest: what
not everybody sees is never on the air. It hears that something changed like other pages, also while it is not shown.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from services.console.signed_in import GUEST
from services.console.upstream import muster

blueprint = Blueprint("overlay", __name__)
TOP, MOST = 6, 12
SECONDS = 5
"""Between two looks at the service where no script runs."""


@blueprint.get("/events/<event>/overlay")
def show(event: str) -> ResponseReturnValue:
    """The page. venue, table, top: as the service takes them."""
    top = min(MOST, max(1, request.args.get("top", TOP, type=int)))
    shown = muster(GUEST).scoring.show_overlay(
        event, venue=request.args.get("venue") or None, table=request.args.get("table", type=int), top=top
    )
    scores = {table.game: _score(table) for table in shown.tables}
    return render_template("overlay.html", shown=shown, scores=scores, seconds=SECONDS)


def _score(table: object) -> str:
    """The values of a game that counts, as the stream shows them."""
    score = getattr(table, "score", None)
    if not score or not getattr(table, "binds", False):
        return ""
    one, two = next(iter(score.values_1.values()), ""), next(iter(score.values_2.values()), "")
    return f"{one} : {two}"
