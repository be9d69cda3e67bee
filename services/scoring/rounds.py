"""Rounds and the end of a tournament: commands, recorded standings in pages, awards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Annotated

from services.scoring.guards import PlayerUnknown, running
from shared.log.event import Actor, Event
from shared.refusals import Fault, Refusal, expects
from shared.rules.model import Draws
from shared.shapes import Command, Id, Name, OptionalReason, Reason, Size
from shared.tournament.format import title_winner
from shared.tournament.guards import Context
from shared.tournament.results import (
    AwardGiven,
    AwardWithdrawn,
    Recorded,
    StandingRow,
    StandingsRecorded,
    TournamentConcluded,
)
from shared.tournament.rounds import PAGE_BYTES, DrawMade, PublishedAt, paginate
from shared.tournament.state import Tournament


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


def concluded(first: Sequence[str], number: int, draws: Draws, reason: str) -> TournamentConcluded:
    """The end; of several who share the first place one is drawn for the title (AR-AMB-15, DW-AMB-9)."""
    winner, drawn = title_winner(first, number, draws)
    return TournamentConcluded(winner=winner, rounds=number, reason=reason, draws=drawn)


def give_award(state: Tournament, command: GiveAward, context: Context) -> Sequence[Event]:
    """An award beside the standings, also after the end (DW-AWD-1, FF-AWD-1)."""
    running(state, concluded_too=True)
    if command.player not in state.entries.players:
        fault = Fault("/player", command.player, expects("player-of-tournament"))
        raise PlayerUnknown(f"No player has the id {command.player}.", [fault])
    award = f"a{state.results.awarded + 1}"
    return [AwardGiven(award=award, name=command.name, player=command.player, reason=command.reason)]


def withdraw_award(state: Tournament, command: WithdrawAward, context: Context) -> Sequence[Event]:
    """Take an award back."""
    running(state, concluded_too=True)
    if command.award not in state.results.awards:
        raise AwardUnknown(f"No award has the id {command.award}.")
    return [AwardWithdrawn(award=command.award, reason=command.reason)]


HALF = PAGE_BYTES // 2


def standings_pages(
    rows: Sequence[StandingRow], round: int, seed: str = "", draws: Sequence[DrawMade] = ()
) -> list[Event]:
    """Standings as pages, each with its share of the rows and of the draws that broke ties."""
    pages = list(zip_longest(paginate(rows, size=HALF), paginate(draws, size=HALF)))
    return [
        StandingsRecorded(round=round, page=number, pages=len(pages), rows=some or [], seed=seed, draws=drawn or [])
        for number, (some, drawn) in enumerate(pages, start=1)
    ]


def pages_of(standings: Recorded) -> list[Event]:
    """Return the pages that record these standings."""
    return standings_pages(standings.rows, standings.round, standings.seed, standings.draws)


class AwardUnknown(Refusal):
    code = "award-unknown"
