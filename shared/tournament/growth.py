"""How much each log of a tournament holds, and by whom: what quotas are measured on. The same for every format."""

from __future__ import annotations

from msgspec import Struct, field

from shared.log.event import GUEST, StoredEvent, read_actor
from shared.roles import PLAYER

PUBLIC = frozenset({PLAYER, GUEST})
"""Roles whose events count against the quotas of players and guests."""
ENTERING = frozenset({"PlayerJoined", "PlayerWaitlisted"})


class Tally(Struct, gc=False):
    """What one actor appended. bytes: of the events' data. rosters: how many were submitted."""

    events: int = 0
    bytes: int = 0
    rosters: int = 0


class Growth(Struct):
    """What one log holds. public_bytes: of those who are no staff; players: actor -> what they appended.

    guests: how many entered without a token; guests_of: the ten minutes (`2026-03-31T18:3`) in which the last of them
    came; guests_then: how many did in these.
    """

    events: int = 0
    bytes: int = 0
    public_bytes: int = 0
    players: dict[str, Tally] = field(default_factory=dict)
    guests: int = 0
    guests_of: str = ""
    guests_then: int = 0

    def by(self, actor: str) -> Tally:
        """What an actor who is no staff appended so far."""
        return self.players.get(actor) or Tally()


def grow(growth: Growth, told: StoredEvent, size: int) -> None:
    """Count one event. size: bytes of its data."""
    growth.events += 1
    growth.bytes += size
    actor = read_actor(told.actor)
    if actor.role not in PUBLIC:
        return
    growth.public_bytes += size
    if actor.role == GUEST:
        if told.type in ENTERING:
            moment = ten_minutes(told.time)
            growth.guests_then = growth.guests_then + 1 if growth.guests_of == moment else 1
            growth.guests, growth.guests_of = growth.guests + 1, moment
        return
    tally = growth.players.get(actor.actor)
    if tally is None:
        tally = growth.players[actor.actor] = Tally()
    tally.events += 1
    tally.bytes += size
    if told.type == "RosterSubmitted":
        tally.rosters += 1


def ten_minutes(time: str) -> str:
    """The ten minutes that a moment lies in; time: as events have it."""
    return time[:15]
