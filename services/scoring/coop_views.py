"""Views of co-operative tables and of the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, cast

from msgspec import UNSET, UnsetType, structs

from services.scoring.guards import PlayerUnknown, RoundNotClosed, RoundUnknown
from shared.coop.entries import coop_of
from shared.coop.events import SurvivorRanked, TableRanked
from shared.coop.moves import camp_supply
from shared.coop.ranking import EQUAL, Key, Separation, separation_of, survivor_keys, table_keys
from shared.coop.seating import SEATING, SeatedTable
from shared.coop.sessions import (
    SESSIONS,
    Session,
    SessionStatus,
    counted_session,
    played_tables,
    ranking_after,
    session_totals,
    status_of,
)
from shared.coop.table import Outcome, Summary
from shared.refusals import Fault, expects
from shared.service.views import ExternalId
from shared.shapes import View
from shared.tournament.state import Tournament


class EndedView(View, frozen=True, kw_only=True):
    """What ended a session. event, position: in scoring's log."""

    outcome: str
    event: str
    position: int
    time: str
    cause: str


class CampTokensView(View, frozen=True, kw_only=True):
    """Where the C.A.M.P. tokens are. gained: and not placed yet."""

    supply: int
    gained: int
    on_map: Annotated[list[str], "The spaces that they lie in."]


class SummaryView(Summary, View, frozen=True, kw_only=True):
    """A whole session in numbers, as its table told them or as they were counted."""


class SessionView(View, frozen=True, kw_only=True):
    """A table as it lies; before it is set up, who sits there."""

    id: str
    round: Annotated[int, "The round of sessions that it belongs to."]
    survivors: list[str]
    host: str
    status: SessionStatus
    scenario: str
    loyal_faction: str
    opposing_faction: str | UnsetType = UNSET
    position: Annotated[int | UnsetType, "Where the power token is, 0 at the top."] = UNSET
    last_space: Annotated[int | UnsetType, "The position that loses the session."] = UNSET
    session_round: Annotated[int | UnsetType, "The round being played."] = UNSET
    next: Annotated[str | UnsetType, "What is next in it: turns, enemies, opposing or first_player."] = UNSET
    first_player: str | UnsetType = UNSET
    goals_open: list[str] | UnsetType = UNSET
    goals_completed: list[str] | UnsetType = UNSET
    goals_required: int | UnsetType = UNSET
    conditions_open: list[str] | UnsetType = UNSET
    camp_tokens: CampTokensView | UnsetType = UNSET
    upgrades: int | UnsetType = UNSET
    ended: EndedView | UnsetType | None = UNSET
    told: Annotated[SummaryView | UnsetType, "The session in numbers, once it has ended."] = UNSET
    confirmed: list[str] | UnsetType = UNSET
    binds: bool


class SessionsView(View, frozen=True, kw_only=True):
    """Sessions."""

    items: list[SessionView]


def session_view(state: Tournament, seat: SeatedTable) -> SessionView:
    """A table as it lies; before it is set up, who sits there."""
    session = SESSIONS.of(state).sessions.get(seat.session)
    seated = SessionView(
        id=seat.session,
        round=seat.round,
        survivors=seat.survivors,
        host=seat.host,
        status=status_of(state, seat),
        scenario=seat.scenario,
        loyal_faction=seat.loyal_faction,
        binds=False,
    )
    return _set_up(state, session, seated) if session else seated


def _set_up(state: Tournament, session: Session, seated: SessionView) -> SessionView:
    table, ended = session.table, session.ended
    return structs.replace(
        seated,
        scenario=table.scenario,
        loyal_faction=table.loyal,
        opposing_faction=table.opposing,
        position=table.position,
        last_space=table.last_space,
        session_round=table.round,
        next=table.part,
        first_player=table.first_player,
        goals_open=table.open_goals,
        goals_completed=table.completed,
        goals_required=table.required,
        conditions_open=[one for one in table.conditions if one not in table.met],
        camp_tokens=CampTokensView(
            supply=camp_supply(table, coop_of(state.entries).kit), gained=table.camp_gained, on_map=table.camp_spaces
        ),
        upgrades=table.counts.get("workshop_upgrades", 0),
        ended=ended
        and EndedView(
            outcome=ended.outcome, event=ended.type, position=ended.position, time=ended.time, cause=ended.cause
        ),
        told=_summary(session) if ended else UNSET,
        confirmed=session.confirmed,
        binds=session.binds,
    )


def _summary(session: Session) -> SummaryView:
    told = session_totals(session)
    return SummaryView(
        outcome=cast(Outcome, told.outcome),
        rounds=told.rounds,
        completed=told.completed,
        kills=told.kills,
        cards=told.cards,
        others=told.others,
        back=told.back,
        position=told.position,
    )


