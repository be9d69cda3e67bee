"""Calls of judges to tables: private rows of pairing, for staff and the caller."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shared.tournament.state import Tournament

CALL = "call"
"""The kind of the rows."""
WAITING, TAKEN, ANSWERED, WITHDRAWN = "waiting", "taken", "answered", "withdrawn"


class Call(Struct, frozen=True):
    """One call. status: waiting, taken, answered or withdrawn. taken_at, ended_at: empty until then.

    referee: who took it, and who answered it in the end. ended_by: who answered or withdrew it.
    """

    id: str
    round: int
    game: str
    venue: str
    table: int
    caller: str
    reason: str
    text: str
    called_at: str
    status: str = WAITING
    referee: str = ""
    taken_at: str = ""
    ended_by: str = ""
    ended_at: str = ""
    answer: str = ""

    @property
    def open(self) -> bool:
        """Return True while a judge is awaited or at the table."""
        return self.status in (WAITING, TAKEN)


def calls_of(state: Tournament) -> Mapping[str, Call]:
    """Return every call by its id, in the order they came."""
    calls = state.private.bodies(CALL)
    return {id: calls[id] for id in sorted(calls, key=lambda id: int(id[1:]))}


def open_call_at(state: Tournament, game: str) -> Call | None:
    """Return the open call to a game; a game has one at most."""
    return next((call for call in state.private.bodies(CALL).values() if call.game == game and call.open), None)
