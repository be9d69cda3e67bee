"""Load in a closed loop: each client sends its next request when the last one is answered, on one kept connection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http.client import HTTPConnection, HTTPMessage
from time import monotonic
from zlib import crc32

from msgspec import Struct

TIMEOUT = 30.0
ATTEMPTS = 3
MOST_FAULTS = 5


class Request(Struct, frozen=True, gc=False):
    """One request. body: JSON, or nothing."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes = b""


class Answered(Struct):
    """What one client met. began, ended: time.monotonic(), which is the same clock in every process. ms: each request.

    faults: answers other than 2xx; such a request is sent again, with its key, as a phone would.
    """

    began: float
    ended: float
    ms: list[float]
    faults: list[str]


def client(*ports: int) -> Callable[[Sequence[Request]], Answered]:
    """A client of a server of this machine; every list of requests has new connections.

    ports: of one server. What is about one tournament goes to the same of them, as an edge sends its commands.
    """

    def send(asks: Sequence[Request]) -> Answered:
        connections = [HTTPConnection("127.0.0.1", port, timeout=TIMEOUT) for port in ports]
        for connection in connections:
            connection.connect()
        answered = Answered(monotonic(), 0.0, [], [])
        for ask in asks:
            connection = connections[crc32(ask.path.split("/")[2].encode()) % len(ports)]
            started = monotonic()
            for _ in range(ATTEMPTS):
                connection.request(ask.method, ask.path, ask.body or None, ask.headers)
                answer = connection.getresponse()
                text = answer.read()
                if 200 <= answer.status < 300:
                    break
                answered.faults.append(f"{ask.method} {ask.path}: {answer.status} {text[:300]!r}")
            answered.ms.append((monotonic() - started) * 1000)
        answered.ended = monotonic()
        for connection in connections:
            connection.close()
        return answered

    return send


def ask_once(connection: HTTPConnection, ask: Request) -> tuple[HTTPMessage, bytes]:
    """Send one request; returns headers and body. Raises RuntimeError for an answer other than 2xx."""
    connection.request(ask.method, ask.path, ask.body or None, ask.headers)
    answer = connection.getresponse()
    text = answer.read()
    if not 200 <= answer.status < 300:
        raise RuntimeError(f"{ask.method} {ask.path}: {answer.status} {text[:500]!r}")
    return answer.headers, text


def shares(asks: Sequence[Request], clients: int) -> list[list[Request]]:
    """The requests dealt out to so many clients."""
    return [list(asks[start::clients]) for start in range(clients)]


def per_second(answers: Sequence[Answered]) -> float:
    """Requests a second from the first that was sent to the last that was answered.

    Raises RuntimeError when so many failed that this would be a measurement of failures.
    """
    faults = [fault for answered in answers for fault in answered.faults]
    if len(faults) > MOST_FAULTS:
        raise RuntimeError(f"{len(faults)} requests failed, such as {faults[0]}")
    count = sum(len(answered.ms) for answered in answers)
    return count / (max(answered.ended for answered in answers) - min(answered.began for answered in answers))
