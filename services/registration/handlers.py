"""Tables of registration: the handler of each command (decision, roles, venues) and the module of each format."""

from __future__ import annotations

from collections.abc import Mapping

from services.registration import campaign_groups as groups
from services.registration import check_in, players, season_identities, staff, tournaments, venues, withdrawals
from services.registration import coop_parties as coop
from services.registration import season_tournaments as season
from services.registration import swiss_rosters as rosters
from services.registration.campaign_groups import MoveRuleset, RollTurfs, SubmitGroup
from services.registration.check_in import (
    CheckIn,
    CheckInPlayers,
    CheckOut,
    CheckOutPlayers,
    GiveSeat,
    MovePlayer,
    PinPlayer,
    TakeSeatBack,
    UnpinPlayer,
)
from services.registration.coop_parties import AcceptInvitation, DisbandParty, FormParty, LeaveParty, PinOperatorData
from services.registration.players import (
    AmendPlayer,
    ErasePersonalData,
    JoinParty,
    JoinPlayers,
    KeepApart,
    SignUp,
    SignUpInvited,
    SignUpParty,
)
from services.registration.season_identities import (
    ClaimByName,
    ClaimEntries,
    ClaimOwnEntry,
    MergeIdentities,
    SplitIdentity,
)
from services.registration.season_tournaments import ContinueSeason, EnterDivision, GatherTournament, ReleaseTournament
from services.registration.staff import (
    AppointStaff,
    DismissStaff,
    EnterStaff,
    IssueLink,
    IssueOrganiserToken,
    RevokeInstallationToken,
    RevokeToken,
)
from services.registration.swiss_rosters import (
    AcceptRoster,
    AcceptRosters,
    DropAbsentPlayer,
    OpenRosters,
    RejectRoster,
    SubmitRoster,
)
from services.registration.tournaments import (
    AmendTournament,
    AnnounceTournament,
    CancelTournament,
    CloseRegistration,
    RegistrationFormat,
    ReopenRegistration,
)
from services.registration.venues import AmendVenue, ChangeTables, CloseVenue, OpenVenue
from services.registration.withdrawals import (
    DisqualifyPlayer,
    DropPlayer,
    ReinstatePlayer,
    RevokeDisqualification,
    WarnPlayer,
    WithdrawPlayer,
)
from shared.campaign.state import ENLISTED
from shared.log.command_record import CommandForm
from shared.log.event import Event
from shared.roles import HEAD_REFEREE_UP, OPERATOR, ORGANISER_UP, PLAYER, REFEREE_UP
from shared.service.handlers import Handler, Version, by_format, with_versions
from shared.tournament.guards import Context, KeepDraws, ReadBeacon, keep_draws, player_venues, read_beacon
from shared.tournament.people import Player, Staff, Venue
from shared.tournament.state import Tournament

FORMATS: dict[str, RegistrationFormat] = {"swiss": rosters, "campaign": groups, "coop": coop, "season": season}
"""Format -> its module."""


def _announce(state: Tournament, command: AnnounceTournament, context: Context) -> list[Event]:
    """Announce a tournament, with its operator data if given."""
    return [*tournaments.announce(FORMATS, state, command, context), *coop.operator_data_events(command)]


def _venues_of_player(state: Tournament, command: CheckOut) -> list[str]:
    return player_venues(state, command.player)


def _venues_of_players(state: Tournament, command: AcceptRosters | CheckInPlayers | CheckOutPlayers) -> list[str]:
    return [venue for player in command.players for venue in player_venues(state, player)]


def _check_in_venues(state: Tournament, command: CheckInPlayers) -> list[str]:
    """Return the current venues of the players, and the one for players without an open venue."""
    return [*_venues_of_players(state, command), command.venue]


def _old_and_new_venues(state: Tournament, command: CheckIn | MovePlayer | PinPlayer | AmendPlayer) -> list[str]:
    """Return the current and the new venue of the player."""
    return [*player_venues(state, command.player), command.venue or ""]


def _entry_venue(state: Tournament, command: SignUp | SignUpInvited) -> list[str]:
    return [command.entry.venue]


def _entry_venues(state: Tournament, command: JoinPlayers) -> list[str]:
    return [entry.venue for entry in command.entries]


def _named_venue(state: Tournament, command: AmendVenue | ChangeTables | CloseVenue) -> list[str]:
    return [command.venue]


def _token_venues(state: Tournament, command: RevokeToken) -> list[str]:
    """Return the venue of the player to whom the token `<tournament>.<player>.<suffix>` belongs."""
    _, *parts = command.token_id.rsplit(".", 2)
    return player_venues(state, parts[0]) if len(parts) == 2 else []


def _tournament_changed(state: Tournament, command: object) -> int:
    return state.entries.changed


