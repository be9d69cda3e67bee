"""Routes of players: lists, exports, check-in, leaving, warnings; players barred at earlier tournaments.

A player cannot be identified across tournaments for certain: an external id is unique only in an organiser's own
files, and two people may have the same name. So staff see possible bars, but no request is refused because of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from flask import Response
from msgspec import UNSET, Struct, UnsetType, to_builtins

from services.registration import views
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
from services.registration.guards import player_of
from services.registration.handlers import HANDLERS
from services.registration.personal_data import PersonalDataVault
from services.registration.players import AmendPlayer
from services.registration.routes_joining import ENTERED, PLAYERS_FILE, players_row, write_entries
from services.registration.withdrawals import (
    DisqualifyPlayer,
    DropPlayer,
    ReinstatePlayer,
    RevokeDisqualification,
    WarnPlayer,
    WithdrawPlayer,
)
from shared.formats.fold import read_event
from shared.formats.packs import roles_by_ruleset
from shared.log.database import Connection
from shared.log.event import Recorded, read_actor
from shared.log.reading import events_of_type
from shared.names import matches_words, name_sort_key, normalize_name
from shared.roles import REFEREE_UP
from shared.service.commands import InlineWrite, venues_of
from shared.service.game_lists import AtVenue
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended, AskedSince, Gone, WarningView, require_intact, warning_view
from shared.service.wiring import current_part, gateway
from shared.shapes import Id, Name, View
from shared.tournament.people import Entries, Player
from shared.tournament.registration import PlayerWarned
from shared.web.paging import (
    Paged,
    csv_answer,
    list_version,
    next_page,
    page_limit,
    page_of,
    parse_after,
    parse_since,
    removed_ids,
    require_json_for,
    single_page,
    wants_csv,
)
from shared.web.request import not_modified


class PublicIdentity(Struct, frozen=True):
    """The public identity of a player of this tournament."""

    player: str
    name: str
    external_id: str


class BarredBefore(View, frozen=True, kw_only=True):
    """A player who may be a person that the organiser has barred from later events."""

    id: Annotated[str, "The player in this tournament."]
    name: str
    by: Annotated[Literal["external_id", "name"], "The value that matches."]
    tournament: Annotated[str, "The tournament that barred the person."]
    tournament_name: str
    barred: Annotated[str, "The later events, in words."]


class BarredPlayers(View, frozen=True, kw_only=True):
    """Players to check, by tournament."""

    items: list[BarredBefore]


def tournaments_with_bars(connection: Connection, organiser: str, own: str) -> list[str]:
    """Return the ids of the organiser's other tournaments that barred a player from later events, sorted."""
    events = "SELECT tournament, type, version, data FROM events"
    disqualified = connection.rows(f"{events} WHERE type = 'PlayerDisqualified' AND tournament <> :own", own=own)
    others = sorted({other for other, *event in disqualified if getattr(read_event(*event), "barred", "")})
    first = f"{events} WHERE source = 'registration' AND position = 1 AND tournament IN (:others)"
    rows = connection.rows(first, others=others)
    return sorted(other for other, *event in rows if getattr(read_event(*event), "organiser", "") == organiser)


def public_identities(entries: Entries) -> list[PublicIdentity]:
    """Return the players who have not withdrawn."""
    return [
        PublicIdentity(player.id, player.name, player.external_id)
        for player in entries.players.values()
        if player.status != "withdrawn"
    ]


def barred_before(
    players: Sequence[PublicIdentity], tournament: str, barring_entries: Entries
) -> Iterator[BarredBefore]:
    """Yield the players who match a player barred by another tournament, by external id or name.

    Different external ids are different people, even with the same name.
    """
    by_id = _group_by(players, "external_id")
    by_name = _group_by(players, "name")
    for barred in barring_entries.players.values():
        if not barred.barred:
            continue
        same_id = by_id.get(normalize_name(barred.external_id), []) if barred.external_id else []
        same_name = [
            player
            for player in by_name.get(normalize_name(barred.name), [])
            if player not in same_id and not (player.external_id and barred.external_id)
        ]
        for player in (*same_id, *same_name):
            yield BarredBefore(
                id=player.player,
                name=player.name,
                by="external_id" if player in same_id else "name",
                tournament=tournament,
                tournament_name=barring_entries.name,
                barred=barred.barred,
            )


