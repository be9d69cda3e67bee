"""Views of tournaments, venues, staff, players, places and links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Annotated

from msgspec import UNSET, UnsetType

from services.registration import directory
from services.registration.rulesets import DecisionView, TierView, decisions_view, tier_view
from services.registration.staff import PlayerLink, links_of
from shared.formats.options import ruleset_of
from shared.log.event import actor_text
from shared.service.commands import venues_of
from shared.service.views import (
    ActorView,
    AnsweredSince,
    Appended,
    Gone,
    RulesetReference,
    Version,
    actor_view,
    ruleset_reference,
)
from shared.shapes import View
from shared.tournament.format import rules_of, tier_of
from shared.tournament.guards import appointed_roles
from shared.tournament.people import Entries, Move, Player, Venue
from shared.tournament.state import Tournament
from shared.web.paging import Page


class JoinedPlayer(View, frozen=True, kw_only=True):
    """What became of somebody who asked for a seat."""

    id: str
    name: str
    status: Annotated[str, "active or waiting."]
    token: str
    token_id: Annotated[str, "What a revocation names."]
    link: str


class Joined(Appended, frozen=True, kw_only=True):
    """players: what became of each, in the order given; token and link: for the player, token_id: to revoke it by."""

    players: list[JoinedPlayer]


class Announced(Appended, frozen=True, kw_only=True):
    """token: the organiser's, for this tournament; token_id: to revoke it by."""

    token: str
    token_id: str


class Appointed(Appended, frozen=True, kw_only=True):
    """token: the new member's; token_id: to revoke it by."""

    token: str
    token_id: str


class PinnedTable(View, frozen=True, kw_only=True):
    """A table that is kept for somebody."""

    venue: str
    table: int


class PlayerView(View, frozen=True, kw_only=True):
    """A player as everybody sees them."""

    id: str
    name: str
    external_id: Annotated[str, "Who they are elsewhere; empty where nobody said."]
    faction: str
    club: str
    venue: str
    status: str
    late: bool
    checked_in: bool
    roster: Annotated[str, "Empty, submitted, accepted or rejected."]
    pinned: Annotated[PinnedTable | None, "The table that the player keeps; never why."]
    warnings: int
    barred: Annotated[str, "Later events that the player is kept from since the disqualification; empty for none."]
    after_round: int
    waiting_position: Annotated[int | UnsetType, "From 1, for those who wait."] = UNSET


class PlayerPage(Page[PlayerView], frozen=True, kw_only=True):
    """One page of players."""

    version: Version
    since: AnsweredSince = UNSET
    gone: Gone = UNSET


class TableOfVenue(View, frozen=True, kw_only=True):
    """A table of a venue."""

    table: int
    accessible: bool


class VenueView(View, frozen=True, kw_only=True):
    """A venue with its tables."""

    id: str
    name: str
    open: bool
    tables: list[TableOfVenue]


class StaffView(View, frozen=True, kw_only=True):
    """A member of staff."""

    id: str
    name: str
    role: str
    venue: Annotated[str, "Empty: all of them."]
    player: Annotated[str, "Whom they play as; empty: they do not play."]


class DatesView(View, frozen=True, kw_only=True):
    """What follows from the first day of play, each with its clause."""

    lists_due_on: Annotated[str, "Advised; lists are locked later."]
    released_by: Annotated[str, "What came out later is not legal yet."]
    clauses: dict[str, str]


class TournamentView(View, frozen=True, kw_only=True):
    """A tournament with its venues and staff, and how many players are in which status."""

    id: str
    name: str
    format: str
    status: str
    ruleset: RulesetReference
    tier: str
    starts_on: str
    ends_on: str
    capacity: int | None
    rounds: int | None
    pairing_scope: str
    visibility: str
    check_in: bool
    sign_up: Annotated[str, "open or invite_only."]
    registration_open: bool
    rehearsal: bool
    on_purpose: Annotated[list[str], "What staff alone see until they publish it."]
    organiser: Annotated[str, "The actor who announced the tournament."]
    kept_apart: Annotated[list[list[str]], "Groups that should not meet in round 1."]
    tier_rules: TierView
    dates: Annotated[DatesView | None, "null: no first day yet, or no such rule."]
    decisions: list[DecisionView]
    players: dict[str, int]
    venues: list[VenueView]
    staff: list[StaffView]


def tournament_view(tournament: str, state: Tournament) -> TournamentView:
    """A tournament as everybody sees it."""
    entries = state.entries
    return TournamentView(
        id=tournament,
        name=entries.name,
        format=entries.format,
        status=directory.status_of(state),
        ruleset=reference_of(tournament, entries),
        tier=entries.tier,
        starts_on=entries.starts_on,
        ends_on=entries.ends_on,
        capacity=entries.capacity,
        rounds=entries.rounds,
        pairing_scope=entries.pairing_scope,
        visibility=entries.visibility,
        check_in=entries.check_in,
        sign_up=entries.sign_up,
        registration_open=entries.registration_open,
        rehearsal=entries.rehearsal,
        on_purpose=entries.on_purpose,
        organiser=entries.organiser,
        kept_apart=entries.kept_apart,
        tier_rules=tier_view(tier_of(entries)),
        dates=dates_view(entries),
        decisions=decisions_view(rules_of(entries).staff, appointed_roles(entries)),
        players=dict(Counter(player.status for player in entries.players.values())),
        venues=[_venue_view(venue) for venue in entries.venues.values()],
        staff=[
            StaffView(id=member.id, name=member.name, role=member.role, venue=member.venue, player=member.player)
            for member in entries.staff.values()
            if member.active
        ],
    )


