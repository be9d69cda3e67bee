"""Facts that are reported of a game, and who stands with whom (FS-REP-1 to FS-REP-3).

A game has two or more sides of one or more groups each. Groups of one side are allies; all others are rivals. Ids of
members are of their group alone, so whoever meets several groups says which one: `p3/m-2`. §1.1, §3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.campaign.dice import Throw

Sides = Sequence[Sequence[str]]
"""Every side of a game with its groups; where none are given, each group stands for itself."""


def rivals_of(sides: Sides, group: str) -> tuple[str, ...]:
    """The groups of all other sides, in the order of the sides."""
    return tuple(other for side in sides if group not in side for other in side)


def allies_of(sides: Sides, group: str) -> tuple[str, ...]:
    """The other groups of the same side."""
    return tuple(other for side in sides if group in side for other in side if other != group)


def name_of_rival(rivals: Sequence[str], group: str, member: str) -> str:
    """What a group with these rivals calls a member (or a turf) of one of them."""
    return member if len(rivals) == 1 else f"{group}/{member}"


def rival_by_name(rivals: Sequence[str], name: str) -> tuple[str, str]:
    """The group and the member (or turf) that such a name means; no group where it means none."""
    if len(rivals) == 1:
        return rivals[0], name
    group, _, member = name.partition("/")
    return (group, member) if group in rivals else ("", name)


Cause = Literal["rival", "creature", "fall", "fire", "own_attack", "radiation", "terrain"]
Ending = Literal["win", "draw", "loss", "bye", "no_show"]


class Dose(Struct, frozen=True):
    """A dose of a drug that was taken in the game, and the die of its addiction check."""

    item: str
    roll: Throw


class Deeds(Struct, frozen=True, omit_defaults=True):
    """What one fielded member did and suffered.

    down: taken to 0 wounds, why and by which rival. removed: killed without a roll (FS-INJ-4). models: how many
    different opponents it wounded. took: rivals that it took to 0 wounds. Rivals are members by their ids, as
    GROUP/MEMBER where several groups are rivals. injury: its roll, where injuries are rolled at the table (FS-AMB-4).
    evil: evil enemies that it took out in melee; mutated: mutated models that it took out; high_tech: laser and plasma
    weapons that it obtained and holds.
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
    injury: Throw | None = None


class Search(Struct, frozen=True, omit_defaults=True):
    """A search of a Dead Scavenger or an Enclave Outpost: who, its 1D12, and the dice of how many where they are asked.

    after: once after the game, by its winner, where nobody searched during it. FS-ENC-2, FS-ENC-3.
    """

    at: str
    member: str
    roll: Throw
    amount: Throw | None = None
    after: bool = False


class Freed(Struct, frozen=True):
    """A slave whose collar a member took off, and the 1D12 that did it. FS-ENC-1."""

    member: str
    roll: Throw


class Encounter(Struct, frozen=True, omit_defaults=True):
    """A random encounter that was played in a game: which card, and how many appeared. FS-ENC-1 to 3, FS-ENC-5."""

    met: str
    number: int = 1


class Terrain(Struct, frozen=True, omit_defaults=True):
    """What stood on the table that gives experience, where somebody counted it. FS-XP-1."""

    computers: int = 0
    locks: int = 0


class SideReport(Struct, frozen=True, omit_defaults=True):
    """What one group tells of a game. lines: controlled, in its side's numbering. searches, freed: of its members, in
    encounters. loot: goods obtained otherwise, by a scenario of the organiser's.

    missed: laser and plasma weapons not obtained. left: mutated models still on the table. objective: the face of the
    D12. evil: whether a rival's die judged it so; evil_to: whose did, where it has several rivals.
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

    def judged_evil_by(self, judge: str) -> bool:
        """Whether the die of one rival made this group evil in the game. FS-GAM-4."""
        return self.evil and (not self.evil_to or judge in self.evil_to)


class GameReport(Struct, frozen=True, omit_defaults=True):
    """A whole game. sides: one for each group, in the order of the pairing. last_turn: the turn it ended in. end_roll:
    the die that ended it, where one did.

    present: what forbids to concede while it is there (`high_tech_in_play`, `mutated_present`). encounters: cards that
    were played. terrain: nothing where nobody counted.
    """

    sides: Annotated[tuple[SideReport, ...], Meta(min_length=2)]
    last_turn: int
    end_roll: Throw | None = None
    present: tuple[str, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    terrain: Terrain | None = None


class Played(Struct, frozen=True, omit_defaults=True):
    """A game as one group sees it in its post-game phase. leader: at muster. reward: whether it may claim one.

    rival: the group that it met; further: those that it met beside. allies: the other groups of its own side.
    """

    ending: Ending
    side: SideReport
    leader: str = ""
    reward: bool = False
    rival: str = ""
    further: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()

    def deeds(self, member: str) -> Deeds | None:
        """What a member did, if it was fielded."""
        return next((deeds for deeds in self.side.members if deeds.member == member), None)

    @property
    def fielded(self) -> tuple[str, ...]:
        return tuple(deeds.member for deeds in self.side.members)

    @property
    def rivals(self) -> tuple[str, ...]:
        """Every group of another side."""
        return (self.rival, *self.further) if self.rival else ()

    @property
    def took(self) -> tuple[str, ...]:
        """The rivals that members took to 0 wounds, by the names that this group has for them."""
        return tuple(name for deeds in self.side.members for name in deeds.took)

    def taker(self, member: str) -> str:
        """The rival group that took a member to 0 wounds; empty where none did."""
        deeds = self.deeds(member)
        return rival_by_name(self.rivals, deeds.by)[0] if deeds is not None and deeds.by else ""
