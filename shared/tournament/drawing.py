"""Events about secrets that follow a command: commitments at the start and after each reveal, and the last reveal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.events.base import Event
from shared.shapes import Command
from shared.tournament.context import Context
from shared.tournament.draws import Oracle, with_draws
from shared.tournament.state import Tournament


class KeepDraws(Command, frozen=True, kw_only=True):
    """Commit to the first secret of a tournament, or reveal the last one once it is over. A rule gives it."""


def keep_draws(state: Tournament, command: KeepDraws, context: Context) -> Sequence[Event]:
    """Decide nothing: `drawn` adds the events about secrets."""
    return []


def is_over(state: Tournament) -> bool:
    """Return True if no question is asked any more, except after a late correction."""
    return state.results.concluded or state.entries.status == "cancelled"


def drawn(state: Tournament, command: Any, events: Sequence[Event], oracle: Oracle, keeps_back: bool) -> list[Event]:
    """Return the events of a decision with the answers drawn for it, and the events about secrets that follow.

    keeps_back: as of `with_draws`.
    """
    if isinstance(command, KeepDraws):
        if is_over(state):
            oracle.reveal()
        elif not oracle.is_committed:
            oracle.commit()
    return with_draws(events, oracle, keeps_back=keeps_back)
