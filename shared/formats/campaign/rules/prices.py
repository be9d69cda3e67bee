"""What things are worth, what bartering makes of a price, and the rating of a group.

FS-RAT-1 to FS-RAT-3, FS-BAR-3, FS-SEL-1.
"""

from __future__ import annotations

from shared.formats.campaign.rules.attributes import attribute, has_perk
from shared.formats.campaign.rules.dice import DieRolled, Modifier, Thrown, read_throw
from shared.formats.campaign.rules.outcomes import GroupRatingFinalised
from shared.formats.campaign.rules.roster import Group, Item, Member
from shared.formats.campaign.rules.tables import Offer, Rules
from shared.formats.campaign.rules.words import CUSTOM


def base_value(rules: Rules, good: str) -> int:
    """The base value of a good in caps, for lists and resale. FS-RAT-2, FS-AMB-23, FS-AMB-41.

    A custom weapon is worth what the organiser says; what no table prices is worth nothing.
    """
    told = rules.goods[good]
    if told.kind in CUSTOM:
        return rules.options.custom_weapon_value
    if told.sample is not None and rules.options.sample_profiles == "section_5_5":
        return told.sample
    return told.caps


def item_value(rules: Rules, item: Item) -> int:
    """What an item counts in the rating, in caps. FS-RAT-2, FS-AMB-41."""
    if rules.options.equipment_value == "paid" and item.paid is not None:
        return item.paid
    return base_value(rules, item.good)


def member_cost(rules: Rules, group: Group, member: Member) -> int:
    """The profile caps of a member, recruits too. FS-RAT-1, FS-AMB-40."""
    if rules.options.recruit_rating_cost == "paid_40" and member.paid is not None:
        return member.paid
    return rules.forces[group.force].ranks[member.rank].caps


def group_cost(rules: Rules, group: Group) -> int:
    """Caps of characters and of all equipment, carried or stashed; leftover caps and food are none of it. FS-RAT-1."""
    parts = rating_parts(rules, group)
    return parts["characters"] + parts["equipment"]


def group_rating(rules: Rules, group: Group) -> int:
    """Cost, experience of the living, and a number for each turf and each Centaur. FS-RAT-1, FS-EX-1."""
    return sum(rating_parts(rules, group).values())


def rating_parts(rules: Rules, group: Group) -> dict[str, int]:
    """What the rating is made of, by name. FS-RAT-1."""
    return {
        "characters": sum(member_cost(rules, group, member) for member in group.members),
        "equipment": sum(item_value(rules, item) for item in group.items),
        "experience": sum(member.xp for member in group.members),
        "turfs": rules.core.rating_per_turf * len(group.turfs),
        "centaurs": rules.core.rating_per_centaur * group.centaurs,
    }


def finalise_rating(rules: Rules, group: Group) -> GroupRatingFinalised:
    """The rating made final: when the group is accepted, and in step 9. FS-RAT-3."""
    return GroupRatingFinalised(group_rating(rules, group))


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
