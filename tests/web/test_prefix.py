"""A service under a path prefix: addresses in answers include the prefix of a trusted proxy."""

from __future__ import annotations

import re

import pytest

from tests.web.fake import fake_app

FORWARDED = {"X-Forwarded-Host": "muster.example", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/scoring"}


@pytest.fixture
def client():
    return fake_app(trusted_proxies=1).test_client()


def test_the_next_page_is_under_the_prefix(client):
    answer = client.get("/games?limit=2", headers=FORWARDED)
    assert answer.headers["Link"].startswith("<https://muster.example/scoring/games?")


def test_document_has_the_prefix(client):
    behind = client.get("/openapi.json", headers=FORWARDED)
    alone = client.get("/openapi.json")
    assert behind.get_json()["servers"] == [{"url": "/scoring"}]
    assert alone.get_json()["servers"] == [{"url": "/"}]
    assert behind.headers["ETag"] != alone.headers["ETag"]
    assert behind.get_json()["paths"] == alone.get_json()["paths"]


def test_page_links_work_under_a_prefix(client):
    for page in ("/docs", "/docs/start.js", "/problems"):
        text = client.get(page, headers={**FORWARDED, "Accept": "*/*" if page.endswith("js") else "text/html"}).text
        addresses = re.findall(r'(?:href|src)="([^"]+)"|url: "([^"]+)"', text)
        assert addresses
        assert not [one for found in addresses for one in found if one.startswith("/")], page


def test_prefix_of_an_untrusted_proxy_is_ignored():
    client = fake_app().test_client()
    assert client.get("/openapi.json", headers=FORWARDED).get_json()["servers"] == [{"url": "/"}]
    assert client.get("/games?limit=2", headers=FORWARDED).headers["Link"].startswith("<http://localhost/games?")
