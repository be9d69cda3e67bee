"""Lists of games: which an address asks for and in which order, and which may be shown otherwise since a version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import UnsetType

from shared.application.event_views import event_view
from shared.application.gateway import Gateway
from shared.application.repository import LoadedAggregate
from shared.eventlog.read import log_page
from shared.events.recorded import Recorded
from shared.shapes import Name
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament

MOST = 500
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
            events = log_page(connection, source, tournament, since[source], MOST + 1)
            if len(events) > MOST:
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
            if not who.isdisjoint(seat.everybody):
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
