"""Results that may be and more likely were mistyped: asked back once, and marked where somebody stands by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from shared.formats.by_format import improbable_facts
from shared.rules.refusals import ImprobableResult
from shared.tournament.ruleset import rules_of
from shared.tournament.state import Tournament


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
