"""Seating: parties, table sizes, repeated company; drawn, manual, and changed before the set-up."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.coop.seating import repeated, seat_groups
from tests.coop.story import operator_data

Party = tuple[str, ...]
Met = Mapping[str, set[str]]

PAIRS = operator_data(table={"survivors_min": 2, "survivors_max": 2})


def alone(number: int) -> list[tuple[str, ...]]:
    return [(f"p{n}",) for n in range(number)]


@pytest.mark.clause("AB-SVC-2")
@pytest.mark.parametrize(
    ("survivors", "least", "most", "sizes", "waiting"),
    [
        (3, 1, 4, [3], 0),
        (4, 1, 4, [4], 0),
        (5, 1, 4, [2, 3], 0),
        (9, 1, 4, [3, 3, 3], 0),
        (1, 1, 4, [1], 0),
        (5, 3, 4, [4], 1),
        (2, 3, 4, [], 2),
        (7, 3, 4, [3, 4], 0),
        (0, 1, 4, [], 0),
    ],
)
def test_sizes_of_tables(survivors, least, most, sizes, waiting):
    tables, left = seat_groups(alone(survivors), least=least, most=most, met={}, seed="s", round=1)
    assert sorted(map(len, tables)) == sizes
    assert len(left) == waiting


@pytest.mark.clause("AB-SVC-2", "AB-RNK-8")
def test_four_rounds_of_sixteen_without_repeated_company():
    met: dict[str, set[str]] = {}
    repeats = []
    for round in (1, 2, 3):
        tables, _ = seat_groups(alone(16), least=1, most=4, met=met, seed="s", round=round)
        repeats.append(sum(repeated(table, met) for table in tables))
        for table in tables:
            for one, two in combinations(table, 2):
                met.setdefault(one, set()).add(two)
                met.setdefault(two, set()).add(one)
    assert repeats == [0, 0, 0]


@pytest.mark.clause("AB-SVC-2")
@given(
    st.lists(st.integers(1, 4), max_size=12),
    st.integers(1, 3),
    st.integers(3, 5),
    st.text("ab", max_size=4),
)
def test_parties_stay_together_and_tables_keep_their_size(sizes, least, most, seed):
    names = iter(range(100))
    groups = [tuple(f"p{next(names)}" for _ in range(size)) for size in sizes]
    tables, left = seat_groups(groups, least=least, most=most, met={}, seed=seed, round=1)
    seated = [survivor for table in tables for survivor in table]
    assert sorted([*seated, *left]) == sorted(survivor for group in groups for survivor in group)
    assert all(least <= len(table) <= most for table in tables)
    for group in groups:
        assert sum(bool(set(group) & set(table)) for table in tables) <= 1
        assert set(group) <= set(left) or any(set(group) <= set(table) for table in tables)


@pytest.mark.clause("AB-SVC-2")
@pytest.mark.parametrize("seed", ["a", "b", "c", "d", "e"])
def test_large_parties_are_seated_before_single_survivors(seed):
    party = tuple(f"q{n}" for n in range(4))
    tables, left = seat_groups([*alone(4), party], least=1, most=4, met={}, seed=seed, round=1)
    assert left == []
    assert sorted(map(sorted, tables)) == [["p0", "p1", "p2", "p3"], ["q0", "q1", "q2", "q3"]]


def company(table: list[Party], met: Met) -> int:
    return repeated([survivor for party in table for survivor in party], met)


@pytest.mark.clause("AB-SVC-2", "AB-RNK-8")
@given(st.lists(st.integers(1, 3), min_size=4, max_size=8), st.randoms(use_true_random=False))
def test_no_swap_of_equal_parties_would_reduce_repeats(sizes, chance):
    parties = [tuple(f"{index}-{n}" for n in range(size)) for index, size in enumerate(sizes)]
    pairs = list(combinations([survivor for party in parties for survivor in party], 2))
    met: dict[str, set[str]] = {}
    for one, two in chance.sample(pairs, len(pairs) // 2):
        met.setdefault(one, set()).add(two)
        met.setdefault(two, set()).add(one)
    seated, _ = seat_groups(parties, least=2, most=6, met=met, seed="s", round=2)
    tables = [[party for party in parties if party[0] in table] for table in seated]
    for first, second in combinations(tables, 2):
        now = company(first, met) + company(second, met)
        for one, two in product(first, second):
            if len(one) == len(two):
                there = [*(party for party in first if party != one), two]
                here = [*(party for party in second if party != two), one]
                assert company(there, met) + company(here, met) >= now


@pytest.mark.clause("AB-SVC-2")
def test_extra_table_if_parties_leave_gaps():
    parties = [tuple(f"{name}{n}" for n in range(3)) for name in "abc"]
    tables, left = seat_groups(parties, least=1, most=5, met={}, seed="s", round=1)
    assert (sorted(map(sorted, tables)), left) == ([sorted(party) for party in parties], [])


@pytest.mark.clause("AB-SVC-2")
def test_only_the_first_round_requires_check_in(new):
    night = new(2, seated=False, check_in=True)
    night.do("registration", "/players/p1/check-in", {})
    night.seat()
    night.set_up()
    night.move_to(9)
    night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    night.do("registration", "/players", {"name": "Late", "late": True})
    night.seat()
    first, second = night.ask("GET", "pairing", "/session-rounds").body["items"]
    assert (night.tables(1)["r1t1"], first["not_there"]) == (["p1"], ["p2"])
    assert (sorted(night.tables(2)["r2t1"]), second["not_there"]) == (["p1", "p2", "p3"], [])


def test_parties_are_entered_formed_and_disbanded(new):
    night = new(3, seated=False)
    both = {"players": [{"name": "Ana"}, {"name": "Ben"}]}
    joined = night.do("registration", "/players/party", both)
    assert joined.types == ["PlayerJoined", "PlayerJoined", "PartyFormed"]
    for players in (["p1"], ["p1", "p9"], ["p1", "p1"], ["p1", "p4"], ["p1", "p2", "p3", "p4", "p5"]):
        refused = night.ask("POST", "registration", "/parties", {"players": players})
        assert (refused.status, refused.code) == (422, "party-refused"), players
    night.do("registration", "/parties", {"players": ["p1", "p2"]})
    assert night.ask("GET", "registration", "/parties").body["items"] == [
        {"id": "g1", "players": ["p4", "p5"]},
        {"id": "g2", "players": ["p1", "p2"]},
    ]
    night.do("registration", "/parties/g1/disbanding", {})
    assert night.ask("POST", "registration", "/parties/g1/disbanding", {}).code == "party-unknown"
    crowd = {"players": [{"name": f"N{n}"} for n in range(5)]}
    assert night.ask("POST", "registration", "/players/party", crowd).code == "party-refused"


@pytest.mark.clause("AB-SVC-2")
def test_absent_and_dropped_survivors_are_not_seated(new):
    night = new(4, seated=False, check_in=True)
    for player in ("p1", "p2", "p4"):
        night.do("registration", f"/players/{player}/check-in", {})
    night.do("registration", "/players/p4/withdrawal", {})
    night.seat()
    assert [sorted(survivors) for survivors in night.tables().values()] == [["p1", "p2"]]
    (round,) = night.ask("GET", "pairing", "/session-rounds").body["items"]
    assert round["not_there"] == ["p3"]


@pytest.mark.clause("AB-SVC-1")
def test_manual_round_and_changed_table(new):
    night = new(5, data=operator_data(table={"survivors_min": 1, "survivors_max": 3}), seated=False)
    for tables, places in (
        ([{"survivors": ["p1", "p1"]}], ["/tables/0/survivors/1"]),
        ([{"survivors": ["p1", "p9"]}], ["/tables/0/survivors/1"]),
        ([{"survivors": ["p1", "p2", "p3", "p4"]}], ["/tables/0/survivors"]),
    ):
        refused = night.ask("POST", "pairing", "/session-rounds", {"tables": tables})
        assert (refused.code, refused.places) == ("seating-refused", places)
    night.seat(tables=[{"survivors": ["p1", "p2"]}, {"survivors": ["p3", "p4"], "host": "p4"}], reason="families")
    assert night.ask("GET", "pairing", "/session-rounds").body["items"][0]["waiting"] == ["p5"]
    change = {"survivors": ["p1", "p2", "p3"], "reason": "they asked"}
    moved = night.do("pairing", "/sessions/r1t1/seating", change)
    assert moved.types == ["TableReseated", "TableReseated"]
    assert night.tables() == {"r1t1": ["p1", "p2", "p3"], "r1t2": ["p4"]}
    assert night.do("pairing", "/sessions/r1t1/seating", change).types == []
    for body in ({**change, "survivors": ["p1", "p7"]}, {**change, "host": "p4"}):
        assert night.ask("POST", "pairing", "/sessions/r1t1/seating", body).code == "seating-refused"
    assert night.ask("POST", "pairing", "/sessions/r9t1/seating", change).code == "session-unknown"
    night.do("pairing", "/sessions/r1t2/seating", {"survivors": [], "reason": "p4 went home"})
    night.set_up("r1t1")
    refused = night.ask("POST", "pairing", "/sessions/r1t2/seating", {"survivors": ["p1", "p4"], "reason": "x"})
    assert (refused.code, refused.data["sessions"]) == ("session-has-begun", ["r1t1"])
    night.move_to(9)
    night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    assert night.do("pairing", "/session-rounds/1/close").types == []
    late = night.ask("POST", "pairing", "/sessions/r1t2/seating", {"survivors": ["p4"], "reason": "x"})
    assert late.code == "round-closed"


@pytest.mark.clause("AB-SVC-1", "AB-AMB-19", "AB-REP-3")
def test_organiser_assigns_sides_to_tables(new):
    night = new(4, seated=False)
    north, south = ({"scenario": "fixture-one", "loyal_faction": loyal} for loyal in ("North", "South"))
    one, two = {"survivors": ["p1", "p2"]}, {"survivors": ["p3", "p4"]}
    for change, places in (
        ({"scenario": "fixture-two"}, ["/tables/1/scenario"]),
        ({"loyal_faction": "North"}, ["/tables/1/scenario"]),
        ({"scenario": "fixture-one", "loyal_faction": "West"}, ["/tables/1/loyal_faction"]),
        ({"host": "p1"}, ["/tables/1/host"]),
    ):
        refused = night.ask("POST", "pairing", "/session-rounds", {"tables": [one, {**two, **change}]})
        assert (refused.code, refused.places) == ("seating-refused", places)
    night.seat(tables=[one, {**two, **south}], **north)
    (round,) = night.ask("GET", "pairing", "/session-rounds").body["items"]
    assert [table["loyal_faction"] for table in round["tables"]] == ["North", "South"]


def test_next_round_needs_the_previous_one_closed(new):
    night = new(3)
    assert night.ask("POST", "pairing", "/session-rounds", {"round": 1}).code == "round-already-paired"
    refused = night.ask("POST", "pairing", "/session-rounds", {"round": 2})
    assert (refused.code, refused.data["games"]) == ("round-not-closed", ["r1t1"])
    assert night.ask("POST", "pairing", "/session-rounds/3/close").code == "round-unknown"


def test_tables_by_venue(new):
    night = new(6, data=PAIRS, seated=False, pairing_scope="venue")
    for name in ("Hall", "Attic"):
        night.do("registration", "/venues", {"name": name, "tables": 2})
    for number in range(1, 7):
        night.do("registration", f"/players/p{number}/check-in", {"venue": "v1" if number < 5 else "v2"})
    night.seat()
    (round,) = night.ask("GET", "pairing", "/session-rounds").body["items"]
    assert [(table["venue"], table["table"]) for table in round["tables"]] == [("v1", 1), ("v1", 2), ("v2", 1)]
    assert night.ask("POST", "registration", "/venues/v2/closing", {"reason": "rain"}).code == "still-in-use"
    few = new(4, data=PAIRS, seated=False)
    few.do("registration", "/venues", {"name": "Hall", "tables": 1})
    assert few.ask("POST", "pairing", "/session-rounds").code == "not-enough-tables"
    assert new(1, data=PAIRS, seated=False).ask("POST", "pairing", "/session-rounds").code == "too-few-players"


@pytest.mark.clause("AB-SVC-2", "AB-RNK-8")
def test_swaps_continue_until_none_helps():
    """A first pass of swaps leaves one repeated pair; the swap that separates them becomes possible only afterwards."""
    met: dict[str, set[str]] = {}
    for one, two in ("03", "05", "15", "23", "24", "25", "34", "45"):
        met.setdefault(f"p{one}", set()).add(f"p{two}")
        met.setdefault(f"p{two}", set()).add(f"p{one}")
    tables, _ = seat_groups(alone(6), least=2, most=2, met=met, seed="s", round=2)
    assert sum(repeated(table, met) for table in tables) == 0
