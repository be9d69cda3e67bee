"""Who looked at whose personal data, when, and at what: beside the personal data, and erased with them.

Not in the log: that is for ever, and who cared for somebody's needs is as private as the needs are.
"""

from __future__ import annotations

from typing import Annotated

from services.registration.tournament.personal_data_vault import PERSONAL
from shared.eventlog.database import Connection, Table
from shared.shapes import View
from shared.tournament.context import By

LOOKS = Table(
    "personal_looks", ("id", "tournament", "player", "time", "actor", "role", "members"), ("id",), numbered=True
)


class LookView(View, frozen=True, kw_only=True):
    """Somebody was shown personal data."""

    id: int
    time: str
    actor: Annotated[str, "For staff, the id that the tournament shows."]
    role: str
    members: list[str]


def hold(connection: Connection, tournament: str, player: str) -> None:
    """Let no erasure come between what is read and the look that is noted."""
    connection.find(PERSONAL, {"tournament": tournament, "player": player}, columns=("player",), lock=True)


def note(connection: Connection, tournament: str, player: str, by: By, time: str, members: list[str]) -> None:
    """Keep that somebody was shown these members of a player's personal data. time: as events have it."""
    row = {
        "tournament": tournament,
        "player": player,
        "time": time,
        "actor": by.actor,
        "role": by.role,
        "members": ",".join(members),
    }
    connection.add(LOOKS, [row])


def looks_at(connection: Connection, tournament: str, player: str, after: int, limit: int) -> list[LookView]:
    """The looks at a player's personal data behind the one with the id `after`, in their order."""
    where = {"tournament": tournament, "player": player, "id >": after}
    wanted = ("id", "time", "actor", "role", "members")
    return [
        LookView(id=id, time=time, actor=actor, role=role, members=members.split(","))
        for id, time, actor, role, members in connection.find(LOOKS, where, columns=wanted, order=("id",), limit=limit)
    ]


def number_of(connection: Connection, tournament: str, player: str) -> int:
    """How many looks at a player's personal data are kept."""
    return connection.total(LOOKS, {"tournament": tournament, "player": player})


def erase(connection: Connection, tournament: str, player: str) -> None:
    """Forget who looked, once nothing is left that they looked at."""
    connection.remove(LOOKS, {"tournament": tournament, "player": player})
