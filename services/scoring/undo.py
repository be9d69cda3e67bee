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
    CancelStandingsPublication,
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
from services.scoring.webhooks.commands import (
    ChangeWebhook,
    DeleteWebhook,
    DisableWebhook,
    EnableWebhook,
    Filter,
    ReplayWebhook,
    RotateWebhookSecret,
    SubscribeWebhook,
)
from shared.application.undo import TAKEN_BACK, Nothing, Reversal, Reversed, Undoing
from shared.events.base import Event
from shared.shapes import Command, made_from
from shared.tournament.events.webhooks import WebhookChanged
from shared.tournament.state import Tournament

Events = Sequence[Event]

REOPENED_IN = ("swiss",)
"""Formats whose rounds are reopened."""
PLAIN_RESULTS = ("swiss",)
"""Formats in which nothing but standings follows from a result."""

DRAWN_ANEW = "drawn-again"
CORRECTED = Nothing("A result that counts is changed by a correction: POST …/games/{game}/correction.")
FOLLOWED = Nothing("The groups have lived on with this result; correct it again, or enter what differs in the ledger.")
DICE = Nothing("Dice stay as they fell; enter in the ledger what they should not have changed.")
OF_TABLES = Nothing("What happened at a table stays in its history; correct how the session ended.")
OF_PHASE = Nothing("A choice stays; a ruling enters in the ledger what it should not have changed.")
OF_INVITATION = Nothing("Somebody may have been invited to the free place since; a player's answer stands.")


def _reported(before: Tournament, command: ReportResult, events: Events) -> Command | Reversal:
    if command.game in before.results.results:
        return CORRECTED
    followed = before.entries.format not in PLAIN_RESULTS
    return Reversed(VoidResult(game=command.game, reason=TAKEN_BACK), ["dice-on-record"] if followed else [])


def _all_reported(before: Tournament, command: ReportResults, events: Events) -> Command | Reversal:
    if len(command.results) != 1:
        return Nothing("Several results were entered; void each that is wrong: POST …/games/{game}/voiding.")
    return _reported(before, command.results[0], events)


def _corrected(before: Tournament, command: CorrectResult, events: Events) -> Command | Reversal:
    if before.entries.format not in PLAIN_RESULTS:
        return FOLLOWED
    result = before.results.results[command.game]
    back = type(command)(game=command.game, facts=dict(result.facts), reason=TAKEN_BACK, improbable=result.improbable)
    return Reversed(back, ["shown-as-corrected", DRAWN_ANEW])


def _closed(before: Tournament, command: CloseRound, events: Events) -> Command | Reversal:
    if before.entries.format not in REOPENED_IN:
        return Nothing("A round of a campaign stays closed; its results can still be corrected.")
    return ReopenRound(round=command.round, reason=TAKEN_BACK)


def _award_withdrawn(before: Tournament, command: WithdrawAward, events: Events) -> Command | Reversal:
    award = before.results.awards[command.award]
    return Reversed(GiveAward(name=award.name, player=award.player, reason=award.reason), ["award-id"])


def _webhook_changed(
    before: Tournament, command: ChangeWebhook, events: Sequence[WebhookChanged]
) -> Command | Reversal:
    if command.url is not None:
        return Nothing("Where it led before is not known any more; change it again.")
    known, (event,) = before.webhooks.by_id[command.webhook], events
    return ChangeWebhook(
        webhook=known.id,
        name=None if event.name is None else known.name,
        audience=None if event.audience is None else known.audience,  # type: ignore[arg-type]
        filter=None if event.filter is None else made_from(Filter, known.filter),
    )


def _webhook_enabled(before: Tournament, command: EnableWebhook, events: Events) -> Command | Reversal:
    known = before.webhooks.by_id[command.webhook]
    remains = ["disabled-since"] if known.cause == "asked" else ["disabled-since", "disabled-by-somebody"]
    return Reversed(DisableWebhook(webhook=known.id, reason=known.reason), remains)


def _webhook_disabled(before: Tournament, command: DisableWebhook, events: Events) -> Command | Reversal:
    return Reversed(EnableWebhook(webhook=command.webhook), ["right-of-another"])


def _publishing(before: Tournament, command: PublishStandings, events: Events) -> Command | Reversal:
    if command.at is None:
        return Nothing("What everybody has seen stays seen.")
    earlier = before.results.publish_at
    return PublishStandings(at=earlier) if earlier else CancelStandingsPublication()


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
    ReopenRound: lambda before, command, events: Reversed(CloseRound(round=command.round), [DRAWN_ANEW]),
    PublishStandings: _publishing,
    CancelStandingsPublication: lambda before, command, events: PublishStandings(at=before.results.publish_at),
    EnterCoin: Nothing("The earlier draw does not come back; enter the right order."),
    GiveAward: lambda before, command, events: WithdrawAward(award=events[0].award, reason=TAKEN_BACK),
    WithdrawAward: _award_withdrawn,
    Conclude: Nothing("A tournament that is over stays over; its results can still be corrected."),
    EnterLedger: Nothing("Enter the opposite, with its reason; the ledger keeps both."),
    MusterGroup: Nothing("Say again who plays, before dice are rolled for it."),
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
    ConfirmDice: Nothing("Staff can rule whether dice stand: POST …/dice/ruling."),
    DisputeDice: Nothing("The person who disputed dice can still confirm them; otherwise staff rule."),
    RuleDice: Nothing("Rule again; the last ruling counts."),
    MakeFinalCut: Nothing("Make the cut again, as long as nobody has answered."),
    AcceptInvitation: OF_INVITATION,
    DeclineInvitation: OF_INVITATION,
    SubscribeWebhook: lambda before, command, events: Reversed(DeleteWebhook(webhook=events[0].webhook), ["was-sent"]),
    ChangeWebhook: _webhook_changed,
    RotateWebhookSecret: Nothing("A secret that is replaced does not come back; rotate again."),
    EnableWebhook: _webhook_enabled,
    DisableWebhook: _webhook_disabled,
    ReplayWebhook: Nothing("What is sent once more cannot be taken back; replay from another place."),
    DeleteWebhook: Nothing("Its address and secrets are destroyed; subscribe again."),
}
"""Command -> its row. Every command of scoring is here, or a test fails."""
