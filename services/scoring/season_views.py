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

Exact = Annotated[int | str, 'Whole, or exact as "p/q".']


class SeasonResultView(View, frozen=True, kw_only=True):
    """What a tournament brought. reason: why it does not count, empty where it does."""

    tournament: str
    entry: str
    place: int
    field: int
    points: Exact
    weight: Annotated[int, "In per cent."]
    reason: str


class SeasonRatingView(View, frozen=True, kw_only=True):
    """A rating beside the points. deviation, volatility: empty where it has none."""

    rating: str
    games: int
    deviation: str
    volatility: str


class SeasonRowView(View, frozen=True, kw_only=True):
    """A line of the standings. was: the rank before, where it was another one; 0: there was none."""

    rank: int
    overall: Annotated[int, "Among all divisions."]
    player: str
    name: str
    external_id: ExternalId
    division: str
    points: Exact
    values: dict[str, Number]
    tied: bool
    attended: int
    listed_last: bool
    barred: Annotated[list[str], "Why not eligible; empty: eligible."]
    status: str
    rating: SeasonRatingView | None
    results: list[SeasonResultView]
    was: int | None


class SeasonCauseView(View, frozen=True, kw_only=True):
    """A tournament whose results moved the standings."""

    tournament: str
    reason: str


class SeasonStandingsView(View, frozen=True, kw_only=True):
    """The standings of a season. number 0: nothing yet. provisional: not recorded yet, so that another table may come
    under this number.
    """

    tournament: str
    number: int
    time: str
    final: bool
    provisional: bool
    columns: list[str]
    causes: list[SeasonCauseView]
    items: list[SeasonRowView]
    next: Annotated[str | None, "Cursor of the next page; null: the end, or no page was asked for."]
    total: Annotated[int, TOTAL]


class ChangedByView(View, frozen=True, kw_only=True):
    """An event of a tournament that changed its results after they had been taken."""

    id: str
    type: str
    time: str
    actor: ActorView
    actor_text: Annotated[str, "The actor as a line: `p1, player`."]
    reason: str


class TakenView(View, frozen=True, kw_only=True):
    """A tournament whose results the season has taken, and where its logs ended then."""

    tournament: str
    name: str
    reason: Annotated[str, "concluded, or corrected."]
    heads: dict[str, HeadView]
    causes: list[ChangedByView]


class ResultsTakenView(TakenView, frozen=True, kw_only=True):
    """The results of a tournament as the season counts them."""

    time: str
    told: Annotated[bool, "Came after the end, and are only told."]
    entries: int


class ResultsView(View, frozen=True, kw_only=True):
    """Every tournament that has results here, in the order of the season."""

    items: list[ResultsTakenView]
    waiting: Annotated[list[str], "Gathered, and not concluded yet."]


def table_now(loaded: LoadedAggregate) -> SeasonTable:
    """The table of everything that the season's logs hold, made once until something is new."""
    return loaded.derived("season table", lambda: table_of(loaded.state))


def rows_of(state: Tournament, recorded: RecordedTable | None = None) -> Sequence[SeasonRowRecorded]:
    """Every row of the standings as recorded last, or as given."""
    table = recorded or SEASON.of(state).table
    return table.rows if table else []


def standings_view(
    loaded: LoadedAggregate, tournament: str, found: OrderPage[SeasonRowRecorded], recorded: RecordedTable | None = None
) -> SeasonStandingsView:
    """These rows of the standings as recorded last, or as given."""
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
        items=rows_view(state, found.items),
        next=found.next,
        total=found.total,
    )


def rows_view(state: Tournament, rows: Sequence[SeasonRowRecorded]) -> list[SeasonRowView]:
    """Rows with names; values as whole numbers or decimal strings."""
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
    """Return a rating as answers show it; None if there is none."""
    if rating is None:
        return None
    return SeasonRatingView(
        rating=rating.rating, games=rating.games, deviation=rating.deviation, volatility=rating.volatility
    )


def heads_view(ends: Iterable[LogEnd]) -> dict[str, HeadView]:
    """Return where the logs of a tournament ended, by source."""
    return {end.source: HeadView(position=end.position, hash=end.hash) for end in ends}


def changed_by_view(cause: ChangedBy) -> ChangedByView:
    """Return an event that changed results as answers show it."""
    return ChangedByView(
        id=cause.id,
        type=cause.type,
        time=cause.time,
        actor=actor_view(cause.actor),
        actor_text=actor_text(cause.actor),
        reason=cause.reason,
    )


