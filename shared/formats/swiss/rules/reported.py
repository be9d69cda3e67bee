"""The points scheme `as_reported`: the points of a game count as they are, the higher side wins.

Source: general use (chess: 1, ½ and 0, kept as 2, 1 and 0 halves; games that score both sides by themselves).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from shared.formats.swiss.rules.game_parts import Concession, ReportedPoints, Result, Scenario
from shared.formats.swiss.rules.outcomes import by_points
from shared.refusals import Fault, as_said, expects
from shared.rules.model import Facts, Outcome, Score, Side


def score_as_reported(
    facts: Facts, scheme: ReportedPoints, form: Result, concession: Concession, scenarios: Sequence[Scenario]
) -> Score | list[Fault]:
    """Outcome and points of a played game, or everything that makes its facts impossible.

    A side that conceded has nothing whatever was reported, the other side `most`.
    """
    if facts.conceded_by is not None:
        won, lost = {scheme.points: scheme.most}, {scheme.points: 0} | concession.conceder
        return Score("loss", "win", lost, won) if facts.conceded_by == 1 else Score("win", "loss", won, lost)
    faults: list[Fault] = []
    scores = [_points(side, points, scheme, faults) for side, points in ((1, facts.points_1), (2, facts.points_2))]
    if not faults and scheme.together is not None and sum(scores) != scheme.together:
        expected = expects("exactly-together", sum=scheme.together, other=scores[0])
        faults.append(Fault("/points_2", f"{scores[1]}", expected, scheme.cites("together")))
    ended: Literal[1, 2, "draw"] = "draw" if scores[0] == scores[1] else 1 if scores[0] > scores[1] else 2
    if not faults and facts.winner not in (None, ended):
        faults.append(Fault("/winner", f"{facts.winner}", by_points(ended), scheme.clause))
    if faults:
        return faults
    outcomes: dict[object, tuple[Outcome, Outcome]] = {1: ("win", "loss"), 2: ("loss", "win"), "draw": ("draw", "draw")}
    return Score(*outcomes[ended], {scheme.points: scores[0]}, {scheme.points: scores[1]})


def values_made(scheme: ReportedPoints) -> tuple[str, ...]:
    """The name of the one value that the scheme makes."""
    return (scheme.points,)


def counted_value(scheme: ReportedPoints) -> str:
    """The value that the points of an unplayed game would stand for."""
    return scheme.points


def conceded_at_once(scheme: ReportedPoints, told: Facts, side: Side, concession: Concession) -> Facts:
    """The facts of a game that a side gave up before it began."""
    return Facts(points_1=0, points_2=0, conceded_by=side)


def _points(side: int, points: int | None, scheme: ReportedPoints, faults: list[Fault]) -> int:
    if points is None or not 0 <= points <= scheme.most:
        expected = expects("whole-number-range", least=0, most=scheme.most)
        faults.append(Fault(f"/points_{side}", as_said(points), expected, scheme.cites("most")))
    return points or 0
