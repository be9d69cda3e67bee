"""Every command of a log, decided again: on the state as its service had seen it, by the service's own decision.

What comes of it has to be what stands in the log, event by event; whoever gave it has to have been allowed to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from muster.audit.commands import Commanded, commands_of
from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_seen
from shared.events.base import Event
from shared.events.recorded import EMPTY, Head
from shared.refusals import Refusal
from shared.tournament.context import Context
from shared.tournament.guards import own_venue, provable
from shared.tournament.publication import as_decided_on
from shared.tournament.state import SOURCES, Tournament

LONGEST = 300
"""Characters of a value that is told."""

Progress = Callable[[int], object]
"""Called with how many events were done since the last call."""


def audit_decisions(logs: Logs, source: str, hidden: Mapping[str, int], findings: Findings, progress: Progress) -> None:
    """Decide every command of one log again; what differs goes into `findings`.

    hidden: source -> the position of its first event that is hidden; what was decided since cannot be decided again.
    Raises CannotFold.
    """
    log = logs.get(source, ())
    hashes = {other: {one.position: one.hash for one in known} for other, known in logs.items()}
    commands = {one.first.position: one for one in commands_of(source, log, findings)}
    for heard, state in as_seen(logs, source):
        progress(1)
        commanded = commands.get(heard.position)
        if commanded is None:
            continue
        if any(_reach(heard, other) >= position for other, position in hidden.items()):
            findings.counts["behind hidden events"] += 1
            continue
        if any(position and position not in hashes.get(other, ()) for other, position in heard.known.items()):
            findings.counts["beyond the ends"] += 1
            continue
        _decide_again(commanded, state, _heads(hashes, heard), findings)


def _reach(heard: DecodedEvent, source: str) -> int:
    return heard.position if source == heard.source else heard.known.get(source, 0)


def _heads(hashes: Mapping[str, Mapping[int, str]], heard: DecodedEvent) -> dict[str, Head]:
    """Where each log ended when a command was decided."""
    known = {other: Head(position, hashes[other][position]) for other, position in heard.known.items() if position}
    return {**dict.fromkeys(SOURCES, EMPTY), **known, heard.source: Head(heard.position - 1, heard.prev_hash)}


def _decide_again(commanded: Commanded, state: Tournament, heads: dict[str, Head], findings: Findings) -> None:
    first, record, by = commanded.first, commanded.record, commanded.by
    state = as_decided_on(state, by.role, commanded.row.drafts)
    findings.counts["commands"] += 1
    findings.counts["not provable"] += not provable(state.entries, by)
    _audit_actor(commanded, state, findings)
    form = commanded.row.form
    if record.decision != form.decision:
        if not 1 <= record.decision < form.decision:
            known = f"versions 1 to {form.decision}"
            findings.fail("command", first, f"{record.type} decided by version {record.decision}", known)
        findings.counts["other decisions"] += 1
        return
    context = Context(by, first.time, heads, first.source)
    try:
        due = list(commanded.row.decide(state, commanded.command, context))
    except Refusal as refusal:
        said = f"{record.type}, and {len(commanded.events)} events of it"
        findings.fail("decision", first, said, f"a refusal: {refusal.detail} ({type(refusal).code})")
    except Exception as error:  # whatever an impossible command runs into
        findings.fail("decision", first, f"{record.type}: {misfit(error)}", "a command that can be decided")
    else:
        differences = list(_differences(commanded.events, due))
        for place, found, expected in differences:
            findings.fail("decision", place, f"{record.type}: {found}", expected)
        if not differences and len(commanded.events) != record.events:
            # rows of a list that were cut off with their events
            said = f"{record.type} with {len(commanded.events)} events"
            findings.fail("command", commanded.events[-1], said, f"{record.events}, as the command says")


def _audit_actor(commanded: Commanded, state: Tournament, findings: Findings) -> None:
    """Whether whoever is named was there and might do it, at the venues that it is about, in this format."""
    first, record, by, row = commanded.first, commanded.record, commanded.by, commanded.row
    line = by.line(own_venue(state, by))
    if line != first.actor:
        findings.fail("authority", first, f"{record.type} by {first.actor}", f"{line}, as its command says")
    try:
        row.allow(state, commanded.command, by)
    except Refusal as refusal:
        findings.fail("authority", first, _named(commanded), f"a refusal: {refusal.detail} ({type(refusal).code})")
    except Exception as error:  # a command about what was never there
        findings.fail("authority", first, f"{record.type}: {misfit(error)}", "a command about what is there")


def _named(commanded: Commanded) -> str:
    return f"{commanded.record.type} by {commanded.first.actor}, role {commanded.by.role or 'none'}"


def _differences(found: Sequence[DecodedEvent], due: Sequence[Event]) -> Iterator[tuple[DecodedEvent, str, str]]:
    """Where it stands, what was found and what the rules give; the first difference alone, since others follow."""
    for heard, right in zip(found, due, strict=False):
        if type(heard.event) is not type(right):
            yield heard, heard.type, type(right).__name__
            return
        same = msgspec.convert(msgspec.to_builtins(right), type(right))
        if heard.event != same:
            yield heard, *_members(heard.event, same)
            return
    if len(found) > len(due):
        yield found[len(due)], f"{found[len(due)].type}", "nothing more"
    elif len(due) > len(found):
        yield found[-1], f"nothing after {found[-1].type}", _told(due[len(found)])


def _members(found: Event, due: Event) -> tuple[str, str]:
    """The members of two events of one type that differ, as text."""
    names = [name for name in found.__struct_fields__ if getattr(found, name) != getattr(due, name)]
    return _with(found, due, names), _with(due, found, names)


def _with(event: Event, other: Event, names: Sequence[str]) -> str:
    members = ", ".join(f"{name} {_short(getattr(event, name), getattr(other, name))}" for name in names)
    return f"{type(event).__name__} with {members}"


def _short(value: Any, other: Any) -> str:
    """A value as JSON; of two long lists the first part that differs."""
    if isinstance(value, list) and isinstance(other, list) and len(_json(value)) > LONGEST:
        for index, part in enumerate(value):
            if index >= len(other) or part != other[index]:
                return f"{index + 1}: {_json(part)[:LONGEST]}"
        return f"of {len(value)}"
    return _json(value)[:LONGEST]


def _told(event: Event) -> str:
    return f"{type(event).__name__} {_json(event)[:LONGEST]}"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
