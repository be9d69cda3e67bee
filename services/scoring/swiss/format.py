"""Swiss tournaments, as `tournament/format.py` asks of a format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.scoring.swiss import facts
from services.scoring.swiss.facts import improbable_facts, possible_facts
from services.scoring.swiss.rounds import close, conclude, rerecorded
from services.scoring.tournament import rulings
from services.scoring.tournament.commands import CorrectResult
from shared.log.event import Event
from shared.tournament.guards import Context
from shared.tournament.results import ResultCorrected
from shared.tournament.state import Tournament

__all__ = ["close", "conclude", "correct", "improbable_facts", "possible_facts", "settle"]


def correct(state: Tournament, command: CorrectResult, context: Context) -> Sequence[Event]:
    """Replace a binding result. In a bracket that is refused if another player would go on to a game that was played.

    Source: AR-AMB-25, DW-AMB-20.
    """
    return rulings.correct(facts, state, command, context)


def settle(state: Tournament, command: Any, events: Sequence[Event], context: Context) -> Sequence[Event]:
    """Record the standings anew after a correction of a round that is closed."""
    corrections = [event for event in events if isinstance(event, ResultCorrected)]
    return [*events, *(more for event in corrections for more in rerecorded(state, event, context))]
