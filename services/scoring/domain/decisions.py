"""What follows from a command: events, or a refusal with its name. No clock, no randomness, nothing outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from services.scoring.domain import coins, results, rounds
from services.scoring.domain import commands as ask
from shared.events.base import Event
from shared.handling.context import Context
from shared.state.tournament import Tournament

DECISIONS: Mapping[type, Callable[[Tournament, Any, Context], Sequence[Event]]] = MappingProxyType(
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
        ask.Conclude: rounds.conclude,
    }
)
"""Command -> what decides it. Every command of scoring is here, or a test fails."""
