"""Calls of judges to tables: made, taken, answered, withdrawn.

Only staff and the caller see a call. Other players only learn that a table has an open call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec.structs import replace

from services.pairing.guards import GameUnknown, current_parts, game_of
from shared.refusals import Fault, Refusal, expects
from shared.roles import HEAD_REFEREE_UP
from shared.shapes import Command, Id, Text
from shared.tournament.guards import By, Context, require_running
from shared.tournament.rounds import WHOLE
from shared.tournament.state import (
    ANSWERED,
    CALL,
    TAKEN,
    WITHDRAWN,
    Call,
    PrivateRow,
    Tournament,
    calls_of,
    open_call_at,
)
from shared.web.refusals import QuotaReached

CallReason = Literal["rules", "time", "dispute", "other"]
MAX_CALLS = 200
"""Maximum calls of one player in a tournament."""


class CallJudge(Command, frozen=True, kw_only=True):
    """Call a judge to the table of a game."""

    game: Annotated[Id, "Players can only call a judge to their own game."]
    reason: CallReason = "other"
    text: Annotated[str, Text(200), "A note for staff."] = ""


class TakeCall(Command, frozen=True, kw_only=True):
    """Take a call: you go to the table."""

    call: Id


class AnswerCall(Command, frozen=True, kw_only=True):
    """Answer a call, which ends it."""

    call: Id
    answer: Annotated[str, Text(500, minimum=1), "The judge's answer; visible to staff and the caller."]


class WithdrawCall(Command, frozen=True, kw_only=True):
    """Withdraw a call: no judge is needed any more."""

    call: Id


def caller_id(by: By) -> str:
    """Return the id that a call records for its caller: the player, or the member of staff."""
    return by.player or by.actor


def can_see(call: Call, by: By) -> bool:
    """Return True if staff ask, or the caller of this call."""
    return by.staff or call.caller == caller_id(by)


def call_of(state: Tournament, id: str, by: By) -> Call:
    """Return a call that the actor can see. Raises CallUnknown, also for calls of others."""
    call = calls_of(state).get(id)
    if call is None or not can_see(call, by):
        raise CallUnknown(f"No call has the id {id}.", [Fault("/call", id, expects("call"))])
    return call


def call_judge(state: Tournament, command: CallJudge, context: Context) -> Sequence[PrivateRow]:
    """Call a judge to a table of the latest round, until its part of the round is closed."""
    require_running(state)
    round = next((one for one in state.rounds.rounds.values() if command.game in one.seats), state.rounds.latest())
    if round is None:
        fault = Fault("/game", command.game, expects("game-of-latest-round"))
        raise GameUnknown("No round is paired.", [fault])
    seat, by = game_of(round, command.game), context.by
    current_parts(state, round.number, seat.venue if seat.venue in round.parts else WHOLE)
    if not by.staff and caller_id(by) not in seat.all_players | set(seat.players):
        raise NotYourTable("A player calls a judge to the table where they sit.", game=seat.game)
    if seat.kind == "bye":
        raise NoTableToCallTo(f"{seat.game} is a bye: nobody sits at a table.", game=seat.game)
    if pending := open_call_at(state, seat.game):
        raise JudgeAlreadyCalled("A judge has been called to this table.", call=pending.id, status=pending.status)
    calls = calls_of(state)
    if not by.staff:
        used = sum(call.caller == caller_id(by) for call in calls.values())
        if used >= MAX_CALLS:
            detail = f"At most {MAX_CALLS} calls are accepted from one player."
            raise QuotaReached(detail, quota="calls", of="one player", limit=MAX_CALLS, used=used, asked=1)
    call = Call(
        id=f"c{len(calls) + 1}",
        round=round.number,
        game=seat.game,
        venue=seat.venue,
        table=seat.table,
        caller=caller_id(by),
        reason=command.reason,
        text=command.text,
        called_at=context.now,
    )
    return [replace(_row(call), answer={"id": call.id})]


def take(state: Tournament, command: TakeCall, context: Context) -> Sequence[PrivateRow]:
    """Take an open call that no one else has taken. Taking it again changes nothing."""
    call = _open_call(state, command.call, context.by)
    if call.status == TAKEN:
        if call.referee == caller_id(context.by):
            return []
        raise _taken(state, call)
    return [_row(replace(call, status=TAKEN, referee=caller_id(context.by), taken_at=context.now))]


def answer(state: Tournament, command: AnswerCall, context: Context) -> Sequence[PrivateRow]:
    """End a call with an answer. Once a call is taken, only its taker or a head referee may answer it."""
    by = context.by
    call = call_of(state, command.call, by)
    if call.status == ANSWERED and (call.referee, call.answer) == (caller_id(by), command.answer):
        return []
    call = _open_call(state, command.call, by)
    if call.status == TAKEN and call.referee != caller_id(by) and by.role not in HEAD_REFEREE_UP:
        raise _taken(state, call)
    ended = replace(call, status=ANSWERED, referee=caller_id(by), ended_by=caller_id(by), ended_at=context.now)
    return [_row(replace(ended, answer=command.answer))]


def withdraw(state: Tournament, command: WithdrawCall, context: Context) -> Sequence[PrivateRow]:
    """Withdraw an open call. The caller or staff may do it."""
    call = _open_call(state, command.call, context.by)
    return [_row(replace(call, status=WITHDRAWN, ended_by=caller_id(context.by), ended_at=context.now))]


def _row(call: Call) -> PrivateRow:
    return PrivateRow(CALL, call.id, call)


def _open_call(state: Tournament, id: str, by: By) -> Call:
    require_running(state)
    call = call_of(state, id, by)
    if not call.open:
        raise CallOver(
            f"The call was {call.status} by {state.entries.name_of(call.ended_by)}.",
            call=call.id,
            status=call.status,
            by=call.ended_by,
            answer=call.answer,
        )
    return call


def _taken(state: Tournament, call: Call) -> CallTakenBefore:
    name = state.entries.name_of(call.referee)
    return CallTakenBefore(f"{name} has taken this call.", call=call.id, referee=call.referee, name=name)


class CallUnknown(Refusal):
    """No such call exists, or you may not see it."""

    code = "call-unknown"


class CallOver(Refusal):
    """The call was answered or withdrawn. data: `call`, `status`, `by`, `answer`."""

    code = "call-over"


class CallTakenBefore(Refusal):
    """Another member of staff has taken the call. data: `call`, `referee`, `name`."""

    code = "call-taken"


class JudgeAlreadyCalled(Refusal):
    """This table already has an open call. data: `call`, `status`."""

    code = "judge-already-called"


class NotYourTable(Refusal):
    """Players can only call a judge to their own table."""

    code = "not-your-table"


class NoTableToCallTo(Refusal):
    """A bye has no table."""

    code = "no-table-to-call-to"
