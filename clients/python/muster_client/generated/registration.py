"""The client of registration: a method for each of its operations.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from muster_client.answer import Version
from muster_client.asking import Operation
from muster_client.generated import answers, bodies
from muster_client.generated.common import Common
from muster_client.lines import Lines

ACCEPT_INVITATION = Operation(
    "accept_invitation",
    "POST",
    "/tournaments/{tournament}/players/{player}/party",
    answers.Appended,
    body=bodies.Invitation,
)
ACCEPT_ROSTER = Operation(
    "accept_roster",
    "POST",
    "/tournaments/{tournament}/players/{player}/roster/acceptance",
    answers.Appended,
    body=bodies.AcceptRosterBody,
)
ACCEPT_ROSTERS = Operation(
    "accept_rosters",
    "POST",
    "/tournaments/{tournament}/rosters/acceptance",
    answers.Appended,
    body=bodies.AcceptRosters,
)
AMEND_PLAYER = Operation(
    "amend_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/amendments",
    answers.Appended,
    body=bodies.AmendPlayerBody,
)
AMEND_TOURNAMENT = Operation(
    "amend_tournament", "POST", "/tournaments/{tournament}/amendments", answers.Appended, body=bodies.AmendTournament
)
AMEND_VENUE = Operation(
    "amend_venue",
    "POST",
    "/tournaments/{tournament}/venues/{venue}/amendments",
    answers.Appended,
    body=bodies.AmendVenueBody,
)
ANNOUNCE_TOURNAMENT = Operation(
    "announce_tournament", "POST", "/tournaments", answers.Announced, body=bodies.Announcement
)
APPOINT_STAFF = Operation(
    "appoint_staff", "POST", "/tournaments/{tournament}/staff", answers.Appointed, body=bodies.AppointStaff
)
CANCEL_TOURNAMENT = Operation(
    "cancel_tournament",
    "POST",
    "/tournaments/{tournament}/cancellation",
    answers.Appended,
    body=bodies.CancelTournament,
)
CHANGE_TABLES = Operation(
    "change_tables",
    "POST",
    "/tournaments/{tournament}/venues/{venue}/tables",
    answers.Appended,
    body=bodies.ChangeTablesBody,
)
CHECK_IN = Operation(
    "check_in", "POST", "/tournaments/{tournament}/players/{player}/check-in", answers.Appended, body=bodies.CheckInBody
)
CHECK_IN_PLAYERS = Operation(
    "check_in_players",
    "POST",
    "/tournaments/{tournament}/players/check-in",
    answers.Appended,
    body=bodies.CheckInPlayers,
)
CHECK_OUT = Operation("check_out", "POST", "/tournaments/{tournament}/players/{player}/check-out", answers.Appended)
CHECK_OUT_PLAYERS = Operation(
    "check_out_players",
    "POST",
    "/tournaments/{tournament}/players/check-out",
    answers.Appended,
    body=bodies.CheckOutPlayers,
)
CHECK_RULESET = Operation("check_ruleset", "POST", "/rulesets/check", answers.RulesetView, body=bodies.PackText)
CLAIM_BY_NAME = Operation(
    "claim_by_name",
    "POST",
    "/tournaments/{tournament}/season/claims/by-name",
    answers.Claimed,
    body=bodies.TournamentToClaim,
)
CLAIM_ENTRIES = Operation(
    "claim_entries", "POST", "/tournaments/{tournament}/season/claims", answers.Claimed, body=bodies.EntriesToClaim
)
CLAIM_OWN = Operation(
    "claim_own", "POST", "/tournaments/{tournament}/season/claims/own", answers.Claimed, body=bodies.OwnClaim
)
CLOSE_REGISTRATION = Operation(
    "close_registration", "POST", "/tournaments/{tournament}/registration/close", answers.Appended
)
CLOSE_VENUE = Operation(
    "close_venue",
    "POST",
    "/tournaments/{tournament}/venues/{venue}/closing",
    answers.Appended,
    body=bodies.CloseVenueBody,
)
CONTINUE_SEASON = Operation(
    "continue_season",
    "POST",
    "/tournaments/{tournament}/season/continuation",
    answers.Appended,
    body=bodies.EarlierSeason,
)
COPIES_FEED = Operation("copies_feed", "GET", "/copies/feed")
COPIES_HEADS = Operation("copies_heads", "GET", "/copies/heads")
COPIES_HELD = Operation("copies_held", "GET", "/copies")
DISBAND_PARTY = Operation(
    "disband_party",
    "POST",
    "/tournaments/{tournament}/parties/{party}/disbanding",
    answers.Appended,
    body=bodies.DisbandPartyBody,
)
DISMISS_STAFF = Operation(
    "dismiss_staff",
    "POST",
    "/tournaments/{tournament}/staff/{staff}/dismissal",
    answers.Appended,
    body=bodies.DismissStaffBody,
)
DISQUALIFY_PLAYER = Operation(
    "disqualify_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/disqualification",
    answers.Appended,
    body=bodies.DisqualifyPlayerBody,
)
DROP_PLAYER = Operation(
    "drop_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/drop",
    answers.Appended,
    body=bodies.DropPlayerBody,
)
ENTER_DIVISION = Operation(
    "enter_division", "POST", "/tournaments/{tournament}/season/divisions", answers.Appended, body=bodies.EnterDivision
)
ENTER_STAFF = Operation(
    "enter_staff",
    "POST",
    "/tournaments/{tournament}/staff/{staff}/player",
    answers.Appended,
    body=bodies.EnterStaffBody,
)
ERASE_PERSONAL_DATA = Operation(
    "erase_personal_data", "DELETE", "/tournaments/{tournament}/players/{player}/personal", answers.Appended
)
EXPORT_PLAYERS = Operation("export_players", "GET", "/tournaments/{tournament}/players/csv")
FORM_PARTY = Operation(
    "form_party", "POST", "/tournaments/{tournament}/parties", answers.Appended, body=bodies.FormParty
)
GATHER_TOURNAMENT = Operation(
    "gather_tournament",
    "POST",
    "/tournaments/{tournament}/season/tournaments",
    answers.Appended,
    body=bodies.TournamentToGather,
)
GIVE_SEAT = Operation(
    "give_seat", "POST", "/tournaments/{tournament}/players/{player}/seat", answers.Appended, body=bodies.GiveSeatBody
)
ISSUE_ORGANISER_TOKEN = Operation(
    "issue_organiser_token", "POST", "/tokens/organisers", answers.OrganiserToken, body=bodies.IssueOrganiserToken
)
ISSUE_PLAYER_LINK = Operation(
    "issue_player_link",
    "POST",
    "/tournaments/{tournament}/players/{player}/links",
    answers.LinkIssued,
    body=bodies.IssueLinkBody,
)
JOIN_PARTY = Operation(
    "join_party", "POST", "/tournaments/{tournament}/players/party", answers.Joined, body=bodies.JoinParty
)
JOIN_PLAYER = Operation(
    "join_player", "POST", "/tournaments/{tournament}/players", answers.Joined, body=bodies.JoinPlayer
)
JOIN_PLAYERS = Operation(
    "join_players", "POST", "/tournaments/{tournament}/players/list", answers.Joined, body=bodies.JoinPlayers
)
JOIN_PLAYERS_CSV = Operation(
    "join_players_csv", "POST", "/tournaments/{tournament}/players/csv", answers.Joined, sends="text/csv"
)
KEEP_APART = Operation(
    "keep_apart", "POST", "/tournaments/{tournament}/kept-apart", answers.Appended, body=bodies.KeepApart
)
LEAVE_PARTY = Operation(
    "leave_party",
    "POST",
    "/tournaments/{tournament}/players/{player}/party/leaving",
    answers.Appended,
    body=bodies.LeavePartyBody,
)
LIST_BARRED = Operation("list_barred", "GET", "/tournaments/{tournament}/players/barred", answers.BarredPlayers)
LIST_BUILT_GROUPS = Operation("list_built_groups", "GET", "/tournaments/{tournament}/groups", answers.GroupsListed)
LIST_ENTRIES = Operation(
    "list_entries", "GET", "/tournaments/{tournament}/season/tournaments/{gathered}/entries", answers.EntryViewPage
)
LIST_GATHERED = Operation(
    "list_gathered", "GET", "/tournaments/{tournament}/season/tournaments", answers.GatheredViewPage
)
LIST_IDENTITIES = Operation(
    "list_identities", "GET", "/tournaments/{tournament}/season/players", answers.IdentityViewPage
)
LIST_LOOKS = Operation(
    "list_looks", "GET", "/tournaments/{tournament}/players/{player}/personal/looks", answers.LookViewPage
)
LIST_ORGANISER_TOKENS = Operation("list_organiser_tokens", "GET", "/tokens/organisers", answers.OrganiserTokenViewPage)
LIST_PARTIES = Operation("list_parties", "GET", "/tournaments/{tournament}/parties", answers.PartiesView)
LIST_PLAYER_LINKS = Operation(
    "list_player_links", "GET", "/tournaments/{tournament}/players/{player}/links", answers.LinkViewPage
)
LIST_PLAYERS = Operation("list_players", "GET", "/tournaments/{tournament}/players", answers.PlayerPage)
LIST_REVOCATIONS = Operation("list_revocations", "GET", "/tokens/revocations", answers.RevocationViewPage)
LIST_RULESET_MOVES = Operation(
    "list_ruleset_moves", "GET", "/tournaments/{tournament}/ruleset-moves", answers.MovesView
)
LIST_RULESETS = Operation("list_rulesets", "GET", "/rulesets", answers.RulesetsView)
LIST_TOURNAMENTS = Operation("list_tournaments", "GET", "/tournaments", answers.TournamentListedPage)
LIST_WARNINGS = Operation(
    "list_warnings", "GET", "/tournaments/{tournament}/players/{player}/warnings", answers.WarningViewPage
)
LOG = Operation("log", "GET", "/tournaments/{tournament}/log")
MERGE_IDENTITIES = Operation(
    "merge_identities", "POST", "/tournaments/{tournament}/season/merges", answers.Appended, body=bodies.MergeIdentities
)
MOVE_PLAYER = Operation(
    "move_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/venue",
    answers.Appended,
    body=bodies.MovePlayerBody,
)
MOVE_RULESET = Operation(
    "move_ruleset", "POST", "/tournaments/{tournament}/ruleset-moves", answers.Appended, body=bodies.RulesetToMoveTo
)
OPEN_VENUE = Operation(
    "open_venue", "POST", "/tournaments/{tournament}/venues", answers.Appended, body=bodies.OpenVenue
)
PIN_OPERATOR_DATA = Operation(
    "pin_operator_data",
    "POST",
    "/tournaments/{tournament}/operator-data",
    answers.Appended,
    body=bodies.PinOperatorData,
)
PIN_PLAYER = Operation(
    "pin_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/table",
    answers.Appended,
    body=bodies.PinPlayerBody,
)
PRINT_ROSTER = Operation(
    "print_roster", "GET", "/tournaments/{tournament}/players/{player}/roster/sheets", answers.RosterSheets
)
PRINT_ROSTERS = Operation("print_rosters", "GET", "/tournaments/{tournament}/rosters/sheets", answers.SheetsPage)
RECOPY_FROM_OWNER = Operation(
    "recopy_from_owner", "POST", "/recopy", answers.RecopiedView, body=bodies.RegistrationRecopy
)
RECOVER_FROM_PEERS = Operation(
    "recover_from_peers", "POST", "/recover", answers.Recovered, body=bodies.RegistrationRecover
)
REINSTATE_PLAYER = Operation(
    "reinstate_player", "POST", "/tournaments/{tournament}/players/{player}/reinstatement", answers.Appended
)
REJECT_ROSTER = Operation(
    "reject_roster",
    "POST",
    "/tournaments/{tournament}/players/{player}/roster/rejection",
    answers.Appended,
    body=bodies.RejectRosterBody,
)
RELEASE_TOURNAMENT = Operation(
    "release_tournament",
    "POST",
    "/tournaments/{tournament}/season/tournaments/{gathered}/release",
    answers.Appended,
    body=bodies.ReleaseTournamentBody,
)
REOPEN_REGISTRATION = Operation(
    "reopen_registration", "POST", "/tournaments/{tournament}/registration/reopen", answers.Appended
)
REVOKE_DISQUALIFICATION = Operation(
    "revoke_disqualification",
    "POST",
    "/tournaments/{tournament}/players/{player}/disqualification/revocation",
    answers.Appended,
    body=bodies.RevokeDisqualificationBody,
)
REVOKE_INSTALLATION_TOKEN = Operation(
    "revoke_installation_token", "POST", "/tokens/revocations", answers.Appended, body=bodies.RevokeInstallationToken
)
REVOKE_TOKEN = Operation(
    "revoke_token", "POST", "/tournaments/{tournament}/tokens/revocations", answers.Appended, body=bodies.RevokeToken
)
ROLL_TURFS = Operation(
    "roll_turfs",
    "POST",
    "/tournaments/{tournament}/players/{player}/group/turfs",
    answers.Appended,
    body=bodies.RollTurfsBody,
)
SHOW_BUILT_GROUP = Operation(
    "show_built_group", "GET", "/tournaments/{tournament}/players/{player}/group", answers.RegistrationGroupView
)
SHOW_IDENTITY = Operation(
    "show_identity", "GET", "/tournaments/{tournament}/season/players/{player}", answers.IdentityView
)
SHOW_INVITATION = Operation(
    "show_invitation", "GET", "/tournaments/{tournament}/players/{player}/invitation", answers.InvitationView
)
SHOW_ME = Operation("show_me", "GET", "/tournaments/{tournament}/me", answers.MeView)
SHOW_OPERATOR_DATA = Operation(
    "show_operator_data", "GET", "/tournaments/{tournament}/operator-data", answers.OperatorDataView
)
SHOW_PERSONAL_DATA = Operation(
    "show_personal_data", "GET", "/tournaments/{tournament}/players/{player}/personal", answers.PersonalView
)
SHOW_PLAYER = Operation("show_player", "GET", "/tournaments/{tournament}/players/{player}", answers.PlayerView)
SHOW_ROSTER = Operation("show_roster", "GET", "/tournaments/{tournament}/players/{player}/roster", answers.RosterView)
SHOW_RULESET = Operation("show_ruleset", "GET", "/rulesets/{ruleset}", answers.RulesetView)
SHOW_TOURNAMENT = Operation("show_tournament", "GET", "/tournaments/{tournament}", answers.TournamentView)
SHOW_TOURNAMENTS_RULESET = Operation(
    "show_tournaments_ruleset", "GET", "/tournaments/{tournament}/ruleset", answers.RulesetView
)
SIGN_UP = Operation("sign_up", "POST", "/tournaments/{tournament}/sign-up", answers.Joined, body=bodies.InvitedGuest)
SIGN_UP_PARTY = Operation(
    "sign_up_party", "POST", "/tournaments/{tournament}/sign-up/party", answers.Joined, body=bodies.Company
)
SPLIT_IDENTITY = Operation(
    "split_identity", "POST", "/tournaments/{tournament}/season/splits", answers.Claimed, body=bodies.SplitIdentity
)
SUBMIT_GROUP = Operation(
    "submit_group",
    "POST",
    "/tournaments/{tournament}/players/{player}/group",
    answers.GroupTaken,
    body=bodies.SubmitGroupBody,
)
SUBMIT_ROSTER = Operation(
    "submit_roster",
    "POST",
    "/tournaments/{tournament}/players/{player}/roster",
    answers.RosterTaken,
    body=bodies.SubmitRosterBody,
)
TAKE_SEAT_BACK = Operation(
    "take_seat_back", "DELETE", "/tournaments/{tournament}/players/{player}/seat", answers.Appended
)
UNPIN_PLAYER = Operation("unpin_player", "DELETE", "/tournaments/{tournament}/players/{player}/table", answers.Appended)
WARN_PLAYER = Operation(
    "warn_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/warnings",
    answers.Appended,
    body=bodies.WarnPlayerBody,
)
WITHDRAW_PLAYER = Operation(
    "withdraw_player",
    "POST",
    "/tournaments/{tournament}/players/{player}/withdrawal",
    answers.Appended,
    body=bodies.WithdrawPlayerBody,
)


class Registration(Common):
    """Registration."""

    _service = "registration"
    _preview = answers.RegistrationPreview

    @overload
    def accept_invitation(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Invitation],
    ) -> answers.RegistrationPreview: ...
    @overload
    def accept_invitation(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Invitation],
    ) -> answers.Appended: ...
    def accept_invitation(self, tournament: str, player: str, **how: Any) -> Any:
        """Join the party of the survivor who gave this invitation, after signing up.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            ACCEPT_INVITATION,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def accept_roster(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AcceptRosterBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def accept_roster(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AcceptRosterBody],
    ) -> answers.Appended: ...
    def accept_roster(self, tournament: str, player: str, **how: Any) -> Any:
        """Accept the latest roster. Before play has begun, only the player and staff see the note.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `lists`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`: head_referee,
        operator, organiser, referee; `star-wars-armada-1.1`: head_referee, operator, organiser, referee; `star-
        wars-armada-400`: head_referee, operator, organiser, referee; others: head_referee, operator, organiser,
        referee. If no one holds a role, an organiser may act instead; an option may restrict the roles further. All
        others are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration
        lists them, too.
        """
        return self._command(
            ACCEPT_ROSTER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def accept_rosters(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AcceptRosters],
    ) -> answers.RegistrationPreview: ...
    @overload
    def accept_rosters(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AcceptRosters],
    ) -> answers.Appended: ...
    def accept_rosters(self, tournament: str, **how: Any) -> Any:
        """Accept the latest rosters of several players: all of them, or none and the answer lists every fault.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `lists`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`: head_referee,
        operator, organiser, referee; `star-wars-armada-1.1`: head_referee, operator, organiser, referee; `star-
        wars-armada-400`: head_referee, operator, organiser, referee; others: head_referee, operator, organiser,
        referee. If no one holds a role, an organiser may act instead; an option may restrict the roles further. All
        others are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration
        lists them, too.
        """
        return self._command(ACCEPT_ROSTERS, (tournament,), how)

    @overload
    def amend_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendPlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def amend_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendPlayerBody],
    ) -> answers.Appended: ...
    def amend_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Correct a player's name, faction, club, venue or external id. Send If-Match.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            AMEND_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def amend_tournament(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendTournament],
    ) -> answers.RegistrationPreview: ...
    @overload
    def amend_tournament(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendTournament],
    ) -> answers.Appended: ...
    def amend_tournament(self, tournament: str, **how: Any) -> Any:
        """Change the name, dates, capacity, rounds, options, sign-up, or `on_purpose` of a tournament.

        Send If-Match to avoid overwriting another change. Options can change before round 1 is published, unless
        their `until` is `announcement`. Lists that were accepted before stay accepted.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(AMEND_TOURNAMENT, (tournament,), how)

    @overload
    def amend_venue(
        self,
        tournament: str,
        venue: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendVenueBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def amend_venue(
        self,
        tournament: str,
        venue: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendVenueBody],
    ) -> answers.Appended: ...
    def amend_venue(self, tournament: str, venue: str, **how: Any) -> Any:
        """Change name, time zone, address or note of a venue. Send If-Match to avoid overwriting another change.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            AMEND_VENUE,
            (
                tournament,
                venue,
            ),
            how,
        )

    @overload
    def announce_tournament(
        self,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Announcement],
    ) -> answers.RegistrationPreview: ...
    @overload
    def announce_tournament(
        self,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Announcement],
    ) -> answers.Announced: ...
    def announce_tournament(self, **how: Any) -> Any:
        """Announce a tournament. Its ruleset becomes part of the log. The answer contains the organiser's token.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(ANNOUNCE_TOURNAMENT, (), how)

    @overload
    def appoint_staff(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AppointStaff],
    ) -> answers.RegistrationPreview: ...
    @overload
    def appoint_staff(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AppointStaff],
    ) -> answers.Appointed: ...
    def appoint_staff(self, tournament: str, **how: Any) -> Any:
        """Appoint a member of staff. The answer contains their token.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(APPOINT_STAFF, (tournament,), how)

    @overload
    def cancel_tournament(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CancelTournament],
    ) -> answers.RegistrationPreview: ...
    @overload
    def cancel_tournament(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CancelTournament],
    ) -> answers.Appended: ...
    def cancel_tournament(self, tournament: str, **how: Any) -> Any:
        """Cancel the tournament. All data stay readable.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(CANCEL_TOURNAMENT, (tournament,), how)

    @overload
    def change_tables(
        self,
        tournament: str,
        venue: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChangeTablesBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def change_tables(
        self,
        tournament: str,
        venue: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ChangeTablesBody],
    ) -> answers.Appended: ...
    def change_tables(self, tournament: str, venue: str, **how: Any) -> Any:
        """Replace the tables of a venue.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            CHANGE_TABLES,
            (
                tournament,
                venue,
            ),
            how,
        )

    @overload
    def check_in(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CheckInBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def check_in(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CheckInBody],
    ) -> answers.Appended: ...
    def check_in(self, tournament: str, player: str, **how: Any) -> Any:
        """Check a player in, at a venue.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            CHECK_IN,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def check_in_players(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CheckInPlayers],
    ) -> answers.RegistrationPreview: ...
    @overload
    def check_in_players(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CheckInPlayers],
    ) -> answers.Appended: ...
    def check_in_players(self, tournament: str, **how: Any) -> Any:
        """Check several players in, each at their venue: all of them, or none and the answer lists every fault.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(CHECK_IN_PLAYERS, (tournament,), how)

    @overload
    def check_out(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.RegistrationPreview: ...
    @overload
    def check_out(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def check_out(self, tournament: str, player: str, **how: Any) -> Any:
        """Undo a check-in.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            CHECK_OUT,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def check_out_players(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CheckOutPlayers],
    ) -> answers.RegistrationPreview: ...
    @overload
    def check_out_players(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CheckOutPlayers],
    ) -> answers.Appended: ...
    def check_out_players(self, tournament: str, **how: Any) -> Any:
        """Undo the check-ins of several players: all of them, or none and the answer lists every fault.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(CHECK_OUT_PLAYERS, (tournament,), how)

    def check_ruleset(self, *, idempotency_key: str = "", **body: Unpack[bodies.PackText]) -> answers.RulesetView:
        """Check a pack of your own, and show it as a ruleset. Nothing is kept.

        Each fault is at `pack:LINE:/pointer`. To use the pack, announce a tournament with the answer's `ruleset` as
        `pack`.

        **Who may call it:** `operator`, `organiser`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.RulesetView = self._command(CHECK_RULESET, (), how)
        return made

    @overload
    def claim_by_name(
        self,
        tournament: str,
        /,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TournamentToClaim],
    ) -> answers.RegistrationPreview: ...
    @overload
    def claim_by_name(
        self,
        tournament: str,
        /,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TournamentToClaim],
    ) -> answers.Claimed: ...
    def claim_by_name(self, tournament: str, /, **how: Any) -> Any:
        """Claim the unclaimed entries of a tournament: by external id, else by name, else for new players.

        Different external ids are different people. If an entry has the name of a player with another external id,
        it is not claimed, and `same_names` lists it.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(CLAIM_BY_NAME, (tournament,), how)

    @overload
    def claim_entries(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EntriesToClaim],
    ) -> answers.RegistrationPreview: ...
    @overload
    def claim_entries(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EntriesToClaim],
    ) -> answers.Claimed: ...
    def claim_entries(self, tournament: str, **how: Any) -> Any:
        """Claim entries for players of the season. If any claim is invalid, none is made and every fault is listed.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(CLAIM_ENTRIES, (tournament,), how)

    @overload
    def claim_own(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OwnClaim],
    ) -> answers.RegistrationPreview: ...
    @overload
    def claim_own(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OwnClaim],
    ) -> answers.Claimed: ...
    def claim_own(self, tournament: str, **how: Any) -> Any:
        """Claim your own entry with the link of its tournament. The answer contains your link for the season.

        If you are already a player of the season, send that token as `season_token`.

        **Who may call it:** `player`.
        """
        return self._command(CLAIM_OWN, (tournament,), how)

    @overload
    def close_registration(
        self, tournament: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.RegistrationPreview: ...
    @overload
    def close_registration(
        self, tournament: str, *, preview: Literal[False] = False, if_match: Version = None, idempotency_key: str = ""
    ) -> answers.Appended: ...
    def close_registration(self, tournament: str, **how: Any) -> Any:
        """Close registration: no one can join any more.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(CLOSE_REGISTRATION, (tournament,), how)

    @overload
    def close_venue(
        self,
        tournament: str,
        venue: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CloseVenueBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def close_venue(
        self,
        tournament: str,
        venue: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CloseVenueBody],
    ) -> answers.Appended: ...
    def close_venue(self, tournament: str, venue: str, **how: Any) -> Any:
        """Close a venue. Its players can be checked in elsewhere.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            CLOSE_VENUE,
            (
                tournament,
                venue,
            ),
            how,
        )

    @overload
    def continue_season(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EarlierSeason],
    ) -> answers.RegistrationPreview: ...
    @overload
    def continue_season(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EarlierSeason],
    ) -> answers.Appended: ...
    def continue_season(self, tournament: str, **how: Any) -> Any:
        """Enter the players of an earlier season, each in the division that its end assigned.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(CONTINUE_SEASON, (tournament,), how)

    def copies_feed(
        self, *, source: Literal["pairing", "scoring"] | None = None, after: int | None = None, limit: int | None = None
    ) -> Lines:
        """Show the positions of copied events in the feed of their source.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_FEED, (), {"source": source, "after": after, "limit": limit})

    def copies_heads(
        self, *, source: Literal["pairing", "scoring"] | None = None, after: str | None = None, limit: int | None = None
    ) -> Lines:
        """Show the heads of the copies of a source's logs, by tournament.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_HEADS, (), {"source": source, "after": after, "limit": limit})

    def copies_held(self, *, source: Literal["pairing", "scoring"] | None = None) -> Lines:
        """Show how much of a source's log is copied here. Its owner uses this to detect lost events.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_HELD, (), {"source": source})

    @overload
    def disband_party(
        self,
        tournament: str,
        party: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisbandPartyBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def disband_party(
        self,
        tournament: str,
        party: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisbandPartyBody],
    ) -> answers.Appended: ...
    def disband_party(self, tournament: str, party: str, **how: Any) -> Any:
        """Disband a party. Its members are seated individually again.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            DISBAND_PARTY,
            (
                tournament,
                party,
            ),
            how,
        )

    @overload
    def dismiss_staff(
        self,
        tournament: str,
        staff: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DismissStaffBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def dismiss_staff(
        self,
        tournament: str,
        staff: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DismissStaffBody],
    ) -> answers.Appended: ...
    def dismiss_staff(self, tournament: str, staff: str, **how: Any) -> Any:
        """Dismiss a member of staff. Their tokens become invalid, and on request the players' links that they
        received.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            DISMISS_STAFF,
            (
                tournament,
                staff,
            ),
            how,
        )

    @overload
    def disqualify_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisqualifyPlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def disqualify_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DisqualifyPlayerBody],
    ) -> answers.Appended: ...
    def disqualify_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Disqualify a player, with a reason. The ruleset says who may do this and what happens to results.

        `barred` names later events from which the player is barred too; an organiser decides that, now or later.
        The reason is public; the note is stored outside the log, for organiser and head referee.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `disqualification`. `dust-warfare-1.0`: operator,
        organiser; `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`:
        head_referee, operator, organiser; `star-wars-armada-1.1`: head_referee; `star-wars-armada-400`:
        head_referee; others: head_referee, operator, organiser. If no one holds a role, an organiser may act
        instead; an option may restrict the roles further. All others are refused with `not-your-decision`, which
        names them; `decisions` of the tournament at registration lists them, too.
        """
        return self._command(
            DISQUALIFY_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def drop_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DropPlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def drop_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.DropPlayerBody],
    ) -> answers.Appended: ...
    def drop_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Drop a player from further rounds. Results stay. Report a running game as a concession.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            DROP_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def enter_division(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterDivision],
    ) -> answers.RegistrationPreview: ...
    @overload
    def enter_division(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterDivision],
    ) -> answers.Appended: ...
    def enter_division(self, tournament: str, **how: Any) -> Any:
        """Put players into a division.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(ENTER_DIVISION, (tournament,), how)

    @overload
    def enter_staff(
        self,
        tournament: str,
        staff: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterStaffBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def enter_staff(
        self,
        tournament: str,
        staff: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.EnterStaffBody],
    ) -> answers.Appended: ...
    def enter_staff(self, tournament: str, staff: str, **how: Any) -> Any:
        """Record the player of a member of staff who also plays. Refused for judges if the tier does not let them
        play.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            ENTER_STAFF,
            (
                tournament,
                staff,
            ),
            how,
        )

    @overload
    def erase_personal_data(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.RegistrationPreview: ...
    @overload
    def erase_personal_data(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def erase_personal_data(self, tournament: str, player: str, **how: Any) -> Any:
        """Erase a player's personal data permanently, including private notes and the record of access.

        The log never contained them, so all hashes stay valid.

        **Who may call it:** `operator`, `organiser`, `player`.
        """
        return self._command(
            ERASE_PERSONAL_DATA,
            (
                tournament,
                player,
            ),
            how,
        )

    def export_players(
        self,
        tournament: str,
        *,
        venue: str | None = None,
        status: Literal["active", "waiting", "dropped", "disqualified", "withdrawn"] | None = None,
    ) -> str:
        """Show players as CSV (`player,name,faction,venue,club`), as POST accepts it; `player` is the external id.

        A cell that a spreadsheet would read as a formula starts with a single quote, which POST removes.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._text(EXPORT_PLAYERS, (tournament,), {"venue": venue, "status": status}, "text/csv")

    @overload
    def form_party(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.FormParty],
    ) -> answers.RegistrationPreview: ...
    @overload
    def form_party(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.FormParty],
    ) -> answers.Appended: ...
    def form_party(self, tournament: str, **how: Any) -> Any:
        """Form a party of players who have joined already. They sit together from the next seating on.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(FORM_PARTY, (tournament,), how)

    @overload
    def gather_tournament(
        self,
        tournament: str,
        /,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TournamentToGather],
    ) -> answers.RegistrationPreview: ...
    @overload
    def gather_tournament(
        self,
        tournament: str,
        /,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.TournamentToGather],
    ) -> answers.Appended: ...
    def gather_tournament(self, tournament: str, /, **how: Any) -> Any:
        """Count a tournament in the season. It may be announced, running or concluded.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(GATHER_TOURNAMENT, (tournament,), how)

    @overload
    def give_seat(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.GiveSeatBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def give_seat(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.GiveSeatBody],
    ) -> answers.Appended: ...
    def give_seat(self, tournament: str, player: str, **how: Any) -> Any:
        """Give a free or an added seat to a waiting player, ahead of others. The reason is public.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            GIVE_SEAT,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def issue_organiser_token(
        self,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.IssueOrganiserToken],
    ) -> answers.RegistrationPreview: ...
    @overload
    def issue_organiser_token(
        self,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.IssueOrganiserToken],
    ) -> answers.OrganiserToken: ...
    def issue_organiser_token(self, **how: Any) -> Any:
        """Issue a token to an organiser, who can announce tournaments and lead those that they announced.

        The answer contains the token, which is not stored. The same Idempotency-Key gives the same token.
        Organisers are identified by name, so everyone with a token for the same name leads the same tournaments.

        **Who may call it:** `operator`.
        """
        return self._command(ISSUE_ORGANISER_TOKEN, (), how)

    @overload
    def issue_player_link(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.IssueLinkBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def issue_player_link(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.IssueLinkBody],
    ) -> answers.LinkIssued: ...
    def issue_player_link(self, tournament: str, player: str, **how: Any) -> Any:
        """Issue a new link for a player, for example after they lost a phone. On request, the older links are revoked.

        The log records actions with the link as the player's, through a link that you requested; the player can see
        that. The same Idempotency-Key gives the same link.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            ISSUE_PLAYER_LINK,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def join_party(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JoinParty],
    ) -> answers.RegistrationPreview: ...
    @overload
    def join_party(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JoinParty],
    ) -> answers.Joined: ...
    def join_party(self, tournament: str, **how: Any) -> Any:
        """Enter survivors who sit together at every table: all of them or none.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(JOIN_PARTY, (tournament,), how)

    @overload
    def join_player(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JoinPlayer],
    ) -> answers.RegistrationPreview: ...
    @overload
    def join_player(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JoinPlayer],
    ) -> answers.Joined: ...
    def join_player(self, tournament: str, **how: Any) -> Any:
        """Enter a player. The answer contains the link with which they report their own games.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(JOIN_PLAYER, (tournament,), how)

    @overload
    def join_players(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JoinPlayers],
    ) -> answers.RegistrationPreview: ...
    @overload
    def join_players(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.JoinPlayers],
    ) -> answers.Joined: ...
    def join_players(self, tournament: str, **how: Any) -> Any:
        """Enter a list of players: all of them, or none and the answer lists every fault.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(JOIN_PLAYERS, (tournament,), how)

    @overload
    def join_players_csv(
        self,
        tournament: str,
        file: str | bytes,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.RegistrationPreview: ...
    @overload
    def join_players_csv(
        self,
        tournament: str,
        file: str | bytes,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Joined: ...
    def join_players_csv(self, tournament: str, file: str | bytes, **how: Any) -> Any:
        """Enter players from CSV (`player,name,faction,venue,club`): all of them, or none and the answer lists every
        fault.

        Rows of players who are already entered with the same data are skipped; the preview counts them in
        `moves.unchanged`.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(JOIN_PLAYERS_CSV, (tournament,), how, file)

    @overload
    def keep_apart(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.KeepApart],
    ) -> answers.RegistrationPreview: ...
    @overload
    def keep_apart(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.KeepApart],
    ) -> answers.Appended: ...
    def keep_apart(self, tournament: str, **how: Any) -> Any:
        """Set groups of players who should not meet in round 1. Pairing avoids it if possible, like rematches.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(KEEP_APART, (tournament,), how)

    @overload
    def leave_party(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.LeavePartyBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def leave_party(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.LeavePartyBody],
    ) -> answers.Appended: ...
    def leave_party(self, tournament: str, player: str, **how: Any) -> Any:
        """Leave a party; a party of two is disbanded.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            LEAVE_PARTY,
            (
                tournament,
                player,
            ),
            how,
        )

    def list_barred(self, tournament: str, *, venue: str | None = None) -> answers.BarredPlayers:
        """List players who may have been barred from later events at another tournament of this organiser.

        Muster compares external ids, or else names, so a match may be another person. It refuses no one because of
        this list: staff decide whether it is the same person, and whether the bar covers this event.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._read(LIST_BARRED, (tournament,), {"venue": venue}, answers.BarredPlayers)

    def list_built_groups(
        self, tournament: str, *, venue: str | None = None, known: answers.GroupsListed | None = None
    ) -> answers.GroupsListed:
        """List the active and waiting players, with summaries of their groups.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_BUILT_GROUPS, (tournament,), {"venue": venue}, answers.GroupsListed, known)

    def list_entries(
        self, tournament: str, gathered: str, *, after: str | None = None, limit: int | None = None
    ) -> answers.EntryViewPage:
        """List the players of a gathered tournament, with the player of the season who has claimed each entry.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_ENTRIES,
            (
                tournament,
                gathered,
            ),
            {"after": after, "limit": limit},
            answers.EntryViewPage,
        )

    def list_gathered(self, tournament: str) -> answers.GatheredViewPage:
        """List the tournaments that the season counts, in their order.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_GATHERED, (tournament,), {}, answers.GatheredViewPage)

    def list_identities(
        self, tournament: str, *, after: str | None = None, limit: int | None = None
    ) -> answers.IdentityViewPage:
        """List the players of the season with their entries.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_IDENTITIES, (tournament,), {"after": after, "limit": limit}, answers.IdentityViewPage)

    def list_looks(
        self, tournament: str, player: str, *, after: str | None = None, limit: int | None = None
    ) -> answers.LookViewPage:
        """List the recorded accesses to a player's personal data. The list is erased with the data.

        **Who may call it:** `operator`, `organiser`, `player`.
        """
        return self._read(
            LIST_LOOKS,
            (
                tournament,
                player,
            ),
            {"after": after, "limit": limit},
            answers.LookViewPage,
        )

    def list_organiser_tokens(self) -> answers.OrganiserTokenViewPage:
        """List the tokens that were issued to organisers, oldest first, without the tokens themselves.

        **Who may call it:** `operator`.
        """
        return self._read(LIST_ORGANISER_TOKENS, (), {}, answers.OrganiserTokenViewPage)

    def list_parties(self, tournament: str, *, venue: str | None = None) -> answers.PartiesView:
        """List the parties. A party is at each venue where a member plays.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_PARTIES, (tournament,), {"venue": venue}, answers.PartiesView)

    def list_player_links(self, tournament: str, player: str) -> answers.LinkViewPage:
        """List a player's links, oldest first: who received each one, when, and whether it is revoked.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._read(
            LIST_PLAYER_LINKS,
            (
                tournament,
                player,
            ),
            {},
            answers.LinkViewPage,
        )

    def list_players(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        external_id: str | None = None,
        roster: Literal["none", "submitted", "accepted", "rejected"] | None = None,
        status: Literal["active", "waiting", "dropped", "disqualified", "withdrawn"] | None = None,
        venue: str | None = None,
        q: str | None = None,
        sort: Literal["sign_up", "name"] | None = None,
        since: str | None = None,
    ) -> answers.PlayerPage:
        """List players by sign-up or name. By sign-up, waiting players are in the order in which they move up.

        As CSV this is the file players.csv of the offline commands. Without `status` it excludes waiting and
        withdrawn players.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_PLAYERS,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "external_id": external_id,
                "roster": roster,
                "status": status,
                "venue": venue,
                "q": q,
                "sort": sort,
                "since": since,
            },
            answers.PlayerPage,
        )

    def list_players_csv(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        external_id: str | None = None,
        roster: Literal["none", "submitted", "accepted", "rejected"] | None = None,
        status: Literal["active", "waiting", "dropped", "disqualified", "withdrawn"] | None = None,
        venue: str | None = None,
        q: str | None = None,
        sort: Literal["sign_up", "name"] | None = None,
        since: str | None = None,
    ) -> str:
        """As `list_players`, as comma-separated values with a header."""
        return self._text(
            LIST_PLAYERS,
            (tournament,),
            {
                "after": after,
                "limit": limit,
                "external_id": external_id,
                "roster": roster,
                "status": status,
                "venue": venue,
                "q": q,
                "sort": sort,
                "since": since,
            },
            "text/csv",
        )

    def list_revocations(self) -> answers.RevocationViewPage:
        """List the tokens that the installation has revoked, oldest first.

        **Who may call it:** `operator`.
        """
        return self._read(LIST_REVOCATIONS, (), {}, answers.RevocationViewPage)

    def list_ruleset_moves(self, tournament: str, *, known: answers.MovesView | None = None) -> answers.MovesView:
        """List the versions of the ruleset that the campaign has used.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_RULESET_MOVES, (tournament,), {}, answers.MovesView, known)

    def list_rulesets(self) -> answers.RulesetsView:
        """List the shipped rulesets with their tiers and options.

        **Who may call it:** everybody.
        """
        return self._read(LIST_RULESETS, (), {}, answers.RulesetsView)

    def list_tournaments(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        status: Literal["announced", "running", "concluded", "cancelled"] | None = None,
        q: str | None = None,
    ) -> answers.TournamentListedPage:
        """List tournaments, newest first. Private ones are only listed for their own staff and players.

        **Who may call it:** everybody.
        """
        return self._read(
            LIST_TOURNAMENTS,
            (),
            {"after": after, "limit": limit, "status": status, "q": q},
            answers.TournamentListedPage,
        )

    def list_warnings(self, tournament: str, player: str) -> answers.WarningViewPage:
        """List a player's warnings, oldest first. Staff only.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._read(
            LIST_WARNINGS,
            (
                tournament,
                player,
            ),
            {},
            answers.WarningViewPage,
        )

    def log(
        self,
        tournament: str,
        *,
        source: Literal["registration", "pairing", "scoring"] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show one log of a tournament in order: the audit trail, and the events that a subscriber missed.

        A token limited to some types of events leaves out the others, so that positions have gaps.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._lines(LOG, (tournament,), {"source": source, "after": after, "limit": limit})

    @overload
    def merge_identities(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MergeIdentities],
    ) -> answers.RegistrationPreview: ...
    @overload
    def merge_identities(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MergeIdentities],
    ) -> answers.Appended: ...
    def merge_identities(self, tournament: str, **how: Any) -> Any:
        """Merge two players of the season who are the same person. Their results count together from now on.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(MERGE_IDENTITIES, (tournament,), how)

    @overload
    def move_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MovePlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def move_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MovePlayerBody],
    ) -> answers.Appended: ...
    def move_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Move a player to another venue from the next pairing on. Paired rounds keep their tables.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            MOVE_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def move_ruleset(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RulesetToMoveTo],
    ) -> answers.RegistrationPreview: ...
    @overload
    def move_ruleset(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RulesetToMoveTo],
    ) -> answers.Appended: ...
    def move_ruleset(self, tournament: str, **how: Any) -> Any:
        """Move a campaign to another version of its ruleset, from a round that is not paired yet.

        **Who may call it:** `operator`.
        """
        return self._command(MOVE_RULESET, (tournament,), how)

    @overload
    def open_venue(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OpenVenue],
    ) -> answers.RegistrationPreview: ...
    @overload
    def open_venue(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OpenVenue],
    ) -> answers.Appended: ...
    def open_venue(self, tournament: str, **how: Any) -> Any:
        """Open a venue with its tables.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(OPEN_VENUE, (tournament,), how)

    @overload
    def pin_operator_data(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PinOperatorData],
    ) -> answers.RegistrationPreview: ...
    @overload
    def pin_operator_data(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PinOperatorData],
    ) -> answers.Appended: ...
    def pin_operator_data(self, tournament: str, **how: Any) -> Any:
        """Enter the contents of the scenario sheets and cards. They apply to tables that are set up from now on.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(PIN_OPERATOR_DATA, (tournament,), how)

    @overload
    def pin_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PinPlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def pin_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PinPlayerBody],
    ) -> answers.Appended: ...
    def pin_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Give a player a fixed table. The reason is private: it is stored encrypted, outside the log.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            PIN_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    def print_roster(self, tournament: str, player: str) -> answers.RosterSheets:
        """Show a roster on the ruleset's forms, with the fields that you may see.

        Fields that are not open yet are only on these sheets, not on those of scoring.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            PRINT_ROSTER,
            (
                tournament,
                player,
            ),
            {},
            answers.RosterSheets,
        )

    def print_rosters(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        form: str | None = None,
        player: str | None = None,
        venue: str | None = None,
    ) -> answers.SheetsPage:
        """Show the rosters of all players on the ruleset's forms, with the fields that you may see.

        Rosters without such fields are left out. If no sheet remains, the answer is `rosters-hidden`.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            PRINT_ROSTERS,
            (tournament,),
            {"after": after, "limit": limit, "form": form, "player": player, "venue": venue},
            answers.SheetsPage,
        )

    def recopy_from_owner(
        self, *, idempotency_key: str = "", **body: Unpack[bodies.RegistrationRecopy]
    ) -> answers.RecopiedView:
        """Replace a copy that differs from its owner's log; the replaced events are kept aside.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.RecopiedView = self._command(RECOPY_FROM_OWNER, (), how)
        return made

    def recover_from_peers(
        self, *, idempotency_key: str = "", **body: Unpack[bodies.RegistrationRecover]
    ) -> answers.Recovered:
        """Restore events of this service's log that its database has lost and its peers still hold.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.Recovered = self._command(RECOVER_FROM_PEERS, (), how)
        return made

    @overload
    def reinstate_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.RegistrationPreview: ...
    @overload
    def reinstate_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def reinstate_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Reinstate a dropped player, from the next pairing on.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            REINSTATE_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def reject_roster(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RejectRosterBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def reject_roster(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RejectRosterBody],
    ) -> answers.Appended: ...
    def reject_roster(self, tournament: str, player: str, **how: Any) -> Any:
        """Reject the latest roster, with a reason. Before play has begun, only the player and staff see the note.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.

        The ruleset restricts this to the roles that decide `lists`. `dust-warfare-1.0`: operator, organiser;
        `fallout-factions-comp-1.0`: head_referee, operator, organiser, referee; `round-robin`: head_referee,
        operator, organiser, referee; `star-wars-armada-1.1`: head_referee, operator, organiser, referee; `star-
        wars-armada-400`: head_referee, operator, organiser, referee; others: head_referee, operator, organiser,
        referee. If no one holds a role, an organiser may act instead; an option may restrict the roles further. All
        others are refused with `not-your-decision`, which names them; `decisions` of the tournament at registration
        lists them, too.
        """
        return self._command(
            REJECT_ROSTER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def release_tournament(
        self,
        tournament: str,
        gathered: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReleaseTournamentBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def release_tournament(
        self,
        tournament: str,
        gathered: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReleaseTournamentBody],
    ) -> answers.Appended: ...
    def release_tournament(self, tournament: str, gathered: str, **how: Any) -> Any:
        """Stop counting a tournament in the season. It can be gathered again.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            RELEASE_TOURNAMENT,
            (
                tournament,
                gathered,
            ),
            how,
        )

    @overload
    def reopen_registration(
        self, tournament: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.RegistrationPreview: ...
    @overload
    def reopen_registration(
        self, tournament: str, *, preview: Literal[False] = False, if_match: Version = None, idempotency_key: str = ""
    ) -> answers.Appended: ...
    def reopen_registration(self, tournament: str, **how: Any) -> Any:
        """Reopen registration until round 1 is paired.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(REOPEN_REGISTRATION, (tournament,), how)

    @overload
    def revoke_disqualification(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RevokeDisqualificationBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def revoke_disqualification(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RevokeDisqualificationBody],
    ) -> answers.Appended: ...
    def revoke_disqualification(self, tournament: str, player: str, **how: Any) -> Any:
        """Revoke a disqualification before a round is paired without the player.

        **Who may call it:** `operator`, `organiser`, `head_referee`.

        The ruleset restricts this to the roles that decide `reinstatement`. `dust-warfare-1.0`: operator,
        organiser; `fallout-factions-comp-1.0`: operator, organiser; `round-robin`: operator, organiser; `star-wars-
        armada-1.1`: head_referee; `star-wars-armada-400`: head_referee; others: operator, organiser. If no one
        holds a role, an organiser may act instead; an option may restrict the roles further. All others are refused
        with `not-your-decision`, which names them; `decisions` of the tournament at registration lists them, too.
        """
        return self._command(
            REVOKE_DISQUALIFICATION,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def revoke_installation_token(
        self,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RevokeInstallationToken],
    ) -> answers.RegistrationPreview: ...
    @overload
    def revoke_installation_token(
        self,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RevokeInstallationToken],
    ) -> answers.Appended: ...
    def revoke_installation_token(self, **how: Any) -> Any:
        """Revoke one token that the command line issued, or one of a service; all others stay valid.

        Every service refuses the token as soon as it has a copy of the event, usually within a second. A token of
        one tournament is revoked at that tournament.

        **Who may call it:** `operator`.
        """
        return self._command(REVOKE_INSTALLATION_TOKEN, (), how)

    @overload
    def revoke_token(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RevokeToken],
    ) -> answers.RegistrationPreview: ...
    @overload
    def revoke_token(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RevokeToken],
    ) -> answers.Appended: ...
    def revoke_token(self, tournament: str, **how: Any) -> Any:
        """Revoke one token, for example after a phone was lost. Referees can only revoke players' tokens.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(REVOKE_TOKEN, (tournament,), how)

    @overload
    def roll_turfs(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RollTurfsBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def roll_turfs(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RollTurfsBody],
    ) -> answers.Appended: ...
    def roll_turfs(self, tournament: str, player: str, **how: Any) -> Any:
        """Roll starting turfs, at the table or by the service. The last one also gives the leader and the rating.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            ROLL_TURFS,
            (
                tournament,
                player,
            ),
            how,
        )

    def show_built_group(
        self, tournament: str, player: str, *, known: answers.RegistrationGroupView | None = None
    ) -> answers.RegistrationGroupView:
        """Show a group as it was built, and the parts of its rating.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_BUILT_GROUP,
            (
                tournament,
                player,
            ),
            {},
            answers.RegistrationGroupView,
            known,
        )

    def show_identity(self, tournament: str, player: str) -> answers.IdentityView:
        """Show a player of the season with their entries.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_IDENTITY,
            (
                tournament,
                player,
            ),
            {},
            answers.IdentityView,
        )

    def show_invitation(self, tournament: str, player: str) -> answers.InvitationView:
        """Show the code with which others join a survivor's party, at sign-up or afterwards.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._read(
            SHOW_INVITATION,
            (
                tournament,
                player,
            ),
            {},
            answers.InvitationView,
        )

    def show_me(self, tournament: str) -> answers.MeView:
        """Show the player of this token, with the addresses of their game, results and standing.

        **Who may call it:** `player`.
        """
        return self._read(SHOW_ME, (tournament,), {}, answers.MeView)

    def show_operator_data(
        self, tournament: str, *, known: answers.OperatorDataView | None = None
    ) -> answers.OperatorDataView:
        """Show the latest operator data, and the values that are still missing to set up a table.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_OPERATOR_DATA, (tournament,), {}, answers.OperatorDataView, known)

    def show_personal_data(self, tournament: str, player: str) -> answers.PersonalView:
        """Show a player's personal data. The organiser sees everything, a head referee needs and private notes.

        Every access except the player's own is recorded, and the player can read the record.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `player`.
        """
        return self._read(
            SHOW_PERSONAL_DATA,
            (
                tournament,
                player,
            ),
            {},
            answers.PersonalView,
        )

    def show_player(
        self, tournament: str, player: str, *, known: answers.PlayerView | None = None
    ) -> answers.PlayerView:
        """Show a player.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_PLAYER,
            (
                tournament,
                player,
            ),
            {},
            answers.PlayerView,
            known,
        )

    def show_roster(self, tournament: str, player: str) -> answers.RosterView:
        """Show a roster: completely to staff and its owner, to others the fields that the ruleset has opened so far.

        Most fields open when the first round begins. `sealed` lists those of which the log has only digests.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_ROSTER,
            (
                tournament,
                player,
            ),
            {},
            answers.RosterView,
        )

    def show_ruleset(self, ruleset: str) -> answers.RulesetView:
        """Show a shipped ruleset: its tiers, which staff decide what, its blank forms, and the whole pack.

        **Who may call it:** everybody.
        """
        return self._read(SHOW_RULESET, (ruleset,), {}, answers.RulesetView)

    def show_tournament(
        self, tournament: str, *, known: answers.TournamentView | None = None
    ) -> answers.TournamentView:
        """Show a tournament with its venues and staff, and the address of its ruleset.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_TOURNAMENT, (tournament,), {}, answers.TournamentView, known)

    def show_tournaments_ruleset(
        self, tournament: str, *, round: int | None = None, known: answers.RulesetView | None = None
    ) -> answers.RulesetView:
        """Show the whole ruleset of this tournament, with the organiser's options applied.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_TOURNAMENTS_RULESET, (tournament,), {"round": round}, answers.RulesetView, known)

    @overload
    def sign_up(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.InvitedGuest],
    ) -> answers.RegistrationPreview: ...
    @overload
    def sign_up(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.InvitedGuest],
    ) -> answers.Joined: ...
    def sign_up(self, tournament: str, **how: Any) -> Any:
        """Sign yourself up: you get a seat, or a place on the waiting list, and your own link.

        Anyone can do this while the tournament's `sign_up` is `open` and registration is open. If `sign_up` is
        `invite_only`, you need a token of its staff or of an integration. Without a token, an Idempotency-Key must
        have at least 16 characters, because anyone who knows it can retrieve the answer, including the link, again.
        With the `invitation` of a survivor of a co-operative event, you sit with them at every table.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._command(SIGN_UP, (tournament,), how)

    @overload
    def sign_up_party(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Company],
    ) -> answers.RegistrationPreview: ...
    @overload
    def sign_up_party(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Company],
    ) -> answers.Joined: ...
    def sign_up_party(self, tournament: str, **how: Any) -> Any:
        """Sign up a party that sits together at every table: all of them or none. Each player gets their own link.

        The conditions and the answer are those of a single sign-up.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._command(SIGN_UP_PARTY, (tournament,), how)

    @overload
    def split_identity(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SplitIdentity],
    ) -> answers.RegistrationPreview: ...
    @overload
    def split_identity(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SplitIdentity],
    ) -> answers.Claimed: ...
    def split_identity(self, tournament: str, **how: Any) -> Any:
        """Split entries off a player, to a player merged before or a new player.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(SPLIT_IDENTITY, (tournament,), how)

    @overload
    def submit_group(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SubmitGroupBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def submit_group(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SubmitGroupBody],
    ) -> answers.GroupTaken: ...
    def submit_group(self, tournament: str, player: str, **how: Any) -> Any:
        """Submit a group. A legal one is accepted at once; an illegal one is refused with every fault and clause.

        You can submit it again until registration closes or round 1 is paired. Rolled turfs are kept.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            SUBMIT_GROUP,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def submit_roster(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SubmitRosterBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def submit_roster(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.SubmitRosterBody],
    ) -> answers.RosterTaken: ...
    def submit_roster(self, tournament: str, player: str, **how: Any) -> Any:
        """Submit a roster. An illegal one is refused with every clause; a legal one is accepted at once, or by staff.

        If the ruleset has staff accept lists, a player's list waits for them (`submitted`); one that staff enter
        does not. Staff may accept a list that they saw on paper, with the reason in `on_paper`, without entering
        its contents. Contents that the rules advise against are returned as `advice`. Fields that the ruleset has
        not opened yet enter the log only as salted digests.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            SUBMIT_ROSTER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def take_seat_back(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.RegistrationPreview: ...
    @overload
    def take_seat_back(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def take_seat_back(self, tournament: str, player: str, **how: Any) -> Any:
        """Take back a seat that was given ahead of others, until round 1 is paired. The player waits in the old place.

        **Who may call it:** `operator`, `organiser`.
        """
        return self._command(
            TAKE_SEAT_BACK,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def unpin_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.RegistrationPreview: ...
    @overload
    def unpin_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def unpin_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Remove a player's fixed table. The player is then seated like the others.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            UNPIN_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def warn_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WarnPlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def warn_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WarnPlayerBody],
    ) -> answers.Appended: ...
    def warn_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Record a warning without penalty. The reason is public; only organiser and head referee can see the note.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            WARN_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )

    @overload
    def withdraw_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WithdrawPlayerBody],
    ) -> answers.RegistrationPreview: ...
    @overload
    def withdraw_player(
        self,
        tournament: str,
        player: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WithdrawPlayerBody],
    ) -> answers.Appended: ...
    def withdraw_player(self, tournament: str, player: str, **how: Any) -> Any:
        """Withdraw a player before round 1 is paired. The first player on the waiting list moves up.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`.
        """
        return self._command(
            WITHDRAW_PLAYER,
            (
                tournament,
                player,
            ),
            how,
        )
