"""Reported facts of a game, and the groups of its sides (FS-REP-1 to FS-REP-3).

A game has two or more sides of one or more groups. Groups of one side are allies; all others are rivals. Member ids are
unique within a group only, so a group with several rivals writes `GROUP/MEMBER`, such as `p3/m-2` (§1.1, §3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.campaign.dice import Thrown

Sides = Sequence[Sequence[str]]
"""The groups of each side. Without sides, each group is a side of its own."""


def rivals_of(sides: Sides, group: str) -> tuple[str, ...]:
    """Return the groups of all other sides, in the order of the sides."""
    return tuple(other for side in sides if group not in side for other in side)


def allies_of(sides: Sides, group: str) -> tuple[str, ...]:
    """Return the other groups of the same side."""
    return tuple(other for side in sides if group in side for other in side if other != group)


def name_of_rival(rivals: Sequence[str], group: str, member: str) -> str:
    """Return the name that a group with these rivals uses for a member or turf of one of them."""
    return member if len(rivals) == 1 else f"{group}/{member}"


def rival_by_name(rivals: Sequence[str], name: str) -> tuple[str, str]:
    """Return the group and the member or turf for such a name. The group is empty if no rival matches."""
    if len(rivals) == 1:
        return rivals[0], name
    group, _, member = name.partition("/")
    return (group, member) if group in rivals else ("", name)


Cause = Literal["rival", "creature", "fall", "fire", "own_attack", "radiation", "terrain"]
Ending = Literal["win", "draw", "loss", "bye", "no_show"]


class Dose(Struct, frozen=True):
    """A dose of a drug taken in the game.

    - `item`: id of the item.
    - `roll`: the roll of its addiction check.
    """

    item: str
    roll: Thrown


class Deeds(Struct, frozen=True, omit_defaults=True):
    """Actions and fate of one fielded member.

    - `member`: id of the member.
    - `down`: why the member was taken to 0 wounds; absent if it was not.
    - `by`: the rival member that took it down; GROUP/MEMBER if there are several rivals.
    - `melee`: true if it was taken down in melee.
    - `removed`: true if it was killed without an injury roll (FS-INJ-4).
    - `fled`: true if it fled from the table.
    - `wounds`: wounds that it caused.
    - `models`: number of different opponents that it wounded.
    - `kills`: number of opponents that it took to 0 wounds.
    - `took`: the rival members that it took to 0 wounds; GROUP/MEMBER if there are several rivals.
    - `computers`: computers hacked.
    - `locks`: locks picked.
    - `rads`: rads gained in the game.
    - `doses`: drugs taken.
    - `used`: ids of items used up.
    - `evil`: number of evil enemies taken out in melee.
    - `mutated`: number of mutated models taken out.
    - `high_tech`: number of laser and plasma weapons that it obtained and holds.
    - `injury`: its injury roll, if injuries are rolled at the table (FS-AMB-4).
    """

    member: str
    down: Cause | None = None
    by: str = ""
    melee: bool = False
    removed: bool = False
    fled: bool = False
    wounds: int = 0
    models: int = 0
    kills: int = 0
    took: tuple[str, ...] = ()
    computers: int = 0
    locks: int = 0
    rads: int = 0
    doses: tuple[Dose, ...] = ()
    used: tuple[str, ...] = ()
    evil: int = 0
    mutated: int = 0
    high_tech: int = 0
    injury: Thrown | None = None


class Search(Struct, frozen=True, omit_defaults=True):
    """A search of a Dead Scavenger or an Enclave Outpost (FS-ENC-2, FS-ENC-3).

    - `at`: key of the card.
    - `member`: id of the member who searched.
    - `roll`: the 1D12 of the search.
    - `amount`: the roll of the number of items, if the result asks for one.
    - `after`: true if the winner searched once after the game, because no one searched during it.
    """

    at: str
    member: str
    roll: Thrown
    amount: Thrown | None = None
    after: bool = False


class Freed(Struct, frozen=True):
    """A slave freed from a collar (FS-ENC-1).

    - `member`: id of the member who took the collar off.
    - `roll`: the 1D12 of the check.
    """

    member: str
    roll: Thrown


class Encounter(Struct, frozen=True, omit_defaults=True):
    """A random encounter in a game (FS-ENC-1 to FS-ENC-3, FS-ENC-5).

    met: key of the card.
    number: how many appeared.
    """

    met: str
    number: int = 1


class Terrain(Struct, frozen=True, omit_defaults=True):
    """Objects on the table that give experience, if someone counted them (FS-XP-1).

    computers: number of computers.
    locks: number of locks.
    """

    computers: int = 0
    locks: int = 0


class SideReport(Struct, frozen=True, omit_defaults=True):
    """The report of one group about a game.

    - `group`: id of the group.
    - `objective`: face of the D12 of its objective.
    - `lines`: lines that it controls at the end, in its side's numbering.
    - `vp`: victory points.
    - `conceded`: true if it conceded.
    - `members`: deeds of its fielded members.
    - `searches`: searches by its members in encounters.
    - `freed`: slaves freed by its members.
    - `loot`: keys of goods obtained otherwise, by a scenario of the organiser.
    - `missed`: number of laser and plasma weapons not obtained.
    - `left`: number of mutated models still on the table.
    - `evil`: true if a rival's die judged it evil.
    - `evil_to`: ids of the rivals whose die did so, if it has several rivals.
    - `otherwise`: why less is reported than the report proves (FS-XP-3).
    """

    group: str
    objective: int
    lines: tuple[int, ...] = ()
    vp: int = 0
    conceded: bool = False
    members: tuple[Deeds, ...] = ()
    searches: tuple[Search, ...] = ()
    freed: tuple[Freed, ...] = ()
    loot: tuple[str, ...] = ()
    missed: int = 0
    left: int = 0
    evil: bool = False
    evil_to: tuple[str, ...] = ()
    otherwise: str = ""

    def judged_evil_by(self, judge: str) -> bool:
        """Return True if the die of this rival judged the group evil in the game (FS-GAM-4)."""
        return self.evil and (not self.evil_to or judge in self.evil_to)


class GameReport(Struct, frozen=True, omit_defaults=True):
    """The report of a whole game.

    sides: one report for each group, in the order of the pairing.
    last_turn: the turn in which the game ended.
    end_roll: the roll that ended it; absent if concessions did.
    present: circumstances that forbid conceding: `high_tech_in_play`, `mutated_present`.
    encounters: encounters played.
    terrain: objects counted on the table; absent if no one counted.
    """

    sides: Annotated[tuple[SideReport, ...], Meta(min_length=2)]
    last_turn: int
    end_roll: Thrown | None = None
    present: tuple[str, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    terrain: Terrain | None = None


class Played(Struct, frozen=True, omit_defaults=True):
    """A game from the point of view of one group.

    - `ending`: how it ended for the group.
    - `side`: the report of the group.
    - `leader`: id of its leader at muster.
    - `reward`: true if it may claim a reward.
    - `rival`: id of its rival.
    - `further`: ids of its other rivals.
    - `allies`: ids of the other groups of its side.
    """

    ending: Ending
    side: SideReport
    leader: str = ""
    reward: bool = False
    rival: str = ""
    further: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()

    def deeds(self, member: str) -> Deeds | None:
        """Return the deeds of a member, or None if it was not fielded."""
        return next((deeds for deeds in self.side.members if deeds.member == member), None)

    @property
    def fielded(self) -> tuple[str, ...]:
        return tuple(deeds.member for deeds in self.side.members)

    @property
    def rivals(self) -> tuple[str, ...]:
        """The ids of all rival groups."""
        return (self.rival, *self.further) if self.rival else ()

    @property
    def took(self) -> tuple[str, ...]:
        """The rival members taken to 0 wounds, by the names that this group uses."""
        return tuple(name for deeds in self.side.members for name in deeds.took)

    def taker(self, member: str) -> str:
        """Return the rival group that took a member to 0 wounds; empty if none did."""
        deeds = self.deeds(member)
        return rival_by_name(self.rivals, deeds.by)[0] if deeds is not None and deeds.by else ""
