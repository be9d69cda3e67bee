"""Which pairing plays at which table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from shared.refusals import NOTHING, Fault, expects
from shared.rules.draw import make_draw
from shared.rules.model import Draw, Pairing
from shared.rules.refusals import NotEnoughTables

TABLES = "tables"
"""Purpose of the draw of who sits at the lowest table."""


def table_draw(order: str, first_players: Iterable[str], *, round: int, seed: str) -> Draw | None:
    """The draw in whose order the games of a round are given tables; None where they are in the order of the pairing.

    order: `tables.order` of the ruleset. first_players: the first player of every game. Source: FF-AMB-28.
    """
    return make_draw(seed, TABLES, round, first_players) if order == "random" else None


class Table(Struct, frozen=True, order=True):
    """A table. number: as written on it, unique in its venue."""

    venue: str
    number: int
    accessible: bool = False


class Seated(Struct, frozen=True):
    """A pairing at its table; repeat: one of the two has played there before. A bye has no table."""

    pairing: Pairing
    table: Table | None
    repeat: bool = False


def assign_tables(
    pairings: Sequence[Pairing],
    tables: Iterable[Table],
    *,
    pinned: Mapping[str, int] = {},
    accessible: Collection[str] = (),
    history: Mapping[str, Collection[int]] = {},
    avoid_repeats: bool = True,
) -> list[Seated]:
    """Give every game of one venue a table; the answer is in the order of `pairings`.

    pinned: player -> the table number that player always has. accessible: players who need an accessible table.
    history: player -> numbers of tables played at. Pinned players are seated first, then those who need an
    accessible table, then the others, each time the top pairing on the lowest free number; a table that is new to
    both is taken before one that is not. Where that leaves a game at a table that is not new, others change tables, the
    last pairing first, so that as few games as can be repeat a table. Where two meet who both have a table of their
    own, the one that they do not play at is left free while there are others.
    Raises NotEnoughTables with every pairing that cannot be seated.
    Source: FF-AMB-28, FF-TBL-2, FF-TBL-3, AR-TBL-1.
    """
    free = {table.number: table for table in sorted(tables)}
    held = {pinned[player] for pairing in pairings for player in pairing.players if player in pinned}
    waiting = sum(pairing.kind != "bye" for pairing in pairings)
    seats: dict[int, Seated] = {}
    settled: set[int] = set()
    faults: list[Fault] = []

    def precedence(index: int) -> tuple[bool, bool, int]:
        players = pairings[index].players
        return not any(one in pinned for one in players), not any(one in accessible for one in players), index

    def known(number: int, pairing: Pairing) -> bool:
        return any(number in history.get(player, ()) for player in pairing.players)

    def fits(number: int, needs: bool) -> bool:
        return number in free and (free[number].accessible or not needs)

    def first(places: Iterable[int], needs: bool, passed_over: Collection[int]) -> int | None:
        return next((number for number in places if number not in passed_over and fits(number, needs)), None)

    for index in sorted(range(len(pairings)), key=precedence):
        pairing = pairings[index]
        if pairing.kind == "bye":
            seats[index] = Seated(pairing, None)
            settled.add(index)
            continue
        fixed = [pinned[player] for player in pairing.players if player in pinned]
        needs = any(player in accessible for player in pairing.players)
        passed_over = held if len(free) - len(held & free.keys()) >= waiting else frozenset[int]()
        number = first(fixed, needs, ())
        seated_as_pinned = number is not None
        if number is None:
            number = first(free, needs, passed_over)
        if number is None:
            number = first(free, needs, ())
        waiting -= 1
        if number is None:
            expected = expects("free-accessible-table") if needs else expects("free-table")
            faults.append(Fault(f"/pairings/{index}", NOTHING, expected))
            continue
        if avoid_repeats and not seated_as_pinned and known(number, pairing):
            new = (place for place in free if not known(place, pairing))
            better = first(new, needs, passed_over)
            number = number if better is None else better
        seats[index] = Seated(pairing, free.pop(number), known(number, pairing))
        if seated_as_pinned or needs:
            settled.add(index)
    if faults:
        raise NotEnoughTables(f"pairings that cannot be seated: {len(faults)}", faults)
    if avoid_repeats:
        moved = {index: seat for index, seat in seats.items() if index not in settled}
        seats |= _spread(moved, [table for number, table in free.items() if number not in held], known)
    return [seats[index] for index in range(len(pairings))]


def _spread(
    seats: Mapping[int, Seated], free: Iterable[Table], known: Callable[[int, Pairing], bool]
) -> dict[int, Seated]:
    """Return the games that change tables so that fewest repeat one: a largest matching of games and new tables.

    seats: games that may change tables, by their place in the pairing. free: tables that none has. known: returns True
    for the number of a table at which one of a game's players has played.
    """
    tables = {seat.table.number: seat.table for seat in seats.values() if seat.table} | {
        table.number: table for table in free
    }
    owner = {seat.table.number: index for index, seat in seats.items() if seat.table and not seat.repeat}
    at = {index: seat.table.number for index, seat in seats.items() if seat.table}
    repeating = [index for index, seat in sorted(seats.items()) if seat.repeat]
    usable = set(tables)
    for first in repeating:
        searched = sorted(usable, key=lambda number: (number in owner, -owner.get(number, 0), number))
        came_from: dict[int, int] = {}
        queue, found = [first], None
        for index in queue:
            new = [number for number in searched if not known(number, seats[index].pairing)]
            came_from |= dict.fromkeys(new, index)
            searched = [number for number in searched if number not in came_from]
            found = next((number for number in new if number not in owner), None)
            if found is not None:
                break
            queue += [owner[number] for number in new]
        if found is None:
            usable = set(searched)  # no later game finds a way through the others either
            continue
        while True:
            index = came_from[found]
            before = at[index]
            owner[found], at[index] = index, found
            if index == first:
                break
            found = before
    return _at_tables(seats, at, owner, tables, known)


def _at_tables(
    seats: Mapping[int, Seated],
    at: Mapping[int, int],
    owner: Mapping[int, int],
    tables: Mapping[int, Table],
    known: Callable[[int, Pairing], bool],
) -> dict[int, Seated]:
    """Return the games at their tables; those without a new one take the lowest that are left."""
    left = iter(sorted(number for number in tables if number not in owner))
    numbers = {index: at[index] if owner.get(at[index]) == index else next(left) for index in sorted(seats)}
    return {
        index: Seated(seats[index].pairing, tables[number], known(number, seats[index].pairing))
        for index, number in numbers.items()
    }
