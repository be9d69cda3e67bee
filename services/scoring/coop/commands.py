"""What scoring can be asked to do with the sessions of a co-operative event, with the shape of each member."""

from __future__ import annotations

from typing import Annotated, Literal

from shared.coop.moves import AnyMove
from shared.coop.table import MOST_GOALS, Summary
from shared.shapes import Command, Id, Name, Reason, Size

MOST_MOVES = 20
"""Of one moment."""


class SetUpSession(Command, frozen=True, kw_only=True):
    """How a table is laid out. scenario, loyal_faction: left out where the organiser assigned them.

    goals: the four that were revealed; left out, the service draws them.
    """

    session: Id
    first_player: Id
    scenario: Id = ""
    loyal_faction: Annotated[str, Name()] = ""
    goals: Annotated[list[Id] | None, Size(MOST_GOALS)] = None


class PlayMoves(Command, frozen=True, kw_only=True):
    """moves: what happened at one moment, in order: all of them, or none and the fault of the first that cannot be."""

    session: Id
    moves: Annotated[list[AnyMove], Size(MOST_MOVES, 1)]


class EndSession(Command, frozen=True, kw_only=True):
    """outcome: unfinished where time ran out, abandoned where the table left."""

    session: Id
    outcome: Literal["unfinished", "abandoned"]
    reason: Reason


class ReportSession(Command, frozen=True, kw_only=True):
    """A session as its table saw it."""

    session: Id
    told: Summary


class ConfirmSession(Command, frozen=True, kw_only=True):
    """Somebody of the table, or the organiser, agrees with how it ended."""

    session: Id


class CorrectSession(Command, frozen=True, kw_only=True):
    """The right numbers, and why the recorded ones were wrong."""

    session: Id
    told: Summary
    reason: Reason


class PublishRanking(Command, frozen=True, kw_only=True):
    """The ranking of a round of sessions, once every one of them binds."""

    round: int
