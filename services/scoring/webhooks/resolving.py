"""What names stand for: looked up by this machine, on threads of their own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address

from services.scoring.webhooks.targets import Address

LOOK_UPS = 16
"""Names looked up at once; a server of names that hangs holds a thread for each."""

Resolve = Callable[[str, int], Awaitable[Sequence[Address]]]
"""The addresses that a host stands for. Raises OSError where it stands for none."""


def looked_up(host: str, port: int) -> list[Address]:
    """The addresses that a host stands for, as this machine knows it. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(address[0]).partition("%")[0]) for *_, address in found))


def resolver() -> Resolve:
    """A resolver with threads of its own, so that names that nobody answers for hold up nothing else."""
    threads = ThreadPoolExecutor(LOOK_UPS, thread_name_prefix="webhook-names")

    async def resolve(host: str, port: int) -> Sequence[Address]:
        return await asyncio.get_running_loop().run_in_executor(threads, looked_up, host, port)

    return resolve
