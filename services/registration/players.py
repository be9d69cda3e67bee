"""Players: joined, signed up, kept apart, amended; their personal data shown and erased."""

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
    own_or_staff,
    player_of,
    seat_left,
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

LONGEST_LIST = 2000
"""Players of one request; a longer list is sent in several parts."""


def everybody_once(players: Sequence[str]) -> Expected | None:
    """Return what would be right in place of a list that names a player twice."""
    return expects("everybody-once") if len(set(players)) < len(players) else None


class Contact(Shape, frozen=True, kw_only=True):
    """Personal data: kept apart from the log, encrypted, and erased on request."""

    email: Annotated[str | UnsetType, Email(), Personal()] = UNSET
    phone: Annotated[str | UnsetType, Text(40), Personal()] = UNSET
    legal_name: Annotated[str | UnsetType, Name(), Personal()] = UNSET
    needs: Annotated[str | UnsetType, Text(500), Personal(), "Accessibility needs; never published."] = UNSET


NO_CONTACT = Contact()


class Person(Shape, frozen=True, kw_only=True):
    """Somebody who wants to play, under the name they choose to be public."""

    name: Annotated[str, Name()]
    faction: Annotated[str, Name()] = ""
    club: Annotated[str, Name()] = ""
    venue: str = ""


class Entry(Person, frozen=True, kw_only=True):
    """Somebody who wants to play, under the name they choose to be public.

    external_id: who they are in your files and systems, public too; of one player each.
    """

    external_id: Annotated[str, Name()] = ""
    contact: Contact = field(default_factory=Contact)


class JoinPlayers(Command, frozen=True, kw_only=True):
    """A list of players: all of them join, or none. late: staff take them in after round 1 was paired, where the
    ruleset allows it. pass_over: players who are there as the list says are passed over, not refused.
    """

    entries: Annotated[list[Entry], Size(LONGEST_LIST, 1)] = field(name="players")
    late: bool = False
    pass_over: bool = False


class JoinParty(JoinPlayers, frozen=True, kw_only=True):
    """Players who come together and want to sit together; all of them join, or none. late: as of others."""


class SignUp(Command, frozen=True, kw_only=True):
    """Somebody asks for a seat of their own."""

    entry: Entry


class SignUpInvited(Command, frozen=True, kw_only=True):
    """Somebody asks for a seat of their own, and beside the survivor who invited them."""

    entry: Entry
    invited_by: Id


class SignUpParty(Command, frozen=True, kw_only=True):
    """Somebody asks for seats for a company that wants to sit together; all of them or none."""

    entries: list[Entry]


class KeepApart(Command, frozen=True, kw_only=True):
    """groups: ids of players who should not meet in round 1; all groups from now on, none to take them back."""

    groups: Annotated[list[Annotated[list[Id], Size(100, 2), Check(everybody_once)]], Size(1000)]


class AmendPlayer(Command, frozen=True, kw_only=True):
    """What changes; the rest stays."""

    player: Id
    name: Annotated[str | UnsetType, Name()] = UNSET
    faction: Annotated[str | UnsetType, Name()] = UNSET
    club: Annotated[str | UnsetType, Name()] = UNSET
    venue: str | UnsetType = UNSET
    external_id: Annotated[str | UnsetType, Name()] = UNSET


class ErasePersonalData(Command, frozen=True, kw_only=True):
    """kept: whether anything is kept, for example the private reason of a pinned table."""

    player: Id
    kept: bool = False


GONE = ("withdrawn",)


def join(state: Tournament, command: JoinPlayers, context: Context) -> Sequence[Event]:
    """Seats while there are any, then the waiting list, first come first served (AR-AMB-22); ids are p1, p2 …

    The waiting list ends when round 1 is paired; who is taken in late needs a seat. Whom staff of one venue enter
    without a venue plays at theirs.
    """
    entries = require_running(state)
    there = unchanged(entries, command)
    if there and len(there) == len(command.entries):
        return []
    if there:
        return _join_others(state, command, context, there)
    late = state.has_begun
    if late:
        _refuse_late(entries, command, context)
    elif not entries.registration_open:
        raise RegistrationIsClosed("Registration is closed; an organiser may reopen it until round 1 is paired.")
    wanted = _at_own_venue(state, command.entries, context)
    _refuse_venues(entries, wanted)
    _refuse_taken_names(entries, wanted)
    _refuse_taken_ids(entries, wanted)
    seats = len(command.entries) if entries.capacity is None else entries.capacity - entries.seated()
    moving_up = [] if late else promotions(entries, seats)
    seats -= len(moving_up)
    return [*moving_up, *_entered(entries, wanted, seats, late)]


