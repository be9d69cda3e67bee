"""Routes of rounds, tables, a player's game, and calls, in every format with pairings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, structs

from services.pairing import views
from services.pairing.amendments import AmendPairings, MoveTable
from services.pairing.calls import AnswerCall, CallJudge, TakeCall, WithdrawCall, call_of
from services.pairing.guards import PlayerUnknown, RoundNotLatest, game_of, round_of, round_status
from services.pairing.handlers import FORMATS, HANDLERS
from services.pairing.plans import ExpectedRound
from services.pairing.progress import RoundProgress, progress_view
from services.pairing.publication import CancelPublication, PublishRound, RoundPublication
from services.pairing.rounds import PairRound, RepairRound, WithdrawRound
from services.pairing.views import (
    JudgeCallView,
    JudgementView,
    UnpublishedView,
    call_view,
    judgement_view,
    pairings_csv,
    unpublished_view,
    visible_calls,
)
from shared.names import matches_words
from shared.refusals import Expected, Fault
from shared.roles import HEAD_REFEREE_UP, PLAYER, REFEREE_UP, SERVICE, SPARE
from shared.service.game_lists import AtVenue, OrderOfGames, SomebodysName, VenueFilter, games_touched, table_order
from shared.service.routes import CommandBlueprint, Made, actor_of, appended_view
from shared.service.state import LoadedAggregate
from shared.service.views import Appended, AskedSince
from shared.service.visibility import can_caller_see_drafts
from shared.service.wiring import gateway_in, service
from shared.shapes import Id, Reason
from shared.tournament.games import GameStatus, game_status
from shared.tournament.parts import latest_round_at
from shared.tournament.rounds import Round, RoundPaired, Seat
from shared.tournament.state import Tournament
from shared.web.auth import caller_or_none, require_caller
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
OF_PARTS = ("venue-unknown", "part-unknown", "venues-apart", "round-already-paired")
OF_ROUND = ("tournament-unknown", "tournament-over", "round-unknown", "round-not-latest", "round-closed", "other-venue")


gateway = gateway_in(FORMATS)
blueprint = CommandBlueprint("rounds", HANDLERS, description="Rounds and their pairings.", may_refuse=("wrong-format",))
ROUND = Made((RoundPaired,), "round", "/tournaments/<id:tournament>/rounds/<int:round>")
number = f"<int(min=1, max={LARGEST}):round>"


class RoundsQuery(PagedOnRequest, frozen=True, kw_only=True):
    """Paging of the rounds, and the venue whose games they count."""

    venue: VenueFilter = UNSET


class RoundQuery(Ordered, frozen=True, kw_only=True):
    """Filters of the pairings of a round."""

    venue: Annotated[Id, "Only pairings at this venue. `games` and `open` count those."] = ""
    status: Annotated[GameStatus | UnsetType, "Only pairings whose game has this status."] = UNSET
    q: SomebodysName = UNSET
    sort: OrderOfGames = "pairing"
    since: AskedSince = UNSET

    @staticmethod
    def wrong(said: Any) -> dict[str, Expected]:
        """Refuse paging together with `since`: changes are not paged."""
        return Ordered.wrong(said) | exclusive_with_since(said, "after", "around", "limit")

    def matches(self, state: Tournament, seat: Seat) -> bool:
        """Return True if a pairing matches the filters."""
        return (
            self.venue in ("", seat.venue)
            and self.status in (UNSET, game_status(state, seat))
            and (self.q is UNSET or any(matches_words(state.entries.name_of(id), self.q) for id in seat.all_players))
        )


class Repairing(PairRound, frozen=True, kw_only=True):
    """The members of pairing a round, and the reason for pairing it again."""

    # Accepted in the body too, so that clients can send the request that paired the round again.
    round: Annotated[ExpectedRound, "The number in the path."] = None
    reason: Reason


@blueprint.command(PairRound, "/tournaments/<id:tournament>/rounds", answer=views.Paired, required=False, makes=ROUND)
@blueprint.may_refuse("round-already-paired", "venue-unknown", "venues-apart", *PAIRING)
def pair_round(command: PairRound, tournament: str) -> views.Paired:
    """Pair the next round by the ruleset, or enter it by hand.

    If each venue is paired by itself (`pairing_scope`), a venue can be paired as soon as its own last round is closed:
    name it.
    """
    return _pair(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/rounds")
@blueprint.arguments(RoundsQuery, location="query")
@blueprint.response(200, views.RoundsView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "invalid-cursor")
def list_rounds(query: RoundsQuery, tournament: str) -> Any:
    """List the rounds, all at once or in pages, with the planned number of rounds and the spare players on standby.

    With `venue`, the rounds count the games of this venue, and the spare players are those who can play there.
    """
    (after,) = parse_after(query.after, int) or (0,)
    with gateway.reading(tournament, venue=query.venue) as loaded:
        if same := not_modified(gateway.version(loaded)):
            return same
        remaining = [round for round in views.rounds_in_order(loaded.state) if round.number > after]
        page = remaining if query.most is None else remaining[: query.most]
        cursor = cursor_here((page[-1].number,)) if len(page) < len(remaining) else None
        view = views.rounds_view(loaded.state, page, next=cursor, venue=query.venue or "")
    return view, 200, {} if cursor is None else {"Link": next_link(cursor)}


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}")
@blueprint.arguments(RoundQuery, location="query")
@blueprint.response(200, views.RoundView)
@blueprint.csv_too
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "player-unknown", "venue-unknown", "invalid-cursor")
def show_round(query: RoundQuery, tournament: str, round: int) -> Any:
    """Show a round with its pairings: all, a page, or those that changed since an earlier answer.

    Send the ETag as If-Match with any command that changes the round.
    """
    require_json_for(query.since)
    with gateway.reading(tournament, venue=query.venue) as loaded:
        paired_round = round_of(loaded.state, round)
        if unchanged := not_modified(gateway.version(loaded)):
            return unchanged
        since = None if paired_round.draft else parse_since(query.since, loaded.seen)
        if since is None:
            return _round_page(loaded, paired_round, query)
        return _round_since(
            loaded, paired_round, query, games_touched(gateway.handler.database, tournament, loaded, since)
        )


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>")
@blueprint.response(200, views.PairingView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "game-unknown")
def show_pairing(tournament: str, round: int, game: str) -> Any:
    """Show a game of a round."""
    with gateway.reading(tournament) as loaded:
        paired_round = round_of(loaded.state, round)
        seat = game_of(paired_round, game)
        unchanged = not_modified(gateway.version(loaded))
        return unchanged or views.pairing_view(loaded.state, paired_round, seat)


@blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/judgement")
@blueprint.allow(*HEAD_REFEREE_UP)
@blueprint.response(200, JudgementView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "round-unknown", "round-not-latest")
def judge_round(tournament: str, round: int) -> Any:
    """Compare the latest round with the rules: list deviations, and the pairings that the rules would make.

    Use it when you change a round by hand, before you publish or start it. It refuses nothing. The preview of a change
    includes the judgement of the changed round (`moves.judgement`).
    """
    with gateway.reading(tournament) as loaded:
        paired_round = round_of(loaded.state, round)
        latest = min(latest_round_at(loaded.state.rounds, part) for part in paired_round.parts)
        if latest > round:
            raise RoundNotLatest(f"Round {latest} was paired since.", latest=latest)
        format, status = FORMATS[loaded.state.entries.format], round_status(loaded.state, paired_round)
        return not_modified(gateway.version(loaded)) or judgement_view(
            format, loaded.state, paired_round, loaded.heads, status=status
        )


@blueprint.post(f"/tournaments/<id:tournament>/rounds/{number}/repairing")
@blueprint.allow(*HANDLERS[RepairRound].roles)
@blueprint.previewed
@blueprint.arguments(Repairing)
@blueprint.response(201, views.Paired)
@blueprint.makes(ROUND)
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND, "round-already-started", "round-has-results", *PAIRING[2:], *OF_PARTS, "paired-together"
)
def repair_round(body: Repairing, tournament: str, round: int) -> views.Paired:
    """Take back a round that has not started, and pair it again, in one step."""
    command = RepairRound(
        round=round,
        venue=body.venue,
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
@blueprint.arguments(RoundPublication, required=False)
@blueprint.response(201, Appended)
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND, *OF_PARTS, "round-already-published", "round-not-closed", "publication-past", "draft-outdated"
)
def publish_round(body: RoundPublication, tournament: str, round: int) -> Appended:
    """Publish a draft round, or its part at one venue, now or at a given time.

    Rounds start as drafts if the tournament says so (`on_purpose`). At the given time the service publishes the round
    in its form at that time.
    """
    return gateway.run(tournament, PublishRound(round=round, venue=body.venue, at=body.at))


@blueprint.command(
    CancelPublication, f"/tournaments/<id:tournament>/rounds/{number}/publication/cancellation", required=False
)
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, *OF_PARTS, "round-already-published")
def cancel_publication(command: CancelPublication, tournament: str) -> Appended:
    """Cancel the scheduled publication of a draft round."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawRound, f"/tournaments/<id:tournament>/rounds/{number}/withdrawal")
