"""What every format answers of a tournament in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.formats import FORMATS
from shared.refusals import Fault
from shared.rules.refusals import RoundsNotFixed
from shared.tournament.final_results import ResultRow
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
