"""What reverses each command of scoring; a row for each, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.scoring.campaign.commands import (
    Choose,
    CloseStep,
    ConfirmDice,
    DisputeDice,
    EnterLedger,
    JudgeEvil,
    MusterGroup,
    OpenRecruits,
    RollJams,
    RollObjective,
    RuleDice,
)
from services.scoring.coop.commands import (
    ConfirmSession,
    CorrectSession,
    EndSession,
    PlayMoves,
    PublishRanking,
    ReportSession,
    SetUpSession,
)
from services.scoring.season.commands import AcceptInvitation, DeclineInvitation, MakeFinalCut, TakeResults
from services.scoring.tournament.commands import (
    AppealRuling,
    CloseRound,
    Conclude,
    ConfirmResult,
    CorrectResult,
    DisputeResult,
    EnterCoin,
    GiveAward,
    OverrideRuling,
    RejectAppeal,
    ReopenRound,
    ReportResult,
    ReportResults,
    RuleResult,
    VoidResult,
    WithdrawAward,
)
from shared.application.undo import TAKEN_BACK, Nothing, Reversal, Undoing
from shared.events.base import Event
from shared.tournament.events.scoring import AwardGiven
from shared.tournament.state import Tournament

Events = Sequence[Event]

REOPENED_IN = ("swiss",)
"""Formats whose rounds are reopened."""
PLAIN_RESULTS = ("swiss",)
"""Formats in which nothing but standings follows from a result."""

CORRECTED = Nothing("A result that binds is put right by a correction: POST …/games/{game}/correction.")
FOLLOWED = Nothing("The groups have lived on from this result; put it right by another correction, or in the ledger.")
DICE = Nothing("Dice stand as they fell; what they should not have brought about is entered in the ledger.")
OF_TABLES = Nothing("What happened at a table stays in its history; correct how the session ended.")
OF_PHASE = Nothing("A choice stands; what it should not have brought about is entered in the ledger by a ruling.")
OF_INVITATION = Nothing("Somebody may have been invited in the place that became free; the answer of a player stands.")


def _reported(before: Tournament, command: ReportResult, events: Events) -> Reversal:
    if command.game in before.results.results or before.entries.format not in PLAIN_RESULTS:
        return Nothing("Take the result back while nothing has followed from it: POST …/games/{game}/voiding.")
    return VoidResult(game=command.game, reason=TAKEN_BACK)


def _all_reported(before: Tournament, command: ReportResults, events: Events) -> Reversal:
    if len(command.results) != 1:
        return Nothing("Several results were entered; void each that is wrong: POST …/games/{game}/voiding.")
    return _reported(before, command.results[0], events)


def _corrected(before: Tournament, command: CorrectResult, events: Events) -> Reversal:
    if before.entries.format not in PLAIN_RESULTS:
        return FOLLOWED
    result = before.results.results[command.game]
    return type(command)(game=command.game, facts=_facts(result), reason=TAKEN_BACK, improbable=result.improbable)


def _facts(result: Any) -> dict[str, Any]:
    return dict(result.facts)


def _closed(before: Tournament, command: CloseRound, events: Events) -> Reversal:
    if before.entries.format not in REOPENED_IN:
        return Nothing("A round of a campaign stays closed; results can be corrected all the same.")
    return ReopenRound(round=command.round, reason=TAKEN_BACK)


def _reopened(before: Tournament, command: ReopenRound, events: Events) -> Reversal:
    return CloseRound(round=command.round)


def _awarded(before: Tournament, command: GiveAward, events: Sequence[AwardGiven]) -> Reversal:
    return WithdrawAward(award=events[0].award, reason=TAKEN_BACK)


def _award_withdrawn(before: Tournament, command: WithdrawAward, events: Events) -> Reversal:
    award = before.results.awards[command.award]
    return GiveAward(name=award.name, player=award.player, reason=award.reason)


UNDO: Undoing = {
    ReportResult: _reported,
    ReportResults: _all_reported,
    ConfirmResult: CORRECTED,
    DisputeResult: Nothing("A player who was wrong agrees after all, or a referee rules."),
    RuleResult: CORRECTED,
    AppealRuling: Nothing("The head referee lets the ruling stand: POST …/games/{game}/appeal/rejection."),
    RejectAppeal: Nothing("The ruling is final; an organiser may override it: POST …/games/{game}/override."),
    CorrectResult: _corrected,
    OverrideRuling: _corrected,
    VoidResult: Nothing("Report the result again."),
    CloseRound: _closed,
    ReopenRound: _reopened,
    EnterCoin: Nothing("The draw of before is not made again; enter the order that is right."),
    GiveAward: _awarded,
    WithdrawAward: _award_withdrawn,
    Conclude: Nothing("A tournament that is over stays so; results can be corrected all the same."),
    EnterLedger: Nothing("Enter the opposite, with its reason: both stand in the ledger."),
    MusterGroup: Nothing("Say anew who plays, until dice were rolled for it."),
    RollJams: DICE,
    JudgeEvil: DICE,
    RollObjective: DICE,
    SetUpSession: OF_TABLES,
    PlayMoves: OF_TABLES,
    EndSession: OF_TABLES,
    ReportSession: OF_TABLES,
    ConfirmSession: OF_TABLES,
    CorrectSession: Nothing("Correct the session again; the history shows how it ended before."),
    PublishRanking: Nothing("A ranking that was published stays; a correction publishes another one."),
    Choose: OF_PHASE,
    CloseStep: OF_PHASE,
    OpenRecruits: DICE,
    ConfirmDice: Nothing("Staff rule whether dice stand: POST …/dice/ruling."),
    DisputeDice: Nothing("Whoever disputed dice may confirm them after all; else staff rule."),
    RuleDice: Nothing("Rule anew: the last ruling counts."),
    TakeResults: Nothing("A season follows its tournaments; release one that is not to count."),
    MakeFinalCut: Nothing("Make the cut again, until somebody has answered."),
    AcceptInvitation: OF_INVITATION,
    DeclineInvitation: OF_INVITATION,
}
"""Command -> its row. Every command of scoring is here, or a test fails."""
