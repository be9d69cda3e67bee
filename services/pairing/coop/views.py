"""What pairing shows of rounds of sessions."""

from __future__ import annotations

from typing import Annotated

from services.pairing.tournament.state import name_of
from shared.formats.coop.seating import SEATING, SeatedTable, SessionRound
from shared.formats.coop.sessions import SESSIONS
from shared.shapes import View
from shared.tournament.state import Tournament


class SeatedView(View, frozen=True, kw_only=True):
    """A table of a round of sessions."""

    session: str
    venue: str
    table: Annotated[int, "0: no number."]
    survivors: list[str]
    names: list[str]
    host: str
    scenario: Annotated[str, "Assigned by the organiser; empty: the table chooses."]
    loyal_faction: str
    status: Annotated[str, "seated, playing, ended, binding or not_played."]


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

    rounds: list[SessionRoundView]


def session_rounds_view(state: Tournament) -> SessionRoundsView:
    """Every round of sessions with its tables."""
    return SessionRoundsView(rounds=[session_round_view(state, round) for round in SEATING.of(state).rounds.values()])


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
        session=table.session,
        venue=table.venue,
        table=table.table,
        survivors=table.survivors,
        names=[name_of(state.entries, survivor) for survivor in table.survivors],
        host=table.host,
        scenario=table.scenario,
        loyal_faction=table.loyal_faction,
        status=_status(state, table),
    )


def _status(state: Tournament, table: SeatedTable) -> str:
    session = SESSIONS.of(state).sessions.get(table.session)
    if session is None:
        return "seated" if table.survivors else "not_played"
    return "binding" if session.binds else session.status
