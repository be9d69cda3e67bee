"""Routes of rounds, and of the floor in every format whose players meet: tables, games, calls."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, structs

from services.pairing import views
from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.calls import AnswerCall, CallJudge, TakeCall, WithdrawCall, call_of
from services.pairing.guards import PlayerUnknown, RoundNotLatest, game_of, round_of, status_of_round
from services.pairing.handlers import FORMATS, HANDLERS
from services.pairing.plans import Meant
from services.pairing.publication import CancelPublication, Publication, PublishRound
from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.views import (
    JudgeCallView,
    JudgementView,
    UnpublishedView,
    call_view,
    calls_shown,
    judgement_view,
    pairings_file,
    unpublished_view,
)
from shared.names import is_found
from shared.refusals import Expected, Fault
from shared.roles import HEAD_REFEREE_UP, PLAYER, REFEREE_UP, SERVICE, SPARE
from shared.service.game_lists import OrderOfGames, SomebodysName, games_touched, table_order
from shared.service.routes import CommandBlueprint, Made, actor_of, appended_view
from shared.service.state import LoadedAggregate
from shared.service.views import Appended, AskedSince
from shared.service.wiring import gateway_in
from shared.shapes import Id, Reason
from shared.tournament.games import GameStatus, game_status
from shared.tournament.guards import require_venue
from shared.tournament.rounds import Round, RoundPaired, Seat
from shared.tournament.state import Tournament
from shared.web.auth import caller
from shared.web.paging import (
    Ordered,
    Paged,
    PagedOnRequest,
    cursor_here,
    exclusive_with_since,
    list_version,
    next_link,
    page_of,
    page_of_order,
    parse_after,
    parse_since,
    removed_ids,
    require_json_for,
    wants_csv,
)
from shared.web.request import not_modified
from shared.web.schema import LARGEST

PAIRING = (
    "tournament-unknown",
    "tournament-over",
    "round-not-closed",
    "all-rounds-played",
    "cut-due",
    "cut-not-published",
    "too-few-players",
    "rounds-not-fixed",
    "rounds-by-table",
    "players-without-venue",
    "pairings-refused",
    "scenario-missing",
    "round-has-absent-players",
    "event-too-large",
    "busy",
    "other-venue",
)
OF_ROUND = ("tournament-unknown", "tournament-over", "round-unknown", "round-not-latest", "round-closed", "other-venue")


gateway = gateway_in(FORMATS)
blueprint = CommandBlueprint(
    "rounds", HANDLERS, description="Rounds: who meets whom, and where.", may_refuse=("wrong-format",)
)
ROUND = Made((RoundPaired,), "round", "/tournaments/<id:tournament>/rounds/<int:round>")
number = f"<int(min=1, max={LARGEST}):round>"


class RoundQuery(Ordered, frozen=True, kw_only=True):
    """Which pairings of a round."""

    venue: Annotated[Id, "Only pairings at this venue."] = ""
    status: Annotated[GameStatus | UnsetType, "Only pairings whose game is of this status."] = UNSET
    q: SomebodysName = UNSET
    sort: OrderOfGames = "pairing"
    since: AskedSince = UNSET

    @staticmethod
    def wrong(said: Any) -> dict[str, Expected]:
        """What has changed comes whole."""
        return Ordered.wrong(said) | exclusive_with_since(said, "after", "around", "limit")

    def leaves(self, state: Tournament, seat: Seat) -> bool:
        """Whether a pairing is among those that the filters leave."""
        return (
            self.venue in ("", seat.venue)
            and self.status in (UNSET, game_status(state, seat))
            and (self.q is UNSET or any(is_found(state.entries.name_of(one), self.q) for one in seat.all_players))
        )


class Repairing(PairRound, frozen=True, kw_only=True):
    """Why the round is paired again, and how: as for pairing it."""

    # At the door the round may stand in the body too, so that what was sent to pair it can be sent again.
    round: Annotated[Meant, "As in the address."] = None
    reason: Reason


@blueprint.command(PairRound, "/tournaments/<id:tournament>/rounds", answer=views.Paired, required=False, makes=ROUND)
@blueprint.may_refuse("round-already-paired", *PAIRING)
def pair_round(command: PairRound, tournament: str) -> views.Paired:
    """Pair the next round by the ruleset, or enter it by hand."""
    return _pair(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/rounds")
@blueprint.arguments(PagedOnRequest, location="query")
@blueprint.response(200, views.RoundsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "invalid-cursor")
def list_rounds(query: PagedOnRequest, tournament: str) -> Any:
    """List the rounds, whole or in pages, how many are planned, and the spare players who are ready."""
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament) as loaded:
        if same := not_modified(gateway.version(loaded)):
            return same
        behind = [round for round in views.rounds_in_order(loaded.state) if round.number > after]
        found = behind if query.most is None else behind[: query.most]
        cursor = cursor_here((found[-1].number,)) if len(found) < len(behind) else None
        shown = views.rounds_view(loaded.state, found, next=cursor)
    return shown, 200, {} if cursor is None else {"Link": next_link(cursor)}


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}")
@blueprint.arguments(RoundQuery, location="query")
@blueprint.response(200, views.RoundView)
@blueprint.csv_too
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "player-unknown", "venue-unknown", "invalid-cursor")
def show_round(query: RoundQuery, tournament: str, round: int) -> Any:
    """Show a round with its pairings, whole, in pages, or those that changed since an earlier answer.

    Send its ETag as If-Match with any command that changes it.
    """
    require_json_for(query.since)
    with gateway.reading(tournament) as loaded:
        found = round_of(loaded.state, round)
        require_venue(loaded.state.entries, query.venue)
        if same := not_modified(gateway.version(loaded)):
            return same
        since = None if found.draft else parse_since(query.since, loaded.seen)
        if since is None:
            return _round_shown(loaded, found, query)
        return _round_since(loaded, found, query, games_touched(gateway.handler.database, tournament, loaded, since))


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>")
@blueprint.response(200, views.PairingView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "game-unknown")
def show_pairing(tournament: str, round: int, game: str) -> Any:
    """Show one game of a round."""
    with gateway.reading(tournament) as loaded:
        found = round_of(loaded.state, round)
        seat = game_of(found, game)
        same = not_modified(gateway.version(loaded))
        return same or views.pairing_view(loaded.state, found, seat)


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/judgement")
@blueprint.allow(*HEAD_REFEREE_UP)
@blueprint.response(200, JudgementView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-latest")
def judge_round(tournament: str, round: int) -> Any:
    """Say what the rules think of the latest round as it stands, beside what they would have done.

    For whoever mends it by hand, before it is published or begun; it refuses nothing. A change that is previewed is
    shown with the judgement of what it would make (`moves.judgement`).
    """
    with gateway.reading(tournament) as loaded:
        found, latest = round_of(loaded.state, round), loaded.state.rounds.latest()
        if latest is not None and latest.number != round:
            raise RoundNotLatest(f"Round {latest.number} was paired since.", latest=latest.number)
        format, status = FORMATS[loaded.state.entries.format], status_of_round(loaded.state, found)
        return not_modified(gateway.version(loaded)) or judgement_view(
            format, loaded.state, found, loaded.heads, status=status
        )


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/repairing")
@blueprint.allow(*HANDLERS[RepairRound].roles)
@blueprint.previewed
@blueprint.arguments(Repairing)
@blueprint.response(201, views.Paired)
@blueprint.makes(ROUND)
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-already-started", "round-has-results", *PAIRING[2:])
def repair_round(body: Repairing, tournament: str, round: int) -> views.Paired:
    """Take back a round that has not begun, and pair it again: both or neither."""
    command = RepairRound(
        round=round,
        scenario=body.scenario,
        pairings=body.pairings,
        sitting_out=body.sitting_out,
        byes=body.byes,
        allow_rematch=body.allow_rematch,
        reason=body.reason,
    )
    return _pair(tournament, command)


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/publication")
@blueprint.allow(*HANDLERS[PublishRound].roles)
@blueprint.previewed
@blueprint.arguments(Publication, required=False)
@blueprint.response(201, Appended)
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-already-published", "round-not-closed", "publication-past", "draft-outdated")
def publish_round(body: Publication, tournament: str, round: int) -> Appended:
    """Show a draft to everybody, now or at a time set; rounds are drafts where the tournament says so (`on_purpose`).

    At the time set the service publishes the round as it stands then.
    """
    return gateway.run(tournament, PublishRound(round=round, at=body.at))


@blueprint.command(CancelPublication, f"/tournaments/<id:tournament>/rounds/{number}/publication/cancellation")
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-already-published")
def cancel_publication(command: CancelPublication, tournament: str) -> Appended:
    """Keep a draft back although a time is set for it."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawRound, f"/tournaments/<id:tournament>/rounds/{number}/withdrawal")
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, "round-has-results", "organiser-decides")
def withdraw_round(command: WithdrawRound, tournament: str) -> Appended:
    """Take back the latest round before it begins; an organiser may do so until something is reported for it."""
    return gateway.run(tournament, command)


