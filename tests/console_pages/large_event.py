"""Scoring's standings of 2,000 players, made up, under an event of the services in this process."""

from __future__ import annotations

import json
import re

import httpx

from muster_client import Muster as Client
from shared.settings import SERVICES
from tests.console.in_process import InProcess
from tests.fuzz.muster import Muster

COLUMNS = ("tournament_points", "margin_of_victory", "strength_of_schedule")
WORDS = {"tournament_points": "tournament points", "margin_of_victory": "margin of victory", "tied": "the draw"}
WORDS |= {"strength_of_schedule": "strength of schedule"}
STANDINGS = re.compile(r"/tournaments/[^/]+/standings$")


class LargeEvent(InProcess):
    """The services, with standings of so many players after so many rounds."""

    def __init__(self, muster: Muster, players: int = 2_000, rounds: int = 7) -> None:
        super().__init__(muster)
        self.players, self.rounds = players, rounds

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "scoring" and STANDINGS.search(request.url.path):
            return httpx.Response(200, content=self._standings(request.url.params))
        return super().handle_request(request)

    def _standings(self, asked: httpx.QueryParams) -> bytes:
        after, limit = int(asked.get("after") or 0), int(asked.get("limit") or self.players)
        round = int(asked.get("round") or self.rounds)
        last = min(after + limit, self.players)
        ids = [(n * 7 + round) % self.players + 1 for n in range(after, last)]
        values = (80 - last // 30, 2_000 - last, 300)
        rows = [
            {
                "rank": after + n,
                "player": f"p{id}",
                "name": f"{'Wojciechowska-Brzęczyszczykiewicz' if id % 5 else 'Bo'} {id}",
                "external_id": "",
                "values": dict(zip(COLUMNS, values, strict=True)),
                "tied": False,
                "status": "active",
            }
            for n, id in enumerate(ids, 1)
        ]
        about = {"tournament": "t", "round": round, "final": False, "provisional": False, "columns": COLUMNS}
        paged = {"items": rows, "draws": [], "next": str(last) if last < self.players else None}
        return json.dumps({**about, **paged, "total": self.players, "words": WORDS}).encode()


def services_with(muster: Muster, players: int = 2_000) -> Client:
    """A client of them."""
    urls = {name: f"http://{name}" for name in SERVICES}
    return Client(urls, patience=0.0, transport=LargeEvent(muster, players))
