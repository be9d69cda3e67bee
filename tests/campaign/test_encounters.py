"""Random encounters in a game and while scavenging: places to search, slaves, creatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.dice import Thrown
from shared.campaign.encounters import Meeting, draw_encounter, resolve_encounter, search
from shared.campaign.experience import award_experience
from shared.campaign.facts import Deeds, Dose, Encounter, Freed, GameReport, Played, Search, SideReport
from shared.campaign.outcomes import ExperienceChanged, LevelReached
from shared.campaign.post_game import open_post_game
from shared.campaign.post_game_outcomes import EncounterDrawn
from shared.campaign.report import faults_of_report
from shared.campaign.roster import Group, Item
from shared.campaign.words import ChoiceRefused, DiceRefused
from shared.tournament.draws import SeededDraws
from tests.campaign.rolls import faults_of_rolls
from tests.campaign.story import (
    LOTS,
    RULES,
    a_group,
    in_step,
    kinds,
    of_kind,
    out,
    refused,
    rules,
    then,
    thrown,
    with_member,
)


def cast(*throws: Thrown) -> Callable[..., Thrown]:
    """Return a roll function that gives these throws in order."""
    rest = iter(throws)
    return lambda *asked: next(rest, Thrown("", ()))


def met(force: str = "raiders", ranks: str = "vgg", **more: Any) -> Group:
    """Return a group in step 3 whose m-2, a Green, met an encounter while scavenging."""
    group = out(force=force, ranks=ranks, **more)
    return replace(group, phase=replace(group.phase, encounters=("m-2",)))


def resolved(group: Group, ending: Any, *throws: Thrown, ruleset: Any = RULES, **more: Any) -> Any:
    return resolve_encounter(ruleset, group, Meeting("m-2", ending, **more), cast(*throws))


def wrong(group: Group, ending: Any, *throws: Thrown, ruleset: Any = RULES, **more: Any) -> list[tuple[str, str]]:
    return refused(ChoiceRefused, resolve_encounter, ruleset, group, Meeting("m-2", ending, **more), cast(*throws))


ROWS = [
    (0, (10, "", 0), (10, "", 0)),
    (7, (10, "", 0), (10, "", 0)),
    (8, (0, "brass_knuckles_knife", 1), (0, "brass_knuckles_knife", 1)),
    (9, (0, "brass_knuckles_knife", 1), (0, "brass_knuckles_knife", 1)),
    (10, (0, "frag_grenade", 3), (0, "plasma_grenade", 3)),
    (11, (0, "frag_grenade", 3), (0, "plasma_grenade", 3)),
    (12, (0, "smg_10mm", 1), (0, "power_fist", 1)),
    (15, (0, "smg_10mm", 1), (0, "power_fist", 1)),
    (16, (0, "laser_pistol", 1), (0, "plasma_pistol", 1)),
    (18, (0, "laser_pistol", 1), (0, "plasma_pistol", 1)),
    (19, (0, "assault_rifle_chinese", 1), (0, "plasma_rifle", 1)),
    (23, (0, "assault_rifle_chinese", 1), (0, "plasma_rifle", 1)),
]


@pytest.mark.parametrize(("total", "scavenger", "outpost"), ROWS)
@pytest.mark.parametrize(
    ("at", "column", "clause"),
    [
        pytest.param("dead_scavenger", 0, "FS-ENC-2", marks=pytest.mark.clause("FS-ENC-2")),
        pytest.param("enclave_outpost", 1, "FS-ENC-3", marks=pytest.mark.clause("FS-ENC-3")),
    ],
)
def test_search_tables_by_die_and_luck(
    at: str, column: int, clause: str, total: int, scavenger: Any, outpost: Any
) -> None:
    caps, good, number = (scavenger, outpost)[column]
    face = max(1, min(total, 12))
    group = a_group(ranks="vg")
    amount = [thrown(12)] if number == 3 else []
    events = search(RULES, group, "m-2", at, total - face, cast(thrown(face), *amount))
    after = then(group, events)
    assert (after.caps, [item.good for item in after.items]) == (caps, [good] * number)
    assert (events[0].total, events[0].purpose, events[0].row.table) == (total, clause, at)
    assert list(faults_of_rolls(RULES, events)) == []


@pytest.mark.clause("FS-ENC-2", "FS-ENC-3")
def test_dice_set_the_number_of_grenades() -> None:
    for face, number in ((1, 1), (4, 1), (5, 2), (9, 3)):
        events = search(RULES, a_group(), "m-2", "dead_scavenger", 4, cast(thrown(6), thrown(face)))
        assert then(a_group(), events).count("frag_grenade") == number


@pytest.mark.clause("FS-ENC-2", "FS-GRP-10")
def test_item_beyond_the_limit_is_left_behind() -> None:
    one = replace(RULES, goods={**RULES.goods, "frag_grenade": replace(RULES.goods["frag_grenade"], most=2)})
    group = a_group(goods=["frag_grenade"])
    events = search(one, group, "m-2", "dead_scavenger", 4, cast(thrown(6), thrown(12)))
    assert then(group, events).count("frag_grenade") == 2


@pytest.mark.clause("FS-ENC-4", "FS-ENC-2")
def test_scavenger_searches_a_corpse_twice_with_its_luck() -> None:
    group = met(caps=0)
    after = then(group, resolved(group, "searched", thrown(3), thrown(8), met="dead_scavenger"))
    assert (after.caps, [item.good for item in after.items], after.phase.encounters) == (10, ["smg_10mm"], ())
    lucky = with_member(group, "m-2", raised={"L": 1})
    once = then(lucky, resolved(lucky, "searched", thrown(3), met="dead_scavenger", searches=1))
    assert [item.good for item in once.items] == ["brass_knuckles_knife"]
    assert wrong(group, "searched", thrown(3), met="dead_scavenger", searches=3) == [("/searches", "FS-ENC-2")]
    assert wrong(group, "searched", met="slaves") == [("/met", "FS-ENC-4")]
    found = then(group, resolved(group, "searched", thrown(12), thrown(12), met="enclave_outpost"))
    assert found.count("plasma_pistol") == 2
    hat = replace(group, items=(Item("i-1", "lucky_baseball_cap", "m-2"),))
    worn = then(hat, resolved(hat, "searched", thrown(3), met="dead_scavenger", searches=1))
    assert [item.good for item in worn.items] == ["lucky_baseball_cap", "brass_knuckles_knife"]


@pytest.mark.clause("FS-ENC-1", "FS-ENC-4")
def test_freed_slaves_met_while_scavenging_join() -> None:
    """A Green with I 4 frees a slave with a one; a veteran with I 6 needs at most a three."""
    group = met()
    events = resolved(group, "slaves_met", thrown(12), thrown(1), thrown(2), thrown(1), met="slaves")
    after = then(group, events)
    assert [member.rank for member in after.members[3:]] == ["green", "green"]
    assert [outcome.freed for outcome in events if type(outcome).__name__ == "CollarTried"] == [True, False, True]
    assert list(faults_of_rolls(RULES, events)) == []
    clever = with_member(group, "m-2", raised={"I": 2})
    for face, joined in ((3, 1), (4, 0)):
        freed = then(clever, resolved(clever, "slaves_met", thrown(1), thrown(face), met="slaves"))
        assert len(freed.members) == 3 + joined
    exploded = resolved(group, "slaves_met", thrown(5), met="slaves", lost=2, down=True)
    assert then(group, exploded).phase.injured == ("m-2",)
    assert wrong(group, "slaves_met", thrown(1), met="slaves", lost=2) == [("/lost", "FS-ENC-1")]
    full = met("super_mutants", "vggggggg")
    assert len(then(full, resolved(full, "slaves_met", thrown(1), thrown(1), met="slaves")).members) == 8


@pytest.mark.clause("FS-ENC-5", "FS-SCV-1", "FS-XP-6")
def test_creatures_met_while_scavenging_give_experience() -> None:
    """Three ants with one Wound each: three wounds and three kills. Two Radscorpions with two Wounds: four and two."""
    group = met(caps=0)
    events = resolved(group, "creatures_killed", thrown(5, 6), met="giant_ants", number=3)
    won = then(group, events)
    assert (won.caps, won.member("m-2").xp, won.member("m-2").level, won.member("m-2").advances) == (11, 6, 2, 2)
    assert [changed.clause for changed in of_kind(events, ExperienceChanged)] == ["FS-ENC-5"]
    for ruleset, xp in ((RULES, 6), (rules(xp__wound="per_model"), 4)):
        two = resolved(group, "creatures_killed", thrown(1, 1), met="radscorpions", number=2, ruleset=ruleset)
        assert then(group, two).member("m-2").xp == xp
    fled = then(group, resolved(group, "escaped", met="radscorpions", number=2, wounds=3, kills=1))
    assert (fled.caps, fled.member("m-2").xp) == (0, 4)
    beaten = then(group, resolved(group, "member_killed", met="deathclaw", number=1, wounds=2))
    assert (beaten.member("m-2").xp, beaten.phase.injured) == (2, ("m-2",))
    assert kinds(resolved(group, "escaped")) == ["EncounterResolved"]


@pytest.mark.clause("FS-ENC-5", "FS-ENC-4")
@pytest.mark.parametrize(
    ("ending", "members", "where"),
    [
        ("creatures_killed", {"met": "giant_ants", "number": 4}, ("/number", "FS-ENC-5")),
        ("creatures_killed", {"met": "molerats", "number": 1}, ("/number", "FS-ENC-5")),
        ("creatures_killed", {"met": "giant_ants", "number": 2, "wounds": 9}, ("/wounds", "FS-ENC-4")),
        ("creatures_killed", {}, ("/met", "FS-ENC-4")),
        ("creatures_killed", {"met": "dead_scavenger"}, ("/met", "FS-ENC-4")),
        ("escaped", {"met": "radscorpions", "number": 2, "wounds": 4, "kills": 1}, ("/wounds", "FS-ENC-5")),
        ("escaped", {"met": "radscorpions", "number": 2, "wounds": 1, "kills": 1}, ("/wounds", "FS-ENC-5")),
        ("escaped", {"met": "radscorpions", "number": 2, "wounds": 4, "kills": 2}, ("/kills", "FS-ENC-5")),
        ("escaped", {"wounds": 50}, ("/met", "FS-ENC-4")),
        ("member_killed", {"met": "deathclaw", "number": 1, "wounds": 3}, ("/wounds", "FS-ENC-5")),
        ("escaped", {"lost": 1}, ("/lost", "FS-ENC-4")),
    ],
)
def test_impossible_fights_are_refused(ending: Any, members: dict[str, Any], where: tuple[str, str]) -> None:
    assert wrong(met(), ending, thrown(5, 6), **members) == [where]


@pytest.mark.clause("FS-ENC-4", "FS-DICE-4")
def test_service_draws_a_binding_encounter_card() -> None:
    group = met()
    seen = {draw_encounter(RULES, group, "m-2", SeededDraws(str(seed)))[0].met for seed in range(200)}
    assert seen == set(RULES.encounters.cards)
    deck = [draw_encounter(RULES, group, "m-2", SeededDraws(str(seed)))[0].met for seed in range(2000)]
    assert 1.5 < deck.count("ghouls") / deck.count("deathclaw") < 2.6  # two copies against one
    drawn = then(group, EncounterDrawn("m-2", "dead_scavenger"))
    assert refused(ChoiceRefused, draw_encounter, RULES, drawn, "m-2", LOTS) == [("/member", "FS-ENC-4")]
    assert refused(ChoiceRefused, draw_encounter, RULES, group, "m-1", LOTS) == [("/member", "FS-ENC-4")]
    assert wrong(drawn, "searched", thrown(3), thrown(3), met="enclave_outpost") == [("/met", "FS-ENC-4")]
    assert wrong(drawn, "creatures_killed", thrown(1, 1), met="ghouls", number=1) == [("/met", "FS-ENC-4")]
    assert wrong(drawn, "member_killed") == [("/met", "FS-ENC-4")]
    after = then(drawn, resolved(drawn, "searched", thrown(3), thrown(3), met="dead_scavenger"))
    assert (after.caps, after.phase.encounters, after.phase.drawn) == (20, (), {})
    assert then(drawn, resolved(drawn, "escaped")).phase.drawn == {}
    twice = replace(group, phase=replace(group.phase, encounters=("m-2", "m-2")))
    assert then(twice, resolved(twice, "escaped")).phase.encounters == ("m-2",)


@pytest.mark.clause("FS-SCV-1")
def test_encounter_needs_a_meeting_and_its_dice() -> None:
    group = met()
    asked = (resolve_encounter, RULES, group, Meeting("m-1", "escaped"), cast())
    assert refused(ChoiceRefused, *asked) == [("/member", "FS-SCV-1")]
    asked = (resolve_encounter, RULES, group, Meeting("m-2", "creatures_killed", "ghouls", 1), cast())
    assert refused(DiceRefused, *asked) == [("/roll/dice", "FS-SCV-1")]


SCAVENGER, OUTPOST = Encounter("dead_scavenger"), Encounter("enclave_outpost")


def report_of_game(*searches: Search, freed: Any = (), encounters: Any = (SCAVENGER,), deeds: Any = None) -> GameReport:
    """Return a report in which A wins 3 to 1; its m-1 is a veteran, m-2 a Green."""
    members = deeds or (Deeds("m-1"), Deeds("m-2"))
    one = SideReport("A", 1, (1, 2), 3, members=members, searches=searches, freed=tuple(freed))
    two = SideReport("B", 1, (1,), 1, members=(Deeds("m-1"), Deeds("m-2")))
    return GameReport((one, two), 8, thrown(12), encounters=tuple(encounters))


def faults(report: GameReport, **groups: Group) -> list[tuple[str, str]]:
    known = {"A": a_group(ranks="vg"), "B": a_group(ranks="vg")} | groups
    known = {id: replace(group, id=id) for id, group in known.items()}
    found = faults_of_report(RULES, report, known, {id: ["m-1", "m-2"] for id in known})
    assert all(fault.said and str(fault.expected) for fault in found)
    return [(fault.where, fault.clause) for fault in found]


def find(member: str = "m-2", face: int = 3, at: str = "dead_scavenger", **more: Any) -> Search:
    return Search(at, member, thrown(face), **more)


@pytest.mark.clause("FS-ENC-2", "FS-ENC-3", "FS-REP-3")
def test_searches_in_a_game_and_by_the_winner_afterwards() -> None:
    assert faults(report_of_game(find(), find())) == []
    assert faults(report_of_game(find(), find(), find())) == [("/encounters", "FS-ENC-2")]
    assert faults(report_of_game(find(), find(), find(), encounters=(SCAVENGER, SCAVENGER))) == []
    assert faults(report_of_game(find(), encounters=())) == [("/encounters", "FS-ENC-2")]
    assert faults(report_of_game(find(at="enclave_outpost"))) == [("/encounters", "FS-ENC-3")]
    assert faults(report_of_game(find(after=True))) == []
    assert faults(report_of_game(find(after=True), find(after=True))) == [("/encounters", "FS-ENC-2")]
    assert faults(report_of_game(find(), find(after=True))) == [("/encounters", "FS-ENC-2")]
    assert faults(report_of_game(find(), find(after=True), encounters=(SCAVENGER, SCAVENGER))) == []
    won = report_of_game(find(after=True))
    lost = replace(won, sides=(replace(won.sides[0], lines=(), vp=0), won.sides[1]))
    assert faults(lost) == [("/sides/0/searches/0/after", "FS-ENC-2")]
    tied = replace(won, sides=(replace(won.sides[0], lines=(1,), vp=1), won.sides[1]))
    assert faults(tied) == [("/sides/0/searches/0/after", "FS-ENC-2")]


@pytest.mark.clause("FS-ENC-2", "FS-REP-4")
def test_impossible_searches_are_refused() -> None:
    assert faults(report_of_game(find("m-9"))) == [("/sides/0/searches/0/member", "FS-ENC-2")]
    assert faults(report_of_game(find(at="crown"))) == [("/sides/0/searches/0/at", "FS-ENC-2")]
    assert faults(report_of_game(find(at="giant_ants"))) == [("/sides/0/searches/0/at", "FS-ENC-2")]
    assert faults(report_of_game(find(face=6))) == [("/sides/0/searches/0/amount", "FS-ENC-2")]
    assert faults(report_of_game(find(face=6, amount=thrown(1)))) == []
    assert faults(report_of_game(find(face=3, amount=thrown(1)))) == [("/sides/0/searches/0/amount", "FS-ENC-2")]
    assert faults(report_of_game(find(face=13))) == [("/sides/0/searches/0/roll/dice/0/natural", "FS-DICE-1")]
    assert faults(report_of_game(encounters=[Encounter("dragon")])) == [("/encounters/0/met", "FS-REP-3")]
    addict = with_member(a_group(ranks="vg"), "m-2", addictions=("jet",))
    assert faults(report_of_game(find(face=6)), A=addict) == []  # Luck 3 makes 9: a knife


@pytest.mark.clause("FS-ENC-1")
def test_freed_slaves_need_an_appearance_and_a_successful_check() -> None:
    two = Encounter("slaves", 2)
    one, other, third = (Freed(member, thrown(face)) for member, face in (("m-1", 3), ("m-2", 1), ("m-1", 1)))
    assert faults(report_of_game(freed=[one, other], encounters=[two])) == []
    assert faults(report_of_game(freed=[one, other, third], encounters=[two])) == [("/encounters", "FS-ENC-1")]
    assert faults(report_of_game(freed=[one], encounters=[])) == [("/encounters", "FS-ENC-1")]
    dull = Freed("m-1", thrown(4))
    assert faults(report_of_game(freed=[dull], encounters=[two])) == [("/sides/0/freed/0/roll", "FS-ENC-1")]
    assert faults(report_of_game(freed=[Freed("m-9", thrown(1))], encounters=[two])) == [
        ("/sides/0/freed/0/member", "FS-ENC-1")
    ]
    drugged = replace(a_group(ranks="vg", goods=[("mentats", "m-1")]), id="A")
    took = report_of_game(
        freed=[dull], encounters=[two], deeds=(Deeds("m-1", doses=(Dose("i-100", thrown(3)),)), Deeds("m-2"))
    )
    assert faults(took, A=drugged) == []


@pytest.mark.clause("FS-ENC-1", "FS-ENC-2", "FS-ENC-3", "FS-GRP-5", "FS-REP-3")
def test_finds_and_freed_slaves_arrive_after_the_game() -> None:
    group = a_group(ranks="vg", caps=0)
    side = SideReport(
        "raiders-1",
        1,
        members=(Deeds("m-1"), Deeds("m-2", down="terrain", removed=True)),
        searches=(find(), find("m-1", 10), find("m-2", 6, at="enclave_outpost", amount=thrown(5))),
        freed=(Freed("m-1", thrown(3)), Freed("m-2", thrown(1))),
    )
    events = open_post_game(RULES, group, 1, Played("win", side, leader="m-1"), LOTS)
    after = then(group, events)
    assert after.caps == 10
    assert [item.good for item in after.items] == ["laser_pistol", "plasma_grenade", "plasma_grenade"]
    assert [member.rank for member in after.members] == ["veteran", "green", "green"]
    assert list(faults_of_rolls(RULES, events)) == []
    full = a_group("super_mutants", "vggggggg")
    crowd = Played("win", replace(side, searches=(), members=(Deeds("m-1"), Deeds("m-2"))))
    assert len(then(full, open_post_game(RULES, full, 1, crowd, LOTS)).members) == 8


@pytest.mark.clause("FS-ENC-5", "FS-XP-1")
def test_creatures_in_a_game_give_the_same_experience_as_rivals() -> None:
    for kill in ("last_wound", "dead_on_injury_table"):
        group = in_step(a_group(ranks="vg"), "2", Deeds("m-2", wounds=3, models=2, kills=2))
        events = award_experience(rules(xp__kill=kill), group)
        assert then(group, events).member("m-2").xp == 3 + 2 + 1
        assert [reached.level for reached in of_kind(events, LevelReached)] == [1, 2]
