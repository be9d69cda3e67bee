"""Dice told at the table: on whose word they rest, who can confirm them, and what was said of them. FS-AUD-1.

A die rests on one word until somebody else who was there gives theirs. The campaign goes on meanwhile; it is marked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from shared.campaign.dice import KeptRoll, RolledDice
from shared.log.event import Event, read_actor


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


DICE_EVENTS = (DiceConfirmed, DiceDisputed, DiceRuled)


DieStatus = Literal["confirmed", "not_asked", "unconfirmed", "disputed", "upheld", "rejected"]
"""confirmed: by somebody else who was there, or told by staff. not_asked: the ruleset asks nobody. upheld, rejected: by
staff."""

WITH_RESULT = "result"
"""The cause of dice of a report: the rival has confirmed it, or staff have ruled."""


class ReportedDie(Struct, gc=False):
    """A roll that was told. told_by, role: who entered it; agreed: both sides have, with the result of their game.

    position: of its event in the log. member: whom it was rolled for, if anybody.
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
    member: str = ""


class HasDice(Protocol):
    """A slice that holds told dice by roll, and every roll by its question."""

    reported_dice: dict[str, ReportedDie]
    dice: RolledDice


class HasWords(Protocol):
    """A slice that holds what was said of told dice."""

    dice_status: dict[str, DieStatus]


def keep_roll(state: HasDice, event: Any, row: Any) -> KeptRoll | None:
    """Keep a roll. Return the roll that had its question before, if there was one."""
    actor = read_actor(row.actor)
    before = state.dice.rolls.get(event.question)
    kept = state.dice.keep(
        event.question,
        KeptRoll(
            event.roll,
            event.group,
            event.round,
            event.purpose,
            event.dice,
            event.source,
            row.position,
            event.member,
            event.rolled_by,
            event.witnessed_by,
            actor.actor,
            actor.role,
            event.cause == WITH_RESULT,
        ),
    )
    if event.source == "table":
        state.reported_dice[event.roll] = as_reported(kept)
    return before


def as_reported(roll: KeptRoll) -> ReportedDie:
    """Return a roll as a die that somebody told."""
    return ReportedDie(
        roll.roll,
        roll.group,
        roll.round,
        roll.purpose,
        roll.faces,
        roll.rolled_by,
        roll.witnessed_by,
        roll.told_by,
        roll.role,
        roll.agreed,
        roll.position,
        roll.member,
    )


def take_back(state: HasDice, is_void: Callable[[KeptRoll], bool], position: int) -> None:
    """Discard rolls until their questions are asked again: nobody is asked for a word about them meanwhile."""
    for roll in state.dice.take_back(is_void, position):
        state.reported_dice.pop(roll.roll, None)


def _confirmed(state: HasWords, event: DiceConfirmed, row: Any) -> None:
    state.dice_status.update(dict.fromkeys(event.rolls, "confirmed"))


def _disputed(state: HasWords, event: DiceDisputed, row: Any) -> None:
    state.dice_status.update(dict.fromkeys(event.rolls, "disputed"))


def _ruled(state: HasWords, event: DiceRuled, row: Any) -> None:
    state.dice_status.update(dict.fromkeys(event.rolls, "upheld" if event.stands else "rejected"))


DICE_CHANGES: dict[type, Callable[[Any, Any, Any], None]] = {
    DiceConfirmed: _confirmed,
    DiceDisputed: _disputed,
    DiceRuled: _ruled,
}
"""Event -> what it changes."""
