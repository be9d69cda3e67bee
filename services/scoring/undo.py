"""What reverses each command of scoring; a row for each, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence

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
from services.scoring.season.commands import AcceptInvitation, DeclineInvitation, MakeFinalCut
from services.scoring.tournament.commands import (
    CloseRound,
    Conclude,
    ConfirmResult,
    CorrectResult,
    EnterCoin,
    GiveAward,
    OverrideRuling,
    PublishStandings,
    RejectAppeal,
    ReopenRound,
    ReportResult,
    ReportResults,
    RuleResult,
    VoidResult,
    WithdrawAward,
)
from shared.application.undo import TAKEN_BACK, Nothing, Reversal, Reversed, Undoing
from shared.events.base import Event
from shared.shapes import Command
from shared.tournament.events.scoring import AwardGiven
from shared.tournament.state import Tournament

Events = Sequence[Event]

REOPENED_IN = ("swiss",)
"""Formats whose rounds are reopened."""
PLAIN_RESULTS = ("swiss",)
"""Formats in which nothing but standings follows from a result."""

DRAWN_ANEW = "A tie that a draw decides is drawn anew, where the ruleset does not keep earlier draws."
OF_GROUPS = "The groups are as before; dice that were rolled stay on record, and entries of their balances."
CORRECTED = Nothing("A result that binds is put right by a correction: POST …/games/{game}/correction.")
FOLLOWED = Nothing("The groups have lived on from this result; put it right by another correction, or in the ledger.")
DICE = Nothing("Dice stand as they fell; what they should not have brought about is entered in the ledger.")
OF_TABLES = Nothing("What happened at a table stays in its history; correct how the session ended.")
OF_PHASE = Nothing("A choice stands; what it should not have brought about is entered in the ledger by a ruling.")
OF_INVITATION = Nothing("Somebody may have been invited in the place that became free; the answer of a player stands.")


def _reported(before: Tournament, command: ReportResult, events: Events) -> Command | Reversal:
    if command.game in before.results.results:
        return CORRECTED
    followed = before.entries.format not in PLAIN_RESULTS
    return Reversed(VoidResult(game=command.game, reason=TAKEN_BACK), OF_GROUPS if followed else "")


def _all_reported(before: Tournament, command: ReportResults, events: Events) -> Command | Reversal:
    if len(command.results) != 1:
        return Nothing("Several results were entered; void each that is wrong: POST …/games/{game}/voiding.")
    return _reported(before, command.results[0], events)


def _corrected(before: Tournament, command: CorrectResult, events: Events) -> Command | Reversal:
    if before.entries.format not in PLAIN_RESULTS:
        return FOLLOWED
    result = before.results.results[command.game]
    back = type(command)(game=command.game, facts=dict(result.facts), reason=TAKEN_BACK, improbable=result.improbable)
    return Reversed(back, f"The game is shown as corrected. {DRAWN_ANEW}")


def _closed(before: Tournament, command: CloseRound, events: Events) -> Command | Reversal:
    if before.entries.format not in REOPENED_IN:
        return Nothing("A round of a campaign stays closed; results can be corrected all the same.")
    return ReopenRound(round=command.round, reason=TAKEN_BACK)


def _reopened(before: Tournament, command: ReopenRound, events: Events) -> Command | Reversal:
    return Reversed(CloseRound(round=command.round), DRAWN_ANEW)


def _awarded(before: Tournament, command: GiveAward, events: Sequence[AwardGiven]) -> Command | Reversal:
    return WithdrawAward(award=events[0].award, reason=TAKEN_BACK)


def _award_withdrawn(before: Tournament, command: WithdrawAward, events: Events) -> Command | Reversal:
    award = before.results.awards[command.award]
    return Reversed(GiveAward(name=award.name, player=award.player, reason=award.reason), "The award has a new id.")


UNDO: Undoing = {
    ReportResult: _reported,
    ReportResults: _all_reported,
    ConfirmResult: CORRECTED,
    RuleResult: CORRECTED,
    RejectAppeal: Nothing("The ruling is final; an organiser may override it: POST …/games/{game}/override."),
    CorrectResult: _corrected,
    OverrideRuling: _corrected,
    VoidResult: Nothing("Report the result again."),
    CloseRound: _closed,
    ReopenRound: _reopened,
    PublishStandings: Nothing("What everybody has seen stays seen."),
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
    MakeFinalCut: Nothing("Make the cut again, until somebody has answered."),
    AcceptInvitation: OF_INVITATION,
    DeclineInvitation: OF_INVITATION,
}
"""Command -> its row. Every command of scoring is here, or a test fails."""
