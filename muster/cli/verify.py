"""`muster verify`: whether exported logs hold, link by link, and whether every command gave what it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from msgspec.structs import asdict

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit
from muster.audit.seasons import audit_season
from muster.cli.command_group import example
from muster.cli.offline.chosen import text_or_json
from muster.cli.offline.log_file import LogFile, read_log_file
from muster.cli.output import NOT_HELD, as_object, line_of, refuse, tell_lines, write
from muster.cli.progress import counted
from shared.clock import utc_now
from shared.log.event import Head
from shared.refusals import Fault, expects


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="LOG.jsonl...")
@click.option(
    "--heads",
    "with_heads",
    is_flag=True,
    help="Also print where each log ends, so that you can compare it with a service.",
)
@text_or_json
@example("muster verify spring.jsonl")
def command(files: tuple[str, ...], with_heads: bool, form: str) -> None:
    """Verify exported logs.

    Muster checks every hash, link and time, decides every command again from what its service had seen, and checks
    that whoever gave it was allowed to. A log that holds gets one line. Otherwise each fault gets a line, and the exit
    code is 1. Give the log of a season together with those of its tournaments. - is standard input.
    """
    found = {file: Findings() for file in files}
    logs = {file: read_log_file(file, findings) for file, findings in found.items()}
    if faults := list(_faults_of_files(logs)):
        refuse(faults)
    _audit(logs, found)
    if form == "json":
        write(as_object(_as_json(logs, found)), "-")
    else:
        _tell(logs, found, with_heads)
    if any(findings.failures for findings in found.values()):
        raise SystemExit(NOT_HELD)


def _tell(logs: Mapping[str, LogFile], found: Mapping[str, Findings], with_heads: bool) -> None:
    """What was found, as lines: failures on standard error, a line for each log on standard output."""
    several = len(logs) > 1
    for file, log in logs.items():
        failures = failures_in_order(found[file].failures, list(log.heads))
        tell_lines([as_line(failure, f"{log.tournament} " if several else "") for failure in failures])
        click.echo(_line(log, found[file], len(failures)))
        for line in _heads(log.heads) if with_heads else ():
            click.echo(line)


def _as_json(logs: Mapping[str, LogFile], found: Mapping[str, Findings]) -> dict[str, Any]:
    """What was found, as one object."""
    told = []
    for file, log in logs.items():
        failures = failures_in_order(found[file].failures, list(log.heads))
        counts = found[file].counts
        heads = {source: {"position": head.position, "hash": head.hash} for source, head in log.heads.items()}
        told.append(
            {"file": file, "tournament": log.tournament, "holds": not failures, "events": _events(log)}
            | {
                "commands": counts["commands"],
                "heads": heads,
                "failures": [asdict(one) | {"expected": str(one.expected)} for one in failures],
            }
            | {"notes": {name.replace(" ", "_"): counts[name] for name in NOTES if counts[name]}}
        )
    return {"holds": all(one["holds"] for one in told), "logs": told}


def _events(log: LogFile) -> int:
    return sum(map(len, log.logs.values()))


def _faults_of_files(logs: Mapping[str, LogFile]) -> Iterator[Fault]:
    """Two files with one tournament."""
    known: dict[str, str] = {}
    for file, log in logs.items():
        if other := known.get(log.tournament):
            yield Fault(file, log.tournament, expects("each-tournament-once", file=other))
        known[log.tournament] = file


def _audit(logs: Mapping[str, LogFile], found: Mapping[str, Findings]) -> None:
    total = sum(head.position for log in logs.values() for head in log.heads.values())
    with counted("deciding again", total) as done:
        heard = {log.tournament: audit(log.logs, found[file], utc_now(), done) for file, log in logs.items()}
    for file, log in logs.items():
        audit_season(heard[log.tournament], heard, found[file])


def failures_in_order(failures: Sequence[Failure], sources: Sequence[str]) -> list[Failure]:
    """Failures by log, in the order of the file, and by position."""
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
    held = _many(failures, "failure") if failures else "everything holds"
    notes = "; ".join(_notes(counts))
    line = f"{log.tournament}: {_many(events, 'event')}, {_many(counts['commands'], 'command')} decided again, {held}"
    return f"{line} ({notes})" if notes else line


def _notes(counts: Counter[str]) -> Iterator[str]:
    """What nothing fails by, and a reader should know."""
    for word, one, several in NOT_DECIDED:
        if counts[word]:
            said = f"1 event {one}" if counts[word] == 1 else f"{counts[word]} events {several}"
            yield f"nothing decided again, since {said}"
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
"""Count, and why no command is decided again: of one event, of several."""
NOTED = (
    ("beyond the ends", "command", "not decided again, since they had seen events that are not here"),
    ("not provable", "command", "by tokens of the installation, which this log does not prove"),
    ("other decisions", "command", "decided by an earlier version of the rules, which differ today"),
    ("draws checked", "draw", "checked by secrets that were revealed"),
    ("draws sealed", "draw", "whose secret is not revealed yet"),
    ("draws committed late", "draw", "by a secret that was committed to no earlier than it was used"),
    ("draws lost", "draw", "by a secret that is lost, which can never be checked"),
    ("secrets lost", "secret", "of draws that was lost before it was revealed"),
    ("unconfirmed", "die", "told at the table that nobody else has confirmed"),
    ("disputed", "die", "denied by whoever was named with it, without a ruling yet"),
    ("rejected", "die", "that does not stand, by a ruling"),
    ("discarded", "die", "discarded by a correction or voiding"),
    ("results compared", "result", "compared with the logs of tournaments"),
    ("results not at hand", "result", "not compared, since the logs of their tournaments were not given"),
    ("entries compared", "entry", "compared with the logs of tournaments"),
    ("entries not at hand", "entry", "not compared, since the logs of their tournaments were not given"),
    ("results not taken", "tournament", "with results that the season has not taken yet"),
)
"""Count, what is counted, and what it says."""
NOTES = tuple(row[0] for row in (*NOT_DECIDED, *NOTED))


def _heads(heads: Mapping[str, Head]) -> Iterator[str]:
    for source, head in heads.items():
        yield f"  {source:<12} {head.position:>6} events, head {head.hash}"
