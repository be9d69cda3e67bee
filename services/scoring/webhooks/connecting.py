"""Connections to targets, and to nothing else: the one place where a name becomes an address.

Every connection of the client is made here. So there is no second look-up between check and connection, whatever asks
for it: what a name stands for is looked up once, looked at, and connected to. The name goes on into TLS (SNI and the
check of the certificate) and into the header Host.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

import httpcore

from services.scoring.webhooks.resolving import Resolve
from services.scoring.webhooks.targets import Address, TargetFault, TargetRules

LOOK_UP_SECONDS = 5.0


class NotAllowed(Exception):
    """A host stands for an address that webhooks are not sent to."""


class NameUnknown(Exception):
    """A host stands for nothing, or nobody says for what."""


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects to addresses that the rules allow. private: hosts of which one had to be allowed by the operator."""

    def __init__(self, rules: TargetRules, resolve: Resolve, inner: httpcore.AsyncNetworkBackend | None = None) -> None:
        self._rules = rules
        self._resolve = resolve
        self._inner = inner or httpcore.AnyIOBackend()
        self.private: set[str] = set()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises NotAllowed, NameUnknown, and the client's own errors."""
        addresses = await self._addresses(host, port)
        failed: Exception = httpcore.ConnectError("no address")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Never: a target is on the network."""
        raise NotAllowed(path)

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> Sequence[Address]:
        try:
            async with asyncio.timeout(LOOK_UP_SECONDS):
                addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:  # a time that is over is an OSError, too
            raise NameUnknown(host) from error
        try:
            self._rules.need_good(addresses, host)
        except TargetFault as fault:
            raise NotAllowed(host) from fault
        if any(self._rules.allows_privately(address) for address in addresses):
            self.private.add(host)
        return addresses