@blueprint.command(AmendPairings, f"/tournaments/<id:tournament>/rounds/{number}/amendments")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND,
    "bracket-stands",
    "own-game",
    "game-has-result",
    "pairings-refused",
    "scenario-missing",
    "event-too-large",
)
def amend_pairings(command: AmendPairings, tournament: str) -> Appended:
    """Change pairings by hand, with a reason: swap two players, or state the games as they should be. Send If-Match."""
    return gateway.run(tournament, command)


@blueprint.command(MoveTable, f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>/table")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND, "game-unknown", "own-game", "game-has-result", "venue-unknown", "table-unknown", "table-taken"
)
def move_table(command: MoveTable, tournament: str) -> Appended:
    """Move a game to another table; the pairing stays the same. Send If-Match."""
    return gateway.run(tournament, command)


def _pair(tournament: str, command: PairRound) -> views.Paired:
    result = gateway.command(tournament, command)
    done = appended_view(result, tournament)
    paired = result.answer if "left_out" in result.answer else done.events[-1].data
    with gateway.repository.now(tournament) as loaded:
        left_out = views.left_out_view(loaded.state, paired.get("left_out", {}))
    return views.Paired(id=done.id, events=done.events, left_out=left_out)


def _wanted(state: Tournament, round: Round, query: RoundQuery) -> list[Seat]:
    """The pairings that the filters leave, in the order asked for."""
    seats = [seat for seat in round.seats.values() if query.leaves(state, seat)]
    return sorted(seats, key=table_order) if query.sort == "table" else seats