def _group_by(players: Iterable[PublicIdentity], member: str) -> Mapping[str, list[PublicIdentity]]:
    groups: dict[str, list[PublicIdentity]] = {}
    for player in players:
        if value := normalize_name(getattr(player, member)):
            groups.setdefault(value, []).append(player)
    return groups


CSV, TEXT = "text/csv", {"type": "string"}
OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")
ROUTE = "/tournaments/<id:tournament>/players/<id:player>"

Status = Literal["active", "waiting", "dropped", "disqualified", "withdrawn"]

vault = current_part(PersonalDataVault)
blueprint = CommandBlueprint("players", HANDLERS, description="Players: lists, check-in, leaving.")


class PlayersQuery(Paged, frozen=True, kw_only=True):
    """Filters and order of the list of players."""

    external_id: Annotated[str | UnsetType, "Only the player with this external id."] = UNSET
    roster: Annotated[
        Literal["none", "submitted", "accepted", "rejected"] | UnsetType, "Only players whose roster has this status."
    ] = UNSET
    status: Annotated[Status | UnsetType, "Only players with this status."] = UNSET
    venue: Annotated[Id | UnsetType, "Only players at this venue."] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Only players whose name contains each of these words; accents do not matter."
    ] = UNSET
    sort: Annotated[
        Literal["sign_up", "name"], "`sign_up`: in order of sign-up. `name`: by name, ignoring case and accents."
    ] = "sign_up"
    since: AskedSince = UNSET

    def matches(self, player: Player) -> bool:
        """Return True if a player matches the filters."""
        return (
            self.status in (UNSET, player.status)
            and self.roster in (UNSET, player.roster or "none")
            and self.venue in (UNSET, player.venue)
            and (self.external_id is UNSET or normalize_name(self.external_id) == normalize_name(player.external_id))
            and (self.q is UNSET or matches_words(player.name, self.q))
        )


KEYS: Mapping[str, tuple[tuple[type[int] | type[str], ...], Callable[[Player], tuple[Any, ...]]]] = {
    "sign_up": ((int,), lambda player: (player.order,)),
    "name": ((str, str, int), lambda player: (*name_sort_key(player.name), player.order)),
}
"""Order of players -> types of its cursor, and the sort key of a player."""


class ExportQuery(AtVenue, frozen=True, kw_only=True):
    """Filter of the exported players."""

    status: Annotated[Status | UnsetType, "Only players with this status. Default: all except withdrawn players."] = (
        UNSET
    )


@blueprint.get("/tournaments/<id:tournament>/players")
@blueprint.arguments(PlayersQuery, location="query")
@blueprint.response(200, views.PlayerPage)
@blueprint.csv_too
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "invalid-cursor")
def list_players(query: PlayersQuery, tournament: str) -> Any:
    """List players by sign-up or name. By sign-up, waiting players are in the order in which they move up.

    As CSV this is the file players.csv of the offline commands. Without `status` it excludes waiting and withdrawn
    players.
    """
    shape, key = KEYS[query.sort]
    after = parse_after(query.after, *shape)
    require_json_for(query.since)
    with gateway.reading(tournament, venue=query.venue) as loaded:
        entries, version = loaded.state.entries, list_version(loaded.seen)
        selected = sorted(filter(query.matches, entries.players.values()), key=key)
        if wants_csv() and query.status is UNSET:
            selected = [player for player in selected if player.status in ENTERED]
        total = len(selected)
        since = parse_since(query.since, loaded.seen)
        gone: Gone = UNSET
        if since is not None:
            # The position of a waiting player changes without an event about that player.
            changed = {
                player.id
                for player in entries.players.values()
                if player.status == "waiting" or player.changed > since["registration"]
            }
            gone = removed_ids(changed, (player.id for player in selected))
            selected = [player for player in selected if player.id in changed]
        remaining = [player for player in selected if after is None or key(player) > after]
        players = remaining[: page_limit(query)]
        cursor, headers = next_page(key(players[-1]) if len(remaining) > len(players) else None)
        if wants_csv():
            return csv_answer(PLAYERS_FILE, map(players_row, players), headers)
        places = views.waiting_places(entries)
        items = [views.player_view(entries, player, places) for player in players]
    view = views.PlayerPage(
        items=items,
        next=cursor,
        total=total,
        version=version,
        since=UNSET if since is None else query.since,
        gone=gone,
    )
    return view, 200, headers


