"""Tampering with the commands of an exported log is found in every format: each command is tried in turn.

All forgeries but the first recompute every hash, as an attacker with the whole log could.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from muster.audit.findings import Failure
from muster.cli.main import main
from services.pairing.handlers import HANDLERS as PAIRING
from services.registration.handlers import HANDLERS as REGISTRATION
from services.scoring.handlers import HANDLERS as SCORING
from shared.log.cloudevents import to_wire
from shared.log.command_record import begins_command
from shared.log.event import Actor, Recorded, actor_json, canonical_json
from tests.auditing import failures, failures_until
from tests.formats.stories import Played
from tests.state.logs import rechained

Logs = dict[str, list[Recorded]]
TABLES = {"registration": REGISTRATION, "pairing": PAIRING, "scoring": SCORING}
UNAUTHORIZED = "spare"
"""A role that gives few commands."""
MAY_COME_AGAIN = {"Challenge"}


def commands(logs: Logs) -> Iterator[tuple[str, list[Recorded]]]:
    """Yield each command of each log: the events that it caused."""
    for source, log in logs.items():
        found: list[Recorded] = []
        for event in log:
            if begins_command(event) and found:
                yield source, found
                found = []
            found.append(event)
        if found:
            yield source, found


def forged(logs: Logs, event: Recorded, **members: Any) -> Logs:
    """Return the logs with members of one event changed."""
    return {**logs, event.source: rechained(logs[event.source], {event.position: members})}


def on_record(event: Recorded) -> Mapping[str, Any]:
    """Return the record of a command."""
    found: Mapping[str, Any] = json.loads(event.command)
    return found


def findings_about(found: list[Failure], events: list[Recorded]) -> list[Failure]:
    """Return the findings about some events of one log."""
    source, places = events[0].source, {event.position for event in events}
    return [one for one in found if one.source == source and one.position in places]


def is_found(logs: Logs, events: list[Recorded], *codes: str) -> bool:
    """Return True if an audit up to these events reports one of them in one of these ways."""
    found = failures_until(logs, events[0].source, max(event.position for event in events))
    return any(one.code in codes for one in findings_about(found, events))


def test_an_untouched_log_verifies(played: Played) -> None:
    assert failures(played.logs) == []


def test_another_command_breaks_the_hash_of_its_event(played: Played, tmp_path: Path) -> None:
    """The hash covers the command, even if another one gives the same events."""
    logs = played.logs
    source, (first, *_) = next((source, events) for source, events in commands(logs) if source == "scoring")
    other = canonical_json({**on_record(first), "type": "RuleResult"})
    lines = [
        to_wire(replace(event, command=other) if event.id == first.id else event)
        for log in logs.values()
        for event in log
    ]
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 1
    assert any(
        f"{source} {first.position} ({first.id})" in line and "hash" in line for line in result.output.splitlines()
    )


def test_a_partial_audit_agrees_with_the_whole_audit(played: Played) -> None:
    logs = played.logs
    firsts = dict(reversed(list(commands(logs))))
    lasts = dict(commands(logs))
    for events in (*firsts.values(), *lasts.values()):
        first = events[0]
        without_token = canonical_json({**on_record(first), "by": {}})  # found where the log issues tokens of the role
        for other in (canonical_json({**on_record(first), "decision": 99}), without_token, ""):
            there = forged(logs, first, command=other)
            whole = findings_about(failures(there), events)
            assert whole or other == without_token, first
            assert findings_about(failures_until(there, first.source, events[-1].position), events) == whole


def test_a_removed_command_is_found(played: Played) -> None:
    logs = played.logs
    for _, events in commands(logs):
        assert is_found(forged(logs, events[0], command=""), events, "command"), events[0]


def test_swapped_commands_are_found(played: Played) -> None:
    logs, tried = played.logs, 0
    everyone = list(commands(logs))
    for (source, events), (other_source, others) in pairwise(everyone):
        one, other = events[0], others[0]
        if source != other_source or one.command == other.command:
            continue
        members = {one.position: {"command": other.command}, other.position: {"command": one.command}}
        swapped = {**logs, source: rechained(logs[source], members)}
        assert is_found(swapped, [*events, *others], "command", "decision", "authority", "fold"), (one, other)
        tried += 1
    assert tried


@pytest.mark.parametrize(
    "changed", [{"version": 99}, {"version": 0}, {"type": "MakeCoffee"}, {"decision": 99}], ids=str
)
def test_an_unknown_command_is_found(played: Played, changed: Mapping[str, Any]) -> None:
    logs = played.logs
    for _, events in commands(logs):
        other = canonical_json({**on_record(events[0]), **changed})
        assert is_found(forged(logs, events[0], command=other), events, "command"), events[0]


@pytest.mark.parametrize(
    "more",
    [
        {"data": {"colour": "red"}},
        {"colour": "red"},
        {"by": {"colour": "red"}},
        {"by": {"role": "organiser"}},
        {"by": {"token": 7}},
    ],
    ids=str,
)
def test_a_command_with_an_unknown_member_is_found(played: Played, more: Mapping[str, Any]) -> None:
    logs = played.logs
    for _, events in commands(logs):
        record = on_record(events[0])
        changed = {name: {**record[name], **of} if isinstance(of, dict) else of for name, of in more.items()}
        other = canonical_json({**record, **changed})
        assert is_found(forged(logs, events[0], command=other), events, "command"), events[0]


def test_a_command_of_an_unauthorized_role_is_found(played: Played) -> None:
    logs, tried = played.logs, 0
    for source, events in commands(logs):
        first, record = events[0], on_record(events[0])
        row = next(row for kind, row in TABLES[source].items() if kind.__name__ == record["type"])
        if UNAUTHORIZED in row.roles or not (row.roles or row.by_rule):
            continue
        actor = actor_json(Actor("x", UNAUTHORIZED))
        members: dict[int, dict[str, Any]] = {one.position: {"actor": actor} for one in events}
        members[first.position]["command"] = canonical_json({**record, "by": {}})
        both = {**logs, source: rechained(logs[source], members)}
        assert is_found(both, events, "authority"), first
        tried += 1
    assert tried


def test_a_missing_event_is_found(played: Played) -> None:
    """The log ends in the middle of a command."""
    logs, tried = played.logs, 0
    for source, events in commands(logs):
        if len(events) > 1:
            cut = {**logs, source: logs[source][: events[-1].position - 1]}
            assert is_found(cut, events, "command", "decision"), events[-1]
            tried += 1
    assert tried


def test_an_additional_event_is_found(played: Played) -> None:
    """The last event of a log is repeated."""
    for source, log in played.logs.items():
        if not log:
            continue
        last = log[-1]
        events = [event for event in log if event.command_id == last.command_id]
        twice = rechained([*log, replace(last, position=last.position + 1, command="")], {})
        assert is_found({**played.logs, source: twice}, [*events, twice[-1]], "decision", "fold"), last


def test_a_repeated_command_is_found(played: Played) -> None:
    """A repeated command is refused, changes nothing, or gives other events."""
    logs = played.logs
    for source, log in logs.items():
        if not log:
            continue
        last = log[-1]
        again = [event for event in log if event.command_id == last.command_id]
        if on_record(again[0])["type"] in MAY_COME_AGAIN:
            continue
        more = [
            replace(event, position=last.position + number, command_id="again")
            for number, event in enumerate(again, start=1)
        ]
        twice = rechained([*log, *more], {})
        assert is_found({**logs, source: twice}, twice[len(log) :], "decision", "fold", "authority"), last
