"""Vocabulary of a campaign: ranks, attributes, kinds of goods, the base class of its events, and its refusals."""

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
"""Attribute -> amount added to it."""

Kind = Literal[
    "melee", "small_gun", "energy", "big_gun", "grenade", "custom_melee", "custom_ranged", "armor", "drug", "item"
]
WEAPONS: frozenset[Kind] = frozenset(
    {"melee", "small_gun", "energy", "big_gun", "grenade", "custom_melee", "custom_ranged"}
)
CUSTOM: frozenset[Kind] = frozenset({"custom_melee", "custom_ranged"})
SHOOTING: frozenset[Kind] = frozenset({"small_gun", "energy", "big_gun", "custom_ranged"})
"""Ranged weapons that shoot; grenades are thrown."""

Food = Literal["clean", "radiated"]


class CampaignEvent(Event, frozen=True, kw_only=True):
    """Base class of the events of a campaign.

    - `group`: id of the group that the event concerns; empty if it concerns the whole campaign.
    - `round`: number of the campaign round; 0 before the first game.
    - `cause`: the choice, command or rule that led to the event.

    Decision functions leave these three empty. `DecisionBuilder` fills them in.
    """

    group: str = ""
    round: int = 0
    cause: str = ""

    def about(self, group: str, round: int, cause: str) -> Self:
        """Return a copy of the event with these three members set."""
        return replace(self, group=group, round=round, cause=cause)


Events = list[CampaignEvent]
"""The events of one decision, in order."""


class DiceRefused(Refusal):
    """Dice do not fit the roll that was asked for, or no one present rolled and saw them."""

    code = "dice-refused"


class GroupRefused(Refusal):
    """A submitted group may not enter the campaign."""

    code = "group-refused"


class ReportRefused(Refusal):
    """A game report contradicts itself, the other side or the roster."""

    code = "game-report-refused"


class StepRefused(Refusal):
    """The step of the post-game phase is not open."""

    code = "step-refused"


class LeavesOpen(Refusal):
    """Something is left that closing would lose, and the group did not say that it leaves it; data: `left_open`."""

    code = "leaves-open"


class ChoiceRefused(Refusal):
    """The rules do not allow this choice in the open step."""

    code = "choice-refused"


class BalanceTooLow(Refusal):
    """The group does not have enough caps, food or items."""

    code = "balance-too-low"
