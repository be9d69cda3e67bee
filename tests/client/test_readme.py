"""The examples of the client's README do what it says, at one address as an edge has it."""

from __future__ import annotations

import json
import re
import sqlite3
from functools import partial
from itertools import islice
from pathlib import Path

import httpx
import pytest

import muster_client
from muster_client import Muster
from muster_client.feed import Batch, Feed
from tests.console.in_process import InProcess
from tests.fuzz.muster import Muster as Services

README = Path(__file__).parents[2] / "clients/python/README.md"


class Edge(InProcess):
    """One address: the first part of the path is the service."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        _, service, rest = request.url.raw_path.decode().split("/", 2)
        whole = httpx.Request(
            request.method, f"http://{service}/{rest}", headers=request.headers, content=request.read()
        )
        return super().handle_request(whole)


@pytest.fixture
def programs(services: Services, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(muster_client, "Muster", partial(Muster, transport=Edge(services)))
    return re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_a_cup_is_announced_and_a_game_that_there_is_not_is_told(
    programs: list[str], services: Services, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(programs[0], found := {"TOKEN": services.token("operator")})
    assert capsys.readouterr().out == "no such game yet\n"
    with muster_client.Muster("https://muster.example") as guest:
        assert [player.name for player in guest.registration.list_players(found["cup"].id).items] == ["Ana"]


def test_the_feed_goes_on_where_the_site_stopped(
    programs: list[str], operator: Muster, cup: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite3.connect(tmp_path / "site.sqlite3") as db:
        db.execute("CREATE TABLE site (cursor)")
        db.execute("INSERT INTO site VALUES ('')")
        db.execute("CREATE TABLE results (tournament, game, binds, players, PRIMARY KEY (tournament, game))")
    monkeypatch.chdir(tmp_path)
    batches = Feed.batches
    monkeypatch.setattr(Feed, "batches", lambda feed: islice(batches(feed), 1))  # it would wait for more, for ever
    told = {"muster": operator, "sqlite3": sqlite3, "json": json}
    for game in ("r1g1", "r1g2"):
        operator.scoring.report_result(cup, game, facts={"points_1": 100, "points_2": 50})
        exec(programs[1], told)
    with sqlite3.connect(tmp_path / "site.sqlite3") as db:
        games = list(db.execute("SELECT game, binds FROM results WHERE tournament = ? ORDER BY game", [cup]))
    assert isinstance(told["batch"], Batch)
    assert games == [("r1g1", 1), ("r1g2", 1)]
