"""The column that separates two adjacent rows of standings."""

from __future__ import annotations

from types import SimpleNamespace as Some

import pytest

from services.scoring.swiss_views import separating_column
from shared.rules.tiebreakers import TIEBREAKERS

WITHIN = next(name for name, piece in TIEBREAKERS.items() if piece.within_the_group)
PLAIN = next(name for name, piece in TIEBREAKERS.items() if not piece.within_the_group)


def criterion(column, piece=PLAIN, active=True):
    return Some(column=column, piece=piece, active=active)


def row(player, rank, points, met=0, status="active"):
    values = {"points": points} | ({} if met is None else {"met": met})
    return Some(player=player, rank=rank, status=status, values=values)


def asked(one, other, criteria, draws=()):
    ruleset = Some(standings=Some(criteria=criteria))
    shown = [rule.column for rule in criteria if rule.column != "hidden"]
    return separating_column(
        ruleset, Some(columns=shown, draws=[Some(order=list(order)) for order in draws]), one, other
    )


TWO = (criterion("points"), criterion("met"))
AMONG_TIED = (criterion("points"), criterion("met", WITHIN))
HIDDEN = (criterion("points"), criterion("hidden", WITHIN))


@pytest.mark.parametrize(
    ("one", "other", "criteria", "draws", "column"),
    [
        pytest.param(row("a", 1, 9, 1), row("b", 2, 8, 2), TWO, (), "points", id="the first that differs"),
        pytest.param(row("a", 1, 9, 2), row("b", 2, 9, 1), TWO, (), "met", id="the second where the first is equal"),
        pytest.param(row("a", 1, 9), row("b", 1, 9), TWO, (), "", id="they share a rank"),
        pytest.param(row("a", 1, 9), row("b", 2, 9), TWO, ("ba",), "tied", id="a draw"),
        pytest.param(row("a", 1, 1), row("b", 2, 9, status="disqualified"), TWO, (), "disqualified", id="put last"),
        pytest.param(row("a", 1, 9, 5), row("b", 2, 9, 0), AMONG_TIED, (), "met", id="a game between the tied players"),
        pytest.param(row("a", 1, 9, None), row("b", 2, 8, None), AMONG_TIED, (), "points", id="no tie"),
        pytest.param(row("a", 1, 9), row("b", 2, 9), HIDDEN, (), None, id="a column that is not shown"),
        pytest.param(row("a", 1, 9), row("b", 2, 9), AMONG_TIED, ("ab",), "tied", id="a draw behind that"),
    ],
)
def test_the_first_differing_column_separates_rows(one, other, criteria, draws, column):
    assert asked(one, other, criteria, draws) == column


def test_an_inactive_criterion_does_not_separate_rows():
    criteria = (criterion("points", active=False), criterion("met"))
    assert asked(row("a", 1, 9, 2), row("b", 2, 8, 1), criteria) == "met"
