"""Requests to a whole Muster as `make run` starts it, and tournaments for which players report results."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from uuid import uuid4

import orjson
from msgspec import Struct

from bench.story import RULESET
from deploy.stack import Stack
from muster.simulator.director import LONGEST_LIST, Director, player_names, venue_names
from muster.simulator.results_by_chance import results
from muster_client import Muster
from shared.formats.packs import shipped_swiss

TIMEOUT = 30.0
MOST_FAULTS = 5
"""Failed requests beyond which a measurement would be one of failures."""


class Request(Struct, frozen=True, gc=False):
    """One request. body: JSON, or empty."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


class Event:
    """A tournament that is played over HTTP.

    host: the operator's client. drafts: parts that only staff see until they publish them. games: games of the current
    round, without byes.
    """

    def __init__(
        self, host: Muster, players: int, venues: int = 1, rounds: int = 3, drafts: Sequence[str] = ()
    ) -> None:
        self.players = players
        self.games: list[dict[str, Any]] = []
        self.round = 0
        self._facts = results(shipped_swiss(RULESET), Random(players))
        announcement: dict[str, Any] = {"name": "Measured Cup", "ruleset": RULESET, "tier": "casual", "rounds": rounds}
        self.director = Director.announce(host, **announcement, on_purpose=list(drafts))
        tables = -(-players // venues) // 2 + 1
        self._venues = [self.director.open_venue(name, tables) for name in venue_names(venues)]

    def enter(self) -> None:
        """Enter all players, with as many per request as are allowed."""
        names, venues = player_names(self.players), self._venues
        entries = [{"name": name, "venue": venues[number % len(venues)]} for number, name in enumerate(names)]
        for start in range(0, self.players, LONGEST_LIST):
            self.director.join(entries[start : start + LONGEST_LIST])

    def start_round(self) -> None:
        """Start the round that was paired."""
        self.round += 1
        self.director.start(self.round)
        self.games = [game for game in self.director.open_games(self.round) if game["kind"] == "game"]
        Random(self.round).shuffle(self.games)

    def reports(self) -> list[Request]:
        """Return a report of every game, by its first player."""
        return [
            self._request(game["player_1"], f"/games/{game['id']}/result", {"facts": self._facts(game)})
            for game in self.games
        ]

    def confirmations(self) -> list[Request]:
        """Return a confirmation of every game, by its second player."""
        return [self._request(game["player_2"], f"/games/{game['id']}/confirmation", {}) for game in self.games]

    def check_ins(self) -> list[Request]:
        """Return the check-in of every player."""
        return [self._request(player, f"/players/{player}/check-in", {}) for player in self.director.players]

    def _request(self, player: str, rest: str, body: object) -> Request:
        token = self.director.players[player].token
        json = {"Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
        path = self.director.path(rest)
        return Request("POST", path, {"Authorization": f"Bearer {token}", **json}, orjson.dumps(body))


def open_event(host: Muster, players: int) -> Event:
    """Return an event whose first round has started."""
    event = Event(host, players)
    event.enter()
    event.director.pair()
    event.start_round()
    return event


def send_all(port: int, requests: Sequence[Request], clients: int) -> tuple[float, list[float]]:
    """Send requests from a number of clients, each in a closed loop on a keep-alive connection.

    A failed request is retried with the same key, as a phone would do. Return the requests per second and the response
    time of each in ms. Raises RuntimeError if more than a few fail.
    """
    ms: list[float] = []
    faults: list[str] = []

    def send(some: Sequence[Request]) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        for request in some:
            started, is_done = monotonic(), False
            while not is_done and len(faults) <= MOST_FAULTS:
                try:
                    send_once(connection, request)
                    is_done = True
                except RuntimeError as error:
                    faults.append(str(error))
            ms.append((monotonic() - started) * 1000)
        connection.close()

    started = monotonic()
    with ThreadPoolExecutor(clients) as pool:
        list(pool.map(send, dealt(requests, clients)))
    if len(faults) > MOST_FAULTS:
        raise RuntimeError(f"{len(faults)} requests failed, such as {faults[0]}")
    return len(requests) / (monotonic() - started), ms


def dealt(requests: Sequence[Request], clients: int) -> list[Sequence[Request]]:
    """Return the requests of each client. Every request is in exactly one list."""
    return [requests[start::clients] for start in range(min(clients, len(requests)))]


def send_once(connection: HTTPConnection, request: Request) -> tuple[HTTPMessage, bytes]:
    """Send one request; return headers and body. Raises RuntimeError for an answer other than 2xx."""
    connection.request(request.method, request.path, request.body or None, request.headers)
    answer = connection.getresponse()
    content = answer.read()
    if not 200 <= answer.status < 300:
        raise RuntimeError(f"{request.method} {request.path}: {answer.status} {content[:500]!r}")
    return answer.headers, content


def processes_of(stack: Stack, service: str) -> Mapping[str, list[int]]:
    """Return the programs of a service and their processes: gunicorn's master and its web processes, or a worker."""
    programs = {name: pid for name, pid in stack.pids().items() if name.startswith(service)}
    return {name: [pid, *_children(pid)] for name, pid in programs.items()}


def web_processes(stack: Stack, service: str) -> list[int]:
    """Return the processes that answer HTTP for a service."""
    programs = processes_of(stack, service)
    return next(pids[1:] or pids for name, pids in programs.items() if not name.endswith("worker"))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def memory_mb(pids: Sequence[int], line: str = "VmRSS") -> float:
    """Return the memory of the largest process in MB. line: VmRSS for the current value, VmHWM for the peak."""
    found = [Path(f"/proc/{pid}/status").read_text().partition(f"{line}:")[2].split()[0] for pid in pids]
    return max(int(kilobytes) / 1000 for kilobytes in found)


def processor_ms(pids: Sequence[int]) -> float:
    """Return the CPU time of processes so far, in milliseconds."""
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids) * 1000  # clock_getcpuclockid(3)
