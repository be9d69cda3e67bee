"""The formats whose players meet in games, as pairing knows them: one row each, in the room of the format."""

from __future__ import annotations

from services.pairing.campaign.format import CAMPAIGN
from services.pairing.swiss.format import SWISS
from services.pairing.tournament.format import PairingFormat

FORMATS: dict[str, PairingFormat] = {"swiss": SWISS, "campaign": CAMPAIGN}
"""Format -> its row."""
