"""What answers show of a campaign, as `services/scoring/views.py` asks of a format."""

from __future__ import annotations

from services.scoring.campaign.views.games import campaign_game_view as game_view
from services.scoring.campaign.views.league import league_consequences as consequences
from services.scoring.campaign.views.league import league_order, rank_in_league_explained
from services.scoring.tournament.views_standings import About, ExplainedView, Order
from shared.service.state import LoadedAggregate
from shared.tournament.results import StandingRow

__all__ = ["consequences", "game_view", "rank_explained", "standings_order"]


def standings_order(loaded: LoadedAggregate, tournament: str, round: int | None) -> Order[StandingRow]:
    """Return the league table after a closed round as recorded; round None: that of this moment."""
    return league_order(loaded.state, tournament, round)


def rank_explained(loaded: LoadedAggregate, player: str, about: About) -> ExplainedView:
    """Return where the values of a group come from, by the events that concern it."""
    events = about(lambda data: data.get("group") == player, player)
    return rank_in_league_explained(loaded.state, player, events)
