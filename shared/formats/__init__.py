"""The formats that tournaments have: a module each, in a room of its own."""

from __future__ import annotations

from shared.formats.campaign import format as campaign
from shared.formats.coop import format as coop
from shared.formats.season import format as season
from shared.formats.swiss import format as swiss
from shared.tournament.format import Format

FORMATS: dict[str, Format] = {"swiss": swiss, "coop": coop, "campaign": campaign, "season": season}
"""Format -> its module."""
