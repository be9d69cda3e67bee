"""What follows from a command: events, or a refusal with its name. No clock, no randomness, nothing outside."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from services.scoring.domain import (
    campaign_dice,
    campaign_league,
    campaign_muster,
    campaign_phase,
    campaign_rulings,
    coins,
    coop_play,
    coop_results,
    coop_setup,
    results,
    rounds,
    rulings,
    season,
    season_end,
)
from services.scoring.domain import commands as ask
from services.scoring.domain import game_commands as before_game
from services.scoring.domain import phase_commands as phase
from services.scoring.domain import ruling_commands as ruling
from services.scoring.domain import season_commands as of_season
from services.scoring.domain.campaign_settling import settling
from shared.handling.by_format import Decide, by_format


def _of_two(decide: Decide) -> Decide:
    """A decision about a game of two players: in a campaign with what it brings about in both groups."""
    return by_format({"swiss": decide, "campaign": settling(decide)})


DECISIONS: Mapping[type, Decide] = MappingProxyType(
    {
        ask.ReportResult: _of_two(results.report),
        ask.ReportResults: results.report_several,
        ask.ConfirmResult: _of_two(results.confirm),
        ask.DisputeResult: _of_two(results.dispute),
        ask.RuleResult: _of_two(rulings.rule),
        ask.AppealRuling: _of_two(rulings.appeal),
        ask.RejectAppeal: _of_two(rulings.reject_appeal),
        ask.CorrectResult: by_format({"swiss": rulings.correct, "campaign": campaign_rulings.correct}),
        ask.OverrideRuling: by_format({"swiss": rulings.correct, "campaign": campaign_rulings.correct}),
        ask.VoidResult: _of_two(rulings.void),
        ask.CloseRound: by_format({"swiss": rounds.close, "campaign": campaign_league.close}),
        ask.ReopenRound: rounds.reopen,
        ask.EnterCoin: coins.enter,
        ask.GiveAward: rounds.give_award,
        ask.WithdrawAward: rounds.withdraw_award,
        ask.Conclude: by_format(
            {
                "swiss": rounds.conclude,
                "coop": coop_results.conclude,
                "campaign": campaign_league.conclude,
                "season": season_end.conclude,
            }
        ),
        ruling.EnterLedger: campaign_rulings.enter,
        before_game.MusterGroup: campaign_muster.muster,
        before_game.RollJams: campaign_muster.roll_jams,
        before_game.JudgeEvil: campaign_muster.judge_evil,
        before_game.RollObjective: campaign_muster.roll_objective,
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
        **campaign_dice.DICE,
        of_season.TakeResults: season.take,
        of_season.MakeFinalCut: season_end.make_cut,
        of_season.AcceptInvitation: season_end.accept,
        of_season.DeclineInvitation: season_end.decline,
    }
)
"""Command -> what decides it. Every command of scoring is here, or a test fails."""
