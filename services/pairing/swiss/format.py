"""Swiss tournaments, as `tournament/format.py` asks of a format."""

from services.pairing.swiss.decide import amend, pair
from services.pairing.swiss.pairing_rules import MET_CLAUSE, avoid_repeats, faults_by_hand, met_before
from services.pairing.swiss.timing import timing_view

__all__ = ["MET_CLAUSE", "amend", "avoid_repeats", "faults_by_hand", "met_before", "pair", "timing_view"]
