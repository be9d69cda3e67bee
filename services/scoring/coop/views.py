"""What scoring shows of a co-operative event: tables as they lie, rankings with the reasons, what would move them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from services.scoring.tournament.refusals import PlayerUnknown, RoundNotClosed, RoundUnknown
from services.scoring.tournament.views import name_of
from shared.events.base import Event
from shared.formats.coop.at_tables import played, ranking_after, tables_of, told_of
from shared.formats.coop.entries import coop_of
from shared.formats.coop.rules.effects import camp_supply
from shared.formats.coop.rules.ranking import EQUAL, Key, Why, survivor_keys, table_keys, why
from shared.formats.coop.scoring_events import SurvivorRanked, TableRanked
from shared.formats.coop.seating import SEATING, SeatedTable
from shared.formats.coop.sessions import SESSIONS, Session
from shared.refusals import Fault
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


OF_THEIR_TABLE = "their table"
"""What separates survivors of different tables after one session: they hold the rank of their table."""


def ranking_view(state: Tournament, tournament: str, round: int | None) -> dict[str, Any]:
    """The ranking as published after a round, or (None) of every session that binds now.

    Raises RoundUnknown, RoundNotClosed.
    """
    number = max(SEATING.of(state).rounds, default=0) if round is None else round
    if number not in SEATING.of(state).rounds:
        faults = [] if round is None else [Fault("/round", str(round), "a round of sessions that is open")]
        raise RoundUnknown(f"Round {number or 1} of sessions is not open.", faults, round=number or 1)
    published = SESSIONS.of(state).published.get(number)
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
        "final": state.results.concluded and number == max(SEATING.of(state).rounds),
        "tables": [
            msgspec.structs.asdict(row)
            | {"survivors": SESSIONS.of(state).sessions[row.session].table.survivors, "because": because}
            for row, because in zip(tables, _tables_because(state, tables), strict=True)
        ],
        "survivors": [
            msgspec.structs.asdict(row) | {"name": name_of(state, row.player), "because": because}
            for row, because in zip(survivors, _survivors_because(state, number, survivors), strict=True)
        ],
    }


def _tables_because(state: Tournament, rows: Sequence[TableRanked]) -> list[dict[str, Any] | None]:
    """For each table what separates it from the one above it, for the first from the one below; None where alone."""
    rules = coop_of(state.entries).ranking
    keys = [table_keys(played(SESSIONS.of(state).sessions[row.session]), rules) for row in rows]
    scopes = [(row.scenario, row.loyal) for row in rows]
    return [
        None if other is None else _told(rows[other].session, why(keys[index], keys[other]))
        for index, other in enumerate(_neighbours(scopes))
    ]


def _survivors_because(state: Tournament, round: int, rows: Sequence[SurvivorRanked]) -> list[dict[str, Any] | None]:
    """The same for survivors; after one session it is the ranks of their tables that separate them. AB-RNK-5."""
    tables = {survivor: table.session for table in tables_of(state, 1) for survivor in table.survivors}

    def reason(own: SurvivorRanked, other: SurvivorRanked) -> Why:
        if round > 1:
            return why(_keys(own), _keys(other))
        at, there = tables[own.player], tables[other.player]
        return Why(EQUAL if own.rank == other.rank else OF_THEIR_TABLE, at, there, "AB-RNK-5")

    return [
        None if other is None else _told(rows[other].player, reason(row, rows[other]))
        for row, other in zip(rows, _neighbours([""] * len(rows)), strict=True)
    ]


def _keys(row: SurvivorRanked) -> list[Key]:
    return survivor_keys(row.points, row.victories, row.rounds, row.goals)


def _neighbours(scopes: Sequence[object]) -> Iterable[int | None]:
    """For each row of a ranking the index of the one above it, for the first that of the one below, in its scope."""
    for index, scope in enumerate(scopes):
        near = [other for other in (index - 1, index + 1) if 0 <= other < len(scopes) and scopes[other] == scope]
        yield near[0] if near else None


def _told(other: str, reason: Why) -> dict[str, Any]:
    return {"compared_with": other, **reason._asdict()}


def survivor_explained(state: Tournament, player: str) -> dict[str, Any]:
    """Where a survivor's points come from: session by session, with the clause. Raises PlayerUnknown."""
    known = state.entries.players.get(player)
    if known is None:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault("/player", player, "a survivor of this event")])
    rules = coop_of(state.entries).ranking
    sessions = []
    for table in SEATING.of(state).tables():
        session = SESSIONS.of(state).sessions.get(table.session)
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
    row = _row_of(state, player)
    return {
        "player": player,
        "name": known.name,
        "rank": row["rank"] if row else None,
        "because": row["because"] if row else None,
        "points": sum(session["points"] for session in sessions),
        "sessions": sessions,
        "clause": rules.cites("session_points"),
    }


def _row_of(state: Tournament, player: str) -> dict[str, Any] | None:
    """The row of a survivor in the ranking of all sessions that bind so far; None for one who is in none of them."""
    if not SEATING.of(state).rounds:
        return None
    number = max(SEATING.of(state).rounds)
    rows = ranking_after(state, number).survivors
    reasons = _survivors_because(state, number, rows)
    found = zip(rows, reasons, strict=True)
    return next(({"rank": row.rank, "because": reason} for row, reason in found if row.player == player), None)


def correction_view(before: Tournament, after: Tournament, events: list[Event]) -> dict[str, Any]:
    """What a correction would move in the latest round of sessions; nothing of it is appended."""
    number = max(SEATING.of(before).rounds)
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
