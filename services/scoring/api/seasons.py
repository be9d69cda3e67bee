"""Routes of seasons: results taken from their tournaments, standings, and how they came about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from services.scoring import schemas_season
from services.scoring.domain import season_commands as ask
from services.scoring.season_history import history_of, standings_recorded
from services.scoring.season_shown import (
    divisions_shown,
    final_shown,
    member_of,
    rank_explained,
    results_shown,
    standings_shown,
)
from services.scoring.seasons import Seasons
from shared.handling.desk import told
from shared.handling.folds import Folded
from shared.handling.front import Front, shown
from shared.handling.schemas import ReceiptShown
from shared.http import asked
from shared.http.blueprint import Blueprint
from shared.http.roles import HEAD_REFEREE, OPERATOR, ORGANISER, PLAYER, REFEREE

HEADS = (OPERATOR, ORGANISER, HEAD_REFEREE)
LEADING = (OPERATOR, ORGANISER)
CREW = (*HEADS, REFEREE)
ANSWERING = ("tournament-unknown", "tournament-over", "cut-missing", "not-invited", "not-your-invitation")
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

    @blueprint.get(f"{ROUTE}/results")
    @blueprint.response(200, schemas_season.ResultsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def show_results_taken(tournament: str) -> Any:
        """Show which tournaments have results here, where their logs ended then, and which are waited for."""
        with reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or results_shown(folded.state)

    @blueprint.get(f"{ROUTE}/standings")
    @blueprint.arguments(schemas_season.SeasonStandingsQuery, location="query")
    @blueprint.response(200, schemas_season.SeasonStandingsShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "standings-unknown")
    def show_season_standings(query: dict[str, Any], tournament: str) -> Any:
        """Show the standings of the season: the latest, or as they were recorded under a number."""
        with reading(tournament) as folded:
            same = asked.not_modified(front.version(folded))
            if same is not None:
                return same
            latest = folded.state.season.table
            number = query.get("number")
            if number is None or (latest is not None and latest.number == number):
                return standings_shown(folded, tournament)
            table = standings_recorded(front.desk.database, tournament, number)
            return standings_shown(folded, tournament, table)

    @blueprint.get(f"{ROUTE}/standings/<id:player>")
    @blueprint.response(200, schemas_season.SeasonRankExplained)
    @blueprint.may_refuse("tournament-unknown", "player-unknown")
    def explain_season_rank(tournament: str, player: str) -> dict[str, Any]:
        """Explain a rank: every result with its clause, and what separates it from the neighbours."""
        with reading(tournament) as folded:
            return rank_explained(folded, player)

    @blueprint.get(f"{ROUTE}/players/<id:player>/history")
    @blueprint.response(200, schemas_season.HistoryShown)
    @blueprint.may_refuse("tournament-unknown", "player-unknown")
    def show_season_history(tournament: str, player: str) -> dict[str, Any]:
        """Show every time that somebody's rank moved, and by what: which tournament, which correction, which merge."""
        with reading(tournament) as folded:
            state = folded.state
            member = member_of(state, player)
            items = history_of(front.desk.database, tournament, state, member)
            return {"player": member, "name": state.entries.players[member].name, "items": items}

    @blueprint.get(f"{ROUTE}/divisions")
    @blueprint.response(200, schemas_season.DivisionMovesShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown")
    def show_division_moves(tournament: str) -> Any:
        """Show who goes up and down: as decided at the end, before it as the standings are now."""
        with reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or divisions_shown(folded.state)

    @blueprint.post(f"{ROUTE}/cut")
    @blueprint.allow(*LEADING)
    @blueprint.arguments(schemas_season.MakeCut)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(
        "tournament-unknown",
        "tournament-over",
        "no-final",
        "season-without-results",
        "cut-made",
        "tie-undecided",
        "player-unknown",
    )
    def make_final_cut(body: dict[str, Any], tournament: str) -> dict[str, Any]:
        """Invite the best to the final, as many as the ruleset says; again only while nobody has answered."""
        with reading(tournament):
            pass
        return shown(front.command(tournament, ask.MakeFinalCut(**body), fresh=True), tournament)

    @blueprint.get(f"{ROUTE}/final")
    @blueprint.response(200, schemas_season.FinalShown)
    @blueprint.versioned()
    @blueprint.may_refuse("tournament-unknown", "cut-missing")
    def show_final(tournament: str) -> Any:
        """Show who is invited to the final, who comes, and who comes in whose place."""
        with front.reading(tournament) as folded:
            return asked.not_modified(front.version(folded)) or final_shown(folded.state)

    @blueprint.post(f"{ROUTE}/final/<id:player>/acceptance")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*ANSWERING)
    def accept_final_invitation(tournament: str, player: str) -> dict[str, Any]:
        """Accept an invitation to the final."""
        return shown(front.command(tournament, ask.AcceptInvitation(player=player)), tournament)

    @blueprint.post(f"{ROUTE}/final/<id:player>/decline")
    @blueprint.allow(*CREW, PLAYER)
    @blueprint.arguments(schemas_season.DeclineInvitation)
    @blueprint.response(201, ReceiptShown)
    @blueprint.may_refuse(*ANSWERING, "tie-undecided", "player-unknown", sent=["player-unknown"])
    def decline_final_invitation(body: dict[str, Any], tournament: str, player: str) -> dict[str, Any]:
        """Decline an invitation, also after it was accepted; the next one is invited where the ruleset replaces."""
        return shown(front.command(tournament, ask.DeclineInvitation(player=player, **body)), tournament)

    return blueprint
