"""Players: joining, sign-up, keeping apart, amendment; access to personal data and its erasure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import UNSET, UnsetType, field
from msgspec.structs import replace

from services.registration.guards import (
    NameTaken,
    NotYours,
    PlayerUnknown,
    RegistrationIsClosed,
    TooLateToChange,
    VenueUnknown,
    has_free_seats,
    is_self_or_staff,
    player_of,
    venue_fault,
    venue_of,
)
from services.registration.withdrawals import promotions
from shared.log.event import Event
from shared.names import is_same_name, mark_duplicates, normalize_name
from shared.refusals import Expected, Fault, Refusal, expects
from shared.rules.parts import allowing_option, option_data
from shared.shapes import Check, Command, Email, Id, Name, Personal, Shape, Size, Text
from shared.tournament.format import rules_of, tier_of
from shared.tournament.guards import By, Context, own_venue, require_announced, require_own_venue, require_running
from shared.tournament.people import Entries, Player
from shared.tournament.registration import (
    PersonalDataErased,
    PlayerAmended,
    PlayerJoined,
    PlayersKeptApart,
    PlayerWaitlisted,
)
from shared.tournament.state import Tournament

MAX_PLAYERS = 2000
"""Maximum players in one request. Clients split longer lists."""


def check_unique(players: Sequence[str]) -> Expected | None:
    """Return the `expected` part of a fault if a list has duplicates, otherwise None."""
    return expects("everybody-once") if len(set(players)) < len(players) else None


class Contact(Shape, frozen=True, kw_only=True):
    """Personal data. They are stored encrypted, outside the log, and erased on request."""

    email: Annotated[str | UnsetType, Email(), Personal()] = UNSET
    phone: Annotated[str | UnsetType, Text(40), Personal()] = UNSET
    legal_name: Annotated[str | UnsetType, Name(), Personal()] = UNSET
    needs: Annotated[str | UnsetType, Text(500), Personal(), "Accessibility needs; never published."] = UNSET


NO_CONTACT = Contact()


class Person(Shape, frozen=True, kw_only=True):
    """A person who wants to play, under a public name of their choice."""

    name: Annotated[str, Name()]
    faction: Annotated[str, Name()] = ""
    club: Annotated[str, Name()] = ""
    venue: str = ""


class Entry(Person, frozen=True, kw_only=True):
    """A person who wants to play, under a public name of their choice."""

    external_id: Annotated[str, Name(), "The person's id in your own systems. Public and unique in the tournament."] = (
        ""
    )
    contact: Contact = field(default_factory=Contact)


class JoinPlayers(Command, frozen=True, kw_only=True):
    """Enter a list of players: all of them or none."""

    entries: Annotated[list[Entry], Size(MAX_PLAYERS, 1)] = field(name="players")
    late: Annotated[bool, "Enter players after round 1 was paired, if the ruleset allows it. Staff only."] = False
    pass_over: Annotated[
        bool, "Skip players who are already entered with the same data, instead of refusing the list."
    ] = False


class JoinParty(JoinPlayers, frozen=True, kw_only=True):
    """Enter players who want to sit together, as a party: all of them or none."""


class SignUp(Command, frozen=True, kw_only=True):
    """Sign up for a seat."""

    entry: Entry


class SignUpInvited(Command, frozen=True, kw_only=True):
    """Sign up for a seat, and join the party of the survivor who sent the invitation."""

    entry: Entry
    invited_by: Id


class SignUpParty(Command, frozen=True, kw_only=True):
    """Sign up a party that wants to sit together: all of them or none."""

    entries: list[Entry]


class KeepApart(Command, frozen=True, kw_only=True):
    """Set which players should not meet in round 1."""

    groups: Annotated[
        list[Annotated[list[Id], Size(100, 2), Check(check_unique)]],
        Size(1000),
        "Groups of players who should not meet each other. Replaces all earlier groups; an empty list removes them.",
    ]


class AmendPlayer(Command, frozen=True, kw_only=True):
    """Change data of a player. Members that you leave out do not change."""

    player: Id
    name: Annotated[str | UnsetType, Name()] = UNSET
    faction: Annotated[str | UnsetType, Name()] = UNSET
    club: Annotated[str | UnsetType, Name()] = UNSET
    venue: str | UnsetType = UNSET
    external_id: Annotated[str | UnsetType, Name()] = UNSET


class ErasePersonalData(Command, frozen=True, kw_only=True):
    """Erase the personal data of a player."""

    player: Id
    kept: Annotated[bool, "True if any data are stored, such as the private reason of a pinned table."] = False


LEFT_STATUSES = ("withdrawn",)
"""Statuses of players whose name and external id are free again."""


def join(state: Tournament, command: JoinPlayers, context: Context) -> Sequence[Event]:
    """Give players the free seats, then places on the waiting list, in order of entry (AR-AMB-22).

    The ids are p1, p2, … There is no waiting list once round 1 is paired, so late players need a free seat. Players
    entered without a venue by staff of one venue play at that venue.
    """
    entries = require_running(state)
    unchanged = unchanged_places(entries, command)
    if unchanged and len(unchanged) == len(command.entries):
        return []
    if unchanged:
        return _join_others(state, command, context, unchanged)
    late = state.has_begun
    if late:
        _refuse_late(entries, command, context)
    elif not entries.registration_open:
        raise RegistrationIsClosed("Registration is closed; an organiser may reopen it until round 1 is paired.")
    joining = _with_own_venue(state, command.entries, context)
    _refuse_venues(entries, joining)
    _refuse_taken_names(entries, joining)
    _refuse_taken_ids(entries, joining)
    seats = len(command.entries) if entries.capacity is None else entries.capacity - entries.seated()
    promoted = [] if late else promotions(entries, seats)
    seats -= len(promoted)
    return [*promoted, *_entered(entries, joining, seats, late)]


def unchanged_places(entries: Entries, command: JoinPlayers) -> list[int]:
    """Return the places in the list whose players are already entered with the same data; none without `pass_over`.

    Players are matched by external id, or by name if they have none. Empty members of the list match anything.
    """
    if not command.pass_over:
        return []
    present = [player for player in entries.players.values() if player.status not in LEFT_STATUSES]
    by_id = {normalize_name(player.external_id): player for player in present if player.external_id}
    by_name = {normalize_name(player.name): player for player in present}
    places = []
    for place, entry in enumerate(command.entries):
        player = (
            by_id.get(normalize_name(entry.external_id))
            if entry.external_id
            else by_name.get(normalize_name(entry.name))
        )
        if player is not None and all(
            getattr(entry, name) in ("", getattr(player, name)) for name in ("name", "faction", "club", "venue")
        ):
            places.append(place)
    return places


def _join_others(
    state: Tournament, command: JoinPlayers, context: Context, unchanged: Sequence[int]
) -> Sequence[Event]:
    """Join the other players of the list. Faults name their places in the whole list."""
    places = [place for place in range(len(command.entries)) if place not in set(unchanged)]
    others = replace(command, entries=[command.entries[place] for place in places], pass_over=False)
    try:
        return join(state, others, context)
    except (ExternalIdTaken, NameTaken, VenueUnknown) as refusal:
        faults = []
        for fault in refusal.faults:
            head, _, rest = fault.where.removeprefix("/players/").partition("/")
            faults.append(replace(fault, where=f"/players/{places[int(head)]}/{rest}"))
        raise type(refusal)(refusal.detail, faults, **refusal.data) from refusal


def sign_up(state: Tournament, command: SignUp, context: Context) -> Sequence[Event]:
    """Sign up for a seat or a place on the waiting list. Anyone may do so if sign-up is open."""
    require_invitation(require_running(state), context)
    return join(state, JoinPlayers(entries=[command.entry]), context)


def require_invitation(entries: Entries, context: Context) -> None:
    """Raise InviteOnly for players and guests if only staff and integrations may enter players."""
    invited = context.by.staff or context.by.role == "integration"
    if entries.sign_up != "open" and not invited:
        raise InviteOnly("Players of this tournament are entered by its staff, or invited by them.")


def keep_apart(state: Tournament, command: KeepApart, context: Context) -> Sequence[Event]:
    """Set which players should not meet in round 1, if the tier offers it (AR-PAIR-2), until round 1 is paired."""
    entries = require_running(state)
    tier = tier_of(entries)
    if not tier.kept_apart:
        raise KeptApartNotOffered(
            f"{rules_of(entries).name} lets nobody ask for this at the tier {tier.id}.",
            clause=tier.clauses.get("kept_apart", ""),
        )
    if state.has_begun:
        raise TooLateToChange("Round 1 is paired; take it back first, or amend its pairings.")
    faults = [
        Fault(f"/groups/{index}/{place}", player, expects("participant"))
        for index, group in enumerate(command.groups)
        for place, player in enumerate(group)
        if player not in entries.players or entries.players[player].status not in ("active", "waiting")
    ]
    if faults:
        raise PlayerUnknown("Not all of the players named take part.", faults)
    return [] if command.groups == entries.kept_apart else [PlayersKeptApart(groups=command.groups)]


def _with_own_venue(state: Tournament, joining: Sequence[Entry], context: Context) -> Sequence[Entry]:
    own = own_venue(state, context.by)
    return [replace(entry, venue=entry.venue or own) for entry in joining] if own else joining


def _entered(entries: Entries, joining: Sequence[Entry], seats: int, late: bool) -> list[Event]:
    return [
        _joined(player, entry, late) if index < seats else _waitlisted(player, entry)
        for index, entry in enumerate(joining)
        for player in [f"p{len(entries.players) + index + 1}"]
    ]


def _joined(player: str, entry: Entry, late: bool) -> PlayerJoined:
    return PlayerJoined(
        player=player,
        name=entry.name,
        faction=entry.faction,
        club=entry.club,
        venue=entry.venue,
        late=late,
        contact=entry.contact != NO_CONTACT,
        external_id=entry.external_id,
    )


def _waitlisted(player: str, entry: Entry) -> PlayerWaitlisted:
    return PlayerWaitlisted(
        player=player,
        name=entry.name,
        faction=entry.faction,
        club=entry.club,
        venue=entry.venue,
        contact=entry.contact != NO_CONTACT,
        external_id=entry.external_id,
    )


def _refuse_late(entries: Entries, command: JoinPlayers, context: Context) -> None:
    require_late_entry(entries)
    if not (command.late and context.by.staff):
        raise RegistrationIsClosed("Round 1 is paired; staff can still enter late players, with `late`: true.")
    if not has_free_seats(entries, len(command.entries)):
        raise RegistrationIsClosed(
            f"Round 1 is paired, {entries.seated()} of {entries.capacity} seats are taken and nobody moves up any more;"
            " raise the capacity first.",
            capacity=entries.capacity,
            wanted=entries.seated() + len(command.entries),
        )


def require_late_entry(entries: Entries) -> None:
    """Raise RegistrationIsClosed if the ruleset allows no entries after round 1 is paired."""
    ruleset = rules_of(entries)
    rule = ruleset.entry
    if rule.late == "none":
        option = allowing_option(ruleset, "/entry/late", lambda late: late != "none")
        detail = "Round 1 is paired; this ruleset takes nobody in any more" + (
            f" without {option.text}" if option else ""
        )
        raise RegistrationIsClosed(f"{detail}.", clause=rule.cites("late"), **option_data(option))


def _refuse_venues(entries: Entries, joining: Sequence[Entry]) -> None:
    open_venues = {venue.id for venue in entries.venues.values() if venue.open}
    faults = [
        venue_fault(entries, entry.venue, f"/players/{index}/venue")
        for index, entry in enumerate(joining)
        if entry.venue and entry.venue not in open_venues
    ]
    if faults:
        raise VenueUnknown("Not all of these players name an open venue of this tournament.", faults)


def _refuse_taken_names(entries: Entries, joining: Sequence[Entry]) -> None:
    taken = {normalize_name(player.name) for player in entries.players.values() if player.status not in LEFT_STATUSES}
    is_repeated = mark_duplicates([entry.name for entry in joining])
    faults = []
    for index, entry in enumerate(joining):
        is_taken = normalize_name(entry.name) in taken
        if is_taken or is_repeated[index]:
            expected = expects("unused-name") if is_taken else expects("name-once")
            faults.append(Fault(f"/players/{index}/name", entry.name, expected))
    if faults:
        raise NameTaken("Two players would carry the same name.", faults)


def _refuse_taken_ids(entries: Entries, joining: Sequence[Entry]) -> None:
    taken = {
        normalize_name(player.external_id): player
        for player in entries.players.values()
        if player.status not in LEFT_STATUSES
    }
    faults = []
    first: dict[str, int] = {}
    for index, entry in enumerate(joining):
        if not (id := normalize_name(entry.external_id)):
            continue
        if id in taken or id in first:
            expected = expect_unused_id(taken[id]) if id in taken else expects("id-once")
            faults.append(Fault(f"/players/{index}/external_id", entry.external_id, expected))
        first.setdefault(id, index)
    if faults:
        raise ExternalIdTaken("Two players would have the same external id.", faults)


def expect_unused_id(holder: Player) -> Expected:
    """Return the expectation of an external id other than the holder's."""
    return expects("unused-id", player=holder.name, id=holder.id)


