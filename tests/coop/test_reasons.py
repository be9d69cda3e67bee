"""Explanations of ranking rows: the comparison with the neighbour, both values, and the clause."""

from __future__ import annotations

import pytest

from shared.coop.ranking import rank_tables, separation_of, table_keys
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from tests.coop.story import operator_data
from tests.coop.test_examples import counted_session

BONDS = shipped_ruleset("atomic-bonds")


def rules(**options):
    return apply_options(BONDS, {f"ab.{key.replace('__', '.')}": value for key, value in options.items()}).ranking


@pytest.mark.parametrize(
    ("first", "second", "options", "expected"),
    [
        pytest.param(
            counted_session("A", "victory", 9, 8, 2),
            counted_session("B", "unfinished", 2, 0, 4),
            {},
            ("outcome", "victory", "unfinished", "AB-RNK-1"),
            marks=pytest.mark.clause("AB-RNK-1"),
        ),
        pytest.param(
            counted_session("A", "victory", 7, 8, 2),
            counted_session("B", "victory", 9, 0, 4),
            {},
            ("fewer rounds", "7", "9", "AB-RNK-2"),
            marks=pytest.mark.clause("AB-RNK-2"),
        ),
        pytest.param(
            counted_session("A", "victory", 7, 4, 2, 12),
            counted_session("B", "victory", 7, 4, 4),
            {},
            ("smaller power", "4/11", "4/9", "AB-RNK-2"),
            marks=pytest.mark.clause("AB-RNK-2", "AB-EX-12"),
        ),
        pytest.param(
            counted_session("A", "victory", 7, 4, 4),
            counted_session("B", "victory", 7, 4, 2),
            {},
            ("more goals", "4", "2", "AB-RNK-2"),
            marks=pytest.mark.clause("AB-RNK-2"),
        ),
        pytest.param(
            counted_session("A", "victory", 7, 3, 2, 20),
            counted_session("B", "victory", 7, 4, 4, 40),
            {"rank__power_measure": "spaces"},
            ("smaller power", "3", "4", "AB-AMB-17"),
            marks=pytest.mark.clause("AB-AMB-17"),
        ),
        pytest.param(
            counted_session("A", "defeat", 6, 9, 2),
            counted_session("B", "defeat", 9, 9, 1),
            {},
            ("more goals", "2", "1", "AB-RNK-3"),
            marks=pytest.mark.clause("AB-RNK-3"),
        ),
        pytest.param(
            counted_session("A", "defeat", 9, 9, 1),
            counted_session("B", "defeat", 6, 9, 1),
            {},
            ("more rounds", "9", "6", "AB-RNK-3"),
            marks=pytest.mark.clause("AB-RNK-3"),
        ),
        pytest.param(
            counted_session("A", "defeat", 6, 9, 1),
            counted_session("B", "defeat", 9, 9, 1),
            {"rank__defeats": "same_keys"},
            ("fewer rounds", "6", "9", "AB-AMB-16"),
            marks=pytest.mark.clause("AB-AMB-16"),
        ),
        pytest.param(
            counted_session("A", "unfinished", 9, 2, 1),
            counted_session("B", "unfinished", 9, 3, 1),
            {},
            ("smaller power", "2/9", "1/3", "AB-RNK-4"),
            marks=pytest.mark.clause("AB-RNK-4"),
        ),
        pytest.param(
            counted_session("A", "unfinished", 9, 2, 3),
            counted_session("B", "defeat", 9, 9, 2),
            {"rank__unfinished": "as_defeat"},
            ("more goals", "3", "2", "AB-RNK-3"),
            marks=pytest.mark.clause("AB-AMB-15"),
        ),
        pytest.param(
            counted_session("A", "abandoned", 1, 0, 0),
            counted_session("B", "abandoned", 5, 3, 2),
            {},
            ("equal", "", "", "AB-RNK-5"),
            marks=pytest.mark.clause("AB-RNK-5"),
        ),
    ],
)
def test_separation_of_tables_equals_their_ranking(first, second, options, expected):
    chosen = rules(**options)
    by, own, theirs, clause = expected
    assert separation_of(table_keys(first, chosen), table_keys(second, chosen)) == expected
    assert separation_of(table_keys(second, chosen), table_keys(first, chosen)) == (by, theirs, own, clause)
    ranks = [(row.session, row.rank) for row in rank_tables([second, first], chosen)]
    assert ranks == [("A", 1), ("B", 1 if by == "equal" else 2)]


PAIRS = operator_data(table={"survivors_min": 1, "survivors_max": 2})


@pytest.mark.clause("AB-RNK-2", "AB-RNK-5", "AB-RNK-8")
def test_rows_explain_their_place(new):
    night = new(4, data=PAIRS, rounds=2)
    for session in night.tables():
        night.set_up(session)
        night.goal("g02")
        night.goal("g01")
        night.move_to(3 if session == "r1t1" else 6)
        night.move({"move": "condition_met", "condition": night.state["conditions_open"][0]})
        night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/session-rounds/1/ranking")
    one = night.ranking(1)
    smaller = {"by": "smaller power", "clause": "AB-RNK-2"}
    assert [row["reason"] for row in one["tables"]] == [
        {**smaller, "compared_with": "r1t2", "own": "1/3", "theirs": "2/3"},
        {**smaller, "compared_with": "r1t1", "own": "2/3", "theirs": "1/3"},
    ]
    assert [row["reason"]["by"] for row in one["survivors"]] == ["equal", "equal", "their table", "equal"]
    behind = one["survivors"][2]
    assert (behind["reason"]["own"], behind["reason"]["theirs"]) == ("r1t2", "r1t1")
    explained = night.ask("GET", "scoring", f"/ranking/{behind['player']}").body
    assert (explained["rank"], explained["reason"]) == (2, behind["reason"])

    night.seat()
    assert night.ranking(1)["survivors"] == one["survivors"]
    for session in night.tables(2):
        night.set_up(session)
    night.session = "r2t1"
    night.goal("g02")
    night.move_to(9)
    night.confirm()
    night.session = "r2t2"
    night.move_to(9)
    night.confirm()
    night.do("pairing", "/session-rounds/2/close")
    night.do("scoring", "/conclusion", {})
    two = night.ranking(2)
    assert {row["reason"]["by"] for row in two["survivors"]} == {"equal", "more goals"}
    separated = [row["reason"] for row in two["survivors"] if row["reason"]["by"] == "more goals"]
    assert all((one["clause"], {one["own"], one["theirs"]}) == ("AB-RNK-8", {"3", "2"}) for one in separated)


@pytest.mark.clause("AB-RNK-7")
def test_single_row_has_no_comparison(new):
    night = new(2, data=PAIRS, options={"ab.rank.scope": "per_scenario_side"}, seated=False)
    night.seat(tables=[{"survivors": ["p1"]}, {"survivors": ["p2"]}])
    for session, loyal in (("r1t1", "North"), ("r1t2", "South")):
        night.set_up(session, loyal_faction=loyal)
        night.move_to(9)
        night.confirm()
    assert [(row["rank"], row["reason"]) for row in night.ranking()["tables"]] == [(1, None), (1, None)]


def test_player_without_session_is_not_ranked(new):
    night = new(1)
    explained = night.ask("GET", "scoring", "/ranking/p1").body
    assert (explained["rank"], explained["reason"], explained["points"]) == (None, None, 0)
