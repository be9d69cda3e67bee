"""What is said of a game, read as the format of the tournament has it: can it be, and was it perhaps mistyped.

Results that may be and are improbable are asked back once, and marked where somebody stands by them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from services.scoring.campaign import games as campaign_games
from services.scoring.tournament import state
from shared.formats.improbable import improbable_facts
from shared.rules.refusals import ImprobableResult
from shared.tournament.context import By
from shared.tournament.events.pairing import Seat
from shared.tournament.rounds import Round
from shared.tournament.ruleset import rules_of
from shared.tournament.state import Tournament

Possible = Callable[[Tournament, Round, Seat, Mapping[str, Any], By], dict[str, Any]]

POSSIBLE: Mapping[str, Possible] = MappingProxyType({"swiss": state.possible, "campaign": campaign_games.possible})
"""Format -> facts that can be, completed by what the tournament knows."""


def possible(tournament: Tournament, round: Round, seat: Seat, facts: Mapping[str, Any], by: By) -> dict[str, Any]:
    """Facts as events keep them. Raises what the format refuses, with every fault at its place in `facts`."""
    return POSSIBLE[tournament.entries.format](tournament, round, seat, facts, by)


def stood_by(state: Tournament, facts: Mapping[str, Any], improbable: bool) -> bool:
    """Whether possible facts are improbable, which whoever told them stands by. improbable: that they do.

    Raises ImprobableResult where nobody does, with what would be probable and why.
    """
    found = improbable_facts(state, facts)
    if found and not improbable:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in found]
        said = "; ".join(f"{fault.said}, where a game brings {fault.expected}" for fault in found)
        raise ImprobableResult(
            f"{said}. If it is right, say `improbable`: true.", faults, ruleset=rules_of(state.entries).id
        )
    return bool(found)