@blueprint.versioned
@blueprint.may_refuse(*OF_ROUND, *OF_PARTS, "round-has-results", "organiser-decides", "paired-together")
def withdraw_round(command: WithdrawRound, tournament: str) -> Appended:
    """Take back the latest round, or its part at one venue, before it starts.

    An organiser can do so until a game of it is reported.
    """
    return gateway.run(tournament, command)


@blueprint.command(AmendPairings, f"/tournaments/<id:tournament>/rounds/{number}/amendments")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND,
    "bracket-stands",
    "own-game",
    "game-has-result",
    "pairings-refused",
    "round-not-published",
    "scenario-missing",
    "event-too-large",
)
def amend_pairings(command: AmendPairings, tournament: str) -> Appended:
    """Change pairings by hand, with a reason: swap two players, or give the new games. Send If-Match."""
    return gateway.run(tournament, command)


@blueprint.command(MoveTable, f"/tournaments/<id:tournament>/rounds/{number}/games/<id:game>/table")
@blueprint.versioned
@blueprint.may_refuse(
    *OF_ROUND,
    "game-unknown",
    "own-game",
    "game-has-result",
    "venue-unknown",
    "table-unknown",
    "table-taken",
    "round-not-published",
)
def move_table(command: MoveTable, tournament: str) -> Appended:
    """Move a game to another table without changing the pairing. Send If-Match."""
    return gateway.run(tournament, command)


