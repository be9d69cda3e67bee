"""Which venues a command of pairing is about, for staff who act at one venue only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from services.pairing.domain import commands as ask
from shared.handling.venues import Venues, every_open, of_game, of_player, of_round, of_session
from shared.state.tournament import Tournament


def _everywhere(state: Tournament, command: ask.Command) -> list[str]:
    return every_open(state)


def _round(state: Tournament, command: ask.StartRound) -> list[str]:
    return of_round(state, command.round)


def _amended(state: Tournament, command: ask.AmendPairings) -> list[str]:
    """Where the games that change are played, and where they are to be."""
    named = {player for one in command.pairings for player in (one.player_1, one.player_2)}
    named |= {*command.sitting_out, *(command.swap or ())}
    round = state.rounds.rounds.get(command.round)
    now = [seat.venue for seat in round.seats.values() if named & {seat.player_1, seat.player_2}] if round else []
    return [*now, *(one.venue for one in command.pairings)]


def _moved(state: Tournament, command: ask.MoveTable) -> list[str]:
    return [*of_game(state, command.game), command.venue]


def _extended(state: Tournament, command: ask.ExtendClock) -> list[str]:
    return of_game(state, command.game) if command.game else of_round(state, command.round)


def _offered(state: Tournament, command: ask.OfferSpare) -> list[str]:
    return _of_staff(state, [command.staff])


def _recalled(state: Tournament, command: ask.RecallSpare) -> list[str]:
    return _of_staff(state, [command.staff] if command.staff else state.rounds.spares)


def _of_staff(state: Tournament, staff: Iterable[str]) -> list[str]:
    return [state.entries.staff[one].venue for one in staff if one in state.entries.staff]


def _given_up(state: Tournament, command: ask.GiveUpSeat) -> list[str]:
    return of_player(state, command.player)


def _session(state: Tournament, command: ask.ReseatTable) -> list[str]:
    return of_session(state, command.session)


VENUES: Mapping[type, Venues] = MappingProxyType(
    {
        ask.PairRound: _everywhere,
        ask.RepairRound: _everywhere,
        ask.WithdrawRound: _round,
        ask.AmendPairings: _amended,
        ask.MoveTable: _moved,
        ask.StartRound: _round,
        ask.CallTime: _round,
        ask.ExtendClock: _extended,
        ask.OfferSpare: _offered,
        ask.RecallSpare: _recalled,
        ask.MakeCut: _everywhere,
        ask.GiveUpSeat: _given_up,
        ask.OpenSessionRound: _everywhere,
        ask.ReseatTable: _session,
        ask.CloseSessionRound: _everywhere,
    }
)
"""Command -> its venues. Every command of pairing is here, or a test fails."""