def dates_view(entries: Entries) -> DatesView | None:
    """Return when lists are due and releases are legal; None if the first day or such a rule is missing."""
    rule = ruleset_of(entries).due_dates
    if not entries.starts_on or rule is None:
        return None
    first_day = date.fromisoformat(entries.starts_on)
    return DatesView(
        lists_due_on=rule.lists_due(first_day).isoformat(),
        released_by=rule.released_by(first_day).isoformat(),
        clauses={"lists_due_on": rule.cites("list_due_days"), "released_by": rule.cites("delay_days")},
    )


def reference_of(tournament: str, entries: Entries) -> RulesetReference:
    """What stands for the ruleset that a tournament is played by, of a campaign for the one that it moved to last."""
    last = entries.moves[-1] if entries.moves else Move(0, entries.ruleset)
    return ruleset_reference(last.ruleset, tournament, last.from_round)


def _venue_view(venue: Venue) -> VenueView:
    tables = [TableOfVenue(table=table, accessible=kept) for table, kept in sorted(venue.tables.items())]
    return VenueView(id=venue.id, name=venue.name, open=venue.open, tables=tables)


def waiting_places(entries: Entries) -> dict[str, int]:
    """Everybody who waits -> their place on the waiting list, from 1."""
    return {player.id: place for place, player in enumerate(entries.waiting(), start=1)}


def player_view(player: Player, waiting: Mapping[str, int]) -> PlayerView:
    """A player as everybody sees them: never why a table is theirs, never personal data."""
    return PlayerView(
        id=player.id,
        name=player.name,
        external_id=player.external_id,
        faction=player.faction,
        club=player.club,
        venue=player.venue,
        status=player.status,
        late=player.late,
        checked_in=player.checked_in,
        roster=player.roster,
        pinned=PinnedTable(venue=player.pinned[0], table=player.pinned[1]) if player.pinned else None,
        warnings=player.warnings,
        barred=player.barred,
        after_round=player.after_round,
        waiting_position=waiting[player.id] if player.status == "waiting" else UNSET,
    )


class StatusMoved(View, frozen=True, kw_only=True):
    """A status as it is and as it would be; before is empty for somebody new."""

    before: str
    after: str


class PlaceMoved(View, frozen=True, kw_only=True):
    """A player who would take part, wait or be gone in another way: somebody new, who leaves, or who moves up."""

    id: Annotated[str, "The id of the player."]
    name: str
    status: StatusMoved


def places_moved(before: Entries, after: Entries) -> list[PlaceMoved]:
    """Everybody whose status would be another, in order of sign-up."""
    was = {id: player.status for id, player in before.players.items()}
    return [
        PlaceMoved(id=id, name=player.name, status=StatusMoved(before=was.get(id, ""), after=player.status))
        for id, player in after.players.items()
        if was.get(id) != player.status
    ]


class LinkIssued(Appended, frozen=True, kw_only=True):
    """A new link of a player and the token that it carries; `id` is that of the token, to revoke it by."""

    token: str
    link: str


class LinkView(View, frozen=True, kw_only=True):
    """A link of a player, and whose hands it went through; never the link itself."""

    id: Annotated[str, "The id of its token, which a revocation names."]
    kind: Annotated[str, "sign-up: got by signing up; entry: with an entry by somebody else; issued: asked for."]
    actor: Annotated[ActorView, "Who signed up, entered the player, or requested the link."]
    actor_text: Annotated[str, "The actor as a line: `s2, referee`."]
    name: Annotated[str, "What they are called, where they are of the staff."]
    time: Annotated[str, "RFC 3339, UTC."]
    reason: str
    revoked: bool


class OrganiserToken(Appended, frozen=True, kw_only=True):
    """A new token of an organiser; `id` is what a revocation names. The token is shown here alone."""

    token: str


class OrganiserTokenView(View, frozen=True, kw_only=True):
    """A token that an operator issued to an organiser; never the token itself."""

    id: Annotated[str, "What a revocation names."]
    organiser: Annotated[str, "The name that the log records; it leads what it announced."]
    actor: Annotated[ActorView, "Who issued it."]
    actor_text: Annotated[str, "The actor as a line: `kim, operator`."]
    time: Annotated[str, "RFC 3339, UTC."]
    expires_at: Annotated[str, "RFC 3339, UTC."]
    revoked: bool


class RevocationView(View, frozen=True, kw_only=True):
    """A token that the installation took back."""

    id: str
    reason: str
    actor: Annotated[ActorView, "Who revoked it."]
    actor_text: Annotated[str, "The actor as a line: `kim, operator`."]
    time: Annotated[str, "RFC 3339, UTC."]


def links_view(tournament: str, state: Tournament, player: Player) -> list[LinkView]:
    """A player's links, the oldest first."""
    venues = venues_of(state)
    return [_link_view(link, state.entries, venues) for link in links_of(tournament, state.entries, player)]


def _link_view(link: PlayerLink, entries: Entries, venues: dict[str, str]) -> LinkView:
    known = entries.staff.get(link.by.actor)
    return LinkView(
        id=link.token,
        kind=link.kind,
        actor=actor_view(link.by),
        actor_text=actor_text(link.by, venues),
        name=known.name if known else link.by.actor,
        time=link.time,
        reason=link.reason,
        revoked=link.revoked,
    )
