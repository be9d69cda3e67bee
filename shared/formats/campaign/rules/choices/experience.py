"""Choices of step 2: experience and advancements. FS-XP-1, FS-ADV-1, FS-PRK-1."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.formats.campaign.rules import advancement
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, Nothing, OfMember
from shared.formats.campaign.rules.experience import award_experience
from shared.formats.campaign.rules.refusals import StepRefused
from shared.formats.campaign.rules.reported import name_of_rival
from shared.formats.campaign.rules.roster import Member, Step
from shared.formats.campaign.rules.steps import in_step, require
from shared.formats.campaign.rules.words import Events
from shared.refusals import Fault, expects

ADVANCING: tuple[Step, ...] = ("2", "3", "7")


class Perk(Struct, frozen=True, forbid_unknown_fields=True):
    """A perk for a member."""

    member: str
    perk: str


class Raise(Struct, frozen=True, forbid_unknown_fields=True):
    """An attribute of a member that grows instead of one at its maximum."""

    member: str
    attribute: str


def _award(context: DecisionContext, of: Nothing) -> Events:
    phase = in_step(context.group, "2")
    fault = Fault("/step", phase.step, expects("experience-once-in-phase"), "FS-XP-1")
    require([fault] if phase.awarded else [], "experience was awarded")
    return award_experience(context.rules, context.group, dead_of(context, context.rules.options.kill))


def dead_of(context: DecisionContext, reading: str) -> tuple[str, ...]:
    """Whom the rivals lost by the injury table, by the names that this group has for them, where the reading asks for
    it. Raises StepRefused before it is known."""
    if reading != "dead_on_injury_table":
        return ()
    late = [
        Fault("/step", "1", expects("step-of-group-closed", step="1", group=rival.group.id), "FS-PGP-1")
        for rival in context.rivals
        if not rival.settled
    ]
    if late:
        raise StepRefused("who is dead is not known yet", late)
    named = list(context.met)
    return tuple(name_of_rival(named, rival.group.id, id) for rival in context.rivals for id in rival.dead)


def _due(context: DecisionContext) -> Iterator[Members]:
    if not context.phase.awarded:
        yield {}


def _roll(context: DecisionContext, of: OfMember) -> Events:
    in_step(context.group, *ADVANCING)
    waiting = advancement.open_advance(context.group, of.member)
    again = waiting.roll if waiting is not None and waiting.again else ""
    thrown = context.roll("2D12", "FS-ADV-1", of.member, again)
    return advancement.roll_advancement(context.rules, context.group, of.member, thrown)


def _to_roll(context: DecisionContext) -> Iterator[Members]:
    for member in context.group.members:
        if member.advances > 0 and not _to_choose(context, member):
            yield {"member": member.id}


def _perks(context: DecisionContext) -> Iterator[Members]:
    for member in context.group.members:
        if _to_choose(context, member) in (advancement.PERK, advancement.ANY_PERK):
            for perk, told in context.rules.advancement.perks.items():
                if not told.leader_only:
                    yield {"member": member.id, "perk": perk}


def _attributes(context: DecisionContext) -> Iterator[Members]:
    for member in context.group.members:
        if _to_choose(context, member) not in ("", advancement.PERK, advancement.ANY_PERK):
            yield from ({"member": member.id, "attribute": name} for name in context.rules.advancement.most)


def _to_choose(context: DecisionContext, member: Member) -> str:
    """What the roll of a member waits for; nothing where it is to be made, or made again."""
    waiting = advancement.open_advance(context.group, member.id)
    return "" if waiting is None or (waiting.again and member.advances > 0) else waiting.result


OF_EXPERIENCE = (
    Choice("award_experience", Nothing, _award, ("2",), _due),
    Choice("roll_advancement", OfMember, _roll, ADVANCING, _to_roll),
    Choice(
        "choose_perk",
        Perk,
        lambda context, of: advancement.choose_perk(context.rules, context.group, of.member, of.perk),
        ADVANCING,
        _perks,
    ),
    Choice(
        "choose_attribute",
        Raise,
        lambda context, of: advancement.choose_attribute(context.rules, context.group, of.member, of.attribute),
        ADVANCING,
        _attributes,
    ),
)
