"""Step 5: merchants, quotes, and purchases from the force's list (FS-BAR, FS-SEL-1, FS-SPC-5), with their choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from shared.campaign import scavenging, tables
from shared.campaign.dice import Modifier, Thrown, check_succeeds, dice_or_nothing, faces_of, halve, read_throw
from shared.campaign.group import (
    base_value,
    faults_of_ratio,
    merchant_total,
    offer_of,
    price_of,
    seller_total,
    trader_total,
)
from shared.campaign.outcomes import AddictionRolled
from shared.campaign.post_game_outcomes import (
    CapsMoved,
    ItemLost,
    MemberActed,
    MerchantSought,
    MoodChanged,
    OfferDeclined,
    OfferTaken,
    PriceQuoted,
)
from shared.campaign.roster import Group, Visit, attribute
from shared.campaign.steps import (
    Arguments,
    Choice,
    DecisionBuilder,
    DecisionContext,
    OfItem,
    faults_of_absence,
    faults_of_activity,
    free_members,
    gain,
    in_step,
    known_member,
    leaves,
    pay,
    require,
    room_for,
)
from shared.campaign.tables import Rules, or_option
from shared.campaign.words import Events
from shared.refusals import Fault, expects


def seek_merchant(
    rules: Rules, group: Group, merchant: str, companions: Sequence[str] = (), throw: Thrown | None = None
) -> Events:
    """Send the leader to a merchant, once in a post-game phase; a caravan must be found (FS-BAR-1, FS-BAR-2).

    throw: the D12 that looks for a caravan. Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    phase = in_step(group, "5")
    faults = []
    if merchant not in rules.merchants:
        faults.append(
            Fault(
                "/merchant", merchant or "nothing", tables.one_of(tables.merchants(rules), rules.merchants), "FS-BAR-1"
            )
        )
    if rules.forces[group.force].special.searches:
        faults.append(
            Fault("/merchant", merchant or "nothing", expects("no-merchant-for-force", force=group.force), "FS-SPC-5")
        )
    if phase.merchant_sought:
        faults.append(Fault("/merchant", merchant or "nothing", expects("one-merchant-in-phase"), "FS-BAR-1"))
    faults += faults_of_activity(rules, group, group.leader, "traded")
    for index, id in enumerate(companions):
        if id == group.leader or id in companions[:index]:
            faults.append(Fault(f"/companions/{index}", id, expects("each-other-member-once"), "FS-BAR-1"))
        faults += faults_of_activity(rules, group, id, "accompanied")
    require(faults, "the leader cannot go there so")
    find = rules.merchants[merchant].find
    fault = Fault("/roll", faces_of(throw), dice_or_nothing("1D12" if find else ""), "FS-BAR-2")
    require([fault] if bool(find) != bool(throw) else [], "a die looks for caravans only")
    builder = DecisionBuilder(group)
    is_found, roll = True, ""
    if throw is not None:
        luck = attribute(rules, group, known_member(group, group.leader, "FS-BAR-2"), "L")
        modifiers = [Modifier("attribute.L", luck)]
        rolled = read_throw(throw, "1D12", "FS-BAR-2", modifiers=modifiers, member=group.leader)
        builder.record(rolled)
        is_found, roll = rolled.total >= find, rolled.roll
        if rules.options.natural_rule == "all_checks" and rolled.natural in (1, 12):
            is_found = rolled.natural == 1
    builder.record(
        MerchantSought(merchant, tuple(companions), is_found, roll), MemberActed(group.leader, "traded", merchant)
    )
    builder.record(*(MemberActed(id, "accompanied", merchant) for id in companions))
    return builder.events


