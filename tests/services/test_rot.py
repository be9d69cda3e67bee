"""Bit flips in stored data: detected or harmless, and never served as true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from services.scoring.app import build_deliverer
from shared.log.event import Recorded
from shared.service.fsck import Scrub
from shared.service.wiring import WIRED, Service
from shared.settings import SERVICES
from tests.services.engines import ENGINES
from tests.services.house import House
from tests.services.rot import put, put_back, rows_of, saved, tables_of, turned
from tests.services.scoring.receiver import Receiver
from tests.services.scoring.story import score
from tests.services.scoring.webhook_story import LOCAL
from tests.services.story import Answer

ANNOUNCED = {"name": "Cup", "ruleset": "star-wars-armada-1.1", "tier": "casual", "rounds": 3}
ANSWERS = {
    "registration": ("T", "T/players", "T/players/p1/personal"),
    "pairing": ("T/rounds", "T/rounds/1"),
    "scoring": ("T/standings", "T/games/r1g1", "/feed?tournament=ID", "T/webhooks"),
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
        self.done("scoring", "T/games/r1g1/result", {"facts": score(174, 141)})
        self.copy()

    def answers(self, service: str) -> dict[str, Answer]:
        """What a process answers that has nothing in memory."""
        self.forget(service)
        return {rest: self.ask(service, "GET", rest.replace("ID", self.tournament)) for rest in ANSWERS[service]}

    def forget(self, service: str) -> None:
        self.service(service).repository._slots.clear()

    def append_one(self, service: str) -> None:
        rest, body = {
            "registration": ("T/staff", {"name": "Eve", "role": "referee"}),
            "pairing": ("T/rounds/1/games/r1g2/table", {"table": 9}),
            "scoring": ("T/games/r1g1/correction", {"facts": score(170, 141), "reason": "the slip says so"}),
        }[service]
        self.done(service, rest, body)

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
def test_damaged_result_is_named_and_recovered(home):
    true = home.ask("scoring", "GET", "T/standings").body["items"]
    log = home.ask("scoring", "GET", "T/log?limit=500").text
    state = home.service("scoring").repository.cold(home.tournament)
    home.service("scoring").repository._snapshots.save(home.tournament, state.state, state.heads)
    snapshot = rows_of(home.clubs["scoring"].database, "snapshots")
    position = home.rot("scoring", 2, '"points_1":174', '"points_1":175')["position"]

    # A state in memory and a snapshot are older than the damage: the scrub alone sees it, and rebuild leaves them.
    (broken,) = Scrub(home.clubs["scoring"].database).whole_round()
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


NAMED = {
    "events": set(Recorded.__struct_fields__) - {"position"},
    "heads": {"source", "tournament", "position", "hash"},
    "feed": {"tournament", "position"},
    "outbox": {"tournament", "position"},
    "snapshots": {"heads", "state", "hash"},
    "directory": {"name", "status", "players"},
    "owner": {"source"},
    "personal": {"tournament", "key", "data"},
    "public_feed": {"source", "tournament", "mark"},
    "public_feed_logs": {"source", "tournament", "position"},
}
"""Table -> columns in which `muster fsck` names a turned bit. What it does not name has to be harmless."""
NAMES = {"personal": {"tournament", "player"}, "public_feed": {"source", "tournament", "mark"}}
"""Table -> columns by which a row is found. Where one has rotted, the row is missing until fsck says so."""
STATUS_OF_WEBHOOKS = {"webhooks", "webhook_secrets"}
"""Their rows say how deliveries go; no log says it as well. What they seal is refused once it has rotted."""


@pytest.mark.attack("a bit turns in each column of each table")
@pytest.mark.parametrize("service", SERVICES)
def test_flipped_bit_is_detected_or_harmless(home, service):
    with Receiver() as receiver:
        home.done("scoring", "T/webhooks", {"name": "Site", "url": receiver.url})
        build_deliverer(home.services["scoring"]).once()
    home.ask(service, "GET", "/log?limit=500", role="operator")  # gives places in the feed
    repository, database = home.service(service).repository, home.clubs[service].database
    home.append_one(service)  # waits in the outbox
    with repository.now(home.tournament) as loaded:
        state, heads = loaded.state, loaded.heads
    repository._snapshots.save(home.tournament, state, heads)
    true = home.answers(service)
    assert {answer.status for answer in true.values()} == {200}
    assert home.findings(service) == []
    before = saved(database)
    for table in tables_of(database):
        for row in chosen(rows_of(database, table), service, home.tournament):
            for column, value in row.items():
                named = column in NAMED.get(table, ())
                # A smaller position is given again at the next look.
                new = value + 2 if (table, column) == ("public_feed_logs", "position") else turned(value)
                if new == value or (column in ("position", "feed", "id") and not named):
                    continue  # a key of which the neighbour is taken
                may_differ = table in STATUS_OF_WEBHOOKS or column in NAMES.get(table, ())
                put(database, table, row, column, new)
                if table != "snapshots":
                    repository._snapshots.delete(home.tournament)
                for rest, answer in home.answers(service).items():
                    is_served = answer.status < 400 and answer.text != true[rest].text
                    assert not is_served or may_differ, (table, column, rest, answer)
                    assert answer.status < 400 or answer.status >= 500, (table, column, rest, answer)
                if named and column in sorted(NAMED[table])[-3:]:
                    assert home.findings(service), (table, column)
                put_back(database, before)


def chosen(rows: list[Any], service: str, tournament: str) -> list[Any]:
    """The last row, of logs that of the own one and of a copy; where there is a choice, of the tournament and of p1."""
    mine = [row for row in rows if row.get("tournament", tournament) == tournament] or rows
    mine = [row for row in mine if row.get("player", "p1") == "p1"] or mine
    if mine and {"source", "hash"} <= mine[0].keys():
        own, copies = ([row for row in mine if (row["source"] == service) is own] for own in (True, False))
        return [own[-1], copies[-1]]
    return mine[-1:]
