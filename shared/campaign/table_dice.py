"""Dice rolled at the table: who reported them, who can confirm them, and how they were confirmed or ruled (FS-AUD-1).

Dice are marked as unconfirmed until a second person who was present confirms them. The campaign goes on meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from shared.campaign.dice import KeptRoll, RolledDice
from shared.log.event import Event, read_actor
from shared.roles import REFEREE_UP


class DiceConfirmed(Event, frozen=True, kw_only=True):
    """A person named with these rolls, or staff, confirmed that the dice fell as reported.

    - `rolls`: ids of the rolls.
    """

    rolls: list[str]


class DiceDisputed(Event, frozen=True, kw_only=True):
    """A person named with these rolls said that the dice did not fall as reported. Staff must rule.

    - `rolls`: ids of the rolls.
    - `reason`: why the rolls are disputed.
    """

    rolls: list[str]
    reason: str


class DiceRuled(Event, frozen=True, kw_only=True):
    """Staff ruled on rolls. In a running phase, what hung on a rejected roll is decided again with a new one.

    Otherwise its consequences are corrected by ledger entries or by voiding the game.

    - `rolls`: ids of the rolls.
    - `stands`: true if the rolls are upheld; otherwise they are rejected.
    - `reason`: the reason for the ruling.
    """

    rolls: list[str]
    stands: bool
    reason: str


DICE_EVENTS = (DiceConfirmed, DiceDisputed, DiceRuled)


DieStatus = Literal["confirmed", "not_asked", "unconfirmed", "reported_by_staff", "disputed", "upheld", "rejected"]
"""`confirmed`: by a second person. `not_asked`: the ruleset requires no confirmation. `reported_by_staff`: the person
    named with it has not spoken yet. `upheld`, `rejected`: ruled by staff.
"""

WITH_RESULT = "result"
"""Cause of the dice of a game report. The rival agreed to them by confirming the result, unless staff entered it."""


class ReportedDie(Struct, gc=False):
    """A roll made at the table and reported.

    reported_by: id of the person who entered it.
    role: role in which that person acted.
    agreed: both sides confirmed it with the result of their game.
    position: position of its event in the log.
    member: id of the member that it was rolled for, if any.
    """

    roll: str
    group: str
    round: int
    purpose: str
    faces: tuple[int, ...]
    rolled_by: str
    witnessed_by: str
    reported_by: str
    role: str
    agreed: bool
    position: int
    member: str = ""


class HasDice(Protocol):
    """A slice that holds reported dice by roll id, and every roll by its question."""

    reported_dice: dict[str, ReportedDie]
    dice: RolledDice


class HasDiceStatus(Protocol):
    """A slice that holds the status of reported dice, and the id of the person who confirmed each."""

    dice_status: dict[str, DieStatus]
    dice_confirmed_by: dict[str, str]


def keep_roll(state: HasDice, event: Any, row: Any) -> KeptRoll | None:
    """Keep a roll. Return the roll that answered its question before, if any."""
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
            event.cause == WITH_RESULT and actor.role not in REFEREE_UP,
        ),
    )
    if event.source == "table":
        state.reported_dice[event.roll] = as_reported(kept)
    return before


def as_reported(roll: KeptRoll) -> ReportedDie:
    """Return a kept roll as a reported die."""
    return ReportedDie(
        roll.roll,
        roll.group,
        roll.round,
        roll.purpose,
        roll.faces,
        roll.rolled_by,
        roll.witnessed_by,
        roll.reported_by,
        roll.role,
        roll.agreed,
        roll.position,
        roll.member,
    )


def discard_rolls(state: HasDice, is_void: Callable[[KeptRoll], bool], position: int) -> None:
    """Discard rolls until their questions are asked again. No one is asked to confirm them meanwhile."""
    for roll in state.dice.discard(is_void, position):
        state.reported_dice.pop(roll.roll, None)


def _confirmed(state: HasDiceStatus, event: DiceConfirmed, row: Any) -> None:
    state.dice_status.update(dict.fromkeys(event.rolls, "confirmed"))
    state.dice_confirmed_by.update(dict.fromkeys(event.rolls, read_actor(row.actor).actor))


def _disputed(state: HasDiceStatus, event: DiceDisputed, row: Any) -> None:
    state.dice_status.update(dict.fromkeys(event.rolls, "disputed"))


def _ruled(state: HasDiceStatus, event: DiceRuled, row: Any) -> None:
    state.dice_status.update(dict.fromkeys(event.rolls, "upheld" if event.stands else "rejected"))


DICE_CHANGES: dict[type, Callable[[Any, Any, Any], None]] = {
    DiceConfirmed: _confirmed,
    DiceDisputed: _disputed,
    DiceRuled: _ruled,
}
"""Event -> its change of the slice."""