def _venue_changed(state: Tournament, command: AmendVenue | ChangeTables | CloseVenue) -> int:
    return _last_change(state.entries.venues.get(command.venue))


def _player_changed(state: Tournament, command: AmendPlayer) -> int:
    """Return the last change of a player, or of their group in a campaign."""
    group = ENLISTED.of(state).changed.get(command.player, 0)
    return max(_last_change(state.entries.players.get(command.player)), group)


def _staff_changed(state: Tournament, command: DismissStaff) -> int:
    return _last_change(state.entries.staff.get(command.staff))


def _last_change(thing: Player | Venue | Staff | None) -> int:
    return thing.changed if thing else 0


THINGS: Mapping[str, Version] = {"staff": _staff_changed, "player": _player_changed}
"""Command member -> function that returns the last change of the resource that the member names."""
CHANGES_MORE = (AppointStaff, AcceptInvitation, LeaveParty, MergeIdentities, SplitIdentity)
"""Commands that create something, or also change a party or an identity of a season."""

_ROWS: dict[type, Handler] = {
    KeepDraws: Handler(keep_draws, by_rule=True, private=True, formats=("campaign",)),
    ReadBeacon: Handler(read_beacon, by_rule=True, private=True, formats=("campaign",)),
    AnnounceTournament: Handler(_announce, ORGANISER_UP),
    AmendTournament: Handler(
        by_format(FORMATS, tournaments.amend),
        ORGANISER_UP,
        version=_tournament_changed,
        requires_latest=True,
    ),
    CancelTournament: Handler(tournaments.cancel, ORGANISER_UP, version=_tournament_changed, requires_latest=True),
    OpenVenue: Handler(venues.open_venue, ORGANISER_UP),
    AmendVenue: Handler(venues.amend_venue, ORGANISER_UP, venues=_named_venue, version=_venue_changed),
    ChangeTables: Handler(
        venues.change_tables,
        HEAD_REFEREE_UP,
        venues=_named_venue,
        version=_venue_changed,
        requires_latest=True,
    ),
    CloseVenue: Handler(
        venues.close_venue, ORGANISER_UP, venues=_named_venue, version=_venue_changed, requires_latest=True
    ),
    AppointStaff: Handler(staff.appoint, ORGANISER_UP),
    EnterStaff: Handler(staff.enter, ORGANISER_UP),
    DismissStaff: Handler(staff.dismiss, ORGANISER_UP),
    RevokeToken: Handler(staff.revoke_token, REFEREE_UP, venues=_token_venues),
    IssueOrganiserToken: Handler(staff.issue_organiser_token, (OPERATOR,)),
    RevokeInstallationToken: Handler(staff.revoke_installation_token, (OPERATOR,)),
    IssueLink: Handler(staff.issue_link, REFEREE_UP, venues=_venues_of_player),
    CloseRegistration: Handler(tournaments.close_registration, ORGANISER_UP, version=_tournament_changed),
    ReopenRegistration: Handler(
        tournaments.reopen_registration, ORGANISER_UP, version=_tournament_changed, requires_latest=True
    ),
    JoinPlayers: Handler(
        players.join,
        REFEREE_UP,
        venues=_entry_venues,
        requires_latest=True,
    ),
    SignUp: Handler(players.sign_up, (), venues=_entry_venue, requires_latest=True),
    KeepApart: Handler(players.keep_apart, ORGANISER_UP, formats=("swiss",), requires_latest=True),
    JoinParty: Handler(coop.join_party, REFEREE_UP, venues=_entry_venues, formats=("coop",), requires_latest=True),
    SignUpParty: Handler(coop.sign_up_party, (), venues=_entry_venues, formats=("coop",), requires_latest=True),
    SignUpInvited: Handler(coop.sign_up_invited, (), venues=_entry_venue, formats=("coop",), requires_latest=True),
    AcceptInvitation: Handler(
        coop.accept_invitation, (*REFEREE_UP, PLAYER), venues=_venues_of_player, formats=("coop",), requires_latest=True
    ),
    LeaveParty: Handler(
        coop.leave_party, (*REFEREE_UP, PLAYER), venues=_venues_of_player, formats=("coop",), requires_latest=True
    ),
    FormParty: Handler(coop.form_party, REFEREE_UP, formats=("coop",), requires_latest=True),
    DisbandParty: Handler(coop.disband_party, REFEREE_UP, formats=("coop",), requires_latest=True),
    PinOperatorData: Handler(coop.pin_data, ORGANISER_UP, formats=("coop",), requires_latest=True),
    WithdrawPlayer: Handler(
        withdrawals.withdraw, (*REFEREE_UP, PLAYER), venues=_venues_of_player, requires_latest=True
    ),
    GiveSeat: Handler(check_in.give_seat, ORGANISER_UP, venues=_venues_of_player, requires_latest=True),
    TakeSeatBack: Handler(check_in.take_seat_back, ORGANISER_UP, venues=_venues_of_player, requires_latest=True),
    AmendPlayer: Handler(players.amend, REFEREE_UP, venues=_old_and_new_venues),
    ErasePersonalData: Handler(players.erase_personal_data, (*ORGANISER_UP, PLAYER)),
    CheckIn: Handler(check_in.check_in, (*REFEREE_UP, PLAYER), venues=_old_and_new_venues),
    CheckOut: Handler(check_in.check_out, REFEREE_UP, venues=_venues_of_player),
    CheckInPlayers: Handler(check_in.check_in_players, REFEREE_UP, venues=_check_in_venues),
    CheckOutPlayers: Handler(check_in.check_out_players, REFEREE_UP, venues=_venues_of_players),
    MovePlayer: Handler(check_in.move, REFEREE_UP, venues=_old_and_new_venues, formats=("swiss", "campaign", "coop")),
    PinPlayer: Handler(check_in.pin, REFEREE_UP, venues=_old_and_new_venues, formats=("swiss",)),
    UnpinPlayer: Handler(check_in.unpin, REFEREE_UP, venues=_venues_of_player, formats=("swiss",)),
    DropAbsentPlayer: Handler(rosters.drop_absent, by_rule=True, formats=("swiss",)),
    DropPlayer: Handler(withdrawals.drop, (*REFEREE_UP, PLAYER), venues=_venues_of_player, requires_latest=True),
    ReinstatePlayer: Handler(withdrawals.reinstate, REFEREE_UP, venues=_venues_of_player, requires_latest=True),
    WarnPlayer: Handler(withdrawals.warn, REFEREE_UP, venues=_venues_of_player),
    DisqualifyPlayer: Handler(withdrawals.disqualify, REFEREE_UP, venues=_venues_of_player, requires_latest=True),
    RevokeDisqualification: Handler(
        withdrawals.revoke_disqualification, HEAD_REFEREE_UP, venues=_venues_of_player, requires_latest=True
    ),
    SubmitGroup: Handler(
        groups.submit, (*REFEREE_UP, PLAYER), venues=_venues_of_player, formats=("campaign",), requires_latest=True
    ),
    RollTurfs: Handler(
        groups.roll_turfs, (*REFEREE_UP, PLAYER), venues=_venues_of_player, formats=("campaign",), requires_latest=True
    ),
    MoveRuleset: Handler(
        groups.move_ruleset, (OPERATOR,), formats=("campaign",), version=_tournament_changed, requires_latest=True
    ),
    SubmitRoster: Handler(
        rosters.submit,
        (*REFEREE_UP, PLAYER),
        venues=_venues_of_player,
        formats=("swiss",),
        requires_latest=True,
        form=CommandForm(open_part=rosters.recorded_submission),
    ),
    OpenRosters: Handler(rosters.open_rosters, formats=("swiss",), by_rule=True),
    AcceptRoster: Handler(
        rosters.accept,
        REFEREE_UP,
        venues=_venues_of_player,
        formats=("swiss",),
        form=CommandForm(open_part=rosters.without_private_note),
    ),
    AcceptRosters: Handler(
        rosters.accept_rosters,
        REFEREE_UP,
        venues=_venues_of_players,
        formats=("swiss",),
        form=CommandForm(open_part=rosters.without_private_note),
    ),
    RejectRoster: Handler(
        rosters.reject,
        REFEREE_UP,
        venues=_venues_of_player,
        formats=("swiss",),
        form=CommandForm(open_part=rosters.without_private_note),
    ),
    GatherTournament: Handler(season.gather, ORGANISER_UP, formats=("season",), requires_latest=True),
    ReleaseTournament: Handler(season.release, ORGANISER_UP, formats=("season",), requires_latest=True),
    EnterDivision: Handler(season.enter_division, ORGANISER_UP, formats=("season",), requires_latest=True),
    ContinueSeason: Handler(season.continue_season, ORGANISER_UP, formats=("season",), requires_latest=True),
    ClaimByName: Handler(season_identities.claim_by_name, HEAD_REFEREE_UP, formats=("season",), requires_latest=True),
    ClaimEntries: Handler(season_identities.claim, HEAD_REFEREE_UP, formats=("season",), requires_latest=True),
    ClaimOwnEntry: Handler(season_identities.claim, (PLAYER,), formats=("season",), requires_latest=True),
    MergeIdentities: Handler(season_identities.merge, ORGANISER_UP, formats=("season",), requires_latest=True),
    SplitIdentity: Handler(season_identities.split, ORGANISER_UP, formats=("season",), requires_latest=True),
}
HANDLERS = with_versions(_ROWS, THINGS, CHANGES_MORE)
"""Command -> handler. A test checks that it has every command of registration."""
