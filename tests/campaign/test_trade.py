"""Step 5: merchants, prices, purchases and sales."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from shared.campaign.bartering import (
    buy_from_list,
    decline_offer,
    quote_price,
    quote_sale,
    seek_merchant,
    take_drug,
    take_offer,
)
from shared.campaign.group import offer_of, price_of, seller_total
from shared.campaign.post_game import close_step
from shared.campaign.roster import Group, HeldPerk
from shared.campaign.tables import Offer, Rules
from shared.campaign.words import BalanceTooLow, ChoiceRefused, DiceRefused, StepRefused
from tests.campaign.story import (
    EXAMPLES,
    RULES,
    a_group,
    in_step,
    refused,
    rules,
    shop,
    then,
    thrown,
    with_member,
)


def at(merchant: str = "fixed", *companions: str, ruleset: Rules = RULES, **more: Any) -> Group:
    """Return a group whose leader is at a merchant."""
    group = shop(**more)
    die = thrown(12) if ruleset.merchants[merchant].find else None
    return then(group, seek_merchant(ruleset, group, merchant, companions, die))


def quoted(
    group: Group, line: str, leader: int = 7, merchant: int = 7, rarity: Any = (), ruleset: Rules = RULES
) -> Any:
    return quote_price(ruleset, group, line, thrown(*rarity) if rarity else None, thrown(leader), thrown(merchant))


def price(group: Group, line: str, *dice: Any, **more: Any) -> int:
    return then(group, quoted(group, line, *dice, **more)).phase.visit.quote.price


@pytest.mark.clause("FS-EX-3", "FS-BAR-3", "FS-AMB-16", "FS-AMB-17")
@pytest.mark.parametrize("example", EXAMPLES["FS-EX-3"]["prices"])
def test_example_of_a_price(example: dict[str, Any]) -> None:
    ruleset, dice = rules(**example["options"]), EXAMPLES["FS-EX-3"]["dice"]
    group = at(ruleset=ruleset, ranks="egg", force="talon_company")
    events = quoted(group, "combat_shotgun", dice["leader"], dice["merchant"], (dice["rarity"],), ruleset)
    assert then(group, events).phase.visit.quote.price == example["price"]
    assert events[-1].rolls == tuple(outcome.roll for outcome in events[:-1])


@pytest.mark.clause("FS-EX-10", "FS-BAR-2")
@pytest.mark.parametrize(("merchant", "found"), EXAMPLES["FS-EX-10"]["finds"].items())
def test_search_for_caravans(merchant: str, found: bool) -> None:
    group, die = shop(ranks="vg"), EXAMPLES["FS-EX-10"]["die"]
    events = seek_merchant(RULES, group, merchant, (), thrown(die))
    assert (events[0].total, events[1].found) == (EXAMPLES["FS-EX-10"]["luck"] + die, found)
    assert bool(then(group, events).phase.visit) is found
    again = then(group, events)
    assert ("/merchant", "FS-BAR-1") in refused(ChoiceRefused, seek_merchant, RULES, again, "fixed")


@pytest.mark.clause("FS-EX-10", "FS-SEL-1")
def test_example_of_a_sale() -> None:
    sale = EXAMPLES["FS-EX-10"]["sale"]
    group = at("fixed", ranks="vg", goods=[sale["good"]])
    own, merchant = thrown(sale["seller"] * 2), thrown(sale["merchant"] * 2)
    group = then(group, quote_sale(RULES, group, "i-100", "m-1", own, merchant))
    assert group.phase.visit.quote.price == sale["caps"]
    sold = then(group, take_offer(RULES, group))
    assert (sold.caps, sold.items, sold.phase.visit.bought) == (100 + sale["caps"], (), 0)
    kept = then(group, decline_offer(group))
    assert [item.good for item in kept.items] == [sale["good"]]
    asked = (quote_sale, RULES, kept, "i-100", "m-1", own, merchant)
    assert refused(ChoiceRefused, *asked) == [("/item", "FS-SEL-1")]


@pytest.mark.clause("FS-BAR-1", "FS-BAR-2", "FS-PGP-4", "FS-SPC-5", "FS-AMB-21")
def test_restrictions_of_seeking_a_merchant() -> None:
    acted = {"m-2": ("scavenged",), "m-3": ("visited_turf",), "m-1": ("scavenged",)}
    group = shop(acted=acted)

    def wrong(
        *companions: str, merchant: str = "fixed", die: Any = None, who: Any = None, ruleset: Rules = RULES
    ) -> Any:
        return refused(ChoiceRefused, seek_merchant, ruleset, who or group, merchant, companions, die)

    assert then(group, seek_merchant(RULES, group, "fixed", ("m-4",))).phase.acted["m-4"] == ("accompanied",)
    assert wrong("m-2", "m-3") == [("/members/m-2", "FS-PGP-4"), ("/members/m-3", "FS-PGP-4")]
    assert wrong("m-1") == [("/companions/0", "FS-BAR-1"), ("/members/m-1", "FS-PGP-4")]
    assert wrong(ruleset=rules(barter__leader_must_stay_home=True)) == [("/members/m-1", "FS-PGP-4")]
    assert wrong(who=with_member(group, "m-1", away=True)) == [("/members/m-1", "FS-INJ-5")]
    assert wrong(who=shop(force="super_mutants")) == [("/merchant", "FS-SPC-5")]
    assert wrong(merchant="nobody") == [("/merchant", "FS-BAR-1")]
    assert wrong(merchant="crow") == [("/roll", "FS-BAR-2")]
    assert wrong(die=thrown(1)) == [("/roll", "FS-BAR-2")]
    late = in_step(a_group(), "7")
    assert refused(StepRefused, seek_merchant, RULES, late, "fixed") == [("/step", "FS-PGP-1")]


@pytest.mark.clause("FS-DICE-3", "FS-AMB-44")
def test_natural_faces_decide_about_caravans_by_option() -> None:
    ruleset, group = rules(dice__natural_rule="all_checks"), with_member(shop(), "m-1", raised={"L": 5})
    for face, by_rule, natural in ((1, True, True), (12, True, False)):
        assert seek_merchant(RULES, group, "lucky_harith", (), thrown(face))[1].found is by_rule
        assert seek_merchant(ruleset, group, "lucky_harith", (), thrown(face))[1].found is natural


@pytest.mark.clause("FS-BAR-3", "FS-AMB-16")
def test_bonuses_of_the_leader() -> None:
    plain = price(at(force="talon_company"), "smg_10mm", rarity=(5,))
    assert plain == 30 - (6 + 1 - 9)
    market = price(at(force="talon_company", turfs=["marketplace", "marketplace"]), "smg_10mm", rarity=(5,))
    assert market == plain - 2
    vault = price(at(force="vault_residents"), "smg_10mm", rarity=(5,))
    assert vault == plain + 1
    trader = with_member(at(), "m-1", perks=(HeldPerk("master_trader"),))
    assert price(trader, "smg_10mm", rarity=(5,)) == plain - 1
    for bonus, more in ((0, 0), (-1, 1)):
        ruleset = rules(barter__master_trader_bonus=bonus)
        assert price(trader, "smg_10mm", rarity=(5,), ruleset=ruleset) == plain + more
    asleep = with_member(trader, "m-1", injuries=("scarred",))
    assert price(asleep, "smg_10mm", rarity=(5,)) == plain + 1
    caravan = at("doc_hoff", turfs=["marketplace"])
    assert price(caravan, "jet") == 10 - (6 + 1 - 7)


@pytest.mark.clause("FS-BAR-3", "FS-ADD-1", "FS-ITM-2")
def test_mentats_raise_charisma_and_may_addict() -> None:
    group = at(goods=[("mentats", "m-1"), "mentats", "jet"])
    calm = then(group, take_drug(RULES, group, "i-100", thrown(6)))
    assert (calm.phase.visit.mood, calm.member("m-1").addictions) == (1, ())
    assert price(calm, "smg_10mm", rarity=(5,)) == price(group, "smg_10mm", rarity=(5,)) - 1
    assert then(group, take_drug(RULES, group, "i-100", thrown(7))).member("m-1").addictions == ("mentats",)
    assert refused(ChoiceRefused, take_drug, RULES, calm, "i-101", thrown(1)) == [("/item", "FS-BAR-3")]
    assert refused(ChoiceRefused, take_drug, RULES, group, "i-102", thrown(1)) == [("/item", "FS-BAR-3")]
    assert refused(ChoiceRefused, take_drug, RULES, shop(), "i-100", thrown(1)) == [("/merchant", "FS-BAR-1")]


@pytest.mark.clause("FS-BAR-3", "FS-AMB-18")
@given(some.integers(1, 5), some.integers(0, 36), some.integers(5, 25), some.integers(5, 25))
def test_no_price_is_below_its_floor(modifier: int, rare: int, leader: int, merchant: int) -> None:
    offer = Offer("mentats", 1, 15, modifier)
    assert price_of(RULES, offer, rare, (leader, merchant)) == max(0, 15 + rare - modifier * (leader - merchant))
    asked = price_of(rules(barter__price_floor=1), offer, rare, (leader, merchant))
    assert asked == max(1, 15 + rare - modifier * (leader - merchant))


@pytest.mark.clause("FS-BAR-4", "FS-RAT-2", "FS-AMB-19")
def test_prices_are_answered_and_purchases_counted() -> None:
    group = at("fixed", "m-2")
    group = then(group, quoted(group, "smg_10mm", rarity=(5,)))
    assert refused(ChoiceRefused, quoted, group, "hunting_rifle") == [("/quote", "FS-BAR-4")]
    assert refused(ChoiceRefused, close_step, RULES, group, "5", "s") == [("/quote", "FS-BAR-4")]
    group = then(group, take_offer(RULES, group))
    assert (group.caps, group.items[0].paid) == (68, 32)
    group = then(group, quoted(group, "hunting_rifle", rarity=(1,)))
    group = then(group, decline_offer(group))
    asked = (quote_price, RULES, group, "hunting_rifle", thrown(1), thrown(1), thrown(1))
    assert refused(ChoiceRefused, *asked) == [("/line", "FS-BAR-4")]
    retry = rules(barter__retry_after_refusal=True)
    assert quote_price(retry, *asked[2:])
    group = then(group, quoted(group, "tire_iron_lead_pipe"))
    group = then(group, take_offer(RULES, group))
    assert refused(ChoiceRefused, quoted, group, "smg_10mm", rarity=(5,)) == [("/line", "FS-BAR-4")]
    assert refused(ChoiceRefused, take_offer, RULES, group) == [("/quote", "FS-BAR-4")]
    assert refused(ChoiceRefused, decline_offer, group) == [("/quote", "FS-BAR-4")]


@pytest.mark.clause("FS-AMB-20")
def test_one_opposed_roll_for_a_visit_by_option() -> None:
    ruleset = rules(barter__opposed_roll="per_visit")
    group = at("fixed", "m-2")
    group = then(group, quoted(group, "smg_10mm", 1, 12, (5,), ruleset))
    group = then(group, decline_offer(group))
    asked = (quote_price, ruleset, group, "combat_shotgun", thrown(5))
    assert refused(ChoiceRefused, *asked, thrown(1), thrown(1)) == [("/leader", "FS-BAR-3"), ("/merchant", "FS-BAR-3")]
    events = quote_price(ruleset, group, "combat_shotgun", thrown(5))
    assert events[-1].totals == (8, 15)


@pytest.mark.clause("FS-BAR-3", "FS-GRP-10")
def test_refused_quotes() -> None:
    group = at(goods=["stimpak"] * 3)
    assert refused(ChoiceRefused, quoted, group, "laser_rifle") == [("/line", "FS-BAR-3")]
    assert refused(ChoiceRefused, quoted, group, "stimpak", rarity=(3,)) == [("/good", "FS-GRP-10")]
    assert refused(ChoiceRefused, quoted, group, "smg_10mm") == [("/rarity", "FS-BAR-3")]
    assert refused(DiceRefused, quoted, group, "minigun", rarity=(3,)) == [("/roll/dice", "FS-BAR-3")]
    poor = at(caps=5)
    poor = then(poor, quoted(poor, "smg_10mm", rarity=(5,)))
    assert refused(BalanceTooLow, take_offer, RULES, poor) == [("/caps", "FS-PGP-3")]


@pytest.mark.clause("FS-SEL-1")
def test_sellers_and_bonuses_that_do_not_count() -> None:
    trader = (HeldPerk("master_trader"),)
    group = with_member(at("fixed", "m-2", goods=["hunting_rifle"], turfs=["marketplace"]), "m-1", perks=trader)

    def sale(seller: str) -> int:
        return quote_sale(RULES, group, "i-100", seller, thrown(12), thrown(12))[-1].price

    assert (sale("m-1"), sale("m-2")) == (18 + 8 - 9, 18 + 4 - 9)
    asked = (quote_sale, RULES, group, "i-100", "m-3", thrown(1), thrown(1))
    assert refused(ChoiceRefused, *asked) == [("/seller", "FS-SEL-1")]
    worthless = at(goods=["brass_knuckles_knife"], ranks="gg")
    assert quote_sale(RULES, worthless, "i-100", "m-1", thrown(1), thrown(12))[-1].price == 0


@pytest.mark.clause("FS-AMB-22", "FS-AMB-23")
def test_options_for_goods_and_prices() -> None:
    chapter, sample = rules(price__merchant_misprints="use_chapter_12"), rules(data__sample_profiles="section_5_5")
    wanted = {("crow", "metal_armor"): (30, 40), ("crow", "combat_armor"): (40, 30)}
    wanted[("lucky_harith", "plasma_grenade")] = (30, 25)
    for (merchant, line), caps in wanted.items():
        assert tuple(offer_of(ruleset, merchant, line).caps for ruleset in (RULES, chapter)) == caps
    assert [offer_of(ruleset, "fixed", "tire_iron_lead_pipe").rarity for ruleset in (RULES, sample)] == [0, 1]
    assert [offer_of(ruleset, "fixed", "smg_10mm").caps for ruleset in (RULES, sample)] == [25, 10]


@pytest.mark.clause("FS-FRC-3")
@pytest.mark.parametrize("force", RULES.forces)
def test_own_list_is_bought_at_list_price_without_dice(force: str) -> None:
    for good in RULES.forces[force].goods:
        group = shop(force=force, caps=200)
        after = then(group, buy_from_list(RULES, group, good))
        assert (after.caps, after.items[0].good) == (200 - RULES.goods[good].caps, good)
        assert not after.phase.merchant_sought
    assert refused(ChoiceRefused, buy_from_list, RULES, shop(force=force), "jet") == [("/good", "FS-FRC-3")]
    late = in_step(a_group(force), "4")
    assert refused(StepRefused, buy_from_list, RULES, late, "jet") == [("/step", "FS-PGP-1")]


@pytest.mark.clause("FS-GRP-8", "FS-AMB-28")
def test_big_gun_ratio_is_checked_on_purchase_by_option() -> None:
    group = shop(ranks="vggg", caps=100)
    assert then(group, buy_from_list(RULES, group, "flamer")).items
    ruleset = rules(force__big_gun_ratio="checked_on_purchase")
    assert refused(ChoiceRefused, buy_from_list, ruleset, group, "flamer") == [("/items", "FS-GRP-8")]


@pytest.mark.clause("FS-SEL-1")
def test_a_sale_names_both_dice() -> None:
    group = at(goods=["combat_shotgun"])
    own, merchant = thrown(9), thrown(4)
    quote = quote_sale(RULES, group, "i-100", "m-1", own, merchant)[-1]
    assert quote.rolls == (own.id, merchant.id)


@pytest.mark.clause("FS-BAR-3", "FS-SEL-1")
def test_leader_without_drugs_has_no_bonus_of_mood() -> None:
    group = a_group()
    rolled = seller_total(RULES, group, "m-1", thrown(3), "fixed")
    assert [part.source for part in rolled.modifiers] == ["attribute.C"]
