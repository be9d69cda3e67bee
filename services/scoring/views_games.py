"""Views of a game in every format, and the query parameters of games and standings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from shared.names import is_found
from shared.refusals import Expected, expects
from shared.service.game_lists import OrderOfGames, SomebodysName, table_order
from shared.service.views import AskedSince, ExternalId
from shared.shapes import Check, Documented, Id, Name, View, Whole
from shared.tournament.games import GameStatus, awaited_lists, game_status, is_binding
from shared.tournament.results import Result
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Ordered, Paged, exclusive_with_since


class ScoreView(View, frozen=True, kw_only=True):
    """What the ruleset makes of a result: outcome and values of each side."""

    outcome_1: str
    outcome_2: str | None
    values_1: dict[str, int]
    values_2: dict[str, int]


class ContestView(View, frozen=True, kw_only=True):
    """Why a game waits for a referee: a player disputes what was reported, or appeals a ruling."""

    kind: Literal["dispute", "appeal"]
    player: Annotated[str, "The id of whoever disputes or appeals."]
    name: str
    reason: str
    at: Annotated[str, "Since when the game waits; RFC 3339, UTC."]


class GameView(View, frozen=True, kw_only=True):
    """A game with what is known of its result; a format adds what it makes of that."""

    id: str
    round: int
    kind: str
    venue: str
    table: Annotated[int, "0: no table."]
    wave: Annotated[int, "1: begins with the round; 2: next at that table, and so on."]
    player_1: str
    player_2: str
    name_1: str
    name_2: str
    external_id_1: ExternalId
    external_id_2: ExternalId
    status: GameStatus
    binds: bool
    improbable: Annotated[bool, "Its facts were improbable, and the person who reported them confirmed them."]
    held: Annotated[bool, "The game has not begun: it waits for a player's list."]
    facts: dict[str, Any] | UnsetType = UNSET
    reported_by: str | UnsetType = UNSET
    counter_facts: dict[str, Any] | UnsetType | None = UNSET
    ruling: Annotated[
        str | UnsetType,
        "Empty, referee, head_referee, or organiser: who has overridden the head referee, or whose word is final where"
        " the ruleset knows none.",
    ] = UNSET
    both_links_of: Annotated[
        str | UnsetType, "Who received the links that both sides used, if they had asked for at least one of them."
    ] = UNSET
    appealed: bool | UnsetType = UNSET
    contest: Annotated[ContestView | UnsetType, "Left out: the game waits for no referee."] = UNSET
    score: ScoreView | UnsetType = UNSET


def seat_view(state: Tournament, round: int, seat: Seat) -> GameView:
    """Return a game as it is in every format: who plays it and where, what was reported, and by whom."""
    result, players = state.results.results.get(seat.game), state.entries.players
    reported = None if seat.kind == "bye" else result
    return GameView(
        id=seat.game,
        round=round,
        kind=seat.kind,
        venue=seat.venue,
        table=seat.table,
        wave=seat.wave,
        player_1=seat.player_1,
        player_2=seat.player_2,
        name_1=players[seat.player_1].name,
        name_2=state.entries.name_of(seat.player_2) if seat.player_2 else "",
        external_id_1=state.entries.external_id_of(seat.player_1),
        external_id_2=state.entries.external_id_of(seat.player_2),
        status=game_status(state, seat),
        binds=is_binding(state, state.rounds.rounds[round], seat),
        improbable=is_improbable(result),
        held=bool(awaited_lists(state, state.rounds.rounds[round], seat)),
        facts=reported.facts if reported else UNSET,
        reported_by=_spoken_by(seat, reported.side) if reported else UNSET,
        counter_facts=reported.counter if reported else UNSET,
        ruling=reported.level if reported else UNSET,
        both_links_of=reported.both_links_of if reported else UNSET,
        appealed=reported.appealed if reported else UNSET,
        contest=_contest(state, seat, reported) if reported else UNSET,
    )


def _contest(state: Tournament, seat: Seat, result: Result) -> ContestView | UnsetType:
    found = result.contest
    if found is None:
        return UNSET
    player = _spoken_by(seat, found.side)
    return ContestView(
        kind="appeal" if found.kind == "appeal" else "dispute",
        player=player,
        name=state.entries.name_of(player),
        reason=found.reason,
        at=found.at,
    )


def _spoken_by(seat: Seat, side: int) -> str:
    """Who has a place in a pairing, from 1; a spare player is in no list of players. 0: the staff."""
    return "staff" if side == 0 else (*seat.players, seat.player_2)[side - 1]


def is_improbable(result: Result | None) -> bool:
    """Whether facts of a game, or those of a dispute, were asked back and stood by: staff may want to look."""
    return result is not None and (result.improbable or result.counter_improbable)


def is_contested(result: Result | None) -> bool:
    """Whether a game waits for a referee: its result is disputed, or its ruling appealed."""
    return result is not None and result.contest is not None


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
        and (query.player is UNSET or query.player in seat.all_players)
        and query.status in (UNSET, game_status(state, seat))
        and query.table in (UNSET, seat.table)
        and query.improbable in (UNSET, is_improbable(result))
        and query.contested in (UNSET, is_contested(result))
        and (query.q is UNSET or any(is_found(state.entries.name_of(one), query.q) for one in seat.all_players))
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
        return Ordered.wrong(said) | exclusive_with_since(said, "after", "around", "limit")
