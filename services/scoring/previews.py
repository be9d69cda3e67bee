"""What a command of scoring would move beside its events: a row for each thing, made where there is such a thing."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from services.scoring.campaign_views_groups import GroupMoved, groups_moved
from services.scoring.coop_views import RankingMoved, ranking_moved
from services.scoring.format_views import VIEWS, Concerned
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

others = current_part(Concerned)


class GameScored(View, frozen=True, kw_only=True):
    """A game, and what the ruleset makes of the facts that are said of it."""

    game: str
    score: ScoreView


class ScoringMoves(View, frozen=True, kw_only=True):
    """What would be another than it is; what the format of the tournament does not have is left out.

    A report that waits for the opponent moves nothing but its game, and the rest is left out.
    """

    games: Annotated[list[GameScored] | UnsetType, "What the ruleset makes of each game that this is about."] = UNSET
    standings: StandingsMoved | UnsetType = UNSET
    ranking: RankingMoved | UnsetType = UNSET
    groups: list[GroupMoved] | UnsetType = UNSET
    season: list[SeasonMoveView] | UnsetType = UNSET
    seasons: list[SeasonConsequences] | UnsetType = UNSET


class ScoringPreview(PreviewView, frozen=True, kw_only=True):
    """What a command would do; nothing was appended. With If-Match of this answer's ETag it is done so or refused."""

    moves: ScoringMoves


def _games(foreseen: PreviewOutcome) -> list[GameScored] | UnsetType:
    """The games that its events are about, with what they would be worth."""
    state = foreseen.after.state
    views = VIEWS.get(state.entries.format)
    if views is None:
        return UNSET
    games = dict.fromkeys(game for event in foreseen.typed() if isinstance(game := getattr(event, "game", None), str))
    seats = (game_of(state, game) for game in games)
    found = [(seat.game, views.game_view(state, round.number, seat).score) for round, seat in seats]
    return [GameScored(game=game, score=score) for game, score in found if score is not UNSET] or UNSET


def _standings(foreseen: PreviewOutcome) -> StandingsMoved | UnsetType:
    before, after = foreseen.before.state, foreseen.after.state
    views = VIEWS.get(before.entries.format)
    if views is None or not before.rounds.rounds or _kept_back(foreseen) or _waits(foreseen):
        return UNSET
    return views.consequences(before, after)


def _waits(foreseen: PreviewOutcome) -> bool:
    """Whether it is a report that waits for the opponent, as most are: nothing moves, and nothing is worked out."""
    return bool(foreseen.events) and all(event.type == "ResultReported" for event in foreseen.events)


def _kept_back(foreseen: PreviewOutcome) -> bool:
    """Whether who asks is not shown the standings as they are."""
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


def _seasons(foreseen: PreviewOutcome, who: Caller | None) -> list[SeasonConsequences] | UnsetType:
    after = foreseen.after.state
    if who is None or _kept_back(foreseen) or _waits(foreseen) or after.entries.format not in formats_with_results():
        return UNSET
    return others.by(foreseen.tournament, after, who)


def moves(foreseen: PreviewOutcome, who: Caller | None) -> ScoringMoves:
    """Everything that a command would move."""
    return ScoringMoves(
        games=_games(foreseen),
        standings=_standings(foreseen),
        ranking=_ranking(foreseen),
        groups=_groups(foreseen),
        season=_season(foreseen),
        seasons=_seasons(foreseen, who),
    )


PREVIEWS = Previews(ScoringPreview, moves)
