"""Facts that a report may have, and views: one module for each format whose players meet in games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, Protocol

from marshmallow import Schema, fields
from msgspec import UNSET, Struct, UnsetType

from services.scoring import campaign_views as campaign
from services.scoring import swiss_views as swiss
from services.scoring.campaign_reports import MOST_GROUPS, GameReport
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

MOST_EXTRA = 50
"""Further numbers of one result."""
A_WORD = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD, "pattern": "[^0-9 ]", "examples": ["draw"]}
WINNER = expects("winner-or-draw", draw="draw")


def _winner(said: object) -> Expected | None:
    """Return the expectation of a winner for what is neither 1, 2 nor a word, which the ruleset looks at.

    `true` and `1.0` are neither.
    """
    if isinstance(said, str):
        return None if 0 < len(said) <= LONGEST_WORD and not said.strip().isdigit() else WINNER
    return None if type(said) is int and said in (1, 2) else WINNER


class Facts(Shape, frozen=True, kw_only=True):
    """What happened, in the words of the ruleset's result form; what the form does not name is refused."""

    kind: Literal["game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"] = "game"
    points_1: Annotated[int | UnsetType, Whole(0, 1_000_000), "Score of player 1 in the game's own unit."] = UNSET
    points_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    winner: Annotated[
        Any,
        Check(_winner),
        Documented({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2}, A_WORD]}),
        "1, 2 or draw, where points do not decide; draw also as the ruleset's own word (`words`).",
    ] = UNSET
    end: Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"] | UnsetType = (
        UNSET
    )
    second_player: Annotated[int | UnsetType, Whole(1, 2), "The side without the initiative."] = UNSET
    conceded_by: Annotated[
        int | UnsetType,
        Whole(1, MOST_GROUPS),
        "The side that conceded, forfeits or did not come: 1 or 2; in a campaign the place of its group in the"
        " pairing.",
    ] = UNSET
    destroyed_1: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    destroyed_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    objective_1: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    objective_2: Annotated[int | UnsetType, Whole(0, 1_000_000)] = UNSET
    scenario: Annotated[str | UnsetType, Name()] = UNSET
    extra: Annotated[dict[Id, Annotated[int, Whole(0, 1_000_000)]] | UnsetType, Size(MOST_EXTRA)] = UNSET
    board: Annotated[
        dict[Id, Any] | UnsetType,
        Size(MOST_EXTRA),
        "What stood on the table at the end, where the ruleset makes a score of it.",
    ] = UNSET
    report: Annotated[GameReport | UnsetType, "Campaigns: what happened in the game, side by side."] = UNSET


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
