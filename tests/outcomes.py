"""What each fault and each attack did, kept while tests run and printed as one table at the end of `make faults`.

Every test in tests/faults is a row, and every test anywhere with the mark `attack`. What stands in the columns is
filled in by whoever knows it: a Load, and what is checked after it. A row that lost or doubled something failed its
test as well, so that the exit code is pytest's own.

    outcomes.current().lost = 0       # the row of the test that runs
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

FAULTS = Path(__file__).parent / "faults"
PROPERTY = "outcome"
HEADER = (
    *("fault or attack", "engines", "acknowledged", "lost", "doubled", "unexpected"),
    *("answers after", "agrees after", ""),
)
NOTE = """acknowledged: commands that callers were told are done; lost and doubled: how many of these.
unexpected: answers other than 200, 201 and 503, and commands in a log that nobody was told of.
answers after: seconds from the end of the fault until all services are ready and a command sent since is acknowledged.
agrees after: seconds from the end of the fault until every service holds all that the logs held at that end.
Of several faults in one test the longest time counts. A row without figures asks for something else than commands."""


@dataclass
class Outcome:
    """One row. None: not known, or not asked. answers, agrees: seconds, the longest so far; held: the test passed."""

    name: str
    engines: str = ""
    acknowledged: int = 0
    lost: int | None = None
    doubled: int | None = None
    unexpected: int | None = None
    answers: float | None = None
    agrees: float | None = None
    held: bool = True

    def count(self, *, lost: int = 0, doubled: int = 0, unexpected: int = 0) -> None:
        """Add to what was found, if it is nothing."""
        self.lost = (self.lost or 0) + lost
        self.doubled = (self.doubled or 0) + doubled
        self.unexpected = (self.unexpected or 0) + unexpected

    def recovered(self, answers: float | None, agrees: float | None) -> None:
        """Note seconds since the end of a fault; None leaves open what never came."""
        self.answers = max(filter(None, (self.answers, answers)), default=None)
        self.agrees = max(filter(None, (self.agrees, agrees)), default=None)

    def cells(self) -> list[str]:
        """The row as text, in the order of HEADER."""
        figures = [_shown(figure) for figure in (self.lost, self.doubled, self.unexpected, self.answers, self.agrees)]
        acknowledged = f"{self.acknowledged:,}" if self.acknowledged else "–"
        return [self.name, self.engines or "–", acknowledged, *figures, "held" if self.held else "FAILED"]


_current = Outcome("nothing")


def current() -> Outcome:
    """The row of the test that runs in this process."""
    return _current


class Table:
    """Collects the rows from every process of a run. file: `.md` or `.json`, where they are written too."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._rows: dict[str, Outcome] = {}
        self._failed: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        global _current
        _current = Outcome(name_of(item))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if is_row(item):
            item.user_properties.append((PROPERTY, asdict(_current)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)
        if report.when == "call" and not report.skipped:
            self._rows.setdefault(report.nodeid, Outcome(report.nodeid))
        if report.when == "teardown":
            told: dict[str, Any] = dict(report.user_properties)
            ran = self._rows.pop(report.nodeid, None) or report.nodeid in self._failed
            if ran and PROPERTY in told:
                self._rows[report.nodeid] = Outcome(**told[PROPERTY])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        rows = [
            Outcome(**{**asdict(row), "held": nodeid not in self._failed})
            for nodeid, row in sorted(self._rows.items())
            if row.name != nodeid
        ]
        if not rows:
            return
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(as_json(rows) if self._file.suffix == ".json" else as_markdown(rows))
        terminalreporter.section("faults and attacks")
        for line in aligned([HEADER, *(row.cells() for row in [*rows, total(rows)])]):
            terminalreporter.write_line(line)
        for line in NOTE.splitlines():
            terminalreporter.write_line(line)


def is_row(item: pytest.Item) -> bool:
    """Whether a test is a fault or an attack."""
    return item.path.is_relative_to(FAULTS) or item.get_closest_marker("attack") is not None


def name_of(item: pytest.Item) -> str:
    """What a row is called: what its mark says, or the name of the test as words; with its parameters, but engines."""
    mark = item.get_closest_marker("attack") or item.get_closest_marker("fault")
    function = getattr(item, "originalname", None) or item.name.partition("[")[0]
    name = str(mark.args[0]) if mark and mark.args else function.removeprefix("test_").replace("_", " ")
    parameters = item.name.partition("[")[2].removesuffix("]")
    for engines in ("sqlite-folder", "postgresql-rabbitmq"):
        parameters = parameters.replace(engines, "").strip("-")
    return f"{name} ({parameters})" if parameters else name


def total(rows: Iterable[Outcome]) -> Outcome:
    """All rows as one; of the times the longest."""
    whole = Outcome("all")
    for row in rows:
        whole.acknowledged += row.acknowledged
        if row.lost is not None:
            whole.count(lost=row.lost, doubled=row.doubled or 0, unexpected=row.unexpected or 0)
        whole.recovered(row.answers, row.agrees)
        whole.held = whole.held and row.held
    return whole


def aligned(rows: Iterable[Iterable[str]]) -> list[str]:
    """Rows of text as lines, with columns below one another; figures to the right."""
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    text = (0, 1, len(HEADER) - 1)
    return [
        "  ".join(
            cell.ljust(width) if at in text else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]


def as_markdown(rows: list[Outcome]) -> str:
    """The table for a page of the documentation."""
    lines = [HEADER, ("---", "---", *["---:"] * (len(HEADER) - 3), "---")]
    lines += [tuple(row.cells()) for row in [*rows, total(rows)]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{NOTE}\n"


def as_json(rows: list[Outcome]) -> str:
    """The rows as an array of objects."""
    return json.dumps([asdict(row) for row in rows], indent=2) + "\n"


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.1f}" if isinstance(figure, float) else f"{figure:,}"
