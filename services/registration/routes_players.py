"""Routes of players: lists, exports, check-in, leaving; players barred at earlier tournaments.

A player cannot be recognised across tournaments for certain: an external id belongs to one player in an organiser's
own files, and a name may be a namesake's. So possible bars are shown to staff, and nothing is refused because of
them.
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
from shared.service.routes import CommandBlueprint
from shared.service.views import Appended, AskedSince, Gone, WarningView, require_intact, warning_view
from shared.service.wiring import current_part, gateway
from shared.shapes import Id, Name, Query, View
from shared.tournament.guards import require_venue
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


class Known(Struct, frozen=True):
    """Somebody of this tournament, as far as others may know them."""

    player: str
    name: str
    external_id: str


class BarredBefore(View, frozen=True, kw_only=True):
    """Somebody here who may be one that the organiser has barred from later events."""

    id: Annotated[str, "The player in this tournament."]
    name: str
    by: Annotated[Literal["external_id", "name"], "What is the same: external_id, or name."]
    tournament: Annotated[str, "Where it was decided."]
    tournament_name: str
    barred: Annotated[str, "From which later events, in words."]


class BarredPlayers(View, frozen=True, kw_only=True):
    """Who is to be looked at, tournament by tournament."""

    items: list[BarredBefore]


def barring(connection: Connection, organiser: str, own: str) -> list[str]:
    """Other tournaments of this organiser at which somebody was barred from later events, in order of their ids."""
    events = "SELECT tournament, type, version, data FROM events"
    found = connection.rows(f"{events} WHERE type = 'PlayerDisqualified' AND tournament <> :own", own=own)
    others = sorted({other for other, *event in found if getattr(read_event(*event), "barred", "")})
    first = f"{events} WHERE source = 'registration' AND position = 1 AND tournament IN (:others)"
    rows = connection.rows(first, others=others)
    return sorted(other for other, *event in rows if getattr(read_event(*event), "organiser", "") == organiser)


def known_here(entries: Entries) -> list[Known]:
    """Everybody who entered and has not withdrawn."""
    return [
        Known(player.id, player.name, player.external_id)
        for player in entries.players.values()
        if player.status != "withdrawn"
    ]


def barred_before(here: Iterable[Known], tournament: str, there: Entries) -> Iterator[BarredBefore]:
    """Those here who have the external id, or the name, of somebody whom another tournament bars.

    Two different external ids are two people, whatever they are called.
    """
    people = list(here)
    by_id = _by(people, "external_id")
    name_sort_key = _by(people, "name")
    for barred in there.players.values():
        if not barred.barred:
            continue
        same = by_id.get(normalize_name(barred.external_id), []) if barred.external_id else []
        named = [
            one
            for one in name_sort_key.get(normalize_name(barred.name), [])
            if one not in same and not (one.external_id and barred.external_id)
        ]
        for one in (*same, *named):
            yield BarredBefore(
                id=one.player,
                name=one.name,
                by="external_id" if one in same else "name",
                tournament=tournament,
                tournament_name=there.name,
                barred=barred.barred,
            )


def _by(people: Iterable[Known], member: str) -> Mapping[str, list[Known]]:
    found: dict[str, list[Known]] = {}
    for one in people:
        if value := normalize_name(getattr(one, member)):
            found.setdefault(value, []).append(one)
    return found


CSV, TEXT = "text/csv", {"type": "string"}
OF_PLAYER = ("tournament-unknown", "tournament-over", "player-unknown", "other-venue")
ROUTE = "/tournaments/<id:tournament>/players/<id:player>"

Status = Literal["active", "waiting", "dropped", "disqualified", "withdrawn"]

vault = current_part(PersonalDataVault)
blueprint = CommandBlueprint("players", HANDLERS, description="Players: who is there, check-in, leaving.")


class PlayersQuery(Paged, frozen=True, kw_only=True):
    """status: only players of this status. roster: of this state. external_id: only who has this id elsewhere."""

    external_id: str | UnsetType = UNSET
    roster: Literal["none", "submitted", "accepted", "rejected"] | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    venue: Annotated[Id | UnsetType, "Only players of this venue."] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Only players whose name contains each of these words; accents do not matter."
    ] = UNSET
    sort: Annotated[Literal["sign_up", "name"], "sign_up: in order of sign-up; name: without capitals and accents."] = (
        "sign_up"
    )
    since: AskedSince = UNSET

    def leaves(self, player: Player) -> bool:
        """Whether a player is among those that the filters leave."""
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
"""Order of players -> what its cursors hold, and the key of a player."""


class ExportQuery(Query, frozen=True, kw_only=True):
    """status: only players of this status; left out: all but those who withdrew."""

    status: Status | UnsetType = UNSET


@blueprint.get("/tournaments/<id:tournament>/players")
@blueprint.arguments(PlayersQuery, location="query")
@blueprint.response(200, views.PlayerPage)
@blueprint.csv_too
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "invalid-cursor")
def list_players(query: PlayersQuery, tournament: str) -> Any:
    """List players by sign-up or name; by sign-up, the waiting list is in the order in which players move up.

    As CSV this is the file players.csv of the offline commands; it has everybody who entered unless you set `status`.
    """
    shape, key = KEYS[query.sort]
    after = parse_after(query.after, *shape)
    require_json_for(query.since)
    with gateway.reading(tournament) as loaded:
        entries, version = loaded.state.entries, list_version(loaded.seen)
        require_venue(entries, query.venue)
        wanted = sorted(filter(query.leaves, entries.players.values()), key=key)
        if wants_csv() and query.status is UNSET:
            wanted = [player for player in wanted if player.status in ENTERED]
        total = len(wanted)
        since = parse_since(query.since, loaded.seen)
        gone: Gone = UNSET
        if since is not None:
            # Others move up on the waiting list without an event of their own.
            news = {
                player.id: player.status == "waiting" or player.changed > since["registration"]
                for player in entries.players.values()
            }
            gone = removed_ids((id for id, is_new in news.items() if is_new), (player.id for player in wanted))
            wanted = [player for player in wanted if news[player.id]]
        behind = [player for player in wanted if after is None or key(player) > after]
        shown_players = behind[: page_limit(query)]
        last = key(shown_players[-1]) if len(behind) > len(shown_players) else None
        cursor, headers = next_page(last)
        if wants_csv():
            return csv_answer(PLAYERS_FILE, map(players_row, shown_players), headers)
        places = views.waiting_places(entries)
        items = [views.player_view(player, places) for player in shown_players]
    shown = views.PlayerPage(
        items=items,
        next=cursor,
        total=total,
        version=version,
        since=UNSET if since is None else query.since,
        gone=gone,
    )
    return shown, 200, headers


@blueprint.get("/tournaments/<id:tournament>/players/csv")
@blueprint.answers_as(CSV)
@blueprint.arguments(ExportQuery, location="query")
@blueprint.may_refuse("tournament-unknown")
@blueprint.doc(responses={200: {"description": "One player a row.", "content": {CSV: {"schema": TEXT}}}})
def export_players(query: ExportQuery, tournament: str) -> Response:
    """Show players as CSV (`player,name,faction,venue,club`), as POST accepts it; `player` is the external id.

    A cell that a spreadsheet would read as a formula starts with a single quote, which POST removes.
    """
    with gateway.reading(tournament) as loaded:
        players = loaded.state.entries.players.values()
        wanted = [player for player in players if query.status in (UNSET, player.status)]
        text = write_entries(player for player in wanted if query.status or player.status != "withdrawn")
    return Response(text, content_type=f"{CSV}; charset=utf-8")


@blueprint.get("/tournaments/<id:tournament>/players/barred")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, BarredPlayers)
@blueprint.may_refuse("tournament-unknown")
def list_barred(tournament: str) -> BarredPlayers:
    """List players who may have been barred from later events by this tournament's organiser at another tournament.

    Muster compares external ids, or else names, so it may find a namesake. It refuses nobody because of this list:
    people decide whether it is the same person and whether the ban covers this event.
    """
    with gateway.reading(tournament) as loaded:
        here, organiser = known_here(loaded.state.entries), loaded.state.entries.organiser
    with gateway.handler.database.reading() as connection:
        others = barring(connection, organiser, tournament)
    items: list[BarredBefore] = []
    for other in others:
        with gateway.repository.now(other) as loaded:
            items += barred_before(here, other, loaded.state.entries)
    return BarredPlayers(items=items)


@blueprint.get(ROUTE)
@blueprint.response(200, views.PlayerView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def show_player(tournament: str, player: str) -> Any:
    """Show a player."""
    with gateway.reading(tournament) as loaded:
        found = player_of(loaded.state.entries, player)
        same = not_modified(gateway.version(loaded))
        return same or views.player_view(found, views.waiting_places(loaded.state.entries))


@blueprint.command(AmendPlayer, f"{ROUTE}/amendments")
@blueprint.versioned
@blueprint.may_refuse(*OF_PLAYER, "name-taken", "external-id-taken", "venue-unknown")
def amend_player(command: AmendPlayer, tournament: str) -> Appended:
    """Correct a player's name, faction, club, venue or external id. Send If-Match."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawPlayer, f"{ROUTE}/withdrawal")
