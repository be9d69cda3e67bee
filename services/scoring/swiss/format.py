"""The row of the Swiss format in scoring."""

from __future__ import annotations

from services.scoring.swiss.facts import need_given_up, possible
from services.scoring.swiss.rounds import close, rerecorded
from services.scoring.tournament.format import ScoringFormat

SWISS = ScoringFormat(name="swiss", possible=possible, first_report=need_given_up, close=close, rerecorded=rerecorded)
