"""Pages of logs that are limited by bytes: clients and other services read them to the last event."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from shared.log import reading as read
from shared.roles import SERVICE
from shared.service import log_routes
from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was

NEXT = re.compile(r'<([^>]+)>; rel="next"')


@pytest.fixture
def muster(tmp_path) -> Iterator[Muster]:
    with logging_as_it_was():
        yield Muster(tmp_path)


@pytest.fixture
def short_pages(monkeypatch):
    """A page ends after some events of ordinary size, and is sent two at a time."""
    monkeypatch.setattr(read.last_position_within, "__defaults__", (8_000,))
    monkeypatch.setattr(log_routes, "CHUNK_EVENTS", 2)


def followed(muster: Muster, service: str, address: str, token: str) -> Iterator[list[dict]]:
    """Page after page, as `Link` says."""
    while address:
        answer = muster.ask("GET", service, address, token=token)
        assert answer.status == 200, answer
        yield answer.lines
        link = NEXT.search(answer.headers.get("Link", ""))
        assert "token=" not in answer.headers.get("Link", "")
        address = link[1] if link else ""


@pytest.mark.usefixtures("short_pages")
def test_a_log_is_read_to_its_end_page_by_page(muster):
    evening = muster.evening("before")
    end = evening.heads["registration"]
    for service in ("registration", "scoring"):
        token = muster.token("organiser", evening.id)
        address = f"/tournaments/{evening.id}/log?source=registration&limit=5000"
        read = list(followed(muster, service, address, token))
        positions = [int(line["id"].rpartition(".")[2]) for page in read for line in page]
        assert positions == list(range(1, end + 1))
        assert len(read) > 2
        for page in read:
            size = sum(len(json.dumps(line["data"])) for line in page)
            assert page
            assert size <= 8_000 or len(page) == 1
    one = muster.ask("GET", "registration", f"{address}&after={end - 1}", token=token)
    assert len(one.lines) == 1
    assert "Link" not in one.headers
    assert muster.ask("GET", "registration", f"{address}&after={end}", token=token).text == b""


@pytest.mark.usefixtures("short_pages")
def test_the_feed_is_read_to_its_end_page_by_page(muster):
    for _ in range(2):
        muster.evening("before")
    read = list(followed(muster, "registration", "/log?limit=5000", muster.token(SERVICE)))
    positions = [line["feedposition"] for page in read for line in page]
    assert positions == list(range(1, muster.length["registration"] + 1))
    assert len(read) > 2


@pytest.mark.usefixtures("short_pages")
def test_services_read_on_after_a_short_page(muster):
    evening = muster.announce()
    for number in range(12):
        answer = evening.ask("POST", "registration", "/players", {"name": f"Player {number}"})
        assert answer.status == 201
    standings = evening.ask("GET", "scoring", "/heads")  # which nobody told scoring of so far
    assert standings.body["heads"]["registration"]["position"] == evening.heads["registration"] == 13


def test_a_limit_still_ends_a_page(muster):
    evening = muster.evening("before")
    answer = evening.ask("GET", "registration", "/log?limit=2")
    assert len(answer.lines) == 2
    link = NEXT.search(answer.headers["Link"])
    assert link
    assert link[1] == f"http://localhost/tournaments/{evening.id}/log?limit=2&after=2"
