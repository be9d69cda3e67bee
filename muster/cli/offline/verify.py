"""`muster verify`: whether an exported log holds, link by link, and whether all that was computed is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import click

from muster.audit.findings import Failure, Findings
from muster.cli.faults import NOT_HELD, refuse, tell
from muster.cli.offline.terminal import printable
from shared.events.recorded import Head
from shared.refusals import Fault


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
    # Imported only now: listing the commands needs none of it.
    from muster.audit.logs import audit
    from muster.cli.offline.log_file import read_log_file
    from muster.cli.offline.shown_rosters import compare, faults_of_players, read_view, submitted_last
    from shared.clock import utc_now

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
    failures = [*map(as_fault, in_order(findings.failures, list(log.heads))), *compared.failures]
    tell(failures)
    held = f"{len(failures)} failures" if failures else "everything holds"
    click.echo(f"{log.tournament}: {sum(map(len, log.logs.values()))} events, {held}")
    for line in (*_heads(log.heads), *_counts(findings.counts)):
        click.echo(line)
    for line in compared.held:
        click.echo(f"  {line}")
    if failures:
        raise SystemExit(NOT_HELD)


def in_order(failures: Sequence[Failure], sources: Sequence[str]) -> list[Failure]:
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
