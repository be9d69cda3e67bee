"""What reverses each command of registration; a row for each, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict

from services.registration.campaign.commands import MoveRuleset, RollTurfs, SubmitGroup
from services.registration.coop.commands import (
    AcceptInvitation,
    DisbandParty,
    FormParty,
    LeaveParty,
    PinOperatorData,
)
from services.registration.season.commands import (
    ClaimByName,
    ClaimEntries,
    ContinueSeason,
    EnterDivision,
    GatherTournament,
    MergeIdentities,
    ReleaseTournament,
    SplitIdentity,
)
from services.registration.swiss.commands import AcceptRoster, AcceptRosters, RejectRoster, SubmitRoster
from services.registration.tournament.commands import (
    AmendTournament,
    AnnounceTournament,
    CancelTournament,
    ChangeTables,
    CloseRegistration,
    CloseVenue,
    JoinParty,
    JoinPlayers,
    KeepApart,
    OpenVenue,
    ReopenRegistration,
    SignUp,
    SignUpInvited,
    SignUpParty,
    Table,
)
from services.registration.tournament.player_commands import (
    AmendPlayer,
    CheckIn,
    CheckOut,
    DisqualifyPlayer,
    DropPlayer,
    ErasePersonalData,
    IssueLink,
    MovePlayer,
    PinPlayer,
    ReinstatePlayer,
    RevokeDisqualification,
    UnpinPlayer,
    WarnPlayer,
    WithdrawPlayer,
)
from services.registration.tournament.staff_commands import (
    AppointStaff,
    DismissStaff,
    EnterStaff,
    RevokeInstallationToken,
    RevokeToken,
)
from shared.application.undo import TAKEN_BACK, Nothing, Request, Reversal, Undoing
from shared.events.base import Event
from shared.formats.coop.entries import COOP, PartyDisbanded, PartyFormed
from shared.formats.season.entries import SEASON_ENTRIES, IdentitySplit
from shared.tournament.entries import Player
from shared.tournament.events.registration import (
    PlayerJoined,
    PlayerLinkIssued,
    PlayerWaitlisted,
    StaffAppointed,
    VenueOpened,
)
from shared.tournament.state import Tournament

Events = Sequence[Event]

IN_THE_LOG = "It stands in the public log for good."
NO_TOKEN = Nothing("A token that was revoked stays so; ask for a new link, or appoint again.")
OF_CLAIMS = Nothing("Split the entry from the player whose it is not: POST …/season/splits.")
OF_LISTS = Nothing("Staff decide on the list again, accepting or rejecting it; or a list is handed in anew.")


def _amended(before: Tournament, command: AmendTournament, events: Events) -> Reversal:
    given = [name for name, value in asdict(command).items() if value is not UNSET]
    old: dict[str, Any] = {name: getattr(before.entries, name) for name in given}
    if none := [name for name, value in old.items() if value in (None, "")]:
        return Nothing(f"There was no {', '.join(none)} before, and none can be said; amend it to another value.")
    days = {name: date.fromisoformat(old[name]) for name in ("starts_on", "ends_on") if name in old}
    members: dict[str, Any] = old | days
    return AmendTournament(**members)


def _tables(before: Tournament, command: ChangeTables, events: Events) -> Reversal:
    tables = before.entries.venues[command.venue].tables
    return ChangeTables(venue=command.venue, tables=[Table(table=one, accessible=tables[one]) for one in tables])


def _opened(before: Tournament, command: OpenVenue, events: Sequence[VenueOpened]) -> Reversal:
    return CloseVenue(venue=events[0].venue, reason=TAKEN_BACK)


def _appointed(before: Tournament, command: AppointStaff, events: Sequence[StaffAppointed]) -> Reversal:
    return DismissStaff(tournament="", staff=events[0].staff)


def _entered_as(before: Tournament, command: EnterStaff, events: Events) -> Reversal:
    if played_as := before.entries.staff[command.staff].player:
        return EnterStaff(staff=command.staff, player=played_as, override=command.override)
    return Nothing("Whoever plays cannot be said to play as nobody; dismiss them, and appoint them again.")


def _linked(before: Tournament, command: IssueLink, events: Sequence[PlayerLinkIssued]) -> Reversal:
    if command.revoke_older:
        return Nothing("The older links stay revoked; ask for a new one, or revoke this one, too.")
    return RevokeToken(token_id=events[0].token, reason=TAKEN_BACK)


def _closed(before: Tournament, command: CloseRegistration, events: Events) -> Reversal:
    if before.rounds.rounds:
        return Nothing("A round is paired; enter whoever comes late as `late`, where the ruleset allows it.")
    return ReopenRegistration()


def _reopened(before: Tournament, command: ReopenRegistration, events: Events) -> Reversal:
    return CloseRegistration()


def _joined(before: Tournament, command: Any, events: Events) -> Reversal:
    players = [one.player for one in events if isinstance(one, PlayerJoined | PlayerWaitlisted)]
    if len(players) != 1:
        return Nothing("Several players entered; withdraw each of them: POST …/players/{player}/withdrawal.")
    if before.rounds.rounds:
        return DropPlayer(player=players[0], reason=TAKEN_BACK)
    return WithdrawPlayer(player=players[0], reason=TAKEN_BACK)


def _kept_apart(before: Tournament, command: KeepApart, events: Events) -> Reversal:
    return KeepApart(groups=before.entries.kept_apart)


def _left_party(before: Tournament, command: LeaveParty, events: Events) -> Reversal:
    members = COOP.of(before).parties[COOP.of(before).party_of(command.player)]
    if any(isinstance(one, PartyDisbanded) for one in events):
        return FormParty(players=members)
    return Nothing("The others sit together still; disband their party and form it anew with everybody.")


def _party_joined(before: Tournament, command: AcceptInvitation, events: Events) -> Reversal:
    return LeaveParty(player=command.player, reason=TAKEN_BACK)


def _formed(before: Tournament, command: FormParty, events: Events) -> Reversal:
    party = next(one.party for one in events if isinstance(one, PartyFormed))
    return DisbandParty(party=party, reason=TAKEN_BACK)


def _disbanded(before: Tournament, command: DisbandParty, events: Events) -> Reversal:
    return FormParty(players=COOP.of(before).parties[command.party])


def _pinned_data(before: Tournament, command: PinOperatorData, events: Events) -> Reversal:
    known = COOP.of(before).data
    if not known:
        return Nothing("Nothing was entered before; enter the right data instead.")
    return PinOperatorData(data=known[-1])


def _player(before: Tournament, command: Any) -> Player:
    return before.entries.players[command.player]


def _amended_player(before: Tournament, command: AmendPlayer, events: Events) -> Reversal:
    given = [name for name, value in asdict(command).items() if value is not UNSET and name != "player"]
    return AmendPlayer(player=command.player, **{name: getattr(_player(before, command), name) for name in given})


def _checked_in(before: Tournament, command: CheckIn, events: Events) -> Reversal:
    player = _player(before, command)
    if player.checked_in:
        return CheckIn(player=player.id, venue=player.venue)
    return CheckOut(player=player.id)


def _checked_out(before: Tournament, command: CheckOut, events: Events) -> Reversal:
    return CheckIn(player=command.player, venue=_player(before, command).venue)


def _moved(before: Tournament, command: MovePlayer, events: Events) -> Reversal:
    if venue := _player(before, command).venue:
        return MovePlayer(player=command.player, venue=venue, reason=TAKEN_BACK)
    return Nothing("The player was at no venue before; move them to another one.")


def _pinned(before: Tournament, command: PinPlayer | UnpinPlayer, events: Events) -> Reversal:
    if pinned := _player(before, command).pinned:
        return PinPlayer(player=command.player, venue=pinned[0], table=pinned[1])
    return UnpinPlayer(player=command.player)


def _dropped(before: Tournament, command: DropPlayer, events: Events) -> Reversal:
    if _player(before, command).status != "active":
        return Nothing("The player waited for a seat; enter them again.")
    return ReinstatePlayer(player=command.player)


def _reinstated(before: Tournament, command: ReinstatePlayer, events: Events) -> Reversal:
    return DropPlayer(player=command.player, reason=TAKEN_BACK)


def _disqualified(before: Tournament, command: DisqualifyPlayer, events: Events) -> Reversal:
    if _player(before, command).status == "disqualified":
        return Nothing("The player was disqualified before; from which later events they are barred can be said anew.")
    return RevokeDisqualification(player=command.player, reason=TAKEN_BACK)


def _gathered(before: Tournament, command: GatherTournament, events: Events) -> Reversal:
    return ReleaseTournament(gathered=command.tournament, reason=TAKEN_BACK)


def _released(before: Tournament, command: ReleaseTournament, events: Events) -> Reversal:
    one = SEASON_ENTRIES.of(before).gathered[command.gathered]
    said = {"played_on": one.played_on, "division": one.division, "tier": one.tier, "weight": one.weight}
    given = {name: value for name, value in said.items() if value}
    return Request("POST", "/season/tournaments", {"tournament": one.tournament, **given})


def _division(before: Tournament, command: EnterDivision, events: Events) -> Reversal:
    divisions = SEASON_ENTRIES.of(before).divisions
    old = {divisions.get(player, "") for player in command.players}
    if len(old) != 1 or "" in old:
        return Nothing("They were in several divisions, or in none; enter each in the right one.")
    return EnterDivision(division=old.pop(), players=command.players, reason=TAKEN_BACK)


def _merged(before: Tournament, command: MergeIdentities, events: Events) -> Reversal:
    return SplitIdentity(player=command.into, into=command.player, reason=TAKEN_BACK)


def _split(before: Tournament, command: SplitIdentity, events: Events) -> Reversal:
    into = next(one.into for one in events if isinstance(one, IdentitySplit))
    return MergeIdentities(player=into, into=command.player, reason=TAKEN_BACK)


UNDO: Undoing = {
    AnnounceTournament: Nothing(f"{IN_THE_LOG} Cancel the tournament: POST …/cancellation."),
    AmendTournament: _amended,
    CancelTournament: Nothing(f"{IN_THE_LOG} Announce another tournament."),
    OpenVenue: _opened,
    ChangeTables: _tables,
    CloseVenue: Nothing("A venue that is closed stays so; open another one of another name."),
    AppointStaff: _appointed,
    EnterStaff: _entered_as,
    DismissStaff: Nothing("Whoever was dismissed stays so; appoint them again, with a new token."),
    RevokeToken: NO_TOKEN,
    RevokeInstallationToken: Nothing("A token that was revoked stays so; mint another: muster token."),
    IssueLink: _linked,
    CloseRegistration: _closed,
    ReopenRegistration: _reopened,
    JoinPlayers: _joined,
    SignUp: _joined,
    KeepApart: _kept_apart,
    JoinParty: _joined,
    SignUpParty: _joined,
    SignUpInvited: _joined,
    AcceptInvitation: _party_joined,
    LeaveParty: _left_party,
    FormParty: _formed,
    DisbandParty: _disbanded,
    PinOperatorData: _pinned_data,
    WithdrawPlayer: Nothing("Whoever withdrew has given up their seat; enter them again."),
    AmendPlayer: _amended_player,
    ErasePersonalData: Nothing("What was erased is nowhere; ask the player for it."),
    CheckIn: _checked_in,
    CheckOut: _checked_out,
    MovePlayer: _moved,
    PinPlayer: _pinned,
    UnpinPlayer: _pinned,
    DropPlayer: _dropped,
    ReinstatePlayer: _reinstated,
    WarnPlayer: Nothing(f"{IN_THE_LOG} A warning takes nothing from the player."),
    DisqualifyPlayer: _disqualified,
    RevokeDisqualification: Nothing("Disqualify the player again, with the reason."),
    SubmitGroup: Nothing("Hand the right group in, until it is locked."),
    RollTurfs: Nothing("Dice stand as they fell."),
    MoveRuleset: Nothing("Move to the version of before, from a round that is not paired yet."),
    SubmitRoster: Nothing("Hand the list of before in again, or reject this one."),
    AcceptRoster: OF_LISTS,
    AcceptRosters: OF_LISTS,
    RejectRoster: OF_LISTS,
    GatherTournament: _gathered,
    ReleaseTournament: _released,
    EnterDivision: _division,
    ContinueSeason: Nothing("The players of the earlier season stay; withdraw whoever does not play."),
    ClaimByName: OF_CLAIMS,
    ClaimEntries: OF_CLAIMS,
    MergeIdentities: _merged,
    SplitIdentity: _split,
}
"""Command -> its row. Every command of registration is here, or a test fails."""
