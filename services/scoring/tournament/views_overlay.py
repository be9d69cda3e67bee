"""What a stream shows beside its picture: the round with its clock, the tables, the head of the standings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType

from services.scoring.tournament.routes.queries import StandingsQuery
from services.scoring.tournament.views import GameView, ScoreView
from services.scoring.tournament.views_order import rows_wanted
from services.scoring.tournament.views_standings import Order, Place, RowView
from shared.service.game_lists import table_order
from shared.shapes import TOTAL, Id, Number, Query, View, Whole
from shared.tournament.games import GameStatus, is_settled
from shared.tournament.guards import need_venue
from shared.tournament.rounds import Round, Seat, end_of, hard_stop_of
from shared.tournament.state import Tournament

MOST_SHOWN = 50


class OverlayQuery(Query, frozen=True, kw_only=True):
    """Of which place, and how much."""

    venue: Annotated[Id | UnsetType, "Only tables and players of this venue."] = UNSET
    table: Annotated[
        int | UnsetType, Whole(1, 100_000), "Only this table; where several venues have it, say which."
    ] = UNSET
    top: Annotated[int, Whole(1, MOST_SHOWN), "The most tables, and the most rows of the standings."] = 8


class OverlayRound(View, frozen=True, kw_only=True):
    """The latest round with its clock; a stream counts down by itself."""

    round: int
    stage: str
    status: Literal["paired", "started", "closed"]
    scenario: str
    games: Annotated[int, "Without byes; of this venue where one is asked for."]
    open: Annotated[int, "Of those: games whose result does not count yet, or is missing."]
    started_at: Annotated[str, "Empty before the start."]
    ends_at: Annotated[str, "When time is called; empty before the start."]
    hard_stop_at: Annotated[str | None, "When every game ends, whatever is in progress; null: at no set time."]


class OverlayPlayer(View, frozen=True, kw_only=True):
    """Somebody at a table."""

    player: str
    name: str
    faction: str
    club: str
    rank: Annotated[int | None, "Of the present standings; null: not in them, as a spare player."]
    values: Annotated[dict[str, Number], "The columns of the standings."]


class OverlayTable(View, frozen=True, kw_only=True):
    """A game of the round: who plays it, and how far it is."""

    game: str
    venue: str
    table: int
    wave: int
    status: GameStatus
    binds: Annotated[bool, "Whether standings count its result as it is."]
    ends_at: Annotated[str, "When time is called for this game; empty before the start."]
    score: Annotated[ScoreView | UnsetType, "What the ruleset makes of the result, once there is one."]
    sides: Annotated[list[list[OverlayPlayer]], "Who plays, side by side; of a game of two there is one on each."]


class OverlayStandings(View, frozen=True, kw_only=True):
    """The head of the present standings; ranks are those of the whole."""

    round: int
    final: bool
    provisional: bool
    columns: list[str]
    words: dict[str, str] | UnsetType
    items: list[RowView]
    total: Annotated[int, TOTAL]


class OverlayView(View, frozen=True, kw_only=True):
    """What a stream shows beside its picture."""

    tournament: str
    name: str
    round: Annotated[OverlayRound | None, "The latest; null: none is paired."]
    tables: Annotated[list[OverlayTable], "Of that round, in the order of tables; byes are at no table."]
    standings: OverlayStandings


def overlay_view(
    state: Tournament, order: Order[Place], query: OverlayQuery, game: Callable[[Tournament, int, Seat], GameView]
) -> OverlayView:
    """The overlay of the tables and players that are asked for. order: the present standings; game: how a game of the
    format is shown. Raises UnknownVenue."""
    entries, round = state.entries, state.rounds.latest()
    need_venue(entries, query.venue)
    seats = [] if round is None else [seat for seat in round.seats.values() if query.venue in (UNSET, seat.venue)]
    there = sorted(
        (seat for seat in seats if query.table in (UNSET, seat.table) and seat.kind != "bye"), key=table_order
    )
    at_tables = there[: query.top]
    rows = rows_of(order, {player for seat in at_tables for player in seat.everybody})
    wanted = rows_wanted(order, state, StandingsQuery(venue=query.venue))
    about = order.about
    return OverlayView(
        tournament=about.tournament,
        name=entries.name,
        round=None if round is None else _round(state, round, seats),
        tables=[]
        if round is None
        else [_table(state, round, seat, game(state, round.number, seat), rows) for seat in at_tables],
        standings=OverlayStandings(
            round=about.round,
            final=about.final,
            provisional=about.provisional,
            columns=about.columns,
            words=about.words,
            items=order.shown(wanted[: query.top]),
            total=len(wanted),
        ),
    )


def rows_of(order: Order[Place], players: set[str]) -> dict[str, RowView]:
    """The rows of some players."""
    places = [place for place, player in enumerate(order.players(order.rows)) if player in players]
    return {row.player: row for row in order.shown([order.rows[place] for place in places])}


def _round(state: Tournament, round: Round, seats: Iterable[Seat]) -> OverlayRound:
    games = [seat for seat in seats if seat.kind != "bye"]
    begun = round.status == "started"
    return OverlayRound(
        round=round.number,
        stage=round.stage,
        status="closed" if round.number in state.results.closed else "started" if begun else "paired",
        scenario=round.scenario,
        games=len(games),
        open=sum(not is_settled(state, seat) for seat in games),
        started_at=round.started_at,
        ends_at=round.ends_at,
        hard_stop_at=hard_stop_of(round) if round.ends_at else None,
    )


def _table(state: Tournament, round: Round, seat: Seat, game: GameView, rows: dict[str, RowView]) -> OverlayTable:
    return OverlayTable(
        game=seat.game,
        venue=seat.venue,
        table=seat.table,
        wave=seat.wave,
        status=game.status,
        binds=game.binds,
        score=game.score,
        ends_at=end_of(round, seat.game),
        sides=[[_player(state, player, rows.get(player)) for player in side] for side in _sides(seat)],
    )


def _sides(seat: Seat) -> Iterator[list[str]]:
    yield from seat.sides or ([seat.player_1], [seat.player_2])


def _player(state: Tournament, player: str, row: RowView | None) -> OverlayPlayer:
    known = state.entries.players.get(player)
    return OverlayPlayer(
        player=player,
        name=state.entries.name_of(player),
        faction=known.faction if known else "",
        club=known.club if known else "",
        rank=row.rank if row else None,
        values=row.values if row else {},
    )
