"""A group: who may carry what, prices and rating, how it is built, and members who leave (FS-GRP, FS-RAT, FS-LDR).

FS-GRP-4 to FS-GRP-8, FS-RAT-1 to FS-RAT-3, FS-BAR-3, FS-SEL-1, FS-PGP-6, FS-RAD-1, FS-LDR-1 to FS-LDR-3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.campaign import tables
from shared.campaign.dice import DieRolled, Modifier, Throw, read_throw
from shared.campaign.experience import level_at, starting_xp
from shared.campaign.outcomes import (
    GroupAccepted,
    GroupRatingFinalised,
    LeaderAppointed,
    MemberJoined,
    MemberRemoved,
    RadsChanged,
)
from shared.campaign.roster import (
    Group,
    GroupBuilt,
    Item,
    Member,
    MemberBuilt,
    OwnedTurf,
    attribute,
    band,
    has_perk,
    rank_for_gear,
)
from shared.campaign.steps import DecisionBuilder
from shared.campaign.tables import Offer, Rules, or_option
from shared.campaign.words import CUSTOM, RANKS, GroupRefused, Rank
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws, draw_lots


def faults_of_armor(rules: Rules, group: Group, member: Member) -> Iterator[Fault]:
    """A member without the armor that it must wear cannot be fielded. FS-GRP-7, FS-AMB-27."""
    duty = rules.forces[group.force].ranks[rank_for_gear(rules, member)].armor
    if duty.duty == "must" and not {item.good for item in group.held_by(member.id)} & set(duty.of):
        expected = one_of([name for good in duty.of for name in rules.goods[good].names])
        yield Fault(f"/members/{member.id}", "nothing", expected, "FS-GRP-7")


def faults_of_forbidden_armor(rules: Rules, group: Group, member: Member) -> Iterator[Fault]:
    """Some wear no armor at all. FS-GRP-7."""
    duty = rules.forces[group.force].ranks[rank_for_gear(rules, member)].armor
    for item in group.held_by(member.id):
        if duty.duty == "never" and rules.goods[item.good].kind == "armor":
            worn = tables.joined_names(rules.goods[item.good].names)
            yield Fault(f"/members/{member.id}", worn, expects("no-armor"), "FS-GRP-7")


def faults_of_carriers(rules: Rules, group: Group, members: Collection[str]) -> Iterator[Fault]:
    """Big Guns are carried by some ranks only. members: whose hands are looked at. FS-GRP-8, FS-AMB-26."""
    carriers = big_gun_carriers(rules, group.force)
    for member in group.members:
        rank = rank_for_gear(rules, member)
        if member.id in members and rank not in carriers and big_guns(rules, group, [member.id]):
            expected = expects("big-gun-carrier", ranks=list(carriers))
            if rank in rules.forces[group.force].big_guns.carriers_by_option:
                expected = or_option(expected, "fs.force.talon_big_guns=merc_and_veteran_merc")
            yield Fault(f"/members/{member.id}", rank, expected, "FS-GRP-8")


def big_gun_carriers(rules: Rules, force: str) -> tuple[Rank, ...]:
    """The ranks that carry Big Guns. FS-GRP-8, FS-AMB-26."""
    told = rules.forces[force].big_guns
    if told.carriers_by_option and rules.options.talon_big_guns == "merc_and_veteran_merc":
        return told.carriers_by_option
    return told.carriers


def big_guns(rules: Rules, group: Group, holders: Collection[str]) -> int:
    """How many Big Guns these holders have; "" is the stash."""
    return sum(rules.goods[item.good].kind == "big_gun" and item.holder in holders for item in group.items)


def big_guns_allowed(rules: Rules, group: Group) -> int:
    """One for each full complement of members. FS-GRP-8, FS-DICE-2."""
    return len(group.members) // rules.forces[group.force].big_guns.per


def faults_of_ratio(rules: Rules, group: Group, holders: Collection[str]) -> Iterator[Fault]:
    """More Big Guns than the members allow. FS-GRP-8."""
    found, allowed = big_guns(rules, group, holders), big_guns_allowed(rules, group)
    if found > allowed:
        per = rules.forces[group.force].big_guns.per
        yield Fault("/items", f"{found}", expects("at-most-big-guns", most=allowed, per=per), "FS-GRP-8")


def faults_of_start(rules: Rules, group: Group) -> Iterator[Fault]:
    """A starting group has so many of each rank, and a veteran. FS-GRP-4, FS-GRP-6."""
    found = Counter(member.rank for member in group.members)
    for rank, entry in rules.forces[group.force].ranks.items():
        if found[rank] > entry.start_most:
            expected = expects("at-most-of-rank", most=entry.start_most, rank=rank)
            yield Fault("/members", f"{found[rank]}", expected, "FS-GRP-4")
    if not found["veteran"]:
        yield Fault("/members", "0", expects("veteran"), "FS-GRP-6")


def faults_of_size(rules: Rules, group: Group, joining: int = 0) -> Iterator[Fault]:
    """No more members than the force may have at any moment; Centaurs do not count. FS-GRP-5."""
    most, found = rules.forces[group.force].most, len(group.members) + joining
    if found > most:
        yield Fault("/members", f"{found}", expects("at-most-members", most=most), "FS-GRP-5")


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


def trader_total(rules: Rules, group: Group, thrown: Throw) -> DieRolled:
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


def seller_total(rules: Rules, group: Group, seller: str, thrown: Throw, merchant: str) -> DieRolled:
    """The seller's D6 with its Charisma; buying perks do not count. FS-SEL-1. Raises DiceRefused."""
    member = group.member(seller)
    assert member is not None
    modifiers = _charisma(rules, group, member, merchant)
    return read_throw(thrown, "1D6", "FS-SEL-1", modifiers=_any(modifiers), member=seller)


