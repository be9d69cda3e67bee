"""A decision made again from what was recorded of it: choices are read back from outcomes, dice are as they fell.

What a log holds of a decision are its outcomes. The first of them that is no roll says which decision it was; what was
chosen stands in them, too. Deciding that again gives the outcomes that there should be, or the refusal that there
should have been. FS-AUD-2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from shared.formats.campaign.rules.dice import DieRolled, Thrown
from shared.formats.campaign.rules.recruits import RecruitPool
from shared.formats.campaign.rules.reported import GameReport
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import Sides
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent
from shared.refusals import Refusal


class AuditContext(Struct, frozen=True, kw_only=True):
    """What a decision was made on, and what came of it.

    group: whom it is about, as it was before; told: the outcomes about it that one command has from here on, the
    decision's first. groups: all of them, now. seed: of the command; pot: of the round. built: the group as it was
    built; before: as it was before its game. game: its id; mustered: who plays. recruiting: groups whose recruits are
    due. report: of its game, as it binds; unplayed: the ending where nobody played it; sides: who stands with whom
    there; met: all its groups as they went into it, fielded: with whom. dead: the rivals', by the injury table, as this
    group names them. jailed: rolls that sent somebody to jail -> who has to be paid for that. made: rolls before this
    command; versions: of the rules.
    """

    rules: Rules
    group: Group
    round: int
    told: Sequence[CampaignEvent]
    seed: str
    pot: str = ""
    groups: Mapping[str, Group] = {}
    unplayed: str = "bye"
    built: Group | None = None
    before: Group | None = None
    game: str = ""
    mustered: tuple[str, ...] = ()
    recruiting: Mapping[str, Group] = {}
    pool: RecruitPool | None = None
    report: GameReport | None = None
    sides: Sides = ()
    met: Mapping[str, Group] = {}
    fielded: Mapping[str, Collection[str]] = {}
    dead: tuple[str, ...] = ()
    jailed: Mapping[str, str] = {}
    made: int = 0
    versions: str = ""

    @property
    def rolls(self) -> list[Thrown]:
        """The throws before the first outcome that is no roll."""
        return thrown_first(self.told)

    @property
    def head(self) -> CampaignEvent | None:
        """The first outcome that is no roll."""
        return next((outcome for outcome in self.told if not isinstance(outcome, DieRolled)), None)

    @property
    def rest(self) -> Sequence[CampaignEvent]:
        """Whatever comes behind the head."""
        return self.told[len(self.rolls) + 1 :]

    def next(self, kind: type[Any], within: int = 1) -> Any:
        """The first outcome of a kind among the next few behind the head, or None."""
        return next((outcome for outcome in self.rest[:within] if isinstance(outcome, kind)), None)


Way = Callable[[], Sequence[CampaignEvent]]
"""One way in which the decision may have been made; called, it decides again. Raises Refusal."""

Ways = Callable[[AuditContext, Any], Iterator[Way]]
"""Given the scene and its head: every way in which the decision may have been made."""


class Redecided(Struct, frozen=True):
    """right: outcomes as they have to be. same: how many of the told ones agree with them. refused: why there should
    be none at all."""

    right: Sequence[CampaignEvent] = ()
    same: int = 0
    refused: Refusal | None = None

    @property
    def holds(self) -> bool:
        """Whether what was told is what has to be."""
        return self.refused is None and self.same == len(self.right) > 0


def redecided(scene: AuditContext, heads: Mapping[type[CampaignEvent], Ways]) -> Redecided:
    """The decision made again in the way that comes nearest to what was told.

    heads: kind of head -> how its decision is made again. Without any way there is nothing right.
    """
    best = Redecided()
    head = scene.head
    ways = heads.get(type(head)) if head is not None else None
    if ways is None:
        return best
    first = scene.told[0]
    for way in ways(scene, head):
        try:
            right = [event.about(first.group, first.round, first.cause) for event in way()]
        except Refusal as refused:
            best = best if best.right or best.refused else Redecided(refused=refused)
            continue
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(right, scene.told, strict=False))))
        made = Redecided(right, same)
        if made.holds:
            return made
        if not best.right or same > best.same:
            best = made
    return best


def thrown_first(told: Sequence[CampaignEvent]) -> list[Thrown]:
    """The rolls at the beginning, as they were thrown."""
    rolled = takewhile(lambda outcome: isinstance(outcome, DieRolled), told)
    return [as_thrown(roll) for roll in rolled if isinstance(roll, DieRolled)]


def as_thrown(rolled: DieRolled) -> Thrown:
    """What lay on the table, of a roll that was recorded."""
    return Thrown(
        rolled.roll,
        rolled.dice,
        rolled.replaces,
        rolled.source,
        rolled.rolled_by,
        rolled.witnessed_by,
        rolled.seed,
        rolled.versions,
    )
