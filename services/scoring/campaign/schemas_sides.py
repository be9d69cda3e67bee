"""Schemas of what scoring shows of each group in a campaign's game, for shapes that are not yet structs."""

from __future__ import annotations

from services.scoring.campaign.views.games import GroupScore, SideView
from shared.web.derived import schema_of

GroupScored = schema_of(GroupScore)
SideShown = schema_of(SideView)