@blueprint.may_refuse(*OF_PLAYER, "not-yours", "too-late-to-change", "player-not-active")
def withdraw_player(command: WithdrawPlayer, tournament: str) -> Appended:
    """Withdraw a player before round 1 is paired; the first on the waiting list moves up."""
    return gateway.run(tournament, command)


@blueprint.command(GiveSeat, f"{ROUTE}/seat")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "capacity-too-small", "registration-closed")
def give_seat(command: GiveSeat, tournament: str) -> Appended:
    """Give a seat to somebody who waits, whoever is first: a free one, or one more. Say why; it stands in the log."""
    return gateway.run(tournament, command)


@blueprint.command(TakeSeatBack, f"{ROUTE}/seat", method="DELETE", status=200)
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "seat-not-given", "too-late-to-change")
def take_seat_back(command: TakeSeatBack, tournament: str) -> Appended:
    """Take back a seat that was given so, until round 1 is paired; the player waits again, in the old place."""
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
    """Check in several players, each at their venue: all of them, or none and every fault by its player."""
    return gateway.run(tournament, command)


@blueprint.command(CheckOutPlayers, "/tournaments/<id:tournament>/players/check-out")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active")
def check_out_players(command: CheckOutPlayers, tournament: str) -> Appended:
    """Undo the check-ins of several players: all of them, or none and every fault by its player."""
    return gateway.run(tournament, command)


