"""Who of a tournament may be somebody that its organiser has barred, at an earlier one, from later events.

Nobody is known across tournaments for certain. An external id is of one player each in an organiser's own files; a name
may be a namesake's. Which events are meant stands in words. So this is told to staff, and nothing is refused by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Struct

from shared.formats.fold import read_event
from shared.log.database import Connection
from shared.names import plain
from shared.shapes import View
from shared.tournament.people import Entries


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
    by_name = _by(people, "name")
    for barred in there.players.values():
        if not barred.barred:
            continue
        same = by_id.get(plain(barred.external_id), []) if barred.external_id else []
        named = [
            one
            for one in by_name.get(plain(barred.name), [])
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
        if value := plain(getattr(one, member)):
            found.setdefault(value, []).append(one)
    return found
