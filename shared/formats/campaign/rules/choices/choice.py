"""What a choice of the post-game phase is: its name, what it takes, how it decides, what it offers. FS-PGP-1.

Each choice is one record in a module of this room, by the step that it is of; `table` lists them all. What is offered
to a group and which shape a request has to have are made from the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from shared.formats.campaign.rules.asked_dice import RollPurpose
from shared.formats.campaign.rules.dice import Thrown
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.recruits import RecruitPool
from shared.formats.campaign.rules.roster import Group, Phase, Step
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import Events
from shared.rules.draw import Draws


class Rival(Struct, frozen=True):
    """A group of another side of the game. dead: its members who died by the injury table; settled: its step 1 is
    closed."""

    group: Group
    dead: tuple[str, ...] = ()
    settled: bool = True


class DecisionContext(Struct, frozen=True):
    """What a choice is decided on. draws: what lots are asked of.

    rivals: of the game; none after a bye. pool: of recruits, while step 4 is open; groups: all of the campaign, by id.
    """

    rules: Rules
    group: Group
    dice_source: DiceSource
    draws: Draws
    rivals: tuple[Rival, ...] = ()
    pool: RecruitPool | None = None
    groups: Mapping[str, Group] = {}

    def roll(self, expression: str, purpose: str, of: str = "", replaces: str = "") -> Thrown:
        """Return the next roll. purpose, of: as of `RollPurpose`. Raises DiceRefused when there is none."""
        return self.dice_source.next(expression, RollPurpose(self.group.id, purpose, of), replaces)

    @property
    def phase(self) -> Phase:
        """The phase of the group, which is known to be open."""
        assert self.group.phase is not None, "no post-game phase is open"
        return self.group.phase

    @property
    def met(self) -> dict[str, Group]:
        """The groups of other sides, by id."""
        return {rival.group.id: rival.group for rival in self.rivals}


Members = Mapping[str, Any]
"""What is said with a choice, by name: as a client sends it."""


def nothing_else(context: DecisionContext) -> Iterator[Members]:
    """An offer where there is nothing to choose from."""
    yield {}


class Choice(Struct, frozen=True):
    """A choice of the post-game phase.

    takes: the struct of what is said with it. decide: what it brings about, given that; an event about another group
    names it. Raises Refusal. steps: in which it is offered. offers: what may be tried, legal or not. known: how many of
    the dice that it asks for are known before the first of them falls; all where it says nothing.
    """

    name: str
    takes: type[Struct]
    decide: Callable[[DecisionContext, Any], Events]
    steps: tuple[Step, ...] = ()
    offers: Callable[[DecisionContext], Iterator[Members]] = nothing_else
    known: int | None = None


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The choice says it all."""


class OfMember(Struct, frozen=True, forbid_unknown_fields=True):
    """A member, by id."""

    member: str


class OfItem(Struct, frozen=True, forbid_unknown_fields=True):
    """An item of the group, by id."""

    item: str
