"""What answers show of a Swiss tournament, as `services/scoring/views.py` asks of a format."""

from __future__ import annotations

from services.scoring.swiss import views
from services.scoring.swiss.consequences import consequences
from services.scoring.swiss.views import game_view, standings_order
from services.scoring.tournament.views_standings import About, ExplainedView
from shared.service.state import LoadedAggregate

__all__ = ["consequences", "game_view", "rank_explained", "standings_order"]


def rank_explained(loaded: LoadedAggregate, player: str, about: About) -> ExplainedView:
    """Return where the values of a player come from: the games say it, and no event is needed."""
    return views.rank_explained(loaded, player)
