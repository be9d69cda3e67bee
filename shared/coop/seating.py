"""Seating: who sits together, and the rounds and tables as pairing's log has them.

Parties stay whole, and players meet new company where that is possible. Source: AB-SVC-2, AB-RNK-8.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec import Struct, field

from shared.log.event import Event, StoredEvent
from shared.refusals import Expected, expects
from shared.rules.model import draw_order
from shared.tournament.state import FormatState, Slice, Tournament

PURPOSE = "seating"
"""Purpose of the draw that orders those who are seated."""

Group = tuple[str, ...]
"""Survivors who sit at one table: a party, or somebody alone."""


def seat_groups(
    groups: Sequence[Group], *, least: int, most: int, met: Mapping[str, Collection[str]], seed: str, round: int
) -> tuple[list[list[str]], list[str]]:
    """Tables of `least` to `most` survivors, and who finds no place at any.

    met: survivor -> whom they have sat with. Larger parties choose first, equal ones in drawn order; each goes where it
    meets the fewest it has met, and among such tables to the smallest. Then two groups of one size change places as
    long as that spares company somebody has had. Tables below `least` are taken apart again, and whoever is left joins
    the smallest table with room, or waits.
    """
    order = draw_order(seed, PURPOSE, round, [group[0] for group in groups])
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


class SessionRoundOpened(Event, frozen=True, kw_only=True):
    """A round of sessions stands; its tables follow in the same transaction.

    method: "drawn", from the seed, or "manual". waiting: active players for whom no table had room, or who were left
    out by hand. not_there: those who were not checked in where the first round asks for it.
    """

    ends_secret: ClassVar[bool] = True

    round: int
    tables: int
    method: str
    seed: str = ""
    waiting: list[str] = []
    not_there: list[str] = []
    reason: str = ""


class TableSeated(Event, frozen=True, kw_only=True):
    """Survivors who play one session together. host: of them or of the staff, who confirms what the table reports.

    table: its number at the venue, 0 for none. scenario, loyal_faction: where the organiser assigns them.
    """

    round: int
    session: str
    survivors: list[str]
    host: str
    venue: str = ""
    table: int = 0
    scenario: str = ""
    loyal_faction: str = ""


class TableReseated(Event, frozen=True, kw_only=True):
    """Others sit at a table than were seated there, before it is set up. Nobody left: the table is not played."""

    session: str
    survivors: list[str]
    host: str
    reason: str


class SessionRoundClosed(Event, frozen=True, kw_only=True):
    """Every session of the round has a result that binds."""

    round: int


PAIRING_EVENTS = (
    SessionRoundOpened,
    TableSeated,
    TableReseated,
    SessionRoundClosed,
)


class SeatedTable(Struct, gc=False):
    """A table of one session. An empty one is not played."""

    session: str
    round: int
    survivors: list[str]
    host: str
    venue: str = ""
    table: int = 0
    scenario: str = ""
    loyal_faction: str = ""
    changed: int = 0


class SessionRound(Struct, gc=False):
    """A round of sessions. tables: session -> table. waiting: who has no place in it."""

    number: int
    method: str
    seed: str
    waiting: list[str]
    not_there: list[str]
    tables: dict[str, SeatedTable] = field(default_factory=dict)
    closed: bool = False
    changed: int = 0


class Seating(FormatState):
    """The fold: round -> its tables."""

    rounds: dict[int, SessionRound] = field(default_factory=dict)

    @property
    def has_begun(self) -> bool:
        """Whether sessions are seated."""
        return bool(self.rounds)

    def last_closed(self) -> int:
        """The number of the last round of sessions that is closed; 0 before the first."""
        return self.rounds_closed()

    def latest(self) -> SessionRound | None:
        """The round opened last, if any."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def table(self, session: str) -> SeatedTable | None:
        """The table of a session."""
        number = session.removeprefix("r").partition("t")[0]
        round = self.rounds.get(int(number)) if number.isascii() and number.isdigit() and len(number) < 9 else None
        return round.tables.get(session) if round else None

    def tables(self) -> Iterator[SeatedTable]:
        """Every table that is played, round by round."""
        for round in self.rounds.values():
            yield from (table for table in round.tables.values() if table.survivors)

    def rounds_closed(self) -> int:
        """The number of the last round that is closed."""
        return max((round.number for round in self.rounds.values() if round.closed), default=0)

    def uses_of(self, venue: str) -> list[tuple[int, Expected]]:
        """The tables of the round of sessions that is open, and what has to happen before one goes."""
        latest = self.latest()
        if latest is None or latest.closed:
            return []
        return [
            (table.table, expects("session-moved", session=table.session, round=latest.number))
            for table in latest.tables.values()
            if table.venue == venue and table.survivors
        ]

    def met(self, before: int) -> dict[str, set[str]]:
        """Survivor -> everybody they have sat with in rounds before this one."""
        company: dict[str, set[str]] = {}
        for table in self.tables():
            if table.round < before:
                for survivor in table.survivors:
                    company.setdefault(survivor, set()).update(table.survivors)
        return company


SEATING = Slice("seating", Seating)


def _opened(seating: Seating, event: SessionRoundOpened, told: StoredEvent) -> None:
    seating.rounds[event.round] = SessionRound(
        event.round, event.method, event.seed, list(event.waiting), list(event.not_there), changed=told.position
    )


def _seated(seating: Seating, event: TableSeated, told: StoredEvent) -> None:
    seating.rounds[event.round].tables[event.session] = SeatedTable(
        event.session,
        event.round,
        list(event.survivors),
        event.host,
        event.venue,
        event.table,
        event.scenario,
        event.loyal_faction,
        told.position,
    )


def _reseated(seating: Seating, event: TableReseated, told: StoredEvent) -> None:
    table = seating.table(event.session)
    if table is None:
        raise KeyError(event.session)
    round = seating.rounds[table.round]
    elsewhere = {player for other in round.tables.values() if other is not table for player in other.survivors}
    known = [*round.waiting, *table.survivors]
    round.waiting = [player for player in known if player not in event.survivors and player not in elsewhere]
    table.survivors, table.host, table.changed = list(event.survivors), event.host, told.position
    round.changed = told.position


def _closed(seating: Seating, event: SessionRoundClosed, told: StoredEvent) -> None:
    seating.rounds[event.round].closed = True
    seating.rounds[event.round].changed = told.position


EVOLVE: Mapping[type, Callable[[Seating, Any, StoredEvent], None]] = MappingProxyType(
    {
        SessionRoundOpened: _opened,
        TableSeated: _seated,
        TableReseated: _reseated,
        SessionRoundClosed: _closed,
    }
)
"""Event -> what it changes."""


def venue_of_session(state: Tournament, session: str) -> list[str]:
    """The venue of a session's table; none for a session that is not known."""
    table = SEATING.of(state).table(session)
    return [table.venue] if table else []
