"""Views of games for all formats, and the queries of games and standings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from shared.names import matches_words
from shared.refusals import Expected, expects
from shared.service.game_lists import OrderOfGames, SomebodysName, table_order
from shared.service.views import AskedSince, ExternalId, TableLabel
from shared.shapes import Check, Documented, Id, Name, View, Whole
from shared.tournament.games import GameStatus, awaited_lists, game_status, is_binding
from shared.tournament.results import Result
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Ordered, Paged, exclusive_with_since


class ScoreView(View, frozen=True, kw_only=True):
    """The score of a game: outcome and values of each side."""

    outcome_1: str
    outcome_2: str | None
    values_1: dict[str, int]
    values_2: dict[str, int]


class ContestView(View, frozen=True, kw_only=True):
    """The dispute or appeal that a referee has to decide."""

    kind: Literal["dispute", "appeal"]
    player: Annotated[str, "The id of the player who disputes or appeals."]
    name: str
    reason: str
    at: Annotated[str, "When the dispute or appeal was made; RFC 3339, UTC."]


class GameView(View, frozen=True, kw_only=True):
    """A game with its result. Formats add members."""

    id: str
    round: int
    kind: str
    venue: str
    table: Annotated[int, "The table number. 0: no table."]
    table_label: TableLabel = UNSET
    wave: Annotated[int, "1: the game starts with the round. 2: it is the second game at its table, and so on."]
    player_1: str
    player_2: str
    name_1: str
    name_2: str
    external_id_1: ExternalId
    external_id_2: ExternalId
    status: GameStatus
    binds: bool
    improbable: Annotated[bool, "The facts are improbable, and the reporter confirmed them."]
    held: Annotated[bool, "The game cannot start: it waits for a player's list."]
    facts: dict[str, Any] | UnsetType = UNSET
    reported_by: str | UnsetType = UNSET
    reported_at: Annotated[
        str | UnsetType,
        "When its result was first reported or ruled; RFC 3339, UTC. A correction does not change it.",
    ] = UNSET
    report: Annotated[
        int | UnsetType,
        "The report that waits for an answer, by its position in the log of scoring. Send it with the confirmation."
        " Absent: no report waits.",
    ] = UNSET
    counter_facts: dict[str, Any] | UnsetType | None = UNSET
    ruling: Annotated[
        str | UnsetType,
        "The level of the ruling: `referee`, `head_referee` or `organiser` (an override, or the final word if the"
        " ruleset has no head referee). Empty: no ruling.",
    ] = UNSET
    both_links_of: Annotated[
        str | UnsetType, "The id of the person who received the links of both sides and requested at least one of them."
    ] = UNSET
    appealed: bool | UnsetType = UNSET
    contest: Annotated[ContestView | UnsetType, "Absent: no dispute or appeal is open."] = UNSET
    score: ScoreView | UnsetType = UNSET


def seat_view(state: Tournament, round: int, seat: Seat) -> GameView:
    """Return the members of a game that all formats share."""
    result, players = state.results.results.get(seat.game), state.entries.players
    reported = None if seat.kind == "bye" else result
    return GameView(
        id=seat.game,
        round=round,
        kind=seat.kind,
        venue=seat.venue,
        table=seat.table,
        table_label=state.entries.table_label(seat.venue, seat.table) or UNSET,
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
        reported_by=_player_at(seat, reported.side) if reported else UNSET,
        reported_at=reported.first_reported_at if reported else UNSET,
        report=reported.report if reported and reported.status == "reported" else UNSET,
        counter_facts=reported.counter if reported else UNSET,
        ruling=reported.level if reported else UNSET,
        both_links_of=reported.both_links_of if reported else UNSET,
        appealed=reported.appealed if reported else UNSET,
        contest=_contest(state, seat, reported) if reported else UNSET,
    )


def _contest(state: Tournament, seat: Seat, result: Result) -> ContestView | UnsetType:
    contest = result.contest
    if contest is None:
        return UNSET
    player = _player_at(seat, contest.side)
    return ContestView(
        kind="appeal" if contest.kind == "appeal" else "dispute",
        player=player,
        name=state.entries.name_of(player),
        reason=contest.reason,
        at=contest.at,
    )


def _player_at(seat: Seat, side: int) -> str:
    """Return the player at a place of a pairing, from 1; `staff` for 0."""
    return "staff" if side == 0 else (*seat.players, seat.player_2)[side - 1]


def is_improbable(result: Result | None) -> bool:
    """Return True if the facts of a result or of its dispute are improbable."""
    return result is not None and (result.improbable or result.counter_improbable)


def is_contested(result: Result | None) -> bool:
    """Return True if a dispute or an appeal is open."""
    return result is not None and result.contest is not None


MAX_ROUNDS = 1000
MAX_TABLE = 10_000
"""The highest table number."""
ALL = "all"


def _expected_round(value: str) -> Expected | None:
    is_valid = value == ALL or (value.isascii() and value.isdecimal() and 1 <= int(value[:9]) <= MAX_ROUNDS)
    return None if is_valid else expects("round-or-all", most=MAX_ROUNDS)


class GamesQuery(Paged, frozen=True, kw_only=True):
    """Query of games."""

    round: Annotated[
        str | UnsetType,
        Check(_expected_round),
        Documented({"pattern": "^(all|[1-9][0-9]*)$"}),
        "The round, from 1 to 1000, or `all`. Absent: the latest round.",
    ] = UNSET
    status: Annotated[GameStatus | UnsetType, "Include only games with this status."] = UNSET
    venue: Annotated[Id | UnsetType, "Include only games at this venue."] = UNSET
    table: Annotated[int | UnsetType, Whole(1, MAX_TABLE), "Include only games at tables with this number."] = UNSET
    player: Annotated[Id | UnsetType, "Include only games of this player."] = UNSET
    q: SomebodysName = UNSET
    sort: OrderOfGames = "pairing"
    improbable: Annotated[
        bool | UnsetType, "true: include only games with improbable facts. false: only the others."
    ] = UNSET
    contested: Annotated[
        bool | UnsetType, "true: include only games with an open dispute or appeal. false: only the others."
    ] = UNSET
    since: AskedSince = UNSET


def matches_query(state: Tournament, seat: Seat, query: GamesQuery) -> bool:
    """Return True if a game or bye matches the filters of a query."""
    result = state.results.results.get(seat.game)
    return (
        query.venue in (UNSET, seat.venue)
        and (query.player is UNSET or query.player in seat.all_players)
        and query.status in (UNSET, game_status(state, seat))
        and query.table in (UNSET, seat.table)
        and query.improbable in (UNSET, is_improbable(result))
        and query.contested in (UNSET, is_contested(result))
        and (
            query.q is UNSET
            or any(matches_words(state.entries.name_of(player), query.q) for player in seat.all_players)
        )
    )


def _pairing_key(round: int, index: int, seat: Seat) -> tuple[int | str, ...]:
    return round, index


def _table_key(round: int, index: int, seat: Seat) -> tuple[int | str, ...]:
    return round, *table_order(seat), index


GAME_ORDERS: Mapping[str, tuple[tuple[type[int] | type[str], ...], Callable[[int, int, Seat], tuple[Any, ...]]]] = {
    "pairing": ((int, int), _pairing_key),
    "table": ((int, int, str, int, int, int), _table_key),
}
"""Sort order -> the types in its cursors, and the sort key by (round, index of the pairing, pairing)."""


class StandingsQuery(Ordered, frozen=True, kw_only=True):
    """Query of standings. Ranks are always those of the complete standings."""

    round: Annotated[
        int | UnsetType,
        Whole(1, MAX_ROUNDS),
        "Return the standings recorded after this round. Absent: the current standings.",
    ] = UNSET
    venue: Annotated[Id | UnsetType, "Include only players of this venue."] = UNSET
    status: Annotated[
        Literal["active", "dropped", "disqualified"] | UnsetType,
        "Include only players with this status in the standings.",
    ] = UNSET
    q: Annotated[
        str | UnsetType, Name(), "Include only players whose name contains each of these words. Accents are ignored."
    ] = UNSET
    sort: Annotated[Literal["rank", "name"], "The order of rows. `name` ignores case and accents."] = "rank"
    since: AskedSince = UNSET

    @staticmethod
    def wrong(values: Any) -> dict[str, Expected]:
        """Return the faults: changes are not paged."""
        return Ordered.wrong(values) | exclusive_with_since(values, "after", "around", "limit")
