"""Standings after any round: the Swiss standings, or after a cut the places that the bracket gives.

Source: DW-CUT-3 to DW-CUT-6, DW-AMB-5, DW-AMB-12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from shared.formats.swiss.games import entrants_of, games_of
from shared.formats.swiss.ranking import as_draws, as_rows, recorded_standings, standings_after
from shared.formats.swiss.rules.elimination import BRACKET_TIE, ahead_after_a_tie, by_round_reached, won_by
from shared.formats.swiss.rules.standings import Standings
from shared.formats.swiss.ruleset import ruleset_of, scored
from shared.rules.draw import make_draw
from shared.rules.model import Draw
from shared.tournament.events.pairing import Seat
from shared.tournament.results import Recorded
from shared.tournament.state import Tournament


def standings_of_round(
    state: Tournament,
    number: int,
    seed: str | None,
    after_swiss: Callable[[Tournament, int, str | None], Standings] = standings_after,
) -> Standings:
    """The standings after round `number`, computed from the results that bind now; ties drawn from the seed.
    Without a seed, tied players share a rank.

    after_swiss: gives those after a Swiss round; who keeps them up has its own.
    """
    round = state.rounds.rounds.get(number)
    if round is None or round.stage != "elimination":
        return after_swiss(state, number, seed)
    cut_after = state.rounds.cut_after
    return _places(state, number, seed, after_swiss(state, cut_after, state.results.seed_of(cut_after) or seed))


def standings_anew(state: Tournament, seeds: Mapping[int, str]) -> dict[int, Recorded]:
    """Return the standings after several closed rounds, computed in order, each upon those made anew before it.

    seeds: round -> the seed that draws its ties.
    """
    made: dict[int, Recorded] = {}
    for number, seed in sorted(seeds.items()):
        standings = standings_of_round(with_recorded(state, made), number, seed)
        made[number] = Recorded(number, as_rows(standings), seed, as_draws(standings))
    return made


def standings_held_back(state: Tournament) -> dict[int, Recorded]:
    """Return the standings that are held back, as they are recorded when they are published."""
    return standings_anew(state, {number: held.seed for number, held in state.results.held_back.items()})


def with_recorded(state: Tournament, recorded: Mapping[int, Recorded]) -> Tournament:
    """Return the tournament with other standings recorded of some rounds."""
    if not recorded:
        return state
    return replace(state, results=replace(state.results, recorded={**state.results.recorded, **recorded}))


def closed_standings(state: Tournament, number: int) -> Standings | None:
    """Return the standings after a closed round: as recorded, or computed while they are held back; None for others."""
    held = state.results.held_back.get(number)
    return standings_of_round(state, number, held.seed) if held else recorded_standings(state, number)


def bracket_decided(state: Tournament, number: int, seed: str) -> bool:
    """Whether after elimination round `number` nobody is left to be paired with somebody. DW-CUT-6."""
    round = state.rounds.rounds.get(number)
    if round is None or round.stage != "elimination":
        return False
    reached, _ = _reached(state, number, seed)
    return sum(last > number + 1 for last in reached.values()) < 2


def _places(state: Tournament, number: int, seed: str | None, swiss: Standings) -> Standings:
    """Who is still in the bracket first, then who was in it longest, equal ones and all others as at the cut."""
    reached, draws = _reached(state, number, seed)
    return by_round_reached(swiss, reached, number, draws)


def _reached(state: Tournament, number: int, seed: str | None) -> tuple[dict[str, int], list[Draw]]:
    """The round in which everybody of the bracket went out, by a game or by leaving before it; a round that is not
    played, for who is still in. And the draws of round `number` that decided it."""
    reached = dict.fromkeys(state.rounds.cut, number + 2)
    draws: list[Draw] = []
    for elimination in range(state.rounds.cut_after + 1, number + 1):
        through: list[str] = []
        for seat in state.rounds.rounds[elimination].seats.values():
            winner, draw = winner_of(state, elimination, seat, seed)
            if draw and not draw.seed:  # it is drawn when the round is closed
                through += seat.players
                continue
            draws += [draw] if draw and elimination == number else []
            through.append(winner)
        reached |= {player: elimination for player in _still_in(reached, number) if player not in through}
    alive = _still_in(reached, number)
    stayed = _stayed(state, number).intersection(alive)
    if stayed:  # the last one left has won, whatever became of them
        reached |= {player: number + 1 for player in alive if player not in stayed}
    return reached, draws


def _still_in(reached: Mapping[str, int], number: int) -> list[str]:
    return [player for player, round in reached.items() if round > number]


def _stayed(state: Tournament, number: int) -> set[str]:
    """Who may be paired in the bracket after round `number`."""
    given_up = {player for player, promoted in state.rounds.given_up.items() if not promoted}
    return {entrant.player for entrant in entrants_of(state) if entrant.plays(number + 1)} - given_up


def winner_of(state: Tournament, number: int, seat: Seat, seed: str | None) -> tuple[str, Draw | None]:
    """Who goes on from an elimination game; nobody when neither came or the result does not bind.

    A tie goes to the higher second value of the standings (break points) of that game, then of one earlier round
    after the other added, in the end to a recorded draw. Source: DW-CUT-4, DW-CUT-5, DW-AMB-5.
    """
    if seat.kind == "bye":
        return seat.player_1, None
    result = state.results.results.get(seat.game)
    if result is None or not result.binds:
        return "", None
    _, score = scored(state.entries, result.facts)
    won = won_by(score, seat.players)
    return _tie(state, number, seat, seed) if won is None else (won, None)


def _tie(state: Tournament, number: int, seat: Seat, seed: str | None) -> tuple[str, Draw | None]:
    if ahead := ahead_after_a_tie(ruleset_of(state.entries), games_of(state, number), number, seat.players):
        return ahead, None
    held = state.results.held_back.get(number)
    draw = _drawn_before(state, number, seat)
    draw = draw or make_draw(held.seed if held else seed or "", BRACKET_TIE, number, seat.players)
    return draw.order[0], draw


def _drawn_before(state: Tournament, number: int, seat: Seat) -> Draw | None:
    """The draw that was recorded for this very game: who went on by it has gone on, whatever is recorded anew."""
    recorded = state.results.recorded.get(number)
    for draw in recorded.draws if recorded else ():
        if draw.purpose == BRACKET_TIE and set(draw.order) == set(seat.players):
            return Draw(draw.purpose, draw.round, draw.seed, tuple(sorted(draw.order)), tuple(draw.order))
    return None
