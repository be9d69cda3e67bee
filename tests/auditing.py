"""What an audit says of logs in a test, all of it or of the commands of one service."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from muster.audit.decisions import audit_decisions
from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit, decode_log
from muster.audit.replay import CannotFold, DecodedEvent, fold_logs, replay_placings
from shared.log.cloudevents import from_wire
from shared.log.event import Recorded, canonical_json
from shared.tournament.state import SOURCES
from tests.services.story import Answer
from tests.state.logs import rechained

Logs = Mapping[str, Sequence[Recorded]]


def failures(logs: Logs) -> list[Failure]:
    """Everything that does not hold."""
    findings = Findings()
    audit(logs, findings)
    return findings.failures


def failures_until(logs: Logs, source: str, position: int) -> list[Failure]:
    """What an audit says of one log as far as a position; of the other logs it reads what had been seen by then.

    Of a forgery it tells what the whole audit tells of that place, without deciding everything else again.
    """
    findings = Findings()
    own = decode_log(logs[source][:position], findings)
    if len(own) < len(logs[source][:position]):  # what an event changed that cannot be read is not known
        return findings.failures
    seen = own[-1].known if own else {}
    heard = {name: decode_log(log[: seen.get(name, 0)], Findings()) for name, log in logs.items() if name != source}
    hashes = {name: {event.position: event.hash for event in log} for name, log in logs.items()}
    try:
        audit_decisions({**heard, source: own}, source, hashes, findings, lambda events: None)
    except CannotFold as stopped:
        findings.fail("fold", stopped.event, str(stopped), "something possible")
    return findings.failures


def heard_logs(logs: Logs) -> dict[str, list[DecodedEvent]]:
    """The logs as an audit reads them."""
    return {source: decode_log(log, Findings()) for source, log in logs.items()}


def places(logs: Mapping[str, Sequence[DecodedEvent]], round: int | None = None) -> list[dict[str, Any]]:
    """What `muster replay` prints, with players by their ids."""
    ids = {player.name: player.id for player in fold_logs(logs).entries.players.values()}
    return [row | {"player": ids[row["player"]]} for row in replay_placings(logs, round).rows]


def decided_again(logs: Logs, source: str) -> list[Failure]:
    """What does not hold of one log, where the others were written by hand and hold no commands."""
    findings = Findings()
    heard = {name: decode_log(log, findings) for name, log in logs.items()}
    hashes = {name: {event.position: event.hash for event in log} for name, log in logs.items()}
    audit_decisions(heard, source, hashes, findings, lambda events: None)
    return findings.failures


def commands(logs: Logs) -> int:
    """How many commands stand on record."""
    return sum(bool(event.command) for log in logs.values() for event in log)


class OnServices(Protocol):
    """A tournament on services of a test."""

    def ask(self, method: str, service: str, rest: str) -> Answer: ...


def logs_of(evening: OnServices) -> dict[str, list[Recorded]]:
    """The three logs as their owners show them."""
    return {
        name: [from_wire(line) for line in evening.ask("GET", name, "/log?limit=5000").text.splitlines()]
        for name in SOURCES
    }


def changed(
    logs: Logs, source: str, kind: str, change: Callable[[Any], object], which: int = 0
) -> dict[str, list[Recorded]]:
    """The logs with the data of one event changed, and every hash behind it made anew, as a forger would."""
    event = [event for event in logs[source] if event.type == kind][which]
    data = json.loads(event.data)
    change(data)
    return {
        **{name: list(log) for name, log in logs.items()},
        source: rechained(logs[source], {event.position: {"data": canonical_json(data)}}),
    }
