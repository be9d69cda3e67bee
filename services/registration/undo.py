"""What reverses each command of registration; a row for each, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec import UNSET, convert, to_builtins
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
    Table,
)
from services.registration.tournament.decide.screens import RemoveScreen, SetScreen, Shown
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
from shared.application.undo import TAKEN_BACK, Nothing, Request, Reversal, Reversed, Undoing
from shared.events.base import Event
from shared.formats.coop.entries import COOP, PartyDisbanded, PartyFormed
from shared.formats.season.entries import SEASON_ENTRIES, IdentitySplit
from shared.shapes import Command
from shared.tournament.entries import Player
from shared.tournament.events.registration import (
    PlayerCheckedIn,
    PlayerJoined,
    PlayerLinkIssued,
    PlayerWaitlisted,
    VenueOpened,
)
from shared.tournament.ruleset import rules_of
from shared.tournament.screens import Screen
from shared.tournament.state import Tournament

Events = Sequence[Event]

IN_THE_LOG = "It stays in the public log for good."
LEFT_ONCE = "left-once"
PERSONAL = "personal-data"
SEVERAL = Nothing("Several players entered; withdraw each of them: POST …/players/{player}/withdrawal.")
NO_TOKEN = Nothing("A revoked token stays revoked; ask for a new link, or appoint the person again.")
OF_CLAIMS = Nothing("Split the entry off the wrong player: POST …/season/splits.")
OF_LISTS = Nothing("Staff can accept or reject the list again, or the player hands in a new one.")


def _amended(before: Tournament, command: AmendTournament, events: Events) -> Command | Reversal:
    given = [name for name, value in asdict(command).items() if value is not UNSET]
    old: dict[str, Any] = {name: getattr(before.entries, name) for name in given if name != "options"}
    if command.options is not UNSET:
        ruleset = rules_of(before.entries)
        known = {option.key: option.default for option in ruleset.options} | ruleset.chosen
        old["options"] = {key: known[key] for key in command.options}
        if none := [key for key, value in old["options"].items() if value is None]:
            return _none_before(none)
    if none := [name for name, value in old.items() if value in (None, "")]:
        return _none_before(none)
    days = {name: date.fromisoformat(old[name]) for name in ("starts_on", "ends_on") if name in old}
    members: dict[str, Any] = old | days
    return AmendTournament(**members)


def _tables(before: Tournament, command: ChangeTables, events: Events) -> Command | Reversal:
    tables = before.entries.venues[command.venue].tables
    return ChangeTables(venue=command.venue, tables=[Table(table=one, accessible=tables[one]) for one in tables])


def _opened(before: Tournament, command: OpenVenue, events: Sequence[VenueOpened]) -> Command | Reversal:
    closed = CloseVenue(venue=events[0].venue, reason=TAKEN_BACK)
    return Reversed(closed, ["venue-listed"])


def _screen_set(before: Tournament, command: SetScreen, events: Events) -> Command | Reversal:
    known = before.screens.by_id.get(command.screen)
    return _as_it_was(known) if known else RemoveScreen(screen=command.screen)


def _screen_removed(before: Tournament, command: RemoveScreen, events: Events) -> Command | Reversal:
    return Reversed(_as_it_was(before.screens.by_id[command.screen]), ["screen-last"])


def _as_it_was(screen: Screen) -> SetScreen:
    shows = [convert(to_builtins(one), Shown) for one in screen.shows]
    return SetScreen(screen=screen.id, name=screen.name, venue=screen.venue, shows=shows, seconds=screen.seconds)


def _entered_as(before: Tournament, command: EnterStaff, events: Events) -> Command | Reversal:
    if played_as := before.entries.staff[command.staff].player:
        return EnterStaff(staff=command.staff, player=played_as, override=command.override)
    return Nothing(
        "A member of staff who plays cannot be set back to not playing; dismiss them, and appoint them again."
    )


def _linked(before: Tournament, command: IssueLink, events: Sequence[PlayerLinkIssued]) -> Command | Reversal:
    if command.revoke_older:
        return Nothing("The older links stay revoked; ask for a new one, or revoke this one, too.")
    return RevokeToken(token_id=events[0].token, reason=TAKEN_BACK)


def _joined(before: Tournament, command: Any, events: Events) -> Command | Reversal:
    players = [one.player for one in events if isinstance(one, PlayerJoined | PlayerWaitlisted)]
    if len(players) != 1:
        return SEVERAL
    leaving = DropPlayer if before.begun else WithdrawPlayer
    return Reversed(leaving(player=players[0], reason=TAKEN_BACK), ["listed-as-gone", PERSONAL])


def _left_party(before: Tournament, command: LeaveParty, events: Events) -> Command | Reversal:
    members = COOP.of(before).parties[COOP.of(before).party_of(command.player)]
    if any(isinstance(one, PartyDisbanded) for one in events):
        return Reversed(FormParty(players=members), ["party-id"])
    return Nothing("The others still sit together; disband their party and form it again with everybody.")


def _formed(before: Tournament, command: FormParty, events: Events) -> Command | Reversal:
    party = next(one.party for one in events if isinstance(one, PartyFormed))
    return DisbandParty(party=party, reason=TAKEN_BACK)


def _disbanded(before: Tournament, command: DisbandParty, events: Events) -> Command | Reversal:
    return Reversed(FormParty(players=COOP.of(before).parties[command.party]), ["party-id"])


def _pinned_data(before: Tournament, command: PinOperatorData, events: Events) -> Command | Reversal:
    known = COOP.of(before).data
    if not known:
        return Nothing("There were no data before; enter the right data instead.")
    return Reversed(PinOperatorData(data=known[-1]), ["data-number"])


def _player(before: Tournament, command: Any) -> Player:
    return before.entries.players[command.player]


def _amended_player(before: Tournament, command: AmendPlayer, events: Events) -> Command | Reversal:
    given = [name for name, value in asdict(command).items() if value is not UNSET and name != "player"]
    old = {name: getattr(_player(before, command), name) for name in given}
    if none := [name for name, value in old.items() if value == "" and name != "venue"]:
        return _none_before(none)
    return AmendPlayer(player=command.player, **old)


def _none_before(members: Sequence[str]) -> Nothing:
    """The answer where there was nothing before that could be put back."""
    return Nothing(f"There was no {', '.join(members)} before, and it cannot be emptied; amend it to another value.")


def _checked_in(before: Tournament, command: CheckIn, events: Sequence[PlayerCheckedIn]) -> Command | Reversal:
    player = _player(before, command)
    if player.checked_in:
        return CheckIn(player=player.id, venue=player.venue)
    moved = events[0].venue != player.venue
    return Reversed(CheckOut(player=player.id), ["at-the-venue"] if moved else [])


def _several_checked_in(
    before: Tournament, command: CheckInPlayers, events: Sequence[PlayerCheckedIn]
) -> Command | Reversal:
    known = before.entries.players
    if any(known[one.player].checked_in for one in events):
        return Nothing("Some of them were checked in elsewhere before; check each of them in or out again.")
    moved = any(known[one.player].venue != one.venue for one in events)
    back = CheckOutPlayers(players=[one.player for one in events])
    return Reversed(back, ["all-at-the-venue"] if moved else [])


def _moved(before: Tournament, command: MovePlayer, events: Events) -> Command | Reversal:
    if venue := _player(before, command).venue:
        return MovePlayer(player=command.player, venue=venue, reason=TAKEN_BACK)
    return Nothing("The player was at no venue before; move them to another one.")


def _pinned(before: Tournament, command: PinPlayer | UnpinPlayer, events: Events) -> Command | Reversal:
    pinned = _player(before, command).pinned
    back: Command = UnpinPlayer(player=command.player)
    if pinned:
        back = PinPlayer(player=command.player, venue=pinned[0], table=pinned[1])
    return Reversed(back, [PERSONAL] if isinstance(command, PinPlayer) and command.reason else [])


def _seat_given(before: Tournament, command: GiveSeat, events: Events) -> Command | Reversal:
    if before.begun:
        return Nothing("Round 1 is paired; a player who leaves now has to drop: POST …/drop.")
    return TakeSeatBack(player=command.player)


def _seat_taken_back(before: Tournament, command: TakeSeatBack, events: Events) -> Command | Reversal:
    more = _player(before, command).seat_given == "added"
    return GiveSeat(player=command.player, reason=TAKEN_BACK, more=more)


def _reinstated(before: Tournament, command: ReinstatePlayer, events: Events) -> Command | Reversal:
    return Reversed(DropPlayer(player=command.player, reason=TAKEN_BACK), [LEFT_ONCE])


def _disqualified(before: Tournament, command: DisqualifyPlayer, events: Events) -> Command | Reversal:
    if _player(before, command).status == "disqualified":
        return Nothing("The player was disqualified before; send the later events from which they are barred again.")
    return Reversed(RevokeDisqualification(player=command.player, reason=TAKEN_BACK), [LEFT_ONCE, PERSONAL])


def _released(before: Tournament, command: ReleaseTournament, events: Events) -> Command | Reversal:
    one = SEASON_ENTRIES.of(before).gathered[command.gathered]
    said = {"played_on": one.played_on, "division": one.division, "tier": one.tier, "weight": one.weight}
    given = {name: value for name, value in said.items() if value}
    gathered = GatherTournament(
        tournament=one.tournament,
        played_on=date.fromisoformat(one.played_on),
        division=one.division,
        tier=one.tier,
        weight=one.weight,
        name=one.name,
        format=one.format,
        ruleset=one.ruleset,
        status="announced",  # whether it was cancelled since, the request finds out
    )
    sent = Request("POST", "/season/tournaments", {"tournament": one.tournament, **given})
    return Reversed(gathered, sent=sent)


def _division(before: Tournament, command: EnterDivision, events: Events) -> Command | Reversal:
    divisions = SEASON_ENTRIES.of(before).divisions
    old = {divisions.get(player, "") for player in command.players}
    if len(old) != 1 or "" in old:
        return Nothing("They were in several divisions, or in none; put each into the right one.")
    return EnterDivision(division=old.pop(), players=command.players, reason=TAKEN_BACK)


def _merged(before: Tournament, command: MergeIdentities, events: Events) -> Command | Reversal:
    return SplitIdentity(player=command.into, into=command.player, reason=TAKEN_BACK)


def _split(before: Tournament, command: SplitIdentity, events: Events) -> Command | Reversal:
    into = next(one.into for one in events if isinstance(one, IdentitySplit))
    return MergeIdentities(player=into, into=command.player, reason=TAKEN_BACK)


UNDO: Undoing = {
    AnnounceTournament: Nothing(f"{IN_THE_LOG} Cancel the tournament: POST …/cancellation."),
    AmendTournament: _amended,
    CancelTournament: Nothing(f"{IN_THE_LOG} Announce another tournament."),
    OpenVenue: _opened,
    ChangeTables: _tables,
    CloseVenue: Nothing("A closed venue stays closed; open another one with another name."),
    SetScreen: _screen_set,
    RemoveScreen: _screen_removed,
    AppointStaff: lambda before, command, events: DismissStaff(tournament="", staff=events[0].staff),
    EnterStaff: _entered_as,
    DismissStaff: Nothing("A dismissal stands; appoint the person again, with a new token."),
    RevokeToken: NO_TOKEN,
    IssueOrganiserToken: lambda before, command, events: RevokeInstallationToken(
        token_id=events[0].token, reason=TAKEN_BACK
    ),
    RevokeInstallationToken: Nothing("A revoked token stays revoked; make another one: muster token."),
    IssueLink: _linked,
    CloseRegistration: lambda before, command, events: ReopenRegistration(),
    ReopenRegistration: lambda before, command, events: CloseRegistration(),
    JoinPlayers: _joined,
    SignUp: _joined,
    KeepApart: lambda before, command, events: KeepApart(groups=before.entries.kept_apart),
    JoinParty: SEVERAL,
    SignUpParty: SEVERAL,
    SignUpInvited: _joined,
    AcceptInvitation: lambda before, command, events: LeaveParty(player=command.player, reason=TAKEN_BACK),
    LeaveParty: _left_party,
    FormParty: _formed,
    DisbandParty: _disbanded,
    PinOperatorData: _pinned_data,
    WithdrawPlayer: Nothing("A player who withdrew has given up the seat; enter them again."),
    GiveSeat: _seat_given,
    TakeSeatBack: _seat_taken_back,
    AmendPlayer: _amended_player,
    ErasePersonalData: Nothing("Erased data are gone; ask the player for them."),
    CheckIn: _checked_in,
    CheckOut: lambda before, command, events: CheckIn(player=command.player, venue=_player(before, command).venue),
    CheckInPlayers: _several_checked_in,
    CheckOutPlayers: lambda before, command, events: CheckInPlayers(players=[one.player for one in events]),
    MovePlayer: _moved,
    PinPlayer: _pinned,
    UnpinPlayer: _pinned,
    DropPlayer: lambda before, command, events: Reversed(ReinstatePlayer(player=command.player), [LEFT_ONCE]),
    ReinstatePlayer: _reinstated,
    WarnPlayer: Nothing(f"{IN_THE_LOG} A warning takes nothing from the player."),
    DisqualifyPlayer: _disqualified,
    RevokeDisqualification: Nothing("Disqualify the player again, with the reason."),
    SubmitGroup: Nothing("Hand in the right group before it is locked."),
    RollTurfs: Nothing("Dice stand as they fell."),
    MoveRuleset: Nothing("Move back to the earlier version, from a round that is not paired yet."),
    SubmitRoster: Nothing("Hand in the earlier list again, or reject this one."),
    AcceptRoster: OF_LISTS,
    AcceptRosters: OF_LISTS,
    RejectRoster: OF_LISTS,
    GatherTournament: lambda before, command, events: ReleaseTournament(gathered=command.tournament, reason=TAKEN_BACK),
    ReleaseTournament: _released,
    EnterDivision: _division,
    ContinueSeason: Nothing("The players of the earlier season stay; withdraw those who do not play."),
    ClaimByName: OF_CLAIMS,
    ClaimEntries: OF_CLAIMS,
    MergeIdentities: _merged,
    SplitIdentity: _split,
}
"""Command -> its row. Every command of registration is here, or a test fails."""
