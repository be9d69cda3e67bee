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
    TableLabel,
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
    """A player who joined, with their token and link."""

    id: str
    name: str
    status: Annotated[str, "`active` or `waiting`."]
    token: Annotated[str, "The player's token."]
    token_id: Annotated[str, "The id of the token, to revoke it."]
    link: Annotated[str, "The player's link, which contains the token."]


class Joined(Appended, frozen=True, kw_only=True):
    """The answer to joining."""

    players: Annotated[list[JoinedPlayer], "In the order of the request."]


class Announced(Appended, frozen=True, kw_only=True):
    """The answer to announcing a tournament."""

    token: Annotated[str, "The organiser's token for this tournament."]
    token_id: Annotated[str, "The id of the token, to revoke it."]


class Appointed(Appended, frozen=True, kw_only=True):
    """The answer to appointing a member of staff."""

    token: Annotated[str, "The token of the new member of staff."]
    token_id: Annotated[str, "The id of the token, to revoke it."]


class PinnedTable(View, frozen=True, kw_only=True):
    """The fixed table of a player."""

    venue: str
    table: int
    table_label: TableLabel = UNSET


class PlayerView(View, frozen=True, kw_only=True):
    """The public view of a player."""

    id: str
    name: str
    external_id: Annotated[str, "The player's id in other systems; may be empty."]
    faction: str
    club: str
    venue: str
    status: str
    late: bool
    checked_in: bool
    roster: Annotated[str, "Empty, `submitted`, `accepted` or `rejected`."]
    roster_on_paper: Annotated[
        bool | UnsetType, "True if staff saw the roster on paper and its contents were not entered."
    ] = UNSET
    pinned: Annotated[PinnedTable | None, "The player's fixed table. The reason is private."]
    warnings: int
    barred: Annotated[str, "Later events from which the player is barred by a disqualification; empty: none."]
    after_round: int
    waiting_position: Annotated[int | UnsetType, "The place on the waiting list, from 1."] = UNSET


class PlayerPage(Page[PlayerView], frozen=True, kw_only=True):
    """A page of players."""

    version: Version
    since: AnsweredSince = UNSET
    gone: Gone = UNSET


class TableOfVenue(View, frozen=True, kw_only=True):
    """A table of a venue."""

    table: int
    accessible: bool
    label: TableLabel = UNSET


class VenueView(View, frozen=True, kw_only=True):
    """A venue with its tables."""

    id: str
    name: str
    open: bool
    tables: list[TableOfVenue]
    time_zone: Annotated[str | UnsetType, "The IANA name of its time zone. Absent: not set."] = UNSET
    address: Annotated[str | UnsetType, "Absent: not set."] = UNSET
    note: Annotated[str | UnsetType, "Absent: none."] = UNSET


class StaffView(View, frozen=True, kw_only=True):
    """A member of staff."""

    id: str
    name: str
    role: str
    venue: Annotated[str, "Empty: all venues."]
    player: Annotated[str, "The id of their player; empty: they do not play."]


class DatesView(View, frozen=True, kw_only=True):
    """Dates that follow from the first day of play, with their clauses."""

    lists_due_on: Annotated[str, "The recommended day for lists; they are locked later."]
    released_by: Annotated[str, "The last release day of legal models."]
    clauses: dict[str, str]


class TournamentView(View, frozen=True, kw_only=True):
    """A tournament with its venues and staff."""

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
    rounds_apart: Annotated[
        int | UnsetType | None, "How many rounds a venue may be ahead of another; null: any number."
    ] = UNSET
    visibility: str
    check_in: bool
    sign_up: Annotated[str, "`open` or `invite_only`."]
    registration_open: bool
    rehearsal: bool
    on_purpose: Annotated[list[str], "What stays visible to staff only until they publish it."]
    organiser: Annotated[str, "The actor who announced the tournament."]
    kept_apart: Annotated[list[list[str]], "Groups of players who should not meet in round 1."]
    tier_rules: TierView
    dates: Annotated[DatesView | None, "null: no first day is set, or the ruleset has no such rule."]
    decisions: list[DecisionView]
    players: Annotated[dict[str, int], "The number of players by status."]
    venues: list[VenueView]
    staff: list[StaffView]


def tournament_view(tournament: str, state: Tournament) -> TournamentView:
    """Return the public view of a tournament."""
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
        rounds_apart=entries.rounds_apart,
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
    """Return the dates that follow from the first day; None without a first day or such a rule."""
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
    """Return a reference to the ruleset of a tournament; in a campaign, to the version that it moved to last."""
    last = entries.moves[-1] if entries.moves else Move(0, entries.ruleset)
    return ruleset_reference(last.ruleset, tournament, last.from_round)