def take_drug(rules: Rules, group: Group, item: str, throw: Thrown) -> Events:
    """Give the leader a drug that changes Charisma for this visit, with its addiction check (FS-BAR-3, FS-ADD-1).

    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    visit = _visit(group)
    owned = group.item(item)
    charisma = rules.goods[owned.good].taken.get("C", 0) if owned else 0
    fault = Fault("/item", item or "nothing", expects("charisma-drug-once-in-visit"), "FS-BAR-3")
    require([] if charisma and not visit.mood else [fault], "this does not help with merchants")
    assert owned is not None
    leader = known_member(group, group.leader, "FS-ADD-1")
    target = halve(attribute(rules, group, leader, "E") + attribute(rules, group, leader, "L"))
    rolled = read_throw(throw, "1D12", "FS-ADD-1", member=leader.id)
    addicted = not check_succeeds(rolled.natural, target)
    return [
        rolled,
        ItemLost(item, "dose", "FS-ITM-2"),
        AddictionRolled(leader.id, owned.good, addicted, rolled.roll),
        MoodChanged(charisma),
    ]


def quote_price(
    rules: Rules,
    group: Group,
    line: str,
    rarity: Thrown | None = None,
    leader: Thrown | None = None,
    merchant: Thrown | None = None,
) -> Events:
    """Quote the merchant's price for a line of its goods (FS-BAR-3, FS-BAR-4).

    rarity: as many D12 as the good is rare. leader, merchant: a D6 each; if one opposed roll counts for the whole
        visit, only the first quote takes them.
    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    visit = _free_visit(group)
    offer = offer_of(rules, visit.merchant, line)
    faults = list(room_for(rules, group, line)) if offer else []
    if offer is None:
        sold = (offered.item for offered in rules.merchants[visit.merchant].goods)
        faults.append(Fault("/line", line or "nothing", tables.one_of(tables.goods(rules), sold), "FS-BAR-3"))
    if line in visit.closed and not rules.options.retry_after_refusal:
        expected = or_option(expects("line-not-declined"), "fs.barter.retry_after_refusal=true")
        faults.append(Fault("/line", line or "nothing", expected, "FS-BAR-4"))
    most = 1 + len(visit.companions)
    if visit.bought >= most:
        faults.append(Fault("/line", line or "nothing", expects("at-most-purchases", most=most), "FS-BAR-4"))
    once = visit.totals is not None and rules.options.opposed_roll == "per_visit"
    for name, dice, throw in (
        ("rarity", f"{offer.rarity}D12" if offer and offer.rarity else "", rarity),
        ("leader", "" if once else "1D6", leader),
        ("merchant", "" if once else "1D6", merchant),
    ):
        if bool(dice) != bool(throw):
            faults.append(Fault(f"/{name}", faces_of(throw), dice_or_nothing(dice), "FS-BAR-3"))
    require(faults, f"no price for {line}")
    assert offer is not None
    builder = DecisionBuilder(group)
    rolls = []
    if rarity is not None:
        rolls.append(read_throw(rarity, f"{offer.rarity}D12", "FS-BAR-3"))
    rarity_caps = sum(rolled.total for rolled in rolls)
    totals = visit.totals if once else None
    if totals is None:
        assert leader is not None
        assert merchant is not None
        rolls += [trader_total(rules, group, leader), merchant_total(rules, visit.merchant, merchant, "FS-BAR-3")]
        totals = (rolls[-2].total, rolls[-1].total)
    builder.record(*rolls)
    price = price_of(rules, offer, rarity_caps, totals)
    builder.record(PriceQuoted(line, price, tuple(rolled.roll for rolled in rolls), totals))
    return builder.events


def quote_sale(rules: Rules, group: Group, item: str, seller: str, own: Thrown, merchant: Thrown) -> Events:
    """Quote what the merchant pays for an item of the group. seller: the leader or a companion (FS-SEL-1).

    Raises StepRefused, ChoiceRefused or DiceRefused.
    """
    visit = _free_visit(group)
    owned = group.item(item)
    faults = [] if owned else [Fault("/item", item or "nothing", expects("item-of-group"), "FS-SEL-1")]
    if seller not in (group.leader, *visit.companions):
        faults.append(Fault("/seller", seller, expects("leader-or-companion"), "FS-SEL-1"))
    if item in visit.closed:
        faults.append(Fault("/item", item or "nothing", expects("item-not-declined"), "FS-SEL-1"))
    require([*faults, *faults_of_absence(group, seller)], "nothing is sold so")
    assert owned is not None
    rolls = [
        seller_total(rules, group, seller, own, visit.merchant),
        merchant_total(rules, visit.merchant, merchant, "FS-SEL-1"),
    ]
    totals = (rolls[0].total, rolls[1].total)
    price = max(0, halve(base_value(rules, owned.good)) + totals[0] - totals[1])
    return [*rolls, PriceQuoted(item, price, (rolls[0].roll, rolls[1].roll), totals, seller)]


