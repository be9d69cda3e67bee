"""A command's row in the table of its service; one that several formats know is decided by each in its own way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from shared.events.base import Event
from shared.tournament.context import Context
from shared.tournament.guards import Venues
from shared.tournament.refusals import WrongFormat
from shared.tournament.state import Tournament

Decide = Callable[[Tournament, Any, Context], Sequence[Event]]
Version = Callable[[Tournament, Any], int]
"""The position of the last event that touched what a command is about; 0 where there is none."""


class Handler(Struct, frozen=True):
    """What governs a command.

    decide: what follows from it. roles: who may ask; none where whoever asks needs no role, or where a rule asks.
    formats: of the tournaments that know it; none where all do. venues: those that it is about, for staff who act at
    one venue only. version: for a command by which two people edit one thing, when that was touched last; any other is
    done only where nothing at all was appended since. fresh: the other services are asked first for what they have
    appended meanwhile.
    """

    decide: Decide
    roles: Sequence[str] = ()
    formats: Sequence[str] = ()
    venues: Venues | None = None
    version: Version | None = None
    fresh: bool = False


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
