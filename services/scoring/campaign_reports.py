"""The report of a campaign's game, which is part of the facts of its result."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from shared.campaign.dice import RollTold
from shared.campaign.facts import Cause
from shared.refusals import Expected, expects
from shared.shapes import IDENTIFIER, Check, Documented, Id, OptionalReason, Pattern, Shape, Size, Whole

MAX_GROUPS = 20
"""Groups in one game."""

MAX_MEMBERS = 50
MAX_GOODS = 50
MAX_COUNT = 1000

RivalMember = Annotated[
    str,
    Pattern(f"{IDENTIFIER}(/{IDENTIFIER})?", expects("member-of-rival")),
    Size(129, 1),
]
"""A member of a rival group: `m-2`, or `p3/m-2` if there are several rival groups."""


def _expected_empty(value: str) -> Expected | None:
    return expects("nothing") if value else None


class RollOfReport(RollTold, frozen=True, kw_only=True):
    """A roll in a report.

    id: empty. It is assigned when the result binds; facts of a game contain the empty member.
    """

    id: Annotated[str, Check(_expected_empty), Documented({"enum": [""]})] = ""


class Dose(Shape, frozen=True, kw_only=True):
    """A dose of a drug that was taken in the game, and the roll of its addiction check."""

    item: Id
    roll: RollOfReport


class Deeds(Shape, frozen=True, kw_only=True):
    """The deeds and wounds of a fielded member. Absent members did not happen.

    down: why it fell to 0 wounds. by: the rival who caused it. melee: it was in melee. removed: killed without an
    injury roll. models: the number of different opponents that it wounded. took: rivals that it reduced to 0 wounds.
    With several rival groups, `by` and `took` contain the group: `p3/m-2`. used: items used up. evil, mutated: enemies
    of that kind that it took out. high_tech: laser and plasma weapons obtained and held.
    """

    member: Id
    down: Cause | UnsetType = UNSET
    by: RivalMember | UnsetType = UNSET
    melee: bool | UnsetType = UNSET
    removed: bool | UnsetType = UNSET
    fled: bool | UnsetType = UNSET
    wounds: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    models: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    kills: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    took: Annotated[list[RivalMember] | UnsetType, Size(MAX_MEMBERS)] = UNSET
    computers: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    locks: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    rads: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    doses: Annotated[list[Dose] | UnsetType, Size(MAX_GOODS)] = UNSET
    used: Annotated[list[Id] | UnsetType, Size(MAX_GOODS)] = UNSET
    evil: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    mutated: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    high_tech: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    injury: Annotated[RollOfReport | UnsetType, "The injury roll (2D12), if injuries are rolled at the table."] = UNSET


class Search(Shape, frozen=True, kw_only=True):
    """A search of a Dead Scavenger or an Enclave Outpost.

    roll: 1D12, to which Luck is added. amount: 1D3, if the row of the table requires it. after: the search by the
    winner after a game in which no one searched.
    """

    at: Id
    member: Id
    roll: RollTold
    amount: RollTold | UnsetType = UNSET
    after: bool | UnsetType = UNSET


class Freed(Shape, frozen=True, kw_only=True):
    """A slave whose collar a member removed, and the roll (1D12). The slave joins after the game."""

    member: Id
    roll: RollTold


class Encounter(Shape, frozen=True, kw_only=True):
    """A random encounter that was played.

    met: the card of the ruleset's deck. number: how many appeared.
    """

    met: Id
    number: Annotated[int, Whole(1, MAX_COUNT)] = 1


class Terrain(Shape, frozen=True, kw_only=True):
    """Terrain that gives experience."""

    computers: Annotated[int, Whole(0, MAX_COUNT)] = 0
    locks: Annotated[int, Whole(0, MAX_COUNT)] = 0


class SideReport(Shape, frozen=True, kw_only=True):
    """The part of one group in a report.

    lines: the lines that it controls, in the numbering of its side. vp: their sum. objective, evil, evil_to (the rivals
    who judged it evil): already recorded; may be repeated unchanged. searches, freed: by its members in encounters.
    loot: goods obtained through a scenario of the organiser. missed: laser and plasma weapons not obtained. left:
    mutated models still on the table. What the report proves of `evil`, `mutated`, `high_tech`, `missed` and `left` may
    be left out. otherwise: why the group says less, or concedes all the same.
    """

    group: Id
    lines: Annotated[list[Annotated[int, Whole(-100, 100)]], Size(MAX_COUNT)] = []
    vp: Annotated[int, Whole(0, MAX_COUNT)] = 0
    objective: Annotated[int | UnsetType, Whole(1, 12)] = UNSET
    evil: bool | UnsetType = UNSET
    evil_to: Annotated[list[Id] | UnsetType, Size(MAX_GROUPS)] = UNSET
    conceded: bool = False
    members: Annotated[list[Deeds], Size(MAX_MEMBERS)] = []
    searches: Annotated[list[Search], Size(MAX_GOODS)] = []
    freed: Annotated[list[Freed], Size(MAX_GOODS)] = []
    loot: Annotated[list[Id], Size(MAX_GOODS)] = []
    missed: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    left: Annotated[int | UnsetType, Whole(0, MAX_COUNT)] = UNSET
    otherwise: OptionalReason = ""


class GameReport(Shape, frozen=True, kw_only=True):
    """The report of a game.

    sides: one for each group. last_turn: the turn in which the game ended. end_roll: the 1D12 that ended it; null after
    concessions. present: circumstances that forbid some forces to concede. encounters: random encounters that were
    played; searches and freed slaves require one. terrain: if it was counted.
    """

    sides: Annotated[list[SideReport], Size(MAX_GROUPS, 2)]
    last_turn: Annotated[int, Whole(0, MAX_COUNT)]
    end_roll: RollOfReport | None = None
    present: Annotated[list[Literal["high_tech_in_play", "mutated_present"]], Size(2)] = []
    encounters: Annotated[list[Encounter], Size(MAX_GOODS)] = []
    terrain: Terrain | None = None
