"""Sessions: their results, the players of each table, and the published rankings.

All services use one vocabulary for the status of a session. Pairing reads it from its copy of scoring's log.
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
from shared.log.event import Actor, StoredEvent, read_actor
from shared.tournament.people import Player
from shared.tournament.rounds import paginate
from shared.tournament.state import FormatState, Slice, Tournament
from shared.tournament.statements import Cause, Statement, Statements, cause_of, decode_outcomes, encode_outcome

Status = Literal["setup", "playing", "ended"]
PLAYING: Status = "playing"
ENDED: Status = "ended"


class SessionEnd(Struct, frozen=True, gc=False):
    """The end of a session and the event behind it. cause: what brought it about, or why a person ended it."""

    outcome: str
    type: str
    position: int
    time: str
    cause: str


class Correction(Struct, frozen=True, gc=False):
    """The last correction of a session: its totals until then, who corrected them, when, and why."""

    before: events.SessionTold
    by: Actor
    time: str
    reason: str


class Session(Struct, gc=False):
    """A session.

    told: its totals as reported or corrected; None if it was played step by step.
    confirmed: survivors who confirmed the result. host_agreed: the table's host confirmed it.
    binds: the result counts.
    correction: the last correction, if there was one. `ended` and `told` are then as corrected.
    changed: position of the last event about it.
    said: what the table and staff reported, from the set-up on.
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
    correction: Correction | None = None
    changed: int = 0
    said: Statements = field(default_factory=Statements)

    @property
    def corrected(self) -> bool:
        """True if staff corrected the result."""
        return self.correction is not None


class PublishedRanking(Struct, gc=False):
    """A ranking after a round of sessions, as last published."""

    round: int
    tables: list[events.TableRanked]
    survivors: list[events.SurvivorRanked]
    position: int


class Sessions(FormatState):
    """State of scoring's log of a co-op event.

    sessions: session id -> session.
    published: round -> its ranking.
    coming: a ranking whose last page has not arrived yet.
    cause: the command of the last event.
    """

    sessions: dict[str, Session] = field(default_factory=dict)
    published: dict[int, PublishedRanking] = field(default_factory=dict)
    coming: PublishedRanking | None = None
    cause: Cause | None = None


SESSIONS = Slice("sessions", Sessions)


def _set_up(sessions: Sessions, event: events.SessionSetUpStarted, stored: StoredEvent) -> None:
    table = Table(survivors=list(event.survivors), scenario=event.scenario)
    sessions.sessions[event.session] = Session(
        event.session, table, event.host, event.data_version, changed=stored.position
    )


def _publish_ranking(sessions: Sessions, event: events.CoopRankingPublished, stored: StoredEvent) -> None:
    """Collect the pages. A copy may lack the last pages; the earlier ranking counts until all have arrived."""
    if event.page == 1:
        sessions.coming = PublishedRanking(event.round, [], [], 0)
    coming = sessions.coming
    if coming is None or coming.round != event.round:
        raise KeyError(f"page {event.page} of a ranking without its first")
    coming.tables.extend(event.tables)
    coming.survivors.extend(event.survivors)
    coming.position = stored.position
    if event.page == event.pages:
        sessions.published[event.round], sessions.coming = coming, None


def _change_table(change: Callable[[Table, Any], None]) -> Callable[[Sessions, Any, StoredEvent], None]:
    """Return the change of a session's table by an event."""

    def apply(sessions: Sessions, event: events.SessionEvent, stored: StoredEvent) -> None:
        session = sessions.sessions[event.session]
        change(session.table, event)
        session.changed = stored.position

    return apply


def _change_session(
    change: Callable[[Session, Any, StoredEvent], None],
) -> Callable[[Sessions, Any, StoredEvent], None]:
    """Return the change of a session by an event."""

    def apply(sessions: Sessions, event: events.SessionEvent, stored: StoredEvent) -> None:
        session = sessions.sessions[event.session]
        change(session, event, stored)
        session.changed = stored.position

    return apply


def _start(session: Session, event: events.SessionStarted, stored: StoredEvent) -> None:
    session.status, session.started_at = PLAYING, stored.time


def _end_as(outcome: str) -> Callable[[Sessions, Any, StoredEvent], None]:
    def end(session: Session, event: Any, stored: StoredEvent) -> None:
        cause = event.cause if isinstance(event, events.SessionWon | events.SessionLost) else event.reason
        session.status, session.table.part = ENDED, ""
        session.ended = SessionEnd(outcome, type(event).__name__, stored.position, stored.time, cause)

    return _change_session(end)


def _report(session: Session, event: events.SessionReported, stored: StoredEvent) -> None:
    """Replace an earlier report that does not bind yet. It needs new confirmations."""
    session.status, session.told, session.table.part = ENDED, event.told, ""
    session.ended = SessionEnd(event.told.outcome, "SessionReported", stored.position, stored.time, "report")
    session.confirmed, session.host_agreed = [], False


def _confirm(session: Session, event: events.SessionConfirmed, stored: StoredEvent) -> None:
    if event.survivor:
        session.confirmed.append(event.survivor)
    session.host_agreed = session.host_agreed or event.host
    session.binds = session.binds or event.binds


