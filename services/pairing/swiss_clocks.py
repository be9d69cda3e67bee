"""Decisions about time: a round begins, calls are made, somebody is given more minutes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from services.pairing.tournament.commands import CallTime, ExtendClock, StartRound
from services.pairing.tournament.publishing import refuse_draft
from services.pairing.tournament.refusals import (
    CallOutOfOrder,
    GameHasResult,
    RoundAlreadyStarted,
    RoundHasAbsentPlayers,
    TimeIsUp,
)
from services.pairing.tournament.state import current_round, game_of, started_round
from services.pairing.tournament.views_time import CallView
from shared.log.event import Event
from shared.refusals import Fault, expects, one_of
from shared.swiss.game_parts import Call
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import refuse_misled
from shared.swiss.rounds import hard_stop, list_limit, round_minutes, time_calls
from shared.swiss.ruleset import Ruleset
from shared.tournament.games import Lack, is_settled, lacking_lists
from shared.tournament.guards import Context
from shared.tournament.rounds import ClockExtended, Round, RoundStarted, TimeCalled, end_of, later
from shared.tournament.state import Tournament

HARD_STOP, END = "hard_stop", "end"


def start(state: Tournament, command: StartRound, context: Context) -> Sequence[Event]:
    """The clock runs, for as long as the ruleset says unless minutes are given; a judge may set a hard stop.

    Whoever lacks an accepted list holds up their own game alone (`held`). Refused while somebody of the round has left,
    who leaves an opponent without a game (amend the pairing, or pair again), while the bracket does not lead somebody
    there, and where no game at all could begin.
    Source: AR-TIME-1, AR-AMB-23, DW-TIME-1, FF-TIME-1, FF-REG-3.
    """
    round = current_round(state, command.round)
    if round.status == "started":
        raise RoundAlreadyStarted(f"Round {round.number} has begun.", round=round.number)
    refuse_draft(round)
    absent = absent_players(state, round)
    if absent:
        raise RoundHasAbsentPlayers(
            f"Players of round {round.number} can no longer play; {_way_out(round)}.",
            players=absent,
        )
    refuse_misled(state, round)
    held = lacking_lists(state, round)
    _refuse_all_held(round, held)
    ruleset = ruleset_of(state.entries)
    minutes = command.minutes or round_minutes(ruleset, list_limit(ruleset))
    return [
        RoundStarted(
            round=round.number,
            minutes=minutes,
            ends_at=later(context.now, minutes),
            overtime=ruleset.clock.overtime_minutes if command.overtime is None else command.overtime,
            held=[lack.player for lack in held],
        )
    ]


def _way_out(round: Round) -> str:
    """Return what staff do about a player who has left a round."""
    if round.stage == "elimination":
        return "give up their seats: POST …/cut/given-up"
    return "amend the pairings or pair the round again"


def absent_players(state: Tournament, round: Round) -> list[dict[str, str]]:
    """Those of a round who have left it, and why: a status, seat_given_up, dismissed."""
    entries = state.entries
    absent = []
    for seat in round.seats.values():
        for id in seat.players:
            player = entries.players[id]
            why = player.status if player.status != "active" else ""
            if round.stage == "elimination" and state.rounds.given_up.get(id) == "":
                why = why or "seat_given_up"
            if why:
                absent.append({"player": id, "name": player.name, "reason": why, "game": seat.game})
        if seat.kind == "spare" and not entries.staff[seat.player_2].active:
            name = entries.staff[seat.player_2].name
            absent.append({"player": seat.player_2, "name": name, "reason": "dismissed", "game": seat.game})
    return absent


def _refuse_all_held(round: Round, held: Sequence[Lack]) -> None:
    """Raises RoundHasAbsentPlayers where every game of a round would wait for a list, so that nobody could play."""
    names, games = {lack.player for lack in held}, [seat for seat in round.seats.values() if seat.kind != "bye"]
    if games and all(names.intersection(seat.players) for seat in games):
        raise RoundHasAbsentPlayers(
            f"No game of round {round.number} could begin; players without an accepted list: {len(held)}.",
            players=[{"player": lack.player, "name": lack.name, "reason": lack.reason} for lack in held],
        )


def call(state: Tournament, command: CallTime, context: Context) -> Sequence[Event]:
    """A call of the ruleset's clock: each once, none after a later one, a mandatory one in any case.

    Source: FF-TIME-3, FF-TIME-4, FF-TIME-5.
    """
    round = started_round(state, command.round)
    ruleset = ruleset_of(state.entries)
    order = [due.call for due in calls_of(ruleset, round)]
    open_calls = order[1 + max((order.index(made) for made in round.calls if made in order), default=-1) :]
    mandatory = {called(named) for named in ruleset.clock.calls if named.mandatory}
    first = next((place for place, name in enumerate(open_calls) if name in mandatory), len(open_calls))
    open_calls = open_calls[: first + 1]
    if command.call not in open_calls:
        raise CallOutOfOrder(
            f"{command.call} cannot be called now.",
            [Fault("/call", command.call, one_of(open_calls) if open_calls else expects("no-call-left"))],
            made=list(round.calls),
            open=open_calls,
        )
    return [TimeCalled(round=round.number, call=command.call)]


def extend(state: Tournament, command: ExtendClock, context: Context) -> Sequence[Event]:
    """More minutes for a round before its end is called, or for one game of it while it is open."""
    round = started_round(state, command.round)
    if command.game:
        seat = game_of(round, command.game)
        if is_settled(state, seat):
            raise GameHasResult(f"{seat.game} is over.", games=[seat.game])
        ends_at = later(end_of(round, seat.game), command.minutes)
    else:
        if END in round.calls or HARD_STOP in round.calls:
            raise TimeIsUp(f"The end of round {round.number} was called.", round=round.number)
        ends_at = later(round.ends_at, command.minutes)
    return [
        ClockExtended(
            round=round.number, minutes=command.minutes, ends_at=ends_at, reason=command.reason, game=command.game
        )
    ]


def calls_of(ruleset: Ruleset, round: Round) -> list[CallView]:
    """The calls of a round that has begun, in order, with the moment at which each is due.

    They follow the round as it is: with other minutes than the ruleset's, or with time added, they move along.
    """
    start, end = _moment(round.started_at), _moment(round.ends_at)
    full = round_minutes(ruleset, list_limit(ruleset))
    due = []
    for named in ruleset.clock.calls:
        if named.percent is not None:
            at = start + (end - start) * named.percent / 100
        elif named.minutes_before_end >= full:
            at = start
        else:
            at = max(start, end - timedelta(minutes=named.minutes_before_end))
        due.append((at, called(named)))
    if round.overtime is not None:
        due.append((end + timedelta(minutes=round.overtime), HARD_STOP))
    due.sort(key=lambda pair: pair[0])
    return [CallView(call=name, due_at=_text(at), made=name in round.calls) for at, name in due]


def called(named: Call) -> str:
    """A call as commands and events name it."""
    return named.name.replace(" ", "_")


def planned_calls(ruleset: Ruleset) -> list[tuple[str, int]]:
    """The calls of a round that has not begun: name, and second from its start."""
    limit = list_limit(ruleset)
    planned = [(due.name.replace(" ", "_"), due.second) for due in time_calls(ruleset, limit)]
    stop = hard_stop(ruleset, limit)
    return planned if stop is None else [*planned, (HARD_STOP, stop)]


def seconds_between(now: str, then: str) -> int:
    """Seconds from one moment to another, to the nearest whole one, negative when it has passed."""
    return round((_moment(then) - _moment(now)).total_seconds())


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
