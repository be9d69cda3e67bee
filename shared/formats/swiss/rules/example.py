"""The example roster of a pack: legal by the pack itself, and cut to size where an option lowers a limit."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from msgspec.structs import replace

from shared.formats.swiss.rules.roster import check_roster
from shared.formats.swiss.rules.roster_checks import points_of
from shared.formats.swiss.rules.roster_parts import Total
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault


def faults_of_example(ruleset: Ruleset) -> list[Fault]:
    """Everything that makes the example of a pack illegal, each at its JSON pointer; nothing without an example."""
    example = ruleset.roster.example
    found = check_roster(ruleset, example) if example else []
    return [replace(fault, where=f"/roster/example{fault.where}") for fault in found]


def with_legal_example(ruleset: Ruleset) -> Ruleset:
    """The ruleset with an example that its options leave legal: as it is, with fewer points, or none at all.

    The points of every list over its limit are lowered in proportion, down to just the limit, and the sums that are
    written are written anew.
    """
    if not faults_of_example(ruleset):
        return ruleset
    example = deepcopy(ruleset.roster.example)
    totals = [check for check in ruleset.roster.checks if isinstance(check, Total) and check.active]
    for check in sorted(totals, key=lambda check: len(check.of)):  # a part before the whole that it is in
        found = sum(points_of(example.get(name, ())) for name in check.of)
        if found > check.most:
            _lower([example.get(name, ()) for name in check.of], check.most, found)
    for check in totals:
        if check.written:
            example[check.written] = sum(points_of(example.get(name, ())) for name in check.of)
    smaller = replace(ruleset, roster=replace(ruleset.roster, example=example))
    return replace(smaller, roster=replace(smaller.roster, example={})) if faults_of_example(smaller) else smaller


def _lower(lists: Any, most: int, found: int) -> None:
    """Make `most` points of the `found` ones, nested ones too, each its share of what came before it and itself."""
    passed = 0

    def lower(entries: Any) -> None:
        nonlocal passed
        for entry in entries:
            if points := entry.get("points", 0):
                entry["points"] = (passed + points) * most // found - passed * most // found
                passed += points
            for inner in entry.values():
                if isinstance(inner, list):
                    lower(inner)

    for entries in lists:
        lower(entries)
