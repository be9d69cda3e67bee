"""The commands of a log, decided again by the services' own code on the state that the service had seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from operator import attrgetter
from typing import Any

from msgspec import Struct

from muster.audit.draws import RecordedOracle
from muster.audit.findings import Findings, difference, misfit, told
from muster.audit.replay import DecodedEvent, Logs, as_seen
from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.registration.swiss_rosters import dropped_for_absence
from services.scoring.handlers import HANDLERS as SCORING
from shared.log.command_record import CommandRecord, NoCommand, begins_command, read_command, read_record
from shared.log.event import EMPTY, Event, Head, actor_text, read_actor
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
"""Whose log -> the commands that its service knows."""


_stamp = attrgetter("command_id", "actor", "time", "seen")
"""What all events of a command have in common."""


class Commanded(Struct, frozen=True):
    """A command as it was given. events: all that came of it. row: what governs it in its service."""

    record: CommandRecord
    command: Any
    by: By
    row: Handler
    events: Sequence[DecodedEvent]

    @property
    def first(self) -> DecodedEvent:
        """The event that carries the command."""
        return self.events[0]


def commands_of(source: str, log: Sequence[DecodedEvent], findings: Findings) -> Iterator[Commanded]:
    """The commands of one log in order. What is none, or cannot be read, goes into `findings` and is left out."""
    rows = {kind.__name__: (kind, row) for kind, row in TABLES.get(source, {}).items()}
    for events in _together(log, findings):
        try:
            yield _read(rows, events)
        except NoCommand as error:
            findings.fail("command", events[0], str(error), expects("known-command", source=source))


def _together(log: Sequence[DecodedEvent], findings: Findings) -> list[list[DecodedEvent]]:
    """Events that came of one command, beginning with the one that carries it."""
    commands: list[list[DecodedEvent]] = []
    for heard in log:
        if begins_command(heard):
            commands.append([heard])
        elif commands and _stamp(heard) == _stamp(commands[-1][0]):
            commands[-1].append(heard)
        else:
            findings.fail(
                "command", heard, f"{heard.type} without the command that it came of", expects("command-on-event")
            )
    return commands


def _read(rows: Mapping[str, tuple[type, Handler]], events: Sequence[DecodedEvent]) -> Commanded:
    record = read_record(events[0])
    if record.type not in rows:
        raise NoCommand(f"the command {record.type}, version {record.version}")
    kind, row = rows[record.type]
    command = read_command(record, kind, row.form, events)
    by = by_recorded(read_actor(events[0].actor), record.by)
    return Commanded(record, command, by, row, events)


Progress = Callable[[int], object]
"""Called with how many events were done since the last call."""

Hashes = Mapping[str, Mapping[int, str]]
"""Source -> position -> the hash of each event that is here."""


def audit_decisions(logs: Logs, source: str, hashes: Hashes, findings: Findings, progress: Progress) -> None:
    """Decide every command of one log again; what differs goes into `findings`.

    Raises CannotFold.
    """
    commands = {one.first.position: one for one in commands_of(source, logs.get(source, ()), findings)}
    for heard, state in as_seen(logs, source):
        progress(1)
        if (commanded := commands.get(heard.position)) is None:
            continue
        ends = heard.before
        if any(position and position not in hashes.get(other, ()) for other, position in ends.items()):
            findings.counts["beyond the ends"] += 1
        else:
            heads = {other: Head(end, hashes[other][end]) if end else EMPTY for other, end in ends.items()}
            _decide_again(commanded, state, heads, findings)


def _decide_again(commanded: Commanded, state: Tournament, heads: Mapping[str, Head], findings: Findings) -> None:
    first, record, by, row = commanded.first, commanded.record, commanded.by, commanded.row
    findings.counts["commands"] += 1
    findings.counts["not provable"] += not is_provable(state.entries, by)
    actor = recorded_actor(state, by)
    said = f"{record.type} by {actor_text(by)}"
    if actor.venue != by.venue:
        expected = expects("as-appointed", actor=actor_text(actor))
        findings.fail("authority", first, said, expected)
    with _taken("authority", commanded, said, findings):
        row.allow(state, commanded.command, by)
    if record.decision != row.form.decision:
        if not 1 <= record.decision < row.form.decision:
            known = expects("versions-up-to", most=row.form.decision)
            findings.fail("command", first, f"{record.type} decided by version {record.decision}", known)
        findings.counts["other decisions"] += 1
        return
    with _taken("decision", commanded, f"{record.type}, and {len(commanded.events)} events of it", findings):
        oracle = RecordedOracle(
            state.draws[first.source], [one.event for one in commanded.events], keeps_back=row.drafts
        )
        decided = row.decide(state, commanded.command, Context(by, first.time, heads, first.source, oracle))
        due = [event for event in decided if not isinstance(event, PrivateRow)]
        _compare(commanded, with_draws(due, oracle, keeps_back=row.drafts), findings)


@contextmanager
def _taken(code: str, commanded: Commanded, said: str, findings: Findings) -> Iterator[None]:
    """Whether a service would take the command; else why not."""
    try:
        yield
    except Refusal as refusal:
        findings.fail(
            code, commanded.first, said, expects("refusal", detail=refusal.detail, refusal=type(refusal).code)
        )
    except Exception as error:  # whatever an impossible command runs into
        found = f"{commanded.record.type}: {misfit(error)}"
        findings.fail(code, commanded.first, found, expects("decidable-command"))


def _compare(commanded: Commanded, due: Sequence[Event], findings: Findings) -> None:
    """The first event that differs alone, since others follow."""
    record, events = commanded.record, commanded.events
    for heard, right in zip_longest(events, due):
        if heard is None or type(heard.event) is not type(right):
            said = f"{heard.type} {told(heard.event)}" if heard else f"nothing after {events[-1].type}"
            expected = expects("nothing-more")
            if right:
                expected = expects("event-of-command", event=type(right).__name__, members=told(right))
            findings.fail("decision", heard or events[-1], f"{record.type}: {said}", expected)
            return
        if differs := difference(heard.event, right):
            name = type(right).__name__
            expected = expects("event-with", event=name, members=differs[1])
            findings.fail("decision", heard, f"{record.type}: {name} with {differs[0]}", expected)
            return


RACE = 2
"""Commands of one service that may come between what makes a rule due and its act, which is a command of its own."""


def audit_due_rules(logs: Logs, findings: Findings) -> None:
    """Whoever stayed away too often was dropped once (AR-AMB-18, DW-AMB-17). Raises CannotFold."""
    due: dict[str, tuple[DecodedEvent, int]] = {}  # player -> since when registration knew that the rule was due
    acted: set[str] = set()
    commands = 0
    for heard, state in as_seen(logs, "registration"):
        if isinstance(heard.event, PlayerDropped) and read_actor(heard.actor).role == RULE:
            acted.add(heard.event.player)
        if begins_command(heard) and not state.results.concluded:
            absent = dropped_for_absence(state) if state.entries.format == "swiss" else {}
            due = {player: due.get(player, (heard, commands)) for player in absent}
            commands += 1
    for player, (since, before) in due.items():
        if commands - before > RACE and player not in acted:
            expected = expects("drop-by-rule", player=player)
            findings.fail("rule", since, f"{commands - before} commands, and none of them drops {player}", expected)