def take_offer(rules: Rules, group: Group) -> Events:
    """Accept the quoted price: buy and pay, or sell (FS-BAR-4). Raise ChoiceRefused or BalanceTooLow."""
    visit = _visit(group)
    quote = visit.quote
    require([] if quote else [Fault("/quote", "nothing", expects("price-first"), "FS-BAR-4")], "no price waits")
    assert quote is not None
    builder = DecisionBuilder(group)
    builder.record(OfferTaken(quote.line))
    if quote.seller:
        builder.record(ItemLost(quote.line, "sold", "FS-SEL-1"), CapsMoved(quote.price, "sold", "FS-SEL-1"))
    else:
        _buy(rules, builder, quote.line, quote.price, "FS-BAR-3")
    return builder.events


def decline_offer(group: Group) -> Events:
    """Decline the quoted price. The line is closed (FS-BAR-4, FS-SEL-1). Raises ChoiceRefused."""
    quote = _visit(group).quote
    require([] if quote else [Fault("/quote", "nothing", expects("price-first"), "FS-BAR-4")], "no price waits")
    assert quote is not None
    return [OfferDeclined(quote.line)]


def buy_from_list(rules: Rules, group: Group, good: str) -> Events:
    """Buy a good of the force's list at its price, without merchant or dice (FS-FRC-3).

    Raises StepRefused, ChoiceRefused or BalanceTooLow.
    """
    in_step(group, "5")
    listed = rules.forces[group.force].goods
    fault = Fault("/good", good or "nothing", tables.one_of(tables.goods(rules), listed), "FS-FRC-3")
    require([] if good in listed else [fault], "this is not on the own list")
    builder = DecisionBuilder(group)
    _buy(rules, builder, good, base_value(rules, good), "FS-FRC-3")
    return builder.events


def _buy(rules: Rules, builder: DecisionBuilder, good: str, price: int, clause: str) -> None:
    require(room_for(rules, builder.group, good), f"no room for {good}")
    if price:
        builder.record(pay(builder.group, price, "bought", clause))
    builder.record(*gain(builder.group, [good], "bought", clause, paid=price))
    if rules.options.big_gun_ratio == "checked_on_purchase":
        require(faults_of_ratio(rules, builder.group, [*builder.group.ids, ""]), "the group has enough Big Guns")


def _visit(group: Group) -> Visit:
    """Return the visit in progress. Raise StepRefused or ChoiceRefused."""
    visit = in_step(group, "5").visit
    fault = Fault("/merchant", "nothing", expects("found-merchant"), "FS-BAR-1")
    require([] if visit else [fault], "nobody is at a merchant")
    assert visit is not None
    return visit


def _free_visit(group: Group) -> Visit:
    visit = _visit(group)
    waiting = visit.quote
    fault = Fault("/quote", waiting.line if waiting else "", expects("answer-to-price"), "FS-BAR-4")
    require([fault] if waiting else [], "a price waits")
    return visit


class Merchants(Struct, frozen=True, forbid_unknown_fields=True):
    """merchant: name or key of the merchant. companions: ids of the members who go with the leader."""

    merchant: str
    companions: tuple[str, ...] = ()


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """line: name or key of a good that the merchant sells."""

    line: str


class Sale(Struct, frozen=True, forbid_unknown_fields=True):
    """item: id of the item to sell. seller: id of the seller; the leader if omitted."""

    item: str
    seller: str = ""


class Offer(Struct, frozen=True, forbid_unknown_fields=True):
    """line, price: the quoted price, for information only."""

    line: str = ""
    price: str = ""


class OfGood(Struct, frozen=True, forbid_unknown_fields=True):
    """good: name or key of the good."""

    good: str


class Searching(Struct, frozen=True, forbid_unknown_fields=True):
    """searchers: ids of the members who search the building."""

    searchers: tuple[str, ...]


