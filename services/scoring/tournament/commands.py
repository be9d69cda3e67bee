"""What scoring can be asked to do. A game is named by its id; its round follows from the pairing."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Command(Struct, frozen=True, kw_only=True):
    """A request, in the imperative."""


class ReportResult(Command, frozen=True, kw_only=True):
    """facts: what the ruleset's result form names. improbable: they are right, however improbable they are."""

    game: str
    facts: dict[str, Any]
    improbable: bool = False


class ReportResults(Command, frozen=True, kw_only=True):
    """Several results that staff enter at once: all of them or none."""

    results: list[ReportResult]


class ConfirmResult(Command, frozen=True, kw_only=True):
    game: str


class DisputeResult(Command, frozen=True, kw_only=True):
    """facts: what the player says happened, if they say."""

    game: str
    reason: str
    facts: dict[str, Any] | None = None
    improbable: bool = False


class RuleResult(Command, frozen=True, kw_only=True):
    game: str
    facts: dict[str, Any]
    reason: str
    clause: str = ""
    improbable: bool = False


class AppealRuling(Command, frozen=True, kw_only=True):
    game: str
    reason: str


class RejectAppeal(Command, frozen=True, kw_only=True):
    game: str
    reason: str


class CorrectResult(Command, frozen=True, kw_only=True):
    game: str
    facts: dict[str, Any]
    reason: str
    improbable: bool = False


class OverrideRuling(CorrectResult, frozen=True, kw_only=True):
    """What an organiser puts in the place of a ruling that stands."""


class VoidResult(Command, frozen=True, kw_only=True):
    game: str
    reason: str


class CloseRound(Command, frozen=True, kw_only=True):
    round: int


class ReopenRound(Command, frozen=True, kw_only=True):
    round: int
    reason: str


class EnterCoin(Command, frozen=True, kw_only=True):
    """order: the players of a tied group after a closed round, as the coin put them, best first."""

    round: int
    order: list[str]
    reason: str = ""


class GiveAward(Command, frozen=True, kw_only=True):
    title: str
    player: str
    reason: str = ""


class WithdrawAward(Command, frozen=True, kw_only=True):
    award: str
    reason: str


class Conclude(Command, frozen=True, kw_only=True):
    """early: why the tournament ends before its last planned round; empty: it must have been played.

    named: of a season, whom staff name of those who share a place at a line between divisions.
    """

    early: str = ""
    named: list[str] = []


class SetUpSession(Command, frozen=True, kw_only=True):
    """scenario, loyal_faction: empty where the organiser assigned them. goals: as revealed; None to have them drawn."""

    session: str
    first_player: str
    scenario: str = ""
    loyal_faction: str = ""
    goals: list[str] | None = None


class PlayMoves(Command, frozen=True, kw_only=True):
    """moves: what happened at one moment, in order; as `shared.formats.coop.rules.moves` has them."""

    session: str
    moves: list[dict[str, Any]]


class EndSession(Command, frozen=True, kw_only=True):
    """outcome: unfinished or abandoned."""

    session: str
    outcome: str
    reason: str


class ReportSession(Command, frozen=True, kw_only=True):
    """told: a whole session in numbers, as `shared.formats.coop.rules.table` has it."""

    session: str
    told: dict[str, Any]


class ConfirmSession(Command, frozen=True, kw_only=True):
    session: str


class CorrectSession(Command, frozen=True, kw_only=True):
    session: str
    told: dict[str, Any]
    reason: str


class PublishRanking(Command, frozen=True, kw_only=True):
    """round: of sessions."""

    round: int
