"""Routes of seasons: results taken from their tournaments, standings, and how they came about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from services.scoring.handlers import HANDLERS
from services.scoring.season import schemas as schemas_season
from services.scoring.season import views
from services.scoring.season.commands import AcceptInvitation, DeclineInvitation, MakeFinalCut
from services.scoring.season.history import history_of, standings_recorded
from services.scoring.season.process_manager import SeasonProcessManager
from shared.application.command_handler import told
from shared.application.repository import LoadedAggregate
from shared.application.schemas import ReceiptShown
from shared.application.service import gateway_of, wired
from shared.application.views import Appended
from shared.formats.season.state import SEASON
from shared.roles import HEAD_REFEREE_UP
from shared.web.blueprint import Blueprint
from shared.web.request import not_modified

ANSWERING = ("tournament-unknown", "tournament-over", "cut-missing", "not-invited", "not-your-invitation")
ROUTE = "/tournaments/<id:tournament>/season"


gateway = gateway_of("season")
seasons = wired(SeasonProcessManager)
blueprint = Blueprint(
    "seasons", description="Seasons: results taken, standings, divisions, the final.", may_refuse=("wrong-format",)
)


@contextmanager
def reading(tournament: str) -> Iterator[LoadedAggregate]:
    """The state for an answer, with what its tournaments have brought meanwhile."""
    with gateway.reading(tournament):
        pass
    seasons.keep(tournament)
    with gateway.reading(tournament) as loaded:
        yield loaded


@blueprint.post(f"{ROUTE}/results")
@blueprint.allow(*HEAD_REFEREE_UP)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse("tournament-unknown")
def take_results(tournament: str) -> dict[str, Any]:
    """Take what is new of every tournament now; it is also done before every answer, and every few seconds."""
    with gateway.reading(tournament):
        pass
    receipts = seasons.keep(tournament)
    return {"tournament": tournament, "events": [told(event) for one in receipts for event in one.events]}


@blueprint.get(f"{ROUTE}/results")
@blueprint.response(200, schemas_season.ResultsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_results_taken(tournament: str) -> Any:
    """Show which tournaments have results here, where their logs ended then, and which are waited for."""
    with reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.results_view(loaded.state)


@blueprint.get(f"{ROUTE}/standings")
@blueprint.arguments(schemas_season.SeasonStandingsQuery, location="query")
@blueprint.response(200, schemas_season.SeasonStandingsShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "standings-unknown")
def show_season_standings(query: dict[str, Any], tournament: str) -> Any:
    """Show the standings of the season: the latest, or as they were recorded under a number."""
    with reading(tournament) as loaded:
        same = not_modified(gateway.version(loaded))
        if same is not None:
            return same
        latest = SEASON.of(loaded.state).table
        number = query.get("number")
        if number is None or (latest is not None and latest.number == number):
            return views.standings_view(loaded, tournament)
        table = standings_recorded(gateway.handler.database, tournament, number)
        return views.standings_view(loaded, tournament, table)


@blueprint.get(f"{ROUTE}/standings/<id:player>")
@blueprint.response(200, schemas_season.SeasonRankExplained)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def explain_season_rank(tournament: str, player: str) -> dict[str, Any]:
    """Explain a rank: every result with its clause, and what separates it from the neighbours."""
    with reading(tournament) as loaded:
        return views.rank_explained(loaded, player)


@blueprint.get(f"{ROUTE}/players/<id:player>/history")
@blueprint.response(200, schemas_season.HistoryShown)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_season_history(tournament: str, player: str) -> dict[str, Any]:
    """Show every time that somebody's rank moved, and by what: which tournament, which correction, which merge."""
    with reading(tournament) as loaded:
        state = loaded.state
        member = views.member_of(state, player)
        items = history_of(gateway.handler.database, tournament, state, member)
        return {"player": member, "name": state.entries.players[member].name, "items": items}


@blueprint.get(f"{ROUTE}/divisions")
@blueprint.response(200, schemas_season.DivisionMovesShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_division_moves(tournament: str) -> Any:
    """Show who goes up and down: as decided at the end, before it as the standings are now."""
    with reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.divisions_view(loaded.state)


@blueprint.post(f"{ROUTE}/cut")
@blueprint.allow(*HANDLERS[MakeFinalCut].roles)
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
def make_final_cut(body: dict[str, Any], tournament: str) -> Appended:
    """Invite the best to the final, as many as the ruleset says; again only while nobody has answered."""
    with reading(tournament):
        pass
    return gateway.run(tournament, MakeFinalCut(**body))


@blueprint.get(f"{ROUTE}/final")
@blueprint.response(200, schemas_season.FinalShown)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "cut-missing")
def show_final(tournament: str) -> Any:
    """Show who is invited to the final, who comes, and who comes in whose place."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.final_view(loaded.state)


@blueprint.post(f"{ROUTE}/final/<id:player>/acceptance")
@blueprint.allow(*HANDLERS[AcceptInvitation].roles)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*ANSWERING)
def accept_final_invitation(tournament: str, player: str) -> Appended:
    """Accept an invitation to the final."""
    return gateway.run(tournament, AcceptInvitation(player=player))


@blueprint.post(f"{ROUTE}/final/<id:player>/decline")
@blueprint.allow(*HANDLERS[DeclineInvitation].roles)
@blueprint.arguments(schemas_season.DeclineInvitation)
@blueprint.response(201, ReceiptShown)
@blueprint.may_refuse(*ANSWERING, "tie-undecided", "player-unknown", sent=["player-unknown"])
def decline_final_invitation(body: dict[str, Any], tournament: str, player: str) -> Appended:
    """Decline an invitation, also after it was accepted; the next one is invited where the ruleset replaces."""
    return gateway.run(tournament, DeclineInvitation(player=player, **body))
