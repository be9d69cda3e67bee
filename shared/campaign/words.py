"""The words that everything in a campaign shares: ranks, attributes, kinds of goods."""

from __future__ import annotations

from typing import Literal, Self

from msgspec.structs import replace

from shared.log.event import Event

Rank = Literal["green", "experienced", "veteran"]
RANKS: tuple[Rank, ...] = ("green", "experienced", "veteran")

Special = Literal["S", "P", "E", "C", "I", "A", "L"]
Attribute = Literal["S", "P", "E", "C", "I", "A", "L", "W", "AP"]
Changes = dict[Attribute, int]
"""What is added to some attributes."""

Kind = Literal[
    "melee", "small_gun", "energy", "big_gun", "grenade", "custom_melee", "custom_ranged", "armor", "drug", "item"
]
WEAPONS: frozenset[Kind] = frozenset(
    {"melee", "small_gun", "energy", "big_gun", "grenade", "custom_melee", "custom_ranged"}
)
CUSTOM: frozenset[Kind] = frozenset({"custom_melee", "custom_ranged"})
SHOOTING: frozenset[Kind] = frozenset({"small_gun", "energy", "big_gun", "custom_ranged"})
"""Ranged weapons; grenades are thrown."""

Food = Literal["clean", "radiated"]


class CampaignEvent(Event, frozen=True, kw_only=True):
    """Something that happened in a campaign, or a roll that decided it.

    group: whom it is about; empty where it is the whole campaign. round: 0 before the first game. cause: the decision
    that it came from. The rules leave these out; whoever says the event fills them in.
    """

    group: str = ""
    round: int = 0
    cause: str = ""

    def about(self, group: str, round: int, cause: str) -> Self:
        """The event with whom it is about, when, and the decision that it came from."""
        return replace(self, group=group, round=round, cause=cause)


Events = list[CampaignEvent]
"""What a decision says."""
