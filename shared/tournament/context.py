"""What a decision is handed beside state and command: who, when, and what the log already held."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shared.events.actors import Actor, line_of
from shared.events.recorded import Head
from shared.roles import REFEREE_UP
from shared.rules.draw import Draws

RULE = "rule"
"""The role of a rule that acts by itself; nobody has a token for it."""


class By(Struct, frozen=True, forbid_unknown_fields=True):
    """Who a command comes from: the actor's id, their role, for a player which one, and the venue in their token.

    token: the id of the token that was used. issuer, entered_by: as `shared.events.actors.Actor` has them.
    clause, cause: of a rule that acts by itself, where it stands and the id of the event that made it due.
    """

    actor: str
    role: str
    player: str = ""
    venue: str = ""
    issuer: str = ""
    entered_by: str = ""
    token: str = ""
    clause: str = ""
    cause: str = ""

    @property
    def staff(self) -> bool:
        """Whether they act for others: organiser, referee, or a rule."""
        return self.role in REFEREE_UP or self.role == RULE

    def on_record(self) -> dict[str, str]:
        """What stands in a log of who asked, beside the actor line."""
        members = ("role", "player", "venue", "token", "clause", "cause")
        return {name: value for name in members if (value := getattr(self, name))}

    def line(self, venue: str) -> str:
        """The actor line of what they do. venue: where they act, empty for everywhere."""
        return line_of(Actor(self.actor, self.role, venue, self.issuer, self.entered_by))


def by_rule(clause: str, cause: str = "") -> By:
    """A rule that acts by itself. clause: where it stands. cause: the id of the event that made it due."""
    return By(RULE, RULE, clause=clause, cause=cause)


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
