"""The formats as registration knows them: one row each, in the room of the format."""

from __future__ import annotations

from services.registration.campaign.format import CAMPAIGN
from services.registration.coop.format import COOP
from services.registration.season.format import SEASON
from services.registration.swiss.format import SWISS
from services.registration.tournament.format import RegistrationFormat

FORMATS: dict[str, RegistrationFormat] = {row.name: row for row in (SWISS, CAMPAIGN, COOP, SEASON)}
"""Format -> its row."""
