"""Results that may be and more likely were mistyped: asked back once, and marked where somebody stands by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from shared.rules.refusals import ImprobableResult
from shared.rules.ruleset import Ruleset
from shared.rules.scoring import improbable_in
from shared.state.ruleset import facts_of, rules_of
from shared.state.tournament import Tournament


def stood_by(state: Tournament, facts: Mapping[str, Any], improbable: bool) -> bool:
    """Whether possible facts are improbable, which whoever told them stands by. improbable: that they do.

    Raises ImprobableResult where nobody does, with what would be probable and why. A campaign knows none.
    """
    ruleset = rules_of(state.entries)
    found = improbable_in(ruleset, facts_of(facts)) if isinstance(ruleset, Ruleset) else []
    if found and not improbable:
        faults = [msgspec.structs.replace(fault, where=f"/facts{fault.where}") for fault in found]
        said = "; ".join(f"{fault.said}, where a game brings {fault.expected}" for fault in found)
        raise ImprobableResult(f"{said}. If it is right, say `improbable`: true.", faults, ruleset=ruleset.id)
    return bool(found)
