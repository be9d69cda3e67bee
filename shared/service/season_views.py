"""Views of what a change would move in a season; registration and scoring answer them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from shared.rules.model import as_json
from shared.season.ranking import moves_between
from shared.season.ruleset import Counted, SeasonTable
from shared.season.table import Move, ResultMove
from shared.shapes import Number, View
from shared.tournament.people import Player
from shared.tournament.state import Tournament


class CountedView(View, frozen=True, kw_only=True):
    """A result. reason: why it does not count; empty: it counts."""

    entry: str
    place: int
    points: Number
    reason: str


class ResultMoved(View, frozen=True, kw_only=True):
    """A result of one's own that changed; null where there was, or is, none."""

    tournament: str
    before: CountedView | None
    after: CountedView | None


class PassedBy(View, frozen=True, kw_only=True):
    """Somebody who was not ahead before, and is now."""

    player: str
    name: str


class SeasonMoveView(View, frozen=True, kw_only=True):
    """Somebody of a season who stands elsewhere or with other values; no rank: not in the table."""

    player: str
    name: str
    division: str
    rank_before: int | None
    rank_after: int | None
    points_before: Number
    points_after: Number
    columns: Annotated[list[str], "Values that differ."]
    results: list[ResultMoved]
    passed_by: Annotated[list[PassedBy], "Five at most."]


class SeasonConsequences(View, frozen=True, kw_only=True):
    """What a correction would move in a season that counts the tournament.

    stands: the season is over, and its standings stand; the correction is only told.
    """

    season: str
    name: str
    stands: bool
    moves: list[SeasonMoveView]


def moves_view(before: Tournament, after: Tournament, table: SeasonTable | None = None) -> list[SeasonMoveView]:
    """Return everyone who would have another place or other values. table: of `before`, if it is known already."""
    players = {**before.entries.players, **after.entries.players}
    return [move_view(move, players) for move in moves_between(before, after, table)]


def move_view(move: Move, players: Mapping[str, Player]) -> SeasonMoveView:
    """Return a move with names. players: of the season."""
    return SeasonMoveView(
        player=move.player,
        name=players[move.player].name,
        division=move.division,
        rank_before=move.rank_before,
        rank_after=move.rank_after,
        points_before=as_json(move.points_before),
        points_after=as_json(move.points_after),
        columns=list(move.columns),
        results=_results_moved(move.results),
        passed_by=[PassedBy(player=player, name=players[player].name) for player in move.passed_by],
    )


def _results_moved(moves: Iterable[ResultMove]) -> list[ResultMoved]:
    return [
        ResultMoved(tournament=move.tournament, before=before, after=after)
        for move in moves
        for before, after in [(_counted(move.before), _counted(move.after))]
        if before or after
    ]


def _counted(result: Counted | None) -> CountedView | None:
    """Return a result; None if the player had no entry in that tournament."""
    if result is None or not result.entry:
        return None
    return CountedView(entry=result.entry, place=result.place, points=as_json(result.points), reason=result.reason)
