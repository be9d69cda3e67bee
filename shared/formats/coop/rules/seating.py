"""Who sits together where nobody has an opponent: parties stay whole, company is not repeated where it can be avoided.

Source: AB-SVC-2, AB-RNK-8.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from shared.rules.draw import recorded_draw

PURPOSE = "seating"
"""Purpose of the draw that orders those who are seated."""

Group = tuple[str, ...]
"""Survivors who sit at one table: a party, or somebody alone."""


def seat(
    groups: Sequence[Group], *, least: int, most: int, met: Mapping[str, Collection[str]], seed: str, round: int
) -> tuple[list[list[str]], list[str]]:
    """Tables of `least` to `most` survivors, and who finds no place at any.

    met: survivor -> whom they have sat with. Larger parties choose first, equal ones in drawn order; each goes where it
    meets the fewest it has met, and among such tables to the smallest. Then two groups of one size change places as
    long as that spares company somebody has had. Tables below `least` are taken apart again, and whoever is left joins
    the smallest table with room, or waits.
    """
    order = recorded_draw(seed, PURPOSE, round, [group[0] for group in groups])
    waiting = sorted(groups, key=lambda group: (-len(group), order.index(group[0])))
    tables: list[list[Group]] = [[] for _ in range(_number_of_tables(sum(map(len, groups)), least, most))]
    left = _placed(waiting, tables, most, met)
    while left and any(len(group) <= most for group in left) and least == 1:
        tables.append([])
        left = _placed(left, tables, most, met)
    short = [table for table in tables if _size(table) < least]
    tables = [table for table in tables if _size(table) >= least]
    left = _placed([*left, *(group for table in short for group in table)], tables, most, met)
    _spare_company(tables, met)
    return (
        [[survivor for group in table for survivor in group] for table in tables],
        [survivor for group in left for survivor in group],
    )


def repeated(table: Sequence[str], met: Mapping[str, Collection[str]]) -> int:
    """How many pairs at a table have sat together before."""
    return sum(other in met.get(survivor, ()) for index, survivor in enumerate(table) for other in table[index + 1 :])


def _number_of_tables(survivors: int, least: int, most: int) -> int:
    """The fewest tables at which as many as possible find a place."""
    counts = range(1, survivors // least + 1)
    return max(counts, key=lambda tables: (min(survivors, tables * most), -tables), default=0)


def _placed(
    groups: Sequence[Group], tables: list[list[Group]], most: int, met: Mapping[str, Collection[str]]
) -> list[Group]:
    """Put each group at a table; returns those for whom no table has room."""
    left = []
    for group in groups:
        room = [index for index, table in enumerate(tables) if _size(table) + len(group) <= most]
        if not room:
            left.append(group)
            continue
        best = min(room, key=lambda index: (_between(group, tables[index], met), _size(tables[index]), index))
        tables[best].append(group)
    return left


def _spare_company(tables: list[list[Group]], met: Mapping[str, Collection[str]]) -> None:
    """Swap groups of one size between tables while that leaves fewer pairs who have sat together before."""
    better = True
    while better:
        better = False
        for one in range(len(tables)):
            if not any(_between(group, tables[one], met) for group in tables[one]):
                continue
            for two in range(len(tables)):
                better = (one != two and _swapped(tables[one], tables[two], met)) or better


def _swapped(one: list[Group], two: list[Group], met: Mapping[str, Collection[str]]) -> bool:
    """Swap the first two groups of which that is better. Returns whether there were any."""
    for first, group in enumerate(one):
        for second, other in enumerate(two):
            if len(group) != len(other):
                continue
            rest_one, rest_two = [*one[:first], *one[first + 1 :]], [*two[:second], *two[second + 1 :]]
            now = _between(group, rest_one, met) + _between(other, rest_two, met)
            if _between(other, rest_one, met) + _between(group, rest_two, met) < now:
                one[first], two[second] = other, group
                return True
    return False


def _between(group: Group, table: Sequence[Group], met: Mapping[str, Collection[str]]) -> int:
    """Pairs of the group with others at the table who have sat together before."""
    return sum(
        other in met.get(survivor, ())
        for seated in table
        if seated is not group
        for survivor in group
        for other in seated
    )


def _size(table: Sequence[Group]) -> int:
    return sum(map(len, table))
