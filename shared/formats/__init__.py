"""The formats of tournaments. Each is a module in its own package."""

from __future__ import annotations

from shared.campaign import format as campaign
from shared.coop import format as coop
from shared.season import format as season
from shared.swiss import format as swiss
from shared.tournament.format import Format

FORMATS: dict[str, Format] = {"swiss": swiss, "coop": coop, "campaign": campaign, "season": season}
"""Format -> its module."""
