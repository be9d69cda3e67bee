"""The schema of a game's report, for shapes that are not yet structs."""

from __future__ import annotations

from services.scoring.campaign.reports import MOST_GROUPS
from services.scoring.campaign.reports import GameReport as Report
from shared.web.derived import schema_of

GameReport = schema_of(Report)

__all__ = ["MOST_GROUPS", "GameReport"]
