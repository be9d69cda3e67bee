"""What people say of dice that were told at the table: they saw them, or they did not. FS-AUD-1."""

from __future__ import annotations

from shared.events.base import Event


class DiceConfirmed(Event, frozen=True, kw_only=True):
    """Whoever was named with these rolls, or staff, says that they fell like this."""

    rolls: list[str]


class DiceDisputed(Event, frozen=True, kw_only=True):
    """Whoever was named with these rolls says that they did not fall like this; staff rule."""

    rolls: list[str]
    reason: str


class DiceRuled(Event, frozen=True, kw_only=True):
    """Staff rule whether rolls stand. What one that does not has brought about is entered, or its game voided."""

    rolls: list[str]
    stands: bool
    reason: str


OF_DICE = (DiceConfirmed, DiceDisputed, DiceRuled)
