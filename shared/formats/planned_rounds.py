"""How many rounds are to be played, as the format of a tournament has it."""

from __future__ import annotations

from shared.formats import FORMATS
from shared.rules.refusals import RoundsNotFixed
from shared.tournament.state import Tournament


def rounds_if_fixed(state: Tournament) -> int | None:
    """The planned rounds; None also while there are too few players to tell."""
    try:
        return FORMATS[state.entries.format].planned_rounds(state)
    except RoundsNotFixed:
        return None
