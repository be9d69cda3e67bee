"""What is shown of a group: a member's sheet with what it is made of, its history, and the entries of a balance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from msgspec import Struct

from shared.formats.campaign.rules.attributes import awake, parts_of, rank_name
from shared.formats.campaign.rules.dice import Modifier
from shared.formats.campaign.rules.income_outcomes import CapsMoved, FoodMoved
from shared.formats.campaign.rules.outcomes import GroupAccepted, GroupEntered, GroupRestored
from shared.formats.campaign.rules.payloads import MemberBuilt
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.upkeep import critical_failure_from
from shared.formats.campaign.rules.words import Attribute, CampaignEvent

Account = Literal["caps", "clean", "radiated"]


class Shown(Struct, frozen=True):
    """A present value and what it is made of."""

    value: int
    parts: tuple[Modifier, ...]


class Sheet(Struct, frozen=True):
    """A member as its player looks at it. perks: whether each is awake. critical_failure: the face it begins with.

    hunger: what Endurance is lower by in the next game.
    """

    id: str
    name: str
    rank: str
    attributes: dict[str, Shown]
    perks: dict[str, bool]
    xp: int
    level: int
    injuries: tuple[str, ...]
    addictions: tuple[str, ...]
    rads: int
    hunger: int
    critical_failure: int
    carries: tuple[str, ...]


class Entry(Struct, frozen=True):
    """A line of a balance. place: of the outcome in the sequence, from 0. balance: after it."""

    place: int
    amount: int
    balance: int
    reason: str
    clause: str
    roll: str


def sheet_of(rules: Rules, group: Group, member: Member) -> Sheet:
    """The sheet of a member as it is now."""
    parts = {name: tuple(parts_of(rules, group, member, name)) for name in get_args(Attribute)}
    return Sheet(
        member.id,
        member.name,
        rank_name(rules, group.force, member.rank),
        {name: Shown(sum(part.value for part in made), made) for name, made in parts.items()},
        {held.perk: awake(rules, group, member, held) for held in member.perks},
        member.xp,
        member.level,
        member.injuries,
        member.addictions,
        member.rads,
        member.unfed,
        critical_failure_from(rules, member.unmaintained),
        tuple(item.good for item in group.held_by(member.id)),
    )


def history_of(outcomes: Iterable[CampaignEvent], member: str) -> list[tuple[int, CampaignEvent]]:
    """Everything that was said of one member, with its place in the sequence: where did this scar come from?"""
    return [(place, outcome) for place, outcome in enumerate(outcomes) if _is_about(outcome, member)]


def entries_of(outcomes: Iterable[CampaignEvent], account: Account) -> Iterator[Entry]:
    """Every entry of a balance, in order, from what was left when the group was accepted. FS-PGP-3."""
    balance = 0
    for place, outcome in enumerate(outcomes):
        match outcome:
            case GroupAccepted(group) | GroupEntered(group) if account == "caps":
                amount, reason, clause, roll = group.caps - balance, "unspent", "FS-GRP-2", ""
            case GroupRestored(group, why):
                amount, reason, clause, roll = getattr(group, account) - balance, why, "FS-REP-5", ""
            case CapsMoved(amount, reason, clause, roll) if account == "caps":
                pass
            case FoodMoved(food, amount, reason, clause, roll) if account == food:
                pass
            case _:
                continue
        balance += amount
        yield Entry(place, amount, balance, reason, clause, roll)


def _is_about(outcome: CampaignEvent, member: str) -> bool:
    named = getattr(outcome, "member", "")
    return named == member or (isinstance(named, MemberBuilt) and named.id == member)
