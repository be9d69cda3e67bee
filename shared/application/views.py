"""Shapes of what several services take or answer alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, to_builtins

from shared.application.event_views import EventView
from shared.refusals import Fault
from shared.shapes import Number, Shape, Size, View

ExternalId = Annotated[str | None, "Who the player is elsewhere, such as in a rating list. null: none is known."]


class Appended(View, frozen=True, kw_only=True):
    """What a command did."""

    id: Annotated[
        str | UnsetType, "The id of what it made, as in addresses; left out for nothing, and for several."
    ] = UNSET
    events: Annotated[list[EventView], "Appended events; empty: nothing changed."]


class FaultView(View, frozen=True, kw_only=True):
    """One thing that is wrong, or that is advised against."""

    where: Annotated[str, "JSON pointer into the body, or a header's name"]
    said: Annotated[str, "What was found there"]
    expected: Annotated[str, "What would be right, in an English sentence"]
    clause: Annotated[str, "The rule that says so; empty where none does"]
    code: Annotated[str | UnsetType, "What would be right, as a stable code to switch on"] = UNSET
    data: Annotated[dict[str, Any] | UnsetType, "The values that `expected` names, by name"] = UNSET


def faults_view(faults: Iterable[Fault]) -> list[FaultView]:
    """Return the view of each fault, with the sentence of its code."""
    return [
        FaultView(
            where=fault.where,
            said=fault.said,
            expected=str(fault.expected),
            clause=fault.clause,
            code=fault.code,
            data=to_builtins(fault.data),
        )
        for fault in faults
    ]


class HeadView(View, frozen=True, kw_only=True):
    """Where a log ends."""

    position: int
    hash: str


class HeadsView(View, frozen=True, kw_only=True):
    """Where the logs of a tournament end, as far as this service holds them."""

    tournament: str
    heads: dict[str, HeadView]


class DieTold(Shape, frozen=True, kw_only=True):
    """A die as it lay on the table."""

    sides: int
    natural: Annotated[int, "The face of the die."]


class RollTold(Shape, frozen=True, kw_only=True):
    """Dice that were rolled at a table; without any, the service rolls. The roller is the player, unless it is said."""

    dice: Annotated[list[DieTold], Size(9)] = []
    rolled_by: Annotated[str, "The id of a player or a member of staff."] = ""
    witnessed_by: Annotated[str, "Somebody else who was there."] = ""


class CountedView(View, frozen=True, kw_only=True):
    """A result. reason: why it does not count; empty: it counts."""

    entry: str
    place: int
    points: Number
    reason: str


class ResultMoved(View, frozen=True, kw_only=True):
    """A result of one's own that changed; null where there was, or is, none."""

    tournament: str
    before: CountedView | None
    after: CountedView | None


class PassedBy(View, frozen=True, kw_only=True):
    """Somebody who was not ahead before, and is now."""

    player: str
    name: str


class SeasonMoveView(View, frozen=True, kw_only=True):
    """Somebody of a season who stands elsewhere or with other values; no rank: not in the table."""

    player: str
    name: str
    division: str
    rank_before: int | None
    rank_after: int | None
    points_before: Number
    points_after: Number
    columns: Annotated[list[str], "Values that differ."]
    results: list[ResultMoved]
    passed_by: Annotated[list[PassedBy], "Five at most."]


class SeasonConsequences(View, frozen=True, kw_only=True):
    """What a correction would move in a season that counts the tournament.

    stands: the season is over, and its standings stand; the correction is only told.
    """

    season: str
    name: str
    stands: bool
    moves: list[SeasonMoveView]


AskedSince = Annotated[
    str | UnsetType,
    "`version` of an earlier answer of this list with the same filters: only what has changed since comes.",
]
Version = Annotated[str | UnsetType, "What to send as `since`, to be told later what has changed after this answer."]
AnsweredSince = Annotated[
    str | UnsetType | None,
    "Where `since` was asked for: that version, and `items` are only what changed after it. null: what changed after"
    " it is not known here, and `items` are everything, so begin anew with them.",
]
Gone = Annotated[
    list[str] | UnsetType,
    "Where `since` was asked for: ids of what is not in the list any more, or not with these filters; some of them may"
    " never have been.",
]
