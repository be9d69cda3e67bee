"""Sending: a connection checked, one message sent to one target.

Every connection of the client is made here. So there is no second look-up between check and connection, whatever asks
for it: what a name stands for is looked up once, looked at, and connected to. The name goes on into TLS (SNI and the
check of the certificate) and into the header Host.

No redirect is followed, no proxy of the environment asked, no cookie kept; a response is read as far as it may be long.
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
    KEPT_RESPONSE,
    LONGEST_RESPONSE,
    WHOLE_SECONDS,
    Outcome,
)
from services.scoring.webhooks.resolving import Resolve
from services.scoring.webhooks.targets import Address, Target, TargetFault, TargetRules

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


class Sender:
    """Sends to one target after the other, each over connections of its own. Of one event loop; `close` it there.

    tls: makes what certificates are believed by; asked once, when a target needs it: reading those of the machine takes
    a tenth of a second.
    """

    def __init__(
        self,
        rules: TargetRules,
        resolve: Resolve,
        at_once: int = 8,
        tls: Callable[[], ssl.SSLContext] = ssl.create_default_context,
    ) -> None:
        self._backend = CheckedBackend(rules, resolve)
        self._rules = rules
        self._at_once = at_once
        self._tls = tls
        self._pools: dict[str, httpcore.AsyncConnectionPool] = {}

    async def send(self, target: Target, headers: Mapping[str, str], body: bytes, challenge: str = "") -> Outcome:
        """Send a message, whatever its target does. challenge: what the answer has to hold; empty for nothing."""
        started, answered = perf_counter(), _Answered()
        try:
            async with asyncio.timeout(WHOLE_SECONDS):
                await self._exchange(target, headers, body, answered)
            fault = _fault_of(answered, challenge)
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
            answered.status,
            int((perf_counter() - started) * 1000),
            fault,
            _text(answered.body[:KEPT_RESPONSE]),
            answered.asked,
            target.host in self._backend.private,
        )

    async def close(self) -> None:
        """Close every connection."""
        pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            await pool.aclose()

    async def _exchange(self, target: Target, headers: Mapping[str, str], body: bytes, answered: _Answered) -> None:
        url = httpcore.URL(
            scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
        )
        host = target.origin.partition("://")[2]
        sent = {"Host": host, **headers, "Content-Length": str(len(body)), "Accept": "*/*"}
        extensions = {"timeout": {"connect": CONNECT_SECONDS, "read": WHOLE_SECONDS, "write": WHOLE_SECONDS}}
        pool = self._pool(target)
        async with pool.stream(
            "POST", url, headers=list(sent.items()), content=body, extensions=extensions
        ) as response:
            answered.status = response.status
            answered.asked = _asked({name.lower(): value for name, value in response.headers})
            async for chunk in response.aiter_stream():
                answered.body += chunk
                if len(answered.body) > LONGEST_RESPONSE:
                    answered.too_large = True
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


class _Answered(msgspec.Struct):
    status: int = 0
    body: bytes = b""
    asked: int = 0
    too_large: bool = False


def _fault_of(answered: _Answered, challenge: str) -> str:
    if answered.too_large:
        return "too-large"
    if answered.status == GONE:
        return "gone"
    if 300 <= answered.status < 400:
        return "redirect"
    if not 200 <= answered.status < 300:
        return "status"
    return "" if challenge.encode() in answered.body else "challenge"


def _asked(headers: Mapping[bytes, bytes]) -> int:
    """Milliseconds that Retry-After asks for, in seconds or as a date; 0 for nothing that can be read."""
    said = headers.get(b"retry-after", b"").decode("latin-1").strip()
    if said.isascii() and said.isdecimal():
        return int(said[:9]) * 1000
    try:
        return max(0, int((parsedate_to_datetime(said).timestamp() - time()) * 1000)) if said else 0
    except (ValueError, TypeError, OverflowError):
        return 0


def _text(body: bytes) -> str:
    """What was answered, as text that a database takes and a page shows."""
    said = body.decode("utf-8", "replace")
    return "".join(character if character.isprintable() or character == "\n" else "�" for character in said)


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
