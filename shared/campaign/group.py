"""A group: who may carry what, prices and rating, building it, and members who leave.

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
from shared.campaign.dice import DieRolled, Modifier, Thrown, read_throw
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
    """Yield a fault if a member lacks the armor that it must wear to be fielded (FS-GRP-7, FS-AMB-27)."""
    duty = rules.forces[group.force].ranks[rank_for_gear(rules, member)].armor
    if duty.duty == "must" and not {item.good for item in group.held_by(member.id)} & set(duty.of):
        expected = one_of([name for good in duty.of for name in rules.goods[good].names])
        yield Fault(f"/members/{member.id}", "nothing", expected, "FS-GRP-7")


def faults_of_forbidden_armor(rules: Rules, group: Group, member: Member) -> Iterator[Fault]:
    """Yield a fault for each armor of a member who may wear none (FS-GRP-7)."""
    duty = rules.forces[group.force].ranks[rank_for_gear(rules, member)].armor
    for item in group.held_by(member.id):
        if duty.duty == "never" and rules.goods[item.good].kind == "armor":
            worn = tables.joined_names(rules.goods[item.good].names)
            yield Fault(f"/members/{member.id}", worn, expects("no-armor"), "FS-GRP-7")


def faults_of_carriers(rules: Rules, group: Group, members: Collection[str]) -> Iterator[Fault]:
    """Yield a fault for each of these members who carries a Big Gun without the rank for it (FS-GRP-8, FS-AMB-26)."""
    carriers = big_gun_carriers(rules, group.force)
    for member in group.members:
        rank = rank_for_gear(rules, member)
        if member.id in members and rank not in carriers and big_guns(rules, group, [member.id]):
            expected = expects("big-gun-carrier", ranks=list(carriers))
            if rank in rules.forces[group.force].big_guns.carriers_by_option:
                expected = or_option(expected, "fs.force.talon_big_guns=merc_and_veteran_merc")
            yield Fault(f"/members/{member.id}", rank, expected, "FS-GRP-8")


def big_gun_carriers(rules: Rules, force: str) -> tuple[Rank, ...]:
    """Return the ranks that may carry Big Guns (FS-GRP-8, FS-AMB-26)."""
    rule = rules.forces[force].big_guns
    if rule.carriers_by_option and rules.options.talon_big_guns == "merc_and_veteran_merc":
        return rule.carriers_by_option
    return rule.carriers


def big_guns(rules: Rules, group: Group, holders: Collection[str]) -> int:
    """Return how many Big Guns these holders have; "" is the stash."""
    return sum(rules.goods[item.good].kind == "big_gun" and item.holder in holders for item in group.items)


def big_guns_allowed(rules: Rules, group: Group) -> int:
    """Return how many Big Guns a group may have: one for each full complement of members (FS-GRP-8, FS-DICE-2)."""
    return len(group.members) // rules.forces[group.force].big_guns.per


def faults_of_ratio(rules: Rules, group: Group, holders: Collection[str]) -> Iterator[Fault]:
    """Yield a fault if the holders have more Big Guns than the group may have (FS-GRP-8)."""
    count, allowed = big_guns(rules, group, holders), big_guns_allowed(rules, group)
    if count > allowed:
        per = rules.forces[group.force].big_guns.per
        yield Fault("/items", f"{count}", expects("at-most-big-guns", most=allowed, per=per), "FS-GRP-8")


def faults_of_start(rules: Rules, group: Group) -> Iterator[Fault]:
    """Yield faults of a starting group: too many of a rank, or no veteran (FS-GRP-4, FS-GRP-6)."""
    counts = Counter(member.rank for member in group.members)
    for rank, entry in rules.forces[group.force].ranks.items():
        if counts[rank] > entry.start_most:
            expected = expects("at-most-of-rank", most=entry.start_most, rank=rank)
            yield Fault("/members", f"{counts[rank]}", expected, "FS-GRP-4")
    if not counts["veteran"]:
        yield Fault("/members", "0", expects("veteran"), "FS-GRP-6")


def faults_of_size(rules: Rules, group: Group, joining: int = 0) -> Iterator[Fault]:
    """Yield a fault if the group would have more members than its force may have. Centaurs do not count (FS-GRP-5)."""
    most, size = rules.forces[group.force].most, len(group.members) + joining
    if size > most:
        yield Fault("/members", f"{size}", expects("at-most-members", most=most), "FS-GRP-5")


def base_value(rules: Rules, good: str) -> int:
    """Return the base value of a good in caps, for lists and resale (FS-RAT-2, FS-AMB-23, FS-AMB-41).

    A custom weapon has the value that the option sets. A good without a price is worth 0.
    """
    entry = rules.goods[good]
    if entry.kind in CUSTOM:
        return rules.options.custom_weapon_value
    if entry.sample is not None and rules.options.sample_profiles == "section_5_5":
        return entry.sample
    return entry.caps


def item_value(rules: Rules, item: Item) -> int:
    """Return what an item adds to the rating, in caps (FS-RAT-2, FS-AMB-41)."""
    if rules.options.equipment_value == "paid" and item.paid is not None:
        return item.paid
    return base_value(rules, item.good)


def member_cost(rules: Rules, group: Group, member: Member) -> int:
    """Return what a member adds to the rating, in caps (FS-RAT-1, FS-AMB-40)."""
    if rules.options.recruit_rating_cost == "paid_40" and member.paid is not None:
        return member.paid
    return rules.forces[group.force].ranks[member.rank].caps


def group_cost(rules: Rules, group: Group) -> int:
    """Return the caps of all members and equipment. Unspent caps and food do not count (FS-RAT-1)."""
    parts = rating_parts(rules, group)
    return parts["characters"] + parts["equipment"]


def group_rating(rules: Rules, group: Group) -> int:
    """Return the rating: cost, experience, and a number for each turf and Centaur (FS-RAT-1, FS-EX-1)."""
    return sum(rating_parts(rules, group).values())


def rating_parts(rules: Rules, group: Group) -> dict[str, int]:
    """Return the parts of the rating, by name (FS-RAT-1)."""
    return {
        "characters": sum(member_cost(rules, group, member) for member in group.members),
        "equipment": sum(item_value(rules, item) for item in group.items),
        "experience": sum(member.xp for member in group.members),
        "turfs": rules.core.rating_per_turf * len(group.turfs),
        "centaurs": rules.core.rating_per_centaur * group.centaurs,
    }


def finalise_rating(rules: Rules, group: Group) -> GroupRatingFinalised:
    """Return the final rating, as set when a group is accepted and in step 9 (FS-RAT-3)."""
    return GroupRatingFinalised(group_rating(rules, group))


def offer_of(rules: Rules, merchant: str, line: str) -> Offer | None:
    """Return a line of a merchant's goods under the options in force, or None (FS-AMB-22, FS-AMB-23)."""
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
    """Return the price in caps (FS-BAR-3).

    It is the caps plus the rarity dice, less the modifier for each point by which the leader's total is higher.
    """
    leader, merchant = totals
    return max(rules.options.price_floor, offer.caps + rare - offer.modifier * (leader - merchant))


