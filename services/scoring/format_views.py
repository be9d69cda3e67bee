"""What scoring shows of each format whose players meet in games: a module each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Protocol

from marshmallow import Schema, fields
from msgspec import UNSET, Struct

from services.scoring.campaign.views import format as campaign
from services.scoring.campaign.views.games import CampaignGameView
from services.scoring.swiss import views_format as swiss
from services.scoring.swiss.views import SwissGameView
from services.scoring.swiss.views_files import results_file_row
from services.scoring.tournament.views import GameView
from services.scoring.tournament.views_consequences import StandingsMoved
from services.scoring.tournament.views_standings import About, ExplainedView, Order
from shared.service.commands import CommandEnvelope
from shared.service.season_views import SeasonConsequences
from shared.service.state import LoadedAggregate
from shared.service.views import AnsweredSince, Gone, Version
from shared.swiss.games import COLUMNS as RESULTS_COLUMNS
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Page
from shared.web.schema import Deferred, schema_of
from shared.web.tokens import Caller


class FormatViews(Protocol):
    """A module with what answers show of a format whose players meet in games."""

    def game_view(self, state: Tournament, round: int, seat: Seat, /) -> GameView:
        """Return a game of a round."""

    def standings_order(self, loaded: LoadedAggregate, tournament: str, round: int | None, /) -> Order[Any]:
        """Return the standings after a closed round as recorded; round None: those of this moment."""

    def rank_explained(self, loaded: LoadedAggregate, player: str, about: About, /) -> ExplainedView:
        """Return where the values of a player come from. about: events of scoring that concern an id."""

    def consequences(self, before: Tournament, after: Tournament, /) -> StandingsMoved:
        """Return what a command would move, by the states before and after it."""


class TakenFirst(Struct, frozen=True):
    """What a tournament takes from elsewhere before it ends, such as a season from its tournaments.

    take: does so, for a tournament that takes anything. foreseen: the commands of it, for a preview.
    """

    take: Callable[[str], object]
    foreseen: Callable[[str], Sequence[CommandEnvelope]]


class Concerned(Struct, frozen=True):
    """What else moves with a tournament's results. by: its id, its state then, who asks -> a line for each."""

    by: Callable[[str, Tournament, Caller], list[SeasonConsequences]]


VIEWS: dict[str, FormatViews] = {"swiss": swiss, "campaign": campaign}
"""Format -> its module."""


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