def merchant_total(rules: Rules, merchant: str, thrown: Throw, purpose: str) -> DieRolled:
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


class Enlisted(Struct, frozen=True, omit_defaults=True):
    """A character as handed in, with what it carries."""

    rank: Rank
    name: str = ""
    goods: tuple[str, ...] = ()


class Submission(Struct, frozen=True, omit_defaults=True):
    """A group as handed in. stash: goods that nobody carries."""

    force: str
    members: tuple[Enlisted, ...]
    stash: tuple[str, ...] = ()


PLACES = {"/items": "/members"}
"""Where a fault of a group stands in what was handed in, if that is elsewhere."""


def accept_group(
    rules: Rules, id: str, submission: Submission, serial: int = 0, turfs: tuple[OwnedTurf, ...] = ()
) -> GroupAccepted:
    """The group that a submission becomes, with its unspent caps. FS-GRP-2, FS-GRP-11, FS-GRP-13.

    serial: the last number that an earlier group of this player gave to anything; no id is given twice. turfs: rolled
    already. Raises GroupRefused with every fault.
    """
    submission = names_to_keys(rules, submission)
    faults = faults_of_submission(rules, submission)
    if faults:
        raise GroupRefused("this group may not enter the campaign", faults)
    group = _built(rules, id, submission, serial)
    built = replace(group, turfs=turfs, caps=rules.core.starting_caps - group_cost(rules, group))
    return GroupAccepted(GroupBuilt.of(built))


