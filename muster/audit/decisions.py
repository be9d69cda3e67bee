"""Re-decision: every recorded command is decided again by the service's own code, on the state that it had seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from msgspec import Struct

from muster.audit.draws import RecordedOracle
from muster.audit.findings import Findings, as_json, describe_misfit, difference
from muster.audit.replay import DecodedEvent, Logs, states_before_events
from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.registration.swiss_rosters import dropped_for_absence
from services.scoring.handlers import HANDLERS as SCORING
from shared.log.command_record import CommandRecord, UnreadableCommand, begins_command, read_command, read_record
from shared.log.event import EMPTY_HEAD, Event, Head, actor_text, read_actor
from shared.refusals import Refusal, expects
from shared.service.handlers import Handler
from shared.tournament.draws import with_draws
from shared.tournament.guards import RULE, By, Context, by_recorded, is_provable, recorded_actor
from shared.tournament.registration import PlayerDropped
from shared.tournament.state import PrivateRow, Tournament

TABLES: Mapping[str, Mapping[type, Handler]] = {
    "registration": REGISTRATION,
    "pairing": PAIRING,
    "scoring": SCORING,
}
"""Service -> its table of commands."""


_stamp = attrgetter("command_id", "actor", "time", "seen")
"""The members that are equal in all events of one command."""


class RecordedCommand(Struct, frozen=True):
    """A command with the events that it produced. row: its row in the table of its service."""

    record: CommandRecord
    command: Any
    by: By
    row: Handler
    events: Sequence[DecodedEvent]

    @property
    def first(self) -> DecodedEvent:
        """The event that carries the command."""
        return self.events[0]


def commands_of(source: str, log: Sequence[DecodedEvent], findings: Findings) -> Iterator[RecordedCommand]:
    """Yield the commands of one log in order. Unreadable commands are reported to `findings` and left out."""
    rows = {kind.__name__: (kind, row) for kind, row in TABLES.get(source, {}).items()}
    for events in _grouped_by_command(log, findings):
        try:
            yield _read(rows, events)
        except UnreadableCommand as error:
            findings.fail("command", events[0], str(error), expects("known-command", source=source))


def _grouped_by_command(log: Sequence[DecodedEvent], findings: Findings) -> list[list[DecodedEvent]]:
    """Return the events grouped by command; the first of each group carries the command."""
    commands: list[list[DecodedEvent]] = []
    for decoded in log:
        if begins_command(decoded):
            commands.append([decoded])
        elif commands and _stamp(decoded) == _stamp(commands[-1][0]):
            commands[-1].append(decoded)
        else:
            findings.fail("command", decoded, f"{decoded.type} without its command", expects("command-on-event"))
    return commands


def _read(rows: Mapping[str, tuple[type, Handler]], events: Sequence[DecodedEvent]) -> RecordedCommand:
    record = read_record(events[0])
    if record.type not in rows:
        raise UnreadableCommand(f"the command {record.type}, version {record.version}")
    kind, row = rows[record.type]
    command = read_command(record, kind, row.form, events)
    by = by_recorded(read_actor(events[0].actor), record.by)
    return RecordedCommand(record, command, by, row, events)


Progress = Callable[[int], object]
"""Called with the number of events done since the last call."""

Hashes = Mapping[str, Mapping[int, str]]
"""Source -> position -> hash, of all events at hand."""


def audit_decisions(logs: Logs, source: str, hashes: Hashes, findings: Findings, progress: Progress) -> None:
    """Decide every command of one log again and report differences to `findings`. Raises CannotFold."""
    commands = {one.first.position: one for one in commands_of(source, logs.get(source, ()), findings)}
    for decoded, state in states_before_events(logs, source):
        progress(1)
        if (recorded := commands.get(decoded.position)) is None:
            continue
        ends = decoded.before
        if any(position and position not in hashes.get(other, ()) for other, position in ends.items()):
            findings.counts["beyond the ends"] += 1
        else:
            heads = {other: Head(end, hashes[other][end]) if end else EMPTY_HEAD for other, end in ends.items()}
            _decide_again(recorded, state, heads, findings)


def _decide_again(recorded: RecordedCommand, state: Tournament, heads: Mapping[str, Head], findings: Findings) -> None:
    first, record, by, row = recorded.first, recorded.record, recorded.by, recorded.row
    findings.counts["commands"] += 1
    findings.counts["not provable"] += not is_provable(state.entries, by)
    actor = recorded_actor(state, by)
    said = f"{record.type} by {actor_text(by)}"
    if actor.venue != by.venue:
        expected = expects("as-appointed", actor=actor_text(actor))
        findings.fail("authority", first, said, expected)
    with _report_refusal("authority", recorded, said, findings):
        row.allow(state, recorded.command, by)
    if record.decision != row.form.decision:
        if not 1 <= record.decision < row.form.decision:
            known = expects("versions-up-to", most=row.form.decision)
            findings.fail("command", first, f"{record.type} decided by version {record.decision}", known)
        findings.counts["other decisions"] += 1
        return
    with _report_refusal("decision", recorded, f"{record.type}, and {len(recorded.events)} events of it", findings):
        oracle = RecordedOracle(
            state.draws[first.source], [one.event for one in recorded.events], keeps_back=row.drafts
        )
        decided = row.decide(state, recorded.command, Context(by, first.time, heads, first.source, oracle))
        due = [event for event in decided if not isinstance(event, PrivateRow)]
        _compare(recorded, with_draws(due, oracle, keeps_back=row.drafts), findings)


@contextmanager
def _report_refusal(code: str, recorded: RecordedCommand, said: str, findings: Findings) -> Iterator[None]:
    """Report a refusal by the code in the block as a failure of the command."""
    try:
        yield
    except Refusal as refusal:
        findings.fail(code, recorded.first, said, expects("refusal", detail=refusal.detail, refusal=type(refusal).code))
    except Exception as error:  # an impossible command can raise anything
        found = f"{recorded.record.type}: {describe_misfit(error)}"
        findings.fail(code, recorded.first, found, expects("decidable-command"))


def _compare(recorded: RecordedCommand, due: Sequence[Event], findings: Findings) -> None:
    """Report the first event that differs; later differences follow from it."""
    record, events = recorded.record, recorded.events
    for decoded, right in zip_longest(events, due):
        if decoded is None or type(decoded.event) is not type(right):
            said = f"{decoded.type} {as_json(decoded.event)}" if decoded else f"nothing after {events[-1].type}"
            expected = expects("nothing-more")
            if right:
                expected = expects("event-of-command", event=type(right).__name__, members=as_json(right))
            findings.fail("decision", decoded or events[-1], f"{record.type}: {said}", expected)
            return
        if differs := difference(decoded.event, right):
            name = type(right).__name__
            expected = expects("event-with", event=name, members=differs[1])
            findings.fail("decision", decoded, f"{record.type}: {name} with {differs[0]}", expected)
            return


RACE = 2
"""Commands of one service that may come between the cause of a rule and the command of the rule."""


def audit_due_rules(logs: Logs, findings: Findings) -> None:
    """Check that players who were absent too often were dropped (AR-AMB-18, DW-AMB-17). Raises CannotFold."""
    due: dict[
        str, tuple[DecodedEvent, int]
    ] = {}  # player -> the event at which the rule was due, and the number of commands before it
    acted: set[str] = set()
    commands = 0
    for decoded, state in states_before_events(logs, "registration"):
        if isinstance(decoded.event, PlayerDropped) and read_actor(decoded.actor).role == RULE:
            acted.add(decoded.event.player)
        if begins_command(decoded) and not state.results.concluded:
            absent = dropped_for_absence(state) if state.entries.format == "swiss" else {}
            due = {player: due.get(player, (decoded, commands)) for player in absent}
            commands += 1
    for player, (since, before) in due.items():
        if commands - before > RACE and player not in acted:
            expected = expects("drop-by-rule", player=player)
            findings.fail("rule", since, f"{commands - before} commands, and none of them drops {player}", expected)
