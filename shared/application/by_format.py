"""One command that tournaments of several formats know, each deciding it in its own way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.application.handlers import Decide
from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.refusals import WrongFormat
from shared.tournament.state import Tournament


def by_format(decisions: Mapping[str, Decide]) -> Decide:
    """A decision that is made as the format of the tournament has it; of what is not announced yet as Swiss.

    What it makes raises WrongFormat for a format that knows no such thing.
    """

    def decide(state: Tournament, command: Any, context: Context) -> Sequence[Event]:
        format = state.entries.format or "swiss"
        if format not in decisions:
            known = " and ".join(decisions)
            raise WrongFormat(f"This is of the format {known}, the tournament {format}.", format=format)
        return decisions[format](state, command, context)

    return decide
