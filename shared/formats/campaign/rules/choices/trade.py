"""Choices of step 5: merchants, the own list, and buildings to search. FS-BAR-1 to FS-BAR-4, FS-SEL-1, FS-SPC-5."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.formats.campaign.rules import bartering, scavenging
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, OfItem
from shared.formats.campaign.rules.prices import offer_of
from shared.formats.campaign.rules.steps import free_members, in_step
from shared.formats.campaign.rules.words import Events


class Merchants(Struct, frozen=True, forbid_unknown_fields=True):
    """A merchant, and who goes with the leader."""

    merchant: str
    companions: tuple[str, ...] = ()


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the merchant's goods."""

    line: str


class Sale(Struct, frozen=True, forbid_unknown_fields=True):
    """An item to sell. seller: the leader where it says nobody."""

    item: str
    seller: str = ""


class Offer(Struct, frozen=True, forbid_unknown_fields=True):
    """The price that waits. line, price: which it is, said for the reader alone."""

    line: str = ""
    price: str = ""


class OfGood(Struct, frozen=True, forbid_unknown_fields=True):
    """A good, by its key in the tables."""

    good: str


class Searching(Struct, frozen=True, forbid_unknown_fields=True):
    """Who searches a building."""

    searchers: tuple[str, ...]


def _seek(context: DecisionContext, of: Merchants) -> Events:
    in_step(context.group, "5")
    known = context.rules.merchants.get(of.merchant)
    thrown = context.roll("1D12", "FS-BAR-2", context.group.leader) if known is not None and known.find else None
    return bartering.seek_merchant(context.rules, context.group, of.merchant, of.companions, thrown)


def _take_drug(context: DecisionContext, of: OfItem) -> Events:
    return bartering.take_drug(context.rules, context.group, of.item, context.roll("1D12", "FS-ADD-1", of.item))


def _drugs(context: DecisionContext) -> Iterator[Members]:
    for of in _to_sell(context):
        if (item := context.group.item(of["item"])) and context.rules.goods[item.good].taken.get("C"):
            yield {"item": item.id}


def _quote_price(context: DecisionContext, of: Line) -> Events:
    """Dice of rarity where the line is rare; those of leader and merchant once, where they serve the whole visit."""
    visit = in_step(context.group, "5").visit
    offer = offer_of(context.rules, visit.merchant, of.line) if visit else None
    once = visit is not None and visit.totals is not None and context.rules.options.opposed_roll == "per_visit"
    rare = context.roll(f"{offer.rarity}D12", "FS-BAR-3 rarity") if offer and offer.rarity else None
    own = None if once else context.roll("1D6", "FS-BAR-3 leader")
    merchant = None if once else context.roll("1D6", "FS-BAR-3 merchant")
    return bartering.quote_price(context.rules, context.group, of.line, rare, own, merchant)


def _lines(context: DecisionContext) -> Iterator[Members]:
    visit = context.phase.visit
    if visit and not visit.quote:
        yield from ({"line": offer.item} for offer in context.rules.merchants[visit.merchant].goods)


def _quote_sale(context: DecisionContext, of: Sale) -> Events:
    in_step(context.group, "5")
    own, merchant = context.roll("1D6", "FS-SEL-1 seller"), context.roll("1D6", "FS-SEL-1 merchant")
    return bartering.quote_sale(context.rules, context.group, of.item, of.seller or context.group.leader, own, merchant)


def _to_sell(context: DecisionContext) -> Iterator[Members]:
    if context.phase.visit and not context.phase.visit.quote:
        yield from ({"item": item.id, "seller": context.group.leader} for item in context.group.items)


def _quoted(context: DecisionContext) -> Iterator[Members]:
    quote = context.phase.visit.quote if context.phase.visit else None
    if quote:
        yield {"line": quote.line, "price": str(quote.price)}


def _search(context: DecisionContext, of: Searching) -> Events:
    thrown = context.roll("2D12", "FS-SPC-5")
    return scavenging.search_building(context.rules, context.group, of.searchers, thrown, context.draws)


def _searchers(context: DecisionContext) -> Iterator[Members]:
    if number := context.rules.forces[context.group.force].special.searches:
        yield {"searchers": free_members(context.rules, context.group, "searched")[:number]}


OF_TRADE = (
    Choice(
        "seek_merchant",
        Merchants,
        _seek,
        ("5",),
        lambda context: ({"merchant": key} for key in context.rules.merchants),
    ),
    Choice(
        "take_offer", Offer, lambda context, of: bartering.take_offer(context.rules, context.group), ("5",), _quoted
    ),
    Choice("decline_offer", Offer, lambda context, of: bartering.decline_offer(context.group), ("5",), _quoted),
    Choice("quote_price", Line, _quote_price, ("5",), _lines),
    Choice("quote_sale", Sale, _quote_sale, ("5",), _to_sell),
    Choice("take_drug", OfItem, _take_drug, ("5",), _drugs),
    Choice(
        "buy_from_list",
        OfGood,
        lambda context, of: bartering.buy_from_list(context.rules, context.group, of.good),
        ("5",),
        lambda context: ({"good": good} for good in context.rules.forces[context.group.force].goods),
    ),
    Choice("search_building", Searching, _search, ("5",), _searchers),
)
