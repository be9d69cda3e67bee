"""Groups as events of a campaign tell them: what both services that own parts of it fold alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from shared.formats.campaign.events import BY_NAME
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.evolve import CHANGES, OfGroup, OfPhase, changed
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.words import CampaignEvent

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
