"""Dice that were told at the table: on whose word they rest, who can confirm them, and what was said of them. FS-AUD-1.

A die rests on one word until somebody else who was there gives theirs. The campaign goes on meanwhile; it is marked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from shared.events.actors import read_actor
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


Standing = Literal["confirmed", "not_asked", "unconfirmed", "disputed", "upheld", "rejected"]
"""confirmed: by somebody else who was there, or told by staff. not_asked: the ruleset asks nobody. upheld, rejected: by
staff."""

WITH_RESULT = "result"
"""The cause of dice of a report: the rival has confirmed it, or staff have ruled."""


class ToldDie(Struct, gc=False):
    """A roll that was told. told_by, role: who entered it; agreed: both sides have, with the result of their game.

    position: of its event in the log.
    """

    roll: str
    group: str
    round: int
    purpose: str
    faces: tuple[int, ...]
    rolled_by: str
    witnessed_by: str
    told_by: str
    role: str
    agreed: bool
    position: int


class HasTold(Protocol):
    """A slice that holds told dice by roll."""

    told_dice: dict[str, ToldDie]


class HasWords(Protocol):
    """A slice that holds what was said of told dice."""

    said_of_dice: dict[str, Standing]


def keep_told(state: HasTold, event: Any, row: Any) -> None:
    """A roll is kept if it was told."""
    if event.source == "table":
        actor = read_actor(row.actor)
        state.told_dice[event.roll] = ToldDie(
            event.roll,
            event.group,
            event.round,
            event.purpose,
            tuple(die.natural for die in event.dice),
            event.rolled_by,
            event.witnessed_by,
            actor.actor,
            actor.role,
            event.cause == WITH_RESULT,
            row.position,
        )


def forget_told(state: HasTold, group: str, since: int) -> None:
    """What was told of a group since an event is void, as its game is: nobody is asked for a word about it."""
    void = [roll for roll, die in state.told_dice.items() if die.group == group and die.position > since]
    for roll in void:
        del state.told_dice[roll]


def _confirmed(state: HasWords, event: DiceConfirmed, row: Any) -> None:
    state.said_of_dice.update(dict.fromkeys(event.rolls, "confirmed"))


def _disputed(state: HasWords, event: DiceDisputed, row: Any) -> None:
    state.said_of_dice.update(dict.fromkeys(event.rolls, "disputed"))


def _ruled(state: HasWords, event: DiceRuled, row: Any) -> None:
    state.said_of_dice.update(dict.fromkeys(event.rolls, "upheld" if event.stands else "rejected"))


EVOLVE: dict[type, Callable[[Any, Any, Any], None]] = {
    DiceConfirmed: _confirmed,
    DiceDisputed: _disputed,
    DiceRuled: _ruled,
}
"""Event -> what it changes."""
