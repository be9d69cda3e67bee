"""Games of three and more groups paired by the organiser. FS-RND-5."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.auditing import failures
from tests.campaign.services.league import League, group
from tests.services.story import Json

New = Callable[..., League]
GUIDE = Path(__file__).parents[3] / "docs/how-to/campaign.md"
TWO_AND_TWO = [["p1", "p2"], ["p3", "p4"]]
EACH_FOR_ITSELF = [["p1"], ["p2"], ["p3"]]


def game(one: str, two: str = "") -> Json:
    return {"player_1": one, "player_2": two or None}


def sides(*told: list[str], **more: Any) -> Json:
    return {"sides": list(told), **more}


def refused(league: League, *games: Json, **body: Any) -> list[tuple[str, str]]:
    answer = league.refused(422, "pairings-refused", "pairing", "/rounds", {"pairings": list(games), **body})
    return league.faults(answer)


def amend(league: League, **body: Any) -> None:
    league.do("pairing", "/rounds/1/amendments", {"reason": "as they came", **body})


def shown(league: League, round: int = 1) -> list[Json]:
    return list(league.ask("GET", "pairing", f"/rounds/{round}").body["pairings"])


def ids(seat: Json) -> list[list[str]]:
    return [[one["player"] for one in side] for side in seat["sides"]]


@pytest.mark.clause("FS-RND-5")
def test_two_against_two_and_three_alone_are_paired(new: New) -> None:
    league = new(7, built=True)
    league.pair(pairings=[sides(*TWO_AND_TWO), sides(["p5"], ["p6"], ["p7"])], reason="alliances")
    allies, three = shown(league)
    assert (allies["kind"], ids(allies)) == ("game", TWO_AND_TWO)
    assert [one["name"] for side in allies["sides"] for one in side] == [f"Player {number}" for number in (1, 2, 3, 4)]
    assert (allies["player_1"], allies["name_1"], allies["player_2"]) == ("p1", "Player 1", "p3")
    assert (ids(three), three["player_1"], three["player_2"]) == ([["p5"], ["p6"], ["p7"]], "p5", "p6")
    for player, game_id in (("p2", "r1g1"), ("p4", "r1g1"), ("p7", "r1g2")):
        own = league.ask("GET", "pairing", f"/players/{player}/pairing", by=player).body
        assert own["pairing"]["id"] == game_id
    assert league.ask("GET", "pairing", "/rounds/1/games/r1g2").body == three


@pytest.mark.clause("FS-RND-5")
def test_a_round_in_sides_as_in_the_guide(new: New) -> None:
    section = GUIDE.read_text("utf-8").partition("## Games of three and more groups: pairing")[2]
    body = json.loads(section.partition("```json\n")[2].partition("```")[0])
    league = new(9, built=True)
    league.pair(**body)
    paired = [ids(one) if "sides" in one else [one["player_1"], one["player_2"]] for one in shown(league)]
    assert paired == [TWO_AND_TWO, [["p5"], ["p6"], ["p7"]], ["p8", "p9"]]
    assert league.ask("GET", "pairing", "/rounds/1").body["reason"] == body["reason"]


@pytest.mark.clause("FS-RND-5")
def test_an_ordinary_game_shows_no_sides(new: New) -> None:
    league = new(3, built=True)
    league.pair(pairings=[game("p1", "p2"), game("p3")])
    assert all("sides" not in one for one in shown(league))


@pytest.mark.clause("FS-RND-5", "FS-RND-4")
def test_sides_contain_each_active_group_once(new: New) -> None:
    league = new(5)
    for number in range(1, 5):
        league.build(f"p{number}")
    assert refused(league, sides(["p1", "p2"], ["p3", "p5"]), game("p4")) == [("/pairings/0/sides/1/1", "FS-RND-4")]
    assert refused(league, sides(["p1", "p2"], ["p3", "p9"]), game("p4")) == [("/pairings/0/sides/1/1", "")]
    assert refused(league, sides(["p1"], ["p2"]), game("p3", "p4")) == [("/pairings/0/sides", "FS-RND-5")]
    assert refused(league, sides(["p1", "p2", "p3", "p4"])) == [("/pairings/0/sides", "FS-RND-5")]
    assert refused(league, sides(["p1", "p2"], [], ["p3", "p4"])) == [("/pairings/0/sides/1", "FS-RND-5")]
    assert refused(league, sides(*TWO_AND_TWO, kind="bye")) == [("/pairings/0/kind", "FS-RND-5")]
    twice = refused(league, sides(["p1", "p2"], ["p3", "p1"]), game("p4"))
    assert [where for where, _ in twice] == ["/pairings/0/sides/0/0", "/pairings/0/sides/1/1"]
    assert refused(league, sides(*EACH_FOR_ITSELF)) == [("/pairings", "")], "p4 is left out"
    both = league.refused(
        422, "invalid-request", "pairing", "/rounds", {"pairings": [sides(*EACH_FOR_ITSELF, player_1="p1"), {}]}
    )
    assert [fault["where"] for fault in both.body["errors"]] == ["/pairings/0/player_1", "/pairings/1/player_1"]


@pytest.mark.clause("FS-RND-5", "FS-RND-2")
def test_former_rivals_may_be_allies_and_rematches_must_be_confirmed(new: New) -> None:
    league = new(4, built=True)
    league.pair(pairings=[game("p1", "p2"), game("p3", "p4")])
    for number in (1, 2):
        league.play(f"r1g{number}")
    league.end_round()
    assert refused(league, sides(["p1", "p3"], ["p2", "p4"])) == [("/pairings/0", "FS-RND-2")]
    assert refused(league, sides(["p4"], ["p2"], ["p3"]), game("p1")) == [("/pairings/0", "FS-RND-2")]
    again = league.refused(
        422, "pairings-refused", "pairing", "/rounds", {"pairings": [sides(["p1", "p3"], ["p2", "p4"])]}
    )
    assert again.body["errors"][0]["said"] == "p1, p2, p3, p4"
    league.pair(pairings=[sides(*TWO_AND_TWO)])
    assert [one["rematch"] for one in shown(league, 2)] == [False]
    body = {"reason": "as they wish", "pairings": [sides(["p1", "p3"], ["p2", "p4"])], "allow_rematch": True}
    league.do("pairing", "/rounds/2/amendments", body)
    assert [one["rematch"] for one in shown(league, 2)] == [True]


@pytest.mark.clause("FS-RND-5", "FS-RND-2", "FS-AUD-2")
def test_rivals_count_as_met_and_allies_do_not(new: New) -> None:
    league = new(4, built=True)
    league.pair(pairings=[sides(*TWO_AND_TWO)])
    league.play("r1g1", "p1")
    league.end_round()
    assert refused(league, game("p1", "p4"), game("p2", "p3")) == [
        ("/pairings/0", "FS-RND-2"),
        ("/pairings/1", "FS-RND-2"),
    ]
    assert refused(league, sides(["p1"], ["p2"], ["p4"]), game("p3")) == [("/pairings/0", "FS-RND-2")]
    league.pair()
    assert league.pairs(2) == [{"p1", "p2"}, {"p3", "p4"}], "by the rules, and without a rematch"
    assert [one["rematch"] for one in shown(league, 2)] == [False, False]
    assert failures(league.logs) == []


@pytest.mark.clause("FS-RND-5")
def test_a_game_in_sides_gets_a_new_table(new: New) -> None:
    league = new(5, built=True)
    league.do("registration", "/venues", {"name": "North", "tables": 3})
    league.pair(pairings=[game("p1", "p2"), game("p3", "p4"), game("p5")])
    assert [one["table"] for one in shown(league)] == [1, 2, 0]
    for number in (1, 2):
        league.play(f"r1g{number}")
    league.end_round()
    league.pair(pairings=[sides(["p5"], ["p3"], ["p1"]), game("p2", "p4")])
    assert [(one["venue"], one["table"]) for one in shown(league, 2)] == [("v1", 3), ("v1", 1)]
    north = league.ask("GET", "pairing", "/tables").body["items"][0]["tables"]
    assert ids(north[2]["game"]) == [["p5"], ["p3"], ["p1"]]
    league.do("pairing", "/rounds/2/games/r2g1/table", {"table": 2})
    moved = shown(league, 2)[0]
    assert (moved["table"], ids(moved)) == (2, [["p5"], ["p3"], ["p1"]])


@pytest.mark.clause("FS-RND-5")
def test_a_game_in_sides_is_at_one_venue(new: New) -> None:
    league = new(5)
    for name in ("North", "South"):
        league.do("registration", "/venues", {"name": name, "tables": 3})
    for number in range(1, 6):
        league.build(f"p{number}")
        league.do("registration", f"/players/p{number}/check-in", {"venue": f"v{1 + number // 4}"})
    table = {"table": 2}
    assert refused(league, sides(["p1"], ["p2"], ["p4"], **table), game("p3", "p5")) == [("/pairings/0/venue", "")]
    league.pair(pairings=[sides(["p1"], ["p2"], ["p3"], **table), game("p4", "p5")])
    assert [(one["venue"], one["table"]) for one in shown(league)] == [("v1", 2), ("v2", 1)]


@pytest.mark.clause("FS-RND-5")
def test_staff_of_a_venue_cannot_change_sides_elsewhere(new: New) -> None:
    league = new(5)
    for name in ("North", "South"):
        league.do("registration", "/venues", {"name": name, "tables": 3})
    for number in range(1, 6):
        league.build(f"p{number}")
        league.do("registration", f"/players/p{number}/check-in", {"venue": f"v{1 + number // 4}"})
    league.pair(pairings=[sides(*EACH_FOR_ITSELF), game("p4", "p5")])
    south = {"name": "Sue", "role": "head_referee", "venue": "v2"}
    token = league.do("registration", "/staff", south).body["token"]
    body = {"reason": "x", "pairings": [sides(["p4"], ["p5"], ["p3"])]}
    answer = league.refused(403, "other-venue", "pairing", "/rounds/1/amendments", body, token)
    assert answer.body["data"] == {"venue": "v2", "venues": ["v1"]}
    amended = {"reason": "x", "pairings": [game("p5", "p4") | {"table": 3}]}
    league.do("pairing", "/rounds/1/amendments", amended, by=token)
    assert shown(league)[1]["table"] == 3


@pytest.mark.clause("FS-RND-5")
def test_a_withdrawal_from_a_game_of_three_leaves_an_ordinary_game(new: New) -> None:
    league = new(3, built=True)
    league.pair(pairings=[sides(*EACH_FOR_ITSELF)])
    league.do("registration", "/players/p2/drop", {})
    amend(league, pairings=[game("p1", "p3")])
    left = shown(league)
    assert [(one["id"], one["player_1"], one["player_2"], "sides" in one) for one in left] == [
        ("r1g2", "p1", "p3", False)
    ]


@pytest.mark.clause("FS-RND-5")
def test_games_in_sides_can_be_amended_until_they_begin(new: New) -> None:
    league = new(5, built=True)
    league.pair(pairings=[sides(*TWO_AND_TWO), game("p5")])
    amend(league, pairings=[sides(["p4", "p3"], ["p2", "p1"])])
    assert [(one["id"], ids(one)) for one in shown(league)[:1]] == [("r1g1", TWO_AND_TWO)], "the same game"
    amend(league, pairings=[sides(["p1", "p3"], ["p2", "p4"])])
    assert {one["id"] for one in shown(league)} == {"r1g2", "r1g3"}
    answer = league.ask("POST", "pairing", "/rounds/1/amendments", {
        "reason": "x", "pairings": [sides(["p1"], ["p2"], ["p5"])],
    })  # fmt: skip
    assert answer.code == "pairings-refused"
    assert [fault["expected"] for fault in answer.body["errors"]] == [
        f"Player {number} (p{number}) in a pairing, or in sitting_out" for number in (3, 4)
    ]
    amend(league, pairings=[sides(["p1", "p5"], ["p2"])], sitting_out=["p3", "p4"])
    (only,) = shown(league)
    assert ids(only) == [["p1", "p5"], ["p2"]]
    fielded = [member["id"] for member in league.built("p5")["members"]]
    league.do("scoring", f"/games/{only['id']}/muster", {"group": "p5", "fielded": fielded})
    body = {"reason": "x", "pairings": [game("p1", "p2"), game("p5")]}
    answer = league.refused(409, "game-has-result", "pairing", "/rounds/1/amendments", body)
    assert answer.body["data"] == {"games": [only["id"]]}


@pytest.mark.clause("FS-RND-5")
def test_groups_swap_places_between_games_and_sides(new: New) -> None:
    league = new(6, built=True)
    league.pair(pairings=[sides(*TWO_AND_TWO), game("p5", "p6")])
    amend(league, swap=["p2", "p5"])
    assert [ids(one) if "sides" in one else [one["player_1"], one["player_2"]] for one in shown(league)] == [
        [["p1", "p5"], ["p3", "p4"]],
        ["p2", "p6"],
    ]
    amend(league, swap=["p5", "p3"])
    assert sorted(ids(one) for one in shown(league) if "sides" in one) == [[["p1", "p3"], ["p5", "p4"]]]
    for pair in (["p1", "p3"], ["p2", "p6"]):
        body = {"reason": "x", "swap": pair}
        answer = league.refused(422, "pairings-refused", "pairing", "/rounds/1/amendments", body)
        assert [where for where, _ in league.faults(answer)] == ["/swap"]


@pytest.mark.clause("FS-RND-5")
def test_withdrawn_sides_leave_nothing(new: New) -> None:
    league = new(3)
    for number, ranks in enumerate(("v", "vg", "vgg"), 1):
        league.build(f"p{number}", group(ranks))
    league.pair(pairings=[sides(*EACH_FOR_ITSELF)])
    league.do("pairing", "/rounds/1/withdrawal", {"reason": "too many at one table"})
    league.pair()
    assert league.pairs(1) == [{"p3", "p2"}, {"p1"}]
