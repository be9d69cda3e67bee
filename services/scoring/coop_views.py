"""Views of co-operative sessions and of the ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, cast

from msgspec import UNSET, UnsetType, structs

from services.scoring.guards import PlayerUnknown, RoundNotClosed, RoundUnknown
from shared.coop.entries import coop_of
from shared.coop.events import SessionTold, SurvivorRanked, TableRanked
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
from shared.log.event import actor_text
from shared.refusals import Fault, expects
from shared.service.views import ExternalId
from shared.shapes import View
from shared.tournament.state import Tournament


class EndedView(View, frozen=True, kw_only=True):
    """The end of a session. event, position: the type and position of the event in scoring's log."""

    outcome: str
    event: str
    position: int
    time: str
    cause: str


class CampTokensView(View, frozen=True, kw_only=True):
    """The C.A.M.P. tokens. gained: not placed yet."""

    supply: int
    gained: int
    on_map: Annotated[list[str], "The spaces with a token."]


class SummaryView(Summary, View, frozen=True, kw_only=True):
    """A session in numbers, as reported or as counted from its moves."""


class CorrectionView(View, frozen=True, kw_only=True):
    """The last correction of a session. before: the session in numbers until then."""

    before: SummaryView
    by: Annotated[str, "The person who corrected it."]
    actor_text: Annotated[str, "That person as text, such as `s2, referee`."]
    time: str
    reason: str


class SessionView(View, frozen=True, kw_only=True):
    """A session. Before it is set up, only its players are known.

    After a correction, every number is as corrected, and `corrected` says what it was.
    """

    id: str
    round: Annotated[int, "The round of sessions."]
    survivors: list[str]
    host: str
    status: SessionStatus
    scenario: str
    loyal_faction: str
    opposing_faction: str | UnsetType = UNSET
    position: Annotated[int | UnsetType, "The position of the power token. 0: the topmost space."] = UNSET
    last_space: Annotated[int | UnsetType, "The position at which the session is lost."] = UNSET
    session_round: Annotated[int | UnsetType, "The current round within the session."] = UNSET
    next: Annotated[
        str | UnsetType, "The next part of the round: `turns`, `enemies`, `opposing` or `first_player`."
    ] = UNSET
    first_player: str | UnsetType = UNSET
    goals_open: list[str] | UnsetType = UNSET
    goals_completed: list[str] | UnsetType = UNSET
    goals_required: int | UnsetType = UNSET
    conditions_open: list[str] | UnsetType = UNSET
    camp_tokens: CampTokensView | UnsetType = UNSET
    upgrades: int | UnsetType = UNSET
    ended: EndedView | UnsetType | None = UNSET
    told: Annotated[SummaryView | UnsetType, "The session in numbers. Absent: it has not ended."] = UNSET
    corrected: Annotated[CorrectionView | UnsetType, "The last correction. Absent: never corrected."] = UNSET
    confirmed: list[str] | UnsetType = UNSET
    binds: bool


class StatementOfTableView(View, frozen=True, kw_only=True):
    """What somebody reported of a session in one request."""

    id: Annotated[int, "Its number, for `statement` of the request that takes it back."]
    does: Annotated[list[str], "The moves, or the type of the command, such as `EndSession`."]
    time: str
    by: Annotated[str, "The id of the person who reported it."]
    role: str
    table_can: Annotated[bool, "Any survivor of the table can take it back."]


class SessionsView(View, frozen=True, kw_only=True):
    """A list of sessions."""

    items: list[SessionView]


def session_view(state: Tournament, seat: SeatedTable) -> SessionView:
    """Return the view of a session."""
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
    return _with_table(state, session, seated) if session else seated


def _with_table(state: Tournament, session: Session, seated: SessionView) -> SessionView:
    table, ended, totals = session.table, session.ended, session_totals(session)
    corrected = session.correction
    position, rounds, completed = table.position, table.round, table.completed
    if corrected:
        position, rounds, completed = totals.position, totals.rounds, totals.completed
    return structs.replace(
        seated,
        scenario=table.scenario,
        loyal_faction=table.loyal,
        opposing_faction=table.opposing,
        position=position,
        last_space=table.last_space,
        session_round=rounds,
        next=table.part,
        first_player=table.first_player,
        goals_open=[goal for goal in table.open_goals if goal not in completed],
        goals_completed=completed,
        goals_required=table.required,
        conditions_open=[condition for condition in table.conditions if condition not in table.met],
        camp_tokens=CampTokensView(
            supply=camp_supply(table, coop_of(state.entries).kit), gained=table.camp_gained, on_map=table.camp_spaces
        ),
        upgrades=table.counts.get("workshop_upgrades", 0),
        ended=ended
        and EndedView(
            outcome=ended.outcome, event=ended.type, position=ended.position, time=ended.time, cause=ended.cause
        ),
        told=_summary(totals) if ended else UNSET,
        corrected=CorrectionView(
            before=_summary(corrected.before),
            by=corrected.by.actor,
            actor_text=actor_text(corrected.by),
            time=corrected.time,
            reason=corrected.reason,
        )
        if corrected
        else UNSET,
        confirmed=session.confirmed,
        binds=session.binds,
    )


