"""A hall of phones on a live page of the console, in a process of its own; each does what the script of its page does.

A phone holds a stream. Where that names its game, or says that anything may have changed, it comes for its page: within
a second, or spread over as many as it was told, and not twice within two.
"""

from __future__ import annotations

import heapq
import json
import random
import re
import resource
import selectors
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from time import monotonic
from typing import Any

from msgspec import Struct

from bench.load import TIMEOUT

MESSAGE = re.compile(rb"event: (\w+)\ndata: (\{.*?\})\n\n")
CONCERNS = (b"games", b"round", b"players", b"event")
"""Kinds of news that a player's page follows."""
GAP_SECONDS, SOON_SECONDS = 2.0, 1.0
LOOKERS = 16
"""Phones that are answered at the same time."""
LOOK_SECONDS = 0.02
COMES_SECONDS = 120.0
SPARE_FILES = 256
READ_BYTES = 65_536


class Phone(Struct, frozen=True):
    """cookie: of its browser. about: its game and the players of it."""

    cookie: str
    about: tuple[str, ...]


class Hold(Struct, frozen=True):
    """Have these phones open, and no others."""

    phones: list[Phone]


class HeardOf(Struct, frozen=True):
    """Wait until every phone has heard of a game. The answer: when each did, of time.monotonic(), in order."""

    game: str


class Rest(Struct, frozen=True):
    """Wait until no phone comes for its page any more. The answer: the looks since this was asked last."""


class Looks(Struct):
    """ms: of each page that a phone came for. faults: what else was answered, and streams that ended."""

    ms: list[float]
    faults: list[str]


def live_crowd(port: int, live: str, page: str) -> Callable[[Hold | HeardOf | Rest], list[float] | Looks | None]:
    """The work of the process. live: the address of the stream, page: of what a phone shows."""
    return _Crowd(port, live, page).do


def comes_within(kind: bytes, said: Mapping[str, Any], about: Sequence[str]) -> float | None:
    """Seconds over which a player's page comes for itself after a message; None where that is not about it."""
    if kind not in CONCERNS:
        return None
    ids = said.get("ids")
    if ids is None:
        return float(said.get("within", SOON_SECONDS))
    return SOON_SECONDS if any(id in about for id in ids) else None


class _Held(Struct, eq=False):
    phone: Phone
    connection: socket.socket
    buffer: bytes = b""
    planned: bool = False
    looked: float = 0.0


class _Crowd:
    def __init__(self, port: int, live: str, page: str) -> None:
        self._port, self._live, self._page = port, live, page
        self._held: list[_Held] = []
        self._heard: dict[str, list[float]] = {}
        self._due: list[tuple[float, int, _Held]] = []
        self._number = self._looking = 0
        self._looks = Looks([], [])
        self._changed = threading.Condition()
        self._poller = selectors.DefaultSelector()
        self._pool = ThreadPoolExecutor(LOOKERS)
        threading.Thread(target=self._run, daemon=True).start()

    def do(self, ask: Hold | HeardOf | Rest) -> list[float] | Looks | None:
        match ask:
            case Hold(phones):
                self._hold(phones)
                return None
            case HeardOf(game):
                return self._wait_for(game)
            case Rest():
                return self._rest()

    def _hold(self, phones: list[Phone]) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(len(phones) + SPARE_FILES, hard), hard))
        with self._changed:
            for held in self._held:
                self._poller.unregister(held.connection)
                held.connection.close()
            self._held, self._due = [], []
        for phone in phones:
            held = _Held(phone, self._opened(phone))
            with self._changed:
                self._held.append(held)
                self._poller.register(held.connection, selectors.EVENT_READ, held)

    def _opened(self, phone: Phone) -> socket.socket:
        """Raises RuntimeError where there is no stream."""
        connection = socket.create_connection(("127.0.0.1", self._port), timeout=TIMEOUT)
        connection.sendall(f"GET {self._live} HTTP/1.1\r\nHost: x\r\nCookie: {phone.cookie}\r\n\r\n".encode())
        head = connection.recv(4096)
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(head.decode(errors="replace"))
        connection.setblocking(False)
        return connection

    def _wait_for(self, game: str) -> list[float]:
        with self._changed:
            if not self._changed.wait_for(lambda: len(self._heard.get(game, ())) >= len(self._held), COMES_SECONDS):
                raise RuntimeError(f"{len(self._heard.get(game, ()))} of {len(self._held)} phones heard of {game}")
            return sorted(self._heard[game])[: len(self._held)]

    def _rest(self) -> Looks:
        with self._changed:
            if not self._changed.wait_for(lambda: not self._due and not self._looking, COMES_SECONDS):
                raise RuntimeError(f"{len(self._due)} phones did not come for their page")
            looks, self._looks = self._looks, Looks([], [])
            return looks

    def _run(self) -> None:
        while True:
            for key, _ in self._poller.select(LOOK_SECONDS):
                self._read(key.data)
            now = monotonic()
            with self._changed:
                while self._due and self._due[0][0] <= now:
                    held = heapq.heappop(self._due)[2]
                    held.planned, held.looked = False, now
                    self._looking += 1
                    self._pool.submit(self._look, held.phone)
                self._changed.notify_all()

    def _read(self, held: _Held) -> None:
        try:
            got = held.connection.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError:  # closed by whoever asked
            return
        now = monotonic()
        with self._changed:
            if held not in self._held:
                return
            if not got:
                self._poller.unregister(held.connection)
                self._looks.faults.append("a stream ended")
                return
            held.buffer += got
            end = 0
            for message in MESSAGE.finditer(held.buffer):
                end = message.end()
                self._take(held, message[1], json.loads(message[2]), now)
            held.buffer = held.buffer[end:]

    def _take(self, held: _Held, kind: bytes, said: Mapping[str, Any], now: float) -> None:
        if kind == b"games":
            for id in said.get("ids") or ():
                self._heard.setdefault(id, []).append(now)
        within = comes_within(kind, said, held.phone.about)
        if within is not None and not held.planned:
            at = max(now, held.looked + GAP_SECONDS) + random.random() * within
            self._number += 1
            held.planned = True
            heapq.heappush(self._due, (at, self._number, held))

    def _look(self, phone: Phone) -> None:
        started = monotonic()
        connection = HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)
        fault = ""
        try:
            headers = {"Cookie": phone.cookie, "HX-Request": "true", "Accept-Encoding": "gzip"}
            connection.request("GET", self._page, headers=headers)
            answer = connection.getresponse()
            answer.read()
            fault = "" if answer.status == 200 else f"GET {self._page}: {answer.status}"
        except (OSError, HTTPException) as error:
            fault = f"GET {self._page}: {type(error).__name__}"
        finally:
            connection.close()
        with self._changed:
            self._looking -= 1
            self._looks.ms.append((monotonic() - started) * 1000)
            self._looks.faults += [fault] if fault else []
            self._changed.notify_all()
