"""Pairing inside groups, with pair-downs or with paper sheets; byes, and the tables of pairings.

Pair-downs follow AR-AMB-12 exactly.

Conforming pairings are defined among the complete pairings of the field. Rematches are minimized first, then those
between players who met in the previous round, then earlier meetings. Among these, from the top group down, the number
of pairs leading out of the group is minimized, then the sum of their distances. Of the conforming pairings, the default
one gives the first player in the list the partner that comes first in the policy's order (`search_pairing`: neighbours,
fold or slide), then the next player, and so on.

If no one has met, a pairing in that order is conforming and the default. So a search that floats one player down from
each odd group, and none from an even one, nearly always succeeds at once. It splits into stretches without floats
between them. If a stretch has no such pairing, an exact matching finds the optimum over a window of groups (the whole
field if it is small), and the search is restricted to that optimum.

A field of one group needs no window. Its pairs are settled from the top, as long as the remaining players can certainly
be paired. The remainder is small.

Paper sheets: DW-PAIR-3, DW-PAIR-4, DW-AMB-8.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from shared.refusals import NOTHING, Fault, expects
from shared.rules.matching import (
    FIRST_MEETING,
    Groups,
    Met,
    Order,
    Pair,
    Profile,
    first_in_order,
    fold,
    nearest_first,
    optimal_pairing,
    search_pairing,
    slide,
)
from shared.rules.model import Draw, NotEnoughTables, Pairing, make_draw

SMALL_FIELD = 128
"""Up to this many players, the window is the whole field and the profile is certainly optimal."""


def pair_in_groups(groups: Groups, met: Met, order: Order = nearest_first) -> list[Pair]:
    """Pair an even number of players, given in groups from the top down, each in the order of its draw.

    Every player is paired. Rematches occur only if every pairing of the window has one.
    Source: AR-PAIR-3, AR-PAIR-4, AR-PAIR-5, AR-AMB-12, AR-AMB-13.
    """
    if len(groups) == 1 and order is nearest_first:
        pairs, rest = _settle_top_pairs(groups[0], met)
        return pairs + _pair([rest], met, order)
    return _pair(groups, met, order)


def pair_folding(groups: Groups, met: Met) -> list[Pair]:
    """Pair the highest of each group with the lowest. The lowest of an odd group is paired down.

    Source: general use ("high-low", Monrad; the draw option "fold" in debating).
    """
    return pair_in_groups(groups, met, fold)


def pair_sliding(groups: Groups, met: Met) -> list[Pair]:
    """Pair the upper half of each group with the lower half, in order. The lowest of an odd group is paired down.

    Source: general use (the first pairing of a bracket in FIDE's Dutch system, without its colours and floats).
    """
    return pair_in_groups(groups, met, slide)


def _settle_top_pairs(players: Sequence[str], met: Met) -> tuple[list[Pair], list[str]]:
    """Return pairs of neighbours that no later pair can change, and the remaining players.

    While each remaining player may meet at least half of the others, they can be paired without a rematch (Dirac's
    theorem), so no pair above has to give way.
    """
    most = max((len(met.get(player, ())) for player in players), default=0)
    remaining = OrderedDict.fromkeys(players)
    pairs: list[Pair] = []
    while len(remaining) - 2 >= 2 * most + 2:
        first, _ = remaining.popitem(last=False)
        known = met.get(first, {})
        second = next(other for other in remaining if other not in known)
        del remaining[second]
        pairs.append((first, second))
    return pairs, list(remaining)


def _pair(groups: Groups, met: Met, order: Order) -> list[Pair]:
    done: list[tuple[int, list[Pair]]] = []
    start = 0
    while start < len(groups):
        end = _stretch(groups, start)
        stretch_pairs = search_pairing(groups[start:end], even_profile(groups[start:end]), met, order)
        if stretch_pairs is None:
            start, end, stretch_pairs = _window(groups, [first for first, _ in done] + [start], end, met, order)
            done = [stretch for stretch in done if stretch[0] < start]
        done.append((start, stretch_pairs))
        start = end
    return [pair for _, pairs in done for pair in pairs]


def even_profile(groups: Groups) -> Profile:
    """Return the smallest possible profile: one float down from each group that leaves an odd number, else none."""
    floats, carried = [], 0
    for group in groups:
        carried = (len(group) - carried) % 2
        floats.append((carried, carried))
    return Profile(FIRST_MEETING, tuple(floats))


def _stretch(groups: Groups, start: int) -> int:
    """Return the end of the shortest run of groups from `start` with an even number of players."""
    players = 0
    for index in range(start, len(groups)):
        players += len(groups[index])
        if players and players % 2 == 0:
            return index + 1
    return len(groups)


def _window(groups: Groups, starts: list[int], end: int, met: Met, order: Order) -> tuple[int, int, list[Pair]]:
    """Pair a window around the last stretch, which has no even pairing. Return its start, end and optimal pairs.

    `starts` contains the start of each stretch so far. The window grows downwards, then upwards, until it is large
    enough and can be paired without a rematch.
    """
    least = SMALL_FIELD
    while True:
        while end < len(groups) and _size(groups[starts[-1] : end]) < least:
            end = _stretch(groups, end)
        while len(starts) > 1 and _size(groups[starts[-1] : end]) < least:
            starts.pop()
        window = groups[starts[-1] : end]
        best = optimal_pairing(window, met)
        if best.profile.again == FIRST_MEETING or len(window) == len(groups):
            return starts[-1], end, first_in_order(window, best, met, order)
        least = 2 * _size(window)


def _size(groups: Groups) -> int:
    return sum(len(group) for group in groups)


def one_group(ranked: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """Return one group of all players."""
    return [list(ranked)]


def group_by_points(ranked: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """Return a group for each number of points, the highest first."""
    groups: dict[int, list[str]] = {}
    for player in sorted(ranked, key=lambda player: -points[player]):
        groups.setdefault(points[player], []).append(player)
    return list(groups.values())


PLACES = 2
"""Places by which a sheet moves down."""


def pair_moving_lower(groups: Groups, met: Met) -> list[Pair]:
    """Pair the two top sheets. If they have met, the lower sheet moves down, once for each opponent."""
    return _move_sheets(groups, met, mover=1)[0]


def pair_moving_higher(groups: Groups, met: Met) -> list[Pair]:
    """Pair the two top sheets. If they have met, the higher sheet moves down, once for each opponent."""
    return _move_sheets(groups, met, mover=0)[0]


def moves_of_lower(groups: Groups, met: Met) -> dict[str, str]:
    """Return the players whose sheets `pair_moving_lower` moves down.

    Each has the earlier opponent, above, that caused the last move.
    """
    return _move_sheets(groups, met, mover=1)[1]


def moves_of_higher(groups: Groups, met: Met) -> dict[str, str]:
    """Return the players whose sheets `pair_moving_higher` moves down.

    Each has the earlier opponent, below, that caused the last move.
    """
    return _move_sheets(groups, met, mover=0)[1]


def _move_sheets(groups: Groups, met: Met, *, mover: int) -> tuple[list[Pair], dict[str, str]]:
    """Return the pairs and the moves. `mover`: 0 or 1, the sheet of the two on top that moves."""
    # The top sheet is the last item, where removal is cheap.
    sheets = [player for group in reversed(groups) for player in reversed(group)]
    pairs: list[Pair] = []
    moved: set[Pair] = set()
    moves: dict[str, str] = {}
    while sheets:
        first, place = sheets[-1], 2
        known = met.get(first, {})
        if sheets[-2] in known:
            place = next((place for place in range(3, len(sheets) + 1) if sheets[-place] not in known), 0)
            if not place:
                return pair_in_groups([[player for group in groups for player in group]], met), {}
            if (first, sheets[-2]) not in moved:
                moved.add((first, sheets[-2]))
                sheet = sheets.pop(-1 - mover)
                moves[sheet] = sheets[-1]
                sheets.insert(max(0, len(sheets) - mover - PLACES), sheet)
                continue
        pairs.append((first, sheets.pop(-place)))
        sheets.pop()
    return pairs, moves


class Candidate(Struct, frozen=True):
    """A candidate for the bye.

    - `fewest`: the values that decide, in order.
    - `rank`: rank in the standings.
    - `place`: place in the order of players who share a rank.
    - `byes`: number of byes so far.
    """

    player: str
    fewest: tuple[int, ...]
    rank: int
    place: int
    byes: int


ByePolicy = Callable[[Sequence[Candidate]], list[list[str]]]
"""Returns the candidates in groups, in the order in which they get the bye. Inside a group, a draw decides."""


def fewest_values(candidates: Sequence[Candidate]) -> list[list[str]]:
    """Give the bye to the lowest values, in order; among equals to the fewest byes (AR-PAIR-7, DW-PAIR-5)."""
    groups: dict[tuple[tuple[int, ...], int], list[str]] = {}
    for candidate in sorted(candidates, key=lambda candidate: (candidate.fewest, candidate.byes, candidate.player)):
        groups.setdefault((candidate.fewest, candidate.byes), []).append(candidate.player)
    return list(groups.values())


def last_ranked(candidates: Sequence[Candidate]) -> list[list[str]]:
    """Give the bye to the last in the standings; of those who share a rank, to one with the fewest byes (FF-PAIR-4)."""

    def last_first(candidate: Candidate) -> tuple[int, int, int]:
        return -candidate.rank, candidate.byes, -candidate.place

    return [[candidate.player] for candidate in sorted(candidates, key=last_first)]


def with_fewest_byes(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with the fewest byes, for tournaments that avoid repeated byes."""
    fewest = min(candidate.byes for candidate in candidates)
    return [candidate for candidate in candidates if candidate.byes == fewest]


TABLES = "tables"
"""Purpose of the draw that orders games for tables."""


def table_draw(order: str, first_players: Iterable[str], *, round: int, seed: str) -> Draw | None:
    """Return the draw that orders a round's games for tables; None if they keep the order of the pairing.

    - `order`: `tables.order` of the ruleset.
    - `first_players`: the first player of every game. Source: FF-AMB-28.
    """
    return make_draw(seed, TABLES, round, first_players) if order == "random" else None


class Table(Struct, frozen=True, order=True):
    """A table. `number` is unique in its venue."""

    venue: str
    number: int
    accessible: bool = False


class Seated(Struct, frozen=True):
    """A pairing at its table; a bye has none. `repeat`: one of the players has played there before."""

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
    """Assign a table to every game of one venue. Return them in the order of `pairings`.

    - `pinned`: fixed table number by player.
    - `accessible`: players who need an accessible table.
    - `history`: numbers of the tables each player has used.

    Players with a fixed table are seated first, then those who need an accessible table, then the others. Each time the
    top pairing gets the lowest free number, and tables that are new to both players come first. If games remain at
    tables that are not new, games change tables, the last pairing first, so that as few as possible repeat one. If both
    players of a game have fixed tables, the unused one is kept free while there are others. Raise NotEnoughTables with
    every pairing that cannot be seated.
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
        return not any(id in pinned for id in players), not any(id in accessible for id in players), index

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
        movable = {index: seat for index, seat in seats.items() if index not in settled}
        seats |= _spread(movable, [table for number, table in free.items() if number not in held], known)
    return [seats[index] for index in range(len(pairings))]


def _spread(
    seats: Mapping[int, Seated], free: Iterable[Table], known: Callable[[int, Pairing], bool]
) -> dict[int, Seated]:
    """Return games with changed tables so that the fewest repeat one: a maximum matching of games and new tables.

    - `seats`: games that may change tables, by their index in the pairing.
    - `free`: unused tables.
    - `known`: returns True if a player of a pairing has used a table.
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
        queue, target = [first], None
        for index in queue:
            new = [number for number in searched if not known(number, seats[index].pairing)]
            came_from |= dict.fromkeys(new, index)
            searched = [number for number in searched if number not in came_from]
            target = next((number for number in new if number not in owner), None)
            if target is not None:
                break
            queue += [owner[number] for number in new]
        if target is None:
            usable = set(searched)  # no later game can use the tables that were tried
            continue
        while True:
            index = came_from[target]
            before = at[index]
            owner[target], at[index] = index, target
            if index == first:
                break
            target = before
    return _at_tables(seats, at, owner, tables, known)


def _at_tables(
    seats: Mapping[int, Seated],
    at: Mapping[int, int],
    owner: Mapping[int, int],
    tables: Mapping[int, Table],
    known: Callable[[int, Pairing], bool],
) -> dict[int, Seated]:
    """Return the games at their tables. Games without a new table take the lowest of the rest."""
    remaining = iter(sorted(number for number in tables if number not in owner))
    numbers = {index: at[index] if owner.get(at[index]) == index else next(remaining) for index in sorted(seats)}
    return {
        index: Seated(seats[index].pairing, tables[number], known(number, seats[index].pairing))
        for index, number in numbers.items()
    }
