"""Shared checks of scoring, and the refusals that they raise."""

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
    """The game is a bye. The ruleset defines its score, so nothing can be reported."""

    code = "bye-has-no-result"


class NotYourGame(Refusal):
    """The caller does not play in this game."""

    code = "not-your-game"


class RoundNotBegun(Refusal):
    """The round is paired but has not started."""

    code = "round-not-begun"


class RoundClosed(Refusal):
    """The round is closed. Correct the result instead of reporting it."""

    code = "round-closed"


class RoundNotClosed(Refusal):
    """The round must be closed first."""

    code = "round-not-closed"


class RoundUnknown(Refusal):
    """The round is not paired."""

    code = "round-unknown"


class ResultMissing(Refusal):
    """The game has no reported result."""

    code = "result-missing"


class OwnGame(Refusal):
    """The caller plays in this game, and the ruleset requires another judge."""

    code = "own-game"


class StaffOnly(Refusal):
    """Only staff may record this."""

    code = "staff-only"


class RoundsRemain(Refusal):
    """Planned rounds have not been played; data: `planned`, `closed`."""

    code = "rounds-remain"


class PlayerUnknown(Refusal):
    """The tournament has no such player."""

    code = "player-unknown"


def running(state: Tournament, *, concluded_too: bool = False) -> Tournament:
    """Return the state of a running tournament. Raises UnknownTournament, TournamentOver.

    concluded_too: accept a concluded one.
    """
    if require_announced(state).status == "cancelled" or (state.results.concluded and not concluded_too):
        over = "concluded; binding results may still be corrected" if state.results.concluded else "cancelled"
        raise TournamentOver(f"The tournament is {over}.")
    return state


def game_of(state: Tournament, game: str) -> tuple[Round, Seat]:
    """Return the round and the pairing of a game. Raises GameUnknown, NoResultForBye."""
    number = game.removeprefix("r").partition("g")[0]
    round = state.rounds.rounds.get(int(number)) if number.isascii() and number.isdigit() else None
    seat = round.seats.get(game) if round else None
    if round is None or seat is None:
        raise GameUnknown(f"No round has a game {game}.", [Fault("/game", game, expects("game-of-paired-round"))])
    if seat.kind == "bye":
        raise NoResultForBye(f"{game} is the bye of {seat.player_1}; the ruleset says what it is worth.")
    return round, seat


def open_game(state: Tournament, game: str) -> tuple[Round, Seat]:
    """Return the round and the pairing of a game whose result can be reported.

    Its part of the round must have started, unless the format has no clock.
    Raises RoundNotBegun, RoundClosed, and the exceptions of `game_of`.
    """
    round, seat = game_of(running(state), game)
    if state.results.is_closed(round.number, seat.venue):
        raise RoundClosed(f"Round {round.number} is closed; correct the result instead.", round=round.number)
    if round.clock_of(seat.venue) is None and has_clock(state.entries):
        raise RoundNotBegun(f"Round {round.number} has not started.", round=round.number)
    return round, seat


def round_of(state: Tournament, round: int) -> Round:
    """Return a paired round. Raises RoundUnknown."""
    if round not in state.rounds.rounds:
        raise RoundUnknown(
            f"Round {round} is not paired.", [Fault("/round", str(round), expects("paired-round"))], round=round
        )
    return state.rounds.rounds[round]


def result_of(state: Tournament, game: str) -> Result:
    """Return the result of a game. Raises ResultMissing."""
    if game not in state.results.results:
        raise ResultMissing(f"{game} has no reported result yet.")
    return state.results.results[game]


def side_of(state: Tournament, by: By, seat: Seat) -> int:
    """Return the caller's place in a pairing, from 1; 0 for staff. Raises NotYourGame, OwnGame."""
    if by.staff:
        refuse_own_game(state, by, seat)
        return 0
    if by.player and by.player in seat.players:
        return seat.players.index(by.player) + 1
    if by.role == "spare" and seat.kind == "spare" and by.actor == seat.player_2:
        return 2
    raise NotYourGame(f"{seat.game} is a game of {named(seat)}.")


def named(seat: Seat) -> str:
    """Return the players of a game as text."""
    *first, last = seat.players if seat.kind == "game" else (seat.player_1, seat.player_2)
    return f"{', '.join(first)} and {last}"


def are_allies(seat: Seat, first: int, second: int) -> bool:
    """Return True if two places of a pairing belong to the same player or to allies. 0 (staff) has no allies."""
    places = range(1, len(seat.players) + 1)
    both_play = first in places and second in places
    return first == second or (both_play and seat.players[second - 1] in seat.allies_of(seat.players[first - 1]))


def refuse_own_game(state: Tournament, by: By, seat: Seat) -> None:
    """Raise OwnGame if the caller is staff, plays in this game, and the ruleset requires another judge (AR-AMB-20)."""
    rules = rules_of(state.entries).staff or DEFAULT_STAFF_RULES
    member = state.entries.staff.get(by.actor)
    if rules.own_games or member is None or not member.player or member.player not in seat.players:
        return
    raise OwnGame(f"{member.name} plays {seat.game}; another judge decides.", clause=rules.cites("own_games"))


def confirm_improbable(state: Tournament, improbable: Sequence[Fault], confirmed: bool) -> bool:
    """Return True if facts are improbable and the reporter confirms them.

    improbable: the improbable facts. confirmed: by the reporter. Raises ImprobableResult if they are not confirmed.
    """
    if improbable and not confirmed:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in improbable]
        text = "; ".join(f"{fault.said}, where a game brings {fault.expected}" for fault in improbable)
        raise ImprobableResult(
            f"{text}. If it is right, say `improbable`: true.", faults, ruleset=rules_of(state.entries).id
        )
    return bool(improbable)
