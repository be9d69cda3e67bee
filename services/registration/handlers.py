"""Every command of registration in one row: what decides it, who may ask, where, in which formats."""

from __future__ import annotations

from collections.abc import Mapping

from services.registration.campaign import decide as groups
from services.registration.campaign import ruleset_moves
from services.registration.campaign.commands import MoveRuleset, RollTurfs, SubmitGroup
from services.registration.coop import decide as coop
from services.registration.coop.commands import (
    AcceptInvitation,
    DisbandParty,
    FormParty,
    LeaveParty,
    PinOperatorData,
)
from services.registration.formats import FORMATS
from services.registration.season import decide as season
from services.registration.season import identities
from services.registration.season.commands import (
    ClaimByName,
    ClaimEntries,
    ClaimOwnEntry,
    ContinueSeason,
    EnterDivision,
    GatherTournament,
    MergeIdentities,
    ReleaseTournament,
    SplitIdentity,
)
from services.registration.swiss import decide as rosters
from services.registration.swiss import openings
from services.registration.swiss.commands import (
    AcceptRoster,
    AcceptRosters,
    DropAbsentPlayer,
    OpenRosters,
    RejectRoster,
    SubmitRoster,
)
from services.registration.tournament.commands import (
    AmendTournament,
    AnnounceTournament,
    AppointStaff,
    CancelTournament,
    ChangeTables,
    CloseRegistration,
    CloseVenue,
    DismissStaff,
    EnterStaff,
    IssueOrganiserToken,
    JoinParty,
    JoinPlayers,
    KeepApart,
    OpenVenue,
    ReopenRegistration,
    RevokeInstallationToken,
    RevokeToken,
    SignUp,
    SignUpInvited,
    SignUpParty,
)
from services.registration.tournament.decide import leaving, links, places, players, staff, tournaments
from services.registration.tournament.player_commands import (
    AmendPlayer,
    CheckIn,
    CheckInPlayers,
    CheckOut,
    CheckOutPlayers,
    DisqualifyPlayer,
    DropPlayer,
    ErasePersonalData,
    GiveSeat,
    IssueLink,
    MovePlayer,
    PinPlayer,
    ReinstatePlayer,
    RevokeDisqualification,
    TakeSeatBack,
    UnpinPlayer,
    WarnPlayer,
    WithdrawPlayer,
)
from shared.campaign.state import ENLISTED
from shared.log.command_record import CommandForm
from shared.log.event import Event
from shared.roles import HEAD_REFEREE_UP, OPERATOR, ORGANISER_UP, PLAYER, REFEREE_UP
from shared.service.handlers import Handler, Version, by_format, judged_by_thing
from shared.tournament.guards import Context, KeepDraws, keep_draws, of_player
from shared.tournament.people import Player, Staff, Venue
from shared.tournament.state import Tournament


def _announce(state: Tournament, command: AnnounceTournament, context: Context) -> list[Event]:
    """Announce a tournament, with what its operator entered of the game if that is known already."""
    return [*tournaments.announce(FORMATS, state, command, context), *coop.announced_with(command)]


def _player(state: Tournament, command: CheckOut) -> list[str]:
    return of_player(state, command.player)


def _players(state: Tournament, command: AcceptRosters | CheckInPlayers | CheckOutPlayers) -> list[str]:
    return [venue for player in command.players for venue in of_player(state, player)]


def _players_there(state: Tournament, command: CheckInPlayers) -> list[str]:
    """Where the players are, and where those will be who are nowhere yet."""
    return [*_players(state, command), command.venue]


def _player_there(state: Tournament, command: CheckIn | MovePlayer | PinPlayer | AmendPlayer) -> list[str]:
    """Where the player is, and where they will be."""
    return [*of_player(state, command.player), command.venue or ""]


def _entry(state: Tournament, command: SignUp | SignUpInvited) -> list[str]:
    return [command.entry.venue]


def _entries(state: Tournament, command: JoinPlayers) -> list[str]:
    return [entry.venue for entry in command.entries]


def _venue(state: Tournament, command: ChangeTables) -> list[str]:
    return [command.venue]


def _token(state: Tournament, command: RevokeToken) -> list[str]:
    """Where the player is whose token it is; its id is `<tournament>.<player>.<which>`."""
    _, *named = command.token_id.rsplit(".", 2)
    return of_player(state, named[0]) if len(named) == 2 else []


