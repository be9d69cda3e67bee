"""What addresses of scoring ask for behind their question mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from services.scoring.tournament.views import is_contested, is_improbable
from shared.names import is_found
from shared.refusals import Expected, expects
from shared.service.game_lists import OrderOfGames, SomebodysName, table_order
from shared.service.views import AskedSince
from shared.shapes import Check, Documented, Id, Name, Whole
from shared.tournament.games import GameStatus, status_of
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Ordered, Paged, nothing_beside

MOST_ROUNDS = 1000
LAST_TABLE = 10_000
"""The number of the last table that a venue may have."""
ALL = "all"


def _round_or_all(said: str) -> Expected | None:
    known = said == ALL or (said.isascii() and said.isdecimal() and 1 <= int(said[:9]) <= MOST_ROUNDS)
    return None if known else expects("round-or-all", most=MOST_ROUNDS)


class GamesQuery(Paged, frozen=True, kw_only=True):
    """Which games."""

    round: Annotated[
        str | UnsetType,
        Check(_round_or_all),
        Documented({"pattern": "^(all|[1-9][0-9]*)$"}),
        "The round, from 1 to 1000, or `all`; left out: the latest, which the answer names.",
    ] = UNSET
    status: Annotated[GameStatus | UnsetType, "Only games of this status."] = UNSET
    venue: Annotated[Id | UnsetType, "Only games at this venue."] = UNSET
    table: Annotated[int | UnsetType, Whole(1, LAST_TABLE), "Only games at tables of this number."] = UNSET
    player: Annotated[Id | UnsetType, "Only games of this player."] = UNSET
    q: SomebodysName = UNSET
    sort: OrderOfGames = "pairing"
    improbable: Annotated[
        bool | UnsetType, "true: only games with improbable facts that were confirmed; false: only the others."
    ] = UNSET
    contested: Annotated[
        bool | UnsetType, "true: only games that wait for a referee, disputed or appealed; false: only the others."
    ] = UNSET
    since: AskedSince = UNSET


def is_wanted(state: Tournament, seat: Seat, query: GamesQuery) -> bool:
    """Whether a game, or a bye, is among those that a query's filters leave."""
    result = state.results.results.get(seat.game)
    return (
        query.venue in (UNSET, seat.venue)
        and (query.player is UNSET or query.player in seat.everybody)
        and query.status in (UNSET, status_of(state, seat))
        and query.table in (UNSET, seat.table)
        and query.improbable in (UNSET, is_improbable(result))
        and query.contested in (UNSET, is_contested(result))
        and (query.q is UNSET or any(is_found(state.entries.name_of(one), query.q) for one in seat.everybody))
    )


def _key_of_pairing(round: int, index: int, seat: Seat) -> tuple[int | str, ...]:
    return round, index


def _key_of_table(round: int, index: int, seat: Seat) -> tuple[int | str, ...]:
    return round, *table_order(seat), index


KEYS_OF_GAMES: Mapping[str, tuple[tuple[type[int] | type[str], ...], Callable[[int, int, Seat], tuple[Any, ...]]]] = {
    "pairing": ((int, int), _key_of_pairing),
    "table": ((int, int, str, int, int, int), _key_of_table),
}
"""Order of games -> what its cursors hold, and the key of a game: its round, its place among the pairings, its seat."""


class StandingsQuery(Ordered, frozen=True, kw_only=True):
    """Which standings, and which rows of them; ranks are those of the whole."""

    round: Annotated[
        int | UnsetType, Whole(1, MOST_ROUNDS), "As recorded after this round; left out: the current ones."
    ] = UNSET
    venue: Annotated[Id | UnsetType, "Only players of this venue."] = UNSET
    status: Annotated[
        Literal["active", "dropped", "disqualified"] | UnsetType, "Only players with this status in the standings."
    ] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Only players whose name contains each of these words; accents do not matter."
    ] = UNSET
    sort: Annotated[Literal["rank", "name"], "name: without capitals and accents."] = "rank"
    since: AskedSince = UNSET

    @staticmethod
    def wrong(said: Any) -> dict[str, Expected]:
        """What has changed comes whole."""
        return Ordered.wrong(said) | nothing_beside(said, "after", "around", "limit")
