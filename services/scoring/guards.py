"""Guards of scoring: refusals of several topics, and the checks that raise them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from shared.refusals import Fault, Refusal, expects
from shared.rules.model import ImprobableResult
from shared.rules.parts import DEFAULT_STAFF_RULES
from shared.tournament.format import has_clock, rules_of
from shared.tournament.guards import By, TournamentOver, require_announced
from shared.tournament.results import Result
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament


class GameUnknown(Refusal):
    """No round has a game with this id."""

    code = "game-unknown"


class NoResultForBye(Refusal):
    """A bye is worth what the ruleset says; there is nothing to report."""

    code = "bye-has-no-result"


class NotYourGame(Refusal):
    """A player speaks of their own games only."""

    code = "not-your-game"


class RoundNotBegun(Refusal):
    """The round is paired and has not started."""

    code = "round-not-begun"


class RoundClosed(Refusal):
    """The round is closed; a result of it is corrected, not reported."""

    code = "round-closed"


class RoundNotClosed(Refusal):
    """The round is not closed, and this needs it to be."""

    code = "round-not-closed"


class RoundUnknown(Refusal):
    """No such round is paired."""

    code = "round-unknown"


class ResultMissing(Refusal):
    """Nothing was reported of this game yet."""

    code = "result-missing"


class OwnGame(Refusal):
    """The member of staff plays this game themselves, and the ruleset leaves it to another one."""

    code = "own-game"


class StaffOnly(Refusal):
    """Only staff report forfeits and no-shows."""

    code = "staff-only"


class RoundsRemain(Refusal):
    """Rounds that were planned have not been played; data: `planned`, `closed`."""

    code = "rounds-remain"


class PlayerUnknown(Refusal):
    code = "player-unknown"


def running(state: Tournament, *, concluded_too: bool = False) -> Tournament:
    """The tournament, unless it is over. Raises UnknownTournament, TournamentOver."""
    if require_announced(state).status == "cancelled" or (state.results.concluded and not concluded_too):
        over = "concluded; binding results may still be corrected" if state.results.concluded else "cancelled"
        raise TournamentOver(f"The tournament is {over}.")
    return state


def game_of(state: Tournament, game: str) -> tuple[Round, Seat]:
    """A game and its round; a bye is none. Raises GameUnknown, NoResultForBye."""
    number = game.removeprefix("r").partition("g")[0]
    round = state.rounds.rounds.get(int(number)) if number.isascii() and number.isdigit() else None
    seat = round.seats.get(game) if round else None
    if round is None or seat is None:
        raise GameUnknown(f"No round has a game {game}.", [Fault("/game", game, expects("game-of-paired-round"))])
    if seat.kind == "bye":
        raise NoResultForBye(f"{game} is the bye of {seat.player_1}; the ruleset says what it is worth.")
    return round, seat


def open_game(state: Tournament, game: str) -> tuple[Round, Seat]:
    """A game of a round that has started and is not closed; without a clock, rounds begin as paired.

    Raises RoundNotBegun, RoundClosed.
    """
    round, seat = game_of(running(state), game)
    if round.number in state.results.closed:
        raise RoundClosed(f"Round {round.number} is closed; correct the result instead.", round=round.number)
    if round.status != "started" and has_clock(state.entries):
        raise RoundNotBegun(f"Round {round.number} has not started.", round=round.number)
    return round, seat


def round_of(state: Tournament, round: int) -> Round:
    """A paired round. Raises RoundUnknown."""
    if round not in state.rounds.rounds:
        raise RoundUnknown(
            f"Round {round} is not paired.", [Fault("/round", str(round), expects("paired-round"))], round=round
        )
    return state.rounds.rounds[round]


def result_of(state: Tournament, game: str) -> Result:
    """What was reported of a game. Raises ResultMissing."""
    if game not in state.results.results:
        raise ResultMissing(f"{game} has no reported result yet.")
    return state.results.results[game]


def side_of(state: Tournament, by: By, seat: Seat) -> int:
    """A player's place in the pairing, from 1, a spare player's included; 0 for staff. Raises NotYourGame, OwnGame."""
    if by.staff:
        refuse_own_game(state, by, seat)
        return 0
    if by.player and by.player in seat.players:
        return seat.players.index(by.player) + 1
    if by.role == "spare" and seat.kind == "spare" and by.actor == seat.player_2:
        return 2
    raise NotYourGame(f"{seat.game} is a game of {named(seat)}.")


def named(seat: Seat) -> str:
    """Who plays a game, for a sentence: the players, or a player and the spare player."""
    *first, last = seat.players if seat.kind == "game" else (seat.player_1, seat.player_2)
    return f"{', '.join(first)} and {last}"


def on_one_side(seat: Seat, one: int, other: int) -> bool:
    """Whether two places of a pairing are of one player, or of allies; 0, the staff, is on nobody's side."""
    places = range(1, len(seat.players) + 1)
    both_play = one in places and other in places
    return one == other or (both_play and seat.players[other - 1] in seat.allies_of(seat.players[one - 1]))


def refuse_own_game(state: Tournament, by: By, seat: Seat) -> None:
    """Raises OwnGame for a judge who plays in this game, where the ruleset leaves it to another one (AR-AMB-20)."""
    rules = rules_of(state.entries).staff or DEFAULT_STAFF_RULES
    member = state.entries.staff.get(by.actor)
    if rules.own_games or member is None or not member.player or member.player not in seat.players:
        return
    raise OwnGame(f"{member.name} plays {seat.game}; another judge decides.", clause=rules.cites("own_games"))


def stood_by(state: Tournament, found: Sequence[Fault], improbable: bool) -> bool:
    """Return True if facts are improbable and whoever reported them stands by them.

    found: what is improbable in them. improbable: the reporter says that they are right all the same. Raises
    ImprobableResult otherwise, with what would be probable and why.
    """
    if found and not improbable:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in found]
        said = "; ".join(f"{fault.said}, where a game brings {fault.expected}" for fault in found)
        raise ImprobableResult(
            f"{said}. If it is right, say `improbable`: true.", faults, ruleset=rules_of(state.entries).id
        )
    return bool(found)
