"""Routes of seasons: results, standings, divisions, the final, invitations, history."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from msgspec import UNSET, UnsetType

from services.scoring import season_views
from services.scoring.guards import PlayerUnknown
from services.scoring.handlers import HANDLERS
from services.scoring.season_history import (
    HistoryView,
    SeasonPlayedView,
    SeasonWarningsView,
    SeasonWarningView,
    history_of,
    season_played,
    season_warnings,
    standings_recorded,
    warnings_in_seasons,
)
from services.scoring.season_index import FOLLOWING, SeasonProcessManager
from services.scoring.season_results import AcceptInvitation, DeclineInvitation, MakeFinalCut, TakeResults
from services.scoring.season_views import (
    DivisionMovesView,
    FinalView,
    SeasonRankExplained,
    divisions_view,
    final_view,
    member_of,
    rank_explained,
)
from services.scoring.views_standings import not_in_standings
from shared.names import matches_words
from shared.refusals import Fault, expects
from shared.roles import HEAD_REFEREE_UP, REFEREE_UP
from shared.season.state import SEASON
from shared.service.routes import CommandBlueprint
from shared.service.state import LoadedAggregate
from shared.service.views import Appended, event_view
from shared.service.wiring import current_part, gateway_of
from shared.service.wiring import gateway as of_any_format
from shared.shapes import Name, Text, Whole
from shared.web.auth import caller
from shared.web.paging import Ordered, page_of, page_of_order, single_page
from shared.web.request import is_preview, not_modified

ANSWERING = ("tournament-unknown", "tournament-over", "cut-missing", "not-invited", "not-your-invitation")
ROUTE = "/tournaments/<id:tournament>/season"


gateway = gateway_of("season")
seasons = current_part(SeasonProcessManager)
blueprint = CommandBlueprint(
    "seasons",
    HANDLERS,
    description="Seasons: results taken, standings, divisions, the final.",
    may_refuse=("wrong-format",),
)


@contextmanager
def reading(tournament: str) -> Iterator[LoadedAggregate]:
    """The state for an answer, with what its tournaments have brought meanwhile; nothing is appended for it."""
    with gateway.reading(tournament):
        pass
    with seasons.as_it_stands(tournament) as loaded:
        yield loaded


@blueprint.post(f"{ROUTE}/results")
@blueprint.allow(*HEAD_REFEREE_UP)
@blueprint.previewed
@blueprint.response(201, Appended)
@blueprint.may_refuse("tournament-unknown")
def take_results(tournament: str) -> Appended:
    """Take new results of all gathered tournaments now; this also happens every few seconds."""
    with gateway.reading(tournament):
        pass
    if is_preview():
        gateway.command(tournament, TakeResults(), by=FOLLOWING, preceding=seasons.to_take(tournament))
    receipts = seasons.keep(tournament)
    return Appended(events=[event_view(event) for one in receipts for event in one.events])


@blueprint.get(f"{ROUTE}/results")
@blueprint.response(200, season_views.ResultsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_results_taken(tournament: str) -> Any:
    """Show which tournaments' results were taken, where their logs ended then, and which are still missing."""
    with reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or season_views.results_view(loaded.state)


class SeasonStandingsQuery(Ordered, frozen=True, kw_only=True):
    """number: standings as they were recorded under this number; left out: the latest."""

    number: Annotated[int | UnsetType, Whole(1, 1_000_000)] = UNSET
    division: Annotated[str | UnsetType, Text(100), "Only this division; empty: those who are in none."] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Only players whose name contains each of these words; accents do not matter."
    ] = UNSET


@blueprint.get(f"{ROUTE}/standings")
@blueprint.arguments(SeasonStandingsQuery, location="query")
@blueprint.response(200, season_views.SeasonStandingsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "standings-unknown", "player-unknown", "invalid-cursor")
def show_season_standings(query: SeasonStandingsQuery, tournament: str) -> Any:
    """Show the standings of the season, whole or in pages: the latest ones, or those recorded under a number."""
    with reading(tournament) as loaded:
        same = not_modified(gateway.version(loaded))
        if same is not None:
            return same
        latest = SEASON.of(loaded.state).table
        table = None
        if query.number is not UNSET and (latest is None or latest.number != query.number):
            table = standings_recorded(gateway.handler.database, tournament, query.number)
        players = loaded.state.entries.players
        rows = [
            row
            for row in season_views.rows_of(loaded.state, table)
            if query.division in (UNSET, row.division)
            and (query.q is UNSET or matches_words(players[row.player].name, query.q))
        ]
        found = page_of_order(rows, query, lambda rows: [row.player for row in rows], not_in_standings)
        return season_views.standings_view(loaded, tournament, found, table), 200, found.headers


