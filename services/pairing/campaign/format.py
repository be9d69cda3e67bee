"""Campaigns, as `tournament/format.py` asks of a format."""

from __future__ import annotations

from services.pairing.campaign.decide import amend, pair
from services.pairing.campaign.pairing_rules import MET_CLAUSE, avoid_repeats, faults_by_hand, met_before
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

__all__ = ["MET_CLAUSE", "amend", "avoid_repeats", "faults_by_hand", "met_before", "pair", "timing_view"]


def timing_view(state: Tournament, round: Round) -> None:
    """Return None: the rounds of a campaign have no clock."""