def trader_total(rules: Rules, group: Group, throw: Thrown) -> DieRolled:
    """Return the leader's D6 with all bonuses for buying (FS-BAR-3, FS-AMB-16). Raises DiceRefused."""
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
    return read_throw(throw, "1D6", "FS-BAR-3", modifiers=_nonzero(modifiers), member=leader.id)


def seller_total(rules: Rules, group: Group, seller: str, throw: Thrown, merchant: str) -> DieRolled:
    """Return the seller's D6 with its Charisma, without perks for buying (FS-SEL-1). Raises DiceRefused."""
    member = group.member(seller)
    assert member is not None
    modifiers = _charisma(rules, group, member, merchant)
    return read_throw(throw, "1D6", "FS-SEL-1", modifiers=_nonzero(modifiers), member=seller)


def merchant_total(rules: Rules, merchant: str, throw: Thrown, purpose: str) -> DieRolled:
    """Return the merchant's D6 with its Charisma (FS-BAR-3, FS-AMB-17). Raises DiceRefused."""
    return read_throw(throw, "1D6", purpose, modifiers=[Modifier("merchant.C", charisma_of(rules, merchant))])


def charisma_of(rules: Rules, merchant: str) -> int:
    """Return a merchant's Charisma. An option sets that of the merchant who is always found (FS-AMB-17)."""
    entry = rules.merchants[merchant]
    return entry.charisma if entry.find else rules.options.fixed_merchant_charisma