def _summary(totals: SessionTold) -> SummaryView:
    return SummaryView(
        outcome=cast(Outcome, totals.outcome),
        rounds=totals.rounds,
        completed=totals.completed,
        kills=totals.kills,
        cards=totals.cards,
        others=totals.others,
        back=totals.back,
        position=totals.position,
    )


class TableMoved(View, frozen=True, kw_only=True):
    """A table whose rank would change. before: null: it did not count."""

    session: str
    before: int | None
    after: int


class SurvivorMoved(View, frozen=True, kw_only=True):
    """A survivor whose rank or points would change. before: null: not ranked."""

    player: str
    name: str
    before: int | None
    after: int
    points_before: int | None
    points_after: int


class RankingMoved(View, frozen=True, kw_only=True):
    """Changes to the ranking of the latest round of sessions."""

    round: int
    tables: list[TableMoved]
    survivors: list[SurvivorMoved]


def ranking_moved(before: Tournament, after: Tournament) -> RankingMoved:
    """Return the changes to the latest ranking between two states."""
    number = max(SEATING.of(before).rounds)
    old_ranking, new_ranking = ranking_after(before, number), ranking_after(after, number)
    ranks = {row.session: row.rank for row in old_ranking.tables}
    survivors = {row.player: row for row in old_ranking.survivors}
    moved = [(survivors.get(row.player), row) for row in new_ranking.survivors if survivors.get(row.player) != row]
    return RankingMoved(
        round=number,
        tables=[
            TableMoved(session=row.session, before=ranks.get(row.session), after=row.rank)
            for row in new_ranking.tables
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


_OF_THEIR_TABLE = "their table"
"""The criterion after one session, in which survivors have the rank of their table."""


class SeparatedBy(View, frozen=True, kw_only=True):
    """The first criterion that separates a row from the previous one, or the first row from the second."""

    compared_with: Annotated[str, "The id of the other session or survivor."]
    by: Annotated[str, "The criterion, such as `fewer rounds` or `more goals`. `equal`: the rank is shared."]
    own: str
    theirs: str
    clause: str


Reason = Annotated[
    SeparatedBy | None, "The criterion that separates this row from the previous one. null: no other row."
]


class TableRankView(View, frozen=True, kw_only=True):
    """A table in the ranking. share: the exact share of the power track."""

    rank: int
    session: str
    survivors: list[str]
    outcome: str
    rounds: int
    share: str
    goals: int
    scenario: Annotated[str, "The scenario, if sides are ranked separately."]
    loyal: str
    reason: Reason


class SurvivorRankView(View, frozen=True, kw_only=True):
    """A survivor in the ranking over all sessions so far."""

    rank: int
    player: str
    name: str
    external_id: ExternalId
    points: int
    victories: int
    rounds: Annotated[int, "The number of rounds in won sessions."]
    goals: int
    reason: Reason


class RankingView(View, frozen=True, kw_only=True):
    """The ranking of tables and survivors. provisional: differs from the published ranking, or is not published."""

    tournament: str
    round: int
    provisional: bool
    final: bool
    tables: list[TableRankView]
    survivors: list[SurvivorRankView]
    total_tables: Annotated[int, "The number of ranked tables."]
    total_survivors: Annotated[int, "The number of ranked survivors."]
    next: Annotated[
        str | None, "The cursor of the next page of the list. null: this is the last page, or no page was requested."
    ] = None


class SessionShare(View, frozen=True, kw_only=True):
    """The contribution of one session to the points of a survivor."""

    session: str
    round: int
    outcome: str
    points: int
    rounds: int
    goals: int
    corrected: bool


class SurvivorExplained(View, frozen=True, kw_only=True):
    """The place and the points of a survivor, session by session."""

    player: str
    name: str
    rank: Annotated[int | None, "The current rank. null: no session that counts."]
    reason: Reason
    points: int
    sessions: list[SessionShare]
    clause: str


def ranking_view(state: Tournament, tournament: str, round: int | None) -> RankingView:
    """Return the ranking published after a round, or the current one if `round` is None.

    Raises RoundUnknown, RoundNotClosed.
    """
    number = max(SEATING.of(state).rounds, default=0) if round is None else round
    if number not in SEATING.of(state).rounds:
        faults = [] if round is None else [Fault("/round", str(round), expects("open-round-of-sessions"))]
        raise RoundUnknown(f"Round {number or 1} of sessions is not open.", faults, round=number or 1)
    published = SESSIONS.of(state).published.get(number)
    if round is not None and published is None:
        raise RoundNotClosed(f"The ranking of round {number} is not published.", round=number)
    current_ranking = ranking_after(state, number)
    tables, survivors = current_ranking.tables, current_ranking.survivors
    if published is not None and round is not None:
        tables, survivors = published.tables, published.survivors
    current = published is not None and (published.tables, published.survivors) == (
        current_ranking.tables,
        current_ranking.survivors,
    )
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
            for row, reason in zip(tables, _table_reasons(state, tables), strict=True)
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
            for row, reason in zip(survivors, _survivor_reasons(state, number, survivors), strict=True)
        ],
    )


