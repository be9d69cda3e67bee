"""Groups of players who asked not to meet in round 1."""

from __future__ import annotations

import pytest


@pytest.fixture
def casual(announce):
    """Four players of a casual evening."""
    evening = announce(tier="casual")
    evening.join("Ana", "Ben", "Cy", "Dee")
    return evening


@pytest.mark.clause("AR-PAIR-2")
def test_the_organiser_records_who_should_not_meet_and_may_take_it_back(casual):
    groups = [["p1", "p2"], ["p3", "p4", "p1"]]
    answer = casual.post("/kept-apart", {"groups": groups})
    assert (answer.status, answer.types, casual.get().body["kept_apart"]) == (201, ["PlayersKeptApart"], groups)
    assert casual.post("/kept-apart", {"groups": groups}).types == []
    assert casual.post("/kept-apart", {"groups": []}).types == ["PlayersKeptApart"]
    assert casual.get().body["kept_apart"] == []


@pytest.mark.clause("AR-PAIR-2")
@pytest.mark.parametrize("tier", ["competitive", "premier"])
def test_other_tiers_do_not_offer_it(announce, tier):
    evening = announce(tier=tier)
    evening.join("Ana", "Ben")
    refused = evening.post("/kept-apart", {"groups": [["p1", "p2"]]})
    assert (refused.status, refused.code, refused.data["clause"]) == (409, "kept-apart-not-offered", "AR-PAIR-2")


def test_once_round_1_is_paired_it_is_too_late(casual):
    casual.pair_first("p1", "p2", "p3", "p4")
    assert casual.post("/kept-apart", {"groups": [["p1", "p2"]]}).code == "too-late-to-change"


def test_every_player_who_does_not_take_part_is_named(casual):
    casual.do("p2", "withdrawal", {})
    refused = casual.post("/kept-apart", {"groups": [["p1", "p2"], ["p9", "p3"]]})
    assert (refused.status, refused.code, refused.places) == (422, "player-unknown", ["/groups/0/1", "/groups/1/0"])


@pytest.mark.parametrize("group", [["p1"], ["p1", "p1"], []])
def test_a_group_has_two_or_more_distinct_players(casual, group):
    refused = casual.post("/kept-apart", {"groups": [group]})
    assert (refused.code, refused.places) == ("invalid-request", ["/groups/0"])
