"""The formats that tournaments have: one row each, in a room of its own."""

from __future__ import annotations

from shared.formats.campaign.format import CAMPAIGN_FORMAT
from shared.formats.coop.format import COOP_FORMAT
from shared.formats.season.format import SEASON_FORMAT
from shared.formats.swiss.format import SWISS_FORMAT
from shared.tournament.format import Format

FORMATS: dict[str, Format] = {
    format.name: format for format in (SWISS_FORMAT, COOP_FORMAT, CAMPAIGN_FORMAT, SEASON_FORMAT)
}
"""Format -> its row."""
