"""What scoring shows of standings in every format: rows, where each value comes from, awards beside them.

How they stood when they were last answered is kept a while in memory, to tell who comes again what has changed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from shared.rules.model import Draw
from shared.service.views import AnsweredSince, EventView, ExternalId, Gone, Version
from shared.shapes import TOTAL, Number, View
from shared.tournament.rounds import DrawMade

MOST_LOOKS = 64
MOST_ROWS = 400_000
"""Of one list, in all looks; a row is eight bytes where it is the same in several."""


class OfPlayer(Protocol):
    """A row of a list."""

    @property
    def player(self) -> str: ...

    @property
    def rank(self) -> int: ...


class Look(Struct, frozen=True):
    """A list at a version. seen: source -> position; rows: all of them, in order."""

    seen: dict[str, int]
    rows: Sequence[OfPlayer]


class Looks:
    """The latest versions of one list that somebody was answered. It lives as long as the state that it is of."""

    def __init__(self, most: int = MOST_LOOKS, most_rows: int = MOST_ROWS) -> None:
        self._looks: OrderedDict[tuple[tuple[str, int], ...], Look] = OrderedDict()
        self._most, self._most_rows = most, most_rows

    def note(self, look: Look) -> None:
        """Keep a version; the oldest ones make place for it."""
        self._looks[_key(look.seen)] = look
        while len(self._looks) > self._most or sum(len(kept.rows) for kept in self._looks.values()) > self._most_rows:
            if len(self._looks) == 1:
                break
            self._looks.popitem(last=False)

    def at(self, seen: Mapping[str, int]) -> Look | None:
        """The list at exactly this version; None where this process has not answered it, or no longer knows."""
        return self._looks.get(_key(seen))


def _key(seen: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(seen.items()))


def differing(before: Sequence[Any], now: Sequence[Any]) -> tuple[set[str], set[str]]:
    """Whose row is another one now, is new, or is no more; and whose rank alone is another one. Rows are structs."""
    known = {row.player: row for row in before}
    changed: set[str] = set()
    moved: set[str] = set()
    for row in now:
        was = known.pop(row.player, None)
        if was != row:
            only_rank = was is not None and structs.replace(was, rank=row.rank) == row
            (moved if only_rank else changed).add(row.player)
    return changed | known.keys(), moved


class RowView(View, frozen=True, kw_only=True):
    """A line of standings."""

    rank: int
    player: str
    name: str
    external_id: ExternalId
    values: Annotated[
        dict[str, Number],
        "The ruleset's columns: whole numbers, or decimals as strings; "
        "a value within tied groups is empty for a player in none.",
    ]
    tied: Annotated[bool, "Only a recorded draw separates the player from a neighbour."]
    status: str
    separated_by: Annotated[
        str | UnsetType, "Campaigns: what it is lower by than the row above; empty where they share a rank."
    ] = UNSET
    crosstable: Annotated[
        dict[str, list[Number]] | UnsetType,
        "Round robins: each opponent met, with the points of each of those games in order.",
    ] = UNSET


class DrawView(View, frozen=True, kw_only=True):
    """A draw that broke a tie: anybody can make it again from its seed."""

    purpose: str
    round: int
    order: list[str]
    seed: str


class StandingsView(View, frozen=True, kw_only=True):
    """Standings, with the draws that broke ties."""

    tournament: str
    round: int
    final: bool
    provisional: Annotated[bool, "Not as recorded, because the round is open or somebody has left."]
    columns: list[str]
    words: Annotated[
        dict[str, str] | UnsetType,
        "What people call each column, and (`tied`) what settles a tie; campaigns have none.",
    ] = UNSET
    items: list[RowView]
    draws: Annotated[list[DrawView], "Those of whoever is shown."]
    next: Annotated[str | None, "Cursor of the next page; null: the end, or no page was asked for."]
    total: Annotated[int, TOTAL]
    version: Version = UNSET
    since: AnsweredSince = UNSET
    gone: Gone = UNSET
    publish_at: Annotated[
        str | UnsetType, "For staff: when standings that are kept back are published, if a time is set."
    ] = UNSET
    ranks: Annotated[
        dict[str, int] | UnsetType,
        "Where `since` was asked for: player -> rank, of rows in which nothing but the rank is another one.",
    ] = UNSET


class Placed(Protocol):
    """Somebody's place in an order."""

    @property
    def player(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def rank(self) -> int: ...


Place = TypeVar("Place", bound=Placed)


class Order(Struct, Generic[Place], frozen=True, kw_only=True):
    """Standings of which anything may be shown. rows: all of them, in order; draws: all that broke ties.

    shown: rows as answers have them. about: what holds for all, without items and draws. players: who rows are of.
    compared: rows by which it is told what has changed, where `rows` do not hold all that is shown. differing: of
    two such lists, whose row is another one, and whose rank alone is. drawn: rows -> the draws that any of them took
    part in, where rows know it by themselves.
    """

    rows: Sequence[Place]
    draws: Sequence[DrawMade | Draw]
    shown: Callable[[Sequence[Place]], list[RowView]]
    about: StandingsView
    players: Callable[[Sequence[Place]], Sequence[str]] = lambda rows: [row.player for row in rows]
    compared: Callable[[], Sequence[Placed]] | None = None
    differing: Callable[[Any, Any], tuple[set[str], set[str]]] = differing
    drawn: Callable[[Sequence[Place]], Sequence[Draw]] | None = None


About = Callable[[Callable[[Any], bool], str], Sequence[EventView]]
"""Events of scoring whose data are wanted and name an id, as answers show them."""


class ShareView(View, frozen=True, kw_only=True):
    """What one round adds to a value."""

    round: int
    opponent: Annotated[str, "Empty: nobody, after a bye; or several, see `opponents`."]
    opponents: Annotated[list[str] | UnsetType, "Campaigns: every group of another side of that game."] = UNSET
    value: Annotated[str, "Exact: 8 or 13/6."]


class ValueView(View, frozen=True, kw_only=True):
    """A value of a row, its clause, and the rounds that it comes from."""

    column: str
    clause: str
    value: Annotated[str, "Exact: 8 or 13/6."]
    shares: list[ShareView] = msgspec.field(name="from")
    parts: Annotated[
        dict[str, int] | UnsetType, "Campaigns: what a group's rating was made of when it was made final."
    ] = UNSET


class NeighbourView(View, frozen=True, kw_only=True):
    """Who stands next to a row, and what separates the two; empty where they share a rank."""

    player: str
    name: str
    separated_by: str


class ExplainedView(View, frozen=True, kw_only=True):
    """Where every value of a row comes from."""

    player: str
    name: str
    values: list[ValueView]
    rank: Annotated[int | UnsetType, "Campaigns: the present one."] = UNSET
    above: NeighbourView | UnsetType | None = UNSET
    below: NeighbourView | UnsetType | None = UNSET


class AwardView(View, frozen=True, kw_only=True):
    """An award; it never moves a rank."""

    id: str
    name: str
    player: str
    reason: str


class AwardsView(View, frozen=True, kw_only=True):
    """Awards beside the standings."""

    items: list[AwardView]
