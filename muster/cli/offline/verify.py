"""`muster verify`: whether an exported log holds, link by link, and whether all that was computed is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
import msgspec
from msgspec import Struct

from muster.audit.findings import Failure, Findings
from muster.audit.logs import audit, heard_log
from muster.cli.offline.input_files import NotText, read_text
from muster.cli.offline.log_file import read_log_file
from muster.cli.output import NOT_HELD, printable, refuse, tell
from shared.clock import utc_now
from shared.events.canonical import NotCanonical
from shared.events.recorded import Head, Recorded
from shared.formats.swiss.rules.openness import seal
from shared.refusals import Fault
from shared.tournament.events.registration import RosterSubmitted

ANSWER = "an answer of GET /tournaments/{id}/players/{player}/roster, as JSON"


class Part(Struct):
    """A part that the log has a digest of. salt: empty while the part is not shown."""

    field: str
    salt: str = ""


class ShownRoster(Struct):
    """What registration says of a player's roster, as far as it is looked at."""

    player: str
    roster: dict[str, Any]
    sealed: list[Part]


class Submission(Struct, frozen=True):
    """The roster that a player handed in last. where: its place in the log."""

    event: RosterSubmitted
    where: str


class Compared(Struct):
    """held: a line for each file whose hidden parts are those of the log. failures: what is not."""

    held: list[str] = []
    failures: list[Fault] = []


def read_view(paths: Sequence[str], faults: list[Fault]) -> dict[str, ShownRoster]:
    """File -> the answer in it. What is none, or shows no hidden part, goes into `faults`."""
    found = {}
    for path in paths:
        try:
            shown = msgspec.json.decode(read_text(path), type=ShownRoster)
        except NotText as refusal:
            faults += refusal.faults
        except (msgspec.DecodeError, RecursionError):
            faults.append(Fault(path, "no answer of a service about a roster", ANSWER))
        else:
            if any(part.salt for part in shown.sealed):
                found[path] = shown
            else:
                expected = "a hidden part, asked for by somebody who may see it, or once everybody may"
                faults.append(Fault(path, "no part with its salt", expected))
    return found


def submitted_last(log: Sequence[Recorded]) -> dict[str, Submission]:
    """Player -> the roster handed in last, by registration's log."""
    return {
        heard.event.player: Submission(heard.event, f"{heard.source} {heard.position}")
        for heard in heard_log(log, Findings())
        if isinstance(heard.event, RosterSubmitted)
    }


def faults_of_players(shown: Mapping[str, ShownRoster], last: Mapping[str, Submission]) -> Iterator[Fault]:
    """Rosters of players who handed in none."""
    for path, one in shown.items():
        if one.player not in last:
            yield Fault(path, f"a roster of {one.player}, who handed none in", "one of this tournament")


def compare(shown: Mapping[str, ShownRoster], last: Mapping[str, Submission]) -> Compared:
    """Hold every part that is shown against the log. Source: AR-TIME-6."""
    found = Compared()
    for path, one in shown.items():
        handed_in = last[one.player]
        wrong = list(_differences(path, one, handed_in))
        found.failures += wrong
        if not wrong:
            fields = ", ".join(part.field for part in one.sealed if part.salt)
            found.held.append(f"{path}: {fields} of {one.player} as handed in ({handed_in.where})")
    return found


def _differences(path: str, shown: ShownRoster, last: Submission) -> Iterator[Fault]:
    parts = {part.field: part.salt for part in shown.sealed}
    for field, salt in parts.items():
        if salt:
            digest, right = _digest(salt, field, shown.roster.get(field)), last.event.sealed.get(field, "no digest")
            if digest != right:
                yield _differs(path, field, shown, f"digest {digest}", right, last)
    for field, value in shown.roster.items():
        if field not in parts and value != last.event.roster.get(field):
            right = _as_json(last.event.roster[field]) if field in last.event.roster else "nothing"
            yield _differs(path, field, shown, _as_json(value), right, last)


def _differs(path: str, field: str, shown: ShownRoster, said: str, right: str, last: Submission) -> Fault:
    return Fault(path, f"{field} of {shown.player}: {said}", f"{right}, as handed in ({last.where})")


def _digest(salt: str, field: str, value: Any) -> str:
    try:
        return seal(salt, field, value)
    except NotCanonical as error:
        return f"of nothing that a log holds ({error})"


def _as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:200]