def _round_since(
    loaded: LoadedAggregate, round: Round, query: RoundQuery, touched: Collection[str] | None
) -> views.RoundView:
    """The pairings that may have changed; all of them where nobody can tell (touched: None)."""
    state = loaded.state
    seats = _wanted(state, round, query)
    changed = seats if touched is None else [seat for seat in seats if seat.game in touched]
    timing = FORMATS[state.entries.format].timing_view(state, round)
    shown = views.round_view(state, round, timing, changed, total=len(seats), version=list_version(loaded.seen))
    gone = removed_ids(touched or (), (seat.game for seat in seats))
    return structs.replace(shown, since=None if touched is None else query.since, gone=gone)


def _round_shown(loaded: LoadedAggregate, round: Round, query: RoundQuery) -> Any:
    state = loaded.state
    seats = _wanted(state, round, query)
    found = page_of_order(
        seats, query, lambda seats: [" ".join((*seat.players, seat.player_2)) for seat in seats], _not_paired
    )
    timing = FORMATS[state.entries.format].timing_view(state, round)
    shown = views.round_view(
        state, round, timing, found.items, next=found.next, total=found.total, version=list_version(loaded.seen)
    )
    return pairings_file(shown, found.headers) if wants_csv() else (shown, 200, found.headers)


def _not_paired(player: str, faults: list[Fault]) -> PlayerUnknown:
    return PlayerUnknown(f"None of these pairings has the player {player}.", faults)


floor_blueprint = CommandBlueprint(
    "floor",
    HANDLERS,
    description="The floor: clocks, calls, tables, a player's own game.",
    may_refuse=("wrong-format",),
)


@floor_blueprint.get("/tournaments/<id:tournament>/tables")
@floor_blueprint.response(200, views.TablesView)
@floor_blueprint.versioned
@floor_blueprint.may_refuse("tournament-unknown")
def list_tables(tournament: str) -> Any:
    """List the tables of every venue, each with the game that is played there, or as free."""
    with gateway.reading(tournament) as loaded:
        return not_modified(gateway.version(loaded)) or views.tables_view(loaded.state)


@floor_blueprint.get("/tournaments/<id:tournament>/players/<id:player>/pairing")
@floor_blueprint.response(200, views.PlayersPairing)
@floor_blueprint.versioned
@floor_blueprint.may_refuse("tournament-unknown", "player-unknown", "no-game")
def show_players_pairing(tournament: str, player: str) -> Any:
    """Show a player's game of the latest round, in a form that suits a phone."""
    with gateway.reading(tournament) as loaded:
        found = views.players_pairing(loaded.state, player)
        return not_modified(gateway.version(loaded)) or found


