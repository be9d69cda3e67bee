"""`muster replay`: standings from an exported log alone."""

from __future__ import annotations

from typing import Any

import click

from muster.audit.findings import Findings
from muster.audit.logs import decode_log
from muster.audit.replay import CannotFold, NotReplayable, RoundNotClosed, replay_placings
from muster.cli.command_group import example
from muster.cli.offline_input import format_option, output_option
from muster.cli.output import (
    NOT_HELD,
    as_json,
    as_table,
    line_of,
    mark_provisional,
    print_faults,
    print_lines,
    refuse,
    write,
)
from muster.cli.verify import as_line, failures_in_order, read_log_file
from shared.csv_cells import to_csv
from shared.formats import FORMATS
from shared.refusals import Fault, Refusal, display_text, either, expects
from shared.tournament.format import Placings


@click.command("replay")
@click.argument("file", metavar="LOG.jsonl")
@click.option(
    "--round",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="Standings after this round, or of a season its standings with this number. Default: the latest.",
)
@format_option
@output_option
@example("muster replay spring.jsonl --round 2")
def command(file: str, number: int | None, form: str, output: str) -> None:
    """Compute the standings from an exported log alone.

    Works for tournaments, leagues, seasons and co-operative events. Standings of a round that is still open are
    provisional. Links and hashes of the log are checked on the way; `muster verify` checks everything else. LOG.jsonl
    can be - for standard input.
    """
    findings = Findings()
    log = read_log_file(file, findings)
    decoded = {source: decode_log(events, findings) for source, events in log.logs.items()}
    if findings.failures:
        print_lines(map(as_line, failures_in_order(findings.failures, list(log.heads))))
        raise SystemExit(NOT_HELD)
    try:
        found = replay_placings(decoded, number)
    except NotReplayable as error:
        refuse([Fault(file, display_text(str(error)), expects("log-of-format", formats=either(list(FORMATS))))])
    except RoundNotClosed as error:
        expected = expects("closed-round", rounds=list(error.closed)) if error.closed else expects("no-closed-round")
        refuse([Fault("--round", display_text(number), expected)])
    except CannotFold as error:
        where = f"{error.event.source} {error.event.position} ({error.event.id})"
        print_lines([line_of(where, str(error), expects("possible-event"))])
        raise SystemExit(NOT_HELD) from error
    except Refusal as refusal:
        print_lines([line_of(file, refusal.detail, expects("results-to-rank"))])
        print_faults(refusal.faults)
        raise SystemExit(NOT_HELD) from refusal
    if form == "json":
        write(as_json(mark_provisional(found.rows, provisional=found.provisional)), output)
    elif form == "csv":
        write(to_csv([*found.columns, *found.marks], [_in_cells(row) for row in found.rows]), output)
    else:
        rows = [_in_cells(row) | {"note": _note(row, found)} for row in found.rows]
        columns = [*found.columns, *(["note"] if found.marks else [])]
        write(as_table(columns, rows, found.words.columns, output=output), output)
    if found.provisional:
        click.echo(found.provisional, err=True)


def _in_cells(row: dict[str, Any]) -> dict[str, Any]:
    return {name: ", ".join(value) if isinstance(value, list) else value for name, value in row.items()}


def _note(row: dict[str, Any], found: Placings) -> str:
    """Return the note of a row: a status, out of the running, or a tie broken by lot."""
    if "eligible" in found.marks:
        return ", ".join(filter(None, [row.get("status", ""), "not eligible" * (not row["eligible"])]))
    return ", ".join(filter(None, [row.get("status", ""), found.words.tied if row.get("tied") else ""]))
