"""What scoring shows of co-operative sessions: tables as they lie."""

from __future__ import annotations

from typing import Any

from shared.formats.coop.at_tables import told_of
from shared.formats.coop.rules.effects import camp_supply
from shared.formats.coop.ruleset import coop_of
from shared.formats.coop.seating import SeatedTable
from shared.formats.coop.sessions import SESSIONS, Session
from shared.tournament.state import Tournament


def session_view(state: Tournament, seat: SeatedTable) -> dict[str, Any]:
    """A table as it lies; before it is set up, who sits there."""
    session = SESSIONS.of(state).sessions.get(seat.session)
    shown: dict[str, Any] = {
        "session": seat.session,
        "round": seat.round,
        "survivors": seat.survivors,
        "host": seat.host,
        "status": session.status if session else "seated",
        "scenario": session.table.scenario if session else seat.scenario,
        "loyal_faction": session.table.loyal if session else seat.loyal_faction,
        "binds": session is not None and session.binds,
    }
    return shown | _table_view(state, session) if session else shown


def _table_view(state: Tournament, session: Session) -> dict[str, Any]:
    table, ended = session.table, session.ended
    more: dict[str, Any] = {
        "opposing_faction": table.opposing,
        "position": table.position,
        "last_space": table.last_space,
        "session_round": table.round,
        "next": table.part,
        "first_player": table.first_player,
        "goals_open": table.open_goals,
        "goals_completed": table.completed,
        "goals_required": table.required,
        "conditions_open": [one for one in table.conditions if one not in table.met],
        "camp_tokens": {
            "supply": camp_supply(table, coop_of(state.entries).kit),
            "gained": table.camp_gained,
            "on_map": table.camp_spaces,
        },
        "upgrades": table.counts.get("workshop_upgrades", 0),
        "ended": None,
        "confirmed": session.confirmed,
    }
    if ended is not None:
        more["ended"] = {
            "outcome": ended.outcome,
            "event": ended.type,
            "position": ended.position,
            "time": ended.time,
            "cause": ended.cause,
        }
        more["told"] = {name: getattr(told_of(session), name) for name in type(told_of(session)).__struct_fields__}
    return more
