"""Decisions about staff: appointed, playing too, dismissed; and tokens that are worth nothing any more."""

from __future__ import annotations

from collections.abc import Sequence

from services.registration.tournament.commands import (
    AppointStaff,
    DismissStaff,
    EnterStaff,
    IssueOrganiserToken,
    RevokeInstallationToken,
    RevokeToken,
)
from services.registration.tournament.decide.links import links_held
from services.registration.tournament.refusals import JudgeMayNotPlay, NameNotFree, StaffUnknown
from services.registration.tournament.state import player_of, venue_of
from shared.log.event import NOT_FREE, Event, is_free_name
from shared.refusals import Fault, expects, shown
from shared.rules.parts import JUDGES
from shared.tournament.format import rules_of, tier_of
from shared.tournament.guards import Context, announced, running
from shared.tournament.people import Entries, Staff
from shared.tournament.registration import (
    InstallationTokenRevoked,
    OrganiserTokenIssued,
    StaffAppointed,
    StaffDismissed,
    StaffEntered,
    TokenRevoked,
)
from shared.tournament.state import Tournament


def appoint(state: Tournament, command: AppointStaff, context: Context) -> Sequence[Event]:
    """A new member of staff; the id is s1, s2 … Who plays too says as whom (AR-STAFF-3, FF-STAFF-5)."""
    entries = announced(state)
    if command.venue:
        venue_of(entries, command.venue)
    staff = f"s{len(entries.staff) + 1}"
    appointed = StaffAppointed(staff=staff, name=command.name, role=command.role, venue=command.venue)
    if not command.player:
        return [appointed]
    member = Staff(staff, command.name, command.role, command.venue)
    return [appointed, _entered(entries, member, command.player, command.override)]


def enter(state: Tournament, command: EnterStaff, context: Context) -> Sequence[Event]:
    """A member of staff plays too, as somebody who entered."""
    entries = running(state)
    member = _member(entries, command.staff)
    entered = _entered(entries, member, command.player, command.override)
    return [] if member.player == command.player else [entered]


def _entered(entries: Entries, member: Staff, player: str, override: str) -> StaffEntered:
    """Raises PlayerUnknown, and JudgeMayNotPlay where the tier forbids it and nobody says why not (AR-AMB-20)."""
    found = player_of(entries, player)
    tier = tier_of(entries)
    if member.role in JUDGES and not tier.judge_may_play and not override:
        raise JudgeMayNotPlay(
            f"{member.name} judges, and in {rules_of(entries).name} no judge plays at the tier {tier.id}; "
            "say in `override` why it is right all the same.",
            [Fault("/player", found.id, expects("player-who-does-not-judge"), tier.cites("judge_may_play"))],
            tier=tier.id,
            clause=tier.cites("judge_may_play"),
        )
    return StaffEntered(staff=member.id, player=player, override=override)


def dismiss(state: Tournament, command: DismissStaff, context: Context) -> Sequence[Event]:
    """The member of staff acts no more: every token of theirs is refused from now on.

    Where that is wished, players' links that they were handed end as well; their players ask for others.
    """
    entries = announced(state)
    member = _member(entries, command.staff)
    dismissed = [StaffDismissed(staff=command.staff, reason=command.reason)] if member.active else []
    held = links_held(command.tournament, entries, command.staff) if command.revoke_links else ()
    reason = f"{member.id} was dismissed"
    return [*dismissed, *(TokenRevoked(token=token, reason=reason) for token in held)]


def revoke_token(state: Tournament, command: RevokeToken, context: Context) -> Sequence[Event]:
    """One token is worth nothing any more."""
    if command.token_id in announced(state).revoked:
        return []
    return [TokenRevoked(token=command.token_id, reason=command.reason)]


def issue_organiser_token(state: Tournament, command: IssueOrganiserToken, context: Context) -> Sequence[Event]:
    """An organiser gets a token for all tournaments; the state is that of the installation's own log."""
    if not is_free_name(command.organiser):
        raise NameNotFree(
            f"{command.organiser} would be read as somebody else.",
            [Fault("/organiser", shown(command.organiser), NOT_FREE)],
        )
    token = f"organiser-{state.entries.issued + 1}"
    return [OrganiserTokenIssued(token=token, organiser=command.organiser, days=command.days)]


def revoke_installation_token(state: Tournament, command: RevokeInstallationToken, context: Context) -> Sequence[Event]:
    """A token of the installation is worth nothing any more; the state is that of the installation's own log."""
    if command.token_id in state.entries.revoked:
        return []
    return [InstallationTokenRevoked(token=command.token_id, reason=command.reason)]


def _member(entries: Entries, staff: str) -> Staff:
    """A member of staff, dismissed or not. Raises StaffUnknown."""
    if staff not in entries.staff:
        raise StaffUnknown(f"No member of staff has the id {staff}.")
    return entries.staff[staff]
