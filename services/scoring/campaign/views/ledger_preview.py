"""What a command would change of groups, before anybody decides."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from shared.campaign.group import group_rating
from shared.campaign.league import groups_of, round_at_hand
from shared.campaign.roster import Group, Member
from shared.campaign.state import campaign_of
from shared.campaign.tables import Rules
from shared.shapes import View
from shared.tournament.state import Tournament


class NumberMoved(View, frozen=True, kw_only=True):
    """A number as it is, and as it would be."""

    before: int
    after: int


class MemberMoved(View, frozen=True, kw_only=True):
    """A member of whom something would change. lost, gained: attributes and perks by advancements, one entry each."""

    member: str
    xp: NumberMoved
    level: NumberMoved
    advances: Annotated[NumberMoved, "Advancements owed."]
    lost: list[str]
    gained: list[str]


class GroupMoved(View, frozen=True, kw_only=True):
    """A group of which something would change."""

    group: str
    balances: Annotated[dict[str, NumberMoved], "caps, clean, radiated and rating, where they would change."]
    members: list[MemberMoved]
    items_lost: list[str]
    items_gained: list[str]


def groups_moved(before: Tournament, after: Tournament) -> list[GroupMoved]:
    """Every group that would be another; nothing of it is appended."""
    was, would = groups_of(before), groups_of(after)
    changed = [id for id, group in would.items() if id in was and was[id] != group]
    if not changed:
        return []
    rules = campaign_of(before.entries, round_at_hand(before))
    return [_group(rules, was[id], would[id]) for id in changed]


def _group(rules: Rules, was: Group, would: Group) -> GroupMoved:
    held, kept = ({item.id: item.good for item in group.items} for group in (was, would))
    return GroupMoved(
        group=would.id,
        balances={name: move for name, move in _balances(rules, was, would).items() if move.before != move.after},
        members=[
            _member(member, found)
            for member in was.members
            if (found := would.member(member.id)) is not None and found != member
        ],
        items_lost=[good for item, good in held.items() if item not in kept],
        items_gained=[good for item, good in kept.items() if item not in held],
    )


def _balances(rules: Rules, was: Group, would: Group) -> dict[str, NumberMoved]:
    return {
        "caps": _move(was.caps, would.caps),
        "clean": _move(was.clean, would.clean),
        "radiated": _move(was.radiated, would.radiated),
        "rating": _move(group_rating(rules, was), group_rating(rules, would)),
    }


def _member(was: Member, would: Member) -> MemberMoved:
    lost, gained = Counter(was.gained) - Counter(would.gained), Counter(would.gained) - Counter(was.gained)
    return MemberMoved(
        member=was.id,
        xp=_move(was.xp, would.xp),
        level=_move(was.level, would.level),
        advances=_move(was.advances, would.advances),
        lost=sorted(lost.elements()),
        gained=sorted(gained.elements()),
    )


def _move(before: int, after: int) -> NumberMoved:
    return NumberMoved(before=before, after=after)
