"""Routes of closing rounds, standings, awards and the end; the overlay for streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, structs

from services.scoring.format_views import VIEWS, TakenFirst
from services.scoring.handlers import FORMATS, HANDLERS
from services.scoring.rounds import (
    CancelStandingsPublication,
    CloseRound,
    Conclude,
    EnterCoin,
    GiveAward,
    PublishStandings,
    ReopenRound,
    WithdrawAward,
)
from services.scoring.views_games import GameView, ScoreView, StandingsQuery
from services.scoring.views_standings import (
    AwardsView,
    AwardView,
    ExplainedView,
    Order,
    Place,
    RowView,
    StandingsView,
    not_in_standings,
    noted,
    rows_wanted,
    standings_file,
    standings_shown,
    standings_since,
)
from shared.service.game_lists import table_order
from shared.service.routes import CommandBlueprint, Made
from shared.service.views import Appended
from shared.service.wiring import current_part, gateway, gateway_in
from shared.shapes import TOTAL, Id, Number, Query, View, Whole
from shared.tournament.games import GameStatus, is_settled
from shared.tournament.guards import require_venue
from shared.tournament.results import AwardGiven
from shared.tournament.rounds import Round, Seat, game_ends_at, hard_stop_at
from shared.tournament.state import Tournament
from shared.web.auth import caller_or_none
from shared.web.paging import list_version, page_of_order, require_json_for, wants_csv
from shared.web.request import cache_briefly, is_preview, not_modified

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
    require_venue(entries, query.venue)
    seats = [] if round is None else [seat for seat in round.seats.values() if query.venue in (UNSET, seat.venue)]
    there = sorted(
        (seat for seat in seats if query.table in (UNSET, seat.table) and seat.kind != "bye"), key=table_order
    )
    at_tables = there[: query.top]
    rows = rows_of(order, {player for seat in at_tables for player in seat.all_players})
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
        hard_stop_at=hard_stop_at(round) if round.ends_at else None,
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
        ends_at=game_ends_at(round, seat.game),
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


OVER = ("tournament-unknown", "tournament-over")
KEPT_BACK = (*OVER, "round-not-closed", "standings-already-published", "other-venue", "wrong-format")
ENDING_A_SEASON = ("wrong-format", "tournaments-open", "season-without-results", "tie-undecided", "player-unknown")


blueprint = CommandBlueprint("standings", HANDLERS, description="Standings per round and final, awards, the end.")

played = gateway_in(FORMATS)
first = current_part(TakenFirst)


@blueprint.command(CloseRound, "/tournaments/<id:tournament>/rounds/<number:round>/close")
@blueprint.may_refuse(
    *OVER,
    "round-unknown",
    "round-not-begun",
    "games-open",
    "groups-waiting",
    "bracket-moved-on",
    "other-venue",
    "wrong-format",
)
def close_round(command: CloseRound, tournament: str) -> Appended:
    """Close a round once every game has a result that counts; the standings and their draws are recorded.

    A campaign's round closes by itself with the last step of the last group; after a withdrawal, close it here.
    """
    return gateway.run(tournament, command)


@blueprint.command(ReopenRound, "/tournaments/<id:tournament>/rounds/<number:round>/reopening")
@blueprint.may_refuse(*OVER, "round-unknown", "round-not-closed", "later-round-paired", "other-venue", "wrong-format")
def reopen_round(command: ReopenRound, tournament: str) -> Appended:
    """Reopen the last closed round, as long as no round was paired from its standings."""
    return gateway.run(tournament, command)


@blueprint.command(PublishStandings, "/tournaments/<id:tournament>/standings/publication", required=False)
@blueprint.may_refuse(*KEPT_BACK, "publication-past")
def publish_standings(command: PublishStandings, tournament: str) -> Appended:
    """Show the standings of all closed rounds to everybody, now or at a time set, where the tournament keeps them back.

    `on_purpose` of the tournament says so. Until then everybody but staff sees those that were published last. At the
    time set the service shows those of all rounds that are closed then. A conclusion publishes them, too.
    """
    return gateway.run(tournament, command)


@blueprint.command(CancelStandingsPublication, "/tournaments/<id:tournament>/standings/publication/cancellation")
@blueprint.may_refuse(*KEPT_BACK)
def cancel_standings_publication(command: CancelStandingsPublication, tournament: str) -> Appended:
    """Keep standings back although a time is set for them."""
    return gateway.run(tournament, command)


@blueprint.command(EnterCoin, "/tournaments/<id:tournament>/rounds/<number:round>/coin")
@blueprint.may_refuse(
    *OVER,
    "round-unknown",
    "round-not-closed",
    "later-round-paired",
    "coin-not-offered",
    "not-tied",
    "other-venue",
    "wrong-format",
)
def enter_coin(command: EnterCoin, tournament: str) -> Appended:
    """Enter the order that a coin toss gave to tied players, in place of the draw; the standings are recorded again."""
    return gateway.run(tournament, command)


@blueprint.get("/tournaments/<id:tournament>/standings")
@blueprint.arguments(StandingsQuery, location="query")
@blueprint.response(200, StandingsView)
@blueprint.csv_too
@blueprint.versioned
@blueprint.may_refuse(
    *("tournament-unknown", "round-unknown", "round-not-closed", "wrong-format", "player-unknown", "venue-unknown"),
    "invalid-cursor",
)
def show_standings(query: StandingsQuery, tournament: str) -> Any:
    """Show the current standings, or those recorded after a round: whole, in pages, or what has changed."""
    require_json_for(query.since)
    round = None if query.round is UNSET else query.round
    with played.reading(tournament) as loaded:
        require_venue(loaded.state.entries, query.venue)
        if same := not_modified(gateway.version(loaded)):
            return same
        order = VIEWS[loaded.state.entries.format].standings_order(loaded, tournament, round)
        version, changed = list_version(loaded.seen), noted(loaded, order, query)
        if changed is not None:
            return structs.replace(standings_since(loaded, order, query, changed), version=version)
        found = page_of_order(rows_wanted(order, loaded.state, query), query, order.players, not_in_standings)
        shown = standings_shown(order, found)
    if wants_csv():
        return standings_file(shown, found.headers)
    if query.since is not UNSET:
        shown = structs.replace(shown, since=None, gone=[], ranks={})
    return structs.replace(shown, version=version), 200, found.headers


@blueprint.get("/tournaments/<id:tournament>/standings/<id:player>")
@blueprint.response(200, ExplainedView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "wrong-format")
def explain_rank(tournament: str, player: str) -> ExplainedView:
    """Explain a player's values: the games that each value comes from, and its clause."""
    with played.reading(tournament) as loaded:
        about = partial(gateway.events_about, tournament)
        return VIEWS[loaded.state.entries.format].rank_explained(loaded, player, about)


