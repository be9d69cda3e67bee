"""Seating: who sits together, and the rounds and tables in pairing's log.

Parties stay together, and players meet new company if possible (AB-SVC-2, AB-RNK-8).
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
"""Purpose of the draw that orders the groups."""

Group = tuple[str, ...]
"""Survivors who sit at one table: a party or a single survivor."""


def seat_groups(
    groups: Sequence[Group], *, least: int, most: int, met: Mapping[str, Collection[str]], seed: str, round: int
) -> tuple[list[list[str]], list[str]]:
    """Return tables of `least` to `most` survivors, and the survivors without a place.

    met: survivor -> survivors they have sat with.

    Larger parties choose first, equal ones in drawn order. Each goes to the table where it meets the fewest survivors
    again, the smallest among several. Then groups of one size swap places as long as fewer pairs meet again. Tables
    below `least` are dissolved; their groups join the smallest table with room, or wait.
    """
    order = draw_order(seed, PURPOSE, round, [group[0] for group in groups])
    waiting = sorted(groups, key=lambda group: (-len(group), order.index(group[0])))
    tables: list[list[Group]] = [[] for _ in range(_number_of_tables(sum(map(len, groups)), least, most))]
    unseated = _place_groups(waiting, tables, most, met)
    while unseated and any(len(group) <= most for group in unseated) and least == 1:
        tables.append([])
        unseated = _place_groups(unseated, tables, most, met)
    small_tables = [table for table in tables if _size(table) < least]
    tables = [table for table in tables if _size(table) >= least]
    unseated = _place_groups([*unseated, *(group for table in small_tables for group in table)], tables, most, met)
    _reduce_repeats(tables, met)
    return (
        [[survivor for group in table for survivor in group] for table in tables],
        [survivor for group in unseated for survivor in group],
    )


def repeated(table: Sequence[str], met: Mapping[str, Collection[str]]) -> int:
    """Return how many pairs at a table have sat together before."""
    return sum(
        neighbour in met.get(survivor, ()) for index, survivor in enumerate(table) for neighbour in table[index + 1 :]
    )


def _number_of_tables(survivors: int, least: int, most: int) -> int:
    """Return the smallest number of tables that seats as many survivors as possible."""
    counts = range(1, survivors // least + 1)
    return max(counts, key=lambda tables: (min(survivors, tables * most), -tables), default=0)


def _place_groups(
    groups: Sequence[Group], tables: list[list[Group]], most: int, met: Mapping[str, Collection[str]]
) -> list[Group]:
    """Put each group at a table. Return the groups for which no table has room."""
    unseated = []
    for group in groups:
        room = [index for index, table in enumerate(tables) if _size(table) + len(group) <= most]
        if not room:
            unseated.append(group)
            continue
        best = min(room, key=lambda index: (_repeats_with(group, tables[index], met), _size(tables[index]), index))
        tables[best].append(group)
    return unseated


def _reduce_repeats(tables: list[list[Group]], met: Mapping[str, Collection[str]]) -> None:
    """Swap groups of one size between tables while fewer pairs meet again."""
    improved = True
    while improved:
        improved = False
        for first in range(len(tables)):
            if not any(_repeats_with(group, tables[first], met) for group in tables[first]):
                continue
            for second in range(len(tables)):
                improved = (first != second and _swap_if_better(tables[first], tables[second], met)) or improved


def _swap_if_better(first_table: list[Group], second_table: list[Group], met: Mapping[str, Collection[str]]) -> bool:
    """Swap the first two groups whose swap is an improvement. Return True if there were any."""
    for first, group in enumerate(first_table):
        for second, other in enumerate(second_table):
            if len(group) != len(other):
                continue
            rest_first, rest_second = (
                [*first_table[:first], *first_table[first + 1 :]],
                [*second_table[:second], *second_table[second + 1 :]],
            )
            now = _repeats_with(group, rest_first, met) + _repeats_with(other, rest_second, met)
            if _repeats_with(other, rest_first, met) + _repeats_with(group, rest_second, met) < now:
                first_table[first], second_table[second] = other, group
                return True
    return False


def _repeats_with(group: Group, table: Sequence[Group], met: Mapping[str, Collection[str]]) -> int:
    """Return the pairs of the group and others at the table who have sat together before."""
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
    """A round of sessions was opened. Its tables follow in the same transaction.

    - `round`: number of the round.
    - `tables`: number of tables.
    - `method`: `drawn` from the seed, or `manual`.
    - `seed`: seed of the draw; empty if manual.
    - `waiting`: ids of active players without a table.
    - `not_there`: ids of players who were not checked in, if the first round requires it.
    - `reason`: why the tables were set by hand.
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
    """Survivors were seated at a table for one session.

    - `round`: number of the round.
    - `session`: id of the session.
    - `survivors`: ids of the survivors.
    - `host`: id of the host, a survivor or a member of staff, who confirms what the table reports.
    - `venue`: id of the venue; empty if venues do not matter.
    - `table`: number of the table at the venue; 0 if it has none.
    - `scenario`: id of the scenario, if the organiser assigned one.
    - `loyal_faction`: the loyal faction, if the organiser assigned one.
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
    """The survivors of a table were changed before its set-up.

    - `session`: id of the session.
    - `survivors`: ids of the survivors; empty if the table is not played.
    - `host`: id of the host.
    - `reason`: why they were changed.
    """

    session: str
    survivors: list[str]
    host: str
    reason: str


class SessionRoundClosed(Event, frozen=True, kw_only=True):
    """A round of sessions was closed. Every session has a binding result.

    - `round`: number of the round.
    """

    round: int


PAIRING_EVENTS = (
    SessionRoundOpened,
    TableSeated,
    TableReseated,
    SessionRoundClosed,
)


class SeatedTable(Struct, gc=False):
    """A table of one session. A table without survivors is not played."""

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
    """A round of sessions. tables: session -> table. waiting: players without a table."""

    number: int
    method: str
    seed: str
    waiting: list[str]
    not_there: list[str]
    tables: dict[str, SeatedTable] = field(default_factory=dict)
    closed: bool = False
    changed: int = 0


class Seating(FormatState):
    """State of pairing's log of a co-op event: round -> its tables."""

    rounds: dict[int, SessionRound] = field(default_factory=dict)

    @property
    def has_begun(self) -> bool:
        """True if sessions are seated."""
        return bool(self.rounds)

    def last_closed(self) -> int:
        """Return the number of the last closed round; 0 before the first."""
        return self.rounds_closed()

    def latest(self) -> SessionRound | None:
        """Return the round opened last, or None."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def table(self, session: str) -> SeatedTable | None:
        """Return the table of a session, or None."""
        number = session.removeprefix("r").partition("t")[0]
        round = self.rounds.get(int(number)) if number.isascii() and number.isdigit() and len(number) < 9 else None
        return round.tables.get(session) if round else None

    def tables(self) -> Iterator[SeatedTable]:
        """Yield every table that is played, round by round."""
        for round in self.rounds.values():
            yield from (table for table in round.tables.values() if table.survivors)

    def rounds_closed(self) -> int:
        """Return the number of the last closed round."""
        return max((round.number for round in self.rounds.values() if round.closed), default=0)

    def uses_of(self, venue: str) -> list[tuple[int, Expected]]:
        """Return the tables of a venue in the open round, with what must happen before each can be removed."""
        latest = self.latest()
        if latest is None or latest.closed:
            return []
        return [
            (table.table, expects("session-moved", session=table.session, round=latest.number))
            for table in latest.tables.values()
            if table.venue == venue and table.survivors
        ]

    def met(self, before: int) -> dict[str, set[str]]:
        """Return survivor -> survivors they have sat with in rounds before this one."""
        company: dict[str, set[str]] = {}
        for table in self.tables():
            if table.round < before:
                for survivor in table.survivors:
                    company.setdefault(survivor, set()).update(table.survivors)
        return company


SEATING = Slice("seating", Seating)


def _open_round(seating: Seating, event: SessionRoundOpened, stored: StoredEvent) -> None:
    seating.rounds[event.round] = SessionRound(
        event.round, event.method, event.seed, list(event.waiting), list(event.not_there), changed=stored.position
    )


def _seat_table(seating: Seating, event: TableSeated, stored: StoredEvent) -> None:
    seating.rounds[event.round].tables[event.session] = SeatedTable(
        event.session,
        event.round,
        list(event.survivors),
        event.host,
        event.venue,
        event.table,
        event.scenario,
        event.loyal_faction,
        stored.position,
    )


def _reseat_table(seating: Seating, event: TableReseated, stored: StoredEvent) -> None:
    table = seating.table(event.session)
    if table is None:
        raise KeyError(event.session)
    round = seating.rounds[table.round]
    elsewhere = {player for other in round.tables.values() if other is not table for player in other.survivors}
    known = [*round.waiting, *table.survivors]
    round.waiting = [player for player in known if player not in event.survivors and player not in elsewhere]
    table.survivors, table.host, table.changed = list(event.survivors), event.host, stored.position
    round.changed = stored.position


def _close_round(seating: Seating, event: SessionRoundClosed, stored: StoredEvent) -> None:
    seating.rounds[event.round].closed = True
    seating.rounds[event.round].changed = stored.position


EVOLVE: Mapping[type, Callable[[Seating, Any, StoredEvent], None]] = MappingProxyType(
    {
        SessionRoundOpened: _open_round,
        TableSeated: _seat_table,
        TableReseated: _reseat_table,
        SessionRoundClosed: _close_round,
    }
)
"""Event -> its change of the state."""


def venue_of_session(state: Tournament, session: str) -> list[str]:
    """Return the venue of a session's table; empty for an unknown session."""
    table = SEATING.of(state).table(session)
    return [table.venue] if table else []