def results_view(state: Tournament) -> ResultsView:
    """The tournaments whose results are here, with where their logs ended, and those still waited for."""
    order, season = SEASON_ENTRIES.of(state).in_order(), SEASON.of(state)
    items = [
        ResultsTakenView(
            tournament=taken.tournament,
            name=one.name,
            reason=taken.reason,
            heads=heads_view(taken.heads.values()),
            causes=[changed_by_view(cause) for cause in taken.causes],
            time=taken.time,
            told=told,
            entries=len(taken.rows),
        )
        for one in order
        for told, found in ((False, season.taken), (True, season.told))
        if (taken := found.get(one.tournament)) is not None
    ]
    waiting = [one.tournament for one in order if one.tournament not in season.taken]
    return ResultsView(items=items, waiting=waiting)


class SeasonResultExplained(View, frozen=True, kw_only=True):
    """A result with its points, exact, and the clause by which it counts or does not."""

    tournament: str
    name: str
    place: int
    field: int
    points: str
    weight: int
    reason: str
    clause: str


class SeasonValueExplained(View, frozen=True, kw_only=True):
    """A value of the ranking, exact, with its clause."""

    column: str
    value: str
    clause: str


class NeighbourExplained(View, frozen=True, kw_only=True):
    """The member above or below. column: what separates the two; empty where nothing does."""

    player: str
    name: str
    rank: int
    column: str
    own: str
    theirs: str
    clause: str


class BarredView(View, frozen=True, kw_only=True):
    """Why somebody is not eligible, and the clause that says so."""

    reason: str
    clause: str


class SeasonRankExplained(View, frozen=True, kw_only=True):
    """Everything that a rank is made of."""

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
    """The player of the season as who they are by now. Raises PlayerUnknown."""
    if player not in state.entries.players:
        fault = Fault("/player", player, expects("player-of-season"))
        raise PlayerUnknown(f"No player of this season has the id {player}.", [fault])
    return SEASON_ENTRIES.of(state).identity(player)


def rank_explained(loaded: LoadedAggregate, player: str) -> SeasonRankExplained:
    """What a rank is made of: results, values, what separates it from both neighbours. Raises PlayerUnknown."""
    state = loaded.state
    member = member_of(state, player)
    table = table_now(loaded)
    if table.row(member) is None:
        known = state.entries.players[member]
        fault = Fault("/player", player, expects("player-of-standings"))
        raise PlayerUnknown(f"{known.name} is {known.status}, and not in the standings.", [fault])
    found = explain(season_of(state.entries), table, member)
    players, gathered = state.entries.players, SEASON_ENTRIES.of(state).gathered
    return SeasonRankExplained(
        player=found.player,
        name=players[member].name,
        rank=found.rank,
        division=found.division,
        tied=found.tied,
        listed_last=found.listed_last,
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
            for result in found.results
            if result.place or result.reason != "absent"
        ],
        values=[
            SeasonValueExplained(column=value.column, value=value.value, clause=value.clause) for value in found.values
        ],
        above=_neighbour_explained(state, found.above),
        below=_neighbour_explained(state, found.below),
        barred=[BarredView(reason=bar.reason, clause=bar.clause) for bar in found.barred],
        rating=rating_view(found.rating),
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
    """Somebody who begins the next season in another division."""

    player: str
    name: str
    division: str
    to: str
    rank: int
    reason: Annotated[str, "promoted, relegated or inactive."]
    clause: str


class TieView(View, frozen=True, kw_only=True):
    """Members who share the last place above a line; staff name so many of them."""

    what: Annotated[str, "up, down or final."]
    division: str
    places: int
    players: list[str]


class DivisionMovesView(View, frozen=True, kw_only=True):
    """Who goes up and down. decided: as recorded at the end; otherwise by the standings of this moment."""

    decided: bool
    items: list[DivisionMoveView]
    undecided: list[TieView]


class FinalistView(View, frozen=True, kw_only=True):
    """Somebody invited. status: invited, accepted or declined. instead_of: for whom, where somebody declined."""

    player: str
    name: str
    status: str
    instead_of: str


class FinalView(View, frozen=True, kw_only=True):
    """Who is invited to the final, in order. standings: the number of those the cut was made from."""

    standings: int
    named: list[str]
    items: list[FinalistView]


def divisions_view(state: Tournament) -> DivisionMovesView:
    """Who goes up and down: as decided at the end, or as it would be by the standings of this moment."""
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
    """Who is invited to the final, in the order of invitation. Raises CutMissing."""
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
