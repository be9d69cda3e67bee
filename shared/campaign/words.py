"""Words of a campaign: ranks, attributes, kinds of goods, the base of its events; and its refusals."""

from __future__ import annotations

from typing import Literal, Self

from msgspec.structs import replace

from shared.log.event import Event
from shared.refusals import Refusal

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


class DiceRefused(Refusal):
    """Dice that cannot have been rolled for what was asked, or that nobody saw."""

    code = "dice-refused"


class GroupRefused(Refusal):
    """A group that may not enter the campaign."""

    code = "group-refused"


class ReportRefused(Refusal):
    """A game report that contradicts itself, the other side or the roster."""

    code = "game-report-refused"


class StepRefused(Refusal):
    """Something of a post-game step that is not open."""

    code = "step-refused"


class ChoiceRefused(Refusal):
    """A choice in an open step that the rules do not allow."""

    code = "choice-refused"


class BalanceTooLow(Refusal):
    """Caps, food or items that a group does not have."""

    code = "balance-too-low"
