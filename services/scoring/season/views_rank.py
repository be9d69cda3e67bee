"""Why somebody stands where they do in a season: results and values with their clauses, and the neighbours."""

from __future__ import annotations

from services.scoring.season.views import SeasonRatingView, table_now
from services.scoring.tournament.refusals import PlayerUnknown
from shared.application.repository import LoadedAggregate
from shared.formats.season.entries import SEASON_ENTRIES, season_of
from shared.formats.season.rules.explain import explain
from shared.refusals import Fault, expects
from shared.shapes import View
from shared.tournament.state import Tournament
from shared.web.schemas import shown_as


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
    above, below = (
        one and shown_as(NeighbourExplained, one, name=players[one.player].name) for one in (found.above, found.below)
    )
    results = [
        shown_as(SeasonResultExplained, one, name=gathered[one.tournament].name)
        for one in found.results
        if one.place or one.reason != "absent"
    ]
    return shown_as(SeasonRankExplained, found, name=players[member].name, results=results, above=above, below=below)
