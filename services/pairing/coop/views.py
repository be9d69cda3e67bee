"""What pairing shows of rounds of sessions."""

from __future__ import annotations

from typing import Any

from services.pairing.tournament.state import name_of
from shared.formats.coop.seating import SeatedTable, SessionRound
from shared.formats.coop.sessions import SESSIONS
from shared.tournament.state import Tournament


def session_round_view(state: Tournament, round: SessionRound) -> dict[str, Any]:
    """A round of sessions with its tables."""
    return {
        "round": round.number,
        "method": round.method,
        "seed": round.seed,
        "closed": round.closed,
        "waiting": round.waiting,
        "not_there": round.not_there,
        "tables": [_table_view(state, table) for table in round.tables.values()],
    }


def _table_view(state: Tournament, table: SeatedTable) -> dict[str, Any]:
    return {
        "session": table.session,
        "venue": table.venue,
        "table": table.table,
        "survivors": table.survivors,
        "names": [name_of(state.entries, survivor) for survivor in table.survivors],
        "host": table.host,
        "scenario": table.scenario,
        "loyal_faction": table.loyal_faction,
        "status": _status(state, table),
    }


def _status(state: Tournament, table: SeatedTable) -> str:
    session = SESSIONS.of(state).sessions.get(table.session)
    if session is None:
        return "seated" if table.survivors else "not_played"
    return "binding" if session.binds else session.status
