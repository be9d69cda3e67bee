"""Why somebody stands where they do in a season: results and values with their clauses, and the neighbours."""

from __future__ import annotations

from services.scoring.season.views import SeasonRatingView, rating_view, table_now
from services.scoring.tournament.refusals import PlayerUnknown
from shared.refusals import Fault, expects
from shared.season.entries import SEASON_ENTRIES, season_of
from shared.season.table import Neighbour, explain
from shared.service.state import LoadedAggregate
from shared.shapes import View
from shared.tournament.state import Tournament


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
