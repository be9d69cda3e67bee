"""For whom pages ask the services: behind reverse proxies they send a guest's address, elsewhere nothing."""

from __future__ import annotations

import httpx
import pytest

from muster_client import Muster
from services.console.app import build_web
from shared.settings import SERVICES
from tests.console.in_process import InProcess

GUEST = {"REMOTE_ADDR": "192.0.2.7"}
URLS = {name: f"https://{name}.example" for name in SERVICES}


class Listening(InProcess):
    """The services in this process, and the headers that they were sent."""

    def __init__(self, services) -> None:
        super().__init__(services)
        self.heard: list[httpx.Headers] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.heard.append(request.headers)
        raise httpx.ConnectError("away", request=request)


@pytest.mark.parametrize(
    ("proxies", "sent"),
    [("0", None), ("1", "203.0.113.4"), ("2", "192.0.2.99, 192.0.2.99")],
)
def test_a_guests_address_is_sent_where_it_is_believed(services, tmp_path, proxies, sent):
    heard = Listening(services)
    env = {"MUSTER_DATA": str(tmp_path), "MUSTER_TRUSTED_PROXIES": proxies}
    app = build_web(env, Muster(URLS, patience=0.0, transport=heard))
    client = app.test_client()
    forwarded = {"X-Forwarded-For": "192.0.2.99, 203.0.113.4"}
    assert client.get("/", environ_base=GUEST, headers=forwarded).status_code == 503
    assert heard.heard
    assert {headers.get("X-Forwarded-For") for headers in heard.heard} == {sent}
