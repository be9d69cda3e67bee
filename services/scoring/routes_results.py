"""Routes of results: report, change a report, confirm, dispute, rule, appeal, correct, void."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Response
from msgspec import UNSET

from services.scoring.format_views import GAME_SHOWN, GAMES_SHOWN, RESULTS_FILES, VIEWS, Facts, GamesPage
from services.scoring.guards import game_of, round_of
from services.scoring.handlers import FORMATS, HANDLERS
from services.scoring.results import (
    AppealRuling,
    ChangeReport,
    ConfirmResult,
    CorrectResult,
    DisputeResult,
    OverrideRuling,
    RejectAppeal,
    ReportResult,
    ReportResults,
    RuleResult,
    VoidResult,
)
from services.scoring.views_games import ALL, GAME_ORDERS, GamesQuery, matches_query
from shared.formats.packs import roles_by_ruleset
from shared.refusals import Fault, one_of
from shared.service.game_lists import games_touched
from shared.service.routes import CommandBlueprint
from shared.service.views import AnsweredSince, Appended, EventView, Gone
from shared.service.wiring import gateway, gateway_in
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.auth import JSON_ALONE
from shared.web.paging import (
    CSV,
    csv_answer,
    list_version,
    next_page,
    page_limit,
    page_of,
    parse_after,
    parse_since,
    removed_ids,
    require_json_for,
    single_page,
    wants_csv,
)
from shared.web.refusals import NotAcceptable
from shared.web.request import not_modified

OF_GAME = ("tournament-unknown", "tournament-over", "game-unknown", "bye-has-no-result", "other-venue")
OPEN_GAME = (*OF_GAME, "round-not-begun", "round-closed")
IMPOSSIBLE = (
    "impossible-result",
    "bracket-moved-on",
    "game-held",
    "improbable-result",
    "game-report-refused",
    "dice-refused",
    "game-not-ready",
)
DECIDED = ("not-your-decision", "own-game")
ROUTE = "/tournaments/<id:tournament>/games/<id:game>"

blueprint = CommandBlueprint(
    "results",
    HANDLERS,
    opened={"facts": Facts},
    description="Results of games: report, confirm, dispute, rule, correct.",
    may_refuse=("wrong-format",),
)

game_gateway = gateway_in(FORMATS)


@blueprint.get("/tournaments/<id:tournament>/games")
@blueprint.arguments(GamesQuery, location="query")
@blueprint.response(200, GAMES_SHOWN)
@blueprint.csv_too
@blueprint.may_refuse("tournament-unknown", "round-unknown", "venue-unknown", "invalid-cursor")
def list_games(query: GamesQuery, tournament: str) -> Any:
    """List the games of one round or of all rounds, with their results.

    As CSV, the answer is the file results.csv of the offline commands. It contains all matching games unless you set
    `limit`.
    """
    shape, key = GAME_ORDERS[query.sort]
    require_json_for(query.since)
    every_round, after = query.round == ALL, parse_after(query.after, *shape)
    requested_round = 0 if every_round or query.round is UNSET else int(query.round)
    with game_gateway.reading(tournament, venue=query.venue) as loaded:
        state = loaded.state
        if requested_round:
            round_of(state, requested_round)
        # Later pages stay in the round of the first page, even if another round is paired in the meantime.
        number = requested_round or (after[0] if after else max(state.rounds.rounds, default=0))
        rounds = sorted(state.rounds.rounds) if every_round else [number]
        games = sorted(
            (key(round, index, seat), round, seat)
            for round in rounds
            if round in state.rounds.rounds
            for index, seat in enumerate(state.rounds.rounds[round].seats.values(), start=1)
            if matches_query(state, seat, query)
        )
        total = len(games)
        version = list_version(loaded.seen)
        answered_since: AnsweredSince = UNSET
        gone: Gone = UNSET
        since = parse_since(query.since, loaded.seen)
        if since is not None:
            touched = games_touched(gateway.handler.database, tournament, loaded, since)
            listed = {seat.game for _, _, seat in games}
            games = [game for game in games if touched is None or game[2].game in touched]
            answered_since, gone = None if touched is None else query.since, removed_ids(touched or (), listed)
        following = [game for game in games if after is None or game[0] > after]
        page_games = following[: page_limit(query)]
        last = page_games[-1][0] if len(following) > len(page_games) else None
        cursor, headers = next_page(last)
        if wants_csv():
            return results_file(state, [game[1:] for game in page_games], headers)
        items = [game_view(state, round, seat) for _, round, seat in page_games]
    answer = GamesPage(
        items=items,
        next=cursor,
        total=total,
        round=None if every_round else number or None,
        version=version,
        since=answered_since,
        gone=gone,
    )
    return answer, 200, headers


@blueprint.get(ROUTE)
@blueprint.response(200, GAME_SHOWN)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "game-unknown", "bye-has-no-result")
def show_game(tournament: str, game: str) -> Any:
    """Show a game and what is known about its result."""
    with game_gateway.reading(tournament) as loaded:
        round, seat = game_of(loaded.state, game)
        same = not_modified(gateway.version(loaded))
        return same or game_view(loaded.state, round.number, seat)


@blueprint.command(ReportResult, f"{ROUTE}/result")
@blueprint.may_refuse(*OPEN_GAME, "not-your-game", "result-exists", "staff-only", *IMPOSSIBLE, *DECIDED)
def report_result(command: ReportResult, tournament: str) -> Appended:
    """Report a result. A player's report waits until the opponent confirms it or sends the same report."""
    return game_gateway.run(tournament, command)


