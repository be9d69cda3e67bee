"""What pairing's log says of a co-operative event: rounds of sessions, and who sits together at which table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec import Struct, field

from shared.log.event import Event, StoredEvent
from shared.refusals import Expected, expects
from shared.tournament.state import OfFormat, Slice, Tournament


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


OF_PAIRING = (
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


class Seating(OfFormat):
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


def of_session(state: Tournament, session: str) -> list[str]:
    """The venue of a session's table; none for a session that is not known."""
    table = SEATING.of(state).table(session)
    return [table.venue] if table else []
