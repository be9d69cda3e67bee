"""Sessions: how each one ended and which report binds, who is at which table, and the published rankings.

All services use one set of words for how far a session is; pairing reads it from its copy of scoring's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Struct, field

from shared.coop import events
from shared.coop.entries import COOP, coop_of
from shared.coop.events import CoopRankingPublished, SessionTold, SurvivorRanked, TableRanked
from shared.coop.ranking import CountedSession, rank_survivors, rank_tables
from shared.coop.ruleset import OperatorData, Side, TableSize
from shared.coop.seating import SEATING, SeatedTable, seat_groups
from shared.coop.table import CHANGES, Table
from shared.log.event import StoredEvent
from shared.tournament.people import Player
from shared.tournament.rounds import paginate
from shared.tournament.state import FormatState, Slice, Tournament

Status = Literal["setup", "playing", "ended"]
PLAYING: Status = "playing"
ENDED: Status = "ended"


class SessionEnd(Struct, frozen=True, gc=False):
    """How a session ended, and the event that ended it. cause: what brought it about, or why somebody ended it."""

    outcome: str
    type: str
    position: int
    time: str
    cause: str


class Session(Struct, gc=False):
    """One session. status: setup, playing, ended. told: its numbers as reported or corrected; None as it was played.

    confirmed: survivors who agree with the result; host_agreed: so does the table's host. changed: position of the last
    event that touched it.
    """

    session: str
    table: Table
    host: str
    data_version: int
    status: Status = "setup"
    started_at: str = ""
    ended: SessionEnd | None = None
    told: events.SessionTold | None = None
    confirmed: list[str] = field(default_factory=list)
    host_agreed: bool = False
    binds: bool = False
    corrected: bool = False
    changed: int = 0


class PublishedRanking(Struct, gc=False):
    """A ranking after a round of sessions, as published last."""

    round: int
    tables: list[events.TableRanked]
    survivors: list[events.SurvivorRanked]
    position: int


class Sessions(FormatState):
    """The fold: session id -> session, round -> its ranking. coming: one of which the last page is not here yet."""

    sessions: dict[str, Session] = field(default_factory=dict)
    published: dict[int, PublishedRanking] = field(default_factory=dict)
    coming: PublishedRanking | None = None


SESSIONS = Slice("sessions", Sessions)


def _set_up(sessions: Sessions, event: events.SessionSetUpStarted, told: StoredEvent) -> None:
    table = Table(survivors=list(event.survivors), scenario=event.scenario)
    sessions.sessions[event.session] = Session(
        event.session, table, event.host, event.data_version, changed=told.position
    )


def _published(sessions: Sessions, event: events.CoopRankingPublished, told: StoredEvent) -> None:
    """A copy may hold the first pages and not yet the last: what was published before stands until all are there."""
    if event.page == 1:
        sessions.coming = PublishedRanking(event.round, [], [], 0)
    coming = sessions.coming
    if coming is None or coming.round != event.round:
        raise KeyError(f"page {event.page} of a ranking without its first")
    coming.tables.extend(event.tables)
    coming.survivors.extend(event.survivors)
    coming.position = told.position
    if event.page == event.pages:
        sessions.published[event.round], sessions.coming = coming, None


def _at_table(change: Callable[[Table, Any], None]) -> Callable[[Sessions, Any, StoredEvent], None]:
    """The change that an event makes to what lies on the table."""

    def apply(sessions: Sessions, event: events.SessionEvent, told: StoredEvent) -> None:
        session = sessions.sessions[event.session]
        change(session.table, event)
        session.changed = told.position

    return apply


def _of_session(change: Callable[[Session, Any, StoredEvent], None]) -> Callable[[Sessions, Any, StoredEvent], None]:
    """The change that an event makes to a session as a whole."""

    def apply(sessions: Sessions, event: events.SessionEvent, told: StoredEvent) -> None:
        session = sessions.sessions[event.session]
        change(session, event, told)
        session.changed = told.position

    return apply


def _begun(session: Session, event: events.SessionStarted, told: StoredEvent) -> None:
    session.status, session.started_at = PLAYING, told.time


def _ended(outcome: str) -> Callable[[Sessions, Any, StoredEvent], None]:
    def end(session: Session, event: Any, told: StoredEvent) -> None:
        cause = event.cause if isinstance(event, events.SessionWon | events.SessionLost) else event.reason
        session.status, session.table.part = ENDED, ""
        session.ended = SessionEnd(outcome, type(event).__name__, told.position, told.time, cause)

    return _of_session(end)


def _reported(session: Session, event: events.SessionReported, told: StoredEvent) -> None:
    """What is reported anew before it binds takes the place of what was, and is agreed upon anew."""
    session.status, session.told, session.table.part = ENDED, event.told, ""
    session.ended = SessionEnd(event.told.outcome, "SessionReported", told.position, told.time, "report")
    session.confirmed, session.host_agreed = [], False


def _confirmed(session: Session, event: events.SessionConfirmed, told: StoredEvent) -> None:
    if event.survivor:
        session.confirmed.append(event.survivor)
    session.host_agreed = session.host_agreed or event.host
    session.binds = session.binds or event.binds


def _corrected(session: Session, event: events.SessionCorrected, told: StoredEvent) -> None:
    session.told, session.binds, session.corrected = event.told, True, True


EVOLVE: Mapping[type, Callable[[Sessions, Any, StoredEvent], None]] = MappingProxyType(
    {
        **{event: _at_table(change) for event, change in CHANGES.items()},
        events.SessionSetUpStarted: _set_up,
        events.SessionStarted: _of_session(_begun),
        events.SessionWon: _ended("victory"),
        events.SessionLost: _ended("defeat"),
        events.SessionLeftUnfinished: _ended("unfinished"),
        events.SessionAbandoned: _ended("abandoned"),
        events.SessionReported: _of_session(_reported),
        events.SessionConfirmed: _of_session(_confirmed),
        events.SessionCorrected: _of_session(_corrected),
        events.CoopRankingPublished: _published,
    }
)
"""Event -> what it changes."""


SessionStatus = Annotated[
    Literal["seated", "setup", "playing", "ended", "not_played"],
    "seated: not set up yet; setup, playing, ended: as the table tells; not_played: nobody sits there any more.",
]


def status_of(state: Tournament, table: SeatedTable) -> SessionStatus:
    """How far the session of a table is."""
    session = SESSIONS.of(state).sessions.get(table.session)
    if session is None:
        return "seated" if table.survivors else "not_played"
    return session.status


def has_binding_result(state: Tournament, table: SeatedTable) -> bool:
    """Whether the ranking counts the session of a table as it is."""
    session = SESSIONS.of(state).sessions.get(table.session)
    return session is not None and session.binds


PAGE = 400
"""Rows of a page of a ranking at most: so many fit into an event, however factions are called."""


class RankingResult(NamedTuple):
    """The tables of a round of sessions in order, and the survivors by all their sessions up to it."""

    round: int
    tables: list[TableRanked]
    survivors: list[SurvivorRanked]


def operator_data(state: Tournament, version: int = 0) -> OperatorData | None:
    """What the operator entered, in a version or (0) the latest; None when nothing was. It held when it was pinned."""
    if not COOP.of(state).data:
        return None
    return msgspec.convert(COOP.of(state).data[version - 1], OperatorData)


def table_size(state: Tournament) -> TableSize:
    """How many survivors sit at a table, as entered or as the game has it."""
    data = operator_data(state)
    return data.table if data else TableSize()


def side_of(state: Tournament, session: Session) -> Side:
    """The side of the scenario sheet that a table plays. Raises KeyError for one that is not set up."""
    data = operator_data(state, session.data_version)
    side = data.side(session.table.scenario, session.table.loyal) if data else None
    if side is None:
        raise KeyError(session.session)
    return side


def played_tables(state: Tournament, round: int) -> list[SeatedTable]:
    """The tables of a round of sessions that are played; none of a round that is not open."""
    found = SEATING.of(state).rounds.get(round)
    return [table for table in found.tables.values() if table.survivors] if found else []


def open_sessions(state: Tournament, round: int) -> list[str]:
    """Sessions of a round without a result that binds."""
    known = SESSIONS.of(state).sessions
    return [
        table.session
        for table in played_tables(state, round)
        if table.session not in known or not known[table.session].binds
    ]


def session_totals(session: Session) -> SessionTold:
    """A session in numbers: as reported or corrected, else as it was played."""
    table = session.table
    return session.told or SessionTold(
        outcome=session.ended.outcome if session.ended else "",
        rounds=table.round,
        completed=list(table.completed),
        kills=table.kills,
        cards=table.cards,
        others=table.others,
        position=table.position,
        back=table.back,
    )


def counted_session(session: Session) -> CountedSession:
    """A session as the ranking wants it. A report tells only rounds begun: without the last one all are completed."""
    told = session_totals(session)
    complete = session.table.rounds_ended if session.told is None else max(0, told.rounds - 1)
    return CountedSession(
        session=session.session,
        survivors=tuple(session.table.survivors),
        outcome=told.outcome,
        rounds=told.rounds,
        rounds_ended=complete,
        position=told.position,
        spaces=session.table.spaces,
        goals=len(told.completed),
        side=(session.table.scenario, session.table.loyal),
    )


def ranking_after(state: Tournament, round: int, anew: Iterable[Session] = ()) -> RankingResult:
    """The ranking after a round of sessions, from every session that binds; survivors by all rounds up to it.

    anew: sessions that take the place of those in the state. After one session survivors hold the rank of their table
    (AB-RNK-5), after several they are ranked by the sum of them (AB-RNK-8); who was disqualified is left out.
    """
    rules = coop_of(state.entries).ranking
    known = {**SESSIONS.of(state).sessions, **{session.session: session for session in anew}}
    by_round = [
        [
            counted_session(known[table.session])
            for table in played_tables(state, number)
            if _binds(known.get(table.session))
        ]
        for number in range(1, round + 1)
    ]
    tables = rank_tables(by_round[-1], rules)
    survivors = rank_survivors([one for row in by_round for one in row], rules)
    rank_of = {row.session: row.rank for row in tables}
    shared = (
        {survivor: rank_of[one.session] for one in by_round[-1] for survivor in one.survivors} if round == 1 else {}
    )
    entries = state.entries.players
    rows = [
        SurvivorRanked(
            rank=shared.get(row.player, row.rank),
            player=row.player,
            points=row.points,
            victories=row.victories,
            rounds=row.rounds,
            goals=row.goals,
        )
        for row in survivors
        if row.player in entries and entries[row.player].status != "disqualified"
    ]
    return RankingResult(
        round=round,
        tables=[
            TableRanked(
                rank=row.rank,
                session=row.session,
                outcome=row.outcome,
                rounds=row.rounds,
                share=f"{row.share.numerator}/{row.share.denominator}",
                goals=row.goals,
                scenario=row.scope[0],
                loyal=row.scope[1],
            )
            for row in tables
        ],
        survivors=sorted(rows, key=lambda row: row.rank),
    )


def ranking_pages(ranked: RankingResult) -> list[CoopRankingPublished]:
    """A ranking as events of at most PAGE rows, tables before survivors; one of no rows where nobody played."""
    pages = paginate([*ranked.tables, *ranked.survivors], PAGE)
    return [
        CoopRankingPublished(
            round=ranked.round,
            page=number,
            pages=len(pages),
            tables=[row for row in page if isinstance(row, TableRanked)],
            survivors=[row for row in page if isinstance(row, SurvivorRanked)],
        )
        for number, page in enumerate(pages, start=1)
    ]


def _binds(session: Session | None) -> bool:
    return session is not None and session.binds


class SeatingPlan(NamedTuple):
    """tables: venue and survivors of each. waiting: who finds no place. not_there: who is not checked in."""

    tables: list[tuple[str, list[str]]]
    waiting: list[str]
    not_there: list[str]


def draw_seating(state: Tournament, round: int, seed: str) -> SeatingPlan:
    """The tables of a round as the seed draws them, venue by venue where venues are seated apart. AB-SVC-2."""
    entries = state.entries
    asks = entries.check_in and round == 1
    not_there = [player.id for player in entries.active() if asks and not player.checked_in]
    playing = [player for player in entries.active() if player.id not in not_there]
    size, met = table_size(state), SEATING.of(state).met(round)
    tables: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    venues = sorted({_venue(state, player) for player in playing})
    for venue in venues:
        here = [player.id for player in playing if _venue(state, player) == venue]
        seated, left = seat_groups(
            _groups(state, here),
            least=size.survivors_min,
            most=size.survivors_max,
            met=met,
            seed=seed,
            round=round,
        )
        tables += [(venue, table) for table in seated]
        waiting += left
    return SeatingPlan(tables, waiting, not_there)


def _venue(state: Tournament, player: Player) -> str:
    """Where somebody plays: at their venue, or at the only one that there is; nowhere in particular else."""
    open_venues = [venue.id for venue in state.entries.venues.values() if venue.open]
    if len(open_venues) == 1:
        return open_venues[0]
    return player.venue if state.entries.pairing_scope == "venue" else ""


def _groups(state: Tournament, players: list[str]) -> list[tuple[str, ...]]:
    """Parties, as far as their members play here, and everybody else alone."""
    parties = [tuple(player for player in party if player in players) for party in COOP.of(state).parties.values()]
    together = {player for party in parties for player in party}
    return [*filter(None, parties), *((player,) for player in players if player not in together)]
