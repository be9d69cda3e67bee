"""The command table of scoring, and the module of each format."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from services.scoring import (
    campaign_choice_lists,
    campaign_dice,
    campaign_dice_rulings,
    campaign_games,
    campaign_phase,
    campaign_rulings,
    campaign_taking_back,
    coop_moves,
    coop_sessions,
    coop_taking_back,
    results,
    rounds,
    season_results,
    swiss_rounds,
)
from services.scoring.campaign_choice_lists import ChooseSeveral
from services.scoring.campaign_dice import ConfirmDice, DisputeDice
from services.scoring.campaign_dice_rulings import RuleDice
from services.scoring.campaign_games import JudgeEvil, MusterGroup, RollJams, RollObjective
from services.scoring.campaign_phase import Choose, CloseStep, OpenRecruits
from services.scoring.campaign_rulings import EnterLedger
from services.scoring.campaign_taking_back import TakeBack
from services.scoring.coop_moves import PlayMoves
from services.scoring.coop_sessions import (
    ConfirmSession,
    CorrectSession,
    EndSession,
    PublishRanking,
    ReportSession,
    SetUpSession,
)
from services.scoring.coop_taking_back import TakeBackMove
from services.scoring.results import (
    AppealRuling,
    ChangeReport,
    ConfirmResult,
    CorrectResult,
    DisputeResult,
    Ending,
    OverrideRuling,
    RejectAppeal,
    ReportResult,
    ReportResults,
    RuleResult,
    ScoringFormat,
    VoidResult,
)
from services.scoring.rounds import (
    CancelStandingsPublication,
    CloseRound,
    Conclude,
    EnterCoin,
    GiveAward,
    PublishDueStandings,
    PublishStandings,
    ReopenRound,
    SetPartAside,
    WithdrawAward,
)
from services.scoring.season_results import AcceptInvitation, DeclineInvitation, MakeFinalCut, TakeResults
from services.scoring.webhooks import commands as webhooks
from services.scoring.webhooks.commands import (
    ChangeWebhook,
    DeleteWebhook,
    DisableWebhook,
    EnableWebhook,
    ReplayWebhook,
    RotateWebhookSecret,
    SubscribeWebhook,
    SuspendWebhook,
)
from shared.campaign.state import CAMPAIGN
from shared.coop.seating import venue_of_session
from shared.coop.sessions import SESSIONS
from shared.log.command_record import CommandForm
from shared.log.event import Event
from shared.roles import HEAD_REFEREE_UP, INTEGRATION, ORGANISER_UP, PLAYER, REFEREE_UP, SPARE
from shared.service.handlers import Decide, Handler, Version, by_format, with_versions
from shared.tournament.guards import (
    Context,
    KeepDraws,
    ReadBeacon,
    game_venues,
    keep_draws,
    open_venues,
    read_beacon,
    require_format,
    round_venues,
)
from shared.tournament.state import Tournament

FORMATS: dict[str, ScoringFormat] = {"swiss": swiss_rounds, "campaign": campaign_rulings}
"""Format with games -> its module."""

ENDINGS: Mapping[str, Ending] = ChainMap(
    {"coop": coop_sessions, "season": season_results}, cast(dict[str, Ending], FORMATS)
)
"""Format -> the module that decides the end of its tournaments."""


ResultDecision = Callable[[ScoringFormat, Tournament, Any, Context], Sequence[Event]]
"""A decision about a result that needs the format's module."""


def _result_decision(decide: ResultDecision) -> Decide:
    """Return a decision that also produces the consequences of a result in its format."""

    def decide_and_settle(format: ScoringFormat, state: Tournament, command: Any, context: Context) -> Sequence[Event]:
        events = decide(format, state, command, context)
        return format.settle(state, command, events, context) if events else []

    return by_format(FORMATS, decide_and_settle)


def _in_any_format(decide: Decide) -> ResultDecision:
    """Adapt a decision that does not need the format's module."""
    return lambda format, *arguments: decide(*arguments)


