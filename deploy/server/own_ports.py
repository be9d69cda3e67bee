"""Ports of single web processes, for an edge that sends all commands of one tournament to one process.

Every process listens on the service's port, as ever, and with MUSTER_WEB_PORT_STEP on one port more that no other
process reads. gunicorn's master holds them all: while a process is started again, its callers wait and are not refused.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Sequence

from shared.settings import Settings


def processes(settings: Settings) -> int:
    """Return how many web processes a service has on this machine: one, unless MUSTER_WEB_WORKERS says otherwise."""
    return settings.web_workers or 1


def own_ports(settings: Settings) -> list[int]:
    """The port of each web process; none without MUSTER_WEB_PORT_STEP."""
    step = settings.web_port_step
    return [settings.port + step * number for number in range(1, processes(settings) + 1)] if step else []


def free_place(taken: Iterable[int], places: int) -> int:
    """The first place, from 0, that the fewest living processes have: two have one only while they are exchanged."""
    counted = list(taken)
    return min(range(places), key=counted.count)


def listened_to(listeners: Sequence[socket.socket], place: int) -> list[socket.socket]:
    """Of what the master listens on, what the process at this place takes; it closes the other ports of its own.

    listeners: the service's, then one for each place; where there is only the service's, all take that.
    """
    shared, own = listeners[:1], listeners[1:]
    for number, listener in enumerate(own):
        if number != place:
            listener.close()
    return [*shared, *own[place : place + 1]]
