"""What scoring shows of a table in a co-operative event, as it lies, and of what a command would move there."""

from __future__ import annotations

from typing import Annotated, cast

from msgspec import UNSET, UnsetType, structs

from shared.coop.entries import coop_of
from shared.coop.moves import camp_supply
from shared.coop.seating import SEATING, SeatedTable
from shared.coop.sessions import SESSIONS, Session, SessionStatus, ranking_after, status_of, told_of
from shared.coop.table import Outcome, Summary
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
    told = told_of(session)
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