@blueprint.get("/tournaments/<id:tournament>/players/csv")
@blueprint.answers_as(CSV)
@blueprint.arguments(ExportQuery, location="query")
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
@blueprint.doc(responses={200: {"description": "One player a row.", "content": {CSV: {"schema": TEXT}}}})
def export_players(query: ExportQuery, tournament: str) -> Response:
    """Show players as CSV (`player,name,faction,venue,club`), as POST accepts it; `player` is the external id.

    A cell that a spreadsheet would read as a formula starts with a single quote, which POST removes.
    """
    with gateway.reading(tournament, venue=query.venue) as loaded:
        players = loaded.state.entries.players.values()
        selected = [
            player
            for player in players
            if query.status in (UNSET, player.status) and query.venue in (UNSET, player.venue)
        ]
        text = write_entries(player for player in selected if query.status or player.status != "withdrawn")
    return Response(text, content_type=f"{CSV}; charset=utf-8")


@blueprint.get("/tournaments/<id:tournament>/players/barred")
@blueprint.allow(*REFEREE_UP)
@blueprint.arguments(AtVenue, location="query")
@blueprint.response(200, BarredPlayers)
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_barred(query: AtVenue, tournament: str) -> BarredPlayers:
    """List players who may have been barred from later events at another tournament of this organiser.

    Muster compares external ids, or else names, so a match may be another person. It refuses no one because of this
    list: staff decide whether it is the same person, and whether the bar covers this event.
    """
    with gateway.reading(tournament, venue=query.venue) as loaded:
        entries = loaded.state.entries
        players = [one for one in public_identities(entries) if entries.plays_at(one.player, query.venue)]
        organiser = entries.organiser
    with gateway.handler.database.reading() as connection:
        others = tournaments_with_bars(connection, organiser, tournament)
    items: list[BarredBefore] = []
    for other in others:
        with gateway.repository.now(other) as loaded:
            items += barred_before(players, other, loaded.state.entries)
    return BarredPlayers(items=items)


@blueprint.get(ROUTE)
@blueprint.response(200, views.PlayerView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_player(tournament: str, player: str) -> Any:
    """Show a player."""
    with gateway.reading(tournament) as loaded:
        shown_player = player_of(loaded.state.entries, player)
        unchanged = not_modified(gateway.version(loaded))
        return unchanged or views.player_view(
            loaded.state.entries, shown_player, views.waiting_places(loaded.state.entries)
        )


@blueprint.command(AmendPlayer, f"{ROUTE}/amendments")
@blueprint.versioned
@blueprint.may_refuse(*OF_PLAYER, "name-taken", "external-id-taken", "venue-unknown")
def amend_player(command: AmendPlayer, tournament: str) -> Appended:
    """Correct a player's name, faction, club, venue or external id. Send If-Match."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawPlayer, f"{ROUTE}/withdrawal")
@blueprint.may_refuse(*OF_PLAYER, "not-yours", "too-late-to-change", "player-not-active")
def withdraw_player(command: WithdrawPlayer, tournament: str) -> Appended:
    """Withdraw a player before round 1 is paired. The first player on the waiting list moves up."""
    return gateway.run(tournament, command)


@blueprint.command(GiveSeat, f"{ROUTE}/seat")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "capacity-too-small", "registration-closed")
def give_seat(command: GiveSeat, tournament: str) -> Appended:
    """Give a free or an added seat to a waiting player, ahead of others. The reason is public."""
    return gateway.run(tournament, command)


@blueprint.command(TakeSeatBack, f"{ROUTE}/seat", method="DELETE", status=200)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "seat-not-given", "too-late-to-change")
def take_seat_back(command: TakeSeatBack, tournament: str) -> Appended:
    """Take back a seat that was given ahead of others, until round 1 is paired. The player waits in the old place."""
    return gateway.run(tournament, command)


@blueprint.command(CheckIn, f"{ROUTE}/check-in")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-yours", "venue-unknown")
def check_in(command: CheckIn, tournament: str) -> Appended:
    """Check a player in, at a venue."""
    return gateway.run(tournament, command)


@blueprint.command(CheckOut, f"{ROUTE}/check-out")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active")
def check_out(command: CheckOut, tournament: str) -> Appended:
    """Undo a check-in."""
    return gateway.run(tournament, command)


@blueprint.command(CheckInPlayers, "/tournaments/<id:tournament>/players/check-in")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown")
def check_in_players(command: CheckInPlayers, tournament: str) -> Appended:
    """Check several players in, each at their venue: all of them, or none and the answer lists every fault."""
    return gateway.run(tournament, command)


@blueprint.command(CheckOutPlayers, "/tournaments/<id:tournament>/players/check-out")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active")
def check_out_players(command: CheckOutPlayers, tournament: str) -> Appended:
    """Undo the check-ins of several players: all of them, or none and the answer lists every fault."""
    return gateway.run(tournament, command)


@blueprint.command(MovePlayer, f"{ROUTE}/venue")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown", "still-in-use", "wrong-format")
def move_player(command: MovePlayer, tournament: str) -> Appended:
    """Move a player to another venue from the next pairing on. Paired rounds keep their tables."""
    return gateway.run(tournament, command)


@blueprint.command(PinPlayer, f"{ROUTE}/table")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown", "table-unknown", "wrong-format")
def pin_player(command: PinPlayer, tournament: str) -> Appended:
    """Give a player a fixed table. The reason is private: it is stored encrypted, outside the log."""

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        vault.add(connection, tournament, command.player, {"table_reason": command.reason})

    answer = gateway.run(tournament, command, inline_write=write if command.reason else None)
    if command.reason and not answer.events:  # the table was fixed before; only the reason is new
        with gateway.handler.database.writing() as connection:
            write(connection, ())
    return answer


@blueprint.command(UnpinPlayer, f"{ROUTE}/table", method="DELETE", status=200)
@blueprint.may_refuse(*OF_PLAYER, "wrong-format")
def unpin_player(command: UnpinPlayer, tournament: str) -> Appended:
    """Remove a player's fixed table. The player is then seated like the others."""
    return gateway.run(tournament, command)


@blueprint.command(DropPlayer, f"{ROUTE}/drop")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-yours")
def drop_player(command: DropPlayer, tournament: str) -> Appended:
    """Drop a player from further rounds. Results stay. Report a running game as a concession."""
    return gateway.run(tournament, command)


@blueprint.command(ReinstatePlayer, f"{ROUTE}/reinstatement")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "capacity-too-small")
def reinstate_player(command: ReinstatePlayer, tournament: str) -> Appended:
    """Reinstate a dropped player, from the next pairing on."""
    return gateway.run(tournament, command)