def unchanged(entries: Entries, command: JoinPlayers) -> list[int]:
    """Return the places in a list of players who are there as it says, where such are passed over.

    A player is known by external id, without one by name. An empty member of the list says nothing.
    """
    if not command.pass_over:
        return []
    present = [player for player in entries.players.values() if player.status not in GONE]
    by_id = {normalize_name(player.external_id): player for player in present if player.external_id}
    by_name = {normalize_name(player.name): player for player in present}
    found = []
    for place, entry in enumerate(command.entries):
        player = (
            by_id.get(normalize_name(entry.external_id))
            if entry.external_id
            else by_name.get(normalize_name(entry.name))
        )
        told = ((getattr(entry, name), getattr(player, name, "")) for name in ("name", "faction", "club", "venue"))
        if player is not None and all(said in ("", known) for said, known in told):
            found.append(place)
    return found


def _join_others(state: Tournament, command: JoinPlayers, context: Context, there: Sequence[int]) -> Sequence[Event]:
    """Join those of a list who are not there yet; faults name their places in the whole list."""
    places = [place for place in range(len(command.entries)) if place not in set(there)]
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
    """A seat or a place on the waiting list, as by staff; by anybody where sign-up is open."""
    refuse_uninvited(require_running(state), context)
    return join(state, JoinPlayers(entries=[command.entry]), context)


def refuse_uninvited(entries: Entries, context: Context) -> None:
    """Raises InviteOnly for players and guests where staff alone, or a site of the club, enter anybody."""
    invited = context.by.staff or context.by.role == "integration"
    if entries.sign_up != "open" and not invited:
        raise InviteOnly("Players of this tournament are entered by its staff, or invited by them.")


def keep_apart(state: Tournament, command: KeepApart, context: Context) -> Sequence[Event]:
    """Who should not meet in round 1, where the tier lets players ask for it (AR-PAIR-2); until it is paired."""
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


def _at_own_venue(state: Tournament, wanted: Sequence[Entry], context: Context) -> Sequence[Entry]:
    own = own_venue(state, context.by)
    return [replace(entry, venue=entry.venue or own) for entry in wanted] if own else wanted