@blueprint.get("/tournaments/<id:tournament>/overlay")
@blueprint.arguments(OverlayQuery, location="query")
@blueprint.response(200, OverlayView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "wrong-format")
def show_overlay(query: OverlayQuery, tournament: str) -> Any:
    """Show what a stream has beside its picture: the round with its clock, the tables, the head of the standings."""
    with played.reading(tournament) as loaded:
        cached = cache_briefly(loaded.state.entries.visibility == "public" and caller_or_none() is None)
        if same := not_modified(gateway.version(loaded)):
            same.headers.update(cached)
            return same
        views = VIEWS[loaded.state.entries.format]
        order = views.standings_order(loaded, tournament, None)
        return overlay_view(loaded.state, order, query, views.game_view), 200, cached


@blueprint.get("/tournaments/<id:tournament>/awards")
@blueprint.response(200, AwardsView)
@blueprint.may_refuse("tournament-unknown")
def list_awards(tournament: str) -> AwardsView:
    """List awards; they never move a rank."""
    with gateway.reading(tournament) as loaded:
        awards = loaded.state.results.awards.values()
        return AwardsView(
            items=[AwardView(id=one.id, name=one.name, player=one.player, reason=one.reason) for one in awards]
        )


@blueprint.command(GiveAward, "/tournaments/<id:tournament>/awards", makes=Made((AwardGiven,), "award"))
@blueprint.may_refuse(*OVER, "player-unknown")
def give_award(command: GiveAward, tournament: str) -> Appended:
    """Give an award; it does not change the standings."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawAward, "/tournaments/<id:tournament>/awards/<id:award>/withdrawal")
@blueprint.may_refuse(*OVER, "award-unknown")
def withdraw_award(command: WithdrawAward, tournament: str) -> Appended:
    """Take an award back."""
    return gateway.run(tournament, command)


@blueprint.command(Conclude, "/tournaments/<id:tournament>/conclusion")
@blueprint.may_refuse(*OVER, "round-not-closed", "rounds-remain", "sessions-open", "bracket-moved-on", *ENDING_A_SEASON)
def conclude_tournament(command: Conclude, tournament: str) -> Appended:
    """Conclude the tournament: the standings are final, and the player on top of them has won."""
    with gateway.reading(tournament):
        pass
    if is_preview():
        return gateway.run(tournament, command, preceding=first.foreseen(tournament))
    first.take(tournament)
    return gateway.run(tournament, command)
