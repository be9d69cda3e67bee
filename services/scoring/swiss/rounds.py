"""Decisions about the rounds of a Swiss tournament: closed with recorded standings, reopened, and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from services.scoring.swiss.bracket import refuse_played_on
from services.scoring.tournament.commands import CloseRound, Conclude, EnterCoin, ReopenRound
from services.scoring.tournament.publishing import drafts_standings, published_at_last
from services.scoring.tournament.refusals import (
    CoinNotOffered,
    GamesOpen,
    LaterRoundPaired,
    NotTied,
    RoundNotBegun,
    RoundNotClosed,
    RoundsRemain,
)
from services.scoring.tournament.rounds import concluded, standings_pages
from services.scoring.tournament.state import round_of, running
from shared.events.base import Event
from shared.formats.swiss.bracket import bracket_rounds, refuse_misled
from shared.formats.swiss.places import bracket_decided, standings_anew, standings_of_round
from shared.formats.swiss.ranking import as_draws, as_rows, planned_rounds
from shared.formats.swiss.rules.standings import Standings
from shared.formats.swiss.ruleset import ruleset_of
from shared.refusals import Fault
from shared.tournament.context import Context
from shared.tournament.events.scoring import (
    CoinEntered,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
    StandingRow,
)
from shared.tournament.game_status import named_games
from shared.tournament.placings import first_of
from shared.tournament.results import Recorded, Result, with_coin
from shared.tournament.state import Tournament


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Close a round when every game binds, and record the standings with the draws that broke ties."""
    round = round_of(running(state), command.round)
    if round.number in state.results.closed:
        return []
    if round.status != "started":
        raise RoundNotBegun(f"Round {round.number} has not started.", round=round.number)
    waiting = state.open_games(round.number)
    waiting += [game for game in round.seats if (r := state.results.results.get(game)) is not None and r.appealed]
    if waiting:
        count = f"{len(waiting)} open game{'s' if len(waiting) > 1 else ''}"
        raise GamesOpen(f"Round {round.number} has {count}: {named_games(state, waiting)}.", games=waiting)
    refuse_misled(state, round)
    recorded = standings_recorded(state, standings_of_round(state, round.number, context.seed), context.seed)
    return [*recorded, RoundClosed(round=round.number, games=len(round.seats))]


def standings_recorded(state: Tournament, standings: Standings, seed: str) -> list[Event]:
    """Standings as pages; drafts where they are published on purpose."""
    draft = drafts_standings(state, standings.round)
    return standings_pages(as_rows(standings), standings.round, seed, as_draws(standings), draft=draft)


def rerecorded(state: Tournament, corrected: ResultCorrected, context: Context) -> list[Event]:
    """The standings of every closed round from the corrected one on, anew; and the winner, if it is another now.

    Raises BracketPlayedOn.
    """
    closed = [number for number in sorted(state.results.closed) if number >= corrected.round]
    if not closed:
        return []
    results = dict(state.results.results)
    results[corrected.game] = Result(corrected.round, corrected.game, corrected.facts, "corrected")
    after = replace(state, results=replace(state.results, results=results))
    made = standings_anew(after, closed, context.seed)
    recorded = {number: Recorded(number, as_rows(one), context.seed, as_draws(one)) for number, one in made.items()}
    refuse_played_on(state, with_recorded(after, recorded))
    events = [event for standings in made.values() for event in standings_recorded(state, standings, context.seed)]
    if state.results.concluded:
        first = first_of(as_rows(made[closed[-1]]))
        if state.results.winner not in (first or [""]):
            events.append(concluded(first, closed[-1], context.seed, state.results.early))
    return events


def with_recorded(state: Tournament, recorded: Mapping[int, Recorded]) -> Tournament:
    """Return the tournament with other standings recorded of some rounds."""
    return replace(state, results=replace(state.results, recorded={**state.results.recorded, **recorded}))


def reopen(state: Tournament, command: ReopenRound, context: Context) -> Sequence[Event]:
    """Open the last closed round again, while nothing was paired from it."""
    running(state)
    round_of(state, command.round)
    if command.round not in state.results.closed:
        raise RoundNotClosed(f"Round {command.round} is not closed.", round=command.round)
    latest = state.rounds.latest()
    if latest is not None and latest.number > command.round:
        raise LaterRoundPaired(f"Round {latest.number} has been paired since; correct the result instead.")
    return [RoundReopened(round=command.round, reason=command.reason)]


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
    for round in bracket_rounds(state):
        refuse_misled(state, round)
    planned = planned_rounds(state)
    decided = bracket_decided(state, latest.number, context.seed)
    early = planned is None or (latest.number < planned and not decided)
    if planned is not None and early and not command.reason:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    events, rows = _final(state, latest.number, context.seed)
    return [
        *events,
        *published_at_last(state),
        concluded(first_of(rows), latest.number, context.seed, command.reason if early else ""),
    ]


def _final(state: Tournament, number: int, seed: str) -> tuple[list[Event], list[StandingRow]]:
    """The standings of the last round as recorded; recorded anew when somebody has left them since (AR-AMB-16)."""
    recorded = state.results.recorded[number]
    if as_rows(standings_of_round(state, number, recorded.seed)) == recorded.rows:
        return [], recorded.rows
    standings = standings_of_round(state, number, seed)
    return standings_recorded(state, standings, seed), as_rows(standings)


def enter_coin(state: Tournament, command: EnterCoin, context: Context) -> Sequence[Event]:
    """The order that a coin gave, while nothing was paired from the standings; they are recorded anew (FF-AMB-3)."""
    round = round_of(running(state), command.round)
    standings = ruleset_of(state.entries).standings
    if not standings.by_hand:
        raise CoinNotOffered("This ruleset draws every tie; nobody flips a coin.")
    if round.number not in state.results.closed:
        raise RoundNotClosed(f"Round {round.number} is not closed; who is tied may change.", round=round.number)
    latest = state.rounds.latest()
    if latest is not None and latest.number > round.number:
        raise LaterRoundPaired(f"Round {latest.number} was paired from these standings.")
    recorded = state.results.recorded[round.number]
    groups = [draw.group for draw in standings_of_round(state, round.number, recorded.seed).draws]
    if tuple(sorted(command.order)) not in groups:
        tied = "; ".join(", ".join(group) for group in groups) or "nobody is tied"
        wanted = f"all players of a tied group, each once: {tied}"
        fault = Fault("/order", ", ".join(command.order), wanted, standings.cites("by_hand"))
        raise NotTied(f"These players are not the tied ones after round {round.number}.", [fault])
    entered = CoinEntered(round=round.number, order=command.order, reason=command.reason)
    after = replace(state, results=replace(state.results, coins=with_coin(state.results.coins, entered)))
    return [entered, *standings_recorded(state, standings_of_round(after, round.number, context.seed), context.seed)]
