"""Sending: connections to allowed addresses only, and one message to one target.

The client opens every connection through `CheckedBackend`. It resolves a name once, checks the addresses, and connects
to exactly these addresses, so a second lookup cannot bypass the check. The name is still used for TLS (SNI and
certificate) and for the Host header.

Redirects, proxies from the environment and cookies are not supported. The size of a response is limited.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from time import perf_counter, time
from typing import Any

import httpcore
import msgspec

from services.scoring.webhooks.protocol import (
    CONNECT_SECONDS,
    GONE,
    IDLE_SECONDS,
    MAX_RESPONSE_BYTES,
    STORED_RESPONSE_BYTES,
    TOTAL_SECONDS,
    Outcome,
)
from services.scoring.webhooks.resolving import Resolve
from services.scoring.webhooks.targets import Address, Target, TargetFault, TargetRules

_LOOKUP_SECONDS = 5.0


class NotAllowed(Exception):
    """The host has an address that webhooks must not reach."""


class NameUnknown(Exception):
    """The host name could not be resolved."""


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Network backend that connects to allowed addresses only. private: hosts that the operator had to allow."""

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
        """Connect to the first address that answers. Raises NotAllowed, NameUnknown, and the client's own errors."""
        addresses = await self._addresses(host, port)
        last_error: Exception = httpcore.ConnectError("no address")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last_error = error
        raise last_error

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Raise NotAllowed: targets are on the network."""
        raise NotAllowed(path)

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> Sequence[Address]:
        try:
            async with asyncio.timeout(_LOOKUP_SECONDS):
                addresses = await self._resolve(host, port)
        except (OSError, UnicodeError) as error:  # TimeoutError is an OSError
            raise NameUnknown(host) from error
        try:
            self._rules.check_addresses(addresses, host)
        except TargetFault as fault:
            raise NotAllowed(host) from fault
        if any(self._rules.allows_as_private(address) for address in addresses):
            self.private.add(host)
        return addresses


class Sender:
    """Sends messages over a connection pool for each target. Belongs to one event loop; close it there.

    tls: makes the TLS context. Called only when a target needs it, since loading the system's certificates takes a
    tenth of a second.
    """

    def __init__(
        self,
        rules: TargetRules,
        resolve: Resolve,
        max_connections: int = 8,
        tls: Callable[[], ssl.SSLContext] = ssl.create_default_context,
    ) -> None:
        self._backend = CheckedBackend(rules, resolve)
        self._rules = rules
        self._at_once = max_connections
        self._tls = tls
        self._pools: dict[str, httpcore.AsyncConnectionPool] = {}

    async def send(self, target: Target, headers: Mapping[str, str], body: bytes, challenge: str = "") -> Outcome:
        """Send a message and return the outcome. challenge: text that the response must contain; empty: none."""
        started, reply = perf_counter(), _Reply()
        try:
            async with asyncio.timeout(TOTAL_SECONDS):
                await self._exchange(target, headers, body, reply)
            fault = _fault(reply, challenge)
        except (TimeoutError, httpcore.TimeoutException):
            fault = "timeout"
        except NotAllowed:
            fault = "not-public"
        except NameUnknown:
            fault = "name-unknown"
        except (httpcore.ConnectError, ssl.SSLError) as error:
            fault = "tls" if _is_tls(error) else "unreachable"
        except (httpcore.NetworkError, httpcore.ProtocolError, OSError):
            fault = "closed"
        return Outcome(
            reply.status,
            int((perf_counter() - started) * 1000),
            fault,
            _text(reply.body[:STORED_RESPONSE_BYTES]),
            reply.retry_after,
            target.host in self._backend.private,
        )

    async def close(self) -> None:
        """Close all connections."""
        pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            await pool.aclose()

    async def _exchange(self, target: Target, headers: Mapping[str, str], body: bytes, reply: _Reply) -> None:
        url = httpcore.URL(
            scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
        )
        host = target.origin.partition("://")[2]
        sent = {"Host": host, **headers, "Content-Length": str(len(body)), "Accept": "*/*"}
        extensions = {"timeout": {"connect": CONNECT_SECONDS, "read": TOTAL_SECONDS, "write": TOTAL_SECONDS}}
        pool = self._pool(target)
        async with pool.stream(
            "POST", url, headers=list(sent.items()), content=body, extensions=extensions
        ) as response:
            reply.status = response.status
            reply.retry_after = _retry_after_ms({name.lower(): value for name, value in response.headers})
            async for chunk in response.aiter_stream():
                reply.body += chunk
                if len(reply.body) > MAX_RESPONSE_BYTES:
                    reply.too_large = True
                    return

    def _pool(self, target: Target) -> httpcore.AsyncConnectionPool:
        origin = target.origin
        if origin not in self._pools:
            self._pools[origin] = httpcore.AsyncConnectionPool(
                ssl_context=self._tls() if target.scheme == "https" else None,
                max_connections=self._at_once,
                keepalive_expiry=IDLE_SECONDS,
                http1=True,
                http2=False,
                retries=0,
                network_backend=self._backend,
            )
        return self._pools[origin]


class _Reply(msgspec.Struct):
    status: int = 0
    body: bytes = b""
    retry_after: int = 0
    too_large: bool = False


def _fault(reply: _Reply, challenge: str) -> str:
    if reply.too_large:
        return "too-large"
    if reply.status == GONE:
        return "gone"
    if 300 <= reply.status < 400:
        return "redirect"
    if not 200 <= reply.status < 300:
        return "status"
    return "" if challenge.encode() in reply.body else "challenge"


def _retry_after_ms(headers: Mapping[bytes, bytes]) -> int:
    """Return the delay in Retry-After (seconds or a date) in milliseconds, or 0 if it is missing or unreadable."""
    value = headers.get(b"retry-after", b"").decode("latin-1").strip()
    if value.isascii() and value.isdecimal():
        return int(value[:9]) * 1000
    try:
        return max(0, int((parsedate_to_datetime(value).timestamp() - time()) * 1000)) if value else 0
    except (ValueError, TypeError, OverflowError):
        return 0


def _text(body: bytes) -> str:
    """Return a body as text without unprintable characters."""
    text = body.decode("utf-8", "replace")
    return "".join(character if character.isprintable() or character == "\n" else "�" for character in text)


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
