"""Lists of games that several services answer: filters, order, changes since a version, and printed sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from shared.log.database import Database
from shared.log.event import Recorded
from shared.log.reading import log_page
from shared.service.state import LoadedAggregate
from shared.service.views import event_view
from shared.shapes import Id, Name, Query, View
from shared.swiss.printed_sheets import Sheet
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Page

MAX_EVENTS_SINCE = 500
"""Most events of one log that are read to find changed games; after more of them the whole list is answered."""

ROUNDS_COME_AND_GO = ("PairingsDrawn", "RoundPaired", "RoundWithdrawn")
OF_A_WHOLE_ROUND = ("StandingsRecorded", "RoundClosed", "CoinEntered")
"""These events decide who advances from an elimination game; they change no other game."""


def games_touched(
    database: Database, tournament: str, loaded: LoadedAggregate, since: Mapping[str, int]
) -> set[str] | None:
    """Return the ids of games that events after a version are about: all that changed or were removed, and others.

    since: source -> position. Return None if the changes are not known: there were too many events, rounds were added
    or removed, or an event names neither a game, a round, a player nor a member of staff.
    """
    touched: set[str] = set()
    with database.reading() as connection:
        for source, end in loaded.seen.items():
            events = log_page(connection, source, tournament, since[source], MAX_EVENTS_SINCE + 1)
            if len(events) > MAX_EVENTS_SINCE:
                return None
            for event in events:
                if event.position <= end:
                    games = _touched_by(loaded.state, event)
                    if games is None:
                        return None
                    touched.update(games)
    return touched


def _touched_by(state: Tournament, event: Recorded) -> Iterable[str] | None:
    data = event_view(event, {}).data
    if event.type in ROUNDS_COME_AND_GO:
        return None
    if game := data.get("game"):
        return [game]
    if "round" in data:
        round = state.rounds.rounds.get(data["round"])
        if event.type in OF_A_WHOLE_ROUND and round is not None and round.stage == "swiss":
            return []
        return [*(round.seats if round else ()), *data.get("removed", ())]
    people = {data[name] for name in ("player", "staff") if data.get(name)}
    return _games_of(state, people) if people else None


def _games_of(state: Tournament, people: set[Any]) -> Iterator[str]:
    for round in state.rounds.rounds.values():
        for seat in round.seats.values():
            if not people.isdisjoint(seat.all_players):
                yield seat.game


VenueFilter = Annotated[Id | UnsetType, "Include only what is at this venue."]


class AtVenue(Query, frozen=True, kw_only=True):
    """A filter of a list by venue."""

    venue: VenueFilter = UNSET


SomebodysName = Annotated[
    str | UnsetType, Name(), "Only games of players whose name contains each of these words; accents are ignored."
]
OrderOfGames = Annotated[
    Literal["pairing", "table"], "pairing: in the order of the draw; table: by venue and table, byes last."
]


def table_order(seat: Seat) -> tuple[int, str, int, int]:
    """Return the sort key of a pairing in the order of tables. Pairings without a table (byes) come last."""
    return int(not seat.table), seat.venue, seat.table, seat.wave


class FormPrinted(View, frozen=True, kw_only=True):
    """The content of a printed form of a ruleset."""

    id: str
    name: str
    holds: Annotated[str, "rounds, roster, sides, builder, pairings, standings or players."]
    filled_by: Annotated[str, "player or staff."]
    heading: list[str]
    columns: list[str]
    titles: Annotated[dict[str, str], "The printed title of every member of heading and columns."]
    instructions: Annotated[list[str], "Instructions for the person who fills it in."]
    lines: Annotated[int, "Lines on one sheet; 0: as many as needed."]
    order: Annotated[str, "upwards: the lowest line is used first."]
    clause: str


class SheetView(View, frozen=True, kw_only=True):
    """A printed sheet. Empty cells are filled in by hand."""

    about: Annotated[str, "The id of the player, game or venue; empty: everyone."]
    heading: dict[str, str]
    columns: list[str]
    lines: Annotated[list[list[str]], "From top to bottom; a text for each column."]


class SheetsPage(Page[SheetView], frozen=True, kw_only=True):
    """One page of sheets."""

    round: Annotated[int | None, "The round of the sheets; null: all rounds, or none."]
    titles: Annotated[dict[str, str], "The printed title of every member of heading and columns."]
    instructions: list[str]


def sheet_view(sheet: Sheet) -> SheetView:
    """Return the view of a printed sheet."""
    return SheetView(about=sheet.about, heading=sheet.heading, columns=sheet.columns, lines=sheet.lines)
