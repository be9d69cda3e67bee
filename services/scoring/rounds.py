"""Closing rounds, publishing standings, awards, and the end of a tournament: the commands that formats share."""

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

OfPart = Annotated[Id, "The venue whose part of the round is meant. Default: all parts that are not done yet."]


class CloseRound(Command, frozen=True, kw_only=True):
    """Close a round, or its part at one venue. The last part closes the round and records its standings."""

    round: int
    venue: OfPart = ""
    without: Annotated[
        OptionalReason,
        "With `venue`: close a part that was set aside although games have no result, for this reason. It is public;"
        " none of these games counts for anybody.",
    ] = ""


class SetPartAside(Command, frozen=True, kw_only=True):
    """Set the part of a round at a venue aside that cannot be reached. The reason is public."""

    round: int
    venue: Id
    reason: Reason


class PublishStandings(Command, frozen=True, kw_only=True):
    """Publish the standings of all closed rounds.

    at: publish at this time instead of now.
    """

    at: PublishedAt = None


class CancelStandingsPublication(Command, frozen=True, kw_only=True):
    """Cancel the scheduled publication of standings."""


class PublishDueStandings(Command, frozen=True, kw_only=True):
    """Publish standings whose scheduled time has come.

    at, set_by: the time and who set it; filled in by the service.
    """

    at: str = ""
    set_by: Actor | None = None


class ReopenRound(Command, frozen=True, kw_only=True):
    """Reopen a closed round, or its part at one venue. The reason is public."""

    round: int
    reason: Reason
    venue: Annotated[Id, "The venue whose part is reopened. Default: the whole round."] = ""


class EnterCoin(Command, frozen=True, kw_only=True):
    """Enter the order of tied players that a coin toss gave after a closed round. order: best first."""

    round: int
    order: Annotated[list[Id], Size(500, 2)]
    reason: OptionalReason = ""


class GiveAward(Command, frozen=True, kw_only=True):
    """Give a player an award. It does not affect the standings."""

    name: Annotated[str, Name()]
    player: Id
    reason: OptionalReason = ""


class WithdrawAward(Command, frozen=True, kw_only=True):
    """Withdraw an award. The reason is public."""

    award: Id
    reason: Reason


class Conclude(Command, frozen=True, kw_only=True):
    """Conclude a tournament.

    reason: why it ends before its last planned round; for a season, before its last tournament. named: seasons only:
    the players whom staff select among those who share a place at the border between divisions.
    """

    reason: OptionalReason = ""
    named: Annotated[list[Id], Size(500)] = []


def conclusion(first: Sequence[str], number: int, draws: Draws, reason: str) -> TournamentConcluded:
    """Return the event that ends a tournament. A shared first place is decided by a draw (AR-AMB-15, DW-AMB-9).

    first: the players in first place. number: number of the last round. reason: why it ended early, or empty.
    """
    winner, drawn = title_winner(first, number, draws)
    return TournamentConcluded(winner=winner, rounds=number, reason=reason, draws=drawn)


def give_award(state: Tournament, command: GiveAward, context: Context) -> Sequence[Event]:
    """Decide GiveAward, which is also possible after the end (DW-AWD-1, FF-AWD-1)."""
    running(state, concluded_too=True)
    if command.player not in state.entries.players:
        fault = Fault("/player", command.player, expects("player-of-tournament"))
        raise PlayerUnknown(f"No player has the id {command.player}.", [fault])
    award = f"a{state.results.awarded + 1}"
    return [AwardGiven(award=award, name=command.name, player=command.player, reason=command.reason)]


def withdraw_award(state: Tournament, command: WithdrawAward, context: Context) -> Sequence[Event]:
    """Decide WithdrawAward, which is also possible after the end."""
    running(state, concluded_too=True)
    if command.award not in state.results.awards:
        raise AwardUnknown(f"No award has the id {command.award}.")
    return [AwardWithdrawn(award=command.award, reason=command.reason)]


_PAGE_BYTES = PAGE_BYTES // 2


def standings_pages(
    rows: Sequence[StandingRow], round: int, seed: str = "", draws: Sequence[DrawMade] = ()
) -> list[Event]:
    """Return standings as page events, each with a part of the rows and of the draws that broke ties."""
    pages = list(zip_longest(paginate(rows, size=_PAGE_BYTES), paginate(draws, size=_PAGE_BYTES)))
    return [
        StandingsRecorded(round=round, page=number, pages=len(pages), rows=some or [], seed=seed, draws=drawn or [])
        for number, (some, drawn) in enumerate(pages, start=1)
    ]


def pages_of(standings: Recorded) -> list[Event]:
    """Return the events that record standings."""
    return standings_pages(standings.rows, standings.round, standings.seed, standings.draws)


class AwardUnknown(Refusal):
    code = "award-unknown"