def _charisma(rules: Rules, group: Group, member: Member, merchant: str) -> list[Modifier]:
    """Return the Charisma of a member at a merchant. Turfs and drugs help the leader only."""
    modifiers = [
        Modifier("attribute.C", attribute(rules, group, member, "C")),
        Modifier("force", rules.forces[group.force].special.barter),
    ]
    if member.id != group.leader:
        return modifiers
    turf_bonus = {turf.turf: turf.feature.charisma for turf in rules.turfs}
    if not rules.merchants[merchant].find:
        modifiers.append(Modifier("turf", max((turf_bonus[owned.turf] for owned in group.turfs), default=0)))
    mood = group.phase.visit.mood if group.phase and group.phase.visit else 0
    return [*modifiers, Modifier("taken", mood)]


def _nonzero(modifiers: list[Modifier]) -> list[Modifier]:
    return [modifier for modifier in modifiers if modifier.value]


class Enlisted(Struct, frozen=True, omit_defaults=True):
    """A submitted character. goods: what it carries."""

    rank: Rank
    name: str = ""
    goods: tuple[str, ...] = ()


class Submission(Struct, frozen=True, omit_defaults=True):
    """A submitted group. stash: goods that no member carries."""

    force: str
    members: tuple[Enlisted, ...]
    stash: tuple[str, ...] = ()


PLACES = {"/items": "/members"}
"""Place of a fault in a group -> its place in the submission, if they differ."""


def accept_group(
    rules: Rules, id: str, submission: Submission, serial: int = 0, turfs: tuple[OwnedTurf, ...] = ()
) -> GroupAccepted:
    """Return the accepted group with its unspent caps (FS-GRP-2, FS-GRP-11, FS-GRP-13).

    serial: the last number used by an earlier group of this player; ids are never reused.
    turfs: turfs that were rolled already.
    Raises GroupRefused with every fault.
    """
    submission = names_to_keys(rules, submission)
    faults = faults_of_submission(rules, submission)
    if faults:
        raise GroupRefused("this group may not enter the campaign", faults)
    group = _built(rules, id, submission, serial)
    built = replace(group, turfs=turfs, caps=rules.core.starting_caps - group_cost(rules, group))
    return GroupAccepted(GroupBuilt.of(built))