def amend(state: Tournament, command: AmendPlayer, context: Context) -> Sequence[Event]:
    """Change name, faction, club, venue or external id of a player.

    Staff of one venue who remove a player's venue leave the player at their own venue.
    """
    entries = require_running(state)
    player = player_of(entries, command.player)
    if command.venue == "":
        command = replace(command, venue=own_venue(state, context.by))
    changed = {
        name: value
        for name in ("name", "faction", "club", "venue", "external_id")
        if (value := getattr(command, name)) is not UNSET and value != getattr(player, name)
    }
    others = [
        candidate
        for candidate in entries.players.values()
        if candidate.id != player.id and candidate.status not in LEFT_STATUSES
    ]
    if "name" in changed and any(is_same_name(candidate.name, changed["name"]) for candidate in others):
        raise NameTaken("Another player has this name.", [Fault("/name", changed["name"], expects("unused-name"))])
    if "external_id" in changed:
        id = normalize_name(changed["external_id"])
        if holder := next((candidate for candidate in others if normalize_name(candidate.external_id) == id), None):
            fault = Fault("/external_id", changed["external_id"], expect_unused_id(holder))
            raise ExternalIdTaken("Another player has this external id.", [fault])
    if changed.get("venue"):
        venue_of(entries, changed["venue"], needs_open=True)
    if not changed:
        return []
    return [
        PlayerAmended(
            player=player.id,
            name=changed.get("name"),
            faction=changed.get("faction"),
            club=changed.get("club"),
            venue=changed.get("venue"),
            external_id=changed.get("external_id"),
        )
    ]


