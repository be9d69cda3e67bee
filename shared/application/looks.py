"""How a list stood when it was last answered: kept a while in memory, to tell who comes again what has changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, structs

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
