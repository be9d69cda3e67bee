"""What follows from a command: events, or a refusal with its name. No clock, no randomness, nothing outside."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.scoring.domain import (
    campaign_phase,
    coins,
    coop_play,
    coop_results,
    coop_setup,
    results,
    rounds,
    season,
    season_end,
)
from services.scoring.domain import commands as ask
from services.scoring.domain import phase_commands as phase
from services.scoring.domain import season_commands as of_season
from shared.handling.by_format import Decide, by_format

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
        ask.Conclude: by_format(
            {"swiss": rounds.conclude, "coop": coop_results.conclude, "season": season_end.conclude}
        ),
        ask.SetUpSession: coop_setup.set_up,
        ask.PlayMoves: coop_play.play,
        ask.EndSession: coop_results.end,
        ask.ReportSession: coop_results.report,
        ask.ConfirmSession: coop_results.confirm,
        ask.CorrectSession: coop_results.correct,
        ask.PublishRanking: coop_results.publish,
        phase.Choose: campaign_phase.choose,
        phase.CloseStep: campaign_phase.close,
        phase.OpenRecruits: campaign_phase.open_recruits,
        of_season.TakeResults: season.take,
        of_season.MakeFinalCut: season_end.make_cut,
        of_season.AcceptInvitation: season_end.accept,
        of_season.DeclineInvitation: season_end.decline,
    }
)
"""Command -> what decides it. Every command of scoring is here, or a test fails."""
