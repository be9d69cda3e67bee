"""The statements of a running post-game phase: what players and staff said for a group, and what followed.

A statement is one command about a group: a choice, the closing of a step, entries of the ledger. While the phase runs,
it can be taken back (FS-REP-5). Taking back returns the group to its state before the statement. Every later statement
is then decided again, in order. One that gives the same events stands as recorded, with its dice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from shared.campaign.dice import DieRolled
from shared.campaign.evolve import evolve
from shared.campaign.roster import Group
from shared.campaign.words import CampaignEvent
from shared.log.command_record import CommandRecord
from shared.log.event import read_actor
from shared.tournament.guards import By, by_recorded


class StatementTakenBack(CampaignEvent, frozen=True):
    """A statement of a running phase was taken back, and its effects were undone (FS-REP-5).

    Later statements of the group follow as StatementDecidedAgain. Those in `fallen` no longer held and are undone too.

    - `statement`: position of the first event of the statement.
    - `does`: the choice, or the type of the command.
    - `reason`: why it was taken back; empty if the player who made it took it back at once.
    - `fallen`: positions of the later statements that no longer held.
    - `caps`, `clean`, `radiated`: change of the balances by everything that was undone.
    - `members`: ids of the members that the undone statements were about.
    - `again`: true if nothing was taken back: a ruling rejected dice, and the statement itself is decided again.
    """

    statement: int
    does: str
    reason: str = ""
    fallen: tuple[int, ...] = ()
    caps: int = 0
    clean: int = 0
    radiated: int = 0
    members: tuple[str, ...] = ()
    again: bool = False


class StatementDecidedAgain(CampaignEvent, frozen=True):
    """A later statement of the group was decided again after one before it was taken back (FS-REP-5).

    - `statement`: position of the first event of the statement.
    - `stands`: true if its events stand as recorded; otherwise the events that follow replace them.
    """

    statement: int
    stands: bool = True


class RecordedOutcome(Struct, frozen=True, gc=False):
    """An event of a statement. encoded: in the form of this version of the code."""

    type: str
    encoded: str


class Statement(Struct, gc=False):
    """A command about a group, or events that the group got from another command.

    position: position of its first event. time, actor: as recorded.
    command: the record of the command; empty if another command brought these events.
    outcomes: its events about the group. given: its events about other groups.
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

    @property
    def does(self) -> str:
        """The choice, or the type of the command; empty if another command brought these events."""
        if not self.command:
            return ""
        record = self.record
        return str(record.data.get("does") or record.type)


class Cause(Struct, frozen=True, gc=False):
    """The command whose events are being folded.

    id: the id of the command. group: the group whose statement it is; empty if it is no statement.
    """

    id: str
    position: int
    time: str
    actor: str
    command: str
    group: str


class RunningPhase(Struct, gc=False):
    """The running post-game phase of a group.

    opened: the group when the phase opened.
    statements: in the order in which they were made.
    waiting: later statements than the one taken back by the current command, until they are decided again.
    taken_back: position of a statement -> position of the event that took it back.
    by: id of the command that takes back.
    """

    opened: Group
    statements: list[Statement] = field(default_factory=list)
    waiting: list[Statement] = field(default_factory=list)
    taken_back: dict[int, int] = field(default_factory=dict)
    by: str = ""

    def place_of(self, position: int) -> int | None:
        """Return the index of a statement, or None."""
        return next((n for n, known in enumerate(self.statements) if known.position == position), None)


DECIDED_AGAIN = ("Choose", "CloseStep", "EnterLedger")
"""Types of the commands that are statements."""


def cause_of(before: Cause | None, stored: Any) -> Cause:
    """Return the command that a stored event belongs to. before: the command of the last event."""
    if before is not None and before.id == stored.command_id and not stored.command:
        return before
    group = ""
    if stored.command:
        record = msgspec.json.decode(stored.command, type=CommandRecord)
        group = record.data.get("group", "") if record.type in DECIDED_AGAIN else ""
    command = stored.command if group else ""
    return Cause(stored.command_id, stored.position, stored.time, stored.actor, command, group)


def note_event(phases: Mapping[str, RunningPhase], cause: Cause, event: CampaignEvent) -> None:
    """Add an event to the statement that it belongs to, if the phase of its group is running."""
    running = phases.get(event.group)
    outcome = RecordedOutcome(type(event).__name__, msgspec.json.encode(event).decode())
    if running is not None:
        if running.by != cause.id and (not running.statements or running.statements[-1].position != cause.position):
            running.waiting = []
            command = cause.command if cause.group == event.group else ""
            running.statements.append(Statement(cause.position, cause.time, cause.actor, command))
        if running.statements:
            running.statements[-1].outcomes.append(outcome)
    other = phases.get(cause.group) if cause.group != event.group else None
    last = other.statements[-1] if other is not None and other.statements else None
    if last is not None and last.position == cause.position:
        last.given.append(outcome)


def running_from(running: RunningPhase, first: Statement) -> list[Statement]:
    """Return this statement of a phase and all later ones."""
    return running.statements[running.statements.index(first) :]


def outcomes_of(statements: Iterable[Statement], kinds: Mapping[str, type[CampaignEvent]]) -> Iterator[CampaignEvent]:
    """Yield the events of statements about their group."""
    for statement in statements:
        yield from decode_outcomes(statement.outcomes, kinds)


def decode_outcomes(
    recorded: Iterable[RecordedOutcome], kinds: Mapping[str, type[CampaignEvent]]
) -> Iterator[CampaignEvent]:
    """Yield events from their recorded form, without the answers that were drawn for them."""
    for outcome in recorded:
        event = msgspec.json.decode(outcome.encoded, type=kinds[outcome.type])
        yield msgspec.structs.replace(event, answers=[]) if event.answers else event


def group_after(
    running: RunningPhase, statements: Sequence[Statement], kinds: Mapping[str, type[CampaignEvent]]
) -> Group:
    """Return the group after these statements of its phase. Raises BalanceTooLow."""
    return evolve(running.opened, outcomes_of(statements, kinds))


def has_dice(statement: Statement) -> bool:
    """Return True if dice fell or lots were drawn for a statement."""
    return any(
        outcome.type == DieRolled.__name__ or bool(msgspec.json.decode(outcome.encoded).get("answers"))
        for outcome in statement.outcomes
    )


def last_statement(running: RunningPhase) -> Statement | None:
    """Return the last statement of a group, or None."""
    return next((known for known in reversed(running.statements) if known.command), None)


def is_players_own(running: RunningPhase, statement: Statement, player: str) -> bool:
    """Return True if a player may take back this statement: it is their last, and no die fell for it."""
    made_by = statement.by.player
    return statement is last_statement(running) and made_by == player != "" and not has_dice(statement)


def rolls_of(statements: Iterable[Statement]) -> set[str]:
    """Return the ids of the rolls of statements."""
    return {roll for roll, _ in _rolls(statements)}


def questions_of(statement: Statement) -> list[str]:
    """Return the questions that the dice of a statement answered, in order."""
    return [question for _, question in _rolls([statement])]


def _rolls(statements: Iterable[Statement]) -> Iterator[tuple[str, str]]:
    for statement in statements:
        for outcome in statement.outcomes:
            if outcome.type == DieRolled.__name__:
                data = msgspec.json.decode(outcome.encoded)
                yield data["roll"], data.get("question", "")
