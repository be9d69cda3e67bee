"""What ends a round and a tournament in every format: standings in pages, awards, a winner."""

from __future__ import annotations

from collections.abc import Sequence

from services.scoring.tournament.commands import GiveAward, WithdrawAward
from services.scoring.tournament.refusals import AwardUnknown, PlayerUnknown
from services.scoring.tournament.state import running
from shared.events.base import Event
from shared.refusals import Fault
from shared.tournament.context import Context
from shared.tournament.events.pairing import PAGE, DrawMade
from shared.tournament.events.scoring import (
    AwardGiven,
    AwardWithdrawn,
    StandingRow,
    StandingsRecorded,
    TournamentConcluded,
)
from shared.tournament.final_results import winner_of_first
from shared.tournament.state import Tournament


def pages_of(rows: Sequence[StandingRow], round: int, seed: str, draws: Sequence[DrawMade] = ()) -> list[Event]:
    """Rows of standings as pages of at most 500; the draws are on the first."""
    pages = [rows[start : start + PAGE] for start in range(0, len(rows), PAGE)] or [[]]
    return [
        StandingsRecorded(
            round=round,
            page=number,
            pages=len(pages),
            rows=list(page),
            seed=seed,
            draws=list(draws) if number == 1 else [],
        )
        for number, page in enumerate(pages, start=1)
    ]


def concluded(first: Sequence[str], number: int, seed: str, reason: str) -> TournamentConcluded:
    """The end; of several who share the first place one is drawn for the title (AR-AMB-15, DW-AMB-9)."""
    winner, draws = winner_of_first(first, number, seed)
    return TournamentConcluded(winner=winner, rounds=number, reason=reason, draws=draws)


def give_award(state: Tournament, command: GiveAward, context: Context) -> Sequence[Event]:
    """An award beside the standings, also after the end (DW-AWD-1, FF-AWD-1)."""
    running(state, concluded_too=True)
    if command.player not in state.entries.players:
        raise PlayerUnknown(f"No player has the id {command.player}.", [Fault("/player", command.player, "a player")])
    award = f"a{state.results.awarded + 1}"
    return [AwardGiven(award=award, name=command.name, player=command.player, reason=command.reason)]


def withdraw_award(state: Tournament, command: WithdrawAward, context: Context) -> Sequence[Event]:
    """Take an award back."""
    running(state, concluded_too=True)
    if command.award not in state.results.awards:
        raise AwardUnknown(f"No award has the id {command.award}.")
    return [AwardWithdrawn(award=command.award, reason=command.reason)]
