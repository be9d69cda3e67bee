"""`python -m bench.report`: write the figures of bench/results/latest.json into docs/performance.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.catalogue import BENCHMARKS
from bench.findings import Found, Goal, Table
from bench.store import latest
from bench.tables import figure, header, judged, number

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- figures: written by `python -m bench.report` -->", "<!-- end of figures -->"
BUSY = 0.5
"""Load for each core before a benchmark beyond which something else was running."""


def main() -> int:
    """Put the figures between the two marks. Exit codes: 0 done, 2 there is nothing to put, or no marks."""
    found = latest()
    text = PAGE.read_text()
    if not found or BEGIN not in text or END not in text:
        print("no figures kept yet (run `make bench`), or no marks in docs/performance.md", file=sys.stderr)
        return 2
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{figures(found)}\n{END}{after}")
    return 0


def figures(found: Sequence[Found]) -> str:
    """Everything that was found, as Markdown: goals at a glance first, then every table."""
    order = list(BENCHMARKS)
    sorted_found = sorted(found, key=lambda each: order.index(each.benchmark) if each.benchmark in order else 99)
    lines = ["### Goals at a glance", "", "| goal | figure | asked for | |", "|---|---:|---:|---|"]
    for each in sorted_found:
        lines += [_goal(table, goal) for table in each.tables for goal in table.goals]
    for each in sorted_found:
        lines += ["", *_benchmark(each)]
    return "\n".join(lines) + "\n"


def _goal(table: Table, goal: Goal) -> str:
    bound = f"{'≥' if goal.at_least else '≤'} {figure(goal.goal, goal.unit)}"
    return f"| {table.title}: {goal.what} | {figure(goal.figure, goal.unit)} | {bound} | {judged(goal)} |"


def _benchmark(found: Found) -> Iterator[str]:
    yield f"### {found.benchmark}"
    yield ""
    yield f"{found.date[:10]}, {found.seconds:.0f} s, load before it {found.load:.2f}. " + " ".join(
        f"{line}." for line in header(found.machine)
    )
    if found.load > BUSY * found.machine.cores:
        yield ""
        yield "**Something else was running on this machine: read these figures as rough.**"
    for table in found.tables:
        yield ""
        yield from _table(table)


def _table(table: Table) -> Iterator[str]:
    tail = any(row.p99 is not None for row in table.rows)
    yield f"**{table.title}**"
    yield ""
    yield f"| | median | min – max |{' p99 |' if tail else ''} unit | samples |"
    yield f"|---|---:|---:|{'---:|' if tail else ''}---|---:|"
    for row in table.rows:
        p99 = (f" {number(row.p99)} |" if row.p99 is not None else " |") if tail else ""
        span = f"{number(row.low)} – {number(row.high)}"
        yield f"| {row.name} | {number(row.median)} | {span} |{p99} {row.unit} | {row.samples} |"
    notes = list(table.notes)
    if table.disk is not None:
        disk = table.disk
        notes.append(f"fdatasync meanwhile: {disk.median:.0f} µs ({disk.low:.0f} to {disk.high:.0f}).")
    if notes:
        yield ""
        yield " ".join(note if note.endswith(".") else f"{note}." for note in notes)


if __name__ == "__main__":
    sys.exit(main())