def _pair(tournament: str, command: PairRound) -> views.Paired:
    result = gateway.command(tournament, command)
    done = appended_view(result)
    left_out: dict[str, list[str]] = dict(result.answer.get("left_out", {}))
    for event in done.events:
        for why, players in (event.data.get("left_out") or {}).items():
            left_out[why] = [*left_out.get(why, ()), *players]
    with gateway.repository.now(tournament) as loaded:
        listed = views.left_out_view(loaded.state, left_out)
    return views.Paired(id=done.id, events=done.events, left_out=listed)


def _select_seats(state: Tournament, round: Round, query: RoundQuery) -> list[Seat]:
    seats = [seat for seat in round.seats.values() if query.matches(state, seat)]
    return sorted(seats, key=table_order) if query.sort == "table" else seats


def _round_since(
    loaded: LoadedAggregate, round: Round, query: RoundQuery, touched: Collection[str] | None
) -> views.RoundView:
    """Return the round with the pairings that may have changed, or with all of them if `touched` is None."""
    state = loaded.state
    seats = _select_seats(state, round, query)
    changed = seats if touched is None else [seat for seat in seats if seat.game in touched]
    timing = FORMATS[state.entries.format].timing_view(state, round)
    view = views.round_view(
        state, round, timing, changed, total=len(seats), version=list_version(loaded.seen), venue=query.venue
    )
    gone = removed_ids(touched or (), (seat.game for seat in seats))
    return structs.replace(view, since=None if touched is None else query.since, gone=gone)


def _round_page(loaded: LoadedAggregate, round: Round, query: RoundQuery) -> Any:
    state = loaded.state
    seats = _select_seats(state, round, query)
    page = page_of_order(
        seats, query, lambda seats: [" ".join((*seat.players, seat.player_2)) for seat in seats], _not_paired
    )
    timing = FORMATS[state.entries.format].timing_view(state, round)
    view = views.round_view(
        state,
        round,
        timing,
        page.items,
        next=page.next,
        total=page.total,
        version=list_version(loaded.seen),
        venue=query.venue,
    )
    return pairings_csv(view, page.headers) if wants_csv() else (view, 200, page.headers)


def _not_paired(player: str, faults: list[Fault]) -> PlayerUnknown:
    return PlayerUnknown(f"None of these pairings has the player {player}.", faults)


floor_blueprint = CommandBlueprint(
    "floor",
    HANDLERS,
    description="The floor: clocks, time calls, tables, a player's game.",
    may_refuse=("wrong-format",),
)


@floor_blueprint.get("/tournaments/<id:tournament>/tables")
@floor_blueprint.arguments(AtVenue, location="query")
@floor_blueprint.response(200, views.TablesView)
@floor_blueprint.versioned
@floor_blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_tables(query: AtVenue, tournament: str) -> Any:
    """List the tables of every venue, with the game at each table."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        return not_modified(gateway.version(loaded)) or views.tables_view(loaded.state, query.venue)


@floor_blueprint.get(f"/tournaments/<id:tournament>/rounds/{number}/progress")
@floor_blueprint.arguments(AtVenue, location="query")
@floor_blueprint.response(200, RoundProgress)
@floor_blueprint.may_refuse("tournament-unknown", "round-unknown", "venue-unknown")
def show_progress(query: AtVenue, tournament: str, round: int) -> RoundProgress:
    """Show how far each venue is with a round: results, disputes, calls, pace, and a forecast of its last result.

    The forecast assumes that results keep coming as in the last fifteen minutes, but no game outlasts the clock.
    """
    with gateway.reading(tournament, venue=query.venue) as loaded:
        shown = round_of(loaded.state, round)
        return progress_view(
            loaded.state,
            shown,
            round_status(loaded.state, shown),
            service.clock(),
            query.venue or "",
            with_calls=can_caller_see_drafts(tournament, loaded.state, caller_or_none()),
        )


@floor_blueprint.get("/tournaments/<id:tournament>/players/<id:player>/pairing")
@floor_blueprint.response(200, views.PlayersPairing)
@floor_blueprint.versioned
@floor_blueprint.may_refuse("tournament-unknown", "player-unknown", "no-game")
def show_players_pairing(tournament: str, player: str) -> Any:
    """Show a player's game in the latest round."""
    with gateway.reading(tournament) as loaded:
        view = views.players_pairing(loaded.state, player)
        return not_modified(gateway.version(loaded)) or view