CALLS_ROUTE = "/tournaments/<id:tournament>/calls"
CALL_ROUTE = f"{CALLS_ROUTE}/<id:call>"
CALL = Made((), "call", CALL_ROUTE)
OF_CALL = ("tournament-unknown", "tournament-over", "call-unknown", "call-over")

calls_blueprint = CommandBlueprint(
    "calls", HANDLERS, description="Judges who are called to tables.", may_refuse=("wrong-format",)
)


class CallsQuery(Paged, frozen=True, kw_only=True):
    """Which calls."""

    venue: Annotated[Id | UnsetType, "Of this venue alone."] = UNSET
    game: Annotated[Id | UnsetType, "To the table of this game alone."] = UNSET
    status: Annotated[
        Literal["open", "waiting", "taken", "answered", "withdrawn"] | UnsetType, "`open`: waiting or taken."
    ] = UNSET


@calls_blueprint.get(CALLS_ROUTE)
@calls_blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@calls_blueprint.arguments(CallsQuery, location="query")
@calls_blueprint.response(200, page_of(JudgeCallView))
@calls_blueprint.may_refuse("tournament-unknown", "venue-unknown", "invalid-cursor")
def list_calls(query: CallsQuery, tournament: str) -> Any:
    """List calls in the order they came: to staff all of them, to a player their own."""
    after = parse_after(query.after, int)
    with gateway.reading(tournament) as loaded:
        require_venue(loaded.state.entries, query.venue)
        found = calls_shown(loaded.state, actor_of(caller()), query.venue or "", query.status or "", query.game or "")
        start = after[0] if after else 0
        rest = [call for call in found if int(call.id[1:]) > start]
        items = [call_view(loaded.state, call) for call in rest[: query.limit]]
    more = cursor_here((int(items[-1].id[1:]),)) if len(rest) > query.limit else None
    page = {"items": items, "next": more, "total": len(found)}
    return page, 200, {"Link": next_link(more)} if more else {}


@calls_blueprint.get("/tournaments/<id:tournament>/unpublished")
@calls_blueprint.allow(*REFEREE_UP, SERVICE)
@calls_blueprint.response(200, UnpublishedView)
@calls_blueprint.may_refuse("tournament-unknown")
def show_unpublished(tournament: str) -> UnpublishedView:
    """Say what is in no log and no feed: drafts and calls. Ask again every few seconds to hear of changes."""
    with gateway.reading(tournament) as loaded:
        return unpublished_view(loaded.state)


@calls_blueprint.get(CALL_ROUTE)
@calls_blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@calls_blueprint.response(200, JudgeCallView)
@calls_blueprint.may_refuse("tournament-unknown", "call-unknown")
def show_call(tournament: str, call: str) -> JudgeCallView:
    """Show a call to staff, or to whoever called."""
    with gateway.reading(tournament) as loaded:
        return call_view(loaded.state, call_of(loaded.state, call, actor_of(caller())))


@calls_blueprint.command(CallJudge, CALLS_ROUTE, makes=CALL)
@calls_blueprint.may_refuse(
    *("tournament-unknown", "tournament-over", "other-venue", "game-unknown", "round-closed"),
    *("not-your-table", "no-table-to-call-to", "judge-already-called"),
)
def call_judge(command: CallJudge, tournament: str) -> Appended:
    """Call a judge to a table: a player to their own, staff to any. Staff and whoever called see it, nobody else."""
    return gateway.run(tournament, command)


@calls_blueprint.command(TakeCall, f"{CALL_ROUTE}/taking")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def take_call(command: TakeCall, tournament: str) -> Appended:
    """Take a call: whoever called is told that somebody is on the way."""
    return gateway.run(tournament, command)


@calls_blueprint.command(AnswerCall, f"{CALL_ROUTE}/answer")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def answer_call(command: AnswerCall, tournament: str) -> Appended:
    """End a call with what was said at the table."""
    return gateway.run(tournament, command)


@calls_blueprint.command(WithdrawCall, f"{CALL_ROUTE}/withdrawal")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue")
def withdraw_call(command: WithdrawCall, tournament: str) -> Appended:
    """Take a call back before it is answered: whoever called, or staff."""
    return gateway.run(tournament, command)
