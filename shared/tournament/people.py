"""Registration's slice of the state: the tournament, venues, staff and players of every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct, UnsetType, field

from shared.log.event import GUEST, Actor, Event, StoredEvent, read_actor
from shared.tournament.registration import (
    DisqualificationRevoked,
    InstallationTokenRevoked,
    OrganiserTokenIssued,
    PersonalDataErased,
    PlayerAmended,
    PlayerCheckedIn,
    PlayerCheckedOut,
    PlayerDisqualified,
    PlayerDropped,
    PlayerJoined,
    PlayerLinkIssued,
    PlayerMoved,
    PlayerPinned,
    PlayerPromoted,
    PlayerReinstated,
    PlayersKeptApart,
    PlayerUnpinned,
    PlayerWaitlisted,
    PlayerWarned,
    PlayerWithdrawn,
    RegistrationClosed,
    RegistrationReopened,
    RosterAccepted,
    RosterFault,
    RosterRejected,
    RostersOpened,
    RosterSubmitted,
    RulesetMoved,
    SeatGiven,
    SeatTakenBack,
    StaffAppointed,
    StaffDismissed,
    StaffEntered,
    Table,
    TablesChanged,
    TokenRevoked,
    TournamentAmended,
    TournamentAnnounced,
    TournamentCancelled,
    VenueAmended,
    VenueClosed,
    VenueOpened,
)

PLAYING = ("active", "dropped", "disqualified")
"""Statuses of players who have or had a seat."""


class PaperRoster(Struct, frozen=True, gc=False):
    """A roster that staff saw on paper.

    - `reason`: why its contents were not entered.
    - `by`, `time`: who accepted it, and when.
    """

    reason: str
    by: Actor
    time: str


class Link(Struct, frozen=True, gc=False):
    """A player's link that staff requested.

    - `token`: id of the token in the link.
    - `by`: actor who requested it. `time`: time of the request.
    """

    token: str
    by: Actor
    time: str
    reason: str = ""


class Player(Struct, gc=False):
    """A registered player.

    - `order`: number of the sign-up, from 1.
    - `status`: `waiting`, `active`, `dropped`, `disqualified` or `withdrawn`.
    - `checked_in`: True for the whole event, at any venue.
    - `roster`: empty, or `submitted`, `accepted` or `rejected`.
    - `roster_sheet`: public fields of the roster. `roster_sealed`: digests of the other fields.
    - `roster_note`: public note of staff. `roster_decided`: position of the acceptance or rejection; 0 if undecided.
    - `after_round`: number of rounds closed when the player dropped or was disqualified.
    - `dropped_before`: for a disqualified player who had dropped before, the number of rounds closed then.
    - `pinned`: venue and table of a fixed table.
    - `joined_on`: day of sign-up.
    - `barred`: description of the later events the player is banned from.
    - `external_id`: id of the player in another system.
    - `entered_at`, `entered_by`: time and actor of the entry. `links`: links that staff requested.
    - `seat_given`: `free` or `added` if an organiser gave a free or an added seat to the waiting player.
    """

    id: str
    order: int
    name: str
    faction: str = ""
    club: str = ""
    venue: str = ""
    status: str = "active"
    late: bool = False
    checked_in: bool = False
    roster: str = ""
    roster_sheet: dict[str, Any] = field(default_factory=dict)
    roster_sealed: dict[str, str] = field(default_factory=dict)
    roster_faults: list[RosterFault] = field(default_factory=list)
    roster_note: str = ""
    roster_decided: int = 0
    roster_on_paper: PaperRoster | None = None
    after_round: int = 0
    dropped_before: int | None = None
    pinned: tuple[str, int] | None = None
    warnings: int = 0
    barred: str = ""
    contact: bool = False
    joined_on: str = ""
    changed: int = 0
    external_id: str = ""
    entered_at: str = ""
    entered_by: Actor = Actor(GUEST, GUEST)
    links: list[Link] = field(default_factory=list)
    seat_given: str = ""


class Venue(Struct, gc=False):
    """A venue.

    - `tables`: number -> accessible. `labels`: number -> the text printed on the table, if it is not the number.
    - `time_zone`: IANA name; empty if not set.
    """

    id: str
    name: str
    tables: dict[int, bool]
    open: bool = True
    changed: int = 0
    labels: dict[int, str] = field(default_factory=dict)
    time_zone: str = ""
    address: str = ""
    note: str = ""


class Staff(Struct, gc=False):
    """A member of staff. Dismissed members stay for the audit.

    - `player`: id of the player they play as, if any.
    - `appointed_at`: time of the appointment, part of the id of their token.
    """

    id: str
    name: str
    role: str
    venue: str = ""
    active: bool = True
    player: str = ""
    appointed_at: str = ""
    changed: int = 0


class Move(Struct, gc=False):
    """A later version of the ruleset and the first round that uses it."""

    from_round: int
    ruleset: dict[str, Any]


class Entries(Struct):
    """The fold of registration's log.

    - `status`: empty before the announcement, then `announced` or `cancelled`.
    - `moves`: versions of the ruleset after the announced one, the latest last.
    - `on_purpose`: parts that staff publish explicitly.
    - `revoked`: ids of revoked tokens.
    - `issued`: number of organiser tokens issued (only in the log of the installation).
    - `changed`: position of the last event about the tournament itself (for ETags).
    """

    status: str = ""
    name: str = ""
    format: str = ""
    ruleset: dict[str, Any] = field(default_factory=dict)
    moves: list[Move] = field(default_factory=list)
    tier: str = ""
    starts_on: str = ""
    ends_on: str = ""
    capacity: int | None = None
    rounds: int | None = None
    pairing_scope: str = "event"
    rounds_apart: int | None = None
    visibility: str = "public"
    check_in: bool = False
    sign_up: str = "invite_only"
    rehearsal: bool = False
    on_purpose: list[str] = field(default_factory=list)
    organiser: str = ""
    announced_at: str = ""
    registration_open: bool = False
    venues: dict[str, Venue] = field(default_factory=dict)
    staff: dict[str, Staff] = field(default_factory=dict)
    players: dict[str, Player] = field(default_factory=dict)
    revoked: dict[str, bool] = field(default_factory=dict)
    issued: int = 0
    kept_apart: list[list[str]] = field(default_factory=list)
    changed: int = 0

    def ruleset_at(self, round: int | None = None) -> dict[str, Any]:
        """Return the pack that a round is played by. None: the latest version."""
        moved = [move.ruleset for move in self.moves if round is None or move.from_round <= round]
        return moved[-1] if moved else self.ruleset

    def seated(self) -> int:
        """Return the number of players who have a seat now."""
        return sum(player.status == "active" for player in self.players.values())

    def name_of(self, id: str) -> str:
        """Return the name of a player or a member of staff; the id itself if it is unknown."""
        known = self.players.get(id) or self.staff.get(id)
        return known.name if known else id

    def external_id_of(self, id: str) -> str | None:
        """Return the id of a player in another system, such as a rating list; None if it has none."""
        known = self.players.get(id)
        return (known.external_id or None) if known else None

    def table_label(self, venue: str, table: int) -> str:
        """Return the label printed on a table; empty if it has none, so that people use its number."""
        known = self.venues.get(venue)
        return known.labels.get(table, "") if known else ""

    def table_name(self, venue: str, table: int) -> str:
        """Return a table as people know it: its label, or its number as text."""
        return self.table_label(venue, table) or str(table)

    def plays_at(self, player: str, venue: str | UnsetType) -> bool:
        """Return True if a player plays at a venue. An unset or empty venue stands for all of them."""
        known = self.players.get(player)
        return not venue or (known is not None and known.venue == venue)

    def waiting(self) -> list[Player]:
        """Return the waiting list, longest waiting first."""
        return [player for player in self.players.values() if player.status == "waiting"]

    def active(self) -> list[Player]:
        """Return the active players in order of sign-up."""
        return [player for player in self.players.values() if player.status == "active"]


def _announced(entries: Entries, event: TournamentAnnounced, stored: StoredEvent) -> None:
    entries.status = "announced"
    entries.registration_open = True
    entries.announced_at = stored.time
    for name in (
        "name",
        "format",
        "ruleset",
        "tier",
        "starts_on",
        "ends_on",
        "capacity",
        "rounds",
        "organiser",
        "sign_up",
        "rehearsal",
    ):
        setattr(entries, name, getattr(event, name))
    entries.pairing_scope, entries.visibility, entries.check_in = event.pairing_scope, event.visibility, event.check_in
    entries.on_purpose, entries.rounds_apart = list(event.on_purpose), event.rounds_apart
    entries.changed = stored.position


def _amended(entries: Entries, event: TournamentAmended, stored: StoredEvent) -> None:
    for name in (
        "name",
        "starts_on",
        "ends_on",
        "capacity",
        "rounds",
        "sign_up",
        "on_purpose",
        "rounds_apart",
        "ruleset",
    ):
        if getattr(event, name) is not None:
            setattr(entries, name, getattr(event, name))
    entries.changed = stored.position


def _moved(entries: Entries, event: RulesetMoved, stored: StoredEvent) -> None:
    entries.moves.append(Move(event.from_round, event.ruleset))
    entries.changed = stored.position


def _cancelled(entries: Entries, event: TournamentCancelled, stored: StoredEvent) -> None:
    entries.status = "cancelled"
    entries.registration_open = False
    entries.changed = stored.position


def _venue_opened(entries: Entries, event: VenueOpened, stored: StoredEvent) -> None:
    entries.venues[event.venue] = Venue(
        event.venue,
        event.name,
        {},
        time_zone=event.time_zone,
        address=event.address,
        note=event.note,
    )
    _set_tables(entries.venues[event.venue], event.tables, stored)


def _venue_amended(entries: Entries, event: VenueAmended, stored: StoredEvent) -> None:
    venue = entries.venues[event.venue]
    for name in ("name", "time_zone", "address", "note"):
        if getattr(event, name) is not None:
            setattr(venue, name, getattr(event, name))
    venue.changed = stored.position


def _tables_changed(entries: Entries, event: TablesChanged, stored: StoredEvent) -> None:
    _set_tables(entries.venues[event.venue], event.tables, stored)


def _set_tables(venue: Venue, tables: Sequence[Table], stored: StoredEvent) -> None:
    venue.tables = {table.table: table.accessible for table in tables}
    venue.labels = {table.table: table.label for table in tables if table.label}
    venue.changed = stored.position


def _venue_closed(entries: Entries, event: VenueClosed, stored: StoredEvent) -> None:
    entries.venues[event.venue].open = False
    entries.venues[event.venue].changed = stored.position


def _staff_appointed(entries: Entries, event: StaffAppointed, stored: StoredEvent) -> None:
    entries.staff[event.staff] = Staff(
        event.staff, event.name, event.role, event.venue, appointed_at=stored.time, changed=stored.position
    )


def _staff_entered(entries: Entries, event: StaffEntered, stored: StoredEvent) -> None:
    member = entries.staff[event.staff]
    member.player, member.changed = event.player, stored.position


def _staff_dismissed(entries: Entries, event: StaffDismissed, stored: StoredEvent) -> None:
    member = entries.staff[event.staff]
    member.active, member.changed = False, stored.position


def _token_revoked(entries: Entries, event: TokenRevoked | InstallationTokenRevoked, stored: StoredEvent) -> None:
    entries.revoked[event.token] = True


def _organiser_token_issued(entries: Entries, event: OrganiserTokenIssued, stored: StoredEvent) -> None:
    entries.issued += 1


def _link_issued(entries: Entries, event: PlayerLinkIssued, stored: StoredEvent) -> None:
    player = entries.players[event.player]
    player.links.append(Link(event.token, read_actor(stored.actor), stored.time, event.reason))
    player.changed = stored.position


def _registration_closed(entries: Entries, event: RegistrationClosed, stored: StoredEvent) -> None:
    entries.registration_open = False
    entries.changed = stored.position


def _registration_reopened(entries: Entries, event: RegistrationReopened, stored: StoredEvent) -> None:
    entries.registration_open = True
    entries.changed = stored.position


def _entered(status: str) -> Callable[[Entries, Any, StoredEvent], None]:
    def enter(entries: Entries, event: PlayerJoined | PlayerWaitlisted, stored: StoredEvent) -> None:
        entries.players[event.player] = Player(
            event.player,
            len(entries.players) + 1,
            event.name,
            event.faction,
            event.club,
            event.venue,
            status,
            late=isinstance(event, PlayerJoined) and event.late,
            contact=event.contact,
            joined_on=stored.time[:10],
            changed=stored.position,
            external_id=event.external_id,
            entered_at=stored.time,
            entered_by=read_actor(stored.actor),
        )

    return enter


def _seat_given(entries: Entries, event: SeatGiven, stored: StoredEvent) -> None:
    given = "free" if event.capacity is None else "added"
    _set(status="active", late=event.late, seat_given=given)(entries, event, stored)
    _update_capacity(entries, event, stored)


def _seat_taken_back(entries: Entries, event: SeatTakenBack, stored: StoredEvent) -> None:
    _set(status="waiting", seat_given="", checked_in=False)(entries, event, stored)
    _update_capacity(entries, event, stored)


def _update_capacity(entries: Entries, event: SeatGiven | SeatTakenBack, stored: StoredEvent) -> None:
    if event.capacity is not None:
        entries.capacity, entries.changed = event.capacity, stored.position


def _kept_apart(entries: Entries, event: PlayersKeptApart, stored: StoredEvent) -> None:
    entries.kept_apart = [list(group) for group in event.groups]


def _player(change: Callable[[Player, Any], None]) -> Callable[[Entries, Any, StoredEvent], None]:
    def apply(entries: Entries, event: Any, stored: StoredEvent) -> None:
        player = entries.players[event.player]
        change(player, event)
        player.changed = stored.position

    return apply


def _set(**members: Any) -> Callable[[Entries, Any, StoredEvent], None]:
    def change(player: Player, event: Any) -> None:
        for name, value in members.items():
            setattr(player, name, value)

    return _player(change)


def _amend_player(player: Player, event: PlayerAmended) -> None:
    for name in ("name", "faction", "club", "venue", "external_id"):
        if getattr(event, name) is not None:
            setattr(player, name, getattr(event, name))


def _submitted(entries: Entries, event: RosterSubmitted, stored: StoredEvent) -> None:
    player = entries.players[event.player]
    player.roster, player.roster_faults, player.roster_note, player.roster_decided = "submitted", [], "", 0
    player.roster_sheet, player.roster_sealed = event.roster, event.sealed
    seen = PaperRoster(event.on_paper, read_actor(stored.actor), stored.time) if event.on_paper else None
    player.roster_on_paper, player.changed = seen, stored.position


def _rejected(entries: Entries, event: RosterRejected, stored: StoredEvent) -> None:
    player = entries.players[event.player]
    player.roster, player.roster_faults, player.roster_note = "rejected", list(event.faults), event.note
    player.roster_decided = player.changed = stored.position


def _accepted(entries: Entries, event: RosterAccepted, stored: StoredEvent) -> None:
    player = entries.players[event.player]
    player.roster, player.roster_faults, player.roster_note = "accepted", [], event.note
    player.roster_decided = player.changed = stored.position


def _opened(entries: Entries, event: RostersOpened, stored: StoredEvent) -> None:
    # `changed` stays as it is: opening fields must not invalidate the ETag of an entry that is being edited.
    for opened in event.rosters:
        player = entries.players[opened.player]
        player.roster_sheet = player.roster_sheet | opened.roster
        player.roster_sealed = {
            field: digest for field, digest in player.roster_sealed.items() if field not in opened.salts
        }


def _check_in(player: Player, event: PlayerCheckedIn) -> None:
    player.checked_in = True
    player.venue = event.venue or player.venue


def _move(player: Player, event: PlayerMoved) -> None:
    player.venue = event.venue


def _pin(player: Player, event: PlayerPinned) -> None:
    player.pinned = (event.venue, event.table)


def _drop(player: Player, event: PlayerDropped) -> None:
    player.status, player.after_round = "dropped", event.after_round


def _disqualify(player: Player, event: PlayerDisqualified) -> None:
    if player.status != "disqualified":
        player.dropped_before = player.after_round if player.status == "dropped" else None
    player.status, player.after_round, player.barred = "disqualified", event.after_round, event.barred


def _restore(player: Player, event: DisqualificationRevoked) -> None:
    player.status, player.barred = "active", ""
    if player.dropped_before is not None:
        player.status, player.after_round, player.dropped_before = "dropped", player.dropped_before, None


def _warn(player: Player, event: PlayerWarned) -> None:
    player.warnings += 1


EVOLVE: Mapping[type[Event], Callable[[Entries, Any, StoredEvent], None]] = MappingProxyType(
    {
        TournamentAnnounced: _announced,
        TournamentAmended: _amended,
        RulesetMoved: _moved,
        TournamentCancelled: _cancelled,
        VenueOpened: _venue_opened,
        VenueAmended: _venue_amended,
        TablesChanged: _tables_changed,
        VenueClosed: _venue_closed,
        StaffAppointed: _staff_appointed,
        StaffEntered: _staff_entered,
        StaffDismissed: _staff_dismissed,
        TokenRevoked: _token_revoked,
        InstallationTokenRevoked: _token_revoked,
        OrganiserTokenIssued: _organiser_token_issued,
        PlayerLinkIssued: _link_issued,
        RegistrationClosed: _registration_closed,
        RegistrationReopened: _registration_reopened,
        PlayerJoined: _entered("active"),
        PlayerWaitlisted: _entered("waiting"),
        PlayerPromoted: _set(status="active"),
        SeatGiven: _seat_given,
        SeatTakenBack: _seat_taken_back,
        PlayerWithdrawn: _set(status="withdrawn"),
        PlayerAmended: _player(_amend_player),
        PlayersKeptApart: _kept_apart,
        PersonalDataErased: _set(contact=False),
        RosterSubmitted: _submitted,
        RosterAccepted: _accepted,
        RosterRejected: _rejected,
        RostersOpened: _opened,
        PlayerCheckedIn: _player(_check_in),
        PlayerCheckedOut: _set(checked_in=False),
        PlayerMoved: _player(_move),
        PlayerPinned: _player(_pin),
        PlayerUnpinned: _set(pinned=None),
        PlayerDropped: _player(_drop),
        PlayerReinstated: _set(status="active"),
        PlayerWarned: _player(_warn),
        PlayerDisqualified: _player(_disqualify),
        DisqualificationRevoked: _player(_restore),
    }
)
"""Event type -> the function that applies it. The catalogue of events is built from these rows."""
