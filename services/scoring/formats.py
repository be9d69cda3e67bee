"""The formats as scoring knows them: one row each."""

from __future__ import annotations

from services.scoring.campaign import league
from services.scoring.campaign.format import CAMPAIGN
from services.scoring.coop import results as coop
from services.scoring.season import end as season
from services.scoring.swiss import rounds
from services.scoring.swiss.format import SWISS
from services.scoring.tournament.format import Ending, ScoringFormat

FORMATS: dict[str, ScoringFormat] = {row.name: row for row in (SWISS, CAMPAIGN)}
"""Format whose players meet in games -> its row."""

ENDINGS: dict[str, Ending] = {
    "swiss": Ending(rounds.conclude),
    "coop": Ending(coop.conclude),
    "campaign": Ending(league.conclude),
    "season": Ending(season.conclude, names_players=True),
}
"""Format -> how its tournaments end."""
