"""The row of campaigns in scoring."""

from __future__ import annotations

from services.scoring.campaign.games import possible
from services.scoring.campaign.league import close, rerecorded
from services.scoring.campaign.rulings import correct
from services.scoring.campaign.settling import settling
from services.scoring.tournament.format import ScoringFormat

CAMPAIGN = ScoringFormat(
    name="campaign", possible=possible, settled=settling, close=close, rerecorded=rerecorded, correct=correct
)