def _conclude(ending: Ending, state: Tournament, command: Conclude, context: Context) -> Sequence[Event]:
    """Conclude a tournament. Only seasons accept `named`."""
    if command.named:
        require_format(state, ("season",))
    return ending.conclude(state, command, context)


def _game_venues(state: Tournament, command: ReportResult) -> list[str]:
    return game_venues(state, command.game)


def _games_venues(state: Tournament, command: ReportResults) -> list[str]:
    return [venue for result in command.results for venue in game_venues(state, result.game)]


def _all_venues(state: Tournament, command: PublishStandings | CancelStandingsPublication) -> list[str]:
    return open_venues(state)


def _round_venues(state: Tournament, command: EnterCoin) -> list[str]:
    return round_venues(state, command.round)


def _part_venues(state: Tournament, command: CloseRound | ReopenRound | SetPartAside) -> list[str]:
    return [command.venue] if command.venue else round_venues(state, command.round)


def _session_venues(state: Tournament, command: SetUpSession) -> list[str]:
    return venue_of_session(state, command.session)


def _game_revision(state: Tournament, command: ReportResult) -> int:
    return state.results.changed_at(command.game)


def _muster_revision(state: Tournament, command: MusterGroup | RollJams | JudgeEvil | RollObjective) -> int:
    return max(state.results.changed_at(command.game), CAMPAIGN.of(state).changed.get(command.group, 0))


def _group_revision(state: Tournament, command: Choose | CloseStep) -> int:
    return CAMPAIGN.of(state).changed.get(command.group, 0)


def _round_revision(state: Tournament, command: CloseRound) -> int:
    """Return the revision of a round with its games and standings."""
    return state.results.round_changed_at(command.round, state.rounds.rounds.get(command.round))


def _publication_revision(state: Tournament, command: PublishStandings | CancelStandingsPublication) -> int:
    return state.private.revision_of(*swiss_rounds.ROW)


def _award_revision(state: Tournament, command: WithdrawAward) -> int:
    award = state.results.awards.get(command.award)
    return award.changed if award else 0


SessionCommand = SetUpSession | PlayMoves | TakeBackMove | EndSession | ReportSession | ConfirmSession | CorrectSession


def _session_revision(state: Tournament, command: SessionCommand) -> int:
    session = SESSIONS.of(state).sessions.get(command.session)
    return session.changed if session else 0


WebhookCommand = ChangeWebhook | RotateWebhookSecret | EnableWebhook | DisableWebhook | ReplayWebhook | DeleteWebhook


def _webhook_revision(state: Tournament, command: WebhookCommand) -> int:
    webhook = state.webhooks.by_id.get(command.webhook)
    return webhook.changed if webhook else 0


REVISIONS: Mapping[str, Version] = {
    "webhook": _webhook_revision,
    "session": _session_revision,
    "game": _game_revision,
    "round": _round_revision,
    "group": _group_revision,
    "award": _award_revision,
}
"""Member of a command -> function that returns the revision of the named object."""