CALLS_ROUTE = "/tournaments/<id:tournament>/calls"
CALL_ROUTE = f"{CALLS_ROUTE}/<id:call>"
CALL = Made((), "call", CALL_ROUTE)
OF_CALL = ("tournament-unknown", "tournament-over", "call-unknown", "call-over")

calls_blueprint = CommandBlueprint(
    "calls", HANDLERS, description="Calls of judges to tables.", may_refuse=("wrong-format",)
)


class CallsQuery(Paged, frozen=True, kw_only=True):
    """Filters of the list of calls."""

    venue: Annotated[Id | UnsetType, "Only calls at this venue."] = UNSET
    game: Annotated[Id | UnsetType, "Only calls to the table of this game."] = UNSET
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
    with gateway.reading(tournament, venue=query.venue) as loaded:
        calls = visible_calls(
            loaded.state, actor_of(require_caller()), query.venue or "", query.status or "", query.game or ""
        )
        start = after[0] if after else 0
        remaining = [call for call in calls if int(call.id[1:]) > start]
        items = [call_view(loaded.state, call) for call in remaining[: query.limit]]
    cursor = cursor_here((int(items[-1].id[1:]),)) if len(remaining) > query.limit else None
    page = {"items": items, "next": cursor, "total": len(calls)}
    return page, 200, {"Link": next_link(cursor)} if cursor else {}


@calls_blueprint.get("/tournaments/<id:tournament>/unpublished")
@calls_blueprint.allow(*REFEREE_UP, SERVICE)
@calls_blueprint.response(200, UnpublishedView)
@calls_blueprint.may_refuse("tournament-unknown")
def show_unpublished(tournament: str) -> UnpublishedView:
    """Summarise unpublished data, which is in no log and no feed: drafts and calls. Poll it every few seconds."""
    with gateway.reading(tournament) as loaded:
        return unpublished_view(loaded.state)


@calls_blueprint.get(CALL_ROUTE)
@calls_blueprint.allow(*REFEREE_UP, SPARE, PLAYER)
@calls_blueprint.response(200, JudgeCallView)
@calls_blueprint.may_refuse("tournament-unknown", "call-unknown")
def show_call(tournament: str, call: str) -> JudgeCallView:
    """Show a call. Only staff and the caller can see it."""
    with gateway.reading(tournament) as loaded:
        return call_view(loaded.state, call_of(loaded.state, call, actor_of(require_caller())))


@calls_blueprint.command(CallJudge, CALLS_ROUTE, makes=CALL)
@calls_blueprint.may_refuse(
    *("tournament-unknown", "tournament-over", "other-venue", "game-unknown", "round-closed"),
    *("not-your-table", "no-table-to-call-to", "judge-already-called"),
)
def call_judge(command: CallJudge, tournament: str) -> Appended:
    """Call a judge to a table: players to their own, staff to any. Only staff and the caller can see the call."""
    return gateway.run(tournament, command)


@calls_blueprint.command(TakeCall, f"{CALL_ROUTE}/taking")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def take_call(command: TakeCall, tournament: str) -> Appended:
    """Take a call. The caller sees that you are on the way."""
    return gateway.run(tournament, command)


@calls_blueprint.command(AnswerCall, f"{CALL_ROUTE}/answer")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue", "call-taken")
def answer_call(command: AnswerCall, tournament: str) -> Appended:
    """Answer a call, which ends it."""
    return gateway.run(tournament, command)


@calls_blueprint.command(WithdrawCall, f"{CALL_ROUTE}/withdrawal")
@calls_blueprint.versioned
@calls_blueprint.may_refuse(*OF_CALL, "other-venue")
def withdraw_call(command: WithdrawCall, tournament: str) -> Appended:
    """Withdraw a call before it is answered. The caller or staff can do it."""
    return gateway.run(tournament, command)
