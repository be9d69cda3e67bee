"""One bit that turns in what a service has stored: noticed and named, or harmless, and never served as true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from shared.application.service import WIRED, Service
from shared.application.sweep import Sweep
from shared.settings import SERVICES
from tests.services.engines import ENGINES
from tests.services.house import House
from tests.services.rot import put, rows_of
from tests.services.scoring.story import score
from tests.services.scoring.webhook_story import LOCAL
from tests.services.story import Answer

ANNOUNCED = {"name": "Cup", "ruleset": "star-wars-armada-1.1", "tier": "casual", "rounds": 3}
ANSWERS = {
    "registration": ("/tournaments", "T", "T/players", "T/players/p1/personal"),
    "pairing": ("T/rounds", "T/rounds/1"),
    "scoring": ("T/standings", "T/games/r1g1", "/feed?tournament=", "T/webhooks"),
}


class Home(House):
    """Four players, their first round, and what was reported of it."""

    tournament = ""

    def ask(self, service: str, method: str, rest: str, body: object = None, role: str = "organiser") -> Answer:
        club = self.clubs[service]
        token = club.token(role, self.tournament if role == "organiser" and self.tournament else "*")
        address = f"/tournaments/{self.tournament}" + rest[1:] if rest.startswith("T") else rest
        return club.ask(method, address, body, token=token)

    def done(self, service: str, rest: str, body: object = None, role: str = "organiser") -> Any:
        answer = self.ask(service, "POST", rest, body, role)
        assert answer.status < 300, answer
        return answer.body

    def play(self) -> None:
        self.tournament = self.done("registration", "/tournaments", ANNOUNCED, "operator")["id"]
        for name in ("Ana", "Ben", "Cy", "Dee"):
            self.done("registration", "T/players", {"name": name, "contact": {"email": f"{name}@example.org"}})
        self.copy()
        self.done("pairing", "T/rounds", {})
        self.done("pairing", "T/rounds/1/start")
        self.copy()
        for game, one in (("r1g1", 174), ("r1g2", 60)):
            self.done("scoring", f"T/games/{game}/result", {"facts": score(one, 141)})
        self.copy()

    def answers(self, service: str) -> dict[str, Answer]:
        """What a process answers that has nothing in memory."""
        self.forget(service)
        return {rest: self.ask(service, "GET", rest) for rest in ANSWERS[service]}

    def forget(self, service: str) -> None:
        self.service(service).repository._slots.clear()

    def service(self, name: str) -> Service:
        found: Service = self.clubs[name].app.extensions[WIRED][Service]
        return found

    def ready(self, service: str, check: str) -> Any:
        return self.ask(service, "GET", "/readyz", role="operator").body["checks"][check]

    def findings(self, service: str) -> list[Any]:
        found: list[Any] = self.done(service, "/fsck", {}, "operator")["findings"]
        return found

    def rot(self, service: str, position: int, old: str, new: str) -> Any:
        """Change an event of the own log on the disk; returns the row as it was."""
        database = self.clubs[service].database
        (row,) = [
            row
            for row in rows_of(database, "events")
            if (row["source"], row["tournament"], row["position"]) == (service, self.tournament, position)
        ]
        assert old in row["data"]
        put(database, "events", row, "data", row["data"].replace(old, new, 1))
        return row


@pytest.fixture(params=ENGINES)
def home(request, tmp_path, monkeypatch) -> Iterator[Home]:
    env = {}
    if request.param == "postgresql":
        create = request.getfixturevalue("postgresql_urls")
        env = {f"{name.upper()}_DATABASE_URL": create() for name in SERVICES}
    monkeypatch.setattr("shared.web.health.KEPT_SECONDS", 0.0)
    home = Home(tmp_path, {**LOCAL, **env}, monkeypatch)
    home.play()
    yield home
    for name in SERVICES:
        home.end(name)


@pytest.mark.attack("a bit turns in a result in the log of its owner")
def test_a_result_that_rots_in_its_owners_log_is_named_and_taken_back(home):
    true = home.ask("scoring", "GET", "T/standings").body["items"]
    log = home.ask("scoring", "GET", "T/log?limit=500").text
    state = home.service("scoring").repository.cold(home.tournament)
    home.service("scoring").repository._snapshots.save(home.tournament, state.state, state.heads)
    snapshot = rows_of(home.clubs["scoring"].database, "snapshots")
    position = home.rot("scoring", 1, '"points_1":174', '"points_1":175')["position"]

    # A state in memory and a snapshot are older than the damage: the sweep alone sees it, and rebuild leaves them.
    (broken,) = Sweep(home.clubs["scoring"].database).whole_round()
    assert (broken.event.tournament, broken.event.position) == (home.tournament, position)
    own_log = home.ready("scoring", "own_log")
    assert (own_log["ok"], home.ready("scoring", "quarantine")["ok"]) == (False, True)
    (case,) = own_log["detail"]["damaged"]
    assert (case["tournament"], case["position"], case["remedy"]) == (home.tournament, position, "fsck")
    assert case["advice"] == "muster fsck --service scoring --repair"
    rebuilt = home.done("scoring", "/rebuild", {}, "operator")["differences"]
    assert [(one["what"], one["where"]) for one in rebuilt] == [("log", f"{home.tournament}.scoring.{position}")]
    assert rows_of(home.clubs["scoring"].database, "snapshots") == snapshot
    assert home.ask("scoring", "GET", "T/standings").body["items"] == true

    # With neither, nothing is served.
    home.service("scoring").repository.forget(home.tournament)
    answer = home.ask("scoring", "GET", "T/standings")
    assert (answer.status, answer.code) == (503, "log-unreadable")
    assert answer.data["event"] == f"{home.tournament}.scoring.{position}"

    # Nobody's true copy is set aside for it.
    recopied = home.ask("pairing", "POST", "/recopy", {"source": "scoring", "tournament": home.tournament}, "operator")
    assert (recopied.status, recopied.code) == (503, "owner-unavailable")
    assert rows_of(home.clubs["pairing"].database, "replaced") == []

    (finding,) = home.findings("scoring")
    assert (finding["what"], finding["where"], finding["remedy"]) == ("log", answer.data["event"], "recover")
    recovered = home.done("scoring", "/recover", {}, "operator")
    assert (recovered["events"], recovered["lost"]) == (1, [])
    assert home.ask("scoring", "GET", "T/standings").body["items"] == true
    assert home.ask("scoring", "GET", "T/log?limit=500").text == log
    assert home.ready("scoring", "own_log")["ok"]
    assert home.findings("scoring") == []
    aside = rows_of(home.clubs["scoring"].database, "replaced")
    assert json.loads(aside[0]["data"])["facts"]["points_1"] == 175
