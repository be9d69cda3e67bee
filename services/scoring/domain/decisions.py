"""What follows from a command: events, or a refusal with its name. No clock, no randomness, nothing outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from services.scoring.domain import coins, coop_play, coop_results, coop_setup, results, rounds
from services.scoring.domain import commands as ask
from shared.events.base import Event
from shared.handling.context import Context
from shared.state.tournament import Tournament

Decide = Callable[[Tournament, Any, Context], Sequence[Event]]

CONCLUDE: Mapping[str, Decide] = MappingProxyType({"swiss": rounds.conclude, "coop": coop_results.conclude})
"""Format -> how a tournament of it ends."""


def _conclude(state: Tournament, command: ask.Conclude, context: Context) -> Sequence[Event]:
    return CONCLUDE[state.entries.format or "swiss"](state, command, context)


DECISIONS: Mapping[type, Decide] = MappingProxyType(
    {
        ask.ReportResult: results.report,
        ask.ReportResults: results.report_several,
        ask.ConfirmResult: results.confirm,
        ask.DisputeResult: results.dispute,
        ask.RuleResult: results.rule,
        ask.AppealRuling: results.appeal,
        ask.RejectAppeal: results.reject_appeal,
        ask.CorrectResult: results.correct,
        ask.VoidResult: results.void,
        ask.CloseRound: rounds.close,
        ask.ReopenRound: rounds.reopen,
        ask.EnterCoin: coins.enter,
        ask.GiveAward: rounds.give_award,
        ask.WithdrawAward: rounds.withdraw_award,
        ask.Conclude: _conclude,
        ask.SetUpSession: coop_setup.set_up,
        ask.PlayMoves: coop_play.play,
        ask.EndSession: coop_results.end,
        ask.ReportSession: coop_results.report,
        ask.ConfirmSession: coop_results.confirm,
        ask.CorrectSession: coop_results.correct,
        ask.PublishRanking: coop_results.publish,
    }
)
"""Command -> what decides it. Every command of scoring is here, or a test fails."""
