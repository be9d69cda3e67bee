"""Groups as events of a campaign tell them, alike in both services; and as they are built, until round 1. FS-SVC-1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import field

from shared.formats.campaign.events import BY_NAME, OF_REGISTRATION
from shared.formats.campaign.rules.asked_dice import RolledDice
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.evolve import CHANGES, OfGroup, OfPhase, changed
from shared.formats.campaign.rules.outcomes import GroupRatingFinalised
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.words import CampaignEvent
from shared.formats.campaign.table_dice import ToldDie, keep_roll
from shared.tournament.state import OfFormat, Slice

StoredEvent = Any
"""The row that an event came in: `position`, `time`, `actor`."""


class HasGroups(Protocol):
    """A slice that holds groups. rolled: dice rolls so far, which number the next one."""

    groups: dict[str, Group]
    rolled: int


def change_of(event: type[CampaignEvent]) -> Callable[[Any, Any, StoredEvent], None]:
    """What an event does to a slice that holds groups."""
    if event is DieRolled:
        return _rolled
    found = CHANGES.get(event)
    return _nothing if found is None else _changing(*found)


def _changing(change: OfGroup | None, step: OfPhase | None) -> Callable[[HasGroups, CampaignEvent, StoredEvent], None]:
    def fold(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
        id = event.group
        group = state.groups.get(id) or Group(id, "")
        state.groups[id] = changed(group, event, change, step)

    return fold


def _rolled(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
    state.rolled += 1


def _nothing(state: HasGroups, event: CampaignEvent, stored: StoredEvent) -> None:
    """Said for the record alone: what follows from it has events of its own."""


CHANGE_GROUPS: Mapping[type[CampaignEvent], Callable[[Any, Any, StoredEvent], None]] = {
    event: change_of(event) for event in BY_NAME.values()
}
"""Event -> what it does to groups."""


class Enlisted(OfFormat):
    """groups: by player, as accepted, with the turfs rolled so far. rolled: dice rolls so far.

    ratings: round -> group -> rating of a group that was complete for that round; 0 before the first was paired.
    told_dice: roll -> who told it. dice: every roll by its question. changed: group -> position of the last event about
    it.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    rolled: int = 0
    ratings: dict[int, dict[str, int]] = field(default_factory=dict)
    told_dice: dict[str, ToldDie] = field(default_factory=dict)
    dice: RolledDice = field(default_factory=RolledDice)
    changed: dict[str, int] = field(default_factory=dict)


ENLISTED = Slice("enlisted", Enlisted)


def _rated(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[GroupRatingFinalised](state, event, stored)
    state.ratings.setdefault(event.round, {})[event.group] = event.rating


def _turf_rolled(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[DieRolled](state, event, stored)
    keep_roll(state, event, stored)


def _noted(change: Callable[[Enlisted, Any, StoredEvent], None]) -> Callable[[Enlisted, Any, StoredEvent], None]:
    def fold(state: Enlisted, event: Any, stored: StoredEvent) -> None:
        change(state, event, stored)
        if event.group:
            state.changed[event.group] = stored.position

    return fold


EVOLVE: Mapping[type, Callable[[Enlisted, Any, StoredEvent], None]] = MappingProxyType(
    {event: _noted(CHANGE_GROUPS[event]) for event in OF_REGISTRATION}
    | {GroupRatingFinalised: _noted(_rated), DieRolled: _turf_rolled}
)
"""Event -> what it changes."""
