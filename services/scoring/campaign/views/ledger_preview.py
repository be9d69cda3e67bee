"""What entries of a ruling would change of a group, before anybody decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from shared.events.base import Event
from shared.formats.campaign.league import groups_of, round_at_hand
from shared.formats.campaign.rules.rating import group_rating
from shared.formats.campaign.rules.roster import Group, Member
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.ruleset import campaign_of
from shared.tournament.state import Tournament


def ledger_preview(before: Tournament, after: Tournament, id: str, events: Sequence[Event]) -> dict[str, Any]:
    """A group as it is and as it would be; nothing of it is appended. The caller knows that the group is here."""
    rules = campaign_of(before.entries, round_at_hand(before))
    was, would = groups_of(before)[id], groups_of(after)[id]
    held, kept = ({item.id: item.good for item in group.items} for group in (was, would))
    return {
        "group": id,
        "events": [type(event).__name__ for event in events],
        "balances": {name: move for name, move in _balances(rules, was, would).items() if _moves(move)},
        "members": [
            _member(member, found)
            for member in was.members
            if (found := would.member(member.id)) is not None and found != member
        ],
        "items_lost": [good for item, good in held.items() if item not in kept],
        "items_gained": [good for item, good in kept.items() if item not in held],
    }


def _balances(rules: Rules, was: Group, would: Group) -> dict[str, dict[str, int]]:
    return {
        "caps": _move(was.caps, would.caps),
        "clean": _move(was.clean, would.clean),
        "radiated": _move(was.radiated, would.radiated),
        "rating": _move(group_rating(rules, was), group_rating(rules, would)),
    }


def _member(was: Member, would: Member) -> dict[str, Any]:
    lost, gained = Counter(was.gained) - Counter(would.gained), Counter(would.gained) - Counter(was.gained)
    return {
        "member": was.id,
        "xp": _move(was.xp, would.xp),
        "level": _move(was.level, would.level),
        "advances": _move(was.advances, would.advances),
        "lost": sorted(lost.elements()),
        "gained": sorted(gained.elements()),
    }


def _move(before: int, after: int) -> dict[str, int]:
    return {"before": before, "after": after}


def _moves(move: dict[str, int]) -> bool:
    return move["before"] != move["after"]