def _seek_merchant(context: DecisionContext, args: Merchants) -> Events:
    in_step(context.group, "5")
    merchant = context.rules.merchants.get(args.merchant)
    throw = context.roll("1D12", "FS-BAR-2", context.group.leader) if merchant is not None and merchant.find else None
    return seek_merchant(context.rules, context.group, args.merchant, args.companions, throw)


def _take_drug(context: DecisionContext, args: OfItem) -> Events:
    return take_drug(context.rules, context.group, args.item, context.roll("1D12", "FS-ADD-1", args.item))


def _offer_drugs(context: DecisionContext) -> Iterator[Arguments]:
    for of in _offer_sales(context):
        if (item := context.group.item(of["item"])) and context.rules.goods[item.good].taken.get("C"):
            yield {"item": item.id}


def _quote_price(context: DecisionContext, args: Line) -> Events:
    """Roll rarity only for a rare line, and leader and merchant only once if that counts for the whole visit."""
    visit = in_step(context.group, "5").visit
    offer = offer_of(context.rules, visit.merchant, args.line) if visit else None
    once = visit is not None and visit.totals is not None and context.rules.options.opposed_roll == "per_visit"
    rarity = context.roll(f"{offer.rarity}D12", "FS-BAR-3 rarity") if offer and offer.rarity else None
    own = None if once else context.roll("1D6", "FS-BAR-3 leader")
    merchant = None if once else context.roll("1D6", "FS-BAR-3 merchant")
    return quote_price(context.rules, context.group, args.line, rarity, own, merchant)


def _offer_lines(context: DecisionContext) -> Iterator[Arguments]:
    visit = context.phase.visit
    if visit and not visit.quote:
        yield from ({"line": offer.item} for offer in context.rules.merchants[visit.merchant].goods)


def _quote_sale(context: DecisionContext, args: Sale) -> Events:
    in_step(context.group, "5")
    own, merchant = context.roll("1D6", "FS-SEL-1 seller"), context.roll("1D6", "FS-SEL-1 merchant")
    return quote_sale(context.rules, context.group, args.item, args.seller or context.group.leader, own, merchant)


def _offer_sales(context: DecisionContext) -> Iterator[Arguments]:
    if context.phase.visit and not context.phase.visit.quote:
        yield from ({"item": item.id, "seller": context.group.leader} for item in context.group.items)


def _offer_answer(context: DecisionContext) -> Iterator[Arguments]:
    quote = context.phase.visit.quote if context.phase.visit else None
    if quote:
        yield {"line": quote.line, "price": str(quote.price)}


def _search_building(context: DecisionContext, args: Searching) -> Events:
    throw = context.roll("2D12", "FS-SPC-5")
    return scavenging.search_building(context.rules, context.group, args.searchers, throw, context.draws)


def _offer_search(context: DecisionContext) -> Iterator[Arguments]:
    if number := context.rules.forces[context.group.force].special.searches:
        yield {"searchers": free_members(context.rules, context.group, "searched")[:number]}


BARTERING_CHOICES = (
    Choice(
        "seek_merchant",
        Merchants,
        _seek_merchant,
        ("5",),
        lambda context: ({"merchant": key} for key in context.rules.merchants),
    ),
    Choice("take_offer", Offer, lambda context, args: take_offer(context.rules, context.group), ("5",), _offer_answer),
    Choice("decline_offer", Offer, lambda context, args: decline_offer(context.group), ("5",), _offer_answer),
    Choice("quote_price", Line, _quote_price, ("5",), _offer_lines),
    Choice("quote_sale", Sale, _quote_sale, ("5",), _offer_sales),
    Choice("take_drug", OfItem, _take_drug, ("5",), _offer_drugs),
    Choice(
        "buy_from_list",
        OfGood,
        lambda context, args: buy_from_list(context.rules, context.group, args.good),
        ("5",),
        lambda context: ({"good": good} for good in context.rules.forces[context.group.force].goods),
    ),
    Choice(
        "search_building",
        Searching,
        _search_building,
        ("5",),
        _offer_search,
        leaves=leaves("search_building", "FS-SPC-5"),
    ),
)