def _venue_view(venue: Venue) -> VenueView:
    return VenueView(
        id=venue.id,
        name=venue.name,
        open=venue.open,
        tables=[
            TableOfVenue(table=table, accessible=accessible, label=venue.labels.get(table) or UNSET)
            for table, accessible in sorted(venue.tables.items())
        ],
        time_zone=venue.time_zone or UNSET,
        address=venue.address or UNSET,
        note=venue.note or UNSET,
    )


def waiting_places(entries: Entries) -> dict[str, int]:
    """Return player id -> place on the waiting list, from 1."""
    return {player.id: place for place, player in enumerate(entries.waiting(), start=1)}


def player_view(entries: Entries, player: Player, waiting: Mapping[str, int]) -> PlayerView:
    """Return the public view of a player, without personal data. waiting: as returned by `waiting_places`."""
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
        roster_on_paper=player.roster_on_paper is not None,
        pinned=_pinned_table(entries, *player.pinned) if player.pinned else None,
        warnings=player.warnings,
        barred=player.barred,
        after_round=player.after_round,
        waiting_position=waiting[player.id] if player.status == "waiting" else UNSET,
    )


def _pinned_table(entries: Entries, venue: str, table: int) -> PinnedTable:
    return PinnedTable(venue=venue, table=table, table_label=entries.table_label(venue, table) or UNSET)


class StatusMoved(View, frozen=True, kw_only=True):
    """A change of status."""

    before: Annotated[str, "Empty for a new player."]
    after: str


class PlaceMoved(View, frozen=True, kw_only=True):
    """A player whose status would change."""

    id: Annotated[str, "The id of the player."]
    name: str
    status: StatusMoved


def places_moved(before: Entries, after: Entries) -> list[PlaceMoved]:
    """Return the players whose status changes, in order of sign-up."""
    old_status = {id: player.status for id, player in before.players.items()}
    return [
        PlaceMoved(id=id, name=player.name, status=StatusMoved(before=old_status.get(id, ""), after=player.status))
        for id, player in after.players.items()
        if old_status.get(id) != player.status
    ]


class LinkIssued(Appended, frozen=True, kw_only=True):
    """A new link of a player. `id` is the id of its token, to revoke it."""

    token: Annotated[str, "The token that the link contains."]
    link: str


class LinkView(View, frozen=True, kw_only=True):
    """A player's link, without the link itself."""

    id: Annotated[str, "The id of its token, to revoke it."]
    kind: Annotated[
        str,
        "`sign-up`: from the player's own sign-up. `entry`: from an entry by someone else. `issued`: by staff.",
    ]
    actor: Annotated[ActorView, "The person who signed up, entered the player, or requested the link."]
    actor_text: Annotated[str, "The actor as a line: `s2, referee`."]
    name: Annotated[str, "The name of the actor, if they are staff."]
    time: Annotated[str, "RFC 3339, UTC."]
    reason: str
    revoked: bool


class OrganiserToken(Appended, frozen=True, kw_only=True):
    """A new token of an organiser. `id` is the id of the token, to revoke it."""

    token: Annotated[str, "The token. It cannot be shown again."]


class OrganiserTokenView(View, frozen=True, kw_only=True):
    """A token of an organiser, without the token itself."""

    id: Annotated[str, "The id of the token, to revoke it."]
    organiser: Annotated[str, "The organiser's name on record. They lead the tournaments announced under it."]
    actor: Annotated[ActorView, "The operator who issued it."]
    actor_text: Annotated[str, "The actor as a line: `kim, operator`."]
    time: Annotated[str, "RFC 3339, UTC."]
    expires_at: Annotated[str, "RFC 3339, UTC."]
    revoked: bool


class RevocationView(View, frozen=True, kw_only=True):
    """A token that the installation revoked."""

    id: str
    reason: str
    actor: Annotated[ActorView, "The operator who revoked it."]
    actor_text: Annotated[str, "The actor as a line: `kim, operator`."]
    time: Annotated[str, "RFC 3339, UTC."]


def links_view(tournament: str, state: Tournament, player: Player) -> list[LinkView]:
    """Return a player's links, oldest first."""
    venues = venues_of(state)
    return [_link_view(link, state.entries, venues) for link in links_of(tournament, state.entries, player)]


def _link_view(link: PlayerLink, entries: Entries, venues: dict[str, str]) -> LinkView:
    staff = entries.staff.get(link.by.actor)
    return LinkView(
        id=link.token,
        kind=link.kind,
        actor=actor_view(link.by),
        actor_text=actor_text(link.by, venues),
        name=staff.name if staff else link.by.actor,
        time=link.time,
        reason=link.reason,
        revoked=link.revoked,
    )
