"""Five markers on numbered lines: who can hold which, and how few are free at the end. FS-GAM-6 to FS-GAM-8.

The document numbers lines from two table edges. Allies stand at one edge, and count alike. Where there are three sides
or more each reads lines from its own edge, so that only the middle line is surely the same marker for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from shared.formats.campaign.rules.dice import check_succeeds
from shared.formats.campaign.rules.reported import GameReport
from shared.formats.campaign.rules.sides import Sides, allies_of
from shared.formats.campaign.rules.tables import Rules
from shared.refusals import Fault


def marker_taken(naturals: Sequence[int], attribute: int, *, held: bool) -> bool:
    """Whether checks on the objective's attribute take a marker: one, or two for a marker that a rival holds. FS-GAM-7.

    naturals: the faces of the D12, as many as that. Raises ValueError for another number.
    """
    if len(naturals) != 1 + held:
        raise ValueError(f"{1 + held} dice for this marker, not {len(naturals)}")
    return all(check_succeeds(natural, attribute) for natural in naturals)


def uncontrolled(rules: Rules, report: GameReport) -> int:
    """Markers that nobody controls at the end."""
    return len(rules.core.lines) - sum(len(side.lines) for side in report.sides)


def faults_of_markers(rules: Rules, report: GameReport, sides: Sides = ()) -> Iterator[Fault]:
    """A marker has one controller, and there are five. FS-GAM-6, FS-REP-4, FS-AMB-47."""
    sides = sides or [[told.group] for told in report.sides]
    for (number, one), (_, other) in combinations(enumerate(report.sides), 2):
        allied = other.group in allies_of(sides, one.group)
        for line in sorted(set(one.lines)):
            theirs = _same_marker(rules, line, allied=allied, edges=len(sides))
            if theirs in other.lines:
                said = f"line {line}, which {other.group} claims as its line {theirs}"
                yield Fault(f"/sides/{number}/lines", said, "one controller for each marker", "FS-REP-4")
    if uncontrolled(rules, report) < 0 and len(sides) > 2:
        most = len(rules.core.lines)
        said = f"{sum(len(told.lines) for told in report.sides)} lines held by all together"
        yield Fault("/sides", said, f"at most {most}, as many as there are markers", "FS-GAM-6")


def _same_marker(rules: Rules, line: int, *, allied: bool, edges: int) -> int | None:
    """What another group calls the marker on a line of one group; nothing where that cannot be known."""
    known = rules.core.lines
    if allied or rules.options.line_numbering == "absolute":
        return line
    mirrored = known[0] + known[-1] - line
    return mirrored if edges == 2 or mirrored == line else None
