"""Decisions about rounds as scoring sees them: closed with recorded standings, reopened, and the end."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.scoring.tournament.commands import CloseRound, Conclude, GiveAward, ReopenRound, WithdrawAward
from services.scoring.tournament.refusals import (
    AwardUnknown,
    GamesOpen,
    LaterRoundPaired,
    PlayerUnknown,
    RoundNotBegun,
    RoundNotClosed,
    RoundsRemain,
)
from services.scoring.tournament.state import round_of, running
from shared.events.base import Event
from shared.formats.swiss.games import open_games
from shared.formats.swiss.places import bracket_decided, standings_anew, standings_of_round
from shared.formats.swiss.ranking import as_draws, as_rows, planned_rounds
from shared.formats.swiss.rules.standings import Standings
from shared.refusals import Fault
from shared.tournament.context import Context
from shared.tournament.events.pairing import PAGE, DrawMade
from shared.tournament.events.scoring import (
    AwardGiven,
    AwardWithdrawn,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
    StandingRow,
    StandingsRecorded,
    TournamentConcluded,
)
from shared.tournament.final_results import first_of, winner_of_first
from shared.tournament.results import Result
from shared.tournament.state import Tournament


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Close a round when every game binds, and record the standings with the draws that broke ties."""
    round = round_of(running(state), command.round)
    if round.number in state.results.closed:
        return []
    if round.status != "started":
        raise RoundNotBegun(f"Round {round.number} has not started.", round=round.number)
    waiting = open_games(state, round.number)
    waiting += [game for game in round.seats if (r := state.results.results.get(game)) is not None and r.appealed]
    if waiting:
        raise GamesOpen(
            f"Round {round.number} has {len(waiting)} open game{'s' if len(waiting) > 1 else ''}.", games=waiting
        )
    recorded = standings_recorded(standings_of_round(state, round.number, context.seed), context.seed)
    return [*recorded, RoundClosed(round=round.number, games=len(round.seats))]


def standings_recorded(standings: Standings, seed: str) -> list[Event]:
    """Standings as pages of at most 500 rows; the draws are on the first."""
    return pages_of(as_rows(standings), standings.round, seed, as_draws(standings))


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


def rerecorded(state: Tournament, corrected: ResultCorrected, context: Context) -> list[Event]:
    """The standings of every closed round from the corrected one on, anew; and the winner, if it is another now."""
    closed = [number for number in sorted(state.results.closed) if number >= corrected.round]
    if not closed:
        return []
    results = dict(state.results.results)
    results[corrected.game] = Result(corrected.round, corrected.game, corrected.facts, "corrected")
    after = msgspec.structs.replace(state, results=msgspec.structs.replace(state.results, results=results))
    made = standings_anew(after, closed, context.seed)
    events = [event for standings in made.values() for event in standings_recorded(standings, context.seed)]
    if state.results.concluded:
        first = first_of(as_rows(made[closed[-1]]))
        if state.results.winner not in (first or [""]):
            events.append(concluded(first, closed[-1], context.seed, state.results.early))
    return events


def reopen(state: Tournament, command: ReopenRound, context: Context) -> Sequence[Event]:
    """Open the last closed round again, while nothing was paired from it."""
    running(state)
    round_of(state, command.round)
    if command.round not in state.results.closed:
        raise RoundNotClosed(f"Round {command.round} is not closed.", round=command.round)
    latest = state.rounds.latest()
    if latest is not None and latest.number > command.round:
        raise LaterRoundPaired(f"Round {latest.number} was paired since; correct the result instead.")
    return [RoundReopened(round=command.round, reason=command.reason)]


def give_award(state: Tournament, command: GiveAward, context: Context) -> Sequence[Event]:
    """An award beside the standings, also after the end (DW-AWD-1, FF-AWD-1)."""
    running(state, concluded_too=True)
    if command.player not in state.entries.players:
        raise PlayerUnknown(f"No player has the id {command.player}.", [Fault("/player", command.player, "a player")])
    award = f"a{state.results.awarded + 1}"
    return [AwardGiven(award=award, title=command.title, player=command.player, reason=command.reason)]


def withdraw_award(state: Tournament, command: WithdrawAward, context: Context) -> Sequence[Event]:
    """Take an award back."""
    running(state, concluded_too=True)
    if command.award not in state.results.awards:
        raise AwardUnknown(f"No award has the id {command.award}.")
    return [AwardWithdrawn(award=command.award, reason=command.reason)]


def conclude(state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """The final standings stand (AR-TB-5): after the last planned round, or early with a reason."""
    if state.results.concluded:
        return []
    running(state)
    latest = state.rounds.latest()
    if latest is None:
        raise RoundNotClosed("No round was played; cancel the tournament instead.", round=1)
    if latest.number not in state.results.closed:
        raise RoundNotClosed(f"Round {latest.number} is not closed.", round=latest.number)
    planned = planned_rounds(state)
    decided = bracket_decided(state, latest.number, context.seed)
    early = planned is None or (latest.number < planned and not decided)
    if planned is not None and early and not command.early:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `early` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    events, rows = _final(state, latest.number, context.seed)
    return [*events, concluded(first_of(rows), latest.number, context.seed, command.early if early else "")]


def _final(state: Tournament, number: int, seed: str) -> tuple[list[Event], list[StandingRow]]:
    """The standings of the last round as recorded; recorded anew when somebody has left them since (AR-AMB-16)."""
    recorded = state.results.recorded[number]
    if as_rows(standings_of_round(state, number, recorded.seed)) == recorded.rows:
        return [], recorded.rows
    standings = standings_of_round(state, number, seed)
    return standings_recorded(standings, seed), as_rows(standings)


def concluded(first: Sequence[str], number: int, seed: str, early: str) -> TournamentConcluded:
    """The end; of several who share the first place one is drawn for the title (AR-AMB-15, DW-AMB-9)."""
    winner, draws = winner_of_first(first, number, seed)
    return TournamentConcluded(winner=winner, rounds=number, early=early, draws=draws)
