"""Preparation of a game over HTTP: muster, jams, judgements, objectives."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shared.campaign.outcomes import GroupRestored
from shared.campaign.roster import GroupBefore
from shared.campaign.state import CAMPAIGN, ENLISTED
from shared.tournament.rounds import PairingAmended
from tests.campaign.services.conftest import NewGames
from tests.campaign.services.games_story import Games, roll, wrong
from tests.campaign.story import with_member
from tests.services.story import seat_of

GUNS = {"p1": (("smg_10mm",), ("pistol_10mm_chinese",))}


def changed(told: Games, group: str, member: str, **changes: object) -> None:
    """Change a member of a group by an event of scoring, such as an injury or jail."""
    told.muster("r1g1", "p2", "m-1")
    state = with_member(told.group(group), member, **changes)
    told.say("scoring", GroupRestored(GroupBefore.of(state), "told", group=group, round=1, cause="told"))


@pytest.mark.clause("FS-GAM-1", "FS-SVC-1")
def test_the_first_muster_enters_all_groups_into_scoring(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    answer = told.muster("r1g1", "p1", "m-1", "m-3", by="p1")
    assert answer.types == ["GroupEntered", "GroupEntered", "RosterMustered"]
    assert answer.events[-1]["data"] == {
        "cause": "muster",
        "fielded": ["m-1", "m-3"],
        "game": "r1g1",
        "group": "p1",
        "round": 1,
    }
    assert CAMPAIGN.of(told.state).groups["p1"] == ENLISTED.of(told.state).groups["p1"]
    assert told.get("/games/r1g1").body["sides"][0]["fielded"] == ["m-1", "m-3"]


@pytest.mark.clause("FS-GAM-1")
def test_a_player_musters_only_their_own_group(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents", "raiders")
    assert told.post("/games/r1g1/muster", {"fielded": ["m-1"]}, by="p1").events[-1]["data"]["group"] == "p1"
    assert told.muster("r1g1", "p2", "m-1", by="p1").code == "not-your-game"
    assert told.muster("r1g1", "p1", "m-1", by="p3").code == "not-your-game"
    assert told.muster("r1g1", "p3", "m-1").code == "group-unknown"
    assert told.post("/games/r1g1/muster", {"fielded": ["m-1"]}).code == "group-unknown"
    assert told.muster("r1g2", "p1", "m-1").code == "game-unknown"


@pytest.mark.clause("FS-GAM-1")
@pytest.mark.parametrize(
    ("fielded", "where"), [(["m-9"], "/fielded/0"), (["m-1", "m-1"], "/fielded/1")], ids=["nobody", "twice"]
)
def test_only_members_are_fielded_once_each(games: NewGames, fielded: list[str], where: str) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    answer = told.muster("r1g1", "p1", *fielded)
    assert (answer.code, wrong(answer)) == ("choice-refused", [(where, "FS-GAM-1")])


@pytest.mark.clause("FS-GAM-1", "FS-AMB-5", "FS-INJ-5")
@pytest.mark.parametrize(
    ("change", "options", "can"),
    [
        ({"injuries": ("eye_wound", "eye_wound")}, {}, False),
        ({"injuries": ("eye_wound",)}, {}, True),
        ({"injuries": ("crippled_leg", "crippled_leg")}, {}, False),
        ({"injuries": ("crippled_leg", "crippled_leg")}, {"injury__two_crippled_legs": "cannot_move"}, True),
        ({"away": True}, {}, False),
    ],
)
def test_members_who_cannot_be_fielded_are_refused(
    games: NewGames, change: dict[str, object], options: dict[str, str], can: bool
) -> None:
    told = games("raiders", "vault_residents", options=options)
    changed(told, "p1", "m-2", **change)
    answer = told.muster("r1g1", "p1", "m-1", "m-2")
    assert answer.status == (201 if can else 422)
    if not can:
        assert wrong(answer) == [("/members/m-2", "FS-GAM-1")]


@pytest.mark.clause("FS-GAM-1", "FS-GRP-7", "FS-AMB-27")
def test_members_without_required_armor_stay_at_home(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    told.muster("r1g1", "p2", "m-1")
    group = told.group("p1")
    kept = tuple(item for item in group.items if item.holder != "m-1")
    bare = replace(group, items=kept)
    told.say("scoring", GroupRestored(GroupBefore.of(bare), "told", group="p1", round=1, cause="told"))
    assert wrong(told.muster("r1g1", "p1", "m-1")) == [("/members/m-1", "FS-GRP-7")]
    assert told.muster("r1g1", "p1", "m-3").status == 201


@pytest.mark.clause("FS-GAM-2", "FS-GRP-8", "FS-AMB-28")
@pytest.mark.parametrize("option", ["checked_each_muster", "checked_on_purchase"])
def test_the_ratio_of_big_guns_is_checked_before_each_game(games: NewGames, option: str) -> None:
    told = games(
        "super_mutants", "vault_residents", options={"force__big_gun_ratio": option}, goods={"p1": (("minigun",),)}
    )
    group = ENLISTED.of(told.state).groups["p1"]
    told.muster("r1g1", "p2", "m-1")
    fewer = replace(group, members=group.members[:2])
    told.say("scoring", GroupRestored(GroupBefore.of(fewer), "told", group="p1", round=1, cause="told"))
    answer = told.muster("r1g1", "p1", "m-1", "m-2")
    assert answer.status == (422 if option == "checked_each_muster" else 201)
    if answer.status == 422:
        assert wrong(answer) == [("/items", "FS-GRP-8")]
    assert told.muster("r1g1", "p1", "m-2").status == 201


@pytest.mark.clause("FS-GAM-1")
def test_a_muster_can_be_changed_until_dice_are_rolled(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    told.muster("r1g1", "p1", "m-1", by="p1")
    assert told.muster("r1g1", "p1", "m-1", by="p1").events == []
    assert told.muster("r1g1", "p1", "m-1", "m-2", by="p1").types == ["RosterMustered"]
    told.objective("r1g1", "p1", by="p1")
    assert told.muster("r1g1", "p1", "m-1", by="p1").code == "already-rolled"
    assert told.muster("r1g1", "p1", "m-1").status == 201
    assert told.get("/games/r1g1").body["sides"][0]["objective"] == ""


@pytest.mark.clause("FS-GAM-3")
def test_a_force_that_neglects_weapons_rolls_for_each(games: NewGames) -> None:
    told = games("raiders", "vault_residents", goods=GUNS)
    told.muster("r1g1", "p1")
    guns = [item.id for item in told.group("p1").items]
    answer = told.jams("r1g1", "p1", guns[0], roll(12), by="p1")
    assert answer.types == ["DieRolled", "WeaponJamRolled"]
    assert answer.events[1]["data"]["jammed"] is True
    assert answer.events[0]["data"]["purpose"] == "FS-GAM-3"
    assert told.jams("r1g1", "p1", guns[0], roll(3)).code == "already-rolled"
    assert told.jams("r1g1", "p1").types == ["DieRolled", "WeaponJamRolled"]
    assert set(told.get("/games/r1g1").body["sides"][0]["jams"]) == set(guns)
    assert told.jams("r1g1", "p1").events == []


@pytest.mark.clause("FS-GAM-3")
def test_an_eleven_does_not_jam_and_other_forces_do_not_roll(games: NewGames) -> None:
    told = games("raiders", "vault_residents", goods={"p1": (("smg_10mm",),), "p2": (("smg_10mm",),)})
    for group in ("p1", "p2"):
        told.muster("r1g1", group)
    gun = told.group("p1").items[0].id
    assert told.jams("r1g1", "p1", gun, roll(11)).events[1]["data"]["jammed"] is False
    other = told.group("p2").items[0].id
    assert wrong(told.jams("r1g1", "p2", other, roll(11))) == [("/item", "FS-GAM-3")]
    assert wrong(told.jams("r1g1", "p1", "i-999", roll(1))) == [("/item", "FS-GAM-3")]


@pytest.mark.clause("FS-GAM-3")
def test_weapons_at_home_are_not_rolled_for(games: NewGames) -> None:
    told = games("raiders", "vault_residents", goods=GUNS)
    told.muster("r1g1", "p1", "m-2")
    home, taken = (item.id for item in told.group("p1").items)
    assert wrong(told.jams("r1g1", "p1", home, roll(1))) == [("/item", "FS-GAM-3")]
    assert [event["data"]["item"] for event in told.jams("r1g1", "p1").events[1::2]] == [taken]


@pytest.mark.clause("FS-GAM-4")
@pytest.mark.parametrize(("face", "evil"), [(4, True), (5, False)])
def test_regulators_judge_survivors_in_each_game(games: NewGames, face: int, evil: bool) -> None:
    told = games("regulators", "wasteland_survivors")
    told.muster("r1g1", "p1")
    answer = told.evil("r1g1", "p1", roll(face), by="p1")
    assert answer.types == ["DieRolled", "EvilJudged"]
    assert (answer.events[1]["data"]["rival"], answer.events[1]["data"]["evil"]) == ("p2", evil)
    assert told.evil("r1g1", "p1", roll(face)).code == "already-rolled"
    told.muster("r1g1", "p2")
    assert wrong(told.evil("r1g1", "p2", roll(1, by="p2", seen="p1"))) == [("/rival", "FS-GAM-4")]


@pytest.mark.clause("FS-GAM-5", "FS-AUD-1")
def test_objectives_are_rolled_once_and_may_be_equal(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    assert told.objective("r1g1", "p1", roll(3)).code == "not-mustered"
    told.muster("r1g1", "p1")
    told.muster("r1g1", "p2")
    answer = told.objective("r1g1", "p1", {**roll(3), "rolled_by": ""}, by="p1")
    rolled = answer.events[0]["data"]
    assert (rolled["roll"], rolled["rolled_by"], rolled["witnessed_by"]) == ("s1", "p1", "p2")
    assert rolled["row"] == {"table": "objectives", "least": 3, "most": 3}
    assert told.objective("r1g1", "p1", roll(4)).code == "already-rolled"
    again = told.objective("r1g1", "p2", roll(3, by="p2", seen="p1"))
    assert again.events[1]["data"]["objective"] == answer.events[1]["data"]["objective"]


@pytest.mark.clause("FS-GAM-5", "FS-AUD-2", "FS-DICE-4")
def test_the_service_rolls_missing_dice(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    told.muster("r1g1", "p1")
    rolled = told.objective("r1g1", "p1").events[0]["data"]
    assert (rolled["source"], rolled["question"]) == ("service", "die: r1g1, p1, FS-GAM-5, 1, 1")
    assert [answer["question"] for answer in rolled["answers"]] == [rolled["question"]]


@pytest.mark.clause("FS-AUD-1", "FS-DICE-1")
@pytest.mark.parametrize(
    ("said", "where"),
    [
        (roll(13), "/roll/dice/0/natural"),
        (roll(0), "/roll/dice/0/natural"),
        (roll(4, sides=6), "/roll/dice/0/sides"),
        (roll(4, 4), "/roll/dice"),
        (roll(4, seen="p9"), "/roll/witnessed_by"),
        (roll(4, seen="p1"), "/roll/witnessed_by"),
        (roll(4, by="p3"), "/roll/rolled_by"),
    ],
    ids=["thirteen", "none", "a D6", "two dice", "a stranger", "the roller", "not in this game"],
)
def test_impossible_dice_are_refused(games: NewGames, said: dict[str, object], where: str) -> None:
    told = games("brotherhood_of_steel", "vault_residents", "raiders")
    told.muster("r1g1", "p1")
    answer = told.objective("r1g1", "p1", said)
    assert (answer.code, [at for at, _ in wrong(answer)]) == ("dice-refused", [where])


def test_staff_can_witness_a_roll(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents", staff=("referee",))
    told.muster("r1g1", "p1")
    assert told.objective("r1g1", "p1", roll(4, seen="s1")).status == 201


@pytest.mark.clause("FS-GAM-1")
def test_a_muster_is_valid_for_one_pairing(games: NewGames) -> None:
    told = games("raiders", "raiders", "raiders", "raiders", paired=(("p1", "p2"), ("p3", "p4")))
    told.muster("r1g1", "p1", "m-1")
    told.objective("r1g1", "p1", roll(1))
    seats = [seat_of(1, 3, ("p1", "p3")), seat_of(1, 4, ("p2", "p4"))]
    told.say("pairing", PairingAmended(round=1, pairings=seats, reason="a swap", removed=["r1g1", "r1g2"]))
    assert told.get("/games/r1g3").body["sides"][0]["fielded"] is None
    assert told.objective("r1g3", "p1", roll(1, seen="p3")).code == "not-mustered"


def test_preparation_ends_with_the_report(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    told.ready("r1g1")
    told.report("r1g1", by="p1")
    assert told.muster("r1g1", "p1", "m-1").code == "result-exists"
    assert told.objective("r1g1", "p1", roll(1)).code == "result-exists"


def test_a_bye_has_no_muster(games: NewGames) -> None:
    told = games("raiders", "raiders", "raiders", paired=(("p1", "p2"), ("p3",)))
    assert told.post("/games/r1g2/muster", {"group": "p3", "fielded": ["m-1"]}).code == "bye-has-no-result"


@pytest.mark.clause("FS-GAM-1", "FS-GAM-3", "FS-GAM-4", "FS-GAM-5")
def test_a_game_lists_missing_preparation(games: NewGames) -> None:
    told = games("regulators", "wasteland_survivors", goods={"p2": (("smg_10mm",),)})
    assert told.due("r1g1") == ["/groups/p1/fielded", "/groups/p2/fielded"]
    told.muster("r1g1", "p1")
    told.muster("r1g1", "p2")
    gun = told.group("p2").items[0].id
    wanted = ["/groups/p1/evil", "/groups/p1/objective", f"/groups/p2/jams/{gun}", "/groups/p2/objective"]
    assert told.due("r1g1") == wanted
    answer = told.report("r1g1")
    assert (answer.code, [at for at, _ in wrong(answer)]) == ("game-not-ready", wanted)


def test_a_repeated_roll_with_a_key_rolls_once(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "vault_residents")
    told.muster("r1g1", "p1")
    body = {"group": "p1"}
    one = told.post("/games/r1g1/objective", body, Idempotency_Key="once")
    two = told.post("/games/r1g1/objective", body, Idempotency_Key="once")
    assert one.body == two.body
    assert len(told.of("ObjectiveRolled")) == 1


@pytest.mark.clause("FS-PGP-7", "FS-GAM-1", "FS-GAM-3")
def test_a_muster_is_checked_again_after_goods_moved(games: NewGames) -> None:
    told = games("brotherhood_of_steel", "raiders", goods={"p2": (("smg_10mm",),)})
    told.muster("r1g1", "p2", "m-2")
    told.muster("r1g1", "p1", "m-1")
    for group in ("p1", "p2"):
        told.objective("r1g1", group, roll(1))
    armor = next(item.id for item in told.group("p1").items if item.holder == "m-1")
    gun = told.group("p2").items[0].id
    for group, of in (("p1", {"item": armor}), ("p2", {"item": gun, "holder": "m-2"})):
        assert told.post(f"/groups/{group}/choices", {"does": "move_item", "of": of}).status == 201
    assert told.due("r1g1") == ["/groups/p1/members/m-1", f"/groups/p2/jams/{gun}"]
