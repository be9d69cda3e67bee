"""What ends a round and a tournament in every format: standings recorded in pages, awards, a winner."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from services.scoring.tournament.commands import GiveAward, WithdrawAward
from services.scoring.tournament.refusals import AwardUnknown, PlayerUnknown
from services.scoring.tournament.state import running
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.rules.model import Draws
from shared.tournament.format import winner_of_first
from shared.tournament.guards import Context
from shared.tournament.results import (
    AwardGiven,
    AwardWithdrawn,
    Recorded,
    StandingRow,
    StandingsRecorded,
    TournamentConcluded,
)
from shared.tournament.rounds import MOST_BYTES, DrawMade, in_pages
from shared.tournament.state import Tournament


def concluded(first: Sequence[str], number: int, draws: Draws, reason: str) -> TournamentConcluded:
    """The end; of several who share the first place one is drawn for the title (AR-AMB-15, DW-AMB-9)."""
    winner, drawn = winner_of_first(first, number, draws)
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


HALF = MOST_BYTES // 2


def standings_pages(
    rows: Sequence[StandingRow], round: int, seed: str = "", draws: Sequence[DrawMade] = ()
) -> list[Event]:
    """Standings as pages, each with its share of the rows and of the draws that broke ties."""
    pages = list(zip_longest(in_pages(rows, size=HALF), in_pages(draws, size=HALF)))
    return [
        StandingsRecorded(round=round, page=number, pages=len(pages), rows=some or [], seed=seed, draws=drawn or [])
        for number, (some, drawn) in enumerate(pages, start=1)
    ]


def pages_of(standings: Recorded) -> list[Event]:
    """Return the pages that record these standings."""
    return standings_pages(standings.rows, standings.round, standings.seed, standings.draws)
