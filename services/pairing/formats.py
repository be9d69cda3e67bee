"""The formats whose players meet in games, as pairing knows them: a module each, in the room of the format."""

from __future__ import annotations

from services.pairing.campaign import format as campaign
from services.pairing.swiss import format as swiss
from services.pairing.tournament.format import PairingFormat

FORMATS: dict[str, PairingFormat] = {"swiss": swiss, "campaign": campaign}
"""Format -> its module."""
