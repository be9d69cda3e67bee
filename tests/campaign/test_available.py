"""Choices offered to clients in the open step: their dice, and why others are illegal."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.campaign.choices import AvailableActions, available_actions, decide
from shared.campaign.dice import DiceSource, Die, RollTold, SampleDice
from shared.campaign.evolve import evolve
from shared.campaign.injuries import roll_injury
from shared.campaign.roster import Group, HeldPerk, OpenRoll, Quote, Visit
from shared.campaign.steps import DecisionContext, Rival, order_of
from shared.campaign.tables import Rules
from shared.campaign.words import ChoiceRefused
from tests.campaign.play import Play
from tests.campaign.story import (
    LOTS,
    RULES,
    a_group,
    dice,
    in_step,
    kinds,
    refused,
    rules,
    then,
    thrown,
    with_member,
)


def asked(group: Group, ruleset: Rules = RULES, *rivals: Rival) -> AvailableActions:
    found = available_actions(ruleset, group, rivals)
    assert found is not None
    return found


def legal(group: Group, does: str, ruleset: Rules = RULES, *rivals: Rival) -> list[dict[str, str]]:
    return [
        dict(choice.of) for choice in asked(group, ruleset, *rivals).choices if choice.does == does and choice.legal
    ]


def why_not(group: Group, does: str, ruleset: Rules = RULES) -> set[str]:
    refused = [choice for choice in asked(group, ruleset).choices if choice.does == does and not choice.legal]
    return {fault.clause for choice in refused for fault in choice.errors}


def test_no_choices_between_rounds() -> None:
    assert available_actions(RULES, a_group()) is None


@pytest.mark.clause("FS-PGP-1", "FS-INJ-1")
def test_due_injuries_are_offered_and_keep_the_step_open() -> None:
    group = in_step(a_group(ranks="vg", turfs=["doctor"]), "1", injured=("m-2",), rerolls=1)
    now = asked(group)
    assert (now.step, now.name) == ("1", "injuries")
    assert [(choice.does, choice.of, choice.dice) for choice in now.choices] == [
        ("roll_injury", {"member": "m-2"}, ("2D12",))
    ]
    assert [fault.clause for fault in now.waits_for] == ["FS-INJ-1"]
    group = then(group, roll_injury(RULES, group, "m-2", thrown(6, 6), "s"))
    both = {"member": "m-2", "injury": "scarred"}
    assert legal(group, "take_injury") == legal(group, "reroll_injury") == [both]
    assert asked(group).waits_for == ()
    again = replace(group, phase=replace(group.phase, open_injuries=(OpenRoll("m-2", "scarred", "r-1", True),)))
    assert legal(again, "roll_injury") == [{"member": "m-2"}]
    jailed = in_step(a_group("vault_residents", "vg"), "1", jail=("m-2",))
    assert legal(jailed, "check_jail") == [{"member": "m-2"}]
    assert legal(jailed, "choose_clean_home") == [
        *({"choice": "medical_lab"}, {"choice": "restaurant"}),
        *({"choice": "radaway", "member": id} for id in ("m-1", "m-2")),
    ]


@pytest.mark.clause("FS-GAM-10")
@pytest.mark.parametrize(("objective", "choices"), [(1, 1), (2, 2), (5, 11), (6, 1), (10, 1), (11, 2)])
def test_every_way_to_claim_a_reward_is_offered(objective: int, choices: int) -> None:
    group = with_member(a_group(ranks="vg"), "m-2", injuries=("scarred", "eye_wound"))
    group = in_step(group, "1b")
    side = replace(group.phase.played.side, objective=objective)
    won = replace(group, phase=replace(group.phase, played=replace(group.phase.played, side=side, reward=True)))
    lost = replace(group, phase=replace(group.phase, played=replace(group.phase.played, side=side)))
    assert len(legal(won, "claim_reward")) == choices
    assert why_not(lost, "claim_reward") == {"FS-GAM-10"}


@pytest.mark.clause("FS-UPK-2")
def test_only_surplus_food_is_offered_for_sale() -> None:
    fed = in_step(a_group(ranks="vg", clean=3), "3")
    assert legal(fed, "sell_food") == [{"food": "clean", "amount": 1}]
    assert legal(in_step(a_group(ranks="vg", clean=2), "3"), "sell_food") == []


@pytest.mark.clause("FS-XP-5", "FS-PRK-1")
def test_advancements_are_offered_until_they_are_made() -> None:
    group = in_step(with_member(a_group(ranks="vg"), "m-2", advances=1, perks=(HeldPerk("explorer"),)), "2")
    assert legal(group, "award_experience") == [{}]
    assert legal(group, "roll_advancement") == [{"member": "m-2"}]
    chosen = replace(group, phase=replace(group.phase, open_advances=(OpenRoll("m-2", "perk", "r-1"),)))
    perks = [choice["perk"] for choice in legal(chosen, "choose_perk")]
    assert "cannibal" in perks
    assert not {"explorer", "leader", "ninja"} & set(perks)
    assert why_not(chosen, "choose_perk") == {"FS-PRK-1"}
    other = replace(group, phase=replace(group.phase, open_advances=(OpenRoll("m-2", "other", "r-1"),)))
    assert len(legal(other, "choose_attribute")) == 9


@pytest.mark.clause("FS-PGP-4", "FS-VIS-1")
def test_choices_of_step_3() -> None:
    group = a_group(ranks="vgg", turfs=["bar", "tinkerer", "nuka_cola_plant"], goods=["smg_10mm"])
    group = in_step(group, "3", acted={"m-2": ("scavenged",)})
    group = with_member(group, "m-3", away=True)
    assert legal(group, "scavenge") == [{"member": "m-1"}]
    assert why_not(group, "scavenge") == {"FS-PGP-4", "FS-INJ-5"}
    visits = legal(group, "visit_turf")
    assert {(choice["turf"], choice["choice"]) for choice in visits} == {
        *(("t-900", "income"), ("t-901", "income"), ("t-901", "invention"), ("t-902", "sell"), ("t-902", "keep"))
    }
    assert legal(group, "emergency_sale") == [{"item": "i-100"}]
    assert [of["neglected"] for of in legal(group, "settle_upkeep")] == [["m-1", "m-2", "m-3"]]
    assert [fault.clause for fault in asked(group).waits_for] == ["FS-UPK-1"]
    met = in_step(a_group(ranks="vgg"), "3", encounters=("m-1",))
    endings = legal(met, "resolve_encounter")
    assert {"member": "m-1", "ending": "searched", "met": "dead_scavenger"} in endings
    killed = [of for of in endings if of["ending"] == "creatures_killed"]
    assert [of.get("number") for of in killed if of.get("met") == "molerats"] == [2, 3, 4, 5, 6]
    fought = [of["number"] for of in endings if (of["ending"], of.get("met")) == ("escaped", "molerats")]
    assert fought == [2, 3, 4, 5, 6]
    assert endings[-2:] == [{"member": "m-1", "ending": ending} for ending in ("member_killed", "escaped")]
    assert legal(met, "eat_own") == [{"winner": "m-2"}, {"winner": "m-3"}]  # worth equally little
    alone = in_step(a_group(ranks="v"), "3")
    assert legal(alone, "eat_own") == []
    assert why_not(alone, "eat_own") >= {"FS-SPC-1"}
    weaker = with_member(met, "m-2", xp=1)
    assert legal(weaker, "eat_own") == [{"winner": "m-1"}, {"winner": "m-3"}]


@pytest.mark.clause("FS-VIS-1")
@pytest.mark.parametrize("choice", ["sell", "keep", "build", "invention", "half_price_weapon", "rob"])
def test_a_visit_that_the_turf_does_not_offer_is_refused_before_any_die(choice: str) -> None:
    group = in_step(a_group(turfs=["bar"]), "3")
    context = DecisionContext(RULES, group, DiceSource("s", 0, dice().questions, (), drawn=True), LOTS)
    visit = {"member": "m-1", "turf": "t-900", "choice": choice, "good": "frag_grenade"}
    assert ("/choice", "FS-VIS-1") in refused(ChoiceRefused, decide, context, "visit_turf", visit)


@pytest.mark.clause("FS-UPK-2")
@pytest.mark.parametrize(("caps", "without"), [(30, {}), (20, {"neglected": ["m-3"]}), (7, {"hungry": ["m-3"]})])
def test_offered_upkeep_is_affordable(caps: int, without: dict[str, Any]) -> None:
    group = in_step(a_group(ranks="vgg", caps=caps), "3")
    (of,) = legal(group, "settle_upkeep")
    assert without.items() <= of.items()
    assert bool(of) is bool(without)
    context = DecisionContext(RULES, group, SampleDice(), LOTS)
    assert kinds(decide(context, "settle_upkeep", of, leave=True))[-1] == "UpkeepPaid"


@pytest.mark.clause("FS-SCV-2", "FS-GAM-10")
def test_free_scavenging_and_shifts_are_offered() -> None:
    group = in_step(a_group(ranks="vg"), "3", acted={"m-1": ("scavenged",)}, extra_finds=1)
    assert legal(group, "scavenge") == [
        {"member": "m-1", "free": True},
        {"member": "m-2"},
        {"member": "m-2", "free": True},
    ]
    explorer = with_member(in_step(a_group(ranks="v"), "3"), "m-1", perks=(HeldPerk("explorer"),))
    assert legal(explorer, "scavenge") == [{"member": "m-1"}]
    assert legal(explorer, "shift_find") == []
    dice_source = DiceSource("s", 0, dice().questions, ["p1", "p2"], [RollTold((Die(12, 5),), "p1", "p2")], roller="p1")
    waits = evolve(explorer, decide(DecisionContext(RULES, explorer, dice_source, LOTS), "scavenge", {"member": "m-1"}))
    assert legal(waits, "shift_find") == [{"member": "m-1", "shift": shift} for shift in (0, -1, 1)]
    assert [choice.dice for choice in asked(waits).choices if choice.does == "shift_find"] == [
        *(("1D6",), ("1D6",), ("1D6*5",))
    ]
    assert {fault.clause for fault in asked(waits).waits_for} == {"FS-UPK-1", "FS-SCV-2"}
    dice_source = DiceSource(
        "s", 1, dice().questions, ["p1", "p2"], [RollTold((Die(12, 12),), "p1", "p2")], roller="p1"
    )
    events = decide(DecisionContext(RULES, waits, dice_source, LOTS), "shift_find", {"member": "m-1", "shift": 1})
    assert kinds(events) == ["ScavengingRolled", "DieRolled", "CapsMoved"]


@pytest.mark.clause("FS-AMB-33", "FS-AMB-10", "FS-SPC-2")
def test_choices_that_depend_on_the_rival() -> None:
    rival = Rival(a_group("talon_company", turfs=["bar", "hotel"]), ("m-9",), settled=False)
    won = in_step(a_group(), "1b")
    taking = rules(turf__gain="winner_takes_losers")
    assert legal(won, "take_turf", taking, rival) == [{"turf": "t-900"}, {"turf": "t-901"}]
    assert legal(won, "take_turf", RULES, rival) == legal(won, "take_turf", taking) == []
    lost = in_step(a_group(), "1b", ending="loss")
    assert legal(lost, "take_turf", taking, rival) == []
    counting = rules(xp__kill="dead_on_injury_table")
    second = in_step(a_group(), "2")
    assert legal(second, "award_experience", counting, rival) == []
    assert legal(second, "award_experience", counting, replace(rival, settled=True)) == [{}]
    assert legal(second, "award_experience", RULES, rival) == legal(second, "award_experience") == [{}]
    mutants = in_step(a_group("super_mutants"), "3")
    assert legal(mutants, "feast", RULES, replace(rival, settled=True)) == [{}]
    assert legal(mutants, "feast", RULES, rival) == legal(mutants, "feast") == []


@pytest.mark.clause("FS-BAR-1", "FS-BAR-4")
def test_choices_at_a_merchant() -> None:
    group = in_step(a_group(ranks="vg", caps=30), "5")
    assert len(legal(group, "seek_merchant")) == 5
    assert {choice["good"] for choice in legal(group, "buy_from_list")} < set(RULES.forces["raiders"].goods)
    assert why_not(group, "buy_from_list") == {"FS-PGP-3"}
    visiting = replace(
        group, phase=replace(group.phase, merchant_sought=True, visit=Visit("crow", closed=("power_armor",)))
    )
    assert [choice["line"] for choice in legal(visiting, "quote_price")] == [
        *("leather_armor", "metal_armor", "combat_armor")
    ]
    assert why_not(visiting, "seek_merchant") == {"FS-BAR-1"}
    quoted = replace(visiting, phase=replace(visiting.phase, visit=Visit("crow", quote=Quote("metal_armor", 31))))
    assert legal(quoted, "decline_offer") == [{"line": "metal_armor", "price": "31"}]
    assert why_not(quoted, "take_offer") == {"FS-PGP-3"}
    mutants = in_step(a_group("super_mutants", "vgg"), "5")
    assert legal(mutants, "seek_merchant") == []
    assert legal(mutants, "search_building") == [{"searchers": ["m-1", "m-2"]}]


@pytest.mark.clause("FS-BLD-1", "FS-DOC-1", "FS-AMB-43")
def test_choices_of_building_and_the_doctor() -> None:
    goods = ["requirements_dart_gun", "schematics_dart_gun", "requirements_nuka_grenade"]
    assert legal(in_step(a_group(ranks="vg", goods=goods), "7"), "build") == [
        {"member": id, "parts": "i-100"} for id in ("m-1", "m-2")
    ]
    hurt = with_member(a_group(ranks="vg", caps=80), "m-2", injuries=("scarred",), addictions=("jet",))
    sick = in_step(hurt, "8")
    wanted = [{"member": "m-2", "treatment": "heal_injury", "injury": "scarred"}]
    assert legal(sick, "see_doctor") == [*wanted, {"member": "m-2", "treatment": "remove_addiction"}]
    dice = rules(doctor__addiction_price="4D12")
    assert {choice.dice for choice in asked(sick, dice).choices} == {(), ("4D12",)}


@pytest.mark.parametrize(
    "options", [{}, {"post__build_and_doctor": "with_step_3", "barter__opposed_roll": "per_visit"}]
)
def test_choices_are_available_in_every_step_of_a_campaign(options: dict[str, Any]) -> None:
    seen: set[str] = set()

    class Asking(Play):
        def _step(self, id: str) -> None:
            now = asked(self.groups[id], self.rules)
            seen.add(now.step)
            assert all(fault.clause for choice in now.choices for fault in choice.errors)
            for choice in now.choices:
                if choice.legal:
                    context = DecisionContext(self.rules, self.groups[id], SampleDice(), LOTS)
                    leave = bool(choice.leaves)
                    assert decide(context, choice.does, choice.of, organiser=True, leave=leave), choice
            super()._step(id)

    play = Asking(rules(**options), 8, "asked")
    play.play_round(1)
    assert seen == set(order_of(play.rules)) - {"4"}
