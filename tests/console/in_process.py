"""The console's client on three services in this process: no network, no workers, copies are made at once."""

from __future__ import annotations

import json
import re
from threading import Lock

import httpx

from muster_client import Muster as Client
from shared.settings import SERVICES
from tests.fuzz.muster import Muster, answered

TOURNAMENT = re.compile(r"/tournaments/([^/?]+)")


class InProcess(httpx.BaseTransport):
    """The way to the services: one request after another, and the copies of the others up to date after a command."""

    def __init__(self, muster: Muster) -> None:
        self._muster = muster
        self._one = Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with self._one:
            made = answered(self._muster.apps[request.url.host], request)
            body = httpx.ByteStream(b"".join(made.iter_raw()))
            answer = httpx.Response(made.status_code, headers=made.headers, stream=body)
            known = TOURNAMENT.match(request.url.path)
            done = request.method != "GET" and answer.status_code < 300
            if done and (tournament := known[1] if known else json.loads(answer.read()).get("id")):
                self._muster.copy(tournament)
        return answer


def client(muster: Muster, token: str = "", **more: object) -> Client:
    """A client of these services."""
    urls = {name: f"http://{name}" for name in SERVICES}
    return Client(urls, token, transport=InProcess(muster), **more)  # type: ignore[arg-type]
