"""Groups as events of a campaign tell them: what both services that own parts of it fold alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from shared.formats.campaign.events import EVENT_OF, CampaignEvent
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.evolve import CHANGES, OfGroup, OfPhase, changed
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.words import Outcome

Told = Any
"""The row that an event came in: `position`, `time`, `actor`."""


class HasGroups(Protocol):
    """A slice that holds groups. rolled: dice rolls so far, which number the next one."""

    groups: dict[str, Group]
    rolled: int


def change_of(kind: type[Outcome]) -> Callable[[Any, Any, Told], None]:
    """What the event of a kind of outcome does to a slice that holds groups."""
    if kind is DieRolled:
        return _rolled
    found = CHANGES.get(kind)
    return _nothing if found is None else _changing(*found)


def _changing(change: OfGroup | None, step: OfPhase | None) -> Callable[[HasGroups, CampaignEvent, Told], None]:
    def fold(state: HasGroups, event: CampaignEvent, told: Told) -> None:
        id = event.group
        group = state.groups.get(id) or Group(id, "")
        state.groups[id] = changed(group, event, change, step)

    return fold


def _rolled(state: HasGroups, event: CampaignEvent, told: Told) -> None:
    state.rolled += 1


def _nothing(state: HasGroups, event: CampaignEvent, told: Told) -> None:
    """Said for the record alone: what follows from it has events of its own."""


CHANGE_GROUPS: Mapping[type[CampaignEvent], Callable[[Any, Any, Told], None]] = {
    event: change_of(kind) for kind, event in EVENT_OF.items()
}
"""Event -> what it does to groups."""
