"""Reports of a campaign's game: the shape of what happened, part of the facts of its result."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from shared.campaign.dice import RollTold
from shared.campaign.facts import Cause
from shared.refusals import Expected, expects
from shared.shapes import IDENTIFIER, Check, Documented, Id, Pattern, Shape, Size, Whole

MOST_GROUPS = 20
"""In one game."""

MOST_MEMBERS = 50
MOST_GOODS = 50
MANY = 1000

RivalMember = Annotated[
    str,
    Pattern(f"{IDENTIFIER}(/{IDENTIFIER})?", expects("member-of-rival")),
    Size(129, 1),
]
"""`m-2`, or `p3/m-2` where several groups are rivals."""


def _nothing(said: str) -> Expected | None:
    return expects("nothing") if said else None


class RollOfReport(RollTold, frozen=True, kw_only=True):
    """A roll of a report. id: empty, as the facts of a game show it, since it is given when the result binds."""

    id: Annotated[str, Check(_nothing), Documented({"enum": [""]})] = ""


class Dose(Shape, frozen=True, kw_only=True):
    """A dose of a drug that was taken in the game, and the die of its addiction check."""

    item: Id
    roll: RollOfReport


class Deeds(Shape, frozen=True, kw_only=True):
    """What a fielded member did and suffered; what is left out did not happen.

    down: why it was at 0 wounds; by: which rival did it, and melee: how. removed: killed without an injury roll.
    models: how many different opponents it wounded. took: rivals that it took to 0 wounds. Where several groups are
    rivals, `by` and `took` say which: `p3/m-2`. used: items used up. evil, mutated: enemies of that kind that it took
    out. high_tech: laser and plasma weapons obtained and held.
    """

    member: Id
    down: Cause | UnsetType = UNSET
    by: RivalMember | UnsetType = UNSET
    melee: bool | UnsetType = UNSET
    removed: bool | UnsetType = UNSET
    fled: bool | UnsetType = UNSET
    wounds: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    models: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    kills: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    took: Annotated[list[RivalMember] | UnsetType, Size(MOST_MEMBERS)] = UNSET
    computers: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    locks: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    rads: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    doses: Annotated[list[Dose] | UnsetType, Size(MOST_GOODS)] = UNSET
    used: Annotated[list[Id] | UnsetType, Size(MOST_GOODS)] = UNSET
    evil: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    mutated: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    high_tech: Annotated[int | UnsetType, Whole(0, MANY)] = UNSET
    injury: Annotated[RollOfReport | UnsetType, "Where injuries are rolled at the table: 2D12."] = UNSET


class Search(Shape, frozen=True, kw_only=True):
    """A search of a Dead Scavenger or an Enclave Outpost: who, and its 1D12, to which Luck is added.

    amount: 1D3, where the row that this hits asks for it. after: once after the game, by its winner, where nobody
    searched during it.
    """

    at: Id
    member: Id
    roll: RollTold
    amount: RollTold | UnsetType = UNSET
    after: bool | UnsetType = UNSET


class Freed(Shape, frozen=True, kw_only=True):
    """A slave whose collar a member took off, and the 1D12 that did it; the slave joins after the game."""

    member: Id
    roll: RollTold


class Encounter(Shape, frozen=True, kw_only=True):
    """A random encounter that was played: which card of the ruleset's deck, and how many appeared."""

    met: Id
    number: Annotated[int, Whole(1, MANY)] = 1


class Terrain(Shape, frozen=True, kw_only=True):
    """What stood on the table that gives experience."""

    computers: Annotated[int, Whole(0, MANY)] = 0
    locks: Annotated[int, Whole(0, MANY)] = 0


class SideReport(Shape, frozen=True, kw_only=True):
    """What one group tells. lines: that it controls, in its side's numbering; vp: their sum. objective, evil, evil_to
    (which of several rivals judged it so): known already, and may be said again as they were rolled.

    searches, freed: by its members, in encounters. loot: goods obtained otherwise, by a scenario of the organiser's.
    missed: laser and plasma weapons not obtained. left: mutated models still on the table.
    """

    group: Id
    lines: Annotated[list[Annotated[int, Whole(-100, 100)]], Size(MANY)] = []
    vp: Annotated[int, Whole(0, MANY)] = 0
    objective: Annotated[int | UnsetType, Whole(1, 12)] = UNSET
    evil: bool | UnsetType = UNSET
    evil_to: Annotated[list[Id] | UnsetType, Size(MOST_GROUPS)] = UNSET
    conceded: bool = False
    members: Annotated[list[Deeds], Size(MOST_MEMBERS)] = []
    searches: Annotated[list[Search], Size(MOST_GOODS)] = []
    freed: Annotated[list[Freed], Size(MOST_GOODS)] = []
    loot: Annotated[list[Id], Size(MOST_GOODS)] = []
    missed: Annotated[int, Whole(0, MANY)] = 0
    left: Annotated[int, Whole(0, MANY)] = 0


class GameReport(Shape, frozen=True, kw_only=True):
    """A whole game. sides: one for each group that played. last_turn: in which it ended. end_roll: the 1D12 that ended
    it; none where concessions did.

    present: what was there that forbids some forces to concede. encounters: random encounters that were played, without
    which there is nobody to search, to free, or to fight beside the rival. terrain: where somebody counted it.
    """

    sides: Annotated[list[SideReport], Size(MOST_GROUPS, 2)]
    last_turn: Annotated[int, Whole(0, MANY)]
    end_roll: RollOfReport | None = None
    present: Annotated[list[Literal["high_tech_in_play", "mutated_present"]], Size(2)] = []
    encounters: Annotated[list[Encounter], Size(MOST_GOODS)] = []
    terrain: Terrain | None = None
