"""Faults of a season pack are reported with their place and the expectation."""

from __future__ import annotations

import re
from typing import Any

import pytest

from shared.formats.packs import from_values, load, shipped, shipped_clauses, shipped_ruleset, shipped_text
from shared.rules.model import PackRefused
from shared.rules.parts import to_json


def faults(change: dict[str, Any], id: str = "season-points") -> list[tuple[str, str, str]]:
    """Return place, value and expectation of faults in a shipped pack with values changed by pointer."""
    data = {**to_json(shipped_ruleset(id)), "options": []}
    for pointer, value in change.items():
        *path, last = pointer.split("/")[1:]
        holder: Any = data
        for step in path:
            holder = holder[int(step)] if isinstance(holder, list) else holder[step]
        holder[int(last) if isinstance(holder, list) else last] = value
    with pytest.raises(PackRefused) as refused:
        from_values(data, "")
    return [(fault.where, fault.said, str(fault.expected)) for fault in refused.value.faults]


NO_VALUE = "nothing: season_points is made of whole results"
A_NUMBER = "a number as text, such as '2', or nothing for the first"
NOT_DRAWN = "nothing: the games of a season have no such value"
SESSIONS = {"coop": {"win": 1, "draw": 2, "loss": 0, "bye": 0, "clause": "X"}}


@pytest.mark.parametrize(
    ("pointer", "value", "where", "expected"),
    [
        ("/points/fields/2/places/1/least", 1, "/points/fields/2/places/1/least", "2, without an overlap"),
        ("/points/fields/2/places/1/least", 3, "/points/fields/2/places/1/least", "2, without a gap"),
        ("/points/fields/3/least", 7, "/points/fields/3/least", "8, without an overlap"),
        ("/points/fields/4/most", 99, "/points/fields/4/most", "a last row without most"),
        ("/points/fields", [], "/points/fields", "rows from 1 on"),
        ("/points/fields/2/places/0/points", -1, "/points/fields/2/places/0/points", "0 or more"),
        ("/points/fields/2/places/2/points", 6, "/points/fields/2/places/2/points", "5 at most, as the places before"),
        ("/points/participation", -1, "/points/participation", "0 or more"),
        ("/weights/tiers", {"club": -5}, "/weights/tiers/club", "0 or more"),
        ("/counting/best", -1, "/counting/best", "0 or more"),
        ("/counting/best_per_cent", 101, "/counting/best_per_cent", "0 to 100"),
        ("/counting/of", 4, "/counting/best", "4 at most, as many are planned"),
        ("/ranking/criteria", [], "/ranking/criteria", "one criterion or more"),
        ("/ranking/criteria/0/of", "score", "/ranking/criteria/0/of", NO_VALUE),
        ("/ranking/criteria/1/of", "first", "/ranking/criteria/1/of", A_NUMBER),
        ("/ranking/criteria/0/divisor", 0, "/ranking/criteria/0/divisor", "a whole number, 1 or more"),
        ("/ranking/criteria/0/drawn", "x", "/ranking/criteria/0/drawn", NOT_DRAWN),
        ("/ranking/criteria/1/column", "points", "/ranking/criteria", "each column once"),
        ("/eligibility/minimum", -1, "/eligibility/minimum", "0 or more"),
        ("/eligibility/divisions", ["First"], "/eligibility/divisions/0", "nothing"),
        ("/divisions/divisions/0/up", 1, "/divisions/divisions/0/up", "0: no division is above the first"),
        ("/divisions/divisions/1/down", 1, "/divisions/divisions/1/down", "0: no division is below the last"),
        ("/divisions/divisions/0/down", -1, "/divisions/divisions/0/down", "0 or more"),
        ("/divisions/divisions/0/size", 1, "/divisions/divisions/0", "1 at most together, as many are in it"),
        ("/divisions/divisions/1/name", "First", "/divisions/divisions/1/name", "a name of its own"),
        ("/final/to", 1, "/final/to", "0 for no final, or 2 and more"),
        ("/final/to", -2, "/final/to", "0 or more"),
        ("/rating/k", 0, "/rating/k", "1 or more"),
        ("/rating/deviation", 0, "/rating/deviation", "1 or more"),
        ("/rating/period", -1, "/rating/period", "0 or more"),
        ("/rating/tau", "0.0", "/rating/tau", "a decimal above 0 as text, such as '0.06'"),
        ("/rating/volatility", "6 %", "/rating/volatility", "a decimal above 0 as text, such as '0.06'"),
        ("/tiers", [], "/tiers", "one tier or more, each with an id of its own"),
        ("/counting/clauses", {"bests": "X"}, "/counting/clauses/bests", "a field of this part, not 'bests'"),
        ("/counting/below", "first", "/counting/below", "one of last, ranked"),
    ],
)  # fmt: skip
def test_faults_are_reported_at_their_place(pointer, value, where, expected):
    assert (where, expected) in [(found[0], found[2]) for found in faults({pointer: value})]


def test_unknown_piece_is_reported_with_all_pieces():
    (fault,) = faults({"/ranking/criteria/1/piece": "most_wins", "/ranking/criteria/1/of": "score"})
    assert fault[:2] == ("/ranking/criteria/1/piece", "most_wins")
    assert {"places", "wins", "schedule_sum"} <= set(fault[2].removeprefix("one of ").split(", "))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"/points/games/win": -1}, "/points/games/win"),
        ({"/points/games/draw": 4}, "/points/games"),
        ({"/points/formats": SESSIONS}, "/points/formats/coop"),
        ({"/ranking/criteria/3/of": "points"}, "/ranking/criteria/3/of"),
        ({"/eligibility/divisions": ["Third"]}, "/eligibility/divisions/0"),
        ({"/divisions/divisions/1/size": 9, "/divisions/divisions/1/up": 1}, "/divisions/divisions/1/up"),
        ({"/final/to": 4, "/final/per": "division", "/divisions/used": False}, "/final/per"),
    ],
)  # fmt: skip
def test_faults_of_a_league(change, where):
    assert where in [found[0] for found in faults(change, "season-league")]


def test_faults_of_a_file_have_line_numbers():
    text = shipped_text("season-points").replace("{least: 2, most: 2, points: 12}", "{least: 1, most: 2, points: 12}")
    line = text[: text.index("{least: 1, most: 2, points: 12}")].count("\n") + 1
    with pytest.raises(PackRefused) as refused:
        load(text, "mine.yaml")
    (fault,) = refused.value.faults
    assert fault.where == f"mine.yaml:{line}:/points/fields/3/places/1/least"
    assert (fault.said, str(fault.expected)) == ("1", "2, without an overlap")


@pytest.mark.parametrize("id", shipped("season"))
def test_every_clause_named_by_a_pack_exists(id):
    cited = set(re.findall(r"\bSEA-[A-Z]+(?:-[0-9]+)?\b", shipped_text(id)))
    told = [clause.id for of in ("season-points", id) for clause in shipped_clauses()[of]]
    assert cited <= set(told)
    assert cited > {"SEA-BEST", "SEA-DIV-1", "SEA-RATE-3"}
