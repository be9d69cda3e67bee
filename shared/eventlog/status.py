"""How peers and the parts of workers are, as they said last, where every process of the service reads it.

While a peer holds what the own log does not, nothing may be appended: it would take positions that the peers hold
otherwise. The row of the service itself stands for a recovery under way, which may have been cut off.

In containers nothing else of a worker is seen from outside: a row tells when a part last lived, and why it is down.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from shared.eventlog.database import Connection


class PeerSaid(msgspec.Struct, frozen=True):
    """What one peer said last. checked: when (Unix ms). trouble: what it holds that is not here; empty: nothing."""

    peer: str
    checked: int
    trouble: str


def say_of_peer(connection: Connection, peer: str, trouble: str) -> None:
    """Write down what a peer said just now."""
    connection.run(
        """INSERT INTO own_copies (peer, checked, trouble) VALUES (:peer, :checked, :trouble)
            ON CONFLICT (peer) DO UPDATE SET checked = excluded.checked, trouble = excluded.trouble""",
        peer=peer,
        checked=int(time.time() * 1000),
        trouble=trouble,
    )


def withdraw_peer(connection: Connection, peer: str) -> None:
    """Nothing is to be said of a peer any more."""
    connection.run("DELETE FROM own_copies WHERE peer = :peer", peer=peer)


def peers_said(connection: Connection) -> list[PeerSaid]:
    """What every peer said last, by name."""
    sql = "SELECT peer, checked, trouble FROM own_copies ORDER BY peer"
    return [PeerSaid(*row) for row in connection.rows(sql)]


FORGOTTEN_MS = 10 * 60 * 1000
"""A worker that was silent for so long was taken away, and is missed by nobody."""


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
    connection.run_many(
        """INSERT INTO parts (name, holder, beat, deaths, due, trouble)
            VALUES (:name, :holder, :beat, :deaths, :due, :trouble)
            ON CONFLICT (name, holder) DO UPDATE SET
                beat = excluded.beat, deaths = excluded.deaths, due = excluded.due, trouble = excluded.trouble""",
        [msgspec.structs.asdict(part) for part in said],
    )
    if said:
        last = max(part.beat for part in said)
        connection.run("DELETE FROM parts WHERE beat < :forgotten", forgotten=last - FORGOTTEN_MS)


def leave_parts(connection: Connection, holder: str) -> None:
    """A worker was told to stop: nobody waits for its parts."""
    connection.run("DELETE FROM parts WHERE holder = :holder", holder=holder)


def parts_said(connection: Connection) -> list[PartSaid]:
    """What every part said last, by name, the liveliest first."""
    rows = connection.rows("SELECT name, holder, beat, deaths, due, trouble FROM parts ORDER BY name, beat DESC")
    return [PartSaid(*row) for row in rows]
