"""What things are worth, and the rating of a group: FS-RAT-1 to FS-RAT-3."""

from __future__ import annotations

from shared.formats.campaign.rules.outcomes import GroupRatingFinalised
from shared.formats.campaign.rules.roster import Group, Item, Member
from shared.formats.campaign.rules.tables import Rules
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
