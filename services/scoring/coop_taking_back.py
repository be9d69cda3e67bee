"""Taking back what a co-operative table reported: moves, and the end of a session.

Any survivor of the table takes back the last report until something else is reported; the host and staff do it later.
Later reports are decided again, in order. None of them draws a new card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from services.scoring.coop_moves import PlayMoves, play_moves
from services.scoring.coop_sessions import (
    ConfirmSession,
    EndSession,
    NotYourTable,
    SessionBuilder,
    SessionSettled,
    begun_session,
    confirm_session,
    end_session,
    require_own_table,
    table_of_session,
)
from services.scoring.guards import running
from services.scoring.taking_back import KnownDraws, StatementsFall, known_statement, require_none_falls, require_reason
from shared.coop.events import MoveDecidedAgain, MoveTakenBack, SessionEvent
from shared.coop.seating import SEATING, SeatedTable
from shared.coop.sessions import KINDS, SESSIONS, Session, session_totals
from shared.log.event import LARGEST_NUMBER, Event
from shared.refusals import Fault, Refusal, expects
from shared.roles import HEAD_REFEREE_UP
from shared.shapes import Command, Id, OptionalReason, Whole
from shared.tournament.guards import By, Context
from shared.tournament.state import Tournament
from shared.tournament.statements import Statement, decode_outcomes


class TakeBackMove(Command, frozen=True, kw_only=True):
    """Take back the moves of one report, or the end of a session.

    statement: its number, as listed by `GET …/sessions/{session}/statements`. reason: public; staff must give one.
    drop: also undo the later reports that no longer hold. Without it, they are listed and nothing is taken back.
    """

    session: Id
    statement: Annotated[int, Whole(1, LARGEST_NUMBER)]
    reason: OptionalReason = ""
    drop: bool = False


TAKEN_BACK = ("PlayMoves", "EndSession")
"""Types of the statements that can be taken back. A report of a whole session is replaced by another one."""


def take_back(state: Tournament, command: TakeBackMove, context: Context) -> Sequence[Event]:
    """Decide TakeBackMove.

    Raises SessionUnknown, SessionNotBegun, StatementUnknown, NotYourTable, ReasonNeeded, SessionSettled (the result
    counts), and StatementsFall with the later reports that no longer hold.
    """
    running(state)
    builder = begun_session(state, command.session, context)
    seat = table_of_session(state, command.session)
    session = builder.session
    by = context.by
    if by.actor != session.host:
        require_own_table(by, seat)
    statement = known_statement(session.said, command.statement, TAKEN_BACK)
    _require_open(state, seat, session, statement, by)
    if by.staff:
        require_reason(command.reason)
    elif not table_may_take_back(session, statement) and by.actor != session.host:
        raise NotYourTable(f"Something else was reported since; the host {session.host} or staff take this back.")
    return _repeat(builder, command, statement)


def table_may_take_back(session: Session, statement: Statement) -> bool:
    """Return True if any survivor of the table may take back this statement: it is the last one."""
    return statement is session.said.last and not session.binds and statement.is_of(TAKEN_BACK)


def moves_of(statement: Statement) -> list[str]:
    """Return the moves of a statement, or the type of its command."""
    record = statement.record
    return [str(move["move"]) for move in record.data.get("moves", ())] or [record.type]


def _require_open(state: Tournament, seat: SeatedTable, session: Session, statement: Statement, by: By) -> None:
    """Raise SessionSettled if the result counts, unless staff take back an end that nothing rests on."""
    if not session.binds:
        return
    is_end = statement.is_of(("EndSession",)) and statement is session.said.last
    rests = seat.round in SESSIONS.of(state).published or SEATING.of(state).rounds[seat.round].closed
    if not is_end or rests or by.role not in HEAD_REFEREE_UP:
        detail = f"The result of {session.session} counts; the organiser corrects it."
        raise SessionSettled(detail, outcome=session_totals(session).outcome)


def _repeat(builder: SessionBuilder, command: TakeBackMove, undone: Statement) -> list[SessionEvent]:
    """Return the events: what is taken back, and every later report decided again. Raises StatementsFall."""
    place = builder.session.said.place_of(undone.position)
    assert place is not None, "the statement is known"
    later = builder.session.said.statements[place + 1 :]
    before = session_totals(builder.session)
    taken_back = MoveTakenBack(
        session=builder.id, statement=undone.position, does=moves_of(undone), reason=command.reason.strip()
    )
    builder.apply(taken_back)
    fallen: dict[int, Refusal] = {}
    for statement in later:
        try:
            decided = _decide_again(builder, statement)
            if statement.is_of(("ConfirmSession",)) and session_totals(builder.session) != before:
                fault = Fault("", "ConfirmSession", expects("result-as-confirmed"))
                raise StatementsFall("Another result was confirmed.", [fault])
        except Refusal as refused:
            fallen[statement.position] = refused
            continue
        stands = decided == list(decode_outcomes(statement.outcomes, KINDS))
        builder.apply(MoveDecidedAgain(session=builder.id, statement=statement.position, stands=stands))
        for event in () if stands else decided:
            builder.apply(event)
    if not command.drop:
        require_none_falls(fallen)
    return [replace(taken_back, fallen=sorted(fallen)), *builder.events[1:]]


def _decide_again(builder: SessionBuilder, statement: Statement) -> list[SessionEvent]:
    """Return the events of a statement, decided on the session so far. Raises its refusals."""
    record = statement.record
    if record.type not in _DECISIONS:
        fault = Fault("", record.type, expects("statement-that-holds"))
        raise StatementsFall("This spoke of a result that no longer is.", [fault])
    kind, decide = _DECISIONS[record.type]
    known = KnownDraws(builder.state.draws[builder.context.source].answers)
    again = builder.fork(replace(builder.context, by=statement.by, draws=known))
    return decide(again, msgspec.convert(record.data, kind))


_DECISIONS: Mapping[str, tuple[type[Any], Callable[[SessionBuilder, Any], list[SessionEvent]]]] = {
    "PlayMoves": (PlayMoves, play_moves),
    "EndSession": (EndSession, end_session),
    "ConfirmSession": (ConfirmSession, confirm_session),
}
"""Recorded type of a statement -> its command and its decision. Others fall if something before them is taken back."""
