"""What scoring's log says of a co-operative event: every table as it lies, how sessions ended, what binds, rankings.

How far a session is, is one set of words for every service: pairing reads it off its copy of scoring's log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from msgspec import Struct, field

from shared.formats.coop import scoring_events as events
from shared.formats.coop.rules.table import Table
from shared.formats.coop.seating import SeatedTable
from shared.formats.coop.table_events import CHANGES
from shared.log.event import StoredEvent
from shared.tournament.state import OfFormat, Slice, Tournament

Status = Literal["setup", "playing", "ended"]
PLAYING: Status = "playing"
ENDED: Status = "ended"


class Ended(Struct, frozen=True, gc=False):
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
    ended: Ended | None = None
    told: events.SessionTold | None = None
    confirmed: list[str] = field(default_factory=list)
    host_agreed: bool = False
    binds: bool = False
    corrected: bool = False
    changed: int = 0


class Published(Struct, gc=False):
    """A ranking after a round of sessions, as published last."""

    round: int
    tables: list[events.TableRanked]
    survivors: list[events.SurvivorRanked]
    position: int


class Sessions(OfFormat):
    """The fold: session id -> session, round -> its ranking. coming: one of which the last page is not here yet."""

    sessions: dict[str, Session] = field(default_factory=dict)
    published: dict[int, Published] = field(default_factory=dict)
    coming: Published | None = None


SESSIONS = Slice("sessions", Sessions)


def _set_up(sessions: Sessions, event: events.SessionSetUpStarted, told: StoredEvent) -> None:
    table = Table(survivors=list(event.survivors), scenario=event.scenario)
    sessions.sessions[event.session] = Session(
        event.session, table, event.host, event.data_version, changed=told.position
    )


def _published(sessions: Sessions, event: events.CoopRankingPublished, told: StoredEvent) -> None:
    """A copy may hold the first pages and not yet the last: what was published before stands until all are there."""
    if event.page == 1:
        sessions.coming = Published(event.round, [], [], 0)
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
        session.ended = Ended(outcome, type(event).__name__, told.position, told.time, cause)

    return _of_session(end)


def _reported(session: Session, event: events.SessionReported, told: StoredEvent) -> None:
    """What is reported anew before it binds takes the place of what was, and is agreed upon anew."""
    session.status, session.told, session.table.part = ENDED, event.told, ""
    session.ended = Ended(event.told.outcome, "SessionReported", told.position, told.time, "report")
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


def binds(state: Tournament, table: SeatedTable) -> bool:
    """Whether the ranking counts the session of a table as it is."""
    session = SESSIONS.of(state).sessions.get(table.session)
    return session is not None and session.binds
