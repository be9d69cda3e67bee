"""Routes of seasons: results, standings, history, warnings, divisions, the final."""

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
from services.scoring.season_index import SEASON_RULE, SeasonProcessManager
from services.scoring.season_results import AcceptInvitation, DeclineInvitation, MakeFinalCut, TakeResults
from services.scoring.season_views import (
    DivisionMovesView,
    FinalView,
    SeasonRankExplained,
    divisions_view,
    explain_rank,
    final_view,
    member_of,
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
from shared.service.wiring import gateway as any_gateway
from shared.shapes import Name, Text, Whole
from shared.web.auth import require_caller
from shared.web.paging import Ordered, page_of, page_of_order, single_page
from shared.web.request import is_preview, not_modified

_ANSWER_REFUSALS = ("tournament-unknown", "tournament-over", "cut-missing", "not-invited", "not-your-invitation")
_SEASON = "/tournaments/<id:tournament>/season"


gateway = gateway_of("season")
seasons = current_part(SeasonProcessManager)
blueprint = CommandBlueprint(
    "seasons",
    HANDLERS,
    description="Seasons: results of tournaments, standings, divisions, the final.",
    may_refuse=("wrong-format",),
)


@contextmanager
def _reading_season(tournament: str) -> Iterator[LoadedAggregate]:
    """Yield the state of a season including results that are not taken yet. Nothing is appended."""
    with gateway.reading(tournament):
        pass
    with seasons.up_to_date(tournament) as loaded:
        yield loaded


@blueprint.post(f"{_SEASON}/results")
@blueprint.allow(*HEAD_REFEREE_UP)
@blueprint.previewed
@blueprint.response(201, Appended)
@blueprint.may_refuse("tournament-unknown")
def take_results(tournament: str) -> Appended:
    """Take new results of all gathered tournaments now. This also happens automatically every few seconds."""
    with gateway.reading(tournament):
        pass
    if is_preview():
        gateway.command(tournament, TakeResults(), by=SEASON_RULE, preceding=seasons.pending_commands(tournament))
    receipts = seasons.take_new(tournament)
    return Appended(events=[event_view(event) for receipt in receipts for event in receipt.events])


@blueprint.get(f"{_SEASON}/results")
@blueprint.response(200, season_views.ResultsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_results_taken(tournament: str) -> Any:
    """List the tournaments whose results were taken, with the ends of their logs, and those still missing."""
    with _reading_season(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or season_views.results_view(loaded.state)


class SeasonStandingsQuery(Ordered, frozen=True, kw_only=True):
    """Query of standings. number: the number of recorded standings; absent: the latest."""

    number: Annotated[int | UnsetType, Whole(1, 1_000_000)] = UNSET
    division: Annotated[
        str | UnsetType, Text(100), "Include only this division. Empty: players without a division."
    ] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Include only players whose name contains each of these words. Accents are ignored."
    ] = UNSET


@blueprint.get(f"{_SEASON}/standings")
@blueprint.arguments(SeasonStandingsQuery, location="query")
@blueprint.response(200, season_views.SeasonStandingsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "standings-unknown", "player-unknown", "invalid-cursor")
def show_season_standings(query: SeasonStandingsQuery, tournament: str) -> Any:
    """Show the standings of a season, complete or in pages: the latest ones, or those with a number."""
    with _reading_season(tournament) as loaded:
        unchanged = not_modified(gateway.version(loaded))
        if unchanged is not None:
            return unchanged
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
        page = page_of_order(rows, query, lambda rows: [row.player for row in rows], not_in_standings)
        return season_views.standings_view(loaded, tournament, page, table), 200, page.headers


@blueprint.get(f"{_SEASON}/standings/<id:player>")
@blueprint.response(200, SeasonRankExplained)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def explain_season_rank(tournament: str, player: str) -> SeasonRankExplained:
    """Explain a rank: every result with its clause, and what separates the player from the previous and next one."""
    with _reading_season(tournament) as loaded:
        return explain_rank(loaded, player)


@blueprint.get(f"{_SEASON}/players/<id:player>/history")
@blueprint.response(200, HistoryView)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_season_history(tournament: str, player: str) -> HistoryView:
    """List every change of a player's rank with its causes, such as tournaments, corrections and merges."""
    with gateway.reading(tournament) as loaded:
        state = loaded.state
        member = member_of(state, player)
        items = history_of(gateway.handler.database, tournament, state, member)
        return HistoryView(player=member, name=state.entries.players[member].name, items=items)


@blueprint.get(f"{_SEASON}/players/<id:player>/tournaments")
@blueprint.response(200, SeasonPlayedView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_season_tournaments(tournament: str, player: str) -> Any:
    """List the tournaments of a player in the season with place, points and games."""
    with _reading_season(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or season_played(loaded, player)


@blueprint.get(f"{_SEASON}/players/<id:player>/warnings")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, SeasonWarningsView)
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def list_season_warnings(tournament: str, player: str) -> SeasonWarningsView:
    """List the warnings of a player in the tournaments of the season, except in private tournaments of others."""
    with gateway.reading(tournament) as loaded, gateway.handler.database.reading() as connection:
        return season_warnings(connection, loaded, player, require_caller())


@blueprint.get("/tournaments/<id:tournament>/players/<id:player>/season-warnings")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, page_of(SeasonWarningView))
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def list_warnings_in_seasons(tournament: str, player: str) -> dict[str, Any]:
    """List the warnings of a player in all tournaments of the seasons that count this one.

    Private tournaments and seasons of others are omitted. Without a season, the list is empty.
    """
    with any_gateway.reading(tournament) as loaded:
        if player not in loaded.state.entries.players:
            fault = Fault("/player", player, expects("player-of-tournament"))
            raise PlayerUnknown(f"No player has the id {player}.", [fault])
    with gateway.handler.database.reading() as connection:
        counting = seasons.counting(tournament)
        return single_page(warnings_in_seasons(connection, counting, tournament, player, require_caller()))


@blueprint.get(f"{_SEASON}/divisions")
@blueprint.response(200, DivisionMovesView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown")
def show_division_moves(tournament: str) -> Any:
    """Show promotions and relegations: as decided at the end, or by the current standings."""
    with _reading_season(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or divisions_view(loaded.state)


@blueprint.command(MakeFinalCut, f"{_SEASON}/cut")
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
    """Invite the best players to the final. The ruleset sets their number. Not repeatable after the first answer."""
    with gateway.reading(tournament):
        pass
    if is_preview():
        return gateway.run(tournament, command, preceding=seasons.pending_commands(tournament))
    seasons.take_new(tournament)
    return gateway.run(tournament, command)


@blueprint.get(f"{_SEASON}/final")
@blueprint.response(200, FinalView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "cut-missing")
def show_final(tournament: str) -> Any:
    """Show the players invited to the final, their answers and replacements."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or final_view(loaded.state)


@blueprint.command(AcceptInvitation, f"{_SEASON}/final/<id:player>/acceptance")
@blueprint.may_refuse(*_ANSWER_REFUSALS)
def accept_final_invitation(command: AcceptInvitation, tournament: str) -> Appended:
    """Accept an invitation to the final."""
    return gateway.run(tournament, command)


@blueprint.command(DeclineInvitation, f"{_SEASON}/final/<id:player>/decline")
@blueprint.may_refuse(*_ANSWER_REFUSALS, "tie-undecided", "player-unknown", sent=["player-unknown"])
def decline_final_invitation(command: DeclineInvitation, tournament: str) -> Appended:
    """Decline an invitation, even after accepting it. If the ruleset says so, the next player is invited."""
    return gateway.run(tournament, command)
