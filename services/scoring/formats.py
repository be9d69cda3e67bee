"""The formats as scoring knows them: one row each."""

from __future__ import annotations

from services.scoring.campaign import games, league, rulings
from services.scoring.campaign.settling import settling
from services.scoring.coop import results as coop
from services.scoring.season import decide as season
from services.scoring.swiss import facts, rounds
from services.scoring.tournament.format import Ending, ScoringFormat

FORMATS: dict[str, ScoringFormat] = {
    "swiss": ScoringFormat(
        possible=facts.possible, first_report=facts.need_given_up, close=rounds.close, rerecorded=rounds.rerecorded
    ),
    "campaign": ScoringFormat(
        possible=games.possible,
        close=league.close,
        rerecorded=league.rerecorded,
        settled=settling,
        correct=rulings.correct,
    ),
}
"""Format whose players meet in games -> its row."""

ENDINGS: dict[str, Ending] = {
    "swiss": Ending(rounds.conclude),
    "coop": Ending(coop.conclude),
    "campaign": Ending(league.conclude),
    "season": Ending(season.conclude, names_players=True),
}
"""Format -> how its tournaments end."""
