"""What scoring shows of each format whose players meet in games: one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

from marshmallow import Schema, fields
from msgspec import UNSET, Struct

from services.scoring.campaign.views.games import CampaignGameView, campaign_game_view
from services.scoring.campaign.views.league import league_consequences, league_order, rank_in_league_explained
from services.scoring.swiss.consequences import consequences
from services.scoring.swiss.views import SwissGameView, game_view, rank_explained, standings_order
from services.scoring.swiss.views_files import results_file_row
from services.scoring.tournament.views import GameView
from services.scoring.tournament.views_consequences import StandingsMoved
from services.scoring.tournament.views_standings import ExplainedView, Order
from shared.application.commands import CommandEnvelope
from shared.application.event_views import EventView
from shared.application.repository import LoadedAggregate
from shared.application.views import AnsweredSince, Gone, SeasonConsequences, Version
from shared.formats.swiss.results_file import COLUMNS as RESULTS_COLUMNS
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament
from shared.web.derived import schema_of
from shared.web.paging import Page
from shared.web.schemas import Deferred
from shared.web.tokens import Caller

About = Callable[[Callable[[Any], bool], str], Sequence[EventView]]
"""Events of scoring whose data are wanted and name an id, as answers show them."""


class FormatViews(Struct, frozen=True, kw_only=True):
    """game: in a round. standings: after a closed round as recorded, None for those of this moment. explained: where a
    player's values come from. consequences: what a command would move, by the states before and after.
    """

    game: Callable[[Tournament, int, Seat], GameView]
    standings: Callable[[LoadedAggregate, str, int | None], Order[Any]]
    explained: Callable[[LoadedAggregate, str, About], ExplainedView]
    consequences: Callable[[Tournament, Tournament], StandingsMoved]


class TakenFirst(Struct, frozen=True):
    """What a tournament takes from elsewhere before it ends, such as a season from its tournaments.

    take: does so, for a tournament that takes anything. foreseen: the commands of it, for a preview.
    """

    take: Callable[[str], object]
    foreseen: Callable[[str], Sequence[CommandEnvelope]]


class Concerned(Struct, frozen=True):
    """What else moves with a tournament's results. by: its id, its state then, who asks -> a line for each."""

    by: Callable[[str, Tournament, Caller], list[SeasonConsequences]]


VIEWS: dict[str, FormatViews] = {
    "swiss": FormatViews(
        game=game_view,
        standings=standings_order,
        explained=lambda loaded, player, about: rank_explained(loaded, player),
        consequences=consequences,
    ),
    "campaign": FormatViews(
        game=campaign_game_view,
        standings=lambda loaded, tournament, round: league_order(loaded.state, tournament, round),
        explained=lambda loaded, player, about: rank_in_league_explained(
            loaded.state, player, about(lambda data: data.get("group") == player, player)
        ),
        consequences=league_consequences,
    ),
}
"""Format -> its row."""


class ResultsFile(Struct, frozen=True):
    """Results as a file. row: of a game in a round."""

    columns: Sequence[str]
    row: Callable[[Tournament, int, Seat], Mapping[str, object]]


RESULTS_FILES: dict[str, ResultsFile] = {"swiss": ResultsFile(RESULTS_COLUMNS, results_file_row)}
"""Format -> its file; a campaign's reports have parts that no row holds."""


@cache
def _game_shown() -> type[Schema]:
    class GameShown(schema_of(CampaignGameView), schema_of(SwissGameView)):  # type: ignore[misc]
        """A game with what is known of its result, of any format; what a format does not have is left out."""

    return GameShown


GAME_SHOWN = Deferred(_game_shown)


class GamesPage(Page[GameView], frozen=True, kw_only=True):
    """One page of games."""

    round: Annotated[int | None, "The round that they are of; null: of all rounds, or no round is paired."]
    version: Version
    since: AnsweredSince = UNSET
    gone: Gone = UNSET


def _games_shown() -> type[Schema]:
    class GamesShown(schema_of(GamesPage)):  # type: ignore[misc]
        """One page of games."""

        items = fields.List(fields.Nested(_game_shown()), required=True)

    return GamesShown


GAMES_SHOWN = Deferred(_games_shown)
