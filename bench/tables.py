"""What was found, printed for people."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from bench.findings import Found, Goal, Table
from bench.machine import Machine


def show(console: Console, found: Found) -> None:
    """Print one benchmark's tables."""
    console.print()
    console.rule(f"[bold]{found.benchmark}[/]  {found.seconds:.0f} s, load before {found.load:.2f}")
    for table in found.tables:
        _table(console, table)


def header(machine: Machine) -> list[str]:
    """Two lines that say where it was measured."""
    engines = [f"SQLite {machine.sqlite}"]
    engines += [f"PostgreSQL {machine.postgresql}"] if machine.postgresql else []
    engines += [f"RabbitMQ {machine.rabbitmq}"] if machine.rabbitmq else []
    return [
        f"{machine.cpu}, {machine.cores} cores, {machine.memory_gb} GB, {machine.system}, Python {machine.python}",
        ", ".join([*engines, *(f"{name} {number}" for name, number in machine.libraries.items())]),
    ]


def number(value: float) -> str:
    """A number as people read it: 12,345 or 3.21."""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def figure(value: float, unit: str = "") -> str:
    """A number with its unit: 12,345 events/s, or 1.42 × for a ratio."""
    return f"{number(value)} {unit or '×'}"


def judged(goal: Goal) -> str:
    """`met by 12 %`, or `missed by 12 %`."""
    return f"{'met' if goal.met else 'missed'} by {abs(goal.margin):.0%}"


def _table(console: Console, table: Table) -> None:
    grid = Grid(title=table.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    grid.add_column("", overflow="fold", max_width=60)
    tail = any(row.p99 is not None for row in table.rows)
    for name in ("median", "min", "max", *(["p99"] if tail else []), "samples"):
        grid.add_column(name, justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for row in table.rows:
        cells = [number(row.median), number(row.low), number(row.high)]
        if tail:
            cells.append("" if row.p99 is None else number(row.p99))
        grid.add_row(row.name, *cells, str(row.samples), row.unit)
    console.print(grid)
    for goal in table.goals:
        colour = "green" if goal.met else "red"
        bound = f"{'≥' if goal.at_least else '≤'} {figure(goal.goal, goal.unit)}"
        said = f"  goal  {goal.what}: {figure(goal.figure, goal.unit)}, {bound}: [{colour}]{judged(goal)}[/]"
        console.print(said, highlight=False)
    for note in table.notes:
        console.print(f"  {note}", style="dim", markup=False, highlight=False)
    if table.disk is not None:
        disk = table.disk
        seen = f"fdatasync {disk.median:.0f} µs (medians of {disk.looks} looks: {disk.low:.0f} to {disk.high:.0f})"
        console.print(f"  {seen}", style="dim", highlight=False)