def names_to_keys(rules: Rules, submission: Submission) -> Submission:
    """A submission with the keys of what it calls by name; what nothing is called stays as it is."""
    known = tables.goods(rules)

    def keys(told: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(tables.key_of(known, good) for good in told)

    return replace(
        submission,
        force=tables.key_of(tables.forces(rules), submission.force),
        members=tuple(replace(told, goods=keys(told.goods)) for told in submission.members),
        stash=keys(submission.stash),
    )


def faults_of_submission(rules: Rules, submission: Submission) -> list[Fault]:
    """Everything that keeps a group out, each with its clause. FS-GRP-1 to FS-GRP-10."""
    unknown = list(_unknown(rules, submission))
    if unknown:
        return unknown
    group = _built(rules, "", submission, 0)
    faults = list(_faults_of_goods(rules, submission))
    cost, pool = group_cost(rules, group), rules.core.starting_caps
    if cost > pool:
        faults.append(Fault("/members", f"{cost}", expects("at-most-caps", most=pool), "FS-GRP-1"))
    faults += faults_of_start(rules, group)
    faults += faults_of_size(rules, group)
    for member in group.members:
        faults += faults_of_forbidden_armor(rules, group, member)
        if rules.options.missing_armor == "refuse_at_registration":
            faults += faults_of_armor(rules, group, member)
    faults += faults_of_carriers(rules, group, group.ids)
    on_purchase = rules.options.big_gun_ratio == "checked_on_purchase"
    faults += faults_of_ratio(rules, group, [*group.ids, ""] if on_purchase else group.ids)
    return [
        replace(fault, where=re.sub(r"/m-(\d+)", _position, PLACES.get(fault.where, fault.where))) for fault in faults
    ]


def faults_of_missing_armor(rules: Rules, group: Group) -> list[Fault]:
    """Members who may be on the roster and cannot be fielded for want of armor. FS-GRP-7, FS-AMB-27."""
    return [fault for member in group.members for fault in faults_of_armor(rules, group, member)]


def new_member(rules: Rules, number: int, rank: Rank, name: str = "", paid: int | None = None) -> MemberBuilt:
    """A character as it joins: starting experience, the level that it means, no perks. FS-GRP-11, FS-GRP-12."""
    xp = starting_xp(rules, rank)
    return MemberBuilt(f"m-{number}", rank, name, xp, level_at(rules, xp), paid)


def _built(rules: Rules, id: str, submission: Submission, serial: int) -> Group:
    """The group, with ids given in the order of the submission: members, then goods."""
    members = tuple(
        new_member(rules, number, told.rank, told.name).state
        for number, told in enumerate(submission.members, serial + 1)
    )
    held = [(good, member.id) for member, told in zip(members, submission.members, strict=True) for good in told.goods]
    held += [(good, "") for good in submission.stash]
    items = tuple(
        Item(f"i-{number}", good, holder, paid=base_value(rules, good))
        for number, (good, holder) in enumerate(held, serial + len(members) + 1)
    )
    return Group(id, submission.force, members, items, serial=serial + len(members) + len(items))


def _unknown(rules: Rules, submission: Submission) -> Iterator[Fault]:
    if submission.force not in rules.forces:
        yield Fault(
            "/force",
            submission.force or "nothing",
            tables.one_of(tables.forces(rules), rules.forces),
            "FS-GRP-3",
        )
    for index, told in enumerate(submission.members):
        if told.rank not in RANKS:
            yield Fault(f"/members/{index}/rank", told.rank or "nothing", one_of(RANKS))
    force = rules.forces.get(submission.force)
    expected = tables.one_of(tables.goods(rules), force.goods) if force else expects("good-of-force")
    for where, good in _goods(submission):
        if good not in rules.goods:
            yield Fault(where, good, expected, "FS-GRP-3")


def _faults_of_goods(rules: Rules, submission: Submission) -> Iterator[Fault]:
    """At the start a group buys from its own list only. FS-GRP-3."""
    listed = rules.forces[submission.force].goods
    for where, good in _goods(submission):
        if good not in listed:
            yield Fault(where, good, tables.one_of(tables.goods(rules), listed), "FS-GRP-3")


def _goods(submission: Submission) -> Iterator[tuple[str, str]]:
    for index, told in enumerate(submission.members):
        for number, good in enumerate(told.goods):
            yield f"/members/{index}/goods/{number}", good
    for number, good in enumerate(submission.stash):
        yield f"/stash/{number}", good


def _position(found: re.Match[str]) -> str:
    """A member's place in the submission; ids were given in that order, from 1."""
    return f"/{int(found[1]) - 1}"


RemovalReason = Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own"]


def remove(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    reason: RemovalReason,
    clause: str,
    draws: Draws,
    *,
    in_game: bool,
    roll: str = "",
) -> None:
    """A member leaves; a leader is appointed at once, before anything else.

    in_game: killed in the game or by an injury, so that the equipment is lost; else it goes to the stash. Who was
    the kind of member that its force replaces is replaced, and the new one leads.
    """
    gone, phase = builder.member(member), builder.group.phase
    builder.record(MemberRemoved(member, reason, "lost" if in_game else "stash", clause, roll))
    successor = rules.forces[builder.group.force].special.successor
    if in_game and phase is not None and phase.step in ("1", "1b") and successor == gone.rank:
        joining = new_member(rules, builder.group.serial + 1, successor)
        builder.record(MemberJoined(joining, "successor", "FS-SPC-4"), LeaderAppointed(joining.id, "FS-SPC-4"))
    appoint_due_leader(rules, builder, draws)


def appoint_due_leader(rules: Rules, builder: DecisionBuilder, draws: Draws) -> None:
    """The leader who is due, if one is."""
    round = builder.group.phase.round if builder.group.phase else 0
    builder.record(*appoint_leader(rules, builder.group, draws, round))


def gain_rads(
    rules: Rules,
    builder: DecisionBuilder,
    member: str,
    amount: int,
    reason: str,
    clause: str,
    draws: Draws,
    *,
    in_game: bool = False,
) -> None:
    """Rads gained or lost, never below 0; too many kill. FS-RAD-1, FS-INJ-4."""
    change = max(amount, -builder.member(member).rads)
    if change:
        builder.record(RadsChanged(member, change, reason, clause))
    if band(rules, builder.member(member).rads).dies:
        remove(rules, builder, member, "radiation", "FS-INJ-4", draws, in_game=in_game)


def lose_rads(builder: DecisionBuilder, member: str, amount: int, reason: str, clause: str) -> None:
    """Take rads from a member, never below 0. FS-RAD-1."""
    change = min(amount, builder.member(member).rads)
    if change:
        builder.record(RadsChanged(member, -change, reason, clause))


def appoint_leader(rules: Rules, group: Group, draws: Draws, round: int) -> list[LeaderAppointed]:
    """The appointment that is due, if one is: nobody leads, or somebody's Charisma counts for more. FS-AMB-58.

    Equals are put in the order of their lots; a leader who is one of them stays. A group without members has no leader.
    """
    if not group.members:
        return []
    charisma = {member.id: attribute(rules, group, member, "C") for member in group.members}
    best = [id for id in group.ids if charisma[id] == max(charisma.values())]
    if group.leader and (rules.options.reappoint == "on_leaving_roster" or group.leader in best):
        return []
    if len(best) == 1:
        return [LeaderAppointed(best[0], _clause(group))]
    number = group.phase.leaders + 1 if group.phase else 1
    order = draw_lots(draws, f"leader {number} of {group.id}", round, best)
    return [LeaderAppointed(order[0], _clause(group), tuple(order))]


def _clause(group: Group) -> str:
    return "FS-LDR-1" if group.phase is None else "FS-LDR-2"
