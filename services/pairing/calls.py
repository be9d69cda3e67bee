"""Judges called to tables: a call made, taken, answered, withdrawn.

Staff and the caller see a call. Another player learns only that nobody can be called to a table twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec.structs import replace

from services.pairing.guards import GameUnknown, current_round, game_of
from shared.refusals import Fault, Refusal, expects
from shared.roles import HEAD_REFEREE_UP
from shared.shapes import Command, Id, Text
from shared.tournament.guards import By, Context, require_running
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
MOST_CALLS = 200
"""Calls of one player in a tournament."""


class CallJudge(Command, frozen=True, kw_only=True):
    """game: at whose table; a player calls to their own alone. text: what it is about, for staff."""

    game: Id
    reason: CallReason = "other"
    text: Annotated[str, Text(200)] = ""


class TakeCall(Command, frozen=True, kw_only=True):
    """Whoever asks goes to the table."""

    call: Id


class AnswerCall(Command, frozen=True, kw_only=True):
    """answer: what the judge said at the table; whoever called reads it, and staff."""

    call: Id
    answer: Annotated[str, Text(500, minimum=1)]


class WithdrawCall(Command, frozen=True, kw_only=True):
    """Nobody has to come any more."""

    call: Id


def who(by: By) -> str:
    """A caller as a call names them: the player, or who it is of the staff."""
    return by.player or by.actor


def sees(call: Call, by: By) -> bool:
    """Whether somebody is shown a call: staff all of them, others their own."""
    return by.staff or call.caller == who(by)


def call_of(state: Tournament, id: str, by: By) -> Call:
    """A call that somebody is shown. Raises CallUnknown, also for a call that is not theirs."""
    found = calls_of(state).get(id)
    if found is None or not sees(found, by):
        raise CallUnknown(f"No call has the id {id}.", [Fault("/call", id, expects("call"))])
    return found


def call_judge(state: Tournament, command: CallJudge, context: Context) -> Sequence[PrivateRow]:
    """Call a judge to the table of a game of the latest round, until the round is closed."""
    require_running(state)
    latest = state.rounds.latest()
    if latest is None:
        fault = Fault("/game", command.game, expects("game-of-latest-round"))
        raise GameUnknown("No round is paired.", [fault])
    round = current_round(state, latest.number)
    seat, by = game_of(round, command.game), context.by
    if not by.staff and who(by) not in seat.all_players | set(seat.players):
        raise NotYourTable("A player calls a judge to the table where they sit.", game=seat.game)
    if seat.kind == "bye":
        raise NoTableToCallTo(f"{seat.game} is a bye: nobody sits at a table.", game=seat.game)
    if before := open_call_at(state, seat.game):
        raise JudgeAlreadyCalled("A judge has been called to this table.", call=before.id, status=before.status)
    calls = calls_of(state)
    if not by.staff:
        sofar = sum(call.caller == who(by) for call in calls.values())
        if sofar >= MOST_CALLS:
            said = f"At most {MOST_CALLS} calls are accepted from one player."
            raise QuotaReached(said, quota="calls", of="one player", limit=MOST_CALLS, used=sofar, asked=1)
    call = Call(
        id=f"c{len(calls) + 1}",
        round=round.number,
        game=seat.game,
        venue=seat.venue,
        table=seat.table,
        caller=who(by),
        reason=command.reason,
        text=command.text,
        called_at=context.now,
    )
    return [replace(_row(call), answer={"id": call.id})]


def take(state: Tournament, command: TakeCall, context: Context) -> Sequence[PrivateRow]:
    """Go to a table; who has taken the call before takes nothing from anybody."""
    call = _open(state, command.call, context.by)
    if call.status == TAKEN:
        if call.referee == who(context.by):
            return []
        raise _taken(state, call)
    return [_row(replace(call, status=TAKEN, referee=who(context.by), taken_at=context.now))]


def answer(state: Tournament, command: AnswerCall, context: Context) -> Sequence[PrivateRow]:
    """End a call with a word: whoever took it, or anybody while nobody has; the head referee always."""
    by = context.by
    known = call_of(state, command.call, by)
    if known.status == ANSWERED and (known.referee, known.answer) == (who(by), command.answer):
        return []
    call = _open(state, command.call, by)
    if call.status == TAKEN and call.referee != who(by) and by.role not in HEAD_REFEREE_UP:
        raise _taken(state, call)
    ended = replace(call, status=ANSWERED, referee=who(by), ended_by=who(by), ended_at=context.now)
    return [_row(replace(ended, answer=command.answer))]


def withdraw(state: Tournament, command: WithdrawCall, context: Context) -> Sequence[PrivateRow]:
    """Say that nobody has to come: whoever called, or staff who hear of it."""
    call = _open(state, command.call, context.by)
    return [_row(replace(call, status=WITHDRAWN, ended_by=who(context.by), ended_at=context.now))]


def _row(call: Call) -> PrivateRow:
    return PrivateRow(CALL, call.id, call)


def _open(state: Tournament, id: str, by: By) -> Call:
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
    """There is no such call, or it is not for whoever asks."""

    code = "call-unknown"


class CallOver(Refusal):
    """The call was answered or withdrawn. data: `call`, `status`, `by`, `answer`."""

    code = "call-over"


class CallTakenBefore(Refusal):
    """Somebody else of the staff is on the way. data: `call`, `referee`, `name`."""

    code = "call-taken"


class JudgeAlreadyCalled(Refusal):
    """A call to this table is open. data: `call`, `status`."""

    code = "judge-already-called"


class NotYourTable(Refusal):
    """A player calls to a table where they do not sit."""

    code = "not-your-table"


class NoTableToCallTo(Refusal):
    """Nobody sits at a table in a bye."""

    code = "no-table-to-call-to"
