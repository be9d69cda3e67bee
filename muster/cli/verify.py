"""`muster verify`: check every link of exported logs, and decide every command again."""

from __future__ import annotations

import codecs
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import IO, Any

import click
from msgspec.structs import asdict

from muster.audit.draws import compare_beacons
from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from muster.audit.seasons import audit_season
from muster.cli.command_group import example
from muster.cli.offline_input import text_or_json
from muster.cli.output import NOT_HELD, as_object, line_of, print_lines, progress_bar, refuse, unreadable, write
from shared.clock import utc_now
from shared.environment import QUICKNET
from shared.log.cloudevents import NotAnEvent, from_wire, is_own_schema, to_wire
from shared.log.event import EMPTY_HEAD, Head, Recorded, compute_hash, event_id
from shared.log.log import BrokenLog, verify
from shared.refusals import MAX_SHOWN_LENGTH, NOTHING, Expected, Fault, expects
from shared.service.draws import BeaconAway, read_signature

TOGETHER = 1000
"""Events of one log that are verified together."""

MOST_FAULTS = 20
"""Unreadable lines after which reading stops: the file is not a log."""

SIGNATURE, SCHEMA = "signature", "dataschema"
"""Attributes of a line that are not part of the event."""

_NEVER = object()


class LogFile:
    """Reads the lines of a file into `logs` by source, and reports failures to `findings`.

    keep: keep the events in `logs`; otherwise only the heads.
    """

    def __init__(self, findings: Findings, *, keep: bool = True) -> None:
        self.findings = findings
        self.tournament = ""
        self.logs: dict[str, list[Recorded]] = {}
        self.heads: dict[str, Head] = {}
        self._keep = keep
        self._waiting: dict[str, list[Recorded]] = {}

    def add(self, line: bytes) -> Recorded:
        """Add one line, without its line end. Raises NotAnEvent if it is not an event of Muster in JSON."""
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
        self.heads.setdefault(event.source, EMPTY_HEAD)  # in the order of the file
        show_waiting = self._waiting.setdefault(event.source, [])
        show_waiting.append(event)
        if len(show_waiting) == TOGETHER:
            self._settle(event.source)
        return event

    def settle(self) -> None:
        """Verify the events that are still waiting."""
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
            except BrokenLog as broken:
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
        if event.hash != (right := compute_hash(event)):
            self.findings.fail("hash", event, f"hash {event.hash}", expects("hash-of-content", hash=right))
        if event.id != (id := event_id(event.source, event.tournament, event.position)):
            self.findings.fail("id", event, f"id {event.id}", expects("value", value=id))

    def _check_form(self, line: bytes, event: Recorded) -> None:
        """Check that a line has exactly the attributes of its event; white space does not matter.

        The attribute `signature` is ignored: there is no key to check it with.
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
        if is_own_schema(found.get(SCHEMA), event):  # at the address of the service that handed the line out
            found[SCHEMA] = expected[SCHEMA]
        for name in found | expected:
            one, two = found.get(name, _NEVER), expected.get(name, _NEVER)
            if type(one) is not type(two) or one != two:
                self.findings.fail("form", event, str(_attribute(name, one)), _attribute(name, two))
        if len(pairs) > len(found):
            self.findings.fail("form", event, "an attribute for the second time", expects("each-attribute-once"))


def read_log_file(path: str, findings: Findings) -> LogFile:
    """Read a log file (`-`: standard input); a byte-order mark, CRLF and blank lines are accepted.

    Failures are reported to `findings`. Exit with the code for bad input if it is not a log file.
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
                said = line[:MAX_SHOWN_LENGTH].decode(errors="replace")
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
    """Return the position found and the positions expected at a gap or a repetition."""
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


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="LOG.jsonl...")
@click.option(
    "--heads",
    "with_heads",
    is_flag=True,
    help="Also print where each log ends, so that you can compare it with a service.",
)
@click.option(
    "--beacon",
    metavar="URL",
    default="",
    help="Also compare each value of the public beacon with this drand server, for example "
    f"https://api.drand.sh/{QUICKNET}.",
)
@text_or_json
@example("muster verify spring.jsonl")
def command(files: tuple[str, ...], with_heads: bool, beacon: str, form: str) -> None:
    """Verify exported logs.

    Checks every hash, link and time, decides every command again from what its service had seen, and checks that the
    caller was allowed to give it. Prints one line for each log, and a line for each failure; the exit code is then 1.
    Give the log of a season together with those of its tournaments. - is standard input.
    """
    found = {file: Findings() for file in files}
    logs = {file: read_log_file(file, findings) for file, findings in found.items()}
    if faults := list(_faults_of_files(logs)):
        refuse(faults)
    _audit(logs, found, beacon)
    if form == "json":
        write(as_object(_as_json(logs, found)), "-")
    else:
        _tell(logs, found, with_heads)
    if any(findings.failures for findings in found.values()):
        raise SystemExit(NOT_HELD)


def _tell(logs: Mapping[str, LogFile], found: Mapping[str, Findings], with_heads: bool) -> None:
    """Print failures to standard error and a line for each log to standard output."""
    several = len(logs) > 1
    for file, log in logs.items():
        failures = failures_in_order(found[file].failures, list(log.heads))
        print_lines([as_line(failure, f"{log.tournament} " if several else "") for failure in failures])
        click.echo(_line(log, found[file], len(failures)))
        for line in _heads(log.heads) if with_heads else ():
            click.echo(line)


