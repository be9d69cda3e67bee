"""Events of pairing's log about judges who are called to a table. They are for staff and services alone, for good:
everybody else gets an envelope in the log, and nothing in the feed (`shared/tournament/publication.py`).
"""

from __future__ import annotations

from shared.events.base import Event


class JudgeCalled(Event, frozen=True, kw_only=True):
    """Somebody wants a judge at a table.

    call: counts from c1. game, venue, table: where they sat then; table 0: the game has none. caller: a player, or
    whoever of the staff called for them. reason: rules, time, dispute or other. text: what it is about, if they said.
    """

    call: str
    round: int
    game: str
    caller: str
    venue: str = ""
    table: int = 0
    reason: str = "other"
    text: str = ""


class CallTaken(Event, frozen=True, kw_only=True):
    """A judge is on the way. referee: who of the staff."""

    call: str
    referee: str


class CallAnswered(Event, frozen=True, kw_only=True):
    """The call is over. answer: what the judge said. referee: who it was."""

    call: str
    referee: str
    answer: str


class CallWithdrawn(Event, frozen=True, kw_only=True):
    """Nobody is needed any more. by: whoever called, or somebody of the staff."""

    call: str
    by: str
