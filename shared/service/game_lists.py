"""Lists of games: which an address asks for, in which order, and which changed; and their printed forms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import UnsetType

from shared.log.event import Recorded
from shared.log.reading import log_page
from shared.service.routes import Gateway
from shared.service.state import LoadedAggregate
from shared.service.views import event_view
from shared.shapes import Name, View
from shared.swiss.printed_sheets import Sheet
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Page

EVENTS_READ = 500
"""Events of one log that are read for this; who comes back later than that is answered with everything."""

ROUNDS_COME_AND_GO = ("PairingsDrawn", "RoundPaired", "RoundWithdrawn")
OF_A_WHOLE_ROUND = ("StandingsRecorded", "RoundClosed", "CoinEntered")
"""They tell who goes on from a game of elimination, and nothing of other games."""


def games_touched(
    gateway: Gateway, tournament: str, loaded: LoadedAggregate, since: Mapping[str, int]
) -> set[str] | None:
    """Ids of games that events after a version are about, also of games that are no more; more of them than changed.

    since: source -> position. None where that cannot be told: too much has happened, rounds came or went, or an event
    names neither a game nor a round, player or member of staff.
    """
    touched: set[str] = set()
    with gateway.handler.database.reading() as connection:
        for source, end in loaded.seen.items():
            events = log_page(connection, source, tournament, since[source], EVENTS_READ + 1)
            if len(events) > EVENTS_READ:
                return None
            for event in events:
                if event.position <= end:
                    found = _touched(loaded.state, event)
                    if found is None:
                        return None
                    touched.update(found)
    return touched


def _touched(state: Tournament, event: Recorded) -> Iterable[str] | None:
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
    who = {data[name] for name in ("player", "staff") if data.get(name)}
    return _games_of(state, who) if who else None


def _games_of(state: Tournament, who: set[Any]) -> Iterator[str]:
    for round in state.rounds.rounds.values():
        for seat in round.seats.values():
            if not who.isdisjoint(seat.all_players):
                yield seat.game


SomebodysName = Annotated[
    str | UnsetType, Name(), "Only games of players whose name contains each of these words; accents do not matter."
]
OrderOfGames = Annotated[
    Literal["pairing", "table"], "pairing: as they were made; table: by venue and table, byes last."
]


def table_order(seat: Seat) -> tuple[int, str, int, int]:
    """Where a pairing stands in the order of tables; without a table, as byes are, at the end of its round."""
    return int(not seat.table), seat.venue, seat.table, seat.wave


class FormPrinted(View, frozen=True, kw_only=True):
    """What stands on a form of a ruleset; how many copies there are is said by whoever shows it."""

    id: str
    name: str
    holds: Annotated[str, "rounds, roster, sides, builder, pairings, standings or players."]
    filled_by: Annotated[str, "player or staff."]
    heading: list[str]
    columns: list[str]
    titles: Annotated[dict[str, str], "What is printed for every word of heading and columns."]
    instructions: Annotated[list[str], "What whoever fills it in reads first."]
    lines: Annotated[int, "On one sheet; 0: as many as are needed."]
    order: Annotated[str, "upwards: the lowest line is used first."]
    clause: str


class SheetView(View, frozen=True, kw_only=True):
    """A printed sheet. What is empty is written by hand."""

    about: Annotated[str, "The player, game or venue; empty: everybody."]
    heading: dict[str, str]
    columns: list[str]
    lines: Annotated[list[list[str]], "From top to bottom; a text for each column."]


class SheetsPage(Page[SheetView], frozen=True, kw_only=True):
    """One page of sheets."""

    round: Annotated[int | None, "The round that they are of; null: of all, or of none."]
    titles: Annotated[dict[str, str], "What is printed for every word of heading and columns."]
    instructions: list[str]


def sheet_view(sheet: Sheet) -> SheetView:
    """Return a printed sheet as answers show it."""
    return SheetView(about=sheet.about, heading=sheet.heading, columns=sheet.columns, lines=sheet.lines)
