"""Views of results by format: the facts of a report, and the module with the views of each format with games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Protocol

from marshmallow import Schema, fields
from msgspec import UNSET, Struct, UnsetType

from services.scoring import campaign_views as campaign
from services.scoring import swiss_views as swiss
from services.scoring.campaign_reports import MAX_GROUPS, GameReport
from services.scoring.campaign_views import CampaignGameView
from services.scoring.swiss_views import SwissGameView, results_file_row
from services.scoring.views_games import GameView
from services.scoring.views_standings import About, ExplainedView, Order, StandingsMoved
from shared.refusals import Expected, expects
from shared.rules.parts import LONGEST_WORD
from shared.service.commands import CommandEnvelope
from shared.service.state import LoadedAggregate
from shared.service.views import AnsweredSince, Gone, SeasonConsequences, Version
from shared.shapes import Check, Documented, Id, Name, Shape, Size, Whole
from shared.swiss.games import COLUMNS as RESULTS_COLUMNS
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament
from shared.web.paging import Page
from shared.web.schema import Deferred, schema_of
from shared.web.tokens import Caller

_MAX_EXTRA = 50
"""Maximum members of `extra` and `board`."""
_WORD_SCHEMA = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD, "pattern": "[^0-9 ]", "examples": ["draw"]}
WINNER = expects("winner-or-draw", draw="draw")


def _expected_winner(value: object) -> Expected | None:
    """Return the expected value unless this is 1, 2 or a word. The ruleset checks the word. `true` is not 1."""
    if isinstance(value, str):
        return None if 0 < len(value) <= LONGEST_WORD and not value.strip().isdigit() else WINNER
    return None if type(value) is int and value in (1, 2) else WINNER


class Facts(Shape, frozen=True, kw_only=True):
    """The facts of a game. The ruleset's result form defines which members are accepted."""

    kind: Literal["game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"] = "game"
    points_1: Annotated[int | UnsetType, Whole(0, 1_000_000), "The score of player 1 in the unit of the game."] = UNSET
    points_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    winner: Annotated[
        Any,
        Check(_expected_winner),
        Documented({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2}, _WORD_SCHEMA]}),
        "1, 2 or `draw`, if the points do not decide. The ruleset's own word for a draw is accepted, too (`words`).",
    ] = UNSET
    end: Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"] | UnsetType = (
        UNSET
    )
    second_player: Annotated[int | UnsetType, Whole(1, 2), "The side that does not have the initiative."] = UNSET
    conceded_by: Annotated[
        int | UnsetType,
        Whole(1, MAX_GROUPS),
        "The side that conceded, forfeited or did not appear: 1 or 2. In campaigns: the place of the group in the"
        " pairing.",
    ] = UNSET
    destroyed_1: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    destroyed_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    objective_1: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    objective_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    scenario: Annotated[str | UnsetType, Name()] = UNSET
    extra: Annotated[dict[Id, Annotated[int, Whole(0, 1_000_000)]] | UnsetType, Size(_MAX_EXTRA)] = UNSET
    board: Annotated[
        dict[Id, Any] | UnsetType,
        Size(_MAX_EXTRA),
        "What was on the table at the end, if the ruleset computes the score from it.",
    ] = UNSET
    report: Annotated[GameReport | UnsetType, "Campaigns: the report of the game, side by side."] = UNSET


class FormatViews(Protocol):
    """The views that a format with games provides as a module."""

    def game_view(self, state: Tournament, round: int, seat: Seat, /) -> GameView:
        """Return the view of a game."""

    def standings_order(self, loaded: LoadedAggregate, tournament: str, round: int | None, /) -> Order[Any]:
        """Return the recorded standings after a closed round; round None: the current standings."""

    def explain_rank(self, loaded: LoadedAggregate, player: str, about: About, /) -> ExplainedView:
        """Return the origin of a player's values. about: looks up events of scoring about an id."""

    def consequences(self, before: Tournament, after: Tournament, /) -> StandingsMoved:
        """Return the changes to the standings between two states."""


class PendingResults(Struct, frozen=True):
    """Access to results of other tournaments that a tournament must include before it ends. Only seasons have any.

    take: includes them. foreseen: returns the commands that would include them, for a preview.
    """

    take: Callable[[str], object]
    foreseen: Callable[[str], Sequence[CommandEnvelope]]


class AffectedSeasons(Struct, frozen=True):
    """Consequences for seasons. by: (tournament, its state after the change, caller) -> one view per season."""

    by: Callable[[str, Tournament, Caller], list[SeasonConsequences]]


VIEWS: dict[str, FormatViews] = {"swiss": swiss, "campaign": campaign}
"""Format -> its module."""


class ResultsFile(Struct, frozen=True):
    """Results as CSV. row: returns the row of a game in a round."""

    columns: Sequence[str]
    row: Callable[[Tournament, int, Seat], Mapping[str, object]]


RESULTS_FILES: dict[str, ResultsFile] = {"swiss": ResultsFile(RESULTS_COLUMNS, results_file_row)}
"""Format -> its CSV. Campaign reports do not fit into rows."""


@cache
def _game_shown() -> type[Schema]:
    class GameShown(schema_of(CampaignGameView), schema_of(SwissGameView)):  # type: ignore[misc]
        """A game and its result. Members that the format does not have are absent."""

    return GameShown


GAME_SHOWN = Deferred(_game_shown)


class GamesPage(Page[GameView], frozen=True, kw_only=True):
    """One page of games."""

    round: Annotated[int | None, "The round of the games. null: all rounds, or no round is paired."]
    version: Version
    since: AnsweredSince = UNSET
    gone: Gone = UNSET


def _games_shown() -> type[Schema]:
    class GamesShown(schema_of(GamesPage)):  # type: ignore[misc]
        """One page of games."""

        items = fields.List(fields.Nested(_game_shown()), required=True)

    return GamesShown


GAMES_SHOWN = Deferred(_games_shown)
