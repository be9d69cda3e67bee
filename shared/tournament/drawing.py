"""When a tournament commits to its first secret, and when it reveals the last one."""

from __future__ import annotations

from collections.abc import Sequence

from shared.log.event import Event
from shared.shapes import Command
from shared.tournament.context import Context
from shared.tournament.draws import Oracle
from shared.tournament.state import Tournament


class KeepDraws(Command, frozen=True, kw_only=True):
    """Commit to the first secret of a tournament, or reveal the last one once it is over. A rule gives it."""


def keep_draws(state: Tournament, command: KeepDraws, context: Context) -> Sequence[Event]:
    """Commit or reveal; the events of either follow from the oracle, as those of every decision do."""
    oracle = context.draws
    assert isinstance(oracle, Oracle), "no preview shows what a rule does about secrets"
    if is_over(state):
        oracle.reveal()
    elif not oracle.is_committed:
        oracle.commit()
    return []


def is_over(state: Tournament) -> bool:
    """Return True if no question is asked any more, except after a late correction."""
    return state.results.concluded or state.entries.status == "cancelled"