def _as_json(logs: Mapping[str, LogFile], found: Mapping[str, Findings]) -> dict[str, Any]:
    """Return the findings as one JSON object."""
    reports = []
    for file, log in logs.items():
        failures = failures_in_order(found[file].failures, list(log.heads))
        counts = found[file].counts
        heads = {source: {"position": head.position, "hash": head.hash} for source, head in log.heads.items()}
        reports.append(
            {"file": file, "tournament": log.tournament, "holds": not failures, "events": _events(log)}
            | {
                "commands": counts["commands"],
                "heads": heads,
                "failures": [asdict(one) | {"expected": str(one.expected)} for one in failures],
            }
            | {"notes": {name.replace(" ", "_"): counts[name] for name in NOTES if counts[name]}}
        )
    return {"holds": all(one["holds"] for one in reports), "logs": reports}


def _events(log: LogFile) -> int:
    return sum(map(len, log.logs.values()))


def _faults_of_files(logs: Mapping[str, LogFile]) -> Iterator[Fault]:
    """Yield a fault for each tournament that two files hold."""
    known: dict[str, str] = {}
    for file, log in logs.items():
        if other := known.get(log.tournament):
            yield Fault(file, log.tournament, expects("each-tournament-once", file=other))
        known[log.tournament] = file


def _audit(logs: Mapping[str, LogFile], found: Mapping[str, Findings], beacon: str) -> None:
    total = sum(head.position for log in logs.values() for head in log.heads.values())
    with progress_bar("deciding again", total) as done:
        decoded = {log.tournament: audit(log.logs, found[file], utc_now(), done) for file, log in logs.items()}
    for file, log in logs.items():
        audit_season(decoded[log.tournament], decoded, found[file])
        for source in decoded[log.tournament].values() if beacon else ():
            try:
                compare_beacons(source, found[file], partial(read_signature, beacon))
            except BeaconAway as away:
                refuse([Fault("--beacon", beacon, expects("beacon-answer", problem=str(away)))])


def failures_in_order(failures: Sequence[Failure], sources: Sequence[str]) -> list[Failure]:
    """Return the failures by log, in the order of the file, and by position."""
    place = {source: index for index, source in enumerate(sources)}
    return sorted(failures, key=lambda failure: (place.get(failure.source, len(place)), failure.position))


def as_line(failure: Failure, tournament: str = "") -> str:
    """Return the line of a failure: log, position, event, what was found, what was expected."""
    return line_of(tournament + place_of(failure), failure.found, failure.expected)


def place_of(failure: Failure) -> str:
    """Return where a failure is: log, position and event."""
    return f"{failure.source} {failure.position} ({failure.event})"


def _line(log: LogFile, findings: Findings, failures: int) -> str:
    counts = findings.counts
    events = _events(log)
    held = _many(failures, "failure") if failures else "OK"
    notes = "; ".join(_notes(counts))
    line = f"{log.tournament}: {held}, {_many(events, 'event')}, {_many(counts['commands'], 'command')} re-decided"
    return f"{line} ({notes})" if notes else line


def _notes(counts: Counter[str]) -> Iterator[str]:
    """Yield the notes: facts that are not failures."""
    for word, one, several in NOT_DECIDED:
        if counts[word]:
            said = f"1 event {one}" if counts[word] == 1 else f"{counts[word]} events {several}"
            yield f"nothing re-decided, since {said}"
    for word, thing, said in NOTED:
        if counts[word]:
            yield f"{_many(counts[word], thing)} {said}"


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {PLURALS.get(thing, thing + 's')}"


PLURALS = {"die": "dice", "entry": "entries"}
NOT_DECIDED = (
    ("missing", "is missing", "are missing"),
    ("unread", "cannot be read", "cannot be read"),
)
"""Count, and why no command was decided again: singular, plural."""
NOTED = (
    ("beyond the ends", "command", "not re-decided: the events that they had seen are not in the file"),
    ("not provable", "command", "signed with this installation's key, which an export alone cannot prove"),
    ("other decisions", "command", "decided by an earlier version of the rules"),
    ("draws checked", "draw", "checked with revealed secrets"),
    ("draws sealed", "draw", "whose secret is not revealed yet"),
    ("draws committed late", "draw", "by a secret that was committed to only when it was used"),
    ("draws lost", "draw", "by a lost secret, which cannot be checked"),
    ("beacons read", "value", "of the public beacon mixed into draws"),
    ("beacons compared", "value", "of the public beacon compared with a server"),
    ("beacons missed", "value", "of the public beacon that could not be read in time"),
    ("secrets lost", "secret", "lost before it was revealed"),
    ("unconfirmed", "die", "reported from the table and not confirmed by a second person"),
    ("reported_by_staff", "die", "reported by staff, and the witness has not spoken"),
    ("disputed", "die", "denied by its witness, without a ruling yet"),
    ("rejected", "die", "rejected by a ruling"),
    ("discarded", "die", "discarded by a correction or voiding"),
    ("results compared", "result", "compared with the logs of tournaments"),
    ("results not at hand", "result", "not compared: the logs of their tournaments were not given"),
    ("entries compared", "entry", "compared with the logs of tournaments"),
    ("entries not at hand", "entry", "not compared: the logs of their tournaments were not given"),
    ("results not taken", "tournament", "with results that the season has not taken yet"),
)
"""Count, the thing counted, and the rest of the note."""
NOTES = tuple(row[0] for row in (*NOT_DECIDED, *NOTED))


def _heads(heads: Mapping[str, Head]) -> Iterator[str]:
    for source, head in heads.items():
        yield f"  {source:<12} {head.position:>6} events, head {head.hash}"
