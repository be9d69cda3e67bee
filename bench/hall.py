"""A hall full of phones: many clients that post in a closed loop, and readers who look at standings now and then."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from time import monotonic

from msgspec import Struct

from bench.load import TIMEOUT, Answered, Request, client

LOOK_SECONDS = 10.0
"""Between two looks of one reader."""


class Posts(Struct, frozen=True):
    """port: of whom they are sent to. each: the requests of each client."""

    port: int
    each: list[list[Request]]


class Reading(Struct, frozen=True):
    """So many readers of an address, until None is said."""

    port: int
    path: str
    readers: int


class Looks(Struct):
    """What readers met. ms: every look. faults: answers other than 200, and connections that broke."""

    ms: list[float]
    faults: list[str]


def phones() -> Callable[[Posts], list[Answered]]:
    """Clients of one process of a crew, each on a kept connection."""

    def post(posts: Posts) -> list[Answered]:
        send = client(posts.port)
        with ThreadPoolExecutor(max(1, len(posts.each))) as pool:
            return list(pool.map(send, posts.each))

    return post


def dealt(asks: Sequence[Request], port: int, clients: int, processes: int) -> list[Posts]:
    """Requests dealt out to so many clients, and these to so many processes."""
    each = [list(asks[start::clients]) for start in range(min(clients, len(asks)))]
    return [Posts(port, each[start::processes]) for start in range(processes)]


def audience() -> Callable[[Reading | None], Looks]:
    """Readers of one process of a crew: they begin when they are told what to read, and answer when told to stop."""
    seen, stop, threads = Looks([], []), threading.Event(), []

    def read(reading: Reading | None) -> Looks:
        if reading is None:
            stop.set()
            for thread in threads:
                thread.join()
            told = Looks([*seen.ms], [*seen.faults])
            threads.clear(), stop.clear(), seen.ms.clear(), seen.faults.clear()
            return told
        for _ in range(reading.readers):
            threads.append(threading.Thread(target=_look, args=(reading, seen, stop), daemon=True))
            threads[-1].start()
        return Looks([], [])

    return read


def _look(reading: Reading, seen: Looks, stop: threading.Event) -> None:
    pause = random.uniform(0.0, LOOK_SECONDS)
    while not stop.wait(pause):
        pause, started = LOOK_SECONDS, monotonic()
        connection = HTTPConnection("127.0.0.1", reading.port, timeout=TIMEOUT)
        try:
            connection.request("GET", reading.path, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                seen.faults.append(f"GET {reading.path}: {answer.status}")
        except (OSError, HTTPException) as error:
            seen.faults.append(f"GET {reading.path}: {type(error).__name__}")
        finally:
            connection.close()
        seen.ms.append((monotonic() - started) * 1000)
