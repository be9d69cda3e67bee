"""Routes of closing rounds, standings, awards and the end of a tournament; the overlay for video streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import UNSET, UnsetType, structs

from services.scoring.format_views import VIEWS, PendingResults
from services.scoring.handlers import FORMATS, HANDLERS
from services.scoring.rounds import (
    CancelStandingsPublication,
    CloseRound,
    Conclude,
    EnterCoin,
    GiveAward,
    PublishStandings,
    ReopenRound,
    SetPartAside,
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
    changes_since,
    matching_rows,
    not_in_standings,
    standings_file,
    standings_page,
    standings_since,
    with_venue_ranks,
)
from shared.service.game_lists import AtVenue, table_order
from shared.service.routes import CommandBlueprint, Made
from shared.service.views import Appended, TableLabel
from shared.service.wiring import current_part, gateway, gateway_in
from shared.shapes import TOTAL, Id, Number, Query, View, Whole
from shared.tournament.games import GameStatus, is_settled
from shared.tournament.results import AwardGiven
from shared.tournament.rounds import Round, Seat, game_ends_at
from shared.tournament.state import Tournament
from shared.web.auth import caller_or_none
from shared.web.paging import list_version, page_of_order, require_json_for, wants_csv
from shared.web.request import cache_briefly, is_preview, not_modified

_MAX_SHOWN = 50


class OverlayQuery(Query, frozen=True, kw_only=True):
    """Query of the overlay."""

    venue: Annotated[Id | UnsetType, "Include only tables and players of this venue."] = UNSET
    table: Annotated[
        int | UnsetType,
        Whole(1, 100_000),
        "Include only this table. Add `venue` if several venues have a table with this number.",
    ] = UNSET
    top: Annotated[int, Whole(1, _MAX_SHOWN), "Maximum number of tables, and of rows of the standings."] = 8


class OverlayRound(View, frozen=True, kw_only=True):
    """The latest round and its clock."""

    round: int
    stage: str
    status: Literal["paired", "started", "closed"]
    scenario: str
    games: Annotated[int, "The number of games without byes, at the requested venue."]
    open: Annotated[int, "The number of these games without a result that counts."]
    started_at: Annotated[str, "When the round started. Empty: it has not."]
    ends_at: Annotated[str, "When time is called. Empty: the round has not started."]
    hard_stop_at: Annotated[str | None, "When all games must stop. null: no fixed time."]


class OverlayPlayer(View, frozen=True, kw_only=True):
    """A player at a table."""

    player: str
    name: str
    faction: str
    club: str
    rank: Annotated[int | None, "The rank in the current standings. null: not ranked, such as a spare player."]
    values: Annotated[dict[str, Number], "The columns of the standings."]


class OverlayTable(View, frozen=True, kw_only=True):
    """A game of the latest round."""

    game: str
    venue: str
    table: int
    table_label: TableLabel = UNSET
    wave: int
    status: GameStatus
    binds: Annotated[bool, "The result counts in the standings."]
    ends_at: Annotated[str, "When time is called for this game. Empty: the round has not started."]
    score: Annotated[ScoreView | UnsetType, "The score. Absent: no result yet."]
    sides: Annotated[list[list[OverlayPlayer]], "The players of each side."]


class OverlayStandings(View, frozen=True, kw_only=True):
    """The top of the current standings."""

    round: int
    final: bool
    provisional: bool
    columns: list[str]
    words: dict[str, str] | UnsetType
    items: list[RowView]
    total: Annotated[int, TOTAL]


class OverlayView(View, frozen=True, kw_only=True):
    """The data that a video stream shows about a tournament."""

    tournament: str
    name: str
    round: Annotated[OverlayRound | None, "The latest round. null: no round is paired."]
    tables: Annotated[list[OverlayTable], "The games of the latest round in the order of tables, without byes."]
    standings: OverlayStandings


def _overlay_view(
    state: Tournament, order: Order[Place], query: OverlayQuery, game: Callable[[Tournament, int, Seat], GameView]
) -> OverlayView:
    """Return the overlay. order: the current standings. game: returns the view of a game."""
    entries, round = state.entries, state.rounds.latest()
    seats = [] if round is None else [seat for seat in round.seats.values() if query.venue in (UNSET, seat.venue)]
    games = sorted(
        (seat for seat in seats if query.table in (UNSET, seat.table) and seat.kind != "bye"), key=table_order
    )
    at_tables = games[: query.top]
    rows = _rows_by_player(order, {player for seat in at_tables for player in seat.all_players})
    listed_rows = matching_rows(order, state, StandingsQuery(venue=query.venue))
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
            items=order.render(listed_rows[: query.top]),
            total=len(listed_rows),
        ),
    )


def _rows_by_player(order: Order[Place], players: set[str]) -> dict[str, RowView]:
    """Return the rows of some players, by player."""
    places = [place for place, player in enumerate(order.players_of(order.rows)) if player in players]
    return {row.player: row for row in order.render([order.rows[place] for place in places])}


def _round(state: Tournament, round: Round, seats: Sequence[Seat]) -> OverlayRound:
    games = [seat for seat in seats if seat.kind != "bye"]
    venues = {seat.venue for seat in seats}
    clock = round.clock_of(venues.pop()) if len(venues) == 1 else round.clock
    return OverlayRound(
        round=round.number,
        stage=round.stage,
        status="closed" if round.number in state.results.closed else "started" if clock else "paired",
        scenario=round.scenario,
        games=len(games),
        open=sum(not is_settled(state, seat) for seat in games),
        started_at=clock.started_at if clock else "",
        ends_at=clock.ends_at if clock else "",
        hard_stop_at=clock.hard_stop_at if clock else None,
    )


def _table(state: Tournament, round: Round, seat: Seat, game: GameView, rows: dict[str, RowView]) -> OverlayTable:
    return OverlayTable(
        game=seat.game,
        venue=seat.venue,
        table=seat.table,
        table_label=game.table_label,
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
    entry = state.entries.players.get(player)
    return OverlayPlayer(
        player=player,
        name=state.entries.name_of(player),
        faction=entry.faction if entry else "",
        club=entry.club if entry else "",
        rank=row.rank if row else None,
        values=row.values if row else {},
    )


_TOURNAMENT_REFUSALS = ("tournament-unknown", "tournament-over")
_PUBLICATION_REFUSALS = (
    *_TOURNAMENT_REFUSALS,
    "round-not-closed",
    "standings-already-published",
    "other-venue",
    "wrong-format",
)
_SEASON_REFUSALS = ("wrong-format", "tournaments-open", "season-without-results", "tie-undecided", "player-unknown")


blueprint = CommandBlueprint(
    "standings", HANDLERS, description="Standings by round, awards, and the end of a tournament."
)

game_gateway = gateway_in(FORMATS)
prerequisites = current_part(PendingResults)


@blueprint.command(CloseRound, "/tournaments/<id:tournament>/rounds/<number:round>/close", required=False)
@blueprint.may_refuse(
    *_TOURNAMENT_REFUSALS,
    "round-unknown",
    "venue-unknown",
    "part-unknown",
    "round-closed",
    "part-not-aside",
    "round-not-begun",
    "games-open",
    "groups-waiting",
    "bracket-moved-on",
    "other-venue",
    "wrong-format",
)
def close_round(command: CloseRound, tournament: str) -> Appended:
    """Close a round, or its part at one venue, when every game has a result that counts.

    The last part closes the round: this records the standings and their draws.

    A campaign's round closes automatically with the last step of the last group. Close it here after a withdrawal.
    """
    return gateway.run(tournament, command)


@blueprint.command(SetPartAside, "/tournaments/<id:tournament>/rounds/<number:round>/aside")
@blueprint.may_refuse(
    *_TOURNAMENT_REFUSALS,
    "round-unknown",
    "venue-unknown",
    "part-unknown",
    "part-stays",
    "round-closed",
    "other-venue",
    "wrong-format",
)
def set_part_aside(command: SetPartAside, tournament: str) -> Appended:
    """Set the part of a round at a venue aside that cannot be reached.

    The round closes and the other venues go on without it. Its games stay open and the standings provisional. When its
    results are in, close the part: they count as if they had come in time. To decide without them, close it with
    `without`.
    """
    return gateway.run(tournament, command)


@blueprint.command(ReopenRound, "/tournaments/<id:tournament>/rounds/<number:round>/reopening")
@blueprint.may_refuse(
    *_TOURNAMENT_REFUSALS,
    "round-unknown",
    "venue-unknown",
    "part-unknown",
    "round-not-closed",
    "later-round-paired",
    "other-venue",
    "wrong-format",
)
def reopen_round(command: ReopenRound, tournament: str) -> Appended:
    """Reopen the last closed round, or its part at one venue. Not possible after the next round was paired."""
    return gateway.run(tournament, command)


@blueprint.command(PublishStandings, "/tournaments/<id:tournament>/standings/publication", required=False)
@blueprint.may_refuse(*_PUBLICATION_REFUSALS, "publication-past")
def publish_standings(command: PublishStandings, tournament: str) -> Appended:
    """Publish the standings of all closed rounds, now or at a given time.

    Applies to tournaments that hold standings back (`on_purpose`). Until then, only staff see newer standings than the
    last published ones. At the given time, the standings of all rounds closed by then are published. Concluding the
    tournament also publishes them.
    """
    return gateway.run(tournament, command)


@blueprint.command(CancelStandingsPublication, "/tournaments/<id:tournament>/standings/publication/cancellation")
@blueprint.may_refuse(*_PUBLICATION_REFUSALS)
def cancel_standings_publication(command: CancelStandingsPublication, tournament: str) -> Appended:
    """Cancel the scheduled publication of standings."""
    return gateway.run(tournament, command)


@blueprint.command(EnterCoin, "/tournaments/<id:tournament>/rounds/<number:round>/coin")
@blueprint.may_refuse(
    *_TOURNAMENT_REFUSALS,
    "round-unknown",
    "round-not-closed",
    "later-round-paired",
    "coin-not-offered",
    "not-tied",
    "other-venue",
    "wrong-format",
)
def enter_coin(command: EnterCoin, tournament: str) -> Appended:
    """Enter the order of tied players that a coin toss gave, in place of the draw. Records the standings again."""
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
    """Show the current standings or those recorded after a round: complete, in pages, or only the changes."""
    require_json_for(query.since)
    round = None if query.round is UNSET else query.round
    with game_gateway.reading(tournament, venue=query.venue) as loaded:
        if same := not_modified(gateway.version(loaded)):
            return same
        order = VIEWS[loaded.state.entries.format].standings_order(loaded, tournament, round)
        version = list_version(loaded.seen)
        # Ranks of a venue change with rows that are not in an answer of changes, so it is answered whole.
        changed = None if query.venue else changes_since(loaded, order, query)
        if changed is not None:
            return structs.replace(standings_since(loaded, order, query, changed), version=version)
        page = page_of_order(matching_rows(order, loaded.state, query), query, order.players_of, not_in_standings)
        answer = standings_page(order, page)
        if query.venue:
            answer = with_venue_ranks(answer, order, loaded.state, query.venue)
    if wants_csv():
        return standings_file(answer, page.headers)
    if query.since is not UNSET:
        answer = structs.replace(answer, since=None, gone=[], ranks={})
    return structs.replace(answer, version=version), 200, page.headers


@blueprint.get("/tournaments/<id:tournament>/standings/<id:player>")
@blueprint.response(200, ExplainedView)
@blueprint.may_refuse("tournament-unknown", "player-unknown", "wrong-format")
def explain_rank(tournament: str, player: str) -> ExplainedView:
    """Explain the values of a player: the games that each value comes from, and its clause."""
    with game_gateway.reading(tournament) as loaded:
        about = partial(gateway.events_about, tournament)
        return VIEWS[loaded.state.entries.format].explain_rank(loaded, player, about)


@blueprint.get("/tournaments/<id:tournament>/overlay")
@blueprint.arguments(OverlayQuery, location="query")
@blueprint.response(200, OverlayView)
@blueprint.versioned
@blueprint.may_refuse("tournament-unknown", "venue-unknown", "wrong-format")
def show_overlay(query: OverlayQuery, tournament: str) -> Any:
    """Show the data for a video overlay: the round and its clock, the tables, the top of the standings."""
    with game_gateway.reading(tournament, venue=query.venue) as loaded:
        cached = cache_briefly(loaded.state.entries.visibility == "public" and caller_or_none() is None)
        if same := not_modified(gateway.version(loaded)):
            same.headers.update(cached)
            return same
        views = VIEWS[loaded.state.entries.format]
        order = views.standings_order(loaded, tournament, None)
        return _overlay_view(loaded.state, order, query, views.game_view), 200, cached


@blueprint.get("/tournaments/<id:tournament>/awards")
@blueprint.arguments(AtVenue, location="query")
@blueprint.response(200, AwardsView)
@blueprint.may_refuse("tournament-unknown", "venue-unknown")
def list_awards(query: AtVenue, tournament: str) -> AwardsView:
    """List the awards, with `venue` those of its players. They do not affect ranks."""
    with gateway.reading(tournament, venue=query.venue) as loaded:
        entries, awards = loaded.state.entries, loaded.state.results.awards.values()
        return AwardsView(
            items=[
                AwardView(
                    id=award.id,
                    name=award.name,
                    player=award.player,
                    winner=entries.name_of(award.player),
                    reason=award.reason,
                )
                for award in awards
                if entries.plays_at(award.player, query.venue)
            ]
        )


@blueprint.command(GiveAward, "/tournaments/<id:tournament>/awards", makes=Made((AwardGiven,), "award"))
@blueprint.may_refuse(*_TOURNAMENT_REFUSALS, "player-unknown")
def give_award(command: GiveAward, tournament: str) -> Appended:
    """Give an award. It does not affect the standings."""
    return gateway.run(tournament, command)


@blueprint.command(WithdrawAward, "/tournaments/<id:tournament>/awards/<id:award>/withdrawal")
@blueprint.may_refuse(*_TOURNAMENT_REFUSALS, "award-unknown")
def withdraw_award(command: WithdrawAward, tournament: str) -> Appended:
    """Withdraw an award."""
    return gateway.run(tournament, command)


@blueprint.command(Conclude, "/tournaments/<id:tournament>/conclusion")
@blueprint.may_refuse(
    *_TOURNAMENT_REFUSALS, "round-not-closed", "rounds-remain", "sessions-open", "bracket-moved-on", *_SEASON_REFUSALS
)
def conclude_tournament(command: Conclude, tournament: str) -> Appended:
    """Conclude the tournament. The standings are then final, and the player in first place has won."""
    with gateway.reading(tournament):
        pass
    if is_preview():
        return gateway.run(tournament, command, preceding=prerequisites.foreseen(tournament))
    prerequisites.take(tournament)
    return gateway.run(tournament, command)