@blueprint.command(ReportResults, "/tournaments/<id:tournament>/results")
@blueprint.may_refuse(
    *OPEN_GAME,
    "result-exists",
    "bracket-moved-on",
    "impossible-result",
    "game-held",
    "improbable-result",
    *DECIDED,
)
def report_results(command: ReportResults, tournament: str) -> Appended:
    """Enter several results from paper. If one is refused, none is entered and the answer lists all faults."""
    return game_gateway.run(tournament, command)


@blueprint.command(ChangeReport, f"{ROUTE}/report")
@blueprint.may_refuse(*OPEN_GAME, "not-your-game", "result-missing", "result-exists", "staff-only", *IMPOSSIBLE)
def change_report(command: ChangeReport, tournament: str) -> Appended:
    """Replace the caller's own report, until the opponent or staff answer it.

    The opponent can confirm only the new report: a confirmation of the earlier one is refused.
    """
    return game_gateway.run(tournament, command)


@blueprint.command(ConfirmResult, f"{ROUTE}/confirmation", required=False)
@blueprint.may_refuse(
    *OPEN_GAME,
    "not-your-game",
    "result-missing",
    "result-settled",
    "own-report",
    "report-changed",
    "own-game",
    *IMPOSSIBLE,
)
def confirm_result(command: ConfirmResult, tournament: str) -> Appended:
    """Confirm the opponent's report. The result then counts.

    `report` says which report the caller has seen. Without it, only a report that was never changed is confirmed.
    """
    return game_gateway.run(tournament, command)


@blueprint.command(DisputeResult, f"{ROUTE}/dispute")
@blueprint.may_refuse(
    *OPEN_GAME,
    "not-your-game",
    "result-missing",
    "result-settled",
    "step-refused",
    "staff-only",
    "not-your-decision",
    *IMPOSSIBLE,
)
def dispute_result(command: DisputeResult, tournament: str) -> Appended:
    """Dispute a result. A referee then has to rule."""
    return game_gateway.run(tournament, command)


@blueprint.command(RuleResult, f"{ROUTE}/ruling")
@blueprint.may_refuse(
    *OPEN_GAME,
    "ruling-final",
    "ruling-stands",
    "appeal-open",
    "step-refused",
    *IMPOSSIBLE,
    *DECIDED,
)
@blueprint.narrowed(roles_by_ruleset("rulings"))
def rule_result(command: RuleResult, tournament: str) -> Appended:
    """Rule on a result. A ruling by the head referee is final."""
    return game_gateway.run(tournament, command)


