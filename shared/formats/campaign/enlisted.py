"""What registration's log says of a campaign beside its players: groups as they are built, until round 1. FS-SVC-1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import field

from shared.formats.campaign.events import OF_REGISTRATION
from shared.formats.campaign.groups import CHANGE_GROUPS, StoredEvent
from shared.formats.campaign.rules.dice import DieRolled
from shared.formats.campaign.rules.outcomes import GroupRatingFinalised
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.table_dice import ToldDie, keep_told
from shared.tournament.state import OfFormat, Slice


class Enlisted(OfFormat):
    """groups: by player, as accepted, with the turfs rolled so far. rolled: dice rolls so far.

    ratings: round -> group -> rating of a group that was complete for that round; 0 before the first was paired.
    told_dice: roll -> who told it.
    """

    groups: dict[str, Group] = field(default_factory=dict)
    rolled: int = 0
    ratings: dict[int, dict[str, int]] = field(default_factory=dict)
    told_dice: dict[str, ToldDie] = field(default_factory=dict)


ENLISTED = Slice("enlisted", Enlisted)


def _rated(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[GroupRatingFinalised](state, event, stored)
    state.ratings.setdefault(event.round, {})[event.group] = event.rating


def _rolled(state: Enlisted, event: Any, stored: StoredEvent) -> None:
    CHANGE_GROUPS[DieRolled](state, event, stored)
    keep_told(state, event, stored)


EVOLVE: Mapping[type, Callable[[Enlisted, Any, StoredEvent], None]] = MappingProxyType(
    {event: CHANGE_GROUPS[event] for event in OF_REGISTRATION} | {GroupRatingFinalised: _rated, DieRolled: _rolled}
)
"""Event -> what it changes."""
