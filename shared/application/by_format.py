"""One command that tournaments of several formats know, each deciding it in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from shared.application.handlers import Decide
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.refusals import WrongFormat
from shared.tournament.state import Tournament

Row = TypeVar("Row")


def by_format(rows: Mapping[str, Row], decide: Callable[[Row, Tournament, Any, Context], Sequence[Event]]) -> Decide:
    """A decision that is handed the row of the tournament's format; of what is not announced yet the first.

    rows: format -> its row, looked up at every decision.
    What it makes raises WrongFormat for a format that has no row.
    """

    def decide_by_row(state: Tournament, command: Any, context: Context) -> Sequence[Event]:
        format = state.entries.format or next(iter(rows))
        if format not in rows:
            known = " and ".join(rows)
            raise WrongFormat(f"This is of the format {known}, the tournament {format}.", format=format)
        return decide(rows[format], state, command, context)

    return decide_by_row
