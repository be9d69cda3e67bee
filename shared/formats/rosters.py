"""Rosters, of the rulesets that have them: what catalogues add, and examples that stay legal."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from shared.refusals import Fault
from shared.rules.parts import AnyRuleset
from shared.swiss import roster
from shared.swiss.roster import with_catalogue_values
from shared.swiss.ruleset import Ruleset

Rules = TypeVar("Rules", bound=AnyRuleset)


def faults_of_example(ruleset: AnyRuleset) -> list[Fault]:
    """Return everything that makes the example roster of a pack illegal, each at its JSON pointer."""
    return roster.faults_of_example(ruleset) if isinstance(ruleset, Ruleset) else []


def with_legal_example(ruleset: Rules) -> Rules:
    """Return the ruleset with an example roster that its options leave legal."""
    return cast(Rules, roster.with_legal_example(ruleset)) if isinstance(ruleset, Ruleset) else ruleset


def with_catalogue(ruleset: AnyRuleset, data: Any, where: str) -> AnyRuleset | None:
    """Return the ruleset with what else rosters may hold; None if it has no rosters.

    data: the catalogue as JSON has it. where: what the pointers of faults begin with. Raises PackRefused.
    """
    return with_catalogue_values(ruleset, data, where) if isinstance(ruleset, Ruleset) else None