def erase_personal_data(state: Tournament, command: ErasePersonalData, context: Context) -> Sequence[Event]:
    """Record the erasure of personal data, at any time. The route destroys the key in the same transaction."""
    player = player_of(require_announced(state), command.player)
    if not is_self_or_staff(context, command.player):
        raise NotYours("Only the player or staff may ask for this.")
    return [PersonalDataErased(player=player.id)] if player.contact or command.kept else []


CONTACT = frozenset({"email", "phone", "legal_name"})
NEEDS = frozenset({"needs", "table_reason"})
NOTES = frozenset({"notes"})

VISIBLE_MEMBERS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "operator": CONTACT | NEEDS | NOTES,
        "organiser": CONTACT | NEEDS | NOTES,
        "head_referee": NEEDS | NOTES,
        "player": CONTACT | NEEDS,
    }
)
"""Role -> members that it may see. Other roles see none."""

NO_VENUE = "no venue yet"
"""Placeholder for the venue of a player without one; no staff belong to it."""


def require_personal_data_access(state: Tournament, by: By, player: str) -> None:
    """Raise unless a player asks for their own data, or staff for those of a player at their venue.

    Raises PlayerUnknown, NotYours, and OtherVenue, also for a player without a venue.
    """
    owner = player_of(state.entries, player)
    if by.role == "player" and by.player != player:
        raise NotYours("Only the player and the organiser see personal data; the head referee sees needs.")
    require_own_venue(state, by, [owner.venue or NO_VENUE])


def visible_members(role: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the personal data that a role may see."""
    visible = VISIBLE_MEMBERS.get(role, frozenset())
    return {member: value for member, value in data.items() if member in visible}


class InviteOnly(Refusal):
    """Only staff and integrations of the tournament may enter players."""

    code = "invite-only"


class KeptApartNotOffered(Refusal):
    """The ruleset, or its tier, does not let players ask to be kept apart."""

    code = "kept-apart-not-offered"


class ExternalIdTaken(Refusal):
    """Another player of the tournament has this external id."""

    code = "external-id-taken"