def ranking_of_venue(state: Tournament, ranking: RankingView, venue: str) -> RankingView:
    """Return the rows of a venue: its tables, and the survivors who play there. Ranks stay those of the event."""
    sessions = {table.session for table in SEATING.of(state).tables() if table.venue == venue}
    tables = [row for row in ranking.tables if row.session in sessions]
    survivors = [row for row in ranking.survivors if state.entries.plays_at(row.player, venue)]
    return structs.replace(
        ranking, tables=tables, survivors=survivors, total_tables=len(tables), total_survivors=len(survivors)
    )


def _table_reasons(state: Tournament, rows: Sequence[TableRanked]) -> list[SeparatedBy | None]:
    """Return for each table the reason that separates it from the previous one (for the first: from the second)."""
    rules = coop_of(state.entries).ranking
    keys = [table_keys(counted_session(SESSIONS.of(state).sessions[row.session]), rules) for row in rows]
    scopes = [(row.scenario, row.loyal) for row in rows]
    return [
        None if other is None else _separated_by(rows[other].session, separation_of(keys[index], keys[other]))
        for index, other in enumerate(_neighbours(scopes))
    ]


def _survivor_reasons(state: Tournament, round: int, rows: Sequence[SurvivorRanked]) -> list[SeparatedBy | None]:
    """Return the same reasons for survivors. After one session, the ranks of their tables separate them (AB-RNK-5)."""
    tables = {survivor: table.session for table in played_tables(state, 1) for survivor in table.survivors}

    def between(own: SurvivorRanked, other: SurvivorRanked) -> Separation:
        if round > 1:
            return separation_of(_keys(own), _keys(other))
        own_table, other_table = tables[own.player], tables[other.player]
        return Separation(EQUAL if own.rank == other.rank else _OF_THEIR_TABLE, own_table, other_table, "AB-RNK-5")

    return [
        None if other is None else _separated_by(rows[other].player, between(row, rows[other]))
        for row, other in zip(rows, _neighbours([""] * len(rows)), strict=True)
    ]


def _keys(row: SurvivorRanked) -> list[Key]:
    return survivor_keys(row.points, row.victories, row.rounds, row.goals)


def _neighbours(scopes: Sequence[object]) -> Iterable[int | None]:
    """Yield for each row the index of a neighbour in its scope: the previous row, else the next row, else None."""
    for index, scope in enumerate(scopes):
        adjacent = [other for other in (index - 1, index + 1) if 0 <= other < len(scopes) and scopes[other] == scope]
        yield adjacent[0] if adjacent else None


def _separated_by(compared_with: str, reason: Separation) -> SeparatedBy:
    return SeparatedBy(
        compared_with=compared_with, by=reason.by, own=reason.own, theirs=reason.theirs, clause=reason.clause
    )


def explain_survivor_points(state: Tournament, player: str) -> SurvivorExplained:
    """Return the place and the points of a survivor. Raises PlayerUnknown."""
    survivor = state.entries.players.get(player)
    if survivor is None:
        raise PlayerUnknown(f"No player has the id {player}.", [Fault("/player", player, expects("survivor-of-event"))])
    rules = coop_of(state.entries).ranking
    sessions = []
    for table in SEATING.of(state).tables():
        session = SESSIONS.of(state).sessions.get(table.session)
        if player not in table.survivors or session is None or not session.binds:
            continue
        result = counted_session(session)
        sessions.append(
            SessionShare(
                session=result.session,
                round=table.round,
                outcome=result.outcome,
                points=rules.session_points[result.outcome],
                rounds=result.rounds,
                goals=result.goals,
                corrected=session.corrected,
            )
        )
    rank, reason = _current_rank(state, player)
    return SurvivorExplained(
        player=player,
        name=survivor.name,
        rank=rank,
        reason=reason,
        points=sum(session.points for session in sessions),
        sessions=sessions,
        clause=rules.cites("session_points"),
    )


def _current_rank(state: Tournament, player: str) -> tuple[int | None, SeparatedBy | None]:
    """Return the current rank of a survivor and its reason; None if no session counts."""
    if not SEATING.of(state).rounds:
        return None, None
    number = max(SEATING.of(state).rounds)
    rows = ranking_after(state, number).survivors
    reasons = zip(rows, _survivor_reasons(state, number, rows), strict=True)
    return next(((row.rank, reason) for row, reason in reasons if row.player == player), (None, None))
