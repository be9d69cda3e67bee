"""What a decision is handed beside state and command: who, when, and what the log already held."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shared.events.actors import Actor, line_of
from shared.events.recorded import Head
from shared.roles import REFEREE_UP

"""Roles that may act for others."""


class By(Struct, frozen=True):
    """Who a command comes from: the actor's id, their role, for a player which one, and the venue in their token.

    issuer, entered_by: as `shared.events.actors.Actor` has them. rule: nobody asked, it follows from a rule.
    """

    actor: str
    role: str
    player: str = ""
    venue: str = ""
    issuer: str = ""
    entered_by: str = ""
    rule: bool = False

    @property
    def staff(self) -> bool:
        """Whether they are organiser or referee."""
        return self.role in REFEREE_UP

    def on_record(self) -> dict[str, str | bool]:
        """What stands in a log of who asked, beside the actor line."""
        said: dict[str, str | bool] = {
            "role": self.role,
            "player": self.player,
            "venue": self.venue,
            "rule": self.rule,
        }
        return {name: value for name, value in said.items() if value}

    def line(self, venue: str) -> str:
        """The actor line of what they do. venue: where they act, empty for everywhere."""
        role = "" if self.rule else self.role
        return line_of(Actor(self.actor, role, venue, self.issuer, self.entered_by))


GUEST = By("guest", "guest")
"""Somebody without a token, where that is enough."""


class Context(Struct, frozen=True):
    """now: RFC 3339, UTC, milliseconds. heads: where each log ends in the state that is decided on."""

    by: By
    now: str
    heads: Mapping[str, Head]
    source: str

    @property
    def seed(self) -> str:
        """The seed of every draw of this decision: the hash of what the deciding log holds."""
        return self.heads[self.source].hash
