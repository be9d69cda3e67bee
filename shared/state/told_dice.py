"""Dice that were told at the table: on whose word they rest, who can confirm them, and what was said of them. FS-AUD-1.

A die rests on one word until somebody else who was there gives theirs. The campaign goes on meanwhile; it is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from msgspec import Struct

from shared.events import campaign_dice as said
from shared.events.actors import actor_of

Standing = Literal["confirmed", "not_asked", "unconfirmed", "disputed", "upheld", "rejected"]
"""confirmed: by somebody else who was there, or told by staff. not_asked: the ruleset asks nobody. upheld, rejected: by
staff."""

STANDINGS: tuple[Standing, ...] = ("confirmed", "not_asked", "unconfirmed", "disputed", "upheld", "rejected")
STAFF = ("operator", "organiser", "head_referee", "referee")
WITH_RESULT = "result"
"""The cause of dice of a report: the rival has confirmed it, or staff have ruled."""


class ToldDie(Struct, gc=False):
    """A roll that was told. told_by, role: who entered it; agreed: both sides have, with the result of their game."""

    roll: str
    group: str
    round: int
    purpose: str
    faces: tuple[int, ...]
    rolled_by: str
    witnessed_by: str
    told_by: str
    role: str
    agreed: bool = False


class HasTold(Protocol):
    """A slice that holds told dice by roll."""

    told_dice: dict[str, ToldDie]


class HasWords(Protocol):
    """A slice that holds what was said of told dice."""

    said_of_dice: dict[str, Standing]


def keep_told(state: HasTold, event: Any, row: Any) -> None:
    """A roll is kept if it was told."""
    if event.source == "table":
        actor = actor_of(row.actor)
        state.told_dice[event.roll] = ToldDie(
            event.roll,
            event.group,
            event.round,
            event.purpose,
            tuple(die.natural for die in event.dice),
            event.rolled_by,
            event.witnessed_by,
            actor.name,
            actor.role,
            event.cause == WITH_RESULT,
        )


def _confirmed(state: HasWords, event: said.DiceConfirmed, row: Any) -> None:
    state.said_of_dice.update(dict.fromkeys(event.rolls, "confirmed"))


def _disputed(state: HasWords, event: said.DiceDisputed, row: Any) -> None:
    state.said_of_dice.update(dict.fromkeys(event.rolls, "disputed"))


def _ruled(state: HasWords, event: said.DiceRuled, row: Any) -> None:
    state.said_of_dice.update(dict.fromkeys(event.rolls, "upheld" if event.stands else "rejected"))


EVOLVE: dict[type, Callable[[Any, Any, Any], None]] = {
    said.DiceConfirmed: _confirmed,
    said.DiceDisputed: _disputed,
    said.DiceRuled: _ruled,
}
"""Event -> what it changes."""


def told_dice(state: Any) -> dict[str, ToldDie]:
    """Every die of a campaign that was told, of building and of play, in the order of the logs."""
    return {**state.enlisted.told_dice, **state.campaign.told_dice}


def teller(state: Any, die: ToldDie) -> str:
    """The player whose word a die is: who told it, as a player or as a member of staff who plays; empty for others."""
    if die.role not in STAFF:
        return die.told_by
    member = state.entries.staff.get(die.told_by)
    own = member.player if member is not None else ""
    return own if own and own in (die.group, die.rolled_by, die.witnessed_by) else ""


def second_word(state: Any, die: ToldDie) -> str:
    """Who else was there by the told die: its witness, or the roller where the witness told it; empty: nobody need."""
    own = teller(state, die)
    if die.agreed or not own:
        return ""
    return die.rolled_by if die.witnessed_by in (own, die.told_by) else die.witnessed_by


def standing_of(state: Any, die: ToldDie, asked: bool) -> Standing:
    """How far a die is vouched for. asked: whether the ruleset has others confirm dice (`fs.dice.witness`)."""
    known: Standing | None = state.campaign.said_of_dice.get(die.roll)
    if known is not None:
        return known
    if not second_word(state, die):
        return "confirmed"
    return "unconfirmed" if asked else "not_asked"


def standings_of_dice(state: Any, asked: Callable[[int], bool]) -> Iterator[tuple[ToldDie, Standing]]:
    """Every told die with how far it is vouched for. asked: of a round, as for `standing_of`."""
    for die in told_dice(state).values():
        yield die, standing_of(state, die, asked(die.round))
