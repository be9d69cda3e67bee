"""Who may carry what: armor duty, Big Guns, the size of a group. FS-GRP-4 to FS-GRP-8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.attributes import rank_for_gear
from shared.formats.campaign.rules.options import or_option
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Rank
from shared.refusals import Fault, expects, one_of


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
            worn = called.written(rules.goods[item.good].names)
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