def _correct(session: Session, event: events.SessionCorrected, stored: StoredEvent) -> None:
    """Replace the result and the end, so that one outcome holds (AB-REP-3). What it was stays in the correction."""
    before = session_totals(session)
    session.correction = Correction(before, read_actor(stored.actor), stored.time, event.reason)
    session.ended = SessionEnd(event.told.outcome, "SessionCorrected", stored.position, stored.time, event.reason)
    session.told, session.binds = event.told, True


_CHANGES: Mapping[type, Callable[[Sessions, Any, StoredEvent], None]] = MappingProxyType(
    {
        **{event: _change_table(change) for event, change in CHANGES.items()},
        events.SessionSetUpStarted: _set_up,
        events.SessionStarted: _change_session(_start),
        events.SessionWon: _end_as("victory"),
        events.SessionLost: _end_as("defeat"),
        events.SessionLeftUnfinished: _end_as("unfinished"),
        events.SessionAbandoned: _end_as("abandoned"),
        events.SessionReported: _change_session(_report),
        events.SessionConfirmed: _change_session(_confirm),
        events.SessionCorrected: _change_session(_correct),
    }
)
"""Event -> its change of a session."""

KINDS: Mapping[str, type[events.SessionEvent]] = {kind.__name__: kind for kind in _CHANGES}
"""Recorded type -> class of the events of a session."""

STATEMENTS = ("SetUpSession", "PlayMoves", "EndSession", "ReportSession", "ConfirmSession", "CorrectSession")
"""Types of the commands that are statements about a session."""


class _Row(NamedTuple):
    """The row of an event that is folded again."""

    position: int
    time: str
    actor: str


def _take_back(sessions: Sessions, event: events.MoveTakenBack, stored: StoredEvent) -> None:
    """Return the session to its state before the report. Later reports wait to be decided again."""
    assert sessions.cause is not None, "an event without its command"
    said = sessions.sessions[event.session].said
    said.take_back(event.statement, event.fallen, stored.position, sessions.cause.id)
    before = Sessions()
    for statement in said.statements:
        _apply_again(before, statement)
    session = before.sessions[event.session]
    session.said, session.changed = said, stored.position
    sessions.sessions[event.session] = session


def _decide_again(sessions: Sessions, event: events.MoveDecidedAgain, stored: StoredEvent) -> None:
    """Add a waiting report again: with its recorded events, or with those that follow."""
    session = sessions.sessions[event.session]
    again = session.said.decide_again(event.statement, stands=event.stands)
    if event.stands:
        _apply_again(sessions, again)
    session.changed = stored.position


def _apply_again(sessions: Sessions, statement: Statement) -> None:
    row = _Row(statement.position, statement.time, statement.actor)
    for outcome in decode_outcomes(statement.outcomes, KINDS):
        _CHANGES[type(outcome)](sessions, outcome, row)


def _noted(
    change: Callable[[Sessions, Any, StoredEvent], None],
) -> Callable[[Sessions, Any, StoredEvent], None]:
    """Return the change of an event that also keeps it with its statement."""

    def fold(sessions: Sessions, event: events.SessionEvent, stored: StoredEvent) -> None:
        sessions.cause = cause_of(sessions.cause, stored, STATEMENTS, "session")
        change(sessions, event, stored)
        if type(event) in _CHANGES:
            sessions.sessions[event.session].said.note(sessions.cause, event.session, encode_outcome(event))

    return fold


EVOLVE: Mapping[type, Callable[[Sessions, Any, StoredEvent], None]] = MappingProxyType(
    {event: _noted(change) for event, change in _CHANGES.items()}
    | {
        events.MoveTakenBack: _noted(_take_back),
        events.MoveDecidedAgain: _noted(_decide_again),
        events.CoopRankingPublished: _publish_ranking,
    }
)
"""Event -> its change of the state."""


SessionStatus = Annotated[
    Literal["seated", "setup", "playing", "ended", "not_played"],
    "seated: not set up yet; setup, playing, ended: as reported by the table; not_played: no survivors are left.",
]


def status_of(state: Tournament, table: SeatedTable) -> SessionStatus:
    """Return the status of a table's session."""
    session = SESSIONS.of(state).sessions.get(table.session)
    if session is None:
        return "seated" if table.survivors else "not_played"
    return session.status


def has_binding_result(state: Tournament, table: SeatedTable) -> bool:
    """Return True if the ranking counts the session of a table."""
    session = SESSIONS.of(state).sessions.get(table.session)
    return session is not None and session.binds


PAGE = 400
"""Largest number of rows on a page of a ranking, so that a page fits into an event whatever factions are called."""


class RankingResult(NamedTuple):
    """The tables of a round of sessions in order, and the survivors by all their sessions so far."""

    round: int
    tables: list[TableRanked]
    survivors: list[SurvivorRanked]


def operator_data(state: Tournament, version: int = 0) -> OperatorData | None:
    """Return a version of the operator's data (0: the latest), or None if none is pinned. Pinned data are valid."""
    if not COOP.of(state).data:
        return None
    return msgspec.convert(COOP.of(state).data[version - 1], OperatorData)


