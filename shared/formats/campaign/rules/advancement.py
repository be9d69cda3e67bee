"""Advancement rolls and perks: FS-ADV-1, FS-ADV-2, FS-PRK-1 to FS-PRK-3."""

from __future__ import annotations

from typing import get_args

from shared.formats.campaign.rules import names_of_things as called
from shared.formats.campaign.rules.attributes import requirement_met
from shared.formats.campaign.rules.dice import Thrown, read_throw
from shared.formats.campaign.rules.outcomes import AdvancementRolled, CharacteristicRaised, PerkChosen
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group, Member, OpenRoll
from shared.formats.campaign.rules.steps import in_step
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Attribute, Events
from shared.refusals import Fault, expects, one_of

PERK, ANY_PERK, OTHER = "perk", "perk_any", "other"
"""What an open roll waits for beside an attribute: a perk, a perk whatever it requires, another attribute."""


def most_of(rules: Rules, group: Group, attribute: Attribute) -> int:
    """The highest value that an advancement may reach. FS-ADV-2, FS-AMB-13."""
    if attribute == "W" and rules.forces[group.force].special.wounds_by_option:
        return rules.options.super_mutant_wounds_max
    return rules.advancement.most[attribute]


def may_raise(rules: Rules, group: Group, member: Member, attribute: Attribute) -> bool:
    """Whether an attribute can grow by one; injuries do not make room. FS-ADV-2."""
    start: int = getattr(rules.forces[group.force].ranks[member.rank].profile, attribute)
    return start + member.raised.get(attribute, 0) < most_of(rules, group, attribute)


def open_perks(rules: Rules, group: Group, member: Member, *, waived: bool) -> list[str]:
    """The perks that a member may choose, in the order of the table. FS-PRK-1, FS-PRK-3."""
    held = {perk.perk for perk in member.perks}
    return [
        key
        for key, perk in rules.advancement.perks.items()
        if key not in held and not perk.leader_only and (waived or requirement_met(rules, group, member, key))
    ]


def roll_advancement(rules: Rules, group: Group, member: str, thrown: Thrown) -> Events:
    """One of the advancement rolls that a member is owed, or the re-roll of one that cannot be had.

    An attribute grows at once; a perk waits to be chosen. Raises ChoiceRefused or DiceRefused. Source: FS-ADV-1.
    """
    in_step(group, "2", "3", "7")
    found = group.member(member)
    if found is None or found.advances < 1:
        fault = Fault("/member", member, expects("member-at-level"), "FS-XP-5")
        raise ChoiceRefused(f"{member} is owed no advancement", [fault])
    waiting = open_advance(group, member)
    if waiting is not None and not waiting.again:
        fault = Fault("/member", member, expects("member-without-open-choice"), "FS-ADV-1")
        raise ChoiceRefused(f"{member} has not chosen yet", [fault])
    replaced = waiting.roll if waiting else ""
    rows = rules.advancement.rows
    rolled = read_throw(thrown, "2D12", "FS-ADV-1", table="advancement", rows=rows, member=member, replaces=replaced)
    gains = next(row.gains for row in rows if row.least <= rolled.total <= row.most)
    if gains in (PERK, ANY_PERK):
        none = not open_perks(rules, group, found, waived=gains == ANY_PERK)
        return [rolled, AdvancementRolled(member, gains, rolled.roll, none)]
    if may_raise(rules, group, found, _attribute(gains)):
        raised = CharacteristicRaised(member, _attribute(gains), rolled.roll)
        return [rolled, AdvancementRolled(member, gains, rolled.roll), raised]
    if rules.options.over_maximum == "choose_other":
        return [rolled, AdvancementRolled(member, OTHER, rolled.roll)]
    return [rolled, AdvancementRolled(member, gains, rolled.roll, True)]


def choose_perk(rules: Rules, group: Group, member: str, perk: str) -> Events:
    """The perk that a roll gave the choice of. Raises ChoiceRefused. FS-PRK-1."""
    waiting, found = _waiting_for(group, member, {PERK, ANY_PERK}), group.member(member)
    assert found is not None
    legal = open_perks(rules, group, found, waived=waiting.result == ANY_PERK)
    if perk not in legal:
        fault = Fault("/perk", perk or "nothing", called.one_of(called.perks(rules), legal), "FS-PRK-1")
        raise ChoiceRefused(f"{member} cannot choose {perk}", [fault])
    waived = waiting.result == ANY_PERK and not requirement_met(rules, group, found, perk)
    return [PerkChosen(member, perk, waiting.roll, waived)]


def choose_attribute(rules: Rules, group: Group, member: str, attribute: str) -> Events:
    """Another attribute in place of one at its maximum, where the organiser lets players choose. FS-AMB-12."""
    waiting, found = _waiting_for(group, member, {OTHER}), group.member(member)
    assert found is not None
    legal = [name for name in get_args(Attribute) if may_raise(rules, group, found, name)]
    if attribute not in legal:
        fault = Fault("/attribute", attribute or "nothing", one_of(legal), "FS-AMB-12")
        raise ChoiceRefused(f"{attribute} of {member} cannot grow", [fault])
    return [CharacteristicRaised(member, _attribute(attribute), waiting.roll)]


def open_advance(group: Group, member: str) -> OpenRoll | None:
    """The advancement of a member that waits for a choice or a re-roll, if there is one."""
    waiting = group.phase.open_advances if group.phase else ()
    return next((open for open in waiting if open.member == member), None)


def _waiting_for(group: Group, member: str, results: set[str]) -> OpenRoll:
    waiting = open_advance(group, member)
    if waiting is None or waiting.again or waiting.result not in results:
        fault = Fault("/member", member, expects("member-with-open-choice"), "FS-ADV-1")
        raise ChoiceRefused(f"{member} has nothing of the kind to choose", [fault])
    return waiting


def _attribute(name: str) -> Attribute:
    return next(known for known in get_args(Attribute) if known == name)
