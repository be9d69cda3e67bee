"""The bracket as results lead it: who goes on from each place, and which games have a player who does not.

Results are scoring's, so scoring says who won; pairing asks the same functions on its copy of that log.
Source: DW-CUT-2 to DW-CUT-6, DW-AMB-11, DW-AMB-12.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.formats.swiss.places import bracket_decided, standings_of_round, winner_of
from shared.formats.swiss.ranking import as_rows
from shared.refusals import Refusal
from shared.tournament.events.pairing import Seat
from shared.tournament.placings import first_of
from shared.tournament.rounds import Round, place_of
from shared.tournament.state import Tournament

ELIMINATION = "elimination"


class BracketMovedOn(Refusal):
    """A player of the game has not won the game that leads to it; data: `round`, `games`, `players`."""

    code = "bracket-moved-on"


class Misled(Struct, frozen=True):
    """A player who sits in a game of the bracket and has not won the game before it.

    goes_on: who has won that game; empty: no one.
    """

    round: int
    game: str
    player: str
    goes_on: str


def goes_on(state: Tournament, number: int, seat: Seat) -> str:
    """Return who goes on from a game of elimination round `number`.

    Empty: the result does not bind, neither player came, or a draw that is not recorded yet decides.
    """
    winner, draw = winner_of(state, number, seat, "")
    return winner if draw is None or draw.seed else ""


def went_on(state: Tournament, number: int) -> list[str]:
    """Return who goes on from each place of elimination round `number`; empty where no one does."""
    places = {place_of(seat): seat for seat in state.rounds.rounds[number].seats.values()}
    return [
        goes_on(state, number, places[place]) if place in places else ""
        for place in range(1, max(places, default=0) + 1)
    ]


def has_left(state: Tournament, player: str) -> bool:
    """Return True if a player of the bracket has given the seat up or takes part no more."""
    return state.rounds.given_up.get(player) == "" or state.entries.players[player].status != "active"


def misled_in(state: Tournament, round: Round) -> list[Misled]:
    """Return the players of a round whom the bracket does not lead there; none in its first round."""
    before = state.rounds.rounds.get(round.number - 1)
    if round.stage != ELIMINATION or before is None or before.stage != ELIMINATION:
        return []
    winners = {player: goes_on(state, before.number, seat) for seat in before.seats.values() for player in seat.players}
    return [
        Misled(round.number, seat.game, player, winners.get(player, ""))
        for seat in round.seats.values()
        for player in seat.players
        if winners.get(player) != player
    ]


def refuse_misled(state: Tournament, round: Round, game: str = "") -> None:
    """Refuse a round with a player whom the bracket does not lead there. game: look at this one alone.

    Raises BracketMovedOn.
    """
    found = [one for one in misled_in(state, round) if game in ("", one.game)]
    if found:
        raise BracketMovedOn(
            f"{' and '.join(_said(state, one) for one in found)}. Pairing pairs such a game again as soon as it has"
            f" read the result, unless the round was paired by hand: POST …/rounds/{round.number}/repairing, or"
            " …/withdrawal once it has started.",
            round=round.number,
            games=list(dict.fromkeys(one.game for one in found)),
            players=[one.player for one in found],
        )


def _said(state: Tournament, one: Misled) -> str:
    name = state.entries.name_of
    other = f"; {name(one.goes_on)} has" if one.goes_on else ""
    return f"{name(one.player)} plays {one.game} and has not won the game that leads to it{other}"


def bracket_rounds(state: Tournament) -> Iterator[Round]:
    """Yield the rounds of the bracket that are paired, the first one first."""
    for _, round in sorted(state.rounds.rounds.items()):
        if round.stage == ELIMINATION:
            yield round


def is_settled(state: Tournament, number: int) -> bool:
    """Return True if the standings after a round follow from every result up to it.

    A copy of scoring's log may end between a correction and the standings that follow from it.
    """
    results = state.results
    if number not in results.closed or number in results.held_back:
        return number in results.held_back
    last = results.standings_changed_at(number)
    return all(one.changed <= last for one in results.results.values() if one.round <= number)


def winner_of_bracket(state: Tournament) -> str:
    """Return who won the bracket, as the end of the tournament names them; empty while that is open."""
    if state.results.concluded:
        return state.results.winner
    last = max((round.number for round in bracket_rounds(state)), default=0)
    seed = state.results.seed_of(last)
    if last not in state.results.closed or not seed or not bracket_decided(state, last, seed):
        return ""
    first = first_of(as_rows(standings_of_round(state, last, seed)))
    return first[0] if len(first) == 1 else ""
