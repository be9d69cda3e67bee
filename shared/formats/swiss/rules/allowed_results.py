"""Results that are refused under the options as they are set, with the option that would allow them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shared.formats.swiss.rules.game_parts import OutcomePoints
from shared.formats.swiss.rules.outcomes import LIMIT_OF_LISTS
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.model import PLAYED, Facts
from shared.rules.option_hints import or_option


def with_option(ruleset: Ruleset, facts: Facts, fault: Fault) -> Fault:
    """A fault of a result, with the option that would allow it where there is one."""
    return replace(fault, expected=fault.expected + _option(ruleset, facts, fault))


def _option(ruleset: Ruleset, facts: Facts, fault: Fault) -> str:
    if isinstance(ruleset.points, OutcomePoints) and fault.expected.endswith(LIMIT_OF_LISTS):
        told: Mapping[str, int | None] = {
            "/points_1": facts.points_1,
            "/points_2": facts.points_2,
            **{f"/extra/{name}": value for name, value in facts.extra.items()},
        }
        needed = told.get(fault.where) or 0
        return or_option(ruleset, "/points/list_limit", lambda most: type(most) is int and most >= needed, needed)
    if facts.kind in PLAYED and fault.where.startswith("/extra/list_") and fault.said == "missing":
        return or_option(ruleset, "/concession/award", lambda award: award == "table")
    return ""
