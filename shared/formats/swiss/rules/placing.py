"""Places by values: made once for everybody, then only where a change has touched them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any, overload

from msgspec import Struct

from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.model import Draw, Status, Value
from shared.rules.records import Records
from shared.rules.ties import is_within_the_group, shown_values, tied_groups

Values = Mapping[str, Mapping[str, Value]]
"""Column -> player -> value."""

Key = tuple[Any, ...]
"""What puts players in order, lowest first; equal keys: only criteria that look at who else is tied may tell them
apart."""


class Row(Struct, frozen=True, gc=False):
    """One player's place. tied: only the recorded draw separates the player from a neighbour, or nothing does.

    values: by column, without those of a tied group in which the player was not compared. draw: that one, of rows that
    were ranked here.
    """

    rank: int
    player: str
    values: dict[str, Value]
    tied: bool
    status: Status
    draw: Draw | None = None


class _Place(Struct, frozen=True, gc=False):
    """A place, without its number. behind: how many of the same tied group are before it."""

    player: str
    values: dict[str, Value]
    status: Status
    draw: Draw | None
    tied: bool
    behind: int


class Rows(Sequence[Row]):
    """Rows in order, each made when it is looked at: one result gives thousands another rank, and a page shows few.

    players: who stands there, in order.
    """

    def __init__(self, places: Sequence[_Place], players: Sequence[str], unresolved: str) -> None:
        self._places, self.players, self._unresolved = places, players, unresolved

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        if isinstance(index, slice):
            return [self._row(place) for place in range(*index.indices(len(self)))]
        return self._row(range(len(self))[index])

    @cached_property
    def draws(self) -> tuple[Draw, ...]:
        """The draws of all tied groups, in the order of the rows."""
        return tuple(place.draw for place in self._places if place.draw is not None and not place.behind)

    def differing(self, now: Rows) -> tuple[set[str], set[str]]:
        """Whose row is another one in later standings of the same kind, is new there or is not there; and whose rank
        alone is another one."""
        known = {place.player: (self._rank(index), place) for index, place in enumerate(self._places)}
        changed, moved = set(), set()
        for index, place in enumerate(now._places):
            rank, was = known.pop(place.player, (0, None))
            if was is not place and was != place:
                changed.add(place.player)
            elif rank != now._rank(index):
                moved.add(place.player)
        return changed | known.keys(), moved

    def _row(self, index: int) -> Row:
        place = self._places[index]
        return Row(self._rank(index), place.player, place.values, place.tied, place.status, place.draw)

    def _rank(self, index: int) -> int:
        place = self._places[index]
        first = index - place.behind
        shared = place.draw is None or (self._unresolved == "shared_below_first" and first > 0)
        return 1 + (first if shared else index)


class Draws(Sequence[Draw]):
    """The draws behind rows, looked for when somebody asks: of thousands of rows a page has fifty."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows.draws)

    def __iter__(self) -> Iterator[Draw]:
        return iter(self._rows.draws)

    @overload
    def __getitem__(self, index: int) -> Draw: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Draw]: ...
    def __getitem__(self, index: int | slice) -> Draw | Sequence[Draw]:
        return self._rows.draws[index]


def draws_of(rows: Iterable[Row]) -> list[Draw]:
    """The draws that any of these took part in, once each, in the order of the rows."""
    return list(dict.fromkeys(row.draw for row in rows if row.draw is not None))


def players_of(rows: Sequence[Row]) -> Sequence[str]:
    """Who stands in rows, in order."""
    return rows.players if isinstance(rows, Rows) else [row.player for row in rows]


class Placing:
    """Rows in order, and the draws that separated tied players.

    statuses: of everybody who entered, by id. drawn: the draw that orders a tied group; None: they share a rank.
    A disqualified player is left out of the rows or put last, a dropped one stays where the ruleset lists them.
    """

    def __init__(
        self, ruleset: Ruleset, statuses: Mapping[str, Status], drawn: Callable[[Collection[str]], Draw | None]
    ) -> None:
        criteria = [criterion for criterion in ruleset.standings.criteria if criterion.active]
        self._first = list(takewhile(lambda rule: not is_within_the_group(rule), criteria))
        self._rest = criteria[len(self._first) :]
        self._columns = tuple(ruleset.columns)
        self._unresolved = ruleset.standings.unresolved
        self._drawn = drawn
        self._statuses = {player: status for player, status in statuses.items() if is_listed(ruleset, status)}
        self._key_of: dict[str, Key] = {}
        self._order: list[tuple[Key, str]] = []
        self._places: list[_Place] = []
        self._players: list[str] = []

    @property
    def rows(self) -> Rows:
        """Everybody who is listed, in order, as they stand now."""
        return Rows(tuple(self._places), tuple(self._players), self._unresolved)

    def put_all(self, values: Values, records: Records) -> None:
        """Put everybody in place."""
        self._key_of = {player: self._key(player, values) for player in self._statuses}
        self._order = sorted((key, player) for player, key in self._key_of.items())
        self._places = []
        for _, members in groupby(self._order, key=itemgetter(0)):
            self._places += self._settled([player for _, player in members], values, records)
        self._players = [place.player for place in self._places]

    def put(self, moved: Collection[str], values: Values, records: Records) -> None:
        """Put players in place whose values or games are others now. values, records: of everybody, as they are now."""
        moved = [player for player in moved if player in self._statuses]
        keys = {self._key_of[player] for player in moved}
        for player in moved:
            place = bisect_left(self._order, (self._key_of[player], player))
            del self._order[place]
            del self._places[place], self._players[place]  # of this one or another with the key: made anew below
        for player in moved:
            key = self._key_of[player] = self._key(player, values)
            keys.add(key)
            place = bisect_left(self._order, (key, player))
            self._order.insert(place, (key, player))
            self._places.insert(place, _NOBODY)
            self._players.insert(place, "")
        for key in keys:
            start = end = bisect_left(self._order, (key,))
            while end < len(self._order) and self._order[end][0] == key:
                end += 1
            players = [player for _, player in self._order[start:end]]
            places = self._places[start:end] = self._settled(players, values, records)
            self._players[start:end] = [place.player for place in places]

    def _settled(self, players: list[str], values: Values, records: Records) -> list[_Place]:
        """The places of players of one key: in the order of the criteria left, then drawn."""
        places = []
        compared: dict[str, list[Value]] = {player: [] for player in players}
        for group in tied_groups(players, self._rest, values, records, compared):
            draw = self._drawn(group) if len(group) > 1 and self._unresolved != "shared" else None
            for behind, player in enumerate(draw.order if draw else group):
                shown = self._shown(player, values, compared[player])
                places.append(_Place(player, shown, self._statuses[player], draw, len(group) > 1, behind))
        return places

    def _shown(self, player: str, values: Values, compared: Sequence[Value]) -> dict[str, Value]:
        if not self._rest:
            return {column: values[column][player] for column in self._columns}
        found = shown_values(player, self._first, values, ()) | shown_values(player, self._rest, values, compared)
        return {column: found[column] for column in self._columns if column in found}

    def _key(self, player: str, values: Values) -> Key:
        worth = [(1 if rule.lowest_first else -1) * values[rule.column][player] for rule in self._first]
        return self._statuses[player] == "disqualified", *worth


_NOBODY = _Place("", {}, "active", None, False, 0)


def is_listed(ruleset: Ruleset, status: Status) -> bool:
    """Return True if players of a status have a row in the standings."""
    if status == "disqualified":
        return ruleset.disqualification.listed == "last"
    return status == "active" or ruleset.drop.listed
