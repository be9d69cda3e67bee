"""What bartering makes of a price: totals of both sides, and the formula. FS-BAR-3, FS-SEL-1."""

from __future__ import annotations

from shared.formats.campaign.rules.attributes import attribute, has_perk
from shared.formats.campaign.rules.dice import DieRolled, Modifier, Thrown, read_throw
from shared.formats.campaign.rules.rating import base_value
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.tables import Offer, Rules


def offer_of(rules: Rules, merchant: str, line: str) -> Offer | None:
    """A line of a merchant's goods as it stands under the options. FS-AMB-22, FS-AMB-23."""
    offer = next((offer for offer in rules.merchants[merchant].goods if offer.item == line), None)
    if offer is None:
        return None
    caps, rarity = offer.caps, offer.rarity
    sampled = rules.options.sample_profiles == "section_5_5"
    if rules.options.merchant_misprints == "use_chapter_12" or (sampled and rules.goods[line].sample is not None):
        caps = base_value(rules, line)
    if sampled and offer.sample_rarity is not None:
        rarity = offer.sample_rarity
    return Offer(offer.item, rarity, caps, offer.modifier)


def price_of(rules: Rules, offer: Offer, rare: int, totals: tuple[int, int]) -> int:
    """Caps, plus the rarity dice, less the modifier for each point by which the leader's total is higher. FS-BAR-3."""
    leader, merchant = totals
    return max(rules.options.price_floor, offer.caps + rare - offer.modifier * (leader - merchant))


def trader_total(rules: Rules, group: Group, thrown: Thrown) -> DieRolled:
    """The leader's D6 with everything that helps when buying. FS-BAR-3, FS-AMB-16. Raises DiceRefused."""
    leader = group.member(group.leader)
    assert leader is not None
    bonus = {"leader": rules.options.leader_bonus, "master_trader": rules.options.master_trader_bonus}
    perks = [
        Modifier(f"perk.{key}", bonus[perk.buying])
        for key, perk in rules.advancement.perks.items()
        if perk.buying and has_perk(rules, group, leader, key)
    ]
    merchant = group.phase.visit.merchant if group.phase and group.phase.visit else ""
    modifiers = [*_charisma(rules, group, leader, merchant), *perks]
    return read_throw(thrown, "1D6", "FS-BAR-3", modifiers=_any(modifiers), member=leader.id)


def seller_total(rules: Rules, group: Group, seller: str, thrown: Thrown, merchant: str) -> DieRolled:
    """The seller's D6 with its Charisma; buying perks do not count. FS-SEL-1. Raises DiceRefused."""
    member = group.member(seller)
    assert member is not None
    modifiers = _charisma(rules, group, member, merchant)
    return read_throw(thrown, "1D6", "FS-SEL-1", modifiers=_any(modifiers), member=seller)


def merchant_total(rules: Rules, merchant: str, thrown: Thrown, purpose: str) -> DieRolled:
    """The merchant's D6 with its Charisma. FS-BAR-3, FS-AMB-17. Raises DiceRefused."""
    return read_throw(thrown, "1D6", purpose, modifiers=[Modifier("merchant.C", charisma_of(rules, merchant))])


def charisma_of(rules: Rules, merchant: str) -> int:
    """A merchant's Charisma; that of the one who is always found is the organiser's to say. FS-AMB-17."""
    told = rules.merchants[merchant]
    return told.charisma if told.find else rules.options.fixed_merchant_charisma


def _charisma(rules: Rules, group: Group, member: Member, merchant: str) -> list[Modifier]:
    """Charisma, and what changes it at a merchant: a turf and what the leader took, for the leader alone."""
    found = [
        Modifier("attribute.C", attribute(rules, group, member, "C")),
        Modifier("force", rules.forces[group.force].special.barter),
    ]
    if member.id != group.leader:
        return found
    helping = {turf.turf: turf.feature.charisma for turf in rules.turfs}
    if not rules.merchants[merchant].find:
        found.append(Modifier("turf", max((helping[owned.turf] for owned in group.turfs), default=0)))
    mood = group.phase.visit.mood if group.phase and group.phase.visit else 0
    return [*found, Modifier("taken", mood)]


def _any(modifiers: list[Modifier]) -> list[Modifier]:
    return [modifier for modifier in modifiers if modifier.value]
