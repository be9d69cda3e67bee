"""How many byes that do not come from the pairing a player has, and whether the ruleset allows one more."""

from __future__ import annotations

from shared.formats.swiss.rules.given_byes import fault_of_number
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.model import GivenBye
from shared.tournament.state import Tournament


def fault_of_one_more(
    state: Tournament, ruleset: Ruleset, player: str, given: GivenBye, where: str, *, besides: int = 0
) -> Fault | None:
    """What is wrong where a player gets one more bye of a kind; None where nothing is.

    besides: the round in which it would be, where that is paired already; what stands there now does not count.
    """
    had = sum(
        seat.player_1 == player and seat.bye == given
        for round in state.rounds.rounds.values()
        if round.number != besides
        for seat in round.seats.values()
    )
    return fault_of_number(ruleset, given, had, f"{given}, for {player}", where)
