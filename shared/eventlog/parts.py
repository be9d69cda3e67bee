"""Parts: what the workers of a service run, and how each of them is, in the database that its web side reads.

In containers nothing else of a worker is seen from outside: a row tells when a part last lived, and why it is down.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, text

FORGOTTEN_MS = 10 * 60 * 1000
"""A worker that was silent for so long was taken away, and is missed by nobody."""

_SAY = text("""INSERT INTO parts (name, holder, beat, deaths, due, trouble)
    VALUES (:name, :holder, :beat, :deaths, :due, :trouble) ON CONFLICT (name, holder) DO UPDATE
    SET beat = excluded.beat, deaths = excluded.deaths, due = excluded.due, trouble = excluded.trouble""")
_FORGET = text("DELETE FROM parts WHERE beat < :before")
_LEAVE = text("DELETE FROM parts WHERE holder = :holder")
_ALL = text("SELECT name, holder, beat, deaths, due, trouble FROM parts ORDER BY name, beat DESC")


class PartSaid(msgspec.Struct, frozen=True):
    """One part of one worker. holder: which worker. beat: its last sign of life, Unix ms. deaths: since it last ran
    well. due: when it is started again, Unix ms; 0 where it runs. trouble: why it does not do its work; empty: it does.
    """

    name: str
    holder: str
    beat: int
    deaths: int = 0
    due: int = 0
    trouble: str = ""


def say_parts(connection: Connection, said: Sequence[PartSaid]) -> None:
    """Write down how parts are, and forget those of workers that are gone."""
    for part in said:
        connection.execute(_SAY, msgspec.structs.asdict(part))
    if said:
        connection.execute(_FORGET, {"before": max(part.beat for part in said) - FORGOTTEN_MS})


def leave(connection: Connection, holder: str) -> None:
    """A worker was told to stop: nobody waits for its parts."""
    connection.execute(_LEAVE, {"holder": holder})


def parts_said(connection: Connection) -> list[PartSaid]:
    """What every part said last, by name, the liveliest first."""
    return [PartSaid(*row) for row in connection.execute(_ALL)]
