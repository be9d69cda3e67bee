"""What a decision is handed beside state and command: who, when, and what the log already held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from shared.log.command_record import Authority
from shared.log.event import Actor, Head
from shared.roles import PLAYER, REFEREE_UP
from shared.rules.draw import Draws

RULE: Final = "rule"
"""The role of a rule that acts by itself; nobody has a token for it."""


class By(Actor, frozen=True):
    """Who gives a command: the actor of its events, and what allows it.

    venue: the one in the token; an appointment in the log overrides it (`guards.own_venue`). token: the id of the token
    that was used. clause, cause: of a rule that acts by itself, where it is written and the event that made it due.
    """

    token: str = ""
    clause: str = ""
    cause: str = ""

    @property
    def player(self) -> str:
        """The id of the player of this tournament who acts; empty for anyone else."""
        return self.actor if self.role == PLAYER and "." not in self.actor else ""

    @property
    def staff(self) -> bool:
        """Whether they act for others: organiser, referee, or a rule."""
        return self.role in REFEREE_UP or self.role == RULE

    @property
    def authority(self) -> Authority:
        """What allows the command, as its record holds it."""
        return Authority(self.token, self.clause, self.cause)


def by_rule(clause: str, cause: str = "") -> By:
    """A rule that acts by itself. clause: where it stands. cause: the id of the event that made it due."""
    return By(RULE, RULE, clause=clause, cause=cause)


def by_recorded(actor: Actor, authority: Authority) -> By:
    """Return who gave a command, from the actor of its events and its record."""
    return By(actor.actor, actor.role, actor.venue, actor.via, authority.token, authority.clause, authority.cause)


GUEST = By("guest", "guest")
"""Somebody without a token, where that is enough."""


class Context(Struct, frozen=True):
    """now: RFC 3339, UTC, milliseconds. heads: where each log ends in the state that is decided on.

    draws: answers the questions of this decision.
    """

    by: By
    now: str
    heads: Mapping[str, Head]
    source: str
    draws: Draws
