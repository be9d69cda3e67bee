"""A session that a decision tells on: every event said is folded at once, so that the next one sees what it did."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from services.scoring.tournament.refusals import (
    MoveImpossible,
    NotYourTable,
    SessionEnded,
    SessionNotBegun,
    SessionUnknown,
)
from services.scoring.tournament.state import running
from shared.coop import moves
from shared.coop.entries import coop_of
from shared.coop.events import (
    PowerTokenAdvanced,
    PowerTokenRetreated,
    SessionEvent,
    SessionLost,
    SessionWon,
)
from shared.coop.ruleset import CoopRuleset, OperatorData, Side
from shared.coop.seating import SEATING, SeatedTable
from shared.coop.sessions import EVOLVE, PLAYING, SESSIONS, Session, Sessions, data_of, side_of
from shared.coop.table import Table
from shared.refusals import Fault, expects, one_of
from shared.tournament.guards import By, Context
from shared.tournament.state import Tournament

"""Roles whose word ends a session and settles its result."""


class Row(NamedTuple):
    """What folding asks of the row that an event will come in."""

    position: int
    time: str


class SessionBuilder:
    """One session while a decision is made. events: said so far. sequence: an ending is looked for after each."""

    def __init__(self, state: Tournament, session: str, context: Context) -> None:
        self.events: list[SessionEvent] = []
        self.id = session
        self.context = context
        self.ruleset: CoopRuleset = coop_of(state.entries)
        self.sequence = self.ruleset.play.tie == "sequence"
        self._sessions = Sessions()
        self._state = state
        known = SESSIONS.of(state).sessions.get(session)
        if known is not None:
            self._sessions.sessions[session] = msgspec.msgpack.decode(msgspec.msgpack.encode(known), type=Session)

    @property
    def session(self) -> Session:
        return self._sessions.sessions[self.id]

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def side(self) -> Side:
        return side_of(self._state, self.session)

    @property
    def data(self) -> OperatorData:
        found = data_of(self._state, self.session.data_version)
        assert found is not None  # nothing is set up without data
        return found

    @property
    def over(self) -> bool:
        return self.session.ended is not None

    def say(self, event: SessionEvent) -> None:
        """One more event; the session ends with it where the ruleset looks after each (AB-SVC-3)."""
        row = Row(self.context.heads[self.context.source].position + len(self.events) + 1, self.context.now)
        EVOLVE[type(event)](self._sessions, event, row)
        self.events.append(event)
        if self.sequence and self.session.status == PLAYING and not self.over:
            self.end_if_due(event)

    def end_if_due(self, cause: SessionEvent, *, round_ends: bool = False) -> None:
        """Say how the session ends, if it does at this moment. AB-END-1 to AB-END-3."""
        if self.over:
            return
        table, reason = self.table, getattr(cause, "reason", "") or type(cause).__name__
        match moves.ending(table, self.ruleset.play, round_ends=round_ends):
            case moves.VICTORY:
                self.say(SessionWon(session=self.id, round=table.round, cause=reason))
            case moves.DEFEAT:
                self.say(SessionLost(session=self.id, round=table.round, cause=reason))

    def advance(self, by: int, reason: str, cause: str) -> None:
        """The opposing faction's token moves forward. AB-PWR-1, AB-PWR-3."""
        step = moves.advance(self.table, by)
        self.say(
            PowerTokenAdvanced(
                session=self.id,
                round=self.table.round,
                from_space=step.start,
                to_space=step.end,
                reason=reason,
                cause=cause,
            )
        )

    def retreat(self, by: int, cause: str, reason: str = "extra_goal") -> None:
        """The token moves back as far as there is room. AB-PWR-1, AB-GOAL-3, AB-GOAL-5, AB-AMB-3."""
        step = moves.retreat(self.table, by, self.ruleset.play)
        if step is None:
            step = moves.Step(self.table.position, self.table.position)
        self.say(
            PowerTokenRetreated(
                session=self.id,
                round=self.table.round,
                from_space=step.start,
                to_space=step.end,
                reason=reason,
                cause=cause,
            )
        )


def seated(state: Tournament, session: str) -> SeatedTable:
    """A table that pairing seated. Raises SessionUnknown."""
    found = SEATING.of(state).table(session)
    if found is None or not found.survivors:
        fault = Fault("/session", session, expects("table-of-sessions"))
        raise SessionUnknown(f"No session has the id {session}.", [fault])
    return found


def playing(state: Tournament, session: str, context: Context) -> SessionBuilder:
    """A session that is being played, for somebody of the table or the staff.

    Raises SessionUnknown, NotYourTable, SessionNotBegun, SessionEnded.
    """
    running(state)
    of_table(context.by, seated(state, session))
    builder = SessionBuilder(state, session, context)
    if session not in SESSIONS.of(state).sessions:
        raise SessionNotBegun(f"{session} is not set up; nothing can have happened.", clause="AB-SET-8")
    refuse_ended(builder.session)
    return builder


def of_table(by: By, table: SeatedTable) -> str:
    """The survivor who speaks, empty for staff. Raises NotYourTable."""
    if by.staff:
        return ""
    if by.player and by.player in table.survivors:
        return by.player
    raise NotYourTable(f"{table.session} is the table of {', '.join(table.survivors)}.")


def refuse_ended(session: Session) -> None:
    """Raises SessionEnded with what ended it. AB-END-3, AB-PWR-4."""
    ended = session.ended
    if ended is None:
        return
    raise SessionEnded(
        f"{session.session} ended in {ended.outcome} ({ended.cause}); only a correction is accepted.",
        outcome=ended.outcome,
        event=ended.type,
        position=ended.position,
        time=ended.time,
        cause=ended.cause,
        clause="AB-END-3",
    )


def survivor_at(table: Table, survivor: str, where: str, clause: str) -> str:
    """A survivor of the table. Raises MoveImpossible."""
    if survivor not in table.survivors:
        fault = Fault(where, survivor, one_of(list(table.survivors)), clause)
        raise MoveImpossible(f"{survivor} does not sit at this table.", [fault])
    return survivor
