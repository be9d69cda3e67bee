"""What scoring can be asked to do, with the shape of each member. A game is named by its id; its round follows from the
pairing.
"""

from __future__ import annotations

from typing import Annotated, Any

from shared.log.event import Actor
from shared.shapes import Command, Id, Name, Open, OptionalReason, Reason, Size, Text
from shared.tournament.rounds import PublishedAt

MOST_RESULTS = 500
"""Results of one request that staff enter from paper."""

Facts = Annotated[dict[str, Any], Open("facts")]
"""What the ruleset's result form names."""
StoodBy = Annotated[bool, "The facts are right, however improbable; they are accepted and marked."]


class ReportResult(Command, frozen=True, kw_only=True):
    """A result. Players' reports wait for the opponent; staff's bind at once."""

    game: Id
    facts: Facts
    improbable: StoodBy = False


class ReportResults(Command, frozen=True, kw_only=True):
    """Results that staff enter from paper: all of them, or none and every fault."""

    results: Annotated[list[ReportResult], Size(MOST_RESULTS, 1)]


class ConfirmResult(Command, frozen=True, kw_only=True):
    """The opponent agrees; the result binds."""

    game: Id


class DisputeResult(Command, frozen=True, kw_only=True):
    """Why the player does not agree, and what they say happened."""

    game: Id
    reason: Reason
    facts: Facts | None = None
    improbable: StoodBy = False


class RuleResult(Command, frozen=True, kw_only=True):
    """What the result is, and why."""

    game: Id
    facts: Facts
    reason: Reason
    clause: Annotated[str, Text(40)] = ""
    improbable: StoodBy = False


class AppealRuling(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    game: Id
    reason: Reason


class RejectAppeal(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    game: Id
    reason: Reason


class CorrectResult(Command, frozen=True, kw_only=True):
    """The right facts, and why the recorded ones were wrong."""

    game: Id
    facts: Facts
    reason: Reason
    improbable: StoodBy = False


class OverrideRuling(CorrectResult, frozen=True, kw_only=True):
    """What an organiser puts in the place of a ruling that stands, and why."""


class VoidResult(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    game: Id
    reason: Reason


class CloseRound(Command, frozen=True, kw_only=True):
    """A round is over: standings are recorded."""

    round: int


class PublishStandings(Command, frozen=True, kw_only=True):
    """The standings of every closed round, which everybody sees from now on; or `at` a time set."""

    at: PublishedAt = None


class CancelStandingsPublication(Command, frozen=True, kw_only=True):
    """Standings whose time is set are held back until they are published by hand, or another time is set."""


class PublishDueStandings(Command, frozen=True, kw_only=True):
    """Standings whose time has come. at, set_by: the time, and who set it; the service adds them."""

    at: str = ""
    set_by: Actor | None = None


class ReopenRound(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    round: int
    reason: Reason


class EnterCoin(Command, frozen=True, kw_only=True):
    """The players of a tied group in the order that a coin gave after a closed round, best first."""

    round: int
    order: Annotated[list[Id], Size(500, 2)]
    reason: OptionalReason = ""


class GiveAward(Command, frozen=True, kw_only=True):
    """An award beside the standings."""

    name: Annotated[str, Name()]
    player: Id
    reason: OptionalReason = ""


class WithdrawAward(Command, frozen=True, kw_only=True):
    """Why; it stands in the public log."""

    award: Id
    reason: Reason


class Conclude(Command, frozen=True, kw_only=True):
    """reason: why the tournament ends before its last planned round, a season before its last tournament.

    named: of a season, whom staff name of those who share a place at a line between divisions.
    """

    reason: OptionalReason = ""
    named: Annotated[list[Id], Size(500)] = []
