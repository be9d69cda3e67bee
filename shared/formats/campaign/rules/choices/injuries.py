"""Choices of step 1: injuries, jail, the vault, and the blind. FS-INJ-1 to FS-INJ-5, FS-SPC-3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

from msgspec import Struct

from shared.formats.campaign.rules import injuries
from shared.formats.campaign.rules.attributes import is_blind
from shared.formats.campaign.rules.choices.choice import Choice, DecisionContext, Members, OfMember
from shared.formats.campaign.rules.outcomes import MemberIncarcerated
from shared.formats.campaign.rules.reported import rival_by_name
from shared.formats.campaign.rules.steps import in_step
from shared.formats.campaign.rules.words import CampaignEvent, Events


class OfInjury(Struct, frozen=True, forbid_unknown_fields=True):
    """A member whose injury waits. injury: which it is, said for the reader alone."""

    member: str
    injury: str = ""


class Home(Struct, frozen=True, forbid_unknown_fields=True):
    """What the vault gives; member: who has the shot."""

    choice: injuries.Home
    member: str = ""


class Dismissal(Struct, frozen=True, forbid_unknown_fields=True):
    """A blind member, and how it goes."""

    member: str
    how: Literal["kill", "send_away"]


def _roll(context: DecisionContext, of: OfMember) -> Events:
    phase = in_step(context.group, "1", "1b", "3", "5")
    again = next((open.roll for open in phase.open_injuries if open.member == of.member and open.again), "")
    thrown = context.roll("2D12", "FS-INJ-1", of.member, again)
    return injuries.roll_injury(context.rules, context.group, of.member, thrown, context.draws)


def _to_roll(context: DecisionContext) -> Iterator[Members]:
    again = (open.member for open in context.phase.open_injuries if open.again)
    yield from ({"member": id} for id in dict.fromkeys((*context.phase.injured, *again)))


def _waiting(context: DecisionContext) -> Iterator[Members]:
    for open in context.phase.open_injuries:
        if not open.again:
            yield {"member": open.member, "injury": open.result}


def _check_jail(context: DecisionContext, of: OfMember) -> Events:
    thrown = context.roll("1D12", "FS-INJ-5", of.member)
    said = injuries.check_jail(context.rules, context.group, of.member, thrown)
    return [*said, *bounties(context, said)]


def bounties(context: DecisionContext, said: Sequence[CampaignEvent]) -> Iterator[CampaignEvent]:
    """What captors are paid for everybody who goes to jail by what was said. FS-INJ-5."""
    for event in said:
        if isinstance(event, MemberIncarcerated):
            deeds = context.phase.played.deeds(event.member)
            captor = context.met.get(rival_by_name(list(context.met), deeds.by)[0]) if deeds is not None else None
            if captor is not None:
                yield injuries.jail_bounty(context.rules, captor, event.roll)


def _homes(context: DecisionContext) -> Iterator[Members]:
    if context.rules.forces[context.group.force].special.restaurant:
        for home in get_args(injuries.Home):
            for id in context.group.ids if home == "radaway" else ("",):
                yield {"choice": home, **({"member": id} if id else {})}


def _blind(context: DecisionContext) -> Iterator[Members]:
    for member in context.group.members:
        if is_blind(context.rules, member):
            yield from ({"member": member.id, "how": how} for how in ("kill", "send_away"))


OF_INJURIES = (
    Choice("roll_injury", OfMember, _roll, ("1", "3", "5"), _to_roll),
    Choice(
        "take_injury",
        OfInjury,
        lambda context, of: injuries.take_injury(context.rules, context.group, of.member, context.draws),
        ("1", "3", "5"),
        _waiting,
    ),
    Choice(
        "reroll_injury",
        OfInjury,
        lambda context, of: injuries.reroll_injury(context.rules, context.group, of.member),
        ("1", "3", "5"),
        _waiting,
    ),
    Choice(
        "check_jail",
        OfMember,
        _check_jail,
        ("1",),
        lambda context: ({"member": id} for id in context.phase.jail),
    ),
    Choice(
        "dismiss_blind",
        Dismissal,
        lambda context, of: injuries.dismiss_blind(context.rules, context.group, of.member, of.how, context.draws),
        ("1",),
        _blind,
    ),
    Choice(
        "choose_clean_home",
        Home,
        lambda context, of: injuries.choose_clean_home(context.rules, context.group, of.choice, of.member),
        ("1",),
        _homes,
    ),
)
