"""The services as the person sees them who is signed in, and the way there.

Behind reverse proxies, the console sends the address of whoever opened a page, so that each guest has an own allowance.

Commands of one tournament go to the web process that the edge sends them to, too. There they are decided and appended
together; anywhere else they are as right, and slower (docs/decisions/0066).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

import httpx
from flask import Flask, current_app, g, has_request_context, request

from muster_client import Muster
from services.console.last_known import LastKnown, Remembering
from services.console.settings import Settings
from services.console.signed_in import Person, present

_SERVICES = "muster-services"
_KNOWN = "muster-last-known"
PATIENCE = 4.0
"""Seconds for which a page waits for a service that is busy or starting; then it says so."""


def connect(app: Flask, muster: Muster) -> None:
    """Give an application its way to the services."""
    app.extensions[_SERVICES] = muster
    app.extensions[_KNOWN] = LastKnown()


def muster(person: Person | None = None) -> Muster:
    """The services for whoever is here, or for somebody named; where one is away, what it said last.

    One set of connections serves the whole process.
    """
    who = person if person is not None else here()
    shared: Muster = current_app.extensions[_SERVICES]
    acting = shared.acting_as(who.token)
    known: LastKnown = current_app.extensions[_KNOWN]
    return acting.through(Remembering(acting.connection, known, keeps=not who.player))


def here() -> Person:
    """Who is here, for the event of this page."""
    person: Person = g.person
    return person


def look_who_is_here(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Before each page: the token of its event, else that of all."""
    g.person = present((values or {}).get("event", ""))


def address_added(settings: Settings) -> Callable[[httpx.Request], None]:
    """What adds the address of whoever opened the page at hand to a request that is about to be sent."""

    def add(sent: httpx.Request) -> None:
        if settings.trusted_proxies and has_request_context() and request.remote_addr:
            sent.headers["X-Forwarded-For"] = ", ".join([request.remote_addr] * settings.trusted_proxies)

    return add


TOURNAMENT = re.compile(r"/tournaments/([^/]+)")
ASKING = ("GET", "HEAD", "OPTIONS")
POINTS = 160
"""Of each port on the ring; as many as nginx gives it."""


class Ring:
    """Which port a tournament has, as nginx finds it (`hash … consistent`). host, ports: as its upstream names them."""

    def __init__(self, host: str, ports: Sequence[int]) -> None:
        ring = dict(point for port in reversed(ports) for point in _points(host, port))
        self._points = sorted(ring)
        self._ports = [ring[point] for point in self._points]

    def port(self, tournament: str) -> int:
        """The port of the process that has this tournament."""
        place = bisect_left(self._points, crc32(tournament.encode()))
        return self._ports[place % len(self._ports)]


def _points(host: str, port: int) -> list[tuple[int, int]]:
    """The points of a port: each is hashed from the one before."""
    server, found, last = crc32(f"{host}\0{port}".encode()), list[tuple[int, int]](), bytes(4)
    for _ in range(POINTS):
        point = crc32(last, server)
        found.append((point, port))
        last = point.to_bytes(4, "little")
    return found


def way_to(settings: Settings) -> httpx.BaseTransport | None:
    """The way to the services by these settings; None for the usual one, to each service's own address."""
    workers, step = settings.web_workers, settings.web_port_step
    return Homes(settings.urls, workers, step, httpx.HTTPTransport()) if workers > 1 and step else None


class Homes(httpx.BaseTransport):
    """The way to services whose web processes have ports of their own.

    urls: service -> base URL. workers: processes of each service; step: how far apart their ports are.
    """

    def __init__(self, urls: Mapping[str, str], workers: int, step: int, way: httpx.BaseTransport) -> None:
        self._rings = {}
        for url in map(httpx.URL, urls.values()):
            port = url.port or 80
            self._rings[url.host, port] = Ring(url.host, [port + step * number for number in range(1, workers + 1)])
        self._way = way

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The answer of the process at home; where nobody listens there, of any."""
        url = request.url
        ring, named = self._rings.get((url.host, url.port or 80)), TOURNAMENT.search(url.path)
        if ring is None or named is None or request.method in ASKING:
            return self._way.handle_request(request)
        request.url = url.copy_with(port=ring.port(named[1]))
        try:
            return self._way.handle_request(request)
        except httpx.ConnectError:  # fewer processes than were named, or none: nothing was sent
            request.url = url
            return self._way.handle_request(request)

    def close(self) -> None:
        """Close all connections."""
        self._way.close()
