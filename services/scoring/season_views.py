"""Views of a season: standings and their explanation, results, divisions, the final."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from services.scoring.guards import PlayerUnknown
from services.scoring.season_results import CutMissing
from shared.log.event import actor_text
from shared.refusals import Fault, expects
from shared.rules.model import as_json, as_value
from shared.season.ending import moves_of
from shared.season.entries import SEASON_ENTRIES, season_of
from shared.season.ranking import recorded_rows, same_standings, table_of
from shared.season.ruleset import SeasonTable, ShownRating
from shared.season.state import SEASON, ChangedBy, LogEnd, RatingShown, RecordedTable, ResultCounted, SeasonRowRecorded
from shared.season.table import Neighbour, explain
from shared.service.state import LoadedAggregate
from shared.service.views import ActorView, ExternalId, HeadView, actor_view
from shared.shapes import TOTAL, Number, View
from shared.tournament.state import Tournament
from shared.web.paging import OrderPage

Exact = Annotated[int | str, 'A whole number, or an exact fraction "p/q".']


class SeasonResultView(View, frozen=True, kw_only=True):
    """The result of a player in one tournament. reason: why it does not count; empty: it counts."""

    tournament: str
    entry: str
    place: int
    field: int
    points: Exact
    weight: Annotated[int, "The weight in percent."]
    reason: str


class SeasonRatingView(View, frozen=True, kw_only=True):
    """The rating of a player. deviation, volatility: empty if the system has none."""

    rating: str
    games: int
    deviation: str
    volatility: str


class SeasonRowView(View, frozen=True, kw_only=True):
    """A row of the standings. was: the previous rank, if it changed; 0: new in the standings."""

    rank: int
    overall: Annotated[int, "The rank over all divisions."]
    player: str
    name: str
    external_id: ExternalId
    division: str
    points: Exact
    values: dict[str, Number]
    tied: bool
    attended: int
    listed_last: bool
    barred: Annotated[list[str], "The reasons why the player is not eligible. Empty: eligible."]
    status: str
    rating: SeasonRatingView | None
    results: list[SeasonResultView]
    was: int | None


class SeasonCauseView(View, frozen=True, kw_only=True):
    """A tournament whose results changed the standings."""

    tournament: str
    reason: str


class SeasonStandingsView(View, frozen=True, kw_only=True):
    """The standings of a season.

    number: 0 before the first results. provisional: not recorded yet; the recorded standings may still differ.
    """

    tournament: str
    number: int
    time: str
    final: bool
    provisional: bool
    columns: list[str]
    causes: list[SeasonCauseView]
    items: list[SeasonRowView]
    next: Annotated[str | None, "The cursor of the next page. null: this is the last page, or no page was requested."]
    total: Annotated[int, TOTAL]


class ChangedByView(View, frozen=True, kw_only=True):
    """An event that changed the results of a tournament after they had been taken."""

    id: str
    type: str
    time: str
    actor: ActorView
    actor_text: Annotated[str, "The actor as text, such as `p1, player`."]
    reason: str


class TakenView(View, frozen=True, kw_only=True):
    """A tournament whose results were taken. heads: the ends of its logs at that time."""

    tournament: str
    name: str
    reason: Annotated[str, "`concluded` or `corrected`."]
    heads: dict[str, HeadView]
    causes: list[ChangedByView]


class ResultsTakenView(TakenView, frozen=True, kw_only=True):
    """The results that a season has taken from a tournament."""

    time: str
    told: Annotated[bool, "The results came after the end of the season and do not change its standings."]
    entries: int


class ResultsView(View, frozen=True, kw_only=True):
    """The tournaments whose results were taken, in the order of the season."""

    items: list[ResultsTakenView]
    waiting: Annotated[list[str], "The ids of gathered tournaments without results."]


def table_now(loaded: LoadedAggregate) -> SeasonTable:
    """Return the current table of a season; cached until the state changes."""
    return loaded.derived("season table", lambda: table_of(loaded.state))


def rows_of(state: Tournament, recorded: RecordedTable | None = None) -> Sequence[SeasonRowRecorded]:
    """Return all rows of given standings, or of the latest recorded ones."""
    table = recorded or SEASON.of(state).table
    return table.rows if table else []


def standings_view(
    loaded: LoadedAggregate, tournament: str, page: OrderPage[SeasonRowRecorded], recorded: RecordedTable | None = None
) -> SeasonStandingsView:
    """Return a page of given standings, or of the latest recorded ones."""
    state = loaded.state
    table = recorded or SEASON.of(state).table
    rows = rows_of(state, recorded)

    def current() -> bool:
        return same_standings(recorded_rows(table_now(loaded), None), rows)

    return SeasonStandingsView(
        tournament=tournament,
        number=table.number if table else 0,
        time=table.time if table else "",
        final=state.results.concluded and recorded is None,
        provisional=recorded is None and (loaded.foreseen or not loaded.derived("season current", current)),
        columns=list(season_of(state.entries).columns),
        causes=[
            SeasonCauseView(tournament=cause.tournament, reason=cause.reason)
            for cause in (table.causes if table else ())
        ],
        items=rows_view(state, page.items),
        next=page.next,
        total=page.total,
    )


def rows_view(state: Tournament, rows: Sequence[SeasonRowRecorded]) -> list[SeasonRowView]:
    """Return the views of rows."""
    players = state.entries.players
    no_values: dict[str, Number] = dict.fromkeys(season_of(state.entries).columns, "")
    return [
        SeasonRowView(
            rank=row.rank,
            overall=row.overall,
            player=row.player,
            name=players[row.player].name,
            external_id=state.entries.external_id_of(row.player),
            division=row.division,
            points=row.points,
            values={**no_values, **{name: as_json(as_value(value)) for name, value in row.values.items()}},
            tied=row.tied,
            attended=row.attended,
            listed_last=row.listed_last,
            barred=row.barred,
            status=row.status,
            rating=rating_view(row.rating),
            results=[_result_view(result) for result in row.results],
            was=row.was,
        )
        for row in rows
    ]


def _result_view(result: ResultCounted) -> SeasonResultView:
    return SeasonResultView(
        tournament=result.tournament,
        entry=result.entry,
        place=result.place,
        field=result.field,
        points=result.points,
        weight=result.weight,
        reason=result.reason,
    )


def rating_view(rating: RatingShown | ShownRating | None) -> SeasonRatingView | None:
    """Return the view of a rating, if there is one."""
    if rating is None:
        return None
    return SeasonRatingView(
        rating=rating.rating, games=rating.games, deviation=rating.deviation, volatility=rating.volatility
    )


def heads_view(ends: Iterable[LogEnd]) -> dict[str, HeadView]:
    """Return the ends of logs by source."""
    return {end.source: HeadView(position=end.position, hash=end.hash) for end in ends}


def changed_by_view(cause: ChangedBy) -> ChangedByView:
    """Return the view of an event that changed results."""
    return ChangedByView(
        id=cause.id,
        type=cause.type,
        time=cause.time,
        actor=actor_view(cause.actor),
        actor_text=actor_text(cause.actor),
        reason=cause.reason,
    )


def results_view(state: Tournament) -> ResultsView:
    """Return the tournaments with results, and those still missing."""
    order, season = SEASON_ENTRIES.of(state).in_order(), SEASON.of(state)
    items = [
        ResultsTakenView(
            tournament=taken.tournament,
            name=gathered.name,
            reason=taken.reason,
            heads=heads_view(taken.heads.values()),
            causes=[changed_by_view(cause) for cause in taken.causes],
            time=taken.time,
            told=told,
            entries=len(taken.rows),
        )
        for gathered in order
        for told, results in ((False, season.taken), (True, season.told))
        if (taken := results.get(gathered.tournament)) is not None
    ]
    waiting = [gathered.tournament for gathered in order if gathered.tournament not in season.taken]
    return ResultsView(items=items, waiting=waiting)


class SeasonResultExplained(View, frozen=True, kw_only=True):
    """A result with its exact points, and the clause by which it counts or not."""

    tournament: str
    name: str
    place: int
    field: int
    points: str
    weight: int
    reason: str
    clause: str


class SeasonValueExplained(View, frozen=True, kw_only=True):
    """An exact value of the ranking with its clause."""

    column: str
    value: str
    clause: str


class NeighbourExplained(View, frozen=True, kw_only=True):
    """The previous or next player. column: the separating criterion; empty: they are tied."""

    player: str
    name: str
    rank: int
    column: str
    own: str
    theirs: str
    clause: str


class BarredView(View, frozen=True, kw_only=True):
    """A reason why a player is not eligible, with its clause."""

    reason: str
    clause: str


class SeasonRankExplained(View, frozen=True, kw_only=True):
    """The explanation of a rank."""

    player: str
    name: str
    rank: int
    division: str
    tied: bool
    listed_last: bool
    results: list[SeasonResultExplained]
    values: list[SeasonValueExplained]
    above: NeighbourExplained | None
    below: NeighbourExplained | None
    barred: list[BarredView]
    rating: SeasonRatingView | None


def member_of(state: Tournament, player: str) -> str:
    """Return the current identity of a player of the season. Raises PlayerUnknown."""
    if player not in state.entries.players:
        fault = Fault("/player", player, expects("player-of-season"))
        raise PlayerUnknown(f"No player of this season has the id {player}.", [fault])
    return SEASON_ENTRIES.of(state).identity(player)


def explain_rank(loaded: LoadedAggregate, player: str) -> SeasonRankExplained:
    """Return the explanation of a rank. Raises PlayerUnknown."""
    state = loaded.state
    member = member_of(state, player)
    table = table_now(loaded)
    if table.row(member) is None:
        entry = state.entries.players[member]
        fault = Fault("/player", player, expects("player-of-standings"))
        raise PlayerUnknown(f"{entry.name} is {entry.status}, and not in the standings.", [fault])
    explained = explain(season_of(state.entries), table, member)
    players, gathered = state.entries.players, SEASON_ENTRIES.of(state).gathered
    return SeasonRankExplained(
        player=explained.player,
        name=players[member].name,
        rank=explained.rank,
        division=explained.division,
        tied=explained.tied,
        listed_last=explained.listed_last,
        results=[
            SeasonResultExplained(
                tournament=result.tournament,
                name=gathered[result.tournament].name,
                place=result.place,
                field=result.field,
                points=result.points,
                weight=result.weight,
                reason=result.reason,
                clause=result.clause,
            )
            for result in explained.results
            if result.place or result.reason != "absent"
        ],
        values=[
            SeasonValueExplained(column=value.column, value=value.value, clause=value.clause)
            for value in explained.values
        ],
        above=_neighbour_explained(state, explained.above),
        below=_neighbour_explained(state, explained.below),
        barred=[BarredView(reason=bar.reason, clause=bar.clause) for bar in explained.barred],
        rating=rating_view(explained.rating),
    )


def _neighbour_explained(state: Tournament, neighbour: Neighbour | None) -> NeighbourExplained | None:
    if neighbour is None:
        return None
    return NeighbourExplained(
        player=neighbour.player,
        name=state.entries.players[neighbour.player].name,
        rank=neighbour.rank,
        column=neighbour.column,
        own=neighbour.own,
        theirs=neighbour.theirs,
        clause=neighbour.clause,
    )


class DivisionMoveView(View, frozen=True, kw_only=True):
    """A player who starts the next season in another division."""

    player: str
    name: str
    division: str
    to: str
    rank: int
    reason: Annotated[str, "`promoted`, `relegated` or `inactive`."]
    clause: str


class TieView(View, frozen=True, kw_only=True):
    """Players who share the last place above a line. Staff select `places` of them."""

    what: Annotated[str, "The line: `up`, `down` or `final`."]
    division: str
    places: int
    players: list[str]


class DivisionMovesView(View, frozen=True, kw_only=True):
    """Promotions and relegations. decided: recorded at the end; otherwise by the current standings."""

    decided: bool
    items: list[DivisionMoveView]
    undecided: list[TieView]


class FinalistView(View, frozen=True, kw_only=True):
    """An invited player.

    status: `invited`, `accepted` or `declined`. instead_of: the player who declined; empty: none.
    """

    player: str
    name: str
    status: str
    instead_of: str


class FinalView(View, frozen=True, kw_only=True):
    """The invitations to the final, in order. standings: the number of the standings that the cut was made from."""

    standings: int
    named: list[str]
    items: list[FinalistView]


def divisions_view(state: Tournament) -> DivisionMovesView:
    """Return promotions and relegations: as decided, or by the current standings."""
    decided = state.results.concluded
    moves, undecided = (SEASON.of(state).moves, ()) if decided else moves_of(state, ())
    players = state.entries.players
    return DivisionMovesView(
        decided=decided,
        items=[
            DivisionMoveView(
                player=move.player,
                name=players[move.player].name,
                division=move.division,
                to=move.to,
                rank=move.rank,
                reason=move.reason,
                clause=move.clause,
            )
            for move in moves
        ],
        undecided=[
            TieView(what=tie.what, division=tie.division, places=tie.places, players=list(tie.players))
            for tie in undecided
        ],
    )


def final_view(state: Tournament) -> FinalView:
    """Return the invitations to the final. Raises CutMissing."""
    final = SEASON.of(state).final
    if final is None:
        raise CutMissing("Nobody is invited to a final yet.")
    items = [
        FinalistView(
            player=player,
            name=state.entries.players[player].name,
            status=status,
            instead_of=final.instead.get(player, ""),
        )
        for player, status in final.answers.items()
    ]
    return FinalView(standings=final.standings, named=final.named, items=items)
