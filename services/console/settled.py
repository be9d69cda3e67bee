"""Whether a game needs no further result. What the standings count is another question, which `binds` answers."""

from __future__ import annotations

from typing import Protocol

SETTLED = ("bye", "confirmed", "ruled", "corrected")


class HasStatus(Protocol):
    """A game of any answer."""

    @property
    def status(self) -> str: ...


def is_settled(game: HasStatus) -> bool:
    """Return True if a game needs no further result."""
    return game.status in SETTLED
