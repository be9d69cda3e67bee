"""Campaigns, as `tournament/format.py` asks of a format."""

from services.scoring.campaign.games import possible_facts
from services.scoring.campaign.league import close, conclude
from services.scoring.campaign.rulings import correct
from services.scoring.campaign.settling import settle
from shared.campaign.league import improbable_facts

__all__ = ["close", "conclude", "correct", "improbable_facts", "possible_facts", "settle"]