def names_to_keys(rules: Rules, submission: Submission) -> Submission:
    """Return a submission with keys in place of names. Unknown names stay unchanged."""
    known = tables.goods(rules)

    def keys(goods: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(tables.key_of(known, good) for good in goods)

    return replace(
        submission,
        force=tables.key_of(tables.forces(rules), submission.force),
        members=tuple(replace(member, goods=keys(member.goods)) for member in submission.members),
        stash=keys(submission.stash),
    )


def faults_of_submission(rules: Rules, submission: Submission) -> list[Fault]:
    """Return every fault of a submitted group (FS-GRP-1 to FS-GRP-10)."""
    unknown = list(_faults_of_unknown_names(rules, submission))
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
    """Return a fault for each member who cannot be fielded without armor (FS-GRP-7, FS-AMB-27)."""
    return [fault for member in group.members for fault in faults_of_armor(rules, group, member)]


def new_member(rules: Rules, number: int, rank: Rank, name: str = "", paid: int | None = None) -> MemberBuilt:
    """Return a new character with the starting experience of its rank and the level it means (FS-GRP-11, FS-GRP-12)."""
    xp = starting_xp(rules, rank)
    return MemberBuilt(f"m-{number}", rank, name, xp, level_at(rules, xp), paid)


def _built(rules: Rules, id: str, submission: Submission, serial: int) -> Group:
    """Return the group. Ids follow the order of the submission: members, then goods."""
    members = tuple(
        new_member(rules, number, member.rank, member.name).state
        for number, member in enumerate(submission.members, serial + 1)
    )
    held = [
        (good, member.id)
        for member, submitted in zip(members, submission.members, strict=True)
        for good in submitted.goods
    ]
    held += [(good, "") for good in submission.stash]
    items = tuple(
        Item(f"i-{number}", good, holder, paid=base_value(rules, good))
        for number, (good, holder) in enumerate(held, serial + len(members) + 1)
    )
    return Group(id, submission.force, members, items, serial=serial + len(members) + len(items))


def _faults_of_unknown_names(rules: Rules, submission: Submission) -> Iterator[Fault]:
    if submission.force not in rules.forces:
        yield Fault(
            "/force",
            submission.force or "nothing",
            tables.one_of(tables.forces(rules), rules.forces),
            "FS-GRP-3",
        )
    for index, member in enumerate(submission.members):
        if member.rank not in RANKS:
            yield Fault(f"/members/{index}/rank", member.rank or "nothing", one_of(RANKS))
    force = rules.forces.get(submission.force)
    expected = tables.one_of(tables.goods(rules), force.goods) if force else expects("good-of-force")
    for where, good in _goods(submission):
        if good not in rules.goods:
            yield Fault(where, good, expected, "FS-GRP-3")


def _faults_of_goods(rules: Rules, submission: Submission) -> Iterator[Fault]:
    """Yield faults of goods that are not on the list of the force; a starting group buys only those (FS-GRP-3)."""
    listed = rules.forces[submission.force].goods
    for where, good in _goods(submission):
        if good not in listed:
            yield Fault(where, good, tables.one_of(tables.goods(rules), listed), "FS-GRP-3")


def _goods(submission: Submission) -> Iterator[tuple[str, str]]:
    for index, member in enumerate(submission.members):
        for number, good in enumerate(member.goods):
            yield f"/members/{index}/goods/{number}", good
    for number, good in enumerate(submission.stash):
        yield f"/stash/{number}", good


def _position(match: re.Match[str]) -> str:
    """Return a member's place in the submission. Ids were given in that order, from 1."""
    return f"/{int(match[1]) - 1}"


RemovalReason = Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own"]


def remove_member(
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
    """Remove a member for good, and appoint a new leader at once if one is due.

    in_game: the member died in the game or by an injury, so its equipment is lost; otherwise it goes to the stash. A
        rank that its force replaces is replaced, and the replacement leads (FS-SPC-4).
    """
    removed, phase = builder.member(member), builder.group.phase
    builder.record(MemberRemoved(member, reason, "lost" if in_game else "stash", clause, roll))
    successor = rules.forces[builder.group.force].special.successor
    if in_game and phase is not None and phase.step in ("1", "1b") and successor == removed.rank:
        joining = new_member(rules, builder.group.serial + 1, successor)
        builder.record(MemberJoined(joining, "successor", "FS-SPC-4"), LeaderAppointed(joining.id, "FS-SPC-4"))
    appoint_due_leader(rules, builder, draws)


def appoint_due_leader(rules: Rules, builder: DecisionBuilder, draws: Draws) -> None:
    """Appoint a leader if one is due."""
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
    """Change a member's rads, never below 0. Too many rads kill the member (FS-RAD-1, FS-INJ-4)."""
    change = max(amount, -builder.member(member).rads)
    if change:
        builder.record(RadsChanged(member, change, reason, clause))
    if band(rules, builder.member(member).rads).dies:
        remove_member(rules, builder, member, "radiation", "FS-INJ-4", draws, in_game=in_game)


def lose_rads(builder: DecisionBuilder, member: str, amount: int, reason: str, clause: str) -> None:
    """Take rads from a member, never below 0 (FS-RAD-1)."""
    change = min(amount, builder.member(member).rads)
    if change:
        builder.record(RadsChanged(member, -change, reason, clause))


def appoint_leader(rules: Rules, group: Group, draws: Draws, round: int) -> list[LeaderAppointed]:
    """Return the appointment that is due, if any (FS-AMB-58).

    One is due if no one leads, or if a member's Charisma is higher and the option counts that. Lots decide between
    equal members; a leader among them stays. A group without members has no leader.
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
