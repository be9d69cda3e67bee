"""Made again: merchants, buildings, the workshop, the doctor, and what moves between games. FS-AUD-2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shared.formats.campaign.rules import bartering, doctor, post_game, searching, visits, workshop
from shared.formats.campaign.rules import income_outcomes as earned
from shared.formats.campaign.rules import trade_outcomes as traded
from shared.formats.campaign.rules.emergency import emergency_sale
from shared.formats.campaign.rules.outcomes import InjuryHealed, RadsChanged
from shared.formats.campaign.rules.prices import offer_of
from shared.formats.campaign.rules.redecided import AuditContext, Way, Ways
from shared.formats.campaign.rules.words import Events


def _sought(scene: AuditContext, head: traded.MerchantSought) -> Iterator[Way]:
    roll = scene.rolls[0] if scene.rolls else None
    yield lambda: bartering.seek_merchant(scene.rules, scene.group, head.merchant, head.companions, roll)


def _quoted(scene: AuditContext, head: traded.PriceQuoted) -> Iterator[Way]:
    """Rarity first, where the line is rare; then the leader's die and the merchant's."""
    rolls = scene.rolls
    if head.seller:
        yield lambda: bartering.quote_sale(scene.rules, scene.group, head.line, head.seller, rolls[0], rolls[1])
        return
    visit = scene.group.phase.visit if scene.group.phase else None
    offer = offer_of(scene.rules, visit.merchant, head.line) if visit else None
    rarity = rolls.pop(0) if offer and offer.rarity and rolls else None
    own, merchant = rolls if len(rolls) == 2 else (None, None)
    yield lambda: bartering.quote_price(scene.rules, scene.group, head.line, rarity, own, merchant)


def _taken(scene: AuditContext, head: traded.OfferTaken) -> Iterator[Way]:
    yield lambda: bartering.take_offer(scene.rules, scene.group)


def _declined(scene: AuditContext, head: traded.OfferDeclined) -> Iterator[Way]:
    yield lambda: bartering.decline_offer(scene.group)


def _searched(scene: AuditContext, head: traded.BuildingSearched) -> Iterator[Way]:
    yield lambda: searching.search_building(scene.rules, scene.group, head.searchers, scene.rolls[0], scene.seed)


def _built(scene: AuditContext, head: traded.BuildAttempted) -> Iterator[Way]:
    yield lambda: workshop.build(scene.rules, scene.group, head.member, head.parts, scene.rolls[0])


def doctor_seen(scene: AuditContext) -> Iterator[Way]:
    """A treatment, by what stands behind its price."""
    seen, healed = scene.next(traded.DoctorVisited), scene.next(InjuryHealed, 3)
    roll = scene.rolls[0] if scene.rolls else None
    if seen is not None:
        injury = healed.injury if healed else ""
        yield lambda: doctor.see_doctor(scene.rules, scene.group, seen.member, seen.treatment, injury, roll)


def _lost(scene: AuditContext, head: earned.ItemLost) -> Iterator[Way]:
    """A drug before trading, a bag, RadAway, or what was sold in need."""
    match head.clause, head.reason:
        case "FS-ITM-2", "dose":
            yield lambda: bartering.take_drug(scene.rules, scene.group, head.item, scene.rolls[0])
        case "FS-UPK-8", _:
            own, merchant = scene.rolls if len(scene.rolls) == 2 else (None, None)
            yield lambda: emergency_sale(scene.rules, scene.group, head.item, own, merchant)
        case "FS-ITM-1", _:
            yield from _used(scene, head)
        case "FS-TRF-2", _:
            roll = scene.rolls[0] if scene.rolls else None
            choice = "sell" if roll else "build"
            yield lambda: visits.spend_kept(scene.rules, scene.group, head.item, choice, roll)


def _used(scene: AuditContext, head: earned.ItemLost) -> Iterator[Way]:
    healed, cleared = scene.next(InjuryHealed), scene.next(RadsChanged)
    if healed is not None:
        yield lambda: doctor.use_bag(scene.rules, scene.group, head.item, healed.member, healed.injury)
        return
    for id in [cleared.member] if cleared else scene.group.ids:

        def use(member: str = id) -> Events:
            return doctor.use_radaway(scene.rules, scene.group, head.item, member)

        yield use


def _moved(scene: AuditContext, head: earned.ItemMoved) -> Iterator[Way]:
    yield lambda: post_game.move_item(scene.rules, scene.group, head.item, head.holder)


OF_TRADE: Mapping[type[Any], Ways] = {
    traded.MerchantSought: _sought,
    traded.PriceQuoted: _quoted,
    traded.OfferTaken: _taken,
    traded.OfferDeclined: _declined,
    traded.BuildingSearched: _searched,
    traded.BuildAttempted: _built,
    earned.ItemLost: _lost,
    earned.ItemMoved: _moved,
}
"""Kind of head -> how its decision is made again."""