class TableMoved(View, frozen=True, kw_only=True):
    """A table that would stand elsewhere. before: null where it did not count."""

    session: str
    before: int | None
    after: int


class SurvivorMoved(View, frozen=True, kw_only=True):
    """A survivor who would stand elsewhere or with another sum."""

    player: str
    name: str
    before: int | None
    after: int
    points_before: int | None
    points_after: int


class RankingMoved(View, frozen=True, kw_only=True):
    """What would move in the ranking of a round of sessions, which is the latest."""

    round: int
    tables: list[TableMoved]
    survivors: list[SurvivorMoved]


def ranking_moved(before: Tournament, after: Tournament) -> RankingMoved:
    """What a command would move in the latest round of sessions; nothing of it is appended."""
    number = max(SEATING.of(before).rounds)
    was, would = ranking_after(before, number), ranking_after(after, number)
    ranks = {row.session: row.rank for row in was.tables}
    survivors = {row.player: row for row in was.survivors}
    moved = [(survivors.get(row.player), row) for row in would.survivors if survivors.get(row.player) != row]
    return RankingMoved(
        round=number,
        tables=[
            TableMoved(session=row.session, before=ranks.get(row.session), after=row.rank)
            for row in would.tables
            if ranks.get(row.session) != row.rank
        ],
        survivors=[
            SurvivorMoved(
                player=row.player,
                name=before.entries.name_of(row.player),
                before=old.rank if old else None,
                after=row.rank,
                points_before=old.points if old else None,
                points_after=row.points,
            )
            for old, row in moved
        ],
    )


OF_THEIR_TABLE = "their table"
"""What separates survivors of different tables after one session: they hold the rank of their table."""


class SeparatedBy(View, frozen=True, kw_only=True):
    """The first comparison that separates a row from the one above it, or the first row from the one below it."""

    compared_with: Annotated[str, "The session, or the survivor."]
    by: Annotated[str, "fewer rounds, more goals …; equal: the rank is shared."]
    own: str
    theirs: str
    clause: str


Reason = Annotated[SeparatedBy | None, "What separates it from the row above; null: there is no other."]


class TableRankView(View, frozen=True, kw_only=True):
    """A table in the ranking. share: of the power track, exact."""

    rank: int
    session: str
    survivors: list[str]
    outcome: str
    rounds: int
    share: str
    goals: int
    scenario: Annotated[str, "The scenario of its ranking, if sides are ranked apart."]
    loyal: str
    reason: Reason


class SurvivorRankView(View, frozen=True, kw_only=True):
    """A survivor over all sessions so far."""

    rank: int
    player: str
    name: str
    external_id: ExternalId
    points: int
    victories: int
    rounds: Annotated[int, "Rounds that the victories took."]
    goals: int
    reason: Reason


class RankingView(View, frozen=True, kw_only=True):
    """The tables of a round in order, and the survivors. provisional: not as published."""

    tournament: str
    round: int
    provisional: bool
    final: bool
    tables: list[TableRankView]
    survivors: list[SurvivorRankView]
    total_tables: Annotated[int, "How many tables are ranked, whichever are shown."]
    total_survivors: Annotated[int, "How many survivors are ranked, whichever are shown."]
    next: Annotated[str | None, "Cursor of the next page of the list; null: the end, or no page was asked for."] = None


class SessionShare(View, frozen=True, kw_only=True):
    """What one session adds to a survivor's sum."""

    session: str
    round: int
    outcome: str
    points: int
    rounds: int
    goals: int
    corrected: bool


class SurvivorExplained(View, frozen=True, kw_only=True):
    """Where a survivor stands among all sessions so far, and where the points come from, session by session."""

    player: str
    name: str
    rank: Annotated[int | None, "null: in no session that binds."]
    reason: Reason
    points: int
    sessions: list[SessionShare]
    clause: str


