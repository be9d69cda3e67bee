"""Which venues a command of scoring is about, for staff who act at one venue only."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.scoring.domain import commands as ask
from services.scoring.domain import game_commands as before_game
from shared.handling.venues import Venues, of_game, of_round, of_session
from shared.state.tournament import Tournament


def _game(state: Tournament, command: ask.ReportResult) -> list[str]:
    return of_game(state, command.game)


def _games(state: Tournament, command: ask.ReportResults) -> list[str]:
    return [venue for result in command.results for venue in of_game(state, result.game)]


def _round(state: Tournament, command: ask.CloseRound) -> list[str]:
    return of_round(state, command.round)


def _session(state: Tournament, command: ask.SetUpSession) -> list[str]:
    return of_session(state, command.session)


VENUES: Mapping[type, Venues] = MappingProxyType(
    {
        ask.ReportResult: _game,
        ask.ReportResults: _games,
        ask.ConfirmResult: _game,
        ask.RuleResult: _game,
        ask.RejectAppeal: _game,
        ask.CorrectResult: _game,
        ask.OverrideRuling: _game,
        ask.VoidResult: _game,
        ask.CloseRound: _round,
        ask.ReopenRound: _round,
        ask.EnterCoin: _round,
        before_game.MusterGroup: _game,
        before_game.RollJams: _game,
        before_game.JudgeEvil: _game,
        before_game.RollObjective: _game,
        ask.SetUpSession: _session,
        ask.PlayMoves: _session,
        ask.EndSession: _session,
        ask.ReportSession: _session,
        ask.ConfirmSession: _session,
        ask.CorrectSession: _session,
    }
)
"""Command -> its venues. What is not here is done by players, or is about the whole tournament."""
