"""What every format answers in its own way: of a tournament, and of the plain values of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from shared.formats import FORMATS
from shared.refusals import Expected, Fault, as_said, expects, one_of
from shared.rules.refusals import PackRefused, RoundsNotFixed
from shared.rules.ruleset import AnyRuleset
from shared.rules.shape_checks import faults_of_shape
from shared.tournament.placings import ResultRow
from shared.tournament.state import Tournament


def rounds_if_fixed(state: Tournament) -> int | None:
    """The planned rounds; None also while there are too few players to tell."""
    try:
        return FORMATS[state.entries.format].planned_rounds(state)
    except RoundsNotFixed:
        return None


def improbable_facts(state: Tournament, facts: Mapping[str, Any]) -> list[Fault]:
    """What is improbable in facts that can be, each at its place in them; nothing where nothing is announced.

    state: as it was before they were told.
    """
    format = FORMATS.get(state.entries.format)
    return format.improbable(state, facts) if format else []


def formats_with_results() -> list[str]:
    """The formats whose results a season counts."""
    return [name for name, format in FORMATS.items() if format.final_results]


def results_of(state: Tournament) -> list[ResultRow]:
    """The results of a tournament, in order of places; none as long as it is not concluded, or when it is cancelled.

    Raises KeyError for a format whose results no season counts.
    """
    if not state.results.concluded or state.entries.status == "cancelled":
        return []
    results = FORMATS[state.entries.format].final_results
    if results is None:
        raise KeyError(state.entries.format)
    return results(state)


_DATE = re.compile(r"\d{4}(-\d{2}){0,2}", re.ASCII)

# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
for _format in FORMATS.values():
    msgspec.json.Decoder(_format.ruleset)


def ruleset_type(data: Any) -> type[AnyRuleset]:
    """What the plain values of a pack are to become, by their format; a Swiss ruleset where they name none that is."""
    said = data.get("format") if isinstance(data, Mapping) else None
    return FORMATS[said if isinstance(said, str) and said in FORMATS else "swiss"].ruleset


def faults_of_form(data: Any) -> list[Fault]:
    """Everything in the plain values of a pack that does not fit its format, or any format, each at its pointer."""
    formats = one_of(list(FORMATS))
    return [
        msgspec.structs.replace(fault, expected=formats) if fault.where == "/format" else _without_python(fault)
        for fault in faults_of_shape(data, ruleset_type(data))
    ]


BEYOND_PACKS: Mapping[str, Expected] = {
    "virtual_opponent": expects("no-virtual-opponents"),
    "virtual_opponents": expects("no-virtual-opponents"),
    "colours": expects("no-colours"),
    "colors": expects("no-colours"),
    "acceleration": expects("no-acceleration"),
    "teams": expects("no-team-matches"),
    "rating": expects("no-order-by-ratings"),
    "ratings": expects("no-order-by-ratings"),
}
"""Key that people try in a pack, for a feature that a pack cannot express -> what is right in its place."""


def _without_python(fault: Fault) -> Fault:
    """Say of an unknown key that no other spelling of it would help."""
    expected = BEYOND_PACKS.get(fault.where.rpartition("/")[2])
    if expected is None or fault.code != "known-key":
        return fault
    return msgspec.structs.replace(fault, expected=expected)


def faults_of_ruleset(ruleset: AnyRuleset) -> list[Fault]:
    """Everything a well-formed ruleset still gets wrong, each at its JSON pointer."""
    return [*_faults_of_date(ruleset.document.date), *FORMATS[ruleset.format].faults(ruleset)]


def _faults_of_date(said: str) -> list[Fault]:
    """A document has the day, the month or the year in which it came out."""
    try:
        date.fromisoformat(said + "-01-01"[len(said) - 4 :] if _DATE.fullmatch(said) else "")
    except ValueError:
        return [Fault("/document/date", as_said(said), expects("day-month-or-year"))]
    return []


def from_json(data: dict[str, Any]) -> AnyRuleset:
    """The ruleset that `to_json` wrote. Raises PackRefused with every fault when it is not one."""
    if faults := faults_of_form(data):
        raise PackRefused("this is not a ruleset", faults)
    return msgspec.convert(data, ruleset_type(data))