def ranking_view(state: Tournament, tournament: str, round: int | None) -> RankingView:
    """The ranking as published after a round, or (None) of every session that binds now.

    Raises RoundUnknown, RoundNotClosed.
    """
    number = max(SEATING.of(state).rounds, default=0) if round is None else round
    if number not in SEATING.of(state).rounds:
        faults = [] if round is None else [Fault("/round", str(round), expects("open-round-of-sessions"))]
        raise RoundUnknown(f"Round {number or 1} of sessions is not open.", faults, round=number or 1)
    published = SESSIONS.of(state).published.get(number)
    if round is not None and published is None:
        raise RoundNotClosed(f"The ranking of round {number} is not published.", round=number)
    made = ranking_after(state, number)
    tables, survivors = made.tables, made.survivors
    if published is not None and round is not None:
        tables, survivors = published.tables, published.survivors
    current = published is not None and (published.tables, published.survivors) == (made.tables, made.survivors)
    sessions = SESSIONS.of(state).sessions
    return RankingView(
        tournament=tournament,
        round=number,
        provisional=not current,
        final=state.results.concluded and number == max(SEATING.of(state).rounds),
        total_tables=len(tables),
        total_survivors=len(survivors),
        tables=[
            TableRankView(
                rank=row.rank,
                session=row.session,
                survivors=sessions[row.session].table.survivors,
                outcome=row.outcome,
                rounds=row.rounds,
                share=row.share,
                goals=row.goals,
                scenario=row.scenario,
                loyal=row.loyal,
                reason=reason,
            )
            for row, reason in zip(tables, _tables_reasons(state, tables), strict=True)
        ],
        survivors=[
            SurvivorRankView(
                rank=row.rank,
                player=row.player,
                name=state.entries.name_of(row.player),
                external_id=state.entries.external_id_of(row.player),
                points=row.points,
                victories=row.victories,
                rounds=row.rounds,
                goals=row.goals,
                reason=reason,
            )
            for row, reason in zip(survivors, _survivors_reasons(state, number, survivors), strict=True)
        ],
    )


def _tables_reasons(state: Tournament, rows: Sequence[TableRanked]) -> list[SeparatedBy | None]:
    """For each table what separates it from the one above it, for the first from the one below; None where alone."""
    rules = coop_of(state.entries).ranking
    keys = [table_keys(counted_session(SESSIONS.of(state).sessions[row.session]), rules) for row in rows]
    scopes = [(row.scenario, row.loyal) for row in rows]
    return [
        None if other is None else _told(rows[other].session, separation_of(keys[index], keys[other]))
        for index, other in enumerate(_neighbours(scopes))
    ]


def _survivors_reasons(state: Tournament, round: int, rows: Sequence[SurvivorRanked]) -> list[SeparatedBy | None]:
    """The same for survivors; after one session it is the ranks of their tables that separate them. AB-RNK-5."""
    tables = {survivor: table.session for table in played_tables(state, 1) for survivor in table.survivors}

    def between(own: SurvivorRanked, other: SurvivorRanked) -> Separation:
        if round > 1:
            return separation_of(_keys(own), _keys(other))
        at, there = tables[own.player], tables[other.player]
        return Separation(EQUAL if own.rank == other.rank else OF_THEIR_TABLE, at, there, "AB-RNK-5")

    return [
        None if other is None else _told(rows[other].player, between(row, rows[other]))
        for row, other in zip(rows, _neighbours([""] * len(rows)), strict=True)
    ]


def _keys(row: SurvivorRanked) -> list[Key]:
    return survivor_keys(row.points, row.victories, row.rounds, row.goals)


def _neighbours(scopes: Sequence[object]) -> Iterable[int | None]:
    """For each row of a ranking the index of the one above it, for the first that of the one below, in its scope."""
    for index, scope in enumerate(scopes):
        near = [other for other in (index - 1, index + 1) if 0 <= other < len(scopes) and scopes[other] == scope]
        yield near[0] if near else None


def _told(other: str, reason: Separation) -> SeparatedBy:
    return SeparatedBy(compared_with=other, by=reason.by, own=reason.own, theirs=reason.theirs, clause=reason.clause)


def survivor_explained(state: Tournament, player: str) -> SurvivorExplained:
    """Where a survivor's points come from: session by session, with the clause. Raises PlayerUnknown."""
    known = state.entries.players.get(player)
    if known is None:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault("/player", player, expects("survivor-of-event"))])
    rules = coop_of(state.entries).ranking
    sessions = []
    for table in SEATING.of(state).tables():
        session = SESSIONS.of(state).sessions.get(table.session)
        if player not in table.survivors or session is None or not session.binds:
            continue
        one = counted_session(session)
        sessions.append(
            SessionShare(
                session=one.session,
                round=table.round,
                outcome=one.outcome,
                points=rules.session_points[one.outcome],
                rounds=one.rounds,
                goals=one.goals,
                corrected=session.corrected,
            )
        )
    rank, reason = _place_of(state, player)
    return SurvivorExplained(
        player=player,
        name=known.name,
        rank=rank,
        reason=reason,
        points=sum(session.points for session in sessions),
        sessions=sessions,
        clause=rules.cites("session_points"),
    )


def _place_of(state: Tournament, player: str) -> tuple[int | None, SeparatedBy | None]:
    """The rank of a survivor among all sessions that bind so far, and why; None for one who is in none of them."""
    if not SEATING.of(state).rounds:
        return None, None
    number = max(SEATING.of(state).rounds)
    rows = ranking_after(state, number).survivors
    found = zip(rows, _survivors_reasons(state, number, rows), strict=True)
    return next(((row.rank, reason) for row, reason in found if row.player == player), (None, None))
