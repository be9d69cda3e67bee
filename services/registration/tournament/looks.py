"""Who looked at whose personal data, when, and at what: beside the personal data, and erased with them.

Not in the log: that is for ever, and who cared for somebody's needs is as private as the needs are.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, text

from shared.tournament.context import By

_ADD = text("""INSERT INTO personal_looks (tournament, player, time, actor, role, members)
    VALUES (:tournament, :player, :time, :actor, :role, :members)""")
_LIST = text("""SELECT id, time, actor, role, members FROM personal_looks
    WHERE tournament = :tournament AND player = :player AND id > :after ORDER BY id LIMIT :limit""")
_ERASE = text("DELETE FROM personal_looks WHERE tournament = :tournament AND player = :player")
_HOLD = text("SELECT 1 FROM personal WHERE tournament = :tournament AND player = :player FOR SHARE")


def hold(connection: Connection, tournament: str, player: str) -> None:
    """Let no erasure come between what is read and the look that is noted; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(_HOLD, {"tournament": tournament, "player": player})


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
    connection.execute(_ADD, row)


def looks_at(connection: Connection, tournament: str, player: str, after: int, limit: int) -> list[dict[str, Any]]:
    """The looks at a player's personal data behind the one with the id `after`, in their order."""
    found = connection.execute(_LIST, {"tournament": tournament, "player": player, "after": after, "limit": limit})
    return [
        {"id": row.id, "time": row.time, "actor": row.actor, "role": row.role, "members": row.members.split(",")}
        for row in found
    ]


def erase(connection: Connection, tournament: str, player: str) -> None:
    """Forget who looked, once nothing is left that they looked at."""
    connection.execute(_ERASE, {"tournament": tournament, "player": player})