def _entered(entries: Entries, wanted: Sequence[Entry], seats: int, late: bool) -> list[Event]:
    return [
        _joined(player, entry, late) if index < seats else _waitlisted(player, entry)
        for index, entry in enumerate(wanted)
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
    refuse_late_entry(entries)
    if not (command.late and context.by.staff):
        raise RegistrationIsClosed("Round 1 is paired; staff can still enter late players, with `late`: true.")
    if not seat_left(entries, len(command.entries)):
        raise RegistrationIsClosed(
            f"Round 1 is paired, {entries.seated()} of {entries.capacity} seats are taken and nobody moves up any more;"
            " raise the capacity first.",
            capacity=entries.capacity,
            wanted=entries.seated() + len(command.entries),
        )


def refuse_late_entry(entries: Entries) -> None:
    """Raises RegistrationIsClosed where the ruleset takes nobody in once round 1 is paired."""
    ruleset = rules_of(entries)
    rule = ruleset.entry
    if rule.late == "none":
        option = allowing_option(ruleset, "/entry/late", lambda late: late != "none")
        detail = "Round 1 is paired; this ruleset takes nobody in any more" + (
            f" without {option.text}" if option else ""
        )
        raise RegistrationIsClosed(f"{detail}.", clause=rule.cites("late"), **option_data(option))


def _refuse_venues(entries: Entries, wanted: Sequence[Entry]) -> None:
    open_venues = {venue.id for venue in entries.venues.values() if venue.open}
    faults = [
        venue_fault(entries, entry.venue, f"/players/{index}/venue")
        for index, entry in enumerate(wanted)
        if entry.venue and entry.venue not in open_venues
    ]
    if faults:
        raise VenueUnknown("Not all of these players name an open venue of this tournament.", faults)


def _refuse_taken_names(entries: Entries, wanted: Sequence[Entry]) -> None:
    taken = {normalize_name(player.name) for player in entries.players.values() if player.status not in GONE}
    twice = mark_duplicates([entry.name for entry in wanted])
    faults = []
    for index, entry in enumerate(wanted):
        is_taken = normalize_name(entry.name) in taken
        if is_taken or twice[index]:
            right = expects("unused-name") if is_taken else expects("name-once")
            faults.append(Fault(f"/players/{index}/name", entry.name, right))
    if faults:
        raise NameTaken("Two players would carry the same name.", faults)


def _refuse_taken_ids(entries: Entries, wanted: Sequence[Entry]) -> None:
    taken = {
        normalize_name(player.external_id): player for player in entries.players.values() if player.status not in GONE
    }
    faults = []
    first: dict[str, int] = {}
    for index, entry in enumerate(wanted):
        if not (id := normalize_name(entry.external_id)):
            continue
        if id in taken or id in first:
            right = unused_id(taken[id]) if id in taken else expects("id-once")
            faults.append(Fault(f"/players/{index}/external_id", entry.external_id, right))
        first.setdefault(id, index)
    if faults:
        raise ExternalIdTaken("Two players would have the same external id.", faults)


def unused_id(holder: Player) -> Expected:
    """Return the expectation of another external id than that of a player."""
    return expects("unused-id", player=holder.name, id=holder.id)


def amend(state: Tournament, command: AmendPlayer, context: Context) -> Sequence[Event]:
    """What a player is called, plays or comes from, and who they are elsewhere.

    Staff of one venue who leave a player without any keep them at theirs.
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
    others = [other for other in entries.players.values() if other.id != player.id and other.status not in GONE]
    if "name" in changed and any(is_same_name(other.name, changed["name"]) for other in others):
        raise NameTaken("Another player has this name.", [Fault("/name", changed["name"], expects("unused-name"))])
    if "external_id" in changed:
        id = normalize_name(changed["external_id"])
        if holder := next((other for other in others if normalize_name(other.external_id) == id), None):
            fault = Fault("/external_id", changed["external_id"], unused_id(holder))
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
    """At any time, also after the end: the key of the personal data is destroyed beside this event."""
    player = player_of(require_announced(state), command.player)
    if not own_or_staff(context, command.player):
        raise NotYours("Only the player or staff may ask for this.")
    return [PersonalDataErased(player=player.id)] if player.contact or command.kept else []


CONTACT = frozenset({"email", "phone", "legal_name"})
NEEDS = frozenset({"needs", "table_reason"})
NOTES = frozenset({"notes"})

SHOWN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "operator": CONTACT | NEEDS | NOTES,
        "organiser": CONTACT | NEEDS | NOTES,
        "head_referee": NEEDS | NOTES,
        "player": CONTACT | NEEDS,
    }
)
"""Role -> the members that it is shown; an operator counts as an organiser, and nobody else is shown any."""

NOWHERE = "no venue yet"
"""Where a player is who was not told a venue, and did not choose one."""


def need_reason_to_look(state: Tournament, by: By, player: str) -> None:
    """Let players pass to what is theirs, and staff of one venue to what is of players there.

    Raises PlayerUnknown, NotYours, and OtherVenue, also for a player who is at no venue yet.
    """
    found = player_of(state.entries, player)
    if by.role == "player" and by.player != player:
        raise NotYours("Only the player and the organiser see personal data; the head referee sees needs.")
    require_own_venue(state, by, [found.venue or NOWHERE])


def disclosed(role: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a role is shown of personal data."""
    shown = SHOWN.get(role, frozenset())
    return {member: value for member, value in data.items() if member in shown}


class InviteOnly(Refusal):
    """Nobody signs up without an invitation; staff and integrations of the tournament enter players."""

    code = "invite-only"


class KeptApartNotOffered(Refusal):
    """The ruleset lets nobody ask not to meet somebody, at this tier or at all."""

    code = "kept-apart-not-offered"


class ExternalIdTaken(Refusal):
    """Players of one tournament have different ids elsewhere, where they have any."""

    code = "external-id-taken"
