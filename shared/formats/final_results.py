"""What a tournament is worth to a season: its final results as rows, as its format has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared.formats import FORMATS
from shared.tournament.final_results import ResultRow
from shared.tournament.state import Tournament

RESULTS: Mapping[str, Callable[[Tournament], list[ResultRow]]] = {
    name: format.final_results for name, format in FORMATS.items() if format.final_results
}
"""Format -> what it is worth to a season; without those that no season counts."""


def results_of(state: Tournament) -> list[ResultRow]:
    """The results of a tournament, in order of places; none as long as it is not concluded, or when it is cancelled.

    Raises KeyError for a format whose results no season counts.
    """
    if not state.results.concluded or state.entries.status == "cancelled":
        return []
    return RESULTS[state.entries.format](state)
