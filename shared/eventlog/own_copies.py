"""What peers said of their copies of this service's own log, where every process of the service reads it.

While a peer holds what the own log does not, nothing may be appended: it would take positions that the peers hold
otherwise. The row of the service itself stands for a recovery under way, which may have been cut off.
"""

from __future__ import annotations

import time

import msgspec

from shared.eventlog.database import Connection
from shared.eventlog.tables import OWN_COPIES


class PeerSaid(msgspec.Struct, frozen=True):
    """What one peer said last. checked: when (Unix ms). trouble: what it holds that is not here; empty: nothing."""

    peer: str
    checked: int
    trouble: str


def say(connection: Connection, peer: str, trouble: str) -> None:
    """Write down what a peer said just now."""
    connection.put(OWN_COPIES, {"peer": peer, "checked": int(time.time() * 1000), "trouble": trouble})


def withdraw(connection: Connection, peer: str) -> None:
    """Nothing is to be said of a peer any more."""
    connection.remove(OWN_COPIES, {"peer": peer})


def peers_said(connection: Connection) -> list[PeerSaid]:
    """What every peer said last, by name."""
    return [PeerSaid(*row) for row in connection.find(OWN_COPIES, order=("peer",))]
