"""Building groups over HTTP: what may enter, what may not, turfs, the leader, the rating."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.campaign.services.league import League, group, told

New = Callable[..., League]
GROUP, TURFS = "/players/p1/group", "/players/p1/group/turfs"


@pytest.mark.clause("FS-EX-1", "FS-RAT-1", "FS-RAT-3", "FS-GRP-2", "FS-GRP-11", "FS-TRF-1", "FS-LDR-1")
def test_a_player_builds_the_group_of_the_document(new: New) -> None:
    league = new(2)
    goods = ["missile_launcher", "hunting_rifle", "hunting_rifle", "smg_10mm", "smg_10mm"]
    goods += ["pistol_10mm_chinese"] * 3 + ["brass_knuckles_knife"]
    accepted = league.hand_in("p1", group("vveeegggg", stash=goods))
    assert [event["type"] for event in accepted.body["events"]] == ["GroupAccepted"]
    assert league.built("p1")["complete"] is False
    rolled = league.roll_turfs("p1", *[told(4, 5, seen="p2")] * 3)
    types = [event["type"] for event in rolled.body["events"]]
    assert types == ["DieRolled", "TurfGained"] * 3 + ["LeaderAppointed", "GroupRatingFinalised"]
    shown = league.built("p1")
    assert (shown["caps"], shown["rating"], shown["complete"]) == (10, 815, True)
    assert [turf["turf"] for turf in shown["turfs"]] == ["bar"] * 3
    assert {member["rank"]: member["xp"] for member in shown["members"]} == {
        "veteran": 50,
        "experienced": 25,
        "green": 0,
    }
    assert shown["leader"] in ("m-1", "m-2")