@blueprint.command(AppealRuling, f"{ROUTE}/appeal")
@blueprint.may_refuse(
    *OPEN_GAME, "not-your-game", "result-missing", "result-settled", "ruling-final", "no-head-referee"
)
def appeal_ruling(command: AppealRuling, tournament: str) -> Appended:
    """Appeal a referee's ruling. The head referee then decides."""
    return game_gateway.run(tournament, command)


@blueprint.command(RejectAppeal, f"{ROUTE}/appeal/rejection")
@blueprint.may_refuse(*OPEN_GAME, "result-missing", "not-appealed", *DECIDED)
@blueprint.narrowed(roles_by_ruleset("final"))
def reject_appeal(command: RejectAppeal, tournament: str) -> Appended:
    """Reject an appeal. The ruling is then final."""
    return game_gateway.run(tournament, command)


@blueprint.command(CorrectResult, f"{ROUTE}/correction")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_GAME,
    "bracket-played-on",
    "result-missing",
    "result-not-binding",
    "ruling-final",
    "ruling-stands",
    "appeal-open",
    "staff-only",
    "step-refused",
    *IMPOSSIBLE,
    *DECIDED,
)
@blueprint.narrowed(roles_by_ruleset("rulings"))
def correct_result(command: CorrectResult, tournament: str) -> Appended:
    """Replace a result that counts, even in a closed round. Standings change; later pairings stay.

    In a bracket, another player may advance. The next game is then paired again, unless it was played. The
    preview names it in `moves.standings.bracket`.
    """
    return game_gateway.run(tournament, command)


@blueprint.command(OverrideRuling, f"{ROUTE}/override")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_GAME,
    "bracket-played-on",
    "result-missing",
    "result-not-binding",
    "ruling-not-final",
    "appeal-open",
    "step-refused",
    *IMPOSSIBLE,
    *DECIDED,
)
def override_ruling(command: OverrideRuling, tournament: str) -> Appended:
    """Override a ruling with a reason. The history shows the override.

    Applies to final rulings of a head referee, and to all rulings if the ruleset lets only their authors change them.
    """
    return game_gateway.run(tournament, command)


@blueprint.command(VoidResult, f"{ROUTE}/voiding")
@blueprint.may_refuse(*OPEN_GAME, "ruling-final", "ruling-stands", "appeal-open", "step-refused", *DECIDED)
@blueprint.narrowed(roles_by_ruleset("rulings"))
def void_result(command: VoidResult, tournament: str) -> Appended:
    """Void a result that was reported for the wrong game."""
    return game_gateway.run(tournament, command)


@blueprint.get(f"{ROUTE}/history")
@blueprint.response(200, page_of(EventView))
@blueprint.may_refuse("tournament-unknown", "game-unknown", "bye-has-no-result")
def show_game_history(tournament: str, game: str) -> dict[str, Any]:
    """List all events about the result of a game, with author, time and reason."""
    with game_gateway.reading(tournament) as loaded:
        game_of(loaded.state, game)
    return single_page(gateway.events_about(tournament, lambda data: data.get("game") == game, game))


def game_view(state: Tournament, round: int, seat: Seat) -> Any:
    """Return the view of a game in its format."""
    return VIEWS[state.entries.format].game_view(state, round, seat)


def results_file(state: Tournament, games: Sequence[tuple[int, Seat]], headers: Mapping[str, str]) -> Response:
    """Return games as results.csv. Raises NotAcceptable if the format has no CSV."""
    file = RESULTS_FILES.get(state.entries.format)
    if file is None:
        detail = f"Results of a {state.entries.format} are answered as JSON alone."
        raise NotAcceptable(detail, [Fault("Accept", CSV, one_of(JSON_ALONE))], types=list(JSON_ALONE))
    return csv_answer(file.columns, [file.row(state, round, seat) for round, seat in games], headers)
