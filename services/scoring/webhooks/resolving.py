"""Name resolution by the system, on separate threads."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address

from services.scoring.webhooks.targets import Address

_LOOKUP_THREADS = 16
"""Concurrent lookups. A name server that does not answer blocks a thread for each."""

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
"""Resolves a host and a port to addresses. Raises OSError if there are none."""


def look_up(host: str, port: int) -> list[Address]:
    """Return the addresses of a host, resolved by the system. Raises OSError."""
    results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(address[0]).partition("%")[0]) for *_, address in results))


def thread_resolver() -> Resolve:
    """Return a resolver with its own threads, so that slow lookups delay nothing else."""
    threads = ThreadPoolExecutor(_LOOKUP_THREADS, thread_name_prefix="webhook-names")

    async def resolve(host: str, port: int) -> Sequence[Address]:
        return await asyncio.get_running_loop().run_in_executor(threads, look_up, host, port)

    return resolve
