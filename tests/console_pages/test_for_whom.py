"""For whom pages ask the services: a guest's address where it is believed, and nothing anywhere else."""

from __future__ import annotations

import httpx
import pytest

from muster_client import Muster
from services.console.app import build_web
from shared.settings import PROXY_SECRET, SERVICES
from shared.web.proxies import HEADER
from tests.console.in_process import InProcess

GUEST = {"REMOTE_ADDR": "192.0.2.7"}
LOCAL = {name: f"http://127.0.0.1:{8001 + number}" for number, name in enumerate(SERVICES)}
ELSEWHERE = {name: f"https://{name}.example" for name in SERVICES}


class Listening(InProcess):
    """The services in this process, and the headers that they were sent."""

    def __init__(self, services) -> None:
        super().__init__(services)
        self.heard: list[httpx.Headers] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.heard.append(request.headers)
        raise httpx.ConnectError("away", request=request)


@pytest.mark.parametrize(
    ("env", "urls", "said", "secret"),
    [
        ({PROXY_SECRET: "of this run"}, LOCAL, "192.0.2.7", "of this run"),
        ({PROXY_SECRET: "of this run"}, ELSEWHERE, None, None),
        ({"MUSTER_TRUSTED_PROXIES": "1"}, ELSEWHERE, "203.0.113.4", None),
        ({"MUSTER_TRUSTED_PROXIES": "2"}, ELSEWHERE, "192.0.2.99, 192.0.2.99", None),
        ({}, LOCAL, None, None),
    ],
)
def test_a_guests_address_is_said_where_it_is_believed(services, tmp_path, env, urls, said, secret):
    heard = Listening(services)
    app = build_web({"MUSTER_DATA": str(tmp_path), **env}, Muster(urls, patience=0.0, transport=heard))
    client = app.test_client()
    forwarded = {"X-Forwarded-For": "192.0.2.99, 203.0.113.4", HEADER: "guessed"}
    assert client.get("/", environ_base=GUEST, headers=forwarded).status_code == 503
    assert heard.heard
    assert {headers.get("X-Forwarded-For") for headers in heard.heard} == {said}
    assert {headers.get(HEADER) for headers in heard.heard} == {secret}
