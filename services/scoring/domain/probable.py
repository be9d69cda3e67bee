"""Results that may be and more likely were mistyped: asked back once, and marked where somebody stands by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from services.scoring.domain import campaign_games
from shared.refusals import Fault
from shared.rules.refusals import ImprobableResult
from shared.rules.ruleset import Ruleset
from shared.rules.scoring import improbable_in
from shared.state.ruleset import facts_of, rules_of
from shared.state.tournament import Tournament


def stood_by(state: Tournament, facts: Mapping[str, Any], improbable: bool) -> bool:
    """Whether possible facts are improbable, which whoever told them stands by. improbable: that they do.

    Raises ImprobableResult where nobody does, with what would be probable and why.
    """
    find = IMPROBABLE.get(state.entries.format)
    found = find(state, facts) if find else []
    if found and not improbable:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in found]
        said = "; ".join(f"{fault.said}, where a game brings {fault.expected}" for fault in found)
        raise ImprobableResult(
            f"{said}. If it is right, say `improbable`: true.", faults, ruleset=rules_of(state.entries).id
        )
    return bool(found)


def _of_scores(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    ruleset = rules_of(state.entries)
    return improbable_in(ruleset, facts_of(facts)) if isinstance(ruleset, Ruleset) else []


IMPROBABLE: Mapping[str, Callable[[Tournament, Mapping[str, Any]], list[Fault]]] = MappingProxyType(
    {"swiss": _of_scores, "campaign": campaign_games.improbable}
)
"""Format -> what of possible facts no game is likely to bring, at its place in them."""
