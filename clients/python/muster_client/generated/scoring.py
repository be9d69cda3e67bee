"""The client of scoring: a method for each of its operations.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from muster_client.answer import Version
from muster_client.asking import Operation
from muster_client.generated import answers, bodies
from muster_client.generated.common import Common
from muster_client.lines import Lines

ACCEPT_FINAL_INVITATION = Operation(
    "accept_final_invitation", "POST", "/tournaments/{tournament}/season/final/{player}/acceptance", answers.Appended
)
APPEAL_RULING = Operation(
    "appeal_ruling",
    "POST",
    "/tournaments/{tournament}/games/{game}/appeal",
    answers.Appended,
    body=bodies.AppealRulingBody,
)
CANCEL_STANDINGS_PUBLICATION = Operation(
    "cancel_standings_publication",
    "POST",
    "/tournaments/{tournament}/standings/publication/cancellation",
    answers.Appended,
)
CHANGE_REPORT = Operation(
    "change_report",
    "POST",
    "/tournaments/{tournament}/games/{game}/report",
    answers.Appended,
    body=bodies.ChangeReportBody,
)
CHANGE_WEBHOOK = Operation(
    "change_webhook",
    "PATCH",
    "/tournaments/{tournament}/webhooks/{webhook}",
    answers.Appended,
    body=bodies.ChangeWebhookBody,
)
CHOOSE = Operation(
    "choose", "POST", "/tournaments/{tournament}/groups/{group}/choices", answers.Appended, body=bodies.ChooseBody
)
CHOOSE_SEVERAL = Operation(
    "choose_several",
    "POST",
    "/tournaments/{tournament}/groups/{group}/choices/list",
    answers.Appended,
    body=bodies.ChooseSeveralBody,
)
CLOSE_ROUND = Operation(
    "close_round",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/close",
    answers.Appended,
    body=bodies.CloseRoundBody,
)
CLOSE_STEP = Operation(
    "close_step",
    "POST",
    "/tournaments/{tournament}/groups/{group}/steps/{step}/closing",
    answers.Appended,
    body=bodies.CloseStepBody,
)
CONCLUDE_TOURNAMENT = Operation(
    "conclude_tournament", "POST", "/tournaments/{tournament}/conclusion", answers.Appended, body=bodies.Conclude
)
CONFIRM_DICE = Operation(
    "confirm_dice", "POST", "/tournaments/{tournament}/dice/confirmation", answers.Appended, body=bodies.ConfirmDice
)
CONFIRM_RESULT = Operation(
    "confirm_result",
    "POST",
    "/tournaments/{tournament}/games/{game}/confirmation",
    answers.Appended,
    body=bodies.ConfirmResultBody,
)
CONFIRM_SESSION = Operation(
    "confirm_session", "POST", "/tournaments/{tournament}/sessions/{session}/confirmation", answers.Appended
)
COPIES_FEED = Operation("copies_feed", "GET", "/copies/feed")
COPIES_HEADS = Operation("copies_heads", "GET", "/copies/heads")
COPIES_HELD = Operation("copies_held", "GET", "/copies")
CORRECT_RESULT = Operation(
    "correct_result",
    "POST",
    "/tournaments/{tournament}/games/{game}/correction",
    answers.Appended,
    body=bodies.CorrectResultBody,
)
CORRECT_SESSION = Operation(
    "correct_session",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/correction",
    answers.Appended,
    body=bodies.CorrectSessionBody,
)
DECLINE_FINAL_INVITATION = Operation(
    "decline_final_invitation",
    "POST",
    "/tournaments/{tournament}/season/final/{player}/decline",
    answers.Appended,
    body=bodies.DeclineInvitationBody,
)
DELETE_WEBHOOK = Operation("delete_webhook", "DELETE", "/tournaments/{tournament}/webhooks/{webhook}", answers.Appended)
DISABLE_WEBHOOK = Operation(
    "disable_webhook",
    "POST",
    "/tournaments/{tournament}/webhooks/{webhook}/disable",
    answers.Appended,
    body=bodies.DisableWebhookBody,
)
DISPUTE_DICE = Operation(
    "dispute_dice", "POST", "/tournaments/{tournament}/dice/dispute", answers.Appended, body=bodies.DisputeDice
)
DISPUTE_RESULT = Operation(
    "dispute_result",
    "POST",
    "/tournaments/{tournament}/games/{game}/dispute",
    answers.Appended,
    body=bodies.DisputeResultBody,
)
ENABLE_WEBHOOK = Operation(
    "enable_webhook", "POST", "/tournaments/{tournament}/webhooks/{webhook}/enable", answers.Appended
)
END_SESSION = Operation(
    "end_session",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/ending",
    answers.Appended,
    body=bodies.EndSessionBody,
)
ENTER_COIN = Operation(
    "enter_coin", "POST", "/tournaments/{tournament}/rounds/{round}/coin", answers.Appended, body=bodies.EnterCoinBody
)
ENTER_LEDGER = Operation(
    "enter_ledger",
    "POST",
    "/tournaments/{tournament}/groups/{group}/ledger",
    answers.Appended,
    body=bodies.EnterLedgerBody,
)
EXPLAIN_RANK = Operation("explain_rank", "GET", "/tournaments/{tournament}/standings/{player}", answers.ExplainedView)
EXPLAIN_SEASON_RANK = Operation(
    "explain_season_rank", "GET", "/tournaments/{tournament}/season/standings/{player}", answers.SeasonRankExplained
)
EXPLAIN_SURVIVOR = Operation(
    "explain_survivor", "GET", "/tournaments/{tournament}/ranking/{player}", answers.SurvivorExplained
)
GIVE_AWARD = Operation(
    "give_award", "POST", "/tournaments/{tournament}/awards", answers.Appended, body=bodies.GiveAward
)
JUDGE_EVIL = Operation(
    "judge_evil", "POST", "/tournaments/{tournament}/games/{game}/evil", answers.Appended, body=bodies.JudgeEvilBody
)
LIST_AWARDS = Operation("list_awards", "GET", "/tournaments/{tournament}/awards", answers.AwardsView)
LIST_DELIVERIES = Operation(
    "list_deliveries", "GET", "/tournaments/{tournament}/webhooks/{webhook}/deliveries", answers.DeliveryViewPage
)
LIST_DICE = Operation("list_dice", "GET", "/tournaments/{tournament}/dice", answers.DieViewPage)
LIST_FORMS = Operation("list_forms", "GET", "/tournaments/{tournament}/forms", answers.FormsView)
LIST_GAMES = Operation("list_games", "GET", "/tournaments/{tournament}/games", answers.GamesShown)
LIST_GROUPS = Operation("list_groups", "GET", "/tournaments/{tournament}/groups", answers.GroupsView)
LIST_SEASON_WARNINGS = Operation(
    "list_season_warnings",
    "GET",
    "/tournaments/{tournament}/season/players/{player}/warnings",
    answers.SeasonWarningsView,
)
LIST_SESSION_STATEMENTS = Operation(
    "list_session_statements",
    "GET",
    "/tournaments/{tournament}/sessions/{session}/statements",
    answers.StatementOfTableViewPage,
)
LIST_SESSIONS = Operation("list_sessions", "GET", "/tournaments/{tournament}/sessions", answers.SessionsView)
LIST_STATEMENTS = Operation(
    "list_statements", "GET", "/tournaments/{tournament}/groups/{group}/statements", answers.StatementViewPage
)
LIST_WARNINGS_IN_SEASONS = Operation(
    "list_warnings_in_seasons",
    "GET",
    "/tournaments/{tournament}/players/{player}/season-warnings",
    answers.SeasonWarningViewPage,
)
LIST_WEBHOOKS = Operation("list_webhooks", "GET", "/tournaments/{tournament}/webhooks", answers.WebhookViewPage)
LOG = Operation("log", "GET", "/tournaments/{tournament}/log")
MAKE_FINAL_CUT = Operation(
    "make_final_cut", "POST", "/tournaments/{tournament}/season/cut", answers.Appended, body=bodies.MakeFinalCut
)
MUSTER_GROUP = Operation(
    "muster_group",
    "POST",
    "/tournaments/{tournament}/games/{game}/muster",
    answers.Appended,
    body=bodies.MusterGroupBody,
)
OPEN_RECRUITS = Operation(
    "open_recruits", "POST", "/tournaments/{tournament}/recruits", answers.Appended, body=bodies.OpenRecruits
)
OVERRIDE_RULING = Operation(
    "override_ruling",
    "POST",
    "/tournaments/{tournament}/games/{game}/override",
    answers.Appended,
    body=bodies.OverrideRulingBody,
)
PING_WEBHOOK = Operation(
    "ping_webhook", "POST", "/tournaments/{tournament}/webhooks/{webhook}/ping", answers.MessageQueued
)
PLAY_MOVES = Operation(
    "play_moves",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/moves",
    answers.Appended,
    body=bodies.PlayMovesBody,
)
PUBLIC_FEED = Operation("public_feed", "GET", "/feed")
PUBLISH_RANKING = Operation(
    "publish_ranking", "POST", "/tournaments/{tournament}/session-rounds/{round}/ranking", answers.Appended
)
PUBLISH_STANDINGS = Operation(
    "publish_standings",
    "POST",
    "/tournaments/{tournament}/standings/publication",
    answers.Appended,
    body=bodies.PublishStandings,
)
RECOPY_FROM_OWNER = Operation("recopy_from_owner", "POST", "/recopy", answers.RecopiedView, body=bodies.ScoringRecopy)
RECOVER_FROM_PEERS = Operation("recover_from_peers", "POST", "/recover", answers.Recovered, body=bodies.ScoringRecover)
REJECT_APPEAL = Operation(
    "reject_appeal",
    "POST",
    "/tournaments/{tournament}/games/{game}/appeal/rejection",
    answers.Appended,
    body=bodies.RejectAppealBody,
)
REOPEN_ROUND = Operation(
    "reopen_round",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/reopening",
    answers.Appended,
    body=bodies.ReopenRoundBody,
)
REPLAY_WEBHOOK = Operation(
    "replay_webhook",
    "POST",
    "/tournaments/{tournament}/webhooks/{webhook}/replay",
    answers.Appended,
    body=bodies.ReplayWebhookBody,
)
REPORT_RESULT = Operation(
    "report_result",
    "POST",
    "/tournaments/{tournament}/games/{game}/result",
    answers.Appended,
    body=bodies.ReportResultBody,
)
REPORT_RESULTS = Operation(
    "report_results", "POST", "/tournaments/{tournament}/results", answers.Appended, body=bodies.ReportResults
)
REPORT_SESSION = Operation(
    "report_session",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/report",
    answers.Appended,
    body=bodies.ReportSessionBody,
)
RESEND_DELIVERY = Operation(
    "resend_delivery",
    "POST",
    "/tournaments/{tournament}/webhooks/{webhook}/deliveries/{delivery}/resend",
    answers.MessageQueued,
)
ROLL_JAMS = Operation(
    "roll_jams", "POST", "/tournaments/{tournament}/games/{game}/jams", answers.Appended, body=bodies.RollJamsBody
)
ROLL_OBJECTIVE = Operation(
    "roll_objective",
    "POST",
    "/tournaments/{tournament}/games/{game}/objective",
    answers.Appended,
    body=bodies.RollObjectiveBody,
)
ROTATE_WEBHOOK_SECRET = Operation(
    "rotate_webhook_secret",
    "POST",
    "/tournaments/{tournament}/webhooks/{webhook}/rotate",
    answers.Subscribed,
    body=bodies.RotateWebhookSecretBody,
)
RULE_DICE = Operation(
    "rule_dice", "POST", "/tournaments/{tournament}/dice/ruling", answers.Appended, body=bodies.RuleDice
)
RULE_RESULT = Operation(
    "rule_result", "POST", "/tournaments/{tournament}/games/{game}/ruling", answers.Appended, body=bodies.RuleResultBody
)
SET_PART_ASIDE = Operation(
    "set_part_aside",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/aside",
    answers.Appended,
    body=bodies.SetPartAsideBody,
)
SET_UP_SESSION = Operation(
    "set_up_session",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/setup",
    answers.Appended,
    body=bodies.SetUpSessionBody,
)
SHOW_BALANCE = Operation(
    "show_balance", "GET", "/tournaments/{tournament}/groups/{group}/balances/{account}", answers.BalanceView
)
SHOW_DELIVERY = Operation(
    "show_delivery",
    "GET",
    "/tournaments/{tournament}/webhooks/{webhook}/deliveries/{delivery}",
    answers.DeliveryDetails,
)
SHOW_DIVISION_MOVES = Operation(
    "show_division_moves", "GET", "/tournaments/{tournament}/season/divisions", answers.DivisionMovesView
)
SHOW_FINAL = Operation("show_final", "GET", "/tournaments/{tournament}/season/final", answers.FinalView)
SHOW_GAME = Operation("show_game", "GET", "/tournaments/{tournament}/games/{game}", answers.GameShown)
SHOW_GAME_HISTORY = Operation(
    "show_game_history", "GET", "/tournaments/{tournament}/games/{game}/history", answers.EventViewPage
)
SHOW_GROUP = Operation("show_group", "GET", "/tournaments/{tournament}/groups/{group}", answers.ScoringGroupView)
SHOW_MEMBER_HISTORY = Operation(
    "show_member_history",
    "GET",
    "/tournaments/{tournament}/groups/{group}/members/{member}/history",
    answers.MemberEventViewPage,
)
SHOW_OVERLAY = Operation("show_overlay", "GET", "/tournaments/{tournament}/overlay", answers.OverlayView)
SHOW_POST_GAME = Operation("show_post_game", "GET", "/tournaments/{tournament}/post-game", answers.PhaseView)
SHOW_RANKING = Operation("show_ranking", "GET", "/tournaments/{tournament}/ranking", answers.RankingView)
SHOW_RESULT_FORM = Operation(
    "show_result_form", "GET", "/tournaments/{tournament}/games/{game}/result-form", answers.ResultFormView
)
SHOW_RESULTS_TAKEN = Operation(
    "show_results_taken", "GET", "/tournaments/{tournament}/season/results", answers.ResultsView
)
SHOW_SEASON_HISTORY = Operation(
    "show_season_history", "GET", "/tournaments/{tournament}/season/players/{player}/history", answers.HistoryView
)
SHOW_SEASON_STANDINGS = Operation(
    "show_season_standings", "GET", "/tournaments/{tournament}/season/standings", answers.SeasonStandingsView
)
SHOW_SEASON_TOURNAMENTS = Operation(
    "show_season_tournaments",
    "GET",
    "/tournaments/{tournament}/season/players/{player}/tournaments",
    answers.SeasonPlayedView,
)
SHOW_SESSION = Operation("show_session", "GET", "/tournaments/{tournament}/sessions/{session}", answers.SessionView)
SHOW_SESSION_HISTORY = Operation(
    "show_session_history", "GET", "/tournaments/{tournament}/sessions/{session}/history", answers.EventViewPage
)
SHOW_SHEETS = Operation("show_sheets", "GET", "/tournaments/{tournament}/forms/{form}", answers.SheetsPage)
SHOW_STANDINGS = Operation("show_standings", "GET", "/tournaments/{tournament}/standings", answers.StandingsView)
SHOW_WEBHOOK = Operation("show_webhook", "GET", "/tournaments/{tournament}/webhooks/{webhook}", answers.WebhookView)
SHOW_WHAT_IS_ASKED = Operation(
    "show_what_is_asked", "GET", "/tournaments/{tournament}/groups/{group}/post-game", answers.AskedView
)
SUBSCRIBE_WEBHOOK = Operation(
    "subscribe_webhook", "POST", "/tournaments/{tournament}/webhooks", answers.Subscribed, body=bodies.SubscribeWebhook
)
TAKE_BACK = Operation(
    "take_back",
    "POST",
    "/tournaments/{tournament}/groups/{group}/statements/{statement}/taking-back",
    answers.Appended,
    body=bodies.TakeBackBody,
)
TAKE_BACK_MOVE = Operation(
    "take_back_move",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/statements/{statement}/taking-back",
    answers.Appended,
    body=bodies.TakeBackMoveBody,
)
TAKE_RESULTS = Operation("take_results", "POST", "/tournaments/{tournament}/season/results", answers.Appended)
VOID_RESULT = Operation(
    "void_result",
    "POST",
    "/tournaments/{tournament}/games/{game}/voiding",
    answers.Appended,
    body=bodies.VoidResultBody,
)
WITHDRAW_AWARD = Operation(
    "withdraw_award",
    "POST",
    "/tournaments/{tournament}/awards/{award}/withdrawal",
    answers.Appended,
    body=bodies.WithdrawAwardBody,
)


class Scoring(Common):
    """Scoring."""

    _service = "scoring"
    _preview = answers.ScoringPreview

    @overload
    def accept_final_invitation(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.ScoringPreview: ...
    @overload
    def accept_final_invitation(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def accept_final_invitation(self, tournament: str, player: str, **how: Any) -> Any:
        """Accept an invitation to the final.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            ACCEPT_FINAL_INVITATION,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def appeal_ruling(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AppealRulingBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def appeal_ruling(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AppealRulingBody],
    ) -> answers.Appended: ...
    def appeal_ruling(self, tournament: str, game: str, **how: Any) -> Any:
        """Appeal a referee's ruling. The head referee then decides.

        **Who may call it:** `player`, `spare`.
        """
        return self._command(
            APPEAL_RULING,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def cancel_standings_publication(
        self, tournament: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.ScoringPreview: ...
    @overload
    def cancel_standings_publication(
        self, tournament: str, *, preview: Literal[False] = False, if_match: Version = None, idempotency_key: str = ""
    ) -> answers.Appended: ...
    def cancel_standings_publication(self, tournament: str, **how: Any) -> Any:
        """Cancel the scheduled publication of standings.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(CANCEL_STANDINGS_PUBLICATION, (tournament,), how)

    @overload
    def change_report(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChangeReportBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def change_report(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChangeReportBody],
    ) -> answers.Appended: ...
    def change_report(self, tournament: str, game: str, **how: Any) -> Any:
        """Replace the caller's own report, until the opponent or staff answer it.

        The opponent can confirm only the new report: a confirmation of the earlier one is refused.

        **Who may call it:** `player`, `spare`.
        """
        return self._command(
            CHANGE_REPORT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def change_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChangeWebhookBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def change_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChangeWebhookBody],
    ) -> answers.Appended: ...
    def change_webhook(self, tournament: str, webhook: str, **how: Any) -> Any:
        """Change the name, address, audience or filter of a webhook.

        A new address is verified before it receives events. Waiting deliveries are sent there.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(
            CHANGE_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            how,
        )

    @overload
    def choose(
        self,
        tournament: str,
        group: str,
        body: bodies.ChooseBody,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.ScoringPreview: ...
    @overload
    def choose(
        self,
        tournament: str,
        group: str,
        body: bodies.ChooseBody,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def choose(self, tournament: str, group: str, body: bodies.ChooseBody, **how: Any) -> Any:
        """Make a choice of the open step, with the dice that it needs.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            CHOOSE,
            (
                tournament,
                group,
            ),
            how,
            body,
        )

    @overload
    def choose_several(
        self,
        tournament: str,
        group: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChooseSeveralBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def choose_several(
        self,
        tournament: str,
        group: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChooseSeveralBody],
    ) -> answers.Appended: ...
    def choose_several(self, tournament: str, group: str, **how: Any) -> Any:
        """Make several choices in order, and close steps between them: all or none.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            CHOOSE_SEVERAL,
            (
                tournament,
                group,
            ),
            how,
        )

    @overload
    def close_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CloseRoundBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def close_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CloseRoundBody],
    ) -> answers.Appended: ...
    def close_round(self, tournament: str, round: int, **how: Any) -> Any:
        """Close a round, or its part at one venue, when every game has a result that counts.

        The last part closes the round: this records the standings and their draws.

        A campaign's round closes automatically with the last step of the last group. Close it here after a
        withdrawal.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            CLOSE_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def close_step(
        self,
        tournament: str,
        group: str,
        step: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CloseStepBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def close_step(
        self,
        tournament: str,
        group: str,
        step: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CloseStepBody],
    ) -> answers.Appended: ...
    def close_step(self, tournament: str, group: str, step: str, **how: Any) -> Any:
        """Close the open step of a group. The last step makes its rating final; with the last group, the round closes.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            CLOSE_STEP,
            (
                tournament,
                group,
                step,
            ),
            how,
        )

    @overload
    def conclude_tournament(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Conclude],
    ) -> answers.ScoringPreview: ...
    @overload
    def conclude_tournament(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Conclude],
    ) -> answers.Appended: ...
    def conclude_tournament(self, tournament: str, **how: Any) -> Any:
        """Conclude the tournament. The standings are then final, and the player in first place has won.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(CONCLUDE_TOURNAMENT, (tournament,), how)

    @overload
    def confirm_dice(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ConfirmDice],
    ) -> answers.ScoringPreview: ...
    @overload
    def confirm_dice(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ConfirmDice],
    ) -> answers.Appended: ...
    def confirm_dice(self, tournament: str, **how: Any) -> Any:
        """Confirm reported dice. The other person named with the dice or staff may do this.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(CONFIRM_DICE, (tournament,), how)

    @overload
    def confirm_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ConfirmResultBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def confirm_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ConfirmResultBody],
    ) -> answers.Appended: ...
    def confirm_result(self, tournament: str, game: str, **how: Any) -> Any:
        """Confirm the opponent's report. The result then counts.

        `report` says which report the caller has seen. Without it, only a report that was never changed is
        confirmed.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`, `spare`.
        """
        return self._command(
            CONFIRM_RESULT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def confirm_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.ScoringPreview: ...
    @overload
    def confirm_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def confirm_session(self, tournament: str, session: str, **how: Any) -> Any:
        """Confirm the result of a session.

        It counts once two survivors and the host, or the organiser, have confirmed it.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            CONFIRM_SESSION,
            (
                tournament,
                session,
            ),
            how,
        )

    def copies_feed(
        self,
        *,
        source: Literal["registration", "pairing"] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show the positions of copied events in the feed of their source.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_FEED, (), {"source": source, "after": after, "limit": limit})

    def copies_heads(
        self,
        *,
        source: Literal["registration", "pairing"] | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show the heads of the copies of a source's logs, by tournament.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_HEADS, (), {"source": source, "after": after, "limit": limit})

    def copies_held(self, *, source: Literal["registration", "pairing"] | None = None) -> Lines:
        """Show how much of a source's log is copied here. Its owner uses this to detect lost events.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_HELD, (), {"source": source})

    @overload
    def correct_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CorrectResultBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def correct_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CorrectResultBody],
    ) -> answers.Appended: ...
    def correct_result(self, tournament: str, game: str, **how: Any) -> Any:
        """Replace a result that counts, even in a closed round. Standings change; later pairings stay.

        In a bracket, another player may advance. The next game is then paired again, unless it was played. The
        preview names it in `moves.standings.bracket`.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `rulings`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`: head_referee,
        operator, organiser, referee; `star-wars-armada-1.1`: head_referee, operator, organiser, referee; `star-
        wars-armada-400`: head_referee, operator, organiser, referee; others: head_referee, operator, organiser,
        referee. If no one holds a role, an organiser may act instead; an option may restrict the roles further. All
        others are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration
        lists them, too.
        """
        return self._command(
            CORRECT_RESULT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def correct_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CorrectSessionBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def correct_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CorrectSessionBody],
    ) -> answers.Appended: ...
    def correct_session(self, tournament: str, session: str, **how: Any) -> Any:
        """Replace the result of a session, even after the end of the event. Published rankings are published again.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            CORRECT_SESSION,
            (
                tournament,
                session,
            ),
            how,
        )

    @overload
    def decline_final_invitation(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DeclineInvitationBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def decline_final_invitation(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DeclineInvitationBody],
    ) -> answers.Appended: ...
    def decline_final_invitation(self, tournament: str, player: str, **how: Any) -> Any:
        """Decline an invitation, even after accepting it. If the ruleset says so, the next player is invited.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            DECLINE_FINAL_INVITATION,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def delete_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.ScoringPreview: ...
    @overload
    def delete_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def delete_webhook(self, tournament: str, webhook: str, **how: Any) -> Any:
        """Delete a webhook. Its address, secrets and deliveries are destroyed. Its events in the log stay.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(
            DELETE_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            how,
        )

    @overload
    def disable_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisableWebhookBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def disable_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisableWebhookBody],
    ) -> answers.Appended: ...
    def disable_webhook(self, tournament: str, webhook: str, **how: Any) -> Any:
        """Disable a webhook. It keeps its position in the feed and continues there when it is enabled.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(
            DISABLE_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            how,
        )

    @overload
    def dispute_dice(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisputeDice],
    ) -> answers.ScoringPreview: ...
    @overload
    def dispute_dice(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisputeDice],
    ) -> answers.Appended: ...
    def dispute_dice(self, tournament: str, **how: Any) -> Any:
        """Dispute reported dice. Staff then rule on them; the campaign continues in the meantime.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(DISPUTE_DICE, (tournament,), how)

    @overload
    def dispute_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisputeResultBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def dispute_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisputeResultBody],
    ) -> answers.Appended: ...
    def dispute_result(self, tournament: str, game: str, **how: Any) -> Any:
        """Dispute a result. A referee then has to rule.

        **Who may call it:** `player`, `spare`.
        """
        return self._command(
            DISPUTE_RESULT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def enable_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.ScoringPreview: ...
    @overload
    def enable_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def enable_webhook(self, tournament: str, webhook: str, **how: Any) -> Any:
        """Enable a disabled webhook. It continues where it stopped and receives what you may see.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(
            ENABLE_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            how,
        )

    @overload
    def end_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EndSessionBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def end_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EndSessionBody],
    ) -> answers.Appended: ...
    def end_session(self, tournament: str, session: str, **how: Any) -> Any:
        """End a session that ran out of time or was abandoned. The result counts immediately.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            END_SESSION,
            (
                tournament,
                session,
            ),
            how,
        )

    @overload
    def enter_coin(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterCoinBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def enter_coin(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterCoinBody],
    ) -> answers.Appended: ...
    def enter_coin(self, tournament: str, round: int, **how: Any) -> Any:
        """Enter the order of tied players that a coin toss gave, in place of the draw. Records the standings again.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            ENTER_COIN,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def enter_ledger(
        self,
        tournament: str,
        group: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterLedgerBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def enter_ledger(
        self,
        tournament: str,
        group: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterLedgerBody],
    ) -> answers.Appended: ...
    def enter_ledger(self, tournament: str, group: str, **how: Any) -> Any:
        """Enter the effects of a ruling on a group whose game can no longer be voided: caps, food, goods, experience.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            ENTER_LEDGER,
            (
                tournament,
                group,
            ),
            how,
        )

    def explain_rank(self, tournament: str, player: str) -> answers.ExplainedView:
        """Explain the values of a player: the games that each value comes from, and its clause.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            EXPLAIN_RANK,
            (
                tournament,
                player,
            ),
            {},
            answers.ExplainedView,
        )

    def explain_season_rank(self, tournament: str, player: str) -> answers.SeasonRankExplained:
        """Explain a rank: every result with its clause, and what separates the player from the previous and next one.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            EXPLAIN_SEASON_RANK,
            (
                tournament,
                player,
            ),
            {},
            answers.SeasonRankExplained,
        )

    def explain_survivor(self, tournament: str, player: str) -> answers.SurvivorExplained:
        """Explain the place and the points of a survivor: the separating criterion, and the sessions that count.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            EXPLAIN_SURVIVOR,
            (
                tournament,
                player,
            ),
            {},
            answers.SurvivorExplained,
        )

    @overload
    def give_award(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.GiveAward],
    ) -> answers.ScoringPreview: ...
    @overload
    def give_award(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.GiveAward],
    ) -> answers.Appended: ...
    def give_award(self, tournament: str, **how: Any) -> Any:
        """Give an award. It does not affect the standings.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(GIVE_AWARD, (tournament,), how)

    @overload
    def judge_evil(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JudgeEvilBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def judge_evil(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JudgeEvilBody],
    ) -> answers.Appended: ...
    def judge_evil(self, tournament: str, game: str, **how: Any) -> Any:
        """Roll whether a rival counts as evil in this game, if one force judges the other. Roll once for each rival.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            JUDGE_EVIL,
            (
                tournament,
                game,
            ),
            how,
        )

    def list_awards(self, tournament: str, *, venue: str | None = None) -> answers.AwardsView:
        """List the awards, with `venue` those of its players. They do not affect ranks.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_AWARDS, (tournament,), {"venue": venue}, answers.AwardsView)

    def list_deliveries(
        self,
        tournament: str,
        webhook: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        state: Literal["waiting", "delivered", "dead"] | None = None,
    ) -> answers.DeliveryViewPage:
        """List the deliveries of a webhook, newest first.

        The latest 1000 delivered and the latest 1000 dead ones are kept, for up to 30 days.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._read(
            LIST_DELIVERIES,
            (
                tournament,
                webhook,
            ),
            {"after": after, "limit": limit, "state": state},
            answers.DeliveryViewPage,
        )

    def list_dice(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        group: str | None = None,
        standing: Literal[
            "confirmed", "not_asked", "unconfirmed", "reported_by_staff", "disputed", "upheld", "rejected"
        ]
        | None = None,
        waits_for: str | None = None,
        venue: str | None = None,
    ) -> answers.DieViewPage:
        """List the dice that were reported from the table, followed by all dice that a correction discarded.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_DICE,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "group": group,
                "standing": standing,
                "waits_for": waits_for,
                "venue": venue,
            },
            answers.DieViewPage,
        )

    def list_forms(self, tournament: str) -> answers.FormsView:
        """List the forms of the ruleset.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_FORMS, (tournament,), {}, answers.FormsView)

    def list_games(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        round: str | None = None,
        status: Literal["bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected"] | None = None,
        venue: str | None = None,
        table: int | None = None,
        player: str | None = None,
        q: str | None = None,
        sort: Literal["pairing", "table"] | None = None,
        improbable: bool | None = None,
        contested: bool | None = None,
        since: str | None = None,
    ) -> answers.GamesShown:
        """List the games of one round or of all rounds, with their results.

        As CSV, the answer is the file results.csv of the offline commands. It contains all matching games unless
        you set `limit`.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_GAMES,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "round": round,
                "status": status,
                "venue": venue,
                "table": table,
                "player": player,
                "q": q,
                "sort": sort,
                "improbable": improbable,
                "contested": contested,
                "since": since,
            },
            answers.GamesShown,
        )

    def list_games_csv(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        round: str | None = None,
        status: Literal["bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected"] | None = None,
        venue: str | None = None,
        table: int | None = None,
        player: str | None = None,
        q: str | None = None,
        sort: Literal["pairing", "table"] | None = None,
        improbable: bool | None = None,
        contested: bool | None = None,
        since: str | None = None,
    ) -> str:
        """As `list_games`, as comma-separated values with a header."""
        return self._text(
            LIST_GAMES,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "round": round,
                "status": status,
                "venue": venue,
                "table": table,
                "player": player,
                "q": q,
                "sort": sort,
                "improbable": improbable,
                "contested": contested,
                "since": since,
            },
            "text/csv",
        )

    def list_groups(
        self, tournament: str, *, venue: str | None = None, known: answers.GroupsView | None = None
    ) -> answers.GroupsView:
        """List the groups of a campaign in their current state.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_GROUPS, (tournament,), {"venue": venue}, answers.GroupsView, known)

    def list_season_warnings(self, tournament: str, player: str) -> answers.SeasonWarningsView:
        """List the warnings of a player in the tournaments of the season, except in private tournaments of others.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._read(
            LIST_SEASON_WARNINGS,
            (
                tournament,
                player,
            ),
            {},
            answers.SeasonWarningsView,
        )

    def list_session_statements(self, tournament: str, session: str) -> answers.StatementOfTableViewPage:
        """List what was reported of a session, in order, and what any survivor of the table can take back now.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_SESSION_STATEMENTS,
            (
                tournament,
                session,
            ),
            {},
            answers.StatementOfTableViewPage,
        )

    def list_sessions(
        self,
        tournament: str,
        *,
        venue: str | None = None,
        round: int | None = None,
        known: answers.SessionsView | None = None,
    ) -> answers.SessionsView:
        """List the sessions of one round or of all rounds with their current state.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_SESSIONS, (tournament,), {"venue": venue, "round": round}, answers.SessionsView, known)

    def list_statements(self, tournament: str, group: str) -> answers.StatementViewPage:
        """List what was said for a group in its running phase, in order, and who can take each statement back.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_STATEMENTS,
            (
                tournament,
                group,
            ),
            {},
            answers.StatementViewPage,
        )

    def list_warnings_in_seasons(self, tournament: str, player: str) -> answers.SeasonWarningViewPage:
        """List the warnings of a player in all tournaments of the seasons that count this one.

        Private tournaments and seasons of others are omitted. Without a season, the list is empty.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._read(
            LIST_WARNINGS_IN_SEASONS,
            (
                tournament,
                player,
            ),
            {},
            answers.SeasonWarningViewPage,
        )

    def list_webhooks(self, tournament: str) -> answers.WebhookViewPage:
        """List webhooks, oldest first. An integration sees only its own.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._read(LIST_WEBHOOKS, (tournament,), {}, answers.WebhookViewPage)

    def log(
        self,
        tournament: str,
        *,
        source: Literal["scoring", "registration", "pairing"] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show one log of a tournament in order: the audit trail, and the events that a subscriber missed.

        A token limited to some types of events leaves out the others, so that positions have gaps.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._lines(LOG, (tournament,), {"source": source, "after": after, "limit": limit})

    @overload
    def make_final_cut(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MakeFinalCut],
    ) -> answers.ScoringPreview: ...
    @overload
    def make_final_cut(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MakeFinalCut],
    ) -> answers.Appended: ...
    def make_final_cut(self, tournament: str, **how: Any) -> Any:
        """Invite the best players to the final. The ruleset sets their number. Not repeatable after the first answer.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(MAKE_FINAL_CUT, (tournament,), how)

    @overload
    def muster_group(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MusterGroupBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def muster_group(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MusterGroupBody],
    ) -> answers.Appended: ...
    def muster_group(self, tournament: str, game: str, **how: Any) -> Any:
        """Muster a group for a game. A refusal lists all reasons why members cannot play.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            MUSTER_GROUP,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def open_recruits(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OpenRecruits],
    ) -> answers.ScoringPreview: ...
    @overload
    def open_recruits(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OpenRecruits],
    ) -> answers.Appended: ...
    def open_recruits(self, tournament: str, **how: Any) -> Any:
        """Open the pool of recruits. Every group must have closed step 3.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(OPEN_RECRUITS, (tournament,), how)

    @overload
    def override_ruling(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OverrideRulingBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def override_ruling(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OverrideRulingBody],
    ) -> answers.Appended: ...
    def override_ruling(self, tournament: str, game: str, **how: Any) -> Any:
        """Override a ruling with a reason. The history shows the override.

        Applies to final rulings of a head referee, and to all rulings if the ruleset lets only their authors change
        them.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            OVERRIDE_RULING,
            (
                tournament,
                game,
            ),
            how,
        )

    def ping_webhook(self, tournament: str, webhook: str, *, idempotency_key: str = "") -> answers.MessageQueued:
        """Send a test message of the type `webhook.ping`. An unverified address receives the verification again.

        Without an Idempotency-Key, a ping that is still waiting is sent once. With a key, one ping is sent for each
        key.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key}
        made: answers.MessageQueued = self._command(
            PING_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            how,
        )
        return made

    @overload
    def play_moves(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PlayMovesBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def play_moves(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PlayMovesBody],
    ) -> answers.Appended: ...
    def play_moves(self, tournament: str, session: str, **how: Any) -> Any:
        """Report moves. If two people report at the same time, the order of the log decides.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            PLAY_MOVES,
            (
                tournament,
                session,
            ),
            how,
        )

    def public_feed(
        self,
        *,
        after: str | None = None,
        types: str | None = None,
        venue: str | None = None,
        view: Literal["events", "results"] | None = None,
        tournament: str | None = None,
        season: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
    ) -> Lines:
        """List the events of all services in one order, from a cursor on.

        Without a token, the events of public tournaments. With a token for one tournament, the events of that
        tournament. With a token for all tournaments, all events. An event follows everything that its author had
        seen. Continue from the `feedcursor` of an event or from the header Muster-Feed-Cursor. The header `Link` is
        present if there is more.

        **Who may call it:** everybody.
        """
        return self._lines(
            PUBLIC_FEED,
            (),
            {
                "after": after,
                "types": types,
                "venue": venue,
                "view": view,
                "tournament": tournament,
                "season": season,
                "limit": limit,
                "wait": wait,
            },
        )

    @overload
    def publish_ranking(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.ScoringPreview: ...
    @overload
    def publish_ranking(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def publish_ranking(self, tournament: str, round: int, **how: Any) -> Any:
        """Publish the ranking of a round. The results of all its sessions must count.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            PUBLISH_RANKING,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def publish_standings(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PublishStandings],
    ) -> answers.ScoringPreview: ...
    @overload
    def publish_standings(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PublishStandings],
    ) -> answers.Appended: ...
    def publish_standings(self, tournament: str, **how: Any) -> Any:
        """Publish the standings of all closed rounds, now or at a given time.

        Applies to tournaments that hold standings back (`on_purpose`). Until then, only staff see newer standings
        than the last published ones. At the given time, the standings of all rounds closed by then are published.
        Concluding the tournament also publishes them.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(PUBLISH_STANDINGS, (tournament,), how)

    def recopy_from_owner(
        self, *, idempotency_key: str = "", **body: Unpack[bodies.ScoringRecopy]
    ) -> answers.RecopiedView:
        """Replace a copy that differs from its owner's log; the replaced events are kept aside.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.RecopiedView = self._command(RECOPY_FROM_OWNER, (), how)
        return made

    def recover_from_peers(
        self, *, idempotency_key: str = "", **body: Unpack[bodies.ScoringRecover]
    ) -> answers.Recovered:
        """Restore events of this service's log that its database has lost and its peers still hold.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.Recovered = self._command(RECOVER_FROM_PEERS, (), how)
        return made

    @overload
    def reject_appeal(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RejectAppealBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def reject_appeal(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RejectAppealBody],
    ) -> answers.Appended: ...
    def reject_appeal(self, tournament: str, game: str, **how: Any) -> Any:
        """Reject an appeal. The ruling is then final.

        **Who may call it:** `operator`, `organiser`, `head_referee`.

        The ruleset restricts this to the roles that decide `final`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee; `round-robin`: head_referee, operator, organiser; `star-wars-
        armada-1.1`: head_referee; `star-wars-armada-400`: head_referee; others: head_referee, operator, organiser.
        If no one holds a role, an organiser may act instead; an option may restrict the roles further. All others
        are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration lists
        them, too.
        """
        return self._command(
            REJECT_APPEAL,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def reopen_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReopenRoundBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def reopen_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReopenRoundBody],
    ) -> answers.Appended: ...
    def reopen_round(self, tournament: str, round: int, **how: Any) -> Any:
        """Reopen the last closed round, or its part at one venue. Not possible after the next round was paired.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            REOPEN_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def replay_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReplayWebhookBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def replay_webhook(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReplayWebhookBody],
    ) -> answers.Appended: ...
    def replay_webhook(self, tournament: str, webhook: str, **how: Any) -> Any:
        """Send all events after a cursor again.

        Give the `feedcursor` of an event that the webhook received, or nothing to start at the beginning. Waiting
        deliveries are included in the replay.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(
            REPLAY_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            how,
        )

    @overload
    def report_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReportResultBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def report_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReportResultBody],
    ) -> answers.Appended: ...
    def report_result(self, tournament: str, game: str, **how: Any) -> Any:
        """Report a result. A player's report waits until the opponent confirms it or sends the same report.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`, `spare`.
        """
        return self._command(
            REPORT_RESULT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def report_results(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReportResults],
    ) -> answers.ScoringPreview: ...
    @overload
    def report_results(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReportResults],
    ) -> answers.Appended: ...
    def report_results(self, tournament: str, **how: Any) -> Any:
        """Enter several results from paper. If one is refused, none is entered and the answer lists all faults.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(REPORT_RESULTS, (tournament,), how)

    @overload
    def report_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReportSessionBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def report_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReportSessionBody],
    ) -> answers.Appended: ...
    def report_session(self, tournament: str, session: str, **how: Any) -> Any:
        """Report a complete session, if the event does not track single moves. The table then confirms it.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            REPORT_SESSION,
            (
                tournament,
                session,
            ),
            how,
        )

    def resend_delivery(
        self, tournament: str, webhook: str, delivery: int, *, idempotency_key: str = ""
    ) -> answers.MessageQueued:
        """Resend a message that was delivered or is dead. It is sent independently of all other deliveries.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key}
        made: answers.MessageQueued = self._command(
            RESEND_DELIVERY,
            (
                tournament,
                webhook,
                delivery,
            ),
            how,
        )
        return made

    @overload
    def roll_jams(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RollJamsBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def roll_jams(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RollJamsBody],
    ) -> answers.Appended: ...
    def roll_jams(self, tournament: str, game: str, **how: Any) -> Any:
        """Roll whether ranged weapons jam in this game, if the force neglects its weapons.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            ROLL_JAMS,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def roll_objective(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RollObjectiveBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def roll_objective(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RollObjectiveBody],
    ) -> answers.Appended: ...
    def roll_objective(self, tournament: str, game: str, **how: Any) -> Any:
        """Roll the objective of a group.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            ROLL_OBJECTIVE,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def rotate_webhook_secret(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RotateWebhookSecretBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def rotate_webhook_secret(
        self,
        tournament: str,
        webhook: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RotateWebhookSecretBody],
    ) -> answers.Subscribed: ...
    def rotate_webhook_secret(self, tournament: str, webhook: str, **how: Any) -> Any:
        """Rotate the secret of a webhook. During the overlap, messages also carry a signature of the previous secret.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(
            ROTATE_WEBHOOK_SECRET,
            (
                tournament,
                webhook,
            ),
            how,
        )

    @overload
    def rule_dice(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RuleDice],
    ) -> answers.ScoringPreview: ...
    @overload
    def rule_dice(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RuleDice],
    ) -> answers.Appended: ...
    def rule_dice(self, tournament: str, **how: Any) -> Any:
        """Rule whether dice count. If they do not, dice of a running phase are rolled again, with all that hung on
        them.

        A preview shows the effects, without faces. Other dice are marked: correct their effects in the ledger, or
        void the game.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(RULE_DICE, (tournament,), how)

    @overload
    def rule_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RuleResultBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def rule_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RuleResultBody],
    ) -> answers.Appended: ...
    def rule_result(self, tournament: str, game: str, **how: Any) -> Any:
        """Rule on a result. A ruling by the head referee is final.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `rulings`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`: head_referee,
        operator, organiser, referee; `star-wars-armada-1.1`: head_referee, operator, organiser, referee; `star-
        wars-armada-400`: head_referee, operator, organiser, referee; others: head_referee, operator, organiser,
        referee. If no one holds a role, an organiser may act instead; an option may restrict the roles further. All
        others are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration
        lists them, too.
        """
        return self._command(
            RULE_RESULT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def set_part_aside(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SetPartAsideBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def set_part_aside(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SetPartAsideBody],
    ) -> answers.Appended: ...
    def set_part_aside(self, tournament: str, round: int, **how: Any) -> Any:
        """Set the part of a round at a venue aside that cannot be reached.

        The round closes and the other venues go on without it. Its games stay open and the standings provisional.
        When its results are in, close the part: they count as if they had come in time. To decide without them,
        close it with `without`.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            SET_PART_ASIDE,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def set_up_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SetUpSessionBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def set_up_session(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SetUpSessionBody],
    ) -> answers.Appended: ...
    def set_up_session(self, tournament: str, session: str, **how: Any) -> Any:
        """Set up a session: scenario, loyal faction, goals, first player. Round 1 then starts.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            SET_UP_SESSION,
            (
                tournament,
                session,
            ),
            how,
        )

    def show_balance(self, tournament: str, group: str, account: str) -> answers.BalanceView:
        """Show a balance (caps, clean or radiated food) with all entries, their reasons, clauses and rolls.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_BALANCE,
            (
                tournament,
                group,
                account,
            ),
            {},
            answers.BalanceView,
        )

    def show_delivery(self, tournament: str, webhook: str, delivery: int) -> answers.DeliveryDetails:
        """Show a delivery with its message and all attempts.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._read(
            SHOW_DELIVERY,
            (
                tournament,
                webhook,
                delivery,
            ),
            {},
            answers.DeliveryDetails,
        )

    def show_division_moves(
        self, tournament: str, *, known: answers.DivisionMovesView | None = None
    ) -> answers.DivisionMovesView:
        """Show promotions and relegations: as decided at the end, or by the current standings.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_DIVISION_MOVES, (tournament,), {}, answers.DivisionMovesView, known)

    def show_final(self, tournament: str, *, known: answers.FinalView | None = None) -> answers.FinalView:
        """Show the players invited to the final, their answers and replacements.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_FINAL, (tournament,), {}, answers.FinalView, known)

    def show_game(self, tournament: str, game: str, *, known: answers.GameShown | None = None) -> answers.GameShown:
        """Show a game and what is known about its result.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_GAME,
            (
                tournament,
                game,
            ),
            {},
            answers.GameShown,
            known,
        )

    def show_game_history(self, tournament: str, game: str) -> answers.EventViewPage:
        """List all events about the result of a game, with author, time and reason.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_GAME_HISTORY,
            (
                tournament,
                game,
            ),
            {},
            answers.EventViewPage,
        )

    def show_group(
        self, tournament: str, group: str, *, known: answers.ScoringGroupView | None = None
    ) -> answers.ScoringGroupView:
        """Show the roster sheet of a group: members with the parts of their attributes, goods, turfs, the rating.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_GROUP,
            (
                tournament,
                group,
            ),
            {},
            answers.ScoringGroupView,
            known,
        )

    def show_member_history(self, tournament: str, group: str, member: str) -> answers.MemberEventViewPage:
        """List all events about a member, including removed members, and the events that undid some of them.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_MEMBER_HISTORY,
            (
                tournament,
                group,
                member,
            ),
            {},
            answers.MemberEventViewPage,
        )

    def show_overlay(
        self,
        tournament: str,
        *,
        venue: str | None = None,
        table: int | None = None,
        top: int | None = None,
        known: answers.OverlayView | None = None,
    ) -> answers.OverlayView:
        """Show the data for a video overlay: the round and its clock, the tables, the top of the standings.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_OVERLAY, (tournament,), {"venue": venue, "table": table, "top": top}, answers.OverlayView, known
        )

    def show_post_game(self, tournament: str, *, known: answers.PhaseView | None = None) -> answers.PhaseView:
        """Show the open step of each group in the post-game phase, what it waits for, and the pool of recruits.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_POST_GAME, (tournament,), {}, answers.PhaseView, known)

    def show_ranking(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        around: str | None = None,
        round: int | None = None,
        of: Literal["tables", "survivors"] | None = None,
        venue: str | None = None,
        known: answers.RankingView | None = None,
    ) -> answers.RankingView:
        """Show the ranking of the tables of a round and of the survivors over all sessions, with the reason for each
        place.

        Returns both lists completely, or one of them in pages.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_RANKING,
            (tournament,),
            {"after": after, "limit": limit, "around": around, "round": round, "of": of, "venue": venue},
            answers.RankingView,
            known,
        )

    def show_result_form(self, tournament: str, game: str) -> answers.ResultFormView:
        """Show the facts that a report of this game may contain, with their bounds.

        They depend on the ruleset and on the scenario of the round. Use `preview=true` of the report to compute the
        score.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_RESULT_FORM,
            (
                tournament,
                game,
            ),
            {},
            answers.ResultFormView,
        )

    def show_results_taken(self, tournament: str, *, known: answers.ResultsView | None = None) -> answers.ResultsView:
        """List the tournaments whose results were taken, with the ends of their logs, and those still missing.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_RESULTS_TAKEN, (tournament,), {}, answers.ResultsView, known)

    def show_season_history(self, tournament: str, player: str) -> answers.HistoryView:
        """List every change of a player's rank with its causes, such as tournaments, corrections and merges.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_SEASON_HISTORY,
            (
                tournament,
                player,
            ),
            {},
            answers.HistoryView,
        )

    def show_season_standings(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        around: str | None = None,
        number: int | None = None,
        division: str | None = None,
        q: str | None = None,
        known: answers.SeasonStandingsView | None = None,
    ) -> answers.SeasonStandingsView:
        """Show the standings of a season, complete or in pages: the latest ones, or those with a number.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_SEASON_STANDINGS,
            (tournament,),
            {"after": after, "limit": limit, "around": around, "number": number, "division": division, "q": q},
            answers.SeasonStandingsView,
            known,
        )

    def show_season_tournaments(
        self, tournament: str, player: str, *, known: answers.SeasonPlayedView | None = None
    ) -> answers.SeasonPlayedView:
        """List the tournaments of a player in the season with place, points and games.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_SEASON_TOURNAMENTS,
            (
                tournament,
                player,
            ),
            {},
            answers.SeasonPlayedView,
            known,
        )

    def show_session(
        self, tournament: str, session: str, *, known: answers.SessionView | None = None
    ) -> answers.SessionView:
        """Show the state of a session: power token, goals, the next part of the round, how it ended.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_SESSION,
            (
                tournament,
                session,
            ),
            {},
            answers.SessionView,
            known,
        )

    def show_session_history(self, tournament: str, session: str) -> answers.EventViewPage:
        """List all events of a session in order, with author and time.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_SESSION_HISTORY,
            (
                tournament,
                session,
            ),
            {},
            answers.EventViewPage,
        )

    def show_sheets(
        self,
        tournament: str,
        form: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        round: int | None = None,
        player: str | None = None,
        venue: str | None = None,
    ) -> answers.SheetsPage:
        """Show the sheets of a form with known data filled in.

        Fields of rosters that are not public yet stay empty. Registration prints those that the caller may read
        (GET …/rosters/sheets).

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_SHEETS,
            (
                tournament,
                form,
            ),
            {"after": after, "limit": limit, "round": round, "player": player, "venue": venue},
            answers.SheetsPage,
        )

    def show_standings(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        around: str | None = None,
        round: int | None = None,
        venue: str | None = None,
        status: Literal["active", "dropped", "disqualified"] | None = None,
        q: str | None = None,
        sort: Literal["rank", "name"] | None = None,
        since: str | None = None,
        known: answers.StandingsView | None = None,
    ) -> answers.StandingsView:
        """Show the current standings or those recorded after a round: complete, in pages, or only the changes.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_STANDINGS,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "around": around,
                "round": round,
                "venue": venue,
                "status": status,
                "q": q,
                "sort": sort,
                "since": since,
            },
            answers.StandingsView,
            known,
        )

    def show_standings_csv(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        around: str | None = None,
        round: int | None = None,
        venue: str | None = None,
        status: Literal["active", "dropped", "disqualified"] | None = None,
        q: str | None = None,
        sort: Literal["rank", "name"] | None = None,
        since: str | None = None,
    ) -> str:
        """As `show_standings`, as comma-separated values with a header."""
        return self._text(
            SHOW_STANDINGS,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "around": around,
                "round": round,
                "venue": venue,
                "status": status,
                "q": q,
                "sort": sort,
                "since": since,
            },
            "text/csv",
        )

    def show_webhook(self, tournament: str, webhook: str) -> answers.WebhookView:
        """Show a webhook with its status and its numbers of waiting and dead deliveries.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._read(
            SHOW_WEBHOOK,
            (
                tournament,
                webhook,
            ),
            {},
            answers.WebhookView,
        )

    def show_what_is_asked(
        self, tournament: str, group: str, *, all: bool | None = None, known: answers.AskedView | None = None
    ) -> answers.AskedView:
        """Show the choices of a group in its open step, with their dice. `all` adds choices that are not legal.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_WHAT_IS_ASKED,
            (
                tournament,
                group,
            ),
            {"all": all},
            answers.AskedView,
            known,
        )

    @overload
    def subscribe_webhook(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SubscribeWebhook],
    ) -> answers.ScoringPreview: ...
    @overload
    def subscribe_webhook(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SubscribeWebhook],
    ) -> answers.Subscribed: ...
    def subscribe_webhook(self, tournament: str, **how: Any) -> Any:
        """Subscribe an address to events. Messages are signed as the Standard Webhooks specification says.

        The address first receives a verification and has to answer with the challenge in it. It then receives all
        events from now on at least once, in order within each tournament. Use `installation` instead of a
        tournament's id for all tournaments. A webhook receives what you may see, as long as your token is valid.
        See the guide to webhooks.

        **Who may call it:** `operator`, `organiser`, `integration`.
        """
        return self._command(SUBSCRIBE_WEBHOOK, (tournament,), how)

    @overload
    def take_back(
        self,
        tournament: str,
        group: str,
        statement: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TakeBackBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def take_back(
        self,
        tournament: str,
        group: str,
        statement: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TakeBackBody],
    ) -> answers.Appended: ...
    def take_back(self, tournament: str, group: str, statement: int, **how: Any) -> Any:
        """Take back a statement of a group's running phase. Its later statements are decided again, in order.

        The player takes back the last statement, unless a die fell for it; staff take back any, with a reason. Dice
        stay: the same question has the same answer when it is asked again. A preview shows what changes.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            TAKE_BACK,
            (
                tournament,
                group,
                statement,
            ),
            how,
        )

    @overload
    def take_back_move(
        self,
        tournament: str,
        session: str,
        statement: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TakeBackMoveBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def take_back_move(
        self,
        tournament: str,
        session: str,
        statement: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TakeBackMoveBody],
    ) -> answers.Appended: ...
    def take_back_move(self, tournament: str, session: str, statement: int, **how: Any) -> Any:
        """Take back the moves of one report, or the end of a session. Later reports are decided again, in order.

        Any survivor takes back the last report; the host and staff take back earlier ones. A preview shows the
        ranking.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            TAKE_BACK_MOVE,
            (
                tournament,
                session,
                statement,
            ),
            how,
        )

    @overload
    def take_results(
        self, tournament: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.ScoringPreview: ...
    @overload
    def take_results(
        self, tournament: str, *, preview: Literal[False] = False, if_match: Version = None, idempotency_key: str = ""
    ) -> answers.Appended: ...
    def take_results(self, tournament: str, **how: Any) -> Any:
        """Take new results of all gathered tournaments now. This also happens automatically every few seconds.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(TAKE_RESULTS, (tournament,), how)

    @overload
    def void_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.VoidResultBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def void_result(
        self,
        tournament: str,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.VoidResultBody],
    ) -> answers.Appended: ...
    def void_result(self, tournament: str, game: str, **how: Any) -> Any:
        """Void a result that was reported for the wrong game.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `rulings`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`: head_referee,
        operator, organiser, referee; `star-wars-armada-1.1`: head_referee, operator, organiser, referee; `star-
        wars-armada-400`: head_referee, operator, organiser, referee; others: head_referee, operator, organiser,
        referee. If no one holds a role, an organiser may act instead; an option may restrict the roles further. All
        others are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration
        lists them, too.
        """
        return self._command(
            VOID_RESULT,
            (
                tournament,
                game,
            ),
            how,
        )

    @overload
    def withdraw_award(
        self,
        tournament: str,
        award: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WithdrawAwardBody],
    ) -> answers.ScoringPreview: ...
    @overload
    def withdraw_award(
        self,
        tournament: str,
        award: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WithdrawAwardBody],
    ) -> answers.Appended: ...
    def withdraw_award(self, tournament: str, award: str, **how: Any) -> Any:
        """Withdraw an award.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            WITHDRAW_AWARD,
            (
                tournament,
                award,
            ),
            how,
        )
