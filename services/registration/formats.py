"""The formats as registration knows them: a module each."""

from __future__ import annotations

from services.registration.campaign import format as campaign
from services.registration.coop import format as coop
from services.registration.season import format as season
from services.registration.swiss import format as swiss
from services.registration.tournament.format import RegistrationFormat

FORMATS: dict[str, RegistrationFormat] = {"swiss": swiss, "campaign": campaign, "coop": coop, "season": season}
"""Format -> its module."""