_ROWS: dict[type, Handler] = {
    KeepDraws: Handler(keep_draws, by_rule=True, private=True),
    ReadBeacon: Handler(read_beacon, by_rule=True, private=True),
    ReportResult: Handler(
        _result_decision(results.report), (*REFEREE_UP, PLAYER, SPARE), venues=_game_venues, formats=FORMATS
    ),
    ReportResults: Handler(
        by_format(FORMATS, results.report_several),
        REFEREE_UP,
        venues=_games_venues,
        formats=("swiss",),
    ),
    ChangeReport: Handler(_result_decision(results.change_report), (PLAYER, SPARE), formats=FORMATS),
    ConfirmResult: Handler(
        _result_decision(_in_any_format(results.confirm)),
        (*REFEREE_UP, PLAYER, SPARE),
        venues=_game_venues,
        formats=FORMATS,
    ),
    DisputeResult: Handler(_result_decision(results.dispute), (PLAYER, SPARE), formats=FORMATS),
    RuleResult: Handler(_result_decision(results.rule), REFEREE_UP, venues=_game_venues, formats=FORMATS),
    AppealRuling: Handler(
        _result_decision(_in_any_format(results.appeal)), (PLAYER, SPARE), formats=FORMATS, requires_latest=True
    ),
    RejectAppeal: Handler(
        _result_decision(_in_any_format(results.reject_appeal)),
        HEAD_REFEREE_UP,
        venues=_game_venues,
        formats=FORMATS,
    ),
    CorrectResult: Handler(
        _result_decision(lambda format, *arguments: format.correct(*arguments)),
        REFEREE_UP,
        venues=_game_venues,
        formats=FORMATS,
    ),
    OverrideRuling: Handler(
        _result_decision(lambda format, *arguments: format.correct(*arguments)),
        ORGANISER_UP,
        venues=_game_venues,
        formats=FORMATS,
    ),
    VoidResult: Handler(
        _result_decision(_in_any_format(results.void)), REFEREE_UP, venues=_game_venues, formats=FORMATS
    ),
    CloseRound: Handler(
        by_format(FORMATS, lambda format, *arguments: format.close(*arguments)),
        HEAD_REFEREE_UP,
        venues=_part_venues,
        formats=FORMATS,
        requires_latest=True,
        slow=True,
    ),
    SetPartAside: Handler(
        swiss_rounds.set_aside,
        HEAD_REFEREE_UP,
        venues=_part_venues,
        formats=("swiss",),
        requires_latest=True,
        slow=True,
    ),
    ReopenRound: Handler(
        swiss_rounds.reopen, HEAD_REFEREE_UP, venues=_part_venues, formats=("swiss",), requires_latest=True
    ),
    PublishStandings: Handler(
        swiss_rounds.publish,
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("swiss",),
        requires_latest=True,
        slow=True,
        private=True,
        revision=_publication_revision,
    ),
    CancelStandingsPublication: Handler(
        swiss_rounds.cancel,
        HEAD_REFEREE_UP,
        venues=_all_venues,
        formats=("swiss",),
        requires_latest=True,
        private=True,
        revision=_publication_revision,
    ),
    PublishDueStandings: Handler(
        swiss_rounds.publish_due, formats=("swiss",), by_rule=True, private=True, complete=swiss_rounds.complete
    ),
    EnterCoin: Handler(
        swiss_rounds.enter_coin, HEAD_REFEREE_UP, venues=_round_venues, formats=("swiss",), requires_latest=True
    ),
    GiveAward: Handler(rounds.give_award, ORGANISER_UP),
    WithdrawAward: Handler(rounds.withdraw_award, ORGANISER_UP),
    Conclude: Handler(
        by_format(ENDINGS, _conclude),
        ORGANISER_UP,
        requires_latest=True,
        slow=True,
    ),
    EnterLedger: Handler(campaign_rulings.enter, HEAD_REFEREE_UP, formats=("campaign",), requires_latest=True),
    MusterGroup: Handler(
        campaign_games.muster_group,
        (*REFEREE_UP, PLAYER),
        venues=_game_venues,
        formats=("campaign",),
        version=_muster_revision,
        requires_latest=True,
    ),
    RollJams: Handler(
        campaign_games.roll_jams,
        (*REFEREE_UP, PLAYER),
        venues=_game_venues,
        formats=("campaign",),
        version=_muster_revision,
        requires_latest=True,
    ),
    JudgeEvil: Handler(
        campaign_games.judge_evil,
        (*REFEREE_UP, PLAYER),
        venues=_game_venues,
        formats=("campaign",),
        version=_muster_revision,
        requires_latest=True,
    ),
    RollObjective: Handler(
        campaign_games.roll_objective,
        (*REFEREE_UP, PLAYER),
        venues=_game_venues,
        formats=("campaign",),
        version=_muster_revision,
        requires_latest=True,
    ),
    SetUpSession: Handler(
        coop_sessions.set_up,
        (*REFEREE_UP, PLAYER),
        venues=_session_venues,
        formats=("coop",),
        requires_latest=True,
    ),
    PlayMoves: Handler(coop_moves.play, (*REFEREE_UP, PLAYER), venues=_session_venues, formats=("coop",)),
    TakeBackMove: Handler(coop_taking_back.take_back, (*REFEREE_UP, PLAYER), venues=_session_venues, formats=("coop",)),
    EndSession: Handler(coop_sessions.end, HEAD_REFEREE_UP, venues=_session_venues, formats=("coop",)),
    ReportSession: Handler(coop_sessions.report, (*REFEREE_UP, PLAYER), venues=_session_venues, formats=("coop",)),
    ConfirmSession: Handler(coop_sessions.confirm, (*REFEREE_UP, PLAYER), venues=_session_venues, formats=("coop",)),
    CorrectSession: Handler(coop_sessions.correct, HEAD_REFEREE_UP, venues=_session_venues, formats=("coop",)),
    PublishRanking: Handler(coop_sessions.publish, HEAD_REFEREE_UP, formats=("coop",), requires_latest=True),
    Choose: Handler(campaign_phase.choose, (*REFEREE_UP, PLAYER), formats=("campaign",)),
    ChooseSeveral: Handler(campaign_choice_lists.choose, (*REFEREE_UP, PLAYER), formats=("campaign",)),
    CloseStep: Handler(campaign_phase.close, (*REFEREE_UP, PLAYER), formats=("campaign",)),
    TakeBack: Handler(
        campaign_taking_back.take_back, (*REFEREE_UP, PLAYER), formats=("campaign",), requires_latest=True
    ),
    OpenRecruits: Handler(campaign_phase.open_recruits, REFEREE_UP, formats=("campaign",), requires_latest=True),
    ConfirmDice: Handler(campaign_dice.confirm, (*REFEREE_UP, PLAYER), formats=("campaign",), requires_latest=True),
    DisputeDice: Handler(campaign_dice.dispute, (*REFEREE_UP, PLAYER), formats=("campaign",), requires_latest=True),
    RuleDice: Handler(campaign_dice_rulings.rule, REFEREE_UP, formats=("campaign",), requires_latest=True),
    TakeResults: Handler(
        season_results.take,
        by_rule=True,
        form=CommandForm(open_part=season_results.open_part, whole=season_results.whole),
    ),
    MakeFinalCut: Handler(season_results.make_cut, ORGANISER_UP, formats=("season",), requires_latest=True),
    AcceptInvitation: Handler(season_results.accept, (*REFEREE_UP, PLAYER), formats=("season",)),
    DeclineInvitation: Handler(season_results.decline, (*REFEREE_UP, PLAYER), formats=("season",)),
    SubscribeWebhook: Handler(webhooks.subscribe, (*ORGANISER_UP, INTEGRATION)),
    ChangeWebhook: Handler(webhooks.change, (*ORGANISER_UP, INTEGRATION)),
    RotateWebhookSecret: Handler(webhooks.rotate, (*ORGANISER_UP, INTEGRATION)),
    EnableWebhook: Handler(webhooks.enable, (*ORGANISER_UP, INTEGRATION)),
    DisableWebhook: Handler(webhooks.disable, (*ORGANISER_UP, INTEGRATION)),
    ReplayWebhook: Handler(webhooks.replay, (*ORGANISER_UP, INTEGRATION)),
    DeleteWebhook: Handler(webhooks.delete, (*ORGANISER_UP, INTEGRATION)),
    SuspendWebhook: Handler(webhooks.suspend, by_rule=True),
}
HANDLERS = with_versions(_ROWS, REVISIONS, (PublishRanking,))
"""Command -> its row. A test checks that no command is missing."""
