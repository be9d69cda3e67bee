"""What is said of a game, read as the format of the tournament has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from services.scoring.campaign import games as campaign_games
from services.scoring.tournament import state
from shared.tournament.context import By
from shared.tournament.events.pairing import Seat
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

Possible = Callable[[Tournament, Round, Seat, Mapping[str, Any], By], dict[str, Any]]

POSSIBLE: Mapping[str, Possible] = MappingProxyType({"swiss": state.possible, "campaign": campaign_games.possible})
"""Format -> facts that can be, completed by what the tournament knows."""


def possible(tournament: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By) -> dict[str, Any]:
    """Facts as events keep them. Raises what the format refuses, with every fault at its place in `facts`."""
    return POSSIBLE[tournament.entries.format](tournament, round, seat, facts, by)