@blueprint.get(f"{ROUTE}/standings/<id:player>")
@blueprint.response(200, SeasonRankExplained)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def explain_season_rank(tournament: str, player: str) -> SeasonRankExplained:
    """Explain a rank: every result with its clause, and what separates the player from the neighbours."""
    with reading(tournament) as loaded:
        return rank_explained(loaded, player)


@blueprint.get(f"{ROUTE}/players/<id:player>/history")
@blueprint.response(200, HistoryView)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_season_history(tournament: str, player: str) -> HistoryView:
    """Show each time a player's rank moved, and why: which tournament, which correction, which merge."""
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        member = member_of(state, player)
        items = history_of(gateway.handler.database, tournament, state, member)
        return HistoryView(player=member, name=state.entries.players[member].name, items=items)


@blueprint.get(f"{ROUTE}/players/<id:player>/tournaments")
@blueprint.response(200, SeasonPlayedView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_season_tournaments(tournament: str, player: str) -> Any:
    """Show what somebody did in each tournament of the season: place, points, games."""
    with reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or season_played(loaded, player)


@blueprint.get(f"{ROUTE}/players/<id:player>/warnings")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, SeasonWarningsView)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def list_season_warnings(tournament: str, player: str) -> SeasonWarningsView:
    """List somebody's warnings in the tournaments of the season to staff, but for private tournaments of others."""
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        return season_warnings(connection, loaded, player, caller())


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/season-warnings")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, page_of(SeasonWarningView))
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def list_warnings_in_seasons(tournament: str, player: str) -> dict[str, Any]:
    """List a player's warnings to staff, in all tournaments of the seasons that count this one.

    Those of private tournaments and seasons of others are left out. Without a season, the list is empty.
    """
    with of_any_format.reading(tournament) as loaded:
        if player not in loaded.state.entries.players:
            fault = Fault("/player", player, expects("player-of-tournament"))
            raise PlayerUnknown(f"No player has the id {player}.", [fault])
    with gateway.handler.database.reading() as connection:
        counting = seasons.counting(tournament)
        return single_page(warnings_in_seasons(connection, counting, tournament, player, caller()))


@blueprint.get(f"{ROUTE}/divisions")
@blueprint.response(200, DivisionMovesView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_division_moves(tournament: str) -> Any:
    """Show who moves up and down: as decided at the end, or before that by the current standings."""
    with reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or divisions_view(loaded.state)


@blueprint.command(MakeFinalCut, f"{ROUTE}/cut")
@blueprint.may_refuse(
    "tournament-unknown",
    "tournament-over",
    "no-final",
    "season-without-results",
    "cut-made",
    "tie-undecided",
    "player-unknown",
)
def make_final_cut(command: MakeFinalCut, tournament: str) -> Appended:
    """Invite the best players to the final, as many as the ruleset says; repeat it only while nobody has answered."""
    with gateway.reading(tournament):
        pass
    if is_preview():
        return gateway.run(tournament, command, preceding=seasons.to_take(tournament))
    seasons.keep(tournament)
    return gateway.run(tournament, command)


@blueprint.get(f"{ROUTE}/final")
@blueprint.response(200, FinalView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "cut-missing")
def show_final(tournament: str) -> Any:
    """Show who is invited to the final, who comes, and who replaces whom."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or final_view(loaded.state)


@blueprint.command(AcceptInvitation, f"{ROUTE}/final/<id:player>/acceptance")
@blueprint.may_refuse(*ANSWERING)
def accept_final_invitation(command: AcceptInvitation, tournament: str) -> Appended:
    """Accept an invitation to the final."""
    return gateway.run(tournament, command)


@blueprint.command(DeclineInvitation, f"{ROUTE}/final/<id:player>/decline")
@blueprint.may_refuse(*ANSWERING, "tie-undecided", "player-unknown", sent=["player-unknown"])
def decline_final_invitation(command: DeclineInvitation, tournament: str) -> Appended:
    """Decline an invitation, even after accepting it; if the ruleset replaces, the next player is invited."""
    return gateway.run(tournament, command)
