"""What pairing shows of rounds of sessions."""

from __future__ import annotations

from typing import Annotated

from shared.coop.seating import SEATING, SeatedTable, SessionRound
from shared.coop.sessions import SessionStatus, binds, status_of
from shared.shapes import View
from shared.tournament.state import Tournament


class SeatedView(View, frozen=True, kw_only=True):
    """A table of a round of sessions."""

    id: Annotated[str, "The id of its session."]
    venue: str
    table: Annotated[int, "0: no number."]
    survivors: list[str]
    names: list[str]
    host: str
    scenario: Annotated[str, "Assigned by the organiser; empty: the table chooses."]
    loyal_faction: str
    status: SessionStatus
    binds: Annotated[bool, "Whether the ranking counts it as it is."]


class SessionRoundView(View, frozen=True, kw_only=True):
    """A round of sessions with its tables."""

    round: int
    method: Annotated[str, "drawn or manual."]
    seed: str
    closed: bool
    waiting: list[str]
    not_there: list[str]
    tables: list[SeatedView]


class SessionRoundsView(View, frozen=True, kw_only=True):
    """Every round of sessions."""

    items: list[SessionRoundView]


def session_rounds_view(state: Tournament) -> SessionRoundsView:
    """Every round of sessions with its tables."""
    return SessionRoundsView(items=[session_round_view(state, round) for round in SEATING.of(state).rounds.values()])


def session_round_view(state: Tournament, round: SessionRound) -> SessionRoundView:
    """A round of sessions with its tables."""
    return SessionRoundView(
        round=round.number,
        method=round.method,
        seed=round.seed,
        closed=round.closed,
        waiting=round.waiting,
        not_there=round.not_there,
        tables=[_table_view(state, table) for table in round.tables.values()],
    )


def _table_view(state: Tournament, table: SeatedTable) -> SeatedView:
    return SeatedView(
        id=table.session,
        venue=table.venue,
        table=table.table,
        survivors=table.survivors,
        names=[state.entries.name_of(survivor) for survivor in table.survivors],
        host=table.host,
        scenario=table.scenario,
        loyal_faction=table.loyal_faction,
        status=status_of(state, table),
        binds=binds(state, table),
    )
