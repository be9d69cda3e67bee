"""Decisions about the rounds of a Swiss tournament: closed with recorded standings, reopened, and the end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.scoring.swiss.bracket import refuse_played_on
from services.scoring.swiss.publishing import holds_back, recorded
from services.scoring.tournament.commands import CloseRound, Conclude, EnterCoin, ReopenRound
from services.scoring.tournament.refusals import (
    CoinNotOffered,
    GamesOpen,
    LaterRoundPaired,
    NotTied,
    RoundNotBegun,
    RoundNotClosed,
    RoundsRemain,
)
from services.scoring.tournament.rounds import concluded, pages_of
from services.scoring.tournament.state import round_of, running
from shared.log.event import Event
from shared.refusals import Fault, expects
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import (
    as_rows,
    bracket_decided,
    bracket_rounds,
    planned_rounds,
    refuse_misled,
    standings_anew,
    standings_held_back,
    standings_of_round,
    with_recorded,
)
from shared.tournament.format import first_of
from shared.tournament.games import named_games
from shared.tournament.guards import Context
from shared.tournament.results import (
    CoinEntered,
    Result,
    ResultCorrected,
    RoundClosed,
    RoundReopened,
    StandingRow,
    with_coin,
)
from shared.tournament.state import Tournament


def close(state: Tournament, command: CloseRound, context: Context) -> Sequence[Event]:
    """Close a round when every game binds, and record the standings with the draws that broke ties.

    Standings that are held back are recorded when they are published.
    """
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
    closed = RoundClosed(round=round.number, games=len(round.seats))
    seed = context.draws.answer(f"lot: standings, {round.number}")
    if holds_back(state):
        return [replace(closed, seed=seed)]
    earlier = standings_held_back(state)  # they are published on purpose no more
    this = _recorded(with_recorded(state, earlier), round.number, seed)
    return [*recorded(earlier), *this, closed]


def _recorded(state: Tournament, number: int, seed: str) -> list[Event]:
    """Return the events that record the standings after one round."""
    return pages_of(standings_anew(state, {number: seed})[number])


def rerecorded(state: Tournament, corrected: ResultCorrected, context: Context) -> list[Event]:
    """The standings of every closed round from the corrected one on, anew; and the winner, if it is another now.

    Standings that are held back are not recorded. Raises BracketPlayedOn.
    """
    closed = [number for number in sorted(state.results.closed) if number >= corrected.round]
    if not closed:
        return []
    results, held_back = dict(state.results.results), state.results.held_back
    results[corrected.game] = Result(corrected.round, corrected.game, corrected.facts, "corrected")
    after = replace(state, results=replace(state.results, results=results))
    made = standings_anew(after, {number: state.results.seed_of(number) for number in closed})
    refuse_played_on(state, with_recorded(after, made))
    events = [page for number, one in made.items() if number not in held_back for page in pages_of(one)]
    if state.results.concluded:
        first = first_of(made[closed[-1]].rows)
        if state.results.winner not in (first or [""]):
            events.append(concluded(first, closed[-1], context.draws, state.results.early))
    return events


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
    planned, held_back = planned_rounds(state), standings_held_back(state)
    state = with_recorded(state, held_back)
    decided = bracket_decided(state, latest.number, state.results.seed_of(latest.number))
    early = planned is None or (latest.number < planned and not decided)
    if planned is not None and early and not command.reason:
        raise RoundsRemain(
            f"{latest.number} of {planned} rounds are closed; say in `reason` why it ends here.",
            planned=planned,
            closed=latest.number,
        )
    events, rows = _final(state, latest.number)
    return [
        *recorded(held_back),
        *events,
        concluded(first_of(rows), latest.number, context.draws, command.reason if early else ""),
    ]


def _final(state: Tournament, number: int) -> tuple[list[Event], list[StandingRow]]:
    """The standings of the last round as recorded; recorded anew when somebody has left them since (AR-AMB-16)."""
    recorded = state.results.recorded[number]
    if as_rows(standings_of_round(state, number, recorded.seed)) == recorded.rows:
        return [], recorded.rows
    standings = standings_anew(state, {number: recorded.seed})[number]
    return pages_of(standings), standings.rows


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
    seed = state.results.seed_of(round.number)
    groups = [draw.group for draw in standings_of_round(state, round.number, seed).draws]
    if tuple(sorted(command.order)) not in groups:
        tied = [expects("group-of-players", players=list(group)) for group in groups]
        right = expects("tied-players", groups=tied) if tied else expects("nobody-tied")
        fault = Fault("/order", ", ".join(command.order), right, standings.cites("by_hand"))
        raise NotTied(f"These players are not the tied ones after round {round.number}.", [fault])
    entered = CoinEntered(round=round.number, order=command.order, reason=command.reason)
    if round.number in state.results.held_back:
        return [entered]
    after = replace(state, results=replace(state.results, coins=with_coin(state.results.coins, entered)))
    return [entered, *_recorded(after, round.number, seed)]
