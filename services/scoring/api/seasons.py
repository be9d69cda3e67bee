"""Routes of seasons: results taken from their tournaments, standings, and how they came about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from services.scoring import schemas_season
from services.scoring.season_shown import standings_shown
from services.scoring.seasons import Seasons
from shared.handling.desk import told
from shared.handling.folds import Folded
from shared.handling.front import Front
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.tokens import HEAD_REFEREE, OPERATOR, ORGANISER

HEADS = (OPERATOR, ORGANISER, HEAD_REFEREE)
ROUTE = "/tournaments/<id:tournament>/season"


def seasons_blueprint(front: Front, seasons: Seasons) -> Blueprint:
    """Where everybody stands in a season, and why."""
    blueprint = Blueprint(
        "seasons", description="Seasons: results taken, standings, divisions, the final.", may_refuse=("wrong-format",)
    )

    @contextmanager
    def reading(tournament: str) -> Iterator[Folded]:
        """The state for an answer, with what its tournaments have brought meanwhile."""
        with front.reading(tournament):
            pass
        seasons.keep(tournament)
        with front.reading(tournament) as folded:
            yield folded

    @blueprint.post(f"{ROUTE}/results")
    @blueprint.allow(*HEADS)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse("tournament-unknown")
    def take_results(tournament: str) -> dict[str, Any]:
        """Take what is new of every tournament now; it is also done before every answer, and every few seconds."""
        with front.reading(tournament):
            pass
        receipts = seasons.keep(tournament)
        return {"tournament": tournament, "events": [told(event) for one in receipts for event in one.events]}

    @blueprint.get(f"{ROUTE}/standings")
    @blueprint.response(200, schemas_season.SeasonStandingsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def show_season_standings(tournament: str) -> Any:
        """Show the standings of the season."""
        with reading(tournament) as folded:
            same = asked.not_modified(front.version(folded))
            return same or standings_shown(folded.state, tournament)

    return blueprint
