"""What a member is like now: profile, raises, injuries, radiation, what is worn; and which perks are awake."""

from __future__ import annotations

from collections.abc import Mapping

from shared.formats.campaign.rules.dice import Modifier
from shared.formats.campaign.rules.roster import Group, HeldPerk, Member
from shared.formats.campaign.rules.tables import Band, Rules
from shared.formats.campaign.rules.words import Attribute, Rank


def attribute(rules: Rules, group: Group, member: Member, name: Attribute) -> int:
    """The present value of an attribute; it may fall below 1. FS-INJ-2, FS-RAD-1, FS-PRK-1."""
    return sum(part.value for part in parts_of(rules, group, member, name))


def parts_of(rules: Rules, group: Group, member: Member, name: Attribute) -> list[Modifier]:
    """What the present value of an attribute is made of: the profile first, then whatever changes it."""
    profile = rules.forces[group.force].ranks[member.rank].profile
    found = [Modifier("profile", getattr(profile, name)), Modifier("advancement", member.raised.get(name, 0))]
    hurt = {row.injury: row.changes for row in rules.injuries}
    found += [Modifier(f"injury.{injury}", hurt[injury].get(name, 0)) for injury in member.injuries]
    found.append(Modifier("radiation", band(rules, member.rads).changes.get(name, 0)))
    for item in group.held_by(member.id):
        found.append(Modifier(f"worn.{item.good}", rules.goods[item.good].worn.get(name, 0)))
    return [found[0], *(part for part in found[1:] if part.value)]


def endurance_in_game(rules: Rules, group: Group, member: Member) -> int:
    """Endurance in the next game: one less for each post-game in a row without food. FS-UPK-3."""
    return attribute(rules, group, member, "E") - member.unfed


def band(rules: Rules, rads: int) -> Band:
    """The radiation band of a count of rads. FS-RAD-1."""
    return next(band for band in reversed(rules.core.bands) if band.rads <= rads)


def limbs(rules: Rules, member: Member, limb: str) -> int:
    """How many legs, arms or eyes of a member are crippled. FS-INJ-2, FS-AMB-7."""
    counted = rules.options.attribute_rows_count_as_limbs
    kinds = {row.injury for row in rules.injuries if row.limb == limb or (counted and row.as_limb == limb)}
    return sum(injury in kinds for injury in member.injuries)


def is_blind(rules: Rules, member: Member) -> bool:
    """Whether a member has lost both eyes. FS-INJ-1."""
    return limbs(rules, member, "eye") >= 2


def requirement_met(rules: Rules, group: Group, member: Member, perk: str) -> bool:
    """Whether the attributes of a member meet what a perk requires. FS-PRK-1, FS-AMB-14."""
    now = {name: attribute(rules, group, member, name) for name in rules.advancement.perks[perk].requires}
    if rules.options.perk_requirement == "maximum":
        return all(now[name] <= number for name, number in rules.advancement.perks[perk].requires.items())
    return all(now[name] >= number for name, number in rules.advancement.perks[perk].requires.items())


def awake(rules: Rules, group: Group, member: Member, held: HeldPerk) -> bool:
    """Whether a perk of a member works now. One taken with its requirement waived never sleeps. FS-PRK-2, FS-AMB-15."""
    if held.waived and rules.options.waived_requirement == "usable":
        return True
    return requirement_met(rules, group, member, held.perk)


def has_perk(rules: Rules, group: Group, member: Member, perk: str) -> bool:
    """Whether a member has a perk that works now; the leader's own perk is to be the leader. FS-LDR-2."""
    if rules.advancement.perks[perk].leader_only:
        return member.id == group.leader
    return any(held.perk == perk and awake(rules, group, member, held) for held in member.perks)


def rank_for_gear(rules: Rules, member: Member) -> Rank:
    """The rank that decides what a member may carry and must wear. FS-AMB-51."""
    if rules.options.promotion == "none":
        return member.rank
    labels = [level.rank for level in rules.advancement.levels if level.rank and level.level <= member.level]
    order: Mapping[Rank, int] = {"green": 0, "experienced": 1, "veteran": 2}
    return max([member.rank, *labels], key=lambda rank: order[rank])


def rank_name(rules: Rules, force: str, rank: Rank) -> str:
    """What a rank is called in its force. FS-AMB-25."""
    entry = rules.forces[force].ranks[rank]
    return entry.name if rules.options.rank_names == "profile_table" else entry.allowance_name


def armor_save(rules: Rules, force: str, good: str) -> int:
    """The armor save of a piece of armor in a force; 0 for what is none. FS-AMB-24."""
    saves, chosen = rules.goods[good].armor, rules.options.trench_coat_armor
    if not saves:
        return 0
    if "any" in saves:
        return saves["any"]
    return saves.get(force, min(saves.values())) if chosen == "per_force" else chosen
