"""What is reported of a game: the facts that the post-game phase needs. FS-REP-1 to FS-REP-3."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.campaign.dice import Thrown

Cause = Literal["rival", "creature", "fall", "fire", "own_attack", "radiation", "terrain"]
Ending = Literal["win", "draw", "loss", "bye", "no_show"]


class Dose(Struct, frozen=True):
    """A dose of a drug that was taken in the game, and the die of its addiction check."""

    item: str
    roll: Thrown


class Deeds(Struct, frozen=True, omit_defaults=True):
    """What one fielded member did and suffered.

    down: taken to 0 wounds, why and by which rival. removed: killed without a roll (FS-INJ-4). models: how many
    different opponents it wounded. took: rivals that it took to 0 wounds. injury: its roll, where injuries are rolled
    at the table (FS-AMB-4). evil: evil enemies that it took out in
    melee; mutated: mutated models that it took out; high_tech: laser and plasma weapons that it obtained and holds.
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
    """A search of a Dead Scavenger or an Enclave Outpost: who, its 1D12, and the dice of how many where they are asked.

    after: once after the game, by its winner, where nobody searched during it. FS-ENC-2, FS-ENC-3.
    """

    at: str
    member: str
    roll: Thrown
    amount: Thrown | None = None
    after: bool = False


class Freed(Struct, frozen=True):
    """A slave whose collar a member took off, and the 1D12 that did it. FS-ENC-1."""

    member: str
    roll: Thrown


class Encounter(Struct, frozen=True, omit_defaults=True):
    """A random encounter that was played in a game: which card, and how many appeared. FS-ENC-1 to 3, FS-ENC-5."""

    met: str
    number: int = 1


class Terrain(Struct, frozen=True, omit_defaults=True):
    """What stood on the table that gives experience, where somebody counted it. FS-XP-1."""

    computers: int = 0
    locks: int = 0


class SideReport(Struct, frozen=True, omit_defaults=True):
    """One side of a game. lines: controlled, in its own numbering. searches, freed: of its members, in
    encounters. loot: goods obtained otherwise, by a scenario of the organiser's.

    missed: laser and plasma weapons not obtained. left: mutated models still on the table. objective: the face of the
    D12.
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


class GameReport(Struct, frozen=True, omit_defaults=True):
    """A whole game. last_turn: the turn it ended in. end_roll: the die that ended it, where one did.

    present: what forbids to concede while it is there (`high_tech_in_play`, `mutated_present`). encounters: cards that
    were played. terrain: nothing where nobody counted.
    """

    sides: tuple[SideReport, SideReport]
    last_turn: int
    end_roll: Thrown | None = None
    present: tuple[str, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    terrain: Terrain | None = None


class Played(Struct, frozen=True, omit_defaults=True):
    """A game as one group sees it in its post-game phase. leader: at muster. reward: whether it may claim one."""

    ending: Ending
    side: SideReport
    leader: str = ""
    reward: bool = False
    rival: str = ""

    def deeds(self, member: str) -> Deeds | None:
        """What a member did, if it was fielded."""
        return next((deeds for deeds in self.side.members if deeds.member == member), None)

    @property
    def fielded(self) -> tuple[str, ...]:
        return tuple(deeds.member for deeds in self.side.members)
