"""Logs with one lost event, and the findings about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import msgspec

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from muster.cli.verify import LogFile
from shared.log.cloudevents import to_wire
from shared.log.event import Recorded
from tests.state.logs import rechained

Logs = Mapping[str, Sequence[Recorded]]

PYTHON = re.compile(r"\b\w*(Error|Exception|Iteration)\b|Traceback|NoneType|__|<class|out of range|has no attribute")
"""What no sentence holds."""


line_of = cache(to_wire)
"""An event as a line of a file; each is written into hundreds of them."""


def read(logs: Logs) -> list[Failure]:
    """Return the findings of `muster verify` for these logs, written to a file."""
    findings = Findings()
    file = LogFile(findings)
    for log in logs.values():
        for event in log:
            file.add(line_of(event))
    file.settle()
    audit(file.logs, findings)
    return findings.failures


def without_each(logs: Logs) -> Iterator[tuple[Recorded, Logs]]:
    """Yield each event and the logs without its line."""
    for source, log in logs.items():
        for index, event in enumerate(log):
            yield event, {**logs, source: [*log[:index], *log[index + 1 :]]}


def closed_up(event: Recorded, without: Logs) -> Logs:
    """Return a log without an event, with positions and hashes recomputed, so that only its content is missing."""
    return {**without, event.source: rechained(without[event.source], {})}


def python_in(failures: Sequence[Failure]) -> list[str]:
    """Return findings that are Python text instead of sentences."""
    told = (f"{failure.found} | {failure.expected}" for failure in failures)
    return [sentence for sentence in told if PYTHON.search(sentence)]


def unnoticed(logs: Logs) -> list[str]:
    """The events whose loss is not told by number, but for a last one that nobody has seen."""
    seen: dict[str, int] = {}
    for log in logs.values():
        for event in log:
            for source, position in msgspec.json.decode(event.seen).items():
                seen[source] = max(position, seen.get(source, 0))
    quiet = []
    for event, rest in without_each(logs):
        failures = read(rest)
        assert python_in(failures) == []
        last = event.position == len(logs[event.source])
        if last and seen.get(event.source, 0) < event.position:
            continue  # a log that ends earlier is the log of an earlier moment
        number = f"seen {event.source} {event.position}" if last else f"event {event.position} is missing"
        if not any(number in f"{failure.found} {failure.expected}" for failure in failures):
            quiet.append(event.id)
    return quiet
