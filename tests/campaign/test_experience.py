"""Experience and levels."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.campaign.experience import (
    award_experience,
    change_xp,
    choose_perk,
    level_at,
    raise_to_next_level,
    roll_advancement,
    take_back,
)
from shared.campaign.facts import Deeds
from shared.campaign.ledger import LedgerEntry, ruled_entries
from shared.campaign.outcomes import LevelReached
from shared.campaign.roster import Group, attribute
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused
from tests.campaign.story import EXAMPLES, RULES, a_group, in_step, of_kind, refused, rules, then, thrown, with_member


def awarded(group: Group, ruleset: Rules = RULES, deaths: tuple[str, ...] = ()) -> Group:
    return then(group, award_experience(ruleset, group, deaths))


def xp_of(*deeds: Deeds, ranks: str = "ggg", ruleset: Rules = RULES, deaths: Any = (), **more: Any) -> list[int]:
    force, ending, side = more.get("force", "raiders"), more.get("ending", "loss"), more.get("side", {})
    group = in_step(a_group(force, ranks), "2", *deeds, ending=ending, side=side)
    after = awarded(group, ruleset, deaths)
    return [member.xp - before.xp for member, before in zip(after.members, group.members, strict=True)]


@pytest.mark.clause("FS-EX-4", "FS-XP-1", "FS-XP-4", "FS-XP-5", "FS-ADV-1", "FS-AMB-11")
def test_example_member_of_the_document() -> None:
    example = EXAMPLES["FS-EX-4"]
    group = with_member(a_group(ranks="ve"), "m-2", xp=example["xp"], level=example["level"])
    group = in_step(group, "2", Deeds("m-2", **example["deeds"]), ending="loss")
    events = award_experience(RULES, group)
    assert [outcome.level for outcome in of_kind(events, LevelReached)] == example["reached"]
    group = then(group, events)
    assert [group.member("m-2").xp, group.member("m-2").advances] == [example["after"], 2]
    for total, raised in example["rolls"].items():
        before = attribute(RULES, group, group.member("m-2"), raised)
        group = then(group, roll_advancement(RULES, group, "m-2", thrown(total - 1, 1)))
        assert attribute(RULES, group, group.member("m-2"), raised) == before + 1
    assert group.member("m-2").advances == 0
    assert refused(ChoiceRefused, roll_advancement, RULES, group, "m-2", thrown(1, 1)) == [("/member", "FS-XP-5")]
    one = in_step(with_member(group, "m-2", xp=14, level=4), "2", Deeds("m-2", wounds=4))
    assert awarded(one, rules(xp__level_count="one_per_game")).member("m-2").advances == 1


@pytest.mark.clause("FS-EX-4", "FS-XP-5")
def test_experienced_member_needs_27_for_the_first_advancement() -> None:
    group = a_group(ranks="ve")
    assert not list(of_kind(change_xp(RULES, group, "m-2", 1, "x", "FS-XP-1"), LevelReached))
    needed = EXAMPLES["FS-EX-4"]["next_of_a_starting_experienced"] - 25
    assert [
        reached.level for reached in of_kind(change_xp(RULES, group, "m-2", needed, "x", "FS-XP-1"), LevelReached)
    ] == [9]


@pytest.mark.clause("FS-XP-5", "FS-GRP-11", "FS-AMB-1")
def test_starting_levels() -> None:
    assert [member.level for member in a_group(ranks="gev").members] == [0, 8, 14]
    assert [member.level for member in a_group(ranks="gev", ruleset=rules(start__experienced_xp=21)).members] == [
        0,
        7,
        14,
    ]
    assert [level_at(RULES, xp) for xp in (2, 3, 99, 100, 500)] == [0, 1, 19, 20, 20]


@pytest.mark.clause("FS-XP-1")
@pytest.mark.parametrize(
    ("deeds", "earned"),
    [
        ({}, 1),
        ({"wounds": 2, "kills": 1}, 4),
        ({"computers": 1, "locks": 2}, 4),
    ],
)
def test_experience_of_a_game(deeds: dict[str, Any], earned: int) -> None:
    assert xp_of(Deeds("m-2", **deeds)) == [0, earned, 0]


@pytest.mark.clause("FS-XP-1")
def test_fielded_leader_of_the_winner_earns_one_more() -> None:
    assert xp_of(Deeds("m-1"), Deeds("m-2"), ending="win") == [2, 1, 0]
    assert xp_of(Deeds("m-1"), Deeds("m-2"), ending="draw") == [1, 1, 0]
    assert xp_of(Deeds("m-2"), ending="win") == [0, 1, 0]


@pytest.mark.clause("FS-XP-2", "FS-AMB-8")
def test_member_taken_down_and_alive_has_survived() -> None:
    down = Deeds("m-2", down="rival", wounds=1)
    assert xp_of(down) == [0, 2, 0]
    assert xp_of(down, ruleset=rules(xp__survive="not_taken_down")) == [0, 1, 0]
    for ruleset in (RULES, rules(xp__survive="not_taken_down")):
        assert xp_of(Deeds("m-2"), Deeds("m-3", fled=True), ruleset=ruleset) == [0, 1, 1]
    gone = in_step(a_group(ranks="vg"), "2", Deeds("m-9", wounds=5))
    assert [member.xp for member in awarded(gone).members] == [50, 0]


@pytest.mark.clause("FS-XP-2", "FS-INJ-5")
def test_jailed_member_gets_its_experience() -> None:
    group = in_step(a_group(ranks="vgg"), "2", Deeds("m-2", down="rival", wounds=2, kills=1))
    group = with_member(group, "m-2", away=True)
    after = awarded(group)
    assert [member.xp for member in after.members] == [50, 4, 0]
    rolled = then(after, roll_advancement(RULES, after, "m-2", thrown(1, 1)))
    assert rolled.member("m-2").advances == 0 or rolled.phase.open_advances


@pytest.mark.clause("FS-AMB-9", "FS-AMB-10")
def test_options_for_wounds_and_kills() -> None:
    deeds = Deeds("m-2", wounds=3, models=2, kills=2, took=("x-1",))
    assert xp_of(deeds) == [0, 6, 0]
    assert xp_of(deeds, ruleset=rules(xp__wound="per_model")) == [0, 5, 0]
    assert xp_of(deeds, ruleset=rules(xp__kill="dead_on_injury_table")) == [0, 5, 0]
    assert xp_of(deeds, ruleset=rules(xp__kill="dead_on_injury_table"), deaths=("x-1",)) == [0, 6, 0]


@pytest.mark.clause("FS-XP-3")
def test_force_extras() -> None:
    tech = [Deeds("m-1"), Deeds("m-2", high_tech=2), Deeds("m-3", high_tech=1, down="rival")]
    assert xp_of(*tech, force="brotherhood_of_steel", ranks="vgg", side={"missed": 3}) == [-2, 2, 1]
    assert xp_of(*tech, force="raiders", ranks="vgg", side={"missed": 3}) == [1, 1, 1]
    assert xp_of(Deeds("m-1"), Deeds("m-2", mutated=2), force="enclave", side={"left": 1}) == [0, 3, 0]
    assert xp_of(Deeds("m-2", evil=2), force="regulators") == [0, 3, 0]
    assert xp_of(Deeds("m-1"), Deeds("m-2", mutated=2, evil=2), force="raiders", side={"left": 1}) == [1, 1, 0]


@pytest.mark.clause("FS-XP-5", "FS-AMB-52")
def test_losses_stop_at_zero_and_take_no_level() -> None:
    group = in_step(a_group("enclave", "gg"), "2", Deeds("m-2"), side={"left": 5})
    assert awarded(group).member("m-1").xp == 0
    high = in_step(with_member(a_group("enclave", "vg"), "m-1", xp=50, level=14), "2", Deeds("m-2"), side={"left": 5})
    assert (awarded(high).member("m-1").xp, awarded(high).member("m-1").level) == (45, 14)
    assert awarded(high, rules(xp__loss="undo_level")).member("m-1").level == 13


@pytest.mark.clause("FS-XP-5", "FS-AMB-52")
def test_loss_by_rule_keeps_levels_unless_the_option_undoes_them() -> None:
    group = with_member(a_group("enclave", "vg"), "m-2", xp=9, level=3, advances=1)
    entry = LedgerEntry("experience", "left standing", "FS-XP-3", member="m-2", deeds={"mutated_left": 4})
    kept = then(group, ruled_entries(RULES, group, [entry])).member("m-2")
    assert (kept.xp, kept.level, kept.advances, kept.peak) == (5, 3, 1, 9)
    undone = then(group, ruled_entries(rules(xp__loss="undo_level"), group, [entry])).member("m-2")
    assert (undone.xp, undone.level) == (5, 1)
    again = then(group, ruled_entries(RULES, group, [entry]))
    again = then(again, change_xp(RULES, again, "m-2", 4, "x", "FS-XP-1"))
    assert (again.member("m-2").level, again.member("m-2").advances) == (3, 1)


@pytest.mark.clause("FS-XP-5", "FS-REP-5", "FS-ADV-1")
def test_unearned_experience_removes_owed_rolls_first_then_latest_gains() -> None:
    group = in_step(a_group(ranks="vg"), "2")
    group = then(group, change_xp(RULES, group, "m-2", 9, "x", "FS-XP-1"))
    for total in (4, 12):  # Intelligence, then Agility
        group = then(group, roll_advancement(RULES, group, "m-2", thrown(total - 1, 1)))
    assert (group.member("m-2").gained, group.member("m-2").advances) == (("I", "A"), 1)
    for amount in (0, 1, -10):
        assert refused(ChoiceRefused, take_back, RULES, group, "m-2", amount, "x", "FS-XP-1") == [
            ("/amount", "FS-XP-5")
        ]
    after = then(group, take_back(RULES, group, "m-2", -6, "x", "FS-XP-1")).member("m-2")
    assert (after.xp, after.level, after.advances, after.raised, after.gained) == (3, 1, 0, {"I": 1}, ("I",))
    waits = then(group, roll_advancement(RULES, group, "m-2", thrown(1, 1)))
    assert waits.phase.open_advances
    after = then(waits, take_back(RULES, waits, "m-2", -1, "x", "FS-XP-1"))
    assert (after.member("m-2").advances, after.phase.open_advances, after.member("m-2").level) == (0, (), 2)
    perk = then(waits, choose_perk(RULES, waits, "m-2", "cannibal"))
    after = then(perk, take_back(RULES, perk, "m-2", -1, "x", "FS-XP-1")).member("m-2")
    assert (after.perks, after.gained) == ((), ("I", "A"))
    assert refused(ChoiceRefused, take_back, RULES, group, "m-2", -10, "x", "FS-XP-1") == [("/amount", "FS-XP-5")]
    assert refused(ChoiceRefused, take_back, RULES, group, "m-1", -1, "x", "FS-XP-1") == [("/amount", "FS-XP-5")]


@pytest.mark.clause("FS-XP-5", "FS-AMB-52", "FS-AMB-46", "FS-AMB-11")
def test_correction_keeps_levels_left_by_a_rule_or_given_by_a_reward() -> None:
    enclave = with_member(a_group("enclave", "vg"), "m-2", xp=9, level=3)
    lost = then(enclave, change_xp(RULES, enclave, "m-2", -3, "mutated_left", "FS-XP-3"))
    after = then(lost, take_back(RULES, lost, "m-2", -1, "x", "FS-XP-1")).member("m-2")
    assert (after.xp, after.level) == (5, 2)  # it had 8 at its best, which is level 2
    ruleset = rules(reward__level_gain="roll_only")
    group = then(enclave, raise_to_next_level(ruleset, enclave, enclave.member("m-2")))
    assert then(group, take_back(ruleset, group, "m-2", -1, "x", "FS-XP-1")).member("m-2").level == 3
    one = rules(xp__level_count="one_per_game")
    group = in_step(a_group(ranks="vg"), "2")
    group = then(group, change_xp(one, group, "m-2", 9, "x", "FS-XP-1"))
    assert (group.member("m-2").level, group.member("m-2").advances) == (3, 1)
    after = then(group, take_back(one, group, "m-2", -9, "x", "FS-XP-1")).member("m-2")
    assert (after.level, after.advances) == (0, 0)


@pytest.mark.clause("FS-XP-6", "FS-AMB-46")
def test_a_level_as_a_reward() -> None:
    group = a_group(ranks="vg")
    after = then(group, raise_to_next_level(RULES, group, group.member("m-2")))
    assert (after.member("m-2").xp, after.member("m-2").level, after.member("m-2").advances) == (3, 1, 1)
    ruleset = rules(reward__level_gain="roll_only")
    after = then(group, raise_to_next_level(ruleset, group, group.member("m-2")))
    assert (after.member("m-2").xp, after.member("m-2").level, after.member("m-2").advances) == (0, 1, 1)


@pytest.mark.clause("FS-XP-4", "FS-XP-5")
@given(some.lists(some.integers(0, 30), max_size=12))
def test_each_level_is_reached_once_and_in_order(gains: list[int]) -> None:
    group, reached = a_group(ranks="g"), []
    for gain in gains:
        events = change_xp(RULES, group, "m-1", gain, "x", "FS-XP-1")
        reached += [outcome.level for outcome in of_kind(events, LevelReached)]
        group = then(group, events)
    assert reached == list(range(1, level_at(RULES, sum(gains)) + 1))
    assert group.member("m-1").advances == len(reached)


@pytest.mark.clause("FS-XP-5", "FS-REP-5")
@pytest.mark.parametrize(("option", "level"), [("undo_level", 2), ("xp_only", 2)])
def test_correction_after_a_loss_starts_at_the_level_left_by_the_option(option: str, level: int) -> None:
    """9 is level 3 and 7 is level 2. If the loss undid level 3, it is not taken again; if the level was kept, it is
    taken now.
    """
    ruleset = rules(xp__loss=option)
    group = with_member(a_group("enclave", "vg"), "m-2", xp=9, level=3, peak=9)
    lost = then(group, change_xp(ruleset, group, "m-2", -2, "mutated_left", "FS-XP-3"))
    assert lost.member("m-2").level == (2 if option == "undo_level" else 3)
    after = then(lost, take_back(ruleset, lost, "m-2", -1, "x", "FS-XP-1")).member("m-2")
    assert (after.xp, after.level) == (6, level)
