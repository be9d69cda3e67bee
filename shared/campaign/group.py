"""Building a group: what a player hands in, every reason why it may not enter, and the group that it becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from shared.formats.campaign.rules import gear
from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.experience import level_at, starting_xp
from shared.formats.campaign.rules.outcomes import GroupAccepted
from shared.formats.campaign.rules.payloads import GroupBuilt, MemberBuilt
from shared.formats.campaign.rules.prices import base_value, group_cost
from shared.formats.campaign.rules.refusals import GroupRefused
from shared.formats.campaign.rules.roster import Group, Item, OwnedTurf
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import RANKS, Rank
from shared.refusals import Fault, expects, one_of


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
    submission = by_keys(rules, submission)
    faults = faults_of_submission(rules, submission)
    if faults:
        raise GroupRefused("this group may not enter the campaign", faults)
    group = _built(rules, id, submission, serial)
    built = replace(group, turfs=turfs, caps=rules.core.starting_caps - group_cost(rules, group))
    return GroupAccepted(GroupBuilt.of(built))


def by_keys(rules: Rules, submission: Submission) -> Submission:
    """A submission with the keys of what it calls by name; what nothing is called stays as it is."""
    known = called.goods(rules)

    def keys(told: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(called.key_of(known, good) for good in told)

    return replace(
        submission,
        force=called.key_of(called.forces(rules), submission.force),
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
    faults += gear.faults_of_start(rules, group)
    faults += gear.faults_of_size(rules, group)
    for member in group.members:
        faults += gear.faults_of_forbidden_armor(rules, group, member)
        if rules.options.missing_armor == "refuse_at_registration":
            faults += gear.faults_of_armor(rules, group, member)
    faults += gear.faults_of_carriers(rules, group, group.ids)
    on_purchase = rules.options.big_gun_ratio == "checked_on_purchase"
    faults += gear.faults_of_ratio(rules, group, [*group.ids, ""] if on_purchase else group.ids)
    return [
        replace(fault, where=re.sub(r"/m-(\d+)", _position, PLACES.get(fault.where, fault.where))) for fault in faults
    ]


def stays_home(rules: Rules, group: Group) -> list[Fault]:
    """Members who may be on the roster and cannot be fielded for want of armor. FS-GRP-7, FS-AMB-27."""
    return [fault for member in group.members for fault in gear.faults_of_armor(rules, group, member)]


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
            called.one_of(called.forces(rules), rules.forces),
            "FS-GRP-3",
        )
    for index, told in enumerate(submission.members):
        if told.rank not in RANKS:
            yield Fault(f"/members/{index}/rank", told.rank or "nothing", one_of(RANKS))
    force = rules.forces.get(submission.force)
    expected = called.one_of(called.goods(rules), force.goods) if force else expects("good-of-force")
    for where, good in _goods(submission):
        if good not in rules.goods:
            yield Fault(where, good, expected, "FS-GRP-3")


def _faults_of_goods(rules: Rules, submission: Submission) -> Iterator[Fault]:
    """At the start a group buys from its own list only. FS-GRP-3."""
    listed = rules.forces[submission.force].goods
    for where, good in _goods(submission):
        if good not in listed:
            yield Fault(where, good, called.one_of(called.goods(rules), listed), "FS-GRP-3")


def _goods(submission: Submission) -> Iterator[tuple[str, str]]:
    for index, told in enumerate(submission.members):
        for number, good in enumerate(told.goods):
            yield f"/members/{index}/goods/{number}", good
    for number, good in enumerate(submission.stash):
        yield f"/stash/{number}", good


def _position(found: re.Match[str]) -> str:
    """A member's place in the submission; ids were given in that order, from 1."""
    return f"/{int(found[1]) - 1}"
