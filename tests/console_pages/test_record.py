"""The record of an event, downloaded from its page: what `muster export` writes, and `muster verify` accepts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from muster.cli import verify
from muster_client import Muster, record
from services.console.pages import records
from shared.log.cloudevents import from_wire, to_wire
from tests.console_pages.conftest import Browser
from tests.console_pages.small_event import SmallEvent


@pytest.fixture
def small(services, app) -> SmallEvent:
    return SmallEvent(services, app).pair().report(points_1=150, points_2=99).close()


def test_a_guest_finds_the_record_downloads_and_verifies_it(small, app, tmp_path: Path):
    guest = Browser(app)
    guest.open(f"{small.page}/about")
    assert guest.shows(f'href="{small.page}/record"')
    guest.open(f"{small.page}/record")
    last = small.recorded("scoring")[-1]
    assert guest.shows("Download the record", "scoring", last["hash"], f">.venv/bin/muster verify {small.id}.jsonl")
    answer = guest.client.get(f"{small.page}/record.jsonl")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{small.id}.jsonl"'
    assert len(answer.data) == int(answer.headers["Content-Length"])
    assert answer.data == b"".join(to_wire(from_wire(line)) + b"\n" for line in answer.data.splitlines())
    file = tmp_path / "log.jsonl"
    file.write_bytes(answer.data)
    verified = CliRunner().invoke(verify.command, [str(file)])
    assert verified.exit_code == 0, verified.output
    assert f"{small.id}: OK" in verified.output
    names = [json.loads(line)["source"] for line in answer.data.splitlines()]
    assert names == sorted(names, key=["registration", "pairing", "scoring"].index)


def test_pages_of_the_logs_are_no_seams(small, app, monkeypatch):
    whole = Browser(app).client.get(f"{small.page}/record.jsonl").data
    monkeypatch.setattr(record, "PAGE", 2)
    monkeypatch.setattr(records, "IN_MEMORY", 100)
    assert Browser(app).client.get(f"{small.page}/record.jsonl").data == whole


def test_a_private_event_has_a_record_for_those_who_may_see_it(services, app):
    small = SmallEvent(services, app, visibility="private")
    for place in ("record", "record.jsonl"):
        assert Browser(app).open(f"{small.page}/{place}").status_code == 404
        assert small.browser("organiser").client.get(f"{small.page}/{place}").status_code == 200
        assert Browser(app).open(f"/events/t-none/{place}").status_code == 404


def garbled(self, tournament: str, **how: object) -> list[bytes]:
    return [b'{"specversion": "1.0"', b"\xff"]


def nothing(self, tournament: str, **how: object) -> list[bytes]:
    return []


@pytest.mark.parametrize("answer", [garbled, nothing])
def test_a_log_that_is_broken_gives_no_file(small, app, monkeypatch, answer):
    kind = type(Muster({"registration": "http://x", "pairing": "http://x", "scoring": "http://x"}).service("scoring"))
    monkeypatch.setattr(kind, "log", answer)
    guest = Browser(app)
    assert guest.open(f"{small.page}/record.jsonl").status_code == 503
    assert guest.shows("do not agree on this event")
