"""Statements: commands whose events can be taken back, and what remains of them in the state.

A format keeps the statements of something that is still going on, such as a phase or a session. An event takes one of
them back: the fold returns to the state before it. Every later statement is then decided again, in order. One that
gives the same events stands as recorded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from shared.log.command_record import CommandRecord
from shared.log.event import Event, read_actor
from shared.tournament.guards import By, by_recorded


class RecordedOutcome(Struct, frozen=True, gc=False):
    """An event of a statement. encoded: in the form of this version of the code."""

    type: str
    encoded: str


def encode_outcome(event: Event) -> RecordedOutcome:
    """Return an event as a statement keeps it."""
    return RecordedOutcome(type(event).__name__, msgspec.json.encode(event).decode())


class Statement(Struct, gc=False):
    """A command, or events that came from a command about something else.

    position: position of its first event. time, actor: as recorded.
    command: the record of the command; empty if another command brought these events.
    outcomes: its events. given: its events about others.
    """

    position: int
    time: str
    actor: str
    command: str
    outcomes: list[RecordedOutcome] = field(default_factory=list)
    given: list[RecordedOutcome] = field(default_factory=list)

    @property
    def record(self) -> CommandRecord:
        """The record of the command."""
        return msgspec.json.decode(self.command, type=CommandRecord)

    @property
    def by(self) -> By:
        """The person who made the statement."""
        return by_recorded(read_actor(self.actor), self.record.by)

    def is_of(self, types: Collection[str]) -> bool:
        """Return True if it is a command of one of these types; no types: of any."""
        return bool(self.command) and (not types or self.record.type in types)

    @property
    def does(self) -> str:
        """The choice, or the type of the command; empty if another command brought these events."""
        if not self.command:
            return ""
        record = self.record
        return str(record.data.get("does") or record.type)


class Cause(Struct, frozen=True, gc=False):
    """The command whose events are being folded.

    id: the id of the command. about: what the statement is about; empty if the command is no statement.
    """

    id: str
    position: int
    time: str
    actor: str
    command: str
    about: str


def cause_of(before: Cause | None, stored: Any, types: Collection[str], member: str) -> Cause:
    """Return the command that a stored event belongs to.

    before: the command of the last event. types: types of commands that are statements. member: the member of these
    commands that says what they are about.
    """
    if before is not None and before.id == stored.command_id and not stored.command:
        return before
    about = ""
    if stored.command:
        record = msgspec.json.decode(stored.command, type=CommandRecord)
        about = record.data.get(member, "") if record.type in types else ""
    return Cause(stored.command_id, stored.position, stored.time, stored.actor, stored.command if about else "", about)


class Statements(Struct, gc=False):
    """What was said about one thing, in order.

    waiting: later statements than the one taken back by the current command, until they are decided again.
    taken_back: position of a statement -> position of the event that took it back.
    taken_back_by: id of the command that last took a statement back.
    """

    statements: list[Statement] = field(default_factory=list)
    waiting: list[Statement] = field(default_factory=list)
    taken_back: dict[int, int] = field(default_factory=dict)
    taken_back_by: str = ""

    def place_of(self, position: int) -> int | None:
        """Return the index of a statement, or None."""
        return next((n for n, known in enumerate(self.statements) if known.position == position), None)

    @property
    def last(self) -> Statement | None:
        """The last statement, or None."""
        return next((known for known in reversed(self.statements) if known.command), None)

    def note(self, cause: Cause, about: str, outcome: RecordedOutcome) -> None:
        """Add an event to the statement that it belongs to. about: what it is about."""
        is_new = not self.statements or self.statements[-1].position != cause.position
        if is_new and self.taken_back_by != cause.id:
            self.waiting = []
            command = cause.command if cause.about == about else ""
            self.statements.append(Statement(cause.position, cause.time, cause.actor, command))
        if self.statements:
            self.statements[-1].outcomes.append(outcome)

    def note_given(self, cause: Cause, outcome: RecordedOutcome) -> None:
        """Add an event about others to the statement that it belongs to."""
        if self.statements and self.statements[-1].position == cause.position:
            self.statements[-1].given.append(outcome)

    def take_back(
        self, position: int, fallen: Sequence[int], at: int, by: str, *, again: bool = False
    ) -> tuple[Statement, ...]:
        """Remove a statement and all later ones. Return them. The later ones wait to be decided again.

        fallen: positions of later ones that no longer hold. at: position of the event. by: id of its command.
        again: the statement itself waits as well.
        Raises KeyError for an unknown statement.
        """
        place = self.place_of(position)
        if place is None:
            raise KeyError(f"no statement {position}")
        undone = self.statements[place:]
        self.statements, self.waiting = self.statements[:place], undone if again else undone[1:]
        self.taken_back |= dict.fromkeys(fallen if again else (position, *fallen), at)
        self.taken_back_by = by
        return tuple(undone)

    def decide_again(self, position: int, *, stands: bool) -> Statement:
        """Return a waiting statement, and add it again: with its events, or without if others follow."""
        again = next(waiting for waiting in self.waiting if waiting.position == position)
        self.waiting = self.waiting[self.waiting.index(again) + 1 :]
        self.statements.append(again if stands else msgspec.structs.replace(again, outcomes=[], given=[]))
        return again


def decode_outcomes(recorded: Iterable[RecordedOutcome], kinds: Mapping[str, type[Any]]) -> Iterator[Any]:
    """Yield events from their recorded form, without the answers that were drawn for them."""
    for outcome in recorded:
        event = msgspec.json.decode(outcome.encoded, type=kinds[outcome.type])
        yield msgspec.structs.replace(event, answers=[]) if event.answers else event


def outcomes_of(statements: Iterable[Statement], kinds: Mapping[str, type[Any]]) -> Iterator[Any]:
    """Yield the events of statements."""
    for statement in statements:
        yield from decode_outcomes(statement.outcomes, kinds)
