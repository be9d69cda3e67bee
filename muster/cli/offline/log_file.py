"""Log files: a CloudEvent a line, read in one stream and checked for form, order, links and hashes on the way."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from muster.audit.findings import Findings
from muster.cli.output import refuse, unreadable
from shared.log.cloudevents import NotAnEvent, from_wire, names_its_schema, to_wire
from shared.log.event import EMPTY, Head, Recorded, event_id, hash_of
from shared.log.log import Broken, verify
from shared.refusals import LONGEST_SAID, NOTHING, Expected, Fault, expects

TOGETHER = 1000
"""Events of one log that are verified in one go."""

MOST_FAULTS = 20
"""Lines that are no events are told up to this number; a file of something else has nothing but such lines."""

SIGNATURE, SCHEMA = "signature", "dataschema"
"""The attribute of some lines of `GET …/log` that is none of the event."""

_NEVER = object()


class LogFile:
    """Lines as they come, in `logs` by source. What does not hold goes into `findings`.

    Events of which the envelope alone was shown stand in their logs as such.

    keep: whether events stay in `logs`; without it only the heads do.
    """

    def __init__(self, findings: Findings, *, keep: bool = True) -> None:
        self.findings = findings
        self.tournament = ""
        self.logs: dict[str, list[Recorded]] = {}
        self.heads: dict[str, Head] = {}
        self._keep = keep
        self._waiting: dict[str, list[Recorded]] = {}

    def add(self, line: bytes) -> Recorded:
        """Take one line, without its end. Raises NotAnEvent when it is not JSON, or not an event of ours."""
        try:
            event = from_wire(line)
        except (UnicodeDecodeError, RecursionError) as error:
            raise NotAnEvent(str(error)) from error
        self._check_form(line, event)
        if not self.tournament:
            self.tournament = event.tournament
        if event.tournament != self.tournament:
            self.findings.fail(
                "tournament",
                event,
                f"an event of {event.tournament}",
                expects("only-of-tournament", tournament=self.tournament),
            )
            return event
        self.heads.setdefault(event.source, EMPTY)  # in the order of the file
        waiting = self._waiting.setdefault(event.source, [])
        waiting.append(event)
        if len(waiting) == TOGETHER:
            self._settle(event.source)
        return event

    def settle(self) -> None:
        """Verify what is still to be verified."""
        for source in list(self._waiting):
            self._settle(source)

    def _settle(self, source: str) -> None:
        events = self._waiting[source]
        self._waiting[source] = []
        head = self.heads[source]
        rest = events
        while rest:
            try:
                head, rest = verify(rest, head), []
            except Broken as broken:
                index = next(index for index, event in enumerate(rest) if event is broken.event)
                if index:
                    head = Head(rest[index - 1].position, rest[index - 1].hash)
                self._tell_broken(broken.event, head)
                # From here on as the event itself has it, so that one fault is told once.
                head, rest = Head(broken.event.position, broken.event.hash), rest[index + 1 :]
        self.heads[source] = head
        if self._keep:
            self.logs.setdefault(source, []).extend(events)

    def _tell_broken(self, event: Recorded, head: Head) -> None:
        if event.position != head.position + 1:
            self.findings.fail("order", event, *_out_of_order(event, head))
        elif event.prev_hash != head.hash:
            self.findings.fail(
                "link", event, f"prev_hash {event.prev_hash}", expects("hash-of-event-before", hash=head.hash)
            )
        if event.hash != (right := hash_of(event)):
            self.findings.fail("hash", event, f"hash {event.hash}", expects("hash-of-content", hash=right))
        if event.id != (id := event_id(event.source, event.tournament, event.position)):
            self.findings.fail("id", event, f"id {event.id}", expects("value", value=id))

    def _check_form(self, line: bytes, event: Recorded) -> None:
        """Every attribute is what follows from the event, and there is no other; only white space is free.

        What vouches for the line on its way here (`signature`) is passed over: no key is at hand to check it with.
        """
        right = to_wire(event)
        if line == right:
            return
        try:
            pairs: list[tuple[str, Any]] = json.loads(line, object_pairs_hook=list)
        except (ValueError, RecursionError) as error:  # in an attribute that is passed over otherwise
            raise NotAnEvent(str(error)) from error
        pairs = [(name, value) for name, value in pairs if name != SIGNATURE]
        found, expected = dict(pairs), dict(json.loads(right, object_pairs_hook=list))
        if names_its_schema(found.get(SCHEMA), event):  # at the address of the service that handed the line out
            found[SCHEMA] = expected[SCHEMA]
        for name in found | expected:
            one, two = found.get(name, _NEVER), expected.get(name, _NEVER)
            if type(one) is not type(two) or one != two:
                self.findings.fail("form", event, str(_attribute(name, one)), _attribute(name, two))
        if len(pairs) > len(found):
            self.findings.fail("form", event, "an attribute for the second time", expects("each-attribute-once"))


def read_log_file(path: str, findings: Findings) -> LogFile:
    """The events of a file (`-`: standard input), whole; byte-order mark, CRLF and blank lines are accepted.

    What does not hold goes into `findings`. Leaves with the exit code for bad input when it is no log file.
    """
    log, faults = LogFile(findings), []
    number = 0
    with _opened(path) as file:
        for number, line in enumerate(file, 1):
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            line = line.rstrip(b"\r\n")
            if not line or line.isspace():
                continue
            try:
                log.add(line)
            except NotAnEvent as error:
                said = line[:LONGEST_SAID].decode(errors="replace")
                faults.append(Fault(f"{path}:{number}:", said, expects("cloud-event", problem=str(error))))
                if len(faults) == MOST_FAULTS:
                    break
    log.settle()
    if not (faults or log.heads):
        faults.append(Fault(f"{path}:1:", NOTHING, expects("cloud-events")))
    if faults:
        refuse(faults)
    return log


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below; only opening is to be refused
    except OSError as error:
        refuse([unreadable(path, error)])
    with file:
        yield file


def _out_of_order(event: Recorded, head: Head) -> tuple[str, Expected]:
    """What stands where another event belongs, and which one: lost ones by their number."""
    due = head.position + 1
    if event.position < due:
        return f"position {event.position} after position {head.position}", expects("position", position=due)
    missing = expects("position-of-missing-event", position=due)
    if event.position > due + 1:
        missing = expects("position-of-missing-events", position=due, last=event.position - 1)
    after = f"after position {head.position}" if head.position else "at the beginning"
    return f"position {event.position} {after}", missing


def _attribute(name: str, value: object) -> Expected:
    if value is _NEVER:
        return expects("no-attribute", name=name)
    return expects("attribute", name=name, value=json.dumps(value)[:100])
