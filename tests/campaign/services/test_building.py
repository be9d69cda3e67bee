"""Building groups over HTTP: accepted and refused groups, deadlines."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from shared.formats.packs import shipped_ruleset
from shared.rules.parts import to_json
from tests.campaign.services.league import RANKS, RULESET, League, group, members, told
from tests.campaign.story import RULES
from tests.services.story import Answer

New = Callable[..., League]
GROUP = "/players/p1/group"
OF_DOCUMENT = ["missile_launcher", "hunting_rifle", "hunting_rifle", "smg_10mm", "smg_10mm"]
OF_DOCUMENT += ["pistol_10mm_chinese"] * 3 + ["brass_knuckles_knife"]


def refused(league: League, handed: Any, by: str = "p1") -> list[tuple[str, str]]:
    """Return the places and clauses of the faults of a group."""
    return league.faults(league.refused(422, "group-refused", "registration", GROUP, handed, by))


@pytest.mark.clause("FS-EX-1", "FS-RAT-1", "FS-RAT-3", "FS-GRP-2", "FS-GRP-11", "FS-TRF-1", "FS-LDR-1", "FS-SVC-1")
def test_a_player_builds_the_example_group(new: New) -> None:
    league = new(2)
    accepted = league.hand_in("p1", group("vveeegggg", stash=OF_DOCUMENT))
    assert [event["type"] for event in accepted.body["events"]] == ["GroupAccepted"]
    assert league.built("p1")["complete"] is False
    rolled = league.roll_turfs("p1", *[told(4, 5, seen="p2")] * 3)
    types = [event["type"] for event in rolled.body["events"]]
    assert types == ["DieRolled", "TurfGained"] * 3 + ["LeaderAppointed", "GroupRatingFinalised"]
    shown = league.built("p1")
    assert (shown["caps"], shown["rating"], shown["complete"]) == (10, 815, True)
    parts = {"characters": 215, "equipment": 275, "experience": 175, "turfs": 150, "centaurs": 0}
    assert shown["rating_parts"] == parts
    assert [turf["turf"] for turf in shown["turfs"]] == ["bar"] * 3
    xp = {member["rank"]: member["xp"] for member in shown["members"]}
    assert xp == {"veteran": 50, "experienced": 25, "green": 0}
    assert shown["leader"] in ("m-1", "m-2")


@pytest.mark.clause("FS-EX-1", "FS-GRP-11", "FS-AMB-1")
def test_the_profile_of_experienced_members_follows_the_option(new: New) -> None:
    league = new(2, options={"fs.start.experienced_xp": "21"})
    league.build("p1", group("vveeegggg", stash=OF_DOCUMENT))
    assert league.built("p1")["rating"] == 803


@pytest.mark.clause("FS-GRP-1", "FS-GRP-2")
def test_a_group_of_500_caps_is_accepted_and_a_further_knife_refused(new: New) -> None:
    league = new(1)
    full = ["flamer"] * 4 + ["frag_grenade"] * 4
    assert refused(league, group("vv", stash=[*full, "brass_knuckles_knife"])) == [("/members", "FS-GRP-1")]
    league.hand_in("p1", group("vv", stash=full))
    assert league.built("p1")["caps"] == 0


@pytest.mark.clause("FS-GRP-1")
def test_a_group_of_501_caps_is_refused(new: New) -> None:
    pack = deepcopy(to_json(shipped_ruleset(RULESET)))
    pack["rules"]["goods"]["brass_knuckles_knife"]["caps"] = 1
    handed = group("vv", stash=["flamer"] * 4 + ["frag_grenade"] * 4 + ["brass_knuckles_knife"])
    answer = new(1, pack=pack).refused(422, "group-refused", "registration", GROUP, handed)
    assert answer.body["errors"][0]["said"] == "501"


@pytest.mark.clause("FS-GRP-3", "FS-FRC-3")
@pytest.mark.parametrize("force", RULES.forces)
def test_each_force_buys_from_its_own_list(new: New, force: str) -> None:
    league = new(1)
    listed = RULES.forces[force].goods
    for good in ("stimpak", "jet", next(good for good in RULES.goods if good not in listed)):
        assert ("/stash/0", "FS-GRP-3") in refused(league, group("v", force, [good]))
    cheap = [good for good in listed if RULES.goods[good].kind not in ("big_gun", "armor")][:2]
    league.hand_in("p1", group("v", force, cheap))
    shown = league.built("p1")
    prices = sum(RULES.goods[good].caps for good in cheap)
    assert shown["caps"] == 500 - RULES.forces[force].ranks["veteran"].caps - prices
    assert shown["rating_parts"]["equipment"] == prices


@pytest.mark.clause("FS-GRP-4", "FS-GRP-5", "FS-GRP-6")
@pytest.mark.parametrize("force", RULES.forces)
def test_each_rank_has_a_maximum_at_the_start(new: New, force: str) -> None:
    league = new(1)
    letters = {rank: letter for letter, rank in RANKS.items()}
    for rank, entry in RULES.forces[force].ranks.items():
        most = letters[rank] * entry.start_most + ("" if rank == "veteran" else "v")
        league.hand_in("p1", group(most, force))
        assert ("/members", "FS-GRP-4") in refused(league, group(most + letters[rank], force))
    league.hand_in("p1", group("v", force))
    assert refused(league, group("g", force)) == [("/members", "FS-GRP-6")]


@pytest.mark.clause("FS-GRP-5")
def test_a_ninth_super_mutant_is_refused(new: New) -> None:
    league = new(1)
    league.hand_in("p1", group("vvegggggee"[:8], "super_mutants"))
    assert ("/members", "FS-GRP-5") in refused(league, group("vveeggggg", "super_mutants"))


@pytest.mark.clause("FS-FRC-1", "FS-FRC-2", "FS-GRP-12")
@pytest.mark.parametrize("force", RULES.forces)
def test_members_have_the_profile_of_their_rank_and_no_perks(new: New, force: str) -> None:
    league = new(1)
    league.hand_in("p1", group("veg", force))
    standard = {"green": (4, 1, 8), "experienced": (5, 2, 8), "veteran": (6, 3, 9)}
    mutants = {
        "green": [5, 3, 5, 3, 4, 3, 4, 2, 8],
        "experienced": [7, 4, 7, 4, 5, 4, 5, 3, 8],
        "veteran": [8, 5, 8, 5, 6, 5, 6, 4, 9],
    }
    for member in league.built("p1")["members"]:
        attribute, wounds, points = standard[member["rank"]]
        wanted = mutants[member["rank"]] if force == "super_mutants" else [attribute] * 7 + [wounds, points]
        assert [member["attributes"][key] for key in ("S", "P", "E", "C", "I", "A", "L", "W", "AP")] == wanted
        assert member["perks"] == []


@pytest.mark.clause("FS-GRP-7", "FS-AMB-27")
def test_armor_is_forbidden_or_required_or_keeps_a_member_at_home(new: New) -> None:
    league = new(1)
    clauses = {clause for _, clause in refused(league, group("v", "super_mutants", goods=["power_armor"]))}
    assert clauses == {"FS-GRP-3", "FS-GRP-7"}
    taken = league.hand_in("p1", group("ve", "regulators", goods=["trench_coat"]))
    assert [fault["where"] for fault in taken.body["advice"]] == ["/members/m-2"]
    assert league.built("p1")["advice"] == taken.body["advice"]
    strict = new(1, options={"fs.force.missing_armor": "refuse_at_registration"})
    assert refused(strict, group("ve", "regulators", goods=["trench_coat"])) == [("/members/1", "FS-GRP-7")]


@pytest.mark.clause("FS-GRP-8", "FS-AMB-26", "FS-EX-2")
def test_a_big_gun_for_the_wrong_rank_is_refused(new: New) -> None:
    talon = {"force": "talon_company", "members": [*members("ggg"), {"rank": "experienced", "goods": ["minigun"]}]}
    talon["members"] += members("v")
    league = new(1)
    assert refused(league, talon) == [("/members/3", "FS-GRP-8")]
    new(1, options={"fs.force.talon_big_guns": "merc_and_veteran_merc"}).hand_in("p1", talon)


@pytest.mark.clause("FS-GRP-8", "FS-AMB-28")
def test_too_many_big_guns_are_refused(new: New) -> None:
    league = new(1)
    assert refused(league, group("vggg", goods=["flamer"])) == [("/members", "FS-GRP-8")]
    league.hand_in("p1", group("vgggg", goods=["flamer"]))
    league.hand_in("p1", group("vggg", stash=["flamer"]))
    strict = new(1, options={"fs.force.big_gun_ratio": "checked_on_purchase"})
    assert refused(strict, group("vggg", stash=["flamer"])) == [("/members", "FS-GRP-8")]


@pytest.mark.clause("FS-GRP-9", "FS-GRP-10")
def test_grenades_are_bought_per_character_and_stimpaks_only_later(new: New) -> None:
    league = new(1)
    handed = group("veg", goods=["frag_grenade"])
    handed["members"][1]["goods"] = ["frag_grenade"]
    league.hand_in("p1", handed)
    assert [item["holder"] for item in league.built("p1")["items"]] == ["m-1", "m-2"]
    assert refused(league, group("v", stash=["stimpak"] * 4)) == [(f"/stash/{n}", "FS-GRP-3") for n in range(4)]


@pytest.mark.clause("FS-RAT-2", "FS-AMB-23", "FS-AMB-41")
@pytest.mark.parametrize(
    ("options", "equipment"),
    [({}, 25), ({"fs.data.sample_profiles": "section_5_5"}, 10), ({"fs.rating.equipment_value": "paid"}, 25)],
)
def test_the_cost_of_equipment_at_the_start(new: New, options: dict[str, str], equipment: int) -> None:
    league = new(1, options=options)
    league.hand_in("p1", group("v", stash=["smg_10mm"]))
    assert league.built("p1")["rating_parts"]["equipment"] == equipment


@pytest.mark.clause("FS-AMB-25")
@pytest.mark.parametrize(("option", "name"), [("profile_table", "Sheriff"), ("allowance_lines", "Master")])
def test_the_name_of_a_rank_follows_the_option(new: New, option: str, name: str) -> None:
    league = new(1, options={"fs.force.rank_names": option})
    league.hand_in("p1", group("v", "regulators"))
    assert league.built("p1")["members"][0]["rank_name"] == name


def test_all_faults_of_a_group_are_listed_with_unknown_words(new: New) -> None:
    league = new(1)
    unknown = {"force": "chess", "members": [{"rank": "king", "goods": ["crown"]}], "stash": ["board"]}
    wheres = [where for where, _ in refused(league, unknown)]
    assert wheres == ["/force", "/members/0/rank", "/members/0/goods/0", "/stash/0"]
    clauses = {clause for _, clause in refused(league, group("g" * 16, goods=["jet", "missile_launcher"] * 4))}
    assert clauses == {"FS-GRP-1", "FS-GRP-3", "FS-GRP-4", "FS-GRP-5", "FS-GRP-6", "FS-GRP-8"}


@pytest.mark.clause("FS-GRP-13")
def test_a_group_can_be_replaced_until_registration_closes(new: New) -> None:
    league = new(2)
    league.hand_in("p1", group("vg", stash=["frag_grenade"]))
    league.roll_turfs("p1", told(1, 1, seen="s1"), told(1, 1, seen="s1"))
    first = league.built("p1")
    league.hand_in("p1", group("ve", stash=["flamer"]))
    second = league.built("p1")
    assert second["turfs"] == first["turfs"]
    assert not ids(first) & ids(second)
    league.roll_turfs("p1", {})
    again = league.hand_in("p1", group("vv"))
    types = [event["type"] for event in again.body["events"]]
    assert types == ["GroupAccepted", "LeaderAppointed", "GroupRatingFinalised"]
    assert league.built("p1")["rating"] == 100 + 100 + 150
    league.do("registration", "/registration/close")
    locked(league, "p1", by="p1")
    locked(league, "p1", by="organiser")


def ids(shown: dict[str, Any]) -> set[str]:
    return {one["id"] for one in (*shown["members"], *shown["items"])}


def locked(league: League, player: str, by: str, **handed: Any) -> Answer:
    return league.refused(409, "group-locked", "registration", f"/players/{player}/group", group(**handed), by)


@pytest.mark.clause("FS-GRP-13", "FS-AUD-1")
def test_turfs_can_be_completed_after_registration_closes(new: New) -> None:
    league = new(2)
    league.hand_in("p1")
    league.do("registration", "/registration/close")
    league.roll_turfs("p1")
    assert league.built("p1")["complete"]


@pytest.mark.clause("FS-GRP-13")
def test_late_players_hand_in_groups_and_staff_do_it_for_others(new: New) -> None:
    league = new(3)
    league.build("p1")
    league.build("p2")
    paired = league.pair()
    assert paired.body["left_out"] == [{"player": "p3", "name": "Player 3", "reason": "no_group"}]
    league.do("registration", "/players", {"name": "Late", "late": True})
    locked(league, "p1", by="p1")
    locked(league, "p3", by="p3")
    league.hand_in("p3", by="organiser")
    league.build("p4")
    assert [line["complete"] for line in league.ask("GET", "registration", "/groups").body["items"]] == [
        True,
        True,
        False,
        True,
    ]


@pytest.mark.clause("FS-GRP-13")
def test_late_groups_are_refused_if_the_option_says_so(new: New) -> None:
    pack = deepcopy(to_json(shipped_ruleset(RULESET)))
    pack["entry"]["late"] = "none"
    league = new(2, pack=pack)
    league.do("registration", "/registration/close")
    locked(league, "p1", by="organiser")


def test_a_players_link_leads_to_group_and_game(new: New) -> None:
    league = new(2, built=True)
    league.pair()
    links = league.ask("GET", "registration", "/me", by="p1").body["links"]
    assert {"group", "game", "standing", "check_in", "drop"} <= set(links)
    for name in ("group", "game", "standing"):
        service, _, rest = links[name].removeprefix("http://").partition("/")
        answer = league.muster.ask("GET", service, f"/{rest}", token=league.token("p1"))
        assert answer.status == 200, (name, answer)


def test_groups_are_public_and_players_build_their_own(new: New) -> None:
    league = new(3)
    league.hand_in("p1")
    assert league.ask("GET", "registration", GROUP, by="").status == 200
    listed = league.ask("GET", "registration", "/groups", by="").body["items"]
    assert [(line["id"], line["force"], line["turfs_to_roll"]) for line in listed] == [
        ("p1", "raiders", 3),
        ("p2", "", 3),
        ("p3", "", 3),
    ]
    league.refused(403, "not-yours", "registration", GROUP, group(), by="p2")
    league.refused(403, "not-yours", "registration", f"{GROUP}/turfs", {"rolls": [{}]}, by="p2")
    league.refused(404, "group-missing", "registration", "/players/p2/group/turfs", {"rolls": [{}]}, by="p2")
    assert league.ask("GET", "registration", "/players/p2/group").code == "group-missing"
    league.refused(404, "player-unknown", "registration", "/players/p9/group", group())


def test_a_group_with_an_idempotency_key_is_recorded_once(new: New) -> None:
    league = new(1)
    first = league.ask("POST", "registration", GROUP, group(), "p1", Idempotency_Key="one")
    heads = league.heads
    again = league.ask("POST", "registration", GROUP, group(), "p1", Idempotency_Key="one")
    assert (first.status, again.status, first.body) == (201, 201, again.body)
    assert league.heads == heads


def test_other_formats_have_no_groups(new: New) -> None:
    league = League(new(0).muster, new(0).muster.announce().id)
    league.do("registration", "/players", {"name": "Ana"})
    league.refused(409, "wrong-format", "registration", GROUP, group())


@pytest.mark.clause("FS-LGE-3")
def test_the_number_of_rounds_follows_the_option(new: New) -> None:
    league = new(0, options={"fs.campaign.rounds": 3}, rounds=3)
    body = {"name": "Wasteland", "ruleset": RULESET, "rounds": 7}
    token = league.muster.token("operator")
    answer = league.muster.ask("POST", "registration", "/tournaments", body, token)
    assert (answer.status, answer.code) == (422, "rounds-by-option")
    league.refused(422, "rounds-by-option", "registration", "/amendments", {"rounds": 4})


@pytest.mark.clause("FS-GRP-3")
def test_a_group_may_use_the_names_of_the_document(new: New) -> None:
    league = new(1)
    handed = group("vegg", "Super Mutants", ["Nail Board"], ["Combat Shotgun"])
    handed["members"] = handed["members"][:3]
    league.hand_in("p1", handed)
    built = league.built("p1")
    assert built["force"] == "super_mutants"
    assert {item["good"] for item in built["items"]} == {"combat_shotgun", "baseball_bat_sledgehammer_nail_board"}
    answer = league.refused(
        422, "group-refused", "registration", "/players/p1/group", group("v", goods=["Laser Pistol"])
    )
    (fault,) = answer.body["errors"]
    assert (fault["code"], fault["data"]["values"][0]) == ("one-of", "Brass Knuckles / Knife")
    assert fault["expected"].startswith("one of Brass Knuckles / Knife, ")
