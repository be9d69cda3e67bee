"""`muster export`: write the three logs of a tournament to one file. Each is read from its owner and verified."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import IO

import click
import msgspec

from muster.audit.findings import Findings
from muster.cli.command_group import example
from muster.cli.connection import connect, online
from muster.cli.offline_input import output_option
from muster.cli.output import NOT_HELD, line_of, print_lines, progress_bar, refuse, unwritable
from muster.cli.verify import LogFile, place_of
from muster_client import Muster, answers
from muster_client.record import LogTooShort, read_logs
from shared.log.cloudevents import NotAnEvent, to_wire
from shared.refusals import expects
from shared.settings import SERVICES

IN_MEMORY = 32 * 1024 * 1024
"""Bytes of a log kept in memory; the rest goes to a temporary file."""


class Incomplete(Exception):
    """A service did not return events that must exist; nothing was written."""


@click.command("export")
@click.argument("tournament", metavar="ID")
@online
@output_option
@example("muster export t-5f0c7d1e6f0a --output spring.jsonl")
def command(tournament: str, output: str) -> None:
    """Export the three logs of a tournament as one file, one CloudEvent a line.

    The file shows one moment on which all three logs agree. Nothing is written unless every hash, link and position
    holds.
    """
    muster = connect(following=False)  # an owner's log is whole, however far its copies are
    with ExitStack() as stack:
        spools = {source: stack.enter_context(SpooledTemporaryFile(IN_MEMORY)) for source in SERVICES}
        try:
            ends = gather(muster, tournament, spools)
        except Incomplete as error:
            print_lines([line_of(*error.args)])
            raise SystemExit(NOT_HELD) from error
        try:
            file = sys.stdout.buffer if output == "-" else stack.enter_context(open(output, "wb"))
        except OSError as error:
            refuse([unwritable(output, error)])
        for spool in spools.values():
            spool.seek(0)
            shutil.copyfileobj(spool, file)
        file.flush()
    counts = ", ".join(f"{source} {position}" for source, position in ends.items())
    click.echo(f"{tournament}: {sum(ends.values())} events ({counts})", err=True)


def gather(muster: Muster, tournament: str, spools: Mapping[str, IO[bytes]]) -> dict[str, int]:
    """Read the logs into `spools`. Return the position to which each source was read.

    The logs grow while they are read. Each is read until it holds everything that the others had seen of it, so the
    file shows one moment on which all three agree. Raises Incomplete with place, found and expected.
    """
    findings = Findings()
    log = LogFile(findings, keep=False)
    heads = {source: muster.service(source).heads(tournament).heads.get(source) for source in SERVICES}
    ends = {source: head.position if head else 0 for source, head in heads.items()}
    with progress_bar(f"exporting {tournament}", sum(ends.values())) as read:

        def take(source: str, position: int, line: bytes) -> Mapping[str, int]:
            seen = _checked(log, tournament, source, position, heads[source], line, spools[source])
            read(1)
            return seen

        try:
            have = read_logs(muster, tournament, take, ends)
        except LogTooShort as error:
            expected = expects("events-up-to", position=error.wanted)
            raise Incomplete(error.source, f"no event after {error.after}", expected) from error
    log.settle()
    if findings.failures:
        failure = findings.failures[0]
        raise Incomplete(place_of(failure), failure.found, failure.expected)
    return have


def _checked(
    log: LogFile,
    tournament: str,
    source: str,
    position: int,
    head: answers.HeadView | None,
    line: bytes,
    spool: IO[bytes],
) -> Mapping[str, int]:
    """Check a line and write it to the spool. Return what its event had seen of the other logs. Raises Incomplete."""
    try:
        event = log.add(line)
        seen = msgspec.json.decode(event.seen, type=dict[str, int])
    except (NotAnEvent, msgspec.MsgspecError) as error:
        raise Incomplete(source, str(error), expects("event-of-muster")) from error
    place = (event.source, event.tournament, event.position)
    if place != (source, tournament, position):
        expected = expects("event-at", source=source, tournament=tournament, position=position)
        raise Incomplete(source, "{} {} {}".format(*place), expected)
    if head is not None and event.position == head.position and event.hash != head.hash:
        raise Incomplete(event.id, f"hash {event.hash}", expects("hash-of-head", hash=head.hash, source=source))
    spool.write(to_wire(event) + b"\n")  # without what vouched for the page
    return seen
