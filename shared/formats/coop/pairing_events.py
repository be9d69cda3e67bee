"""Events that pairing owns of a co-operative event: rounds of sessions, and who sits together at which table."""

from __future__ import annotations

from shared.events.base import Event


class SessionRoundOpened(Event, frozen=True, kw_only=True):
    """A round of sessions stands; its tables follow in the same transaction.

    method: "drawn", from the seed, or "manual". waiting: active players for whom no table had room, or who were left
    out by hand. not_there: those who were not checked in where the first round asks for it.
    """

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
