"""Previews of scoring commands: the changes to scores, standings, groups and seasons that a command would cause."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from services.scoring.campaign_views_groups import GroupMoved, groups_moved
from services.scoring.coop_views import RankingMoved, ranking_moved
from services.scoring.format_views import VIEWS, AffectedSeasons
from services.scoring.guards import game_of
from services.scoring.views_games import ScoreView
from services.scoring.views_standings import StandingsMoved
from shared.coop.seating import SEATING
from shared.formats.options import formats_with_results
from shared.service.previews import PreviewOutcome, Previews, PreviewView
from shared.service.views import SeasonConsequences, SeasonMoveView, moves_view
from shared.service.wiring import current_part
from shared.shapes import View
from shared.tournament.guards import are_standings_unpublished
from shared.web.tokens import Caller

season_changes = current_part(AffectedSeasons)


class GameScored(View, frozen=True, kw_only=True):
    """A game with the score that the given facts would have."""

    game: str
    score: ScoreView


class ScoringMoves(View, frozen=True, kw_only=True):
    """The changes that a command would cause. Members that do not apply to the format are absent.

    A report that waits for the opponent changes only its game, so the other members are absent.
    """

    games: Annotated[list[GameScored] | UnsetType, "The score of each game that the command is about."] = UNSET
    standings: StandingsMoved | UnsetType = UNSET
    ranking: RankingMoved | UnsetType = UNSET
    groups: list[GroupMoved] | UnsetType = UNSET
    season: list[SeasonMoveView] | UnsetType = UNSET
    seasons: list[SeasonConsequences] | UnsetType = UNSET


class ScoringPreview(PreviewView, frozen=True, kw_only=True):
    """The preview of a command. Nothing was recorded.

    Send the command with this answer's ETag in `If-Match` to apply exactly these changes or be refused.
    """

    moves: ScoringMoves


def _games(foreseen: PreviewOutcome) -> list[GameScored] | UnsetType:
    state = foreseen.after.state
    views = VIEWS.get(state.entries.format)
    if views is None:
        return UNSET
    games = dict.fromkeys(
        game for event in foreseen.decoded_events() if isinstance(game := getattr(event, "game", None), str)
    )
    seats = (game_of(state, game) for game in games)
    scores = [(seat.game, views.game_view(state, round.number, seat).score) for round, seat in seats]
    return [GameScored(game=game, score=score) for game, score in scores if score is not UNSET] or UNSET


def _standings(foreseen: PreviewOutcome) -> StandingsMoved | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    views = VIEWS.get(before.entries.format)
    if views is None or not before.rounds.rounds or _hides_standings(foreseen) or _only_reports(foreseen):
        return UNSET
    return views.consequences(before, after)


REPORTS = ("ResultReported", "ReportChanged")
"""Events that wait for the opponent."""


def _only_reports(foreseen: PreviewOutcome) -> bool:
    """Return True if the command only reports results that wait for the opponent. They change nothing else."""
    return bool(foreseen.events) and all(event.type in REPORTS for event in foreseen.events)


def _hides_standings(foreseen: PreviewOutcome) -> bool:
    """Return True if the caller sees only published standings."""
    return foreseen.before.public and are_standings_unpublished(foreseen.before.state)


def _ranking(foreseen: PreviewOutcome) -> RankingMoved | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    if before.entries.format != "coop" or not SEATING.of(before).rounds:
        return UNSET
    return ranking_moved(before, after)


def _groups(foreseen: PreviewOutcome) -> list[GroupMoved] | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    return groups_moved(before, after) if before.entries.format == "campaign" else UNSET


def _season(foreseen: PreviewOutcome) -> list[SeasonMoveView] | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    if before.entries.format != "season":
        return UNSET
    return moves_view(before, after)


def _seasons(foreseen: PreviewOutcome, caller: Caller | None) -> list[SeasonConsequences] | UnsetType:
    after = foreseen.after.state
    if (
        caller is None
        or _hides_standings(foreseen)
        or _only_reports(foreseen)
        or after.entries.format not in formats_with_results()
    ):
        return UNSET
    return season_changes.by(foreseen.tournament, after, caller)


def compute_changes(foreseen: PreviewOutcome, caller: Caller | None) -> ScoringMoves:
    """Return the changes that a command would cause."""
    return ScoringMoves(
        games=_games(foreseen),
        standings=_standings(foreseen),
        ranking=_ranking(foreseen),
        groups=_groups(foreseen),
        season=_season(foreseen),
        seasons=_seasons(foreseen, caller),
    )


PREVIEWS = Previews(ScoringPreview, compute_changes)