def table_size(state: Tournament) -> TableSize:
    """Return the number of survivors at a table, as entered or by the game's default."""
    data = operator_data(state)
    return data.table if data else TableSize()


def side_of(state: Tournament, session: Session) -> Side:
    """Return the side of the scenario sheet that a table plays. Raise KeyError if it is not set up."""
    data = operator_data(state, session.data_version)
    side = data.side(session.table.scenario, session.table.loyal) if data else None
    if side is None:
        raise KeyError(session.session)
    return side


def played_tables(state: Tournament, round: int) -> list[SeatedTable]:
    """Return the tables of a round that are played; empty if the round is not open."""
    session_round = SEATING.of(state).rounds.get(round)
    return [table for table in session_round.tables.values() if table.survivors] if session_round else []


def open_sessions(state: Tournament, round: int) -> list[str]:
    """Return the sessions of a round without a binding result."""
    known = SESSIONS.of(state).sessions
    return [
        table.session
        for table in played_tables(state, round)
        if table.session not in known or not known[table.session].binds
    ]


def session_totals(session: Session) -> SessionTold:
    """Return the totals of a session, as reported or corrected, otherwise as played."""
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
    """Return a session as the ranking counts it.

    A report gives only the rounds begun; all but the last count as completed.
    """
    totals = session_totals(session)
    rounds_ended = session.table.rounds_ended if session.told is None else max(0, totals.rounds - 1)
    return CountedSession(
        session=session.session,
        survivors=tuple(session.table.survivors),
        outcome=totals.outcome,
        rounds=totals.rounds,
        rounds_ended=rounds_ended,
        position=totals.position,
        spaces=session.table.spaces,
        goals=len(totals.completed),
        side=(session.table.scenario, session.table.loyal),
    )


def ranking_after(state: Tournament, round: int, replacements: Iterable[Session] = ()) -> RankingResult:
    """Return the ranking of tables and survivors after a round, computed from all binding sessions so far.

    After one session, survivors have the rank of their table (AB-RNK-5). After several, they are ranked by the sum of
    their sessions (AB-RNK-8). Disqualified survivors are left out.
    replacements: sessions that replace those in the state.
    """
    rules = coop_of(state.entries).ranking
    known = {**SESSIONS.of(state).sessions, **{session.session: session for session in replacements}}
    by_round = [
        [
            counted_session(known[table.session])
            for table in played_tables(state, number)
            if _has_binding_result(known.get(table.session))
        ]
        for number in range(1, round + 1)
    ]
    tables = rank_tables(by_round[-1], rules)
    survivors = rank_survivors([session for row in by_round for session in row], rules)
    rank_of = {row.session: row.rank for row in tables}
    shared = (
        {survivor: rank_of[session.session] for session in by_round[-1] for survivor in session.survivors}
        if round == 1
        else {}
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
    """Return a ranking as events of at most PAGE rows, tables before survivors; one empty event if no one played."""
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


def _has_binding_result(session: Session | None) -> bool:
    return session is not None and session.binds


class SeatingPlan(NamedTuple):
    """Tables of a round before they are opened.

    tables: venue and survivors of each table.
    waiting: survivors without a place.
    not_there: players who are not checked in.
    """

    tables: list[tuple[str, list[str]]]
    waiting: list[str]
    not_there: list[str]


def draw_seating(state: Tournament, round: int, seed: str) -> SeatingPlan:
    """Return the tables of a round by the drawn seed, for each venue if venues are seated apart (AB-SVC-2)."""
    entries = state.entries
    needs_check_in = entries.check_in and round == 1
    not_there = [player.id for player in entries.active() if needs_check_in and not player.checked_in]
    playing = [player for player in entries.active() if player.id not in not_there]
    size, met = table_size(state), SEATING.of(state).met(round)
    tables: list[tuple[str, list[str]]] = []
    waiting: list[str] = []
    venues = sorted({_venue(state, player) for player in playing})
    for venue in venues:
        players = [player.id for player in playing if _venue(state, player) == venue]
        seated, unseated = seat_groups(
            _groups(state, players),
            least=size.survivors_min,
            most=size.survivors_max,
            met=met,
            seed=seed,
            round=round,
        )
        tables += [(venue, table) for table in seated]
        waiting += unseated
    return SeatingPlan(tables, waiting, not_there)


def _venue(state: Tournament, player: Player) -> str:
    """Return the venue of a player: its own, or the only open one; empty if venues do not matter."""
    open_venues = [venue.id for venue in state.entries.venues.values() if venue.open]
    if len(open_venues) == 1:
        return open_venues[0]
    return player.venue if state.entries.pairing_scope == "venue" else ""


def _groups(state: Tournament, players: list[str]) -> list[tuple[str, ...]]:
    """Return the parties of these players, and all other players individually."""
    parties = [tuple(player for player in party if player in players) for party in COOP.of(state).parties.values()]
    in_parties = {player for party in parties for player in party}
    return [*filter(None, parties), *((player,) for player in players if player not in in_parties)]