def _tournament_changed(state: Tournament, command: object) -> int:
    return state.entries.changed


def _venue_changed(state: Tournament, command: ChangeTables | CloseVenue) -> int:
    return _changed(state.entries.venues.get(command.venue))


def _player_changed(state: Tournament, command: AmendPlayer) -> int:
    """A player of a campaign, together with the group."""
    group = ENLISTED.of(state).changed.get(command.player, 0)
    return max(_changed(state.entries.players.get(command.player)), group)


def _staff_changed(state: Tournament, command: DismissStaff) -> int:
    return _changed(state.entries.staff.get(command.staff))


def _changed(thing: Player | Venue | Staff | None) -> int:
    return thing.changed if thing else 0


THINGS: Mapping[str, Version] = {"staff": _staff_changed, "player": _player_changed}
"""Member of a command -> when the thing that it names was touched last."""
CHANGES_MORE = (AppointStaff, AcceptInvitation, LeaveParty, MergeIdentities, SplitIdentity)
"""Commands that make something new, or change a party or an identity of a season with the player that they name."""

_ROWS: dict[type, Handler] = {
    KeepDraws: Handler(keep_draws, by_rule=True, private=True, formats=("campaign",)),
    AnnounceTournament: Handler(_announce, ORGANISER_UP),
    AmendTournament: Handler(
        by_format(FORMATS, tournaments.amend),
        ORGANISER_UP,
        version=_tournament_changed,
        fresh=True,
    ),
    CancelTournament: Handler(tournaments.cancel, ORGANISER_UP, version=_tournament_changed, fresh=True),
    OpenVenue: Handler(tournaments.open_venue, ORGANISER_UP),
    ChangeTables: Handler(
        tournaments.change_tables,
        HEAD_REFEREE_UP,
        venues=_venue,
        version=_venue_changed,
        fresh=True,
    ),
    CloseVenue: Handler(tournaments.close_venue, ORGANISER_UP, venues=_venue, version=_venue_changed, fresh=True),
    AppointStaff: Handler(staff.appoint, ORGANISER_UP),
    EnterStaff: Handler(staff.enter, ORGANISER_UP),
    DismissStaff: Handler(staff.dismiss, ORGANISER_UP),
    RevokeToken: Handler(staff.revoke_token, REFEREE_UP, venues=_token),
    IssueOrganiserToken: Handler(staff.issue_organiser_token, (OPERATOR,)),
    RevokeInstallationToken: Handler(staff.revoke_installation_token, (OPERATOR,)),
    IssueLink: Handler(links.issue, REFEREE_UP, venues=_player),
    CloseRegistration: Handler(tournaments.close_registration, ORGANISER_UP, version=_tournament_changed),
    ReopenRegistration: Handler(tournaments.reopen_registration, ORGANISER_UP, version=_tournament_changed, fresh=True),
    JoinPlayers: Handler(
        players.join,
        REFEREE_UP,
        venues=_entries,
        fresh=True,
    ),
    SignUp: Handler(players.sign_up, (), venues=_entry, fresh=True),
    KeepApart: Handler(players.keep_apart, ORGANISER_UP, formats=("swiss",), fresh=True),
    JoinParty: Handler(coop.join_party, REFEREE_UP, venues=_entries, formats=("coop",), fresh=True),
    SignUpParty: Handler(coop.sign_up_party, (), venues=_entries, formats=("coop",), fresh=True),
    SignUpInvited: Handler(coop.sign_up_invited, (), venues=_entry, formats=("coop",), fresh=True),
    AcceptInvitation: Handler(
        coop.accept_invitation, (*REFEREE_UP, PLAYER), venues=_player, formats=("coop",), fresh=True
    ),
    LeaveParty: Handler(coop.leave_party, (*REFEREE_UP, PLAYER), venues=_player, formats=("coop",), fresh=True),
    FormParty: Handler(coop.form_party, REFEREE_UP, formats=("coop",), fresh=True),
    DisbandParty: Handler(coop.disband_party, REFEREE_UP, formats=("coop",), fresh=True),
    PinOperatorData: Handler(coop.pin_data, ORGANISER_UP, formats=("coop",), fresh=True),
    WithdrawPlayer: Handler(leaving.withdraw, (*REFEREE_UP, PLAYER), venues=_player, fresh=True),
    GiveSeat: Handler(places.give, ORGANISER_UP, venues=_player, fresh=True),
    TakeSeatBack: Handler(places.take_back, ORGANISER_UP, venues=_player, fresh=True),
    AmendPlayer: Handler(players.amend, REFEREE_UP, venues=_player_there),
    ErasePersonalData: Handler(players.erase_personal_data, (*ORGANISER_UP, PLAYER)),
    CheckIn: Handler(places.check_in, (*REFEREE_UP, PLAYER), venues=_player_there),
    CheckOut: Handler(places.check_out, REFEREE_UP, venues=_player),
    CheckInPlayers: Handler(places.check_in_several, REFEREE_UP, venues=_players_there),
    CheckOutPlayers: Handler(places.check_out_several, REFEREE_UP, venues=_players),
    MovePlayer: Handler(places.move, REFEREE_UP, venues=_player_there, formats=("swiss", "campaign", "coop")),
    PinPlayer: Handler(places.pin, REFEREE_UP, venues=_player_there, formats=("swiss",)),
    UnpinPlayer: Handler(places.unpin, REFEREE_UP, venues=_player, formats=("swiss",)),
    DropAbsentPlayer: Handler(rosters.drop_absent, by_rule=True, formats=("swiss",)),
    DropPlayer: Handler(leaving.drop, (*REFEREE_UP, PLAYER), venues=_player, fresh=True),
    ReinstatePlayer: Handler(leaving.reinstate, REFEREE_UP, venues=_player, fresh=True),
    WarnPlayer: Handler(leaving.warn, REFEREE_UP, venues=_player),
    DisqualifyPlayer: Handler(leaving.disqualify, REFEREE_UP, venues=_player, fresh=True),
    RevokeDisqualification: Handler(leaving.revoke_disqualification, HEAD_REFEREE_UP, venues=_player, fresh=True),
    SubmitGroup: Handler(groups.submit, (*REFEREE_UP, PLAYER), venues=_player, formats=("campaign",), fresh=True),
    RollTurfs: Handler(groups.roll_turfs, (*REFEREE_UP, PLAYER), venues=_player, formats=("campaign",), fresh=True),
    MoveRuleset: Handler(
        ruleset_moves.move, (OPERATOR,), formats=("campaign",), version=_tournament_changed, fresh=True
    ),
    SubmitRoster: Handler(
        rosters.submit,
        (*REFEREE_UP, PLAYER),
        venues=_player,
        formats=("swiss",),
        fresh=True,
        form=CommandForm(open_part=rosters.open_part),
    ),
    OpenRosters: Handler(openings.open_rosters, formats=("swiss",), by_rule=True),
    AcceptRoster: Handler(
        rosters.accept,
        REFEREE_UP,
        venues=_player,
        formats=("swiss",),
        form=CommandForm(open_part=rosters.without_note),
    ),
    AcceptRosters: Handler(
        rosters.accept_several,
        REFEREE_UP,
        venues=_players,
        formats=("swiss",),
        form=CommandForm(open_part=rosters.without_note),
    ),
    RejectRoster: Handler(
        rosters.reject,
        REFEREE_UP,
        venues=_player,
        formats=("swiss",),
        form=CommandForm(open_part=rosters.without_note),
    ),
    GatherTournament: Handler(season.gather, ORGANISER_UP, formats=("season",), fresh=True),
    ReleaseTournament: Handler(season.release, ORGANISER_UP, formats=("season",), fresh=True),
    EnterDivision: Handler(season.enter_division, ORGANISER_UP, formats=("season",), fresh=True),
    ContinueSeason: Handler(season.continue_season, ORGANISER_UP, formats=("season",), fresh=True),
    ClaimByName: Handler(identities.claim_by_name, HEAD_REFEREE_UP, formats=("season",), fresh=True),
    ClaimEntries: Handler(identities.claim, HEAD_REFEREE_UP, formats=("season",), fresh=True),
    ClaimOwnEntry: Handler(identities.claim, (PLAYER,), formats=("season",), fresh=True),
    MergeIdentities: Handler(identities.merge, ORGANISER_UP, formats=("season",), fresh=True),
    SplitIdentity: Handler(identities.split, ORGANISER_UP, formats=("season",), fresh=True),
}
HANDLERS = judged_by_thing(_ROWS, THINGS, CHANGES_MORE)
"""Command -> its row. Every command of registration is here, or a test fails."""
