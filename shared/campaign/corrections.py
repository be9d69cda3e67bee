"""Corrections of members and turfs by a ruling: injuries, deaths, advancements, rads, members, turfs (FS-REP-5).

A correction puts the group right. It has no consequences of its own: no roll follows, and nobody dies of it.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec.structs import replace

from shared.campaign import tables
from shared.campaign.experience import may_raise
from shared.campaign.group import appoint_due_leader, faults_of_size, new_member
from shared.campaign.outcomes import MemberCorrected, MemberRemoved, TurfGained, TurfLost
from shared.campaign.rewards import turf_of
from shared.campaign.roster import (
    Group,
    HeldPerk,
    Member,
    MemberBefore,
    OwnedTurf,
    band,
    meets_requirement,
)
from shared.campaign.steps import DecisionBuilder, require
from shared.campaign.tables import Rules
from shared.campaign.words import RANKS, Attribute, Events
from shared.refusals import Fault, expects, one_of
from shared.rules.model import Draws

Corrected = Literal[
    "injury_gained",
    "injury_lost",
    "death",
    "death_undone",
    "member_gained",
    "member_lost",
    "advancement_gained",
    "advancement_lost",
    "rads",
    "turf_gained",
    "turf_lost",
]
"""Kinds of corrections. An advancement is an attribute or a perk."""

ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)


def correct_injury(
    rules: Rules, group: Group, member: Member, injury: str, reason: str, clause: str, *, gained: bool
) -> Events:
    """Give a member a permanent injury, or take one away. Raises ChoiceRefused."""
    key = tables.key_of(tables.injuries(rules), injury)
    permanent = [row.injury for row in rules.injuries if row.changes or row.limb]
    possible = permanent if gained else list(member.injuries)
    expected = tables.one_of(tables.injuries(rules), possible) if possible else expects("no-injury")
    fault = Fault("/injury", injury or "nothing", expected, "FS-INJ-1")
    require([] if key in possible else [fault], "this injury is not possible")
    remaining = list(member.injuries)
    if gained:
        remaining.append(key)
    else:
        remaining.remove(key)
    changed = replace(member, injuries=tuple(remaining))
    return [_corrected(changed, "injury_gained" if gained else "injury_lost", key, reason, clause)]


def correct_advancement(
    rules: Rules, group: Group, member: Member, gain: str, reason: str, clause: str, *, gained: bool
) -> Events:
    """Give a member an attribute or a perk, or take one away. Advancements owed stay. Raises ChoiceRefused."""
    key = tables.key_of(tables.perks(rules), gain)
    held = {perk.perk for perk in member.perks}
    if gained:
        possible = [name for name in ATTRIBUTES if may_raise(rules, group, member, name)]
        known = [perk for perk, row in rules.advancement.perks.items() if perk not in held and not row.leader_only]
    else:
        possible = [name for name in ATTRIBUTES if member.raised.get(name)]
        known = [perk.perk for perk in member.perks]
    shown = [*possible, *(tables.joined_names(tables.perks(rules)[perk]) for perk in known)]
    fault = Fault("/advancement", gain or "nothing", one_of(shown) if shown else expects("no-advancement"), "FS-ADV-1")
    require([] if key in (*possible, *known) else [fault], "this advancement is not possible")
    changed = member
    attribute = next((name for name in ATTRIBUTES if name == key), None)
    if attribute is not None:
        raised = {**member.raised, attribute: member.raised.get(attribute, 0) + (1 if gained else -1)}
        changed = replace(changed, raised={name: number for name, number in raised.items() if number})
    elif gained:
        perk = HeldPerk(key, waived=not meets_requirement(rules, group, member, key))
        changed = replace(changed, perks=(*member.perks, perk))
    else:
        changed = replace(changed, perks=tuple(perk for perk in member.perks if perk.perk != key))
    gains = list(member.gained)
    if gained:
        gains.append(key)
    elif key in gains:
        del gains[len(gains) - 1 - gains[::-1].index(key)]
    changed = replace(changed, gained=tuple(gains))
    return [_corrected(changed, "advancement_gained" if gained else "advancement_lost", key, reason, clause)]


def correct_rads(rules: Rules, group: Group, member: Member, amount: int, reason: str, clause: str) -> Events:
    """Change the rads of a member. A deadly dose is entered as a death. Raises ChoiceRefused."""
    rads = member.rads + amount
    deadly = min((row.rads for row in rules.core.bands if row.dies), default=rads + 1)
    expected = expects("between", least=-member.rads, most=deadly - 1 - member.rads)
    fault = Fault("/amount", f"{amount}", expected, "FS-RAD-1")
    require([] if amount and rads >= 0 and not band(rules, rads).dies else [fault], "such rads are not possible")
    return [_corrected(replace(member, rads=rads), "rads", f"{amount}", reason, clause)]


def gain_member(rules: Rules, group: Group, rank: str, name: str, reason: str, clause: str) -> Events:
    """Add a new member. Raises ChoiceRefused."""
    known = next((known for known in RANKS if known == rank), None)
    faults = [] if known else [Fault("/rank", rank or "nothing", one_of(RANKS), "FS-REC-4")]
    require([*faults, *faults_of_size(rules, group, 1)], "no such member joins")
    assert known is not None, "the rank was checked"
    joining = new_member(rules, group.serial + 1, known, name).state
    return [_corrected(joining, "member_gained", known, reason, clause)]


def restore_member(rules: Rules, group: Group, lost: Member | None, id: str, reason: str, clause: str) -> Events:
    """Return a removed member as it was, without its equipment. Raises ChoiceRefused."""
    fault = Fault("/member", id or "nothing", expects("lost-member"), "FS-PGP-6")
    require([] if lost is not None and group.member(id) is None else [fault], "this member was not lost")
    assert lost is not None, "the member was checked"
    require(faults_of_size(rules, group, 1), "the group has no room")
    return [_corrected(lost, "death_undone", "", reason, clause)]


def lose_member(
    rules: Rules, group: Group, member: Member, reason: str, clause: str, draws: Draws, *, dies: bool
) -> Events:
    """Remove a member: it died, or never should have joined. Its equipment goes to the stash. A leader is replaced."""
    builder = DecisionBuilder(group)
    builder.record(MemberRemoved(member.id, "dead" if dies else "ruled", "stash", clause, ruling=reason))
    appoint_due_leader(rules, builder, draws)
    return builder.events


def gain_turf(rules: Rules, group: Group, turf: str, reason: str, clause: str) -> Events:
    """Add a turf. Raises ChoiceRefused."""
    names = {row.turf: (row.name,) for row in rules.turfs}
    key = tables.key_of(names, turf)
    require(
        [] if key in names else [Fault("/turf", turf or "nothing", tables.one_of(names, names), "FS-TRF-1")],
        "no such turf",
    )
    return [TurfGained(OwnedTurf(f"t-{group.serial + 1}", turf_of(rules, key).turf), clause, ruling=reason)]


def lose_turf(group: Group, turf: str, reason: str, clause: str) -> Events:
    """Take a turf away. Raises ChoiceRefused."""
    held = [owned.id for owned in group.turfs]
    expected = one_of(held) if held else expects("no-turf")
    require([] if turf in held else [Fault("/turf", turf or "nothing", expected, "FS-TRF-1")], "no such turf is held")
    return [TurfLost(turf, clause, ruling=reason)]


def _corrected(member: Member, entry: Corrected, subject: str, reason: str, clause: str) -> MemberCorrected:
    return MemberCorrected(MemberBefore.of(member), entry, subject, reason, clause)
