"""The bracket as a tree: every game of it, also those to come, with the game that its winner goes on to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from shared.shapes import View
from shared.swiss.elimination import first_bracket
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import goes_on, has_left, winner_of_bracket
from shared.tournament.games import GameStatus, status_of
from shared.tournament.rounds import Seat, place_of
from shared.tournament.state import Tournament

NOBODY = ("", "")


class BracketSide(View, frozen=True, kw_only=True):
    """Who plays on one side of a game of the bracket."""

    player: Annotated[str, "Empty: not known yet, or nobody."]
    name: str
    seed: Annotated[int, "In the cut, from 1; 0: nobody is known."]
    comes_from: Annotated[str, "The place of the game that they have won; empty in the first round, and if reseeded."]


class BracketGame(View, frozen=True, kw_only=True):
    """A game of the bracket, paired or to come."""

    place: Annotated[str, "`2.1` is the first game of the second round of the bracket."]
    leads_to: Annotated[str, "The place that the winner goes on to; empty for the final, and where it is reseeded."]
    round: Annotated[int, "The round of the tournament."]
    id: Annotated[str, "The id of the game; empty while it is not paired, and where nobody plays."]
    status: Annotated[GameStatus | UnsetType, "Left out while it is not paired."] = UNSET
    winner: Annotated[str, "Who goes on; empty while that is open, and where nobody does."]
    sides: Annotated[list[BracketSide], "Two."]


class BracketView(View, frozen=True, kw_only=True):
    """Every game of the bracket, the first round first."""

    bracket: Annotated[str, "seeded, random or reseed; none: there is no such stage."]
    size: Annotated[int, "Places of the first round: 2, 4, 8 …; 0: no cut is made."]
    winner: Annotated[str, "The winner of the bracket; empty while it is open."]
    items: list[BracketGame]


def bracket_view(state: Tournament) -> BracketView:
    """The bracket of the cut that was made; with no games before there is one."""
    kind = ruleset_of(state.entries).cut.bracket
    games = list(_games(state, kind)) if state.rounds.cut else []
    size, last = (len(games) + 1, games[-1].winner) if games else (0, "")
    final = games[-1].round if games else 0
    being_played = final in state.rounds.rounds and final not in state.results.closed
    winner = last if being_played else winner_of_bracket(state)
    return BracketView(bracket=kind, size=size, winner=winner, items=games)


def _games(state: Tournament, kind: str) -> Iterator[BracketGame]:
    """Round after round, from who is in the cut to the final. Source: DW-CUT-2, DW-AMB-4."""
    pairs = _first_pairs(state, kind)
    rounds, before = len(pairs).bit_length(), list[str]()
    for depth in range(1, rounds + 1):
        number, winners = state.rounds.cut_after + depth, list[str]()
        seats = _seats(state, number)
        for place, known in enumerate(pairs, start=1):
            seat = seats.get(place)
            sides = (seat.player_1, seat.player_2) if seat else NOBODY if seats else known
            winner = goes_on(state, number, seat) if seat else ""
            winners.append(winner)
            tells = kind != "reseed"
            yield BracketGame(
                place=f"{depth}.{place}",
                leads_to=f"{depth + 1}.{(place + 1) // 2}" if depth < rounds and tells else "",
                round=number,
                id=seat.game if seat else "",
                status=status_of(state, seat) if seat else UNSET,
                winner=winner,
                sides=[
                    _side(state, player, f"{depth - 1}.{feeding}" if depth > 1 and tells else "")
                    for player, feeding in zip(sides, _feeding(place, sides, before), strict=True)
                ],
            )
        before = winners
        there = [player if player and not has_left(state, player) else "" for player in winners]
        follow = list(zip(there[::2], there[1::2], strict=False))
        pairs = [NOBODY] * len(follow) if kind == "reseed" else follow


def _feeding(place: int, sides: tuple[str, str], before: Sequence[str]) -> tuple[int, int]:
    """Return the places from which the sides of a place come: where a player has won, that one.

    before: who has won each place of the round before.
    """
    one, two = 2 * place - 1, 2 * place
    won_there = before[two - 1] if two <= len(before) else ""
    return (two, one) if won_there and won_there == sides[0] else (one, two)


def _first_pairs(state: Tournament, kind: str) -> Sequence[tuple[str, str]]:
    """Who meets in the first round, as paired or as it will be; in a draw that is not made nobody is known."""
    number = state.rounds.cut_after + 1
    if seats := _seats(state, number):
        return [(seats[place].player_1, seats[place].player_2) for place in sorted(seats)]
    if order := ["" if state.rounds.given_up.get(player) == "" else player for player in state.rounds.bracket]:
        return list(zip(order[::2], order[1::2], strict=True))
    seeds = [player for player in state.rounds.cut if state.rounds.given_up.get(player) != ""]
    if len(seeds) < 2:
        return []
    if kind == "random":
        return [NOBODY] * ((1 << (len(seeds) - 1).bit_length()) // 2)
    return first_bracket(ruleset_of(state.entries), seeds, round=number, seed="")


def _seats(state: Tournament, number: int) -> dict[int, Seat]:
    """Place in the bracket -> the game of an elimination round; none before it is paired."""
    round = state.rounds.rounds.get(number)
    return {place_of(seat): seat for seat in round.seats.values()} if round and round.stage == "elimination" else {}


def _side(state: Tournament, player: str, comes_from: str) -> BracketSide:
    cut = state.rounds.cut
    return BracketSide(
        player=player,
        name=state.entries.name_of(player) if player else "",
        seed=cut.index(player) + 1 if player in cut else 0,
        comes_from=comes_from,
    )
