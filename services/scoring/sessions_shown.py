"""What scoring shows of co-operative events: tables as they lie, and the ranking."""

from __future__ import annotations

from typing import Any

import msgspec

from services.scoring.domain.refusals import PlayerUnknown, RoundNotClosed, RoundUnknown
from services.scoring.queries import name_of
from shared.events.base import Event
from shared.refusals import Fault
from shared.rules.coop.effects import camp_supply
from shared.state.coop import played, ranking_after, told_of
from shared.state.ruleset import coop_of
from shared.state.seating import SeatedTable
from shared.state.sessions import Session
from shared.state.tournament import Tournament


def session_shown(state: Tournament, seat: SeatedTable) -> dict[str, Any]:
    """A table as it lies; before it is set up, who sits there."""
    session = state.sessions.sessions.get(seat.session)
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
    return shown | _table_shown(state, session) if session else shown


def _table_shown(state: Tournament, session: Session) -> dict[str, Any]:
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


def ranking_shown(state: Tournament, tournament: str, round: int | None) -> dict[str, Any]:
    """The ranking as published after a round, or (None) of every session that binds now.

    Raises RoundUnknown, RoundNotClosed.
    """
    number = max(state.seating.rounds, default=0) if round is None else round
    if number not in state.seating.rounds:
        raise RoundUnknown(f"Round {number or 1} of sessions is not open.", round=number or 1)
    published = state.sessions.published.get(number)
    if round is not None and published is None:
        raise RoundNotClosed(f"The ranking of round {number} is not published.", round=number)
    made = ranking_after(state, number)
    tables, survivors = made.tables, made.survivors
    if published is not None and round is not None:
        tables, survivors = published.tables, published.survivors
    current = published is not None and (published.tables, published.survivors) == (made.tables, made.survivors)
    return {
        "tournament": tournament,
        "round": number,
        "provisional": not current,
        "final": state.results.concluded and number == max(state.seating.rounds),
        "tables": [
            msgspec.structs.asdict(row) | {"survivors": state.sessions.sessions[row.session].table.survivors}
            for row in tables
        ],
        "survivors": [msgspec.structs.asdict(row) | {"name": name_of(state, row.player)} for row in survivors],
    }


def survivor_explained(state: Tournament, player: str) -> dict[str, Any]:
    """Where a survivor's points come from: session by session, with the clause. Raises PlayerUnknown."""
    known = state.entries.players.get(player)
    if known is None:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault("/player", player, "a survivor of this event")])
    rules = coop_of(state.entries).ranking
    sessions = []
    for table in state.seating.tables():
        session = state.sessions.sessions.get(table.session)
        if player not in table.survivors or session is None or not session.binds:
            continue
        one = played(session)
        sessions.append(
            {
                "session": one.session,
                "round": table.round,
                "outcome": one.outcome,
                "points": rules.session_points[one.outcome],
                "rounds": one.rounds,
                "goals": one.goals,
                "corrected": session.corrected,
            }
        )
    return {
        "player": player,
        "name": known.name,
        "points": sum(session["points"] for session in sessions),
        "sessions": sessions,
        "clause": rules.cites("session_points"),
    }


def correction_shown(before: Tournament, after: Tournament, events: list[Event]) -> dict[str, Any]:
    """What a correction would move in the latest round of sessions; nothing of it is appended."""
    number = max(before.seating.rounds)
    was, would = ranking_after(before, number), ranking_after(after, number)
    tables = {row.session: row.rank for row in was.tables}
    survivors = {row.player: row for row in was.survivors}
    return {
        "events": [type(event).__name__ for event in events],
        "round": number,
        "tables": [
            {"session": row.session, "before": tables.get(row.session), "after": row.rank}
            for row in would.tables
            if tables.get(row.session) != row.rank
        ],
        "survivors": [
            {
                "player": row.player,
                "name": name_of(before, row.player),
                "before": survivors[row.player].rank if row.player in survivors else None,
                "after": row.rank,
                "points_before": survivors[row.player].points if row.player in survivors else None,
                "points_after": row.points,
            }
            for row in would.survivors
            if survivors.get(row.player) != row
        ],
    }
