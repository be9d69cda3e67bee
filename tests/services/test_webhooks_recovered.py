"""Webhooks after the database of scoring was restored or lost, and its log was recovered from peers."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from services.scoring.app import build_deliverer
from shared.log.cloudevents import from_wire
from shared.settings import SERVICES
from tests.auditing import Logs, changed, failures
from tests.faults.backup import Backup
from tests.services.house import House
from tests.services.scoring.receiver import Receiver
from tests.services.scoring.webhook_story import LOCAL
from tests.services.story import Answer

ANNOUNCED = {"name": "Cup", "ruleset": "star-wars-armada-400", "tier": "casual", "rounds": 3}


class Home(House):
    """A house in which scoring is put back, and posts to webhooks."""

    tournament = ""

    def ask(self, service: str, method: str, rest: str, body: object = None, role: str = "organiser") -> Answer:
        club = self.clubs[service]
        token = club.token(role, self.tournament if role == "organiser" else "*")
        answer = club.ask(method, rest.replace("T", f"/tournaments/{self.tournament}", 1), body, token=token)
        assert answer.status < 300, answer
        return answer

    def deliver(self) -> None:
        build_deliverer(self.services["scoring"]).once()

    def feed(self) -> list[str]:
        return [line["id"] for line in self.clubs["scoring"].ask("GET", f"/feed?tournament={self.tournament}").lines]

    def recover(self) -> None:
        self.ask("scoring", "POST", "/recover", {}, "operator")
        self.services["scoring"].own_copies.check()
        self.copy()


@pytest.fixture
def home(tmp_path, monkeypatch) -> Iterator[Home]:
    home = Home(tmp_path, LOCAL, monkeypatch)
    yield home
    for name in SERVICES:
        home.end(name)


def test_no_delivery_is_lost_with_the_database(home, tmp_path):
    home.tournament = str(home.ask("registration", "POST", "/tournaments", ANNOUNCED, "operator").body["id"])
    home.copy()
    before = set(home.feed())
    with Receiver() as receiver:
        home.ask("scoring", "POST", "T/webhooks", {"name": "Site", "url": receiver.url})
        home.copy()
        home.deliver()
        backup = Backup(home.clubs["scoring"].settings.database_url, tmp_path)
        home.end("scoring")
        backup.take()
        home.begin_anew("scoring")
        for name in ("disable", "enable"):
            home.ask("scoring", "POST", f"T/webhooks/w1/{name}")
        home.ask("registration", "POST", "T/players", {"name": "Ana"})
        home.copy()
        home.deliver()
        told = set(receiver.ids)
        assert len(told) == 4, "subscribed, disabled, enabled, joined"

        home.end("scoring")
        backup.put_back()
        home.begin_anew("scoring")
        came = len(receiver.came)
        home.deliver()
        assert len(receiver.came) == came, "what was deleted or rotated may be among what was lost"
        home.recover()
        home.deliver()
        home.ask("registration", "POST", "T/players", {"name": "Ben"})
        home.copy()
        home.deliver()
        assert set(receiver.ids) > told
        assert set(receiver.ids) == set(home.feed()) - before

        home.end("scoring")
        backup.lose()
        home.begin_anew("scoring")
        home.recover()
        home.recover()
        assert home.ask("scoring", "GET", "T/webhooks/w1").body["status"] == "target_lost"
        home.ask("scoring", "PATCH", "T/webhooks/w1", {"url": receiver.url})
        secret = home.ask("scoring", "POST", "T/webhooks/w1/rotate").body["secret"]
        assert secret.startswith("whsec_")
        receiver.got.clear()
        home.deliver()
        assert set(receiver.ids) >= told | {home.feed()[-1]}
        backup.forget()


WEBHOOK_COMMANDS = {"SubscribeWebhook", "ChangeWebhook", "RotateWebhookSecret", "DisableWebhook", "EnableWebhook"} | {
    "ReplayWebhook",
    "DeleteWebhook",
}


def logs_of(home: Home) -> Logs:
    lines = {name: home.ask(name, "GET", "T/log?limit=500").text.splitlines() for name in SERVICES}
    return {name: [from_wire(line) for line in found] for name, found in lines.items()}


def test_audit_decides_webhook_commands_again(home):
    """The log of somebody who used every command holds; a change of a webhook that never was does not."""
    home.tournament = str(home.ask("registration", "POST", "/tournaments", ANNOUNCED, "operator").body["id"])
    home.copy()
    with Receiver() as receiver:
        home.ask("scoring", "POST", "T/webhooks", {"name": "Site", "url": receiver.url})
        home.deliver()
        home.ask("scoring", "PATCH", "T/webhooks/w1", {"filter": {"types": ["ResultReported"]}})
        for name in ("rotate", "disable", "enable"):
            home.ask("scoring", "POST", f"T/webhooks/w1/{name}")
        home.ask("scoring", "POST", "T/webhooks/w1/replay", {"after": ""})
        home.ask("scoring", "DELETE", "T/webhooks/w1")
    logs = logs_of(home)
    given = {json.loads(event.command)["type"] for event in logs["scoring"] if event.command}
    assert given == {*WEBHOOK_COMMANDS, "KeepDraws"}
    assert failures(logs) == []
    forged = changed(logs, "scoring", "WebhookChanged", lambda data: data.update(webhook="w9"))
    assert [(failure.code, failure.position) for failure in failures(forged)][:1] == [("decision", 3)]