@blueprint.get(f"{ROUTE}/warnings")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, page_of(WarningView))
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def list_warnings(tournament: str, player: str) -> dict[str, Any]:
    """List a player's warnings, oldest first. Staff only."""
    with gateway.reading(tournament) as loaded:
        player_of(loaded.state.entries, player)
        venues = venues_of(loaded.state)
    with gateway.handler.database.reading() as connection:
        warned = require_intact(events_of_type(connection, "registration", tournament, PlayerWarned.__name__))
    views = (warning_view(event, venues) for event in warned)
    return single_page([view for view in views if view.player == player])


@blueprint.command(WarnPlayer, f"{ROUTE}/warnings")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active")
def warn_player(command: WarnPlayer, tournament: str) -> Appended:
    """Record a warning without penalty. The reason is public; only organiser and head referee can see the note."""
    return gateway.run(tournament, command, inline_write=_note_writer(tournament, command))


@blueprint.command(DisqualifyPlayer, f"{ROUTE}/disqualification")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("disqualification"))
def disqualify_player(command: DisqualifyPlayer, tournament: str) -> Appended:
    """Disqualify a player, with a reason. The ruleset says who may do this and what happens to results.

    `barred` names later events from which the player is barred too; an organiser decides that, now or later. The
    reason is public; the note is stored outside the log, for organiser and head referee.
    """
    return gateway.run(tournament, command, inline_write=_note_writer(tournament, command))


@blueprint.command(RevokeDisqualification, f"{ROUTE}/disqualification/revocation")
@blueprint.may_refuse(*OF_PLAYER, "too-late-to-change", "capacity-too-small", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("reinstatement"))
def revoke_disqualification(command: RevokeDisqualification, tournament: str) -> Appended:
    """Revoke a disqualification before a round is paired without the player."""
    return gateway.run(tournament, command)


def _note_writer(tournament: str, command: WarnPlayer) -> InlineWrite | None:
    """Return the write that adds a private note to a player's personal data; None without a note."""
    if not command.note:
        return None

    def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
        event, data = recorded[0], vault.get(connection, tournament, command.player) or {}
        actor = to_builtins(read_actor(event.actor))
        note = {"event": event.id, "type": event.type, "time": event.time, "actor": actor, "note": command.note}
        vault.add(connection, tournament, command.player, {"notes": [*data.get("notes", []), note]})

    return write