@blueprint.command(MovePlayer, f"{ROUTE}/venue")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown", "still-in-use", "wrong-format")
def move_player(command: MovePlayer, tournament: str) -> Appended:
    """Move a player to another venue from the next pairing on; a round that is already paired keeps its tables."""
    return gateway.run(tournament, command)


@blueprint.command(PinPlayer, f"{ROUTE}/table")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "venue-unknown", "table-unknown", "wrong-format")
def pin_player(command: PinPlayer, tournament: str) -> Appended:
    """Reserve one table for a player. The reason is private: it is stored encrypted, outside the log."""

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        vault.add(connection, tournament, command.player, {"table_reason": command.reason})

    answer = gateway.run(tournament, command, inline_write=keep if command.reason else None)
    if command.reason and not answer.events:  # the table is theirs already; only the reason is new
        with gateway.handler.database.writing() as connection:
            keep(connection, ())
    return answer


@blueprint.command(UnpinPlayer, f"{ROUTE}/table", method="DELETE", status=200)
@blueprint.may_refuse(*OF_PLAYER, "wrong-format")
def unpin_player(command: UnpinPlayer, tournament: str) -> Appended:
    """Stop reserving a table for a player, who is then seated like everybody else."""
    return gateway.run(tournament, command)


@blueprint.command(DropPlayer, f"{ROUTE}/drop")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-yours")
def drop_player(command: DropPlayer, tournament: str) -> Appended:
    """Drop a player, who plays no further rounds; results stay. Report a game under way as a concession."""
    return gateway.run(tournament, command)


@blueprint.command(ReinstatePlayer, f"{ROUTE}/reinstatement")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "capacity-too-small")
def reinstate_player(command: ReinstatePlayer, tournament: str) -> Appended:
    """Bring a dropped player back, from the next pairing on."""
    return gateway.run(tournament, command)


@blueprint.get(f"{ROUTE}/warnings")
@blueprint.allow(*REFEREE_UP)
@blueprint.response(200, page_of(WarningView))
@blueprint.may_refuse("tournament-unknown", "player-unknown")
def list_warnings(tournament: str, player: str) -> dict[str, Any]:
    """List a player's warnings to staff, oldest first: when, by whom, why."""
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
    """Record a warning without penalty. The reason is public; the note is for organiser and head referee alone."""
    return gateway.run(tournament, command, inline_write=_noting(tournament, command))


@blueprint.command(DisqualifyPlayer, f"{ROUTE}/disqualification")
@blueprint.may_refuse(*OF_PLAYER, "player-not-active", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("disqualification"))
def disqualify_player(command: DisqualifyPlayer, tournament: str) -> Appended:
    """Disqualify a player, with a reason; the ruleset says who may do this and what happens to results.

    `barred` names later events from which the player is barred too; an organiser decides that, now or later. The
    reason is public; the note is kept outside the log, for the organiser and the head referee.
    """
    return gateway.run(tournament, command, inline_write=_noting(tournament, command))


@blueprint.command(RevokeDisqualification, f"{ROUTE}/disqualification/revocation")
@blueprint.may_refuse(*OF_PLAYER, "too-late-to-change", "capacity-too-small", "not-your-decision")
@blueprint.narrowed(roles_by_ruleset("reinstatement"))
def revoke_disqualification(command: RevokeDisqualification, tournament: str) -> Appended:
    """Revoke a disqualification before a round is paired without the player."""
    return gateway.run(tournament, command)


def _noting(tournament: str, command: WarnPlayer) -> InlineWrite | None:
    """What keeps a private note with a player's personal data, beside the event that it is about."""
    if not command.note:
        return None

    def keep(connection: Connection, recorded: Sequence[Recorded]) -> None:
        about, kept = recorded[0], vault.get(connection, tournament, command.player) or {}
        actor = to_builtins(read_actor(about.actor))
        told = {"event": about.id, "type": about.type, "time": about.time, "actor": actor, "note": command.note}
        vault.add(connection, tournament, command.player, {"notes": [*kept.get("notes", []), told]})

    return keep
