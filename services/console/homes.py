"""Commands of one tournament go to the web process of a service that the edge sends them to, too.

There they are decided and appended together; anywhere else they are as right, and slower (docs/decisions/0066).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from zlib import crc32

import httpx

from services.console.settings import Settings

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
