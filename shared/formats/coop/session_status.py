"""How far a session is, in one set of words for every service: pairing reads it off its copy of scoring's log."""

from __future__ import annotations

from typing import Annotated, Literal

from shared.formats.coop.seating import SeatedTable
from shared.formats.coop.sessions import SESSIONS
from shared.tournament.state import Tournament

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
