"""What scoring shows of each format whose players meet in games: one row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from services.scoring.campaign.views.games import campaign_game_view
from services.scoring.campaign.views.league import league_consequences, league_view, rank_in_league_explained
from services.scoring.swiss.consequences import consequences
from services.scoring.swiss.views import game_view, rank_explained, standings_view
from shared.application.repository import LoadedAggregate
from shared.events.base import Event
from shared.tournament.events.pairing import Seat
from shared.tournament.state import Tournament
from shared.web.tokens import Caller

About = Callable[[Callable[[Any], bool]], Sequence[Mapping[str, Any]]]
"""Events of scoring whose data are wanted, as answers show them."""


class FormatViews(Struct, frozen=True, kw_only=True):
    """game: in a round. standings: after a closed round as recorded, None for those of this moment. explained: where a
    player's values come from. consequences: what a correction would move, by the states before and after, and events.
    """

    game: Callable[[Tournament, int, Seat], dict[str, Any]]
    standings: Callable[[LoadedAggregate, str, int | None], dict[str, Any]]
    explained: Callable[[LoadedAggregate, str, About], dict[str, Any]]
    consequences: Callable[[Tournament, Tournament, list[Event]], dict[str, Any]]


class Concerned(Struct, frozen=True):
    """What else moves with a tournament's results. by: its id, its state then, who asks -> a line for each."""

    by: Callable[[str, Tournament, Caller], list[dict[str, Any]]]


VIEWS: dict[str, FormatViews] = {
    "swiss": FormatViews(
        game=game_view,
        standings=standings_view,
        explained=lambda loaded, player, about: rank_explained(loaded, player),
        consequences=consequences,
    ),
    "campaign": FormatViews(
        game=campaign_game_view,
        standings=lambda loaded, tournament, round: league_view(loaded.state, tournament, round),
        explained=lambda loaded, player, about: rank_in_league_explained(
            loaded.state, player, about(lambda data: data.get("group") == player)
        ),
        consequences=league_consequences,
    ),
}
"""Format -> its row."""