@click.command("verify")
@click.argument("file", metavar="LOG.jsonl")
@click.option(
    "--roster",
    "rosters",
    multiple=True,
    metavar="FILE",
    help="A roster as registration shows it, whose hidden parts are held against their digests. Repeat.",
)
def command(file: str, rosters: tuple[str, ...]) -> None:
    """Verify an exported log (- is standard input).

    Hashes, order, links, ids, schemas, owners, times and what was seen; every recorded standing and every pairing
    computed again, draws included. Exit code 1 and a line for each thing that does not hold.
    """
    faults: list[Fault] = []
    shown = read_view(rosters, faults)
    findings = Findings()
    log = read_log_file(file, findings)
    last = submitted_last(log.logs.get("registration", [])) if shown else {}
    faults += faults_of_players(shown, last)
    if faults:
        refuse(faults)
    audit(log.logs, findings, utc_now())
    compared = compare(shown, last)
    failures = [*map(as_fault, failures_in_order(findings.failures, list(log.heads))), *compared.failures]
    tell(failures)
    held = f"{len(failures)} failures" if failures else "everything holds"
    click.echo(f"{log.tournament}: {sum(map(len, log.logs.values()))} events, {held}")
    for line in (*_heads(log.heads), *_counts(findings.counts)):
        click.echo(line)
    for line in compared.held:
        click.echo(f"  {line}")
    if failures:
        raise SystemExit(NOT_HELD)


def failures_in_order(failures: Sequence[Failure], sources: Sequence[str]) -> list[Failure]:
    """Failures by log, in the order of the file, and by position."""
    place = {source: index for index, source in enumerate(sources)}
    return sorted(failures, key=lambda failure: (place.get(failure.source, len(place)), failure.position))


def as_fault(failure: Failure) -> Fault:
    """A failure as it is told: log, position, event, what was found, what was expected."""
    where = f"{failure.source} {failure.position} ({failure.event})"
    return Fault(*map(printable, (where, failure.found, failure.expected)))


COOP = {"moves": "moves of power tokens", "rankings": "rankings", "seatings": "seatings", "draws": "draws"}
"""What is computed again of a co-operative event -> how it is told."""

SEASON = {"standings": "standings", "results": "results", "identities": "claims, merges and splits"}
"""What is looked at of a season -> how it is told."""


CAMPAIGN = {
    "decisions": "decisions",
    "rolls": "rolls",
    "draws": "of them drawn by the service",
    "groups": "groups",
    "standings": "standings",
    "pairings": "pairings",
}
"""What is computed again of a campaign -> how it is told."""


DICE = {
    "unconfirmed": "rest on one word: nobody else has confirmed them",
    "disputed": "are denied by whoever was named with them: no ruling yet",
    "rejected": "do not stand, by a ruling: what they changed is in entries, or in a game that was voided",
}
"""Mark of dice -> how they are told. Nothing fails by them."""


def _heads(heads: Mapping[str, Head]) -> Iterator[str]:
    for source, head in heads.items():
        yield f"  {source:<12} {head.position:>6} events, head {head.hash}"


def _counts(counts: Counter[str]) -> Iterator[str]:
    yield f"  {counts['rounds']} rounds closed"
    if counts["missing"]:
        lost = "1 event is" if counts["missing"] == 1 else f"{counts['missing']} events are"
        yield f"  standings and pairings not recomputed, since {lost} missing"
        return
    if counts["unread"]:
        yield f"  standings and pairings not recomputed, since {counts['unread']} events cannot be read"
        return
    if counts["decisions"]:
        yield "  recomputed: " + ", ".join(f"{counts[word]} {what}" for word, what in CAMPAIGN.items())
    elif counts["seatings"] or counts["moves"] or counts["rankings"]:
        yield "  recomputed: " + ", ".join(f"{counts[word]} {what}" for word, what in COOP.items())
    elif counts["results"] or counts["identities"]:
        yield "  recomputed: " + ", ".join(f"{counts[word]} {what}" for word, what in SEASON.items())
    else:
        yield f"  recomputed: {counts['standings']} standings, {counts['pairings']} pairings, {counts['draws']} draws"
    if counts["by hand"]:
        yield f"  {counts['by hand']} rounds paired by hand, which nobody can recompute"
    for standing, what in DICE.items():
        if counts[standing]:
            yield f"  {counts[standing]} dice told at the table {what}"
    if counts["entries by hand"]:
        yield f"  {counts['entries by hand']} entries ruled by an organiser, which nobody can recompute"
