"""The pages of whoever runs the installation: the first line says whether anything is wrong, whoever is away."""

from __future__ import annotations

import re
from typing import Any, get_args, get_type_hints

import httpx
import pytest
from flask import Flask
from msgspec.structs import replace

from muster_client import Muster
from muster_client.generated.scoring import Scoring
from services.console.app import build_web
from services.console.pages import operator as operator_words
from services.console.pages.operator import CASES, COMMANDS, REMEDIES, LastConditions, NotAnOperator, conditions
from services.scoring.webhooks.commands import SuspendWebhook
from services.scoring.webhooks.management import Status
from services.scoring.webhooks.protocol import FAULTS
from shared.log.copies import FOLD, FORK, Case
from shared.messaging.inbox import EARLY, NEWER
from shared.service.health import remedy
from shared.settings import SERVICES
from shared.version import VERSION
from tests.console.in_process import InProcess
from tests.console_pages.conftest import Browser, signed_in
from tests.console_pages.test_evening import announced

HOOK = "https://93.184.216.34/hook"
CASE = {
    "source": "scoring",
    "tournament": "t-1",
    "position": 7,
    "reason": "its <b>hash</b> is another",
    "origin": "fork",
    "remedy": "recopy",
    "advice": "muster recopy scoring t-1 --service pairing",
}


class Ailing(httpx.BaseTransport):
    """The services in this process; one that stands in `away` is not reached, and `said` is added to what one says."""

    def __init__(self, services: Any) -> None:
        self._real = InProcess(services)
        self.away: set[str] = set()
        self.said: dict[str, dict[str, Any]] = {}
        self.status: dict[str, str] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        service = request.url.host
        if service in self.away:
            raise httpx.ConnectError("refused")
        answer = self._real.handle_request(request)
        if request.url.path != "/readyz" or answer.status_code == 401:
            return answer
        found = httpx.Response(200, content=answer.read()).json()
        for check in found["checks"].values():
            check["ok"] = True  # nobody's worker runs here
        found["checks"] |= self.said.get(service, {})
        status = self.status.get(service, "ok")
        return httpx.Response(503 if status == "failed" else 200, json={**found, "status": status})


@pytest.fixture
def way(services) -> Ailing:
    return Ailing(services)


@pytest.fixture
def ailing(way, tmp_path) -> Flask:
    """A console whose services can be away."""
    urls = {name: f"http://{name}" for name in SERVICES}
    app = build_web({"MUSTER_DATA": str(tmp_path)}, Muster(urls, patience=0.0, transport=way))
    app.config["TESTING"] = True
    return app


@pytest.fixture
def operator(ailing, services) -> Browser:
    return signed_in(ailing, services.token("operator"))


def check(ok: bool, needed: bool = False, **detail: Any) -> dict[str, Any]:
    return {"ok": ok, "needed": needed, "ms": 1.0, "detail": detail}


def test_the_first_line_says_that_nothing_is_wrong(operator):
    operator.open("/")
    assert 'href="/operator"' in operator.page
    assert operator.open("/operator").status_code == 200
    assert operator.shows("No problems", "Registration", "running", "Pairing", "Scoring", "No events in quarantine.")
    assert "not responding" not in operator.page


def test_a_service_that_is_down_is_a_row_with_what_was_last_known(operator, way):
    operator.open("/operator")
    way.away.add("pairing")
    assert operator.open("/operator").status_code == 200
    assert operator.shows("1 problem", "Pairing is not responding. Start it", "Pairing", "ago: ", "running", "Scoring")
    way.away.update(SERVICES)
    assert operator.open("/operator").status_code == 200
    assert operator.shows("3 problems")
    way.away.clear()
    operator.open("/operator")
    assert operator.shows("No problems")


def test_what_was_last_known_is_kept_from_a_token_that_is_invented(operator, way, services, ailing):
    way.said["scoring"] = {"quarantine": check(False, events=[CASE], count=1)}
    operator.open("/operator")
    assert operator.shows("muster recopy scoring")
    way.away.update(SERVICES)
    known: LastConditions = ailing.extensions["muster-last-conditions"]
    urls = {name: f"http://{name}" for name in SERVICES}
    found = conditions(Muster(urls, "eyJ.invented.token", patience=0.0, transport=way), known)
    assert [last for _, last in found] == [None, None, None]


def test_a_service_says_which_version_runs_and_how_full_its_disk_is_and_is_asked_once(
    ailing, way, services, monkeypatch
):
    asked: list[str] = []
    answer = way.handle_request
    monkeypatch.setattr(way, "handle_request", lambda request: asked.append(request.url.path) or answer(request))
    urls = {name: f"http://{name}" for name in SERVICES}
    found = conditions(Muster(urls, services.token("operator"), patience=0.0, transport=way), LastConditions())
    assert asked == ["/readyz"] * len(SERVICES)
    for now, _last in found:
        assert now.version == VERSION
        assert 0 <= now.disk <= 100


@pytest.mark.parametrize("disk", [["full"], "full", {"free": "1", "size": None}, {}])
def test_a_disk_that_is_said_in_another_form_is_none(ailing, way, services, monkeypatch, disk):
    answer = way.handle_request

    def other(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={**answer(request).json(), "disk": disk})

    monkeypatch.setattr(way, "handle_request", other)
    urls = {name: f"http://{name}" for name in SERVICES}
    found = conditions(Muster(urls, services.token("operator"), patience=0.0, transport=way), LastConditions())
    assert [now.disk for now, _last in found] == [None] * len(SERVICES)


def test_an_unsigned_token_gets_no_answer(way):
    urls = {name: f"http://{name}" for name in SERVICES}
    with pytest.raises(NotAnOperator):
        conditions(Muster(urls, "eyJ.invented.token", patience=0.0, transport=way), LastConditions())


def test_what_does_not_hold_is_said_in_words_with_what_to_do(operator, way):
    way.status |= {"registration": "failed", "scoring": "degraded"}
    way.said["registration"] = {"schema": check(False, True, advice="python -m deploy.migrate registration")}
    way.said["scoring"] = {
        "broker": check(False, error="<i>refused</i>"),
        "quarantine": check(False, events=[CASE], count=3),
    }
    operator.open("/operator")
    assert operator.shows("3 problems", "The tables are older", "Start it; nothing is lost", "failed")
    assert operator.shows("<code>python -m deploy.migrate registration</code>")
    assert operator.shows("Quarantine", "event 7 of scoring", "differs from the log of its owner", "What to do:")
    assert operator.shows("<code>muster recopy scoring t-1 --service pairing</code>", "has 3 in all")
    assert "<b>hash</b>" not in operator.page
    assert "<i>refused</i>" not in operator.page
    page = operator.client.get("/operator", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "3 Probleme" in page


@pytest.mark.parametrize(
    "address", ["/operator", "/operator/webhooks", "/operator/tokens", "/operator/webhooks/installation/w1"]
)
def test_the_pages_are_for_operators_alone(app, services, guest, address):
    for somebody in (
        guest,
        signed_in(app, services.token("organiser")),
        signed_in(app, services.token("player", "t-1", player="p1")),
    ):
        assert somebody.open(address).status_code == 403
        assert somebody.shows("This page is for operators of this installation.")


def test_a_webhook_is_shown_with_its_deliveries_and_disabled_and_enabled(operator, services, monkeypatch):
    said = {"name": "Club <b>site</b>", "url": HOOK}
    made = services.ask("POST", "scoring", "/tournaments/installation/webhooks", said, services.token("operator"))
    assert made.status == 201, made
    operator.open("/operator/webhooks")
    assert operator.shows("Club &lt;b&gt;site", "https://93.184.216.34")
    scoring = Scoring.list_webhooks

    def failing(self: Scoring, tournament: str) -> Any:
        found = scoring(self, tournament)
        for one in found.items:
            one.dead = 2
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Scoring, "list_webhooks", failing)
        operator.open("/operator")
    assert operator.shows("problem", "Webhook Club &lt;b&gt;site", "gave up on messages")
    operator.open("/operator/webhooks")
    assert "/hook" not in operator.page
    place = f"/operator/webhooks/installation/{made.body['id']}"
    operator.open(place)
    assert operator.shows("Deliveries", "Send all messages again")
    operator.send(do="ping")
    assert operator.shows("waiting", "A test message is on its way.")
    operator.send(do="resend", delivery="999999")
    assert operator.shows("Nothing was saved. Please check:")
    operator.open(place)
    operator.send(do="disable")
    assert operator.shows("disabled", "Enable", "The webhook is disabled.")
    operator.send(do="enable")
    assert operator.shows("Disable", "The webhook is enabled.")
    operator.open(f"{place}?state=dead")
    assert operator.shows("No deliveries.")
    assert operator.send(f"{place}", do="nonsense").status_code == 404


def test_webhooks_of_an_unknown_event_are_a_404(operator):
    assert operator.open("/operator/webhooks?of=t-none").status_code == 404
    assert operator.shows("Nothing was saved. Please check:")


def test_a_token_is_shown_once_and_revoked_by_itself_or_its_id(operator):
    event = announced(operator).rpartition("/")[2]
    operator.open("/operator/tokens")
    assert operator.send(do="revoke").status_code == 422
    assert operator.shows("This field is required.")
    operator.open("/operator/tokens")
    operator.send(do="appoint", event=event, name="Rita", role="referee")
    assert operator.shows("shown only once", "readonly", "eyJ")
    token = operator.page.split('readonly value="')[1].split('"')[0]
    operator.open("/operator/tokens")
    assert token not in operator.page
    referee = signed_in(operator.client.application, token)
    assert referee.open(f"/events/{event}/round").status_code == 200
    operator.open("/operator/tokens")
    operator.send(do="revoke", token=token, reason="a lost phone")
    assert operator.shows(f"The token {event}.s", "has been revoked.")
    assert token not in operator.page
    operator.open("/operator/tokens")
    operator.send(do="revoke", token="abc123", reason="it leaked")
    assert operator.shows("abc123", "it leaked")


def test_an_organiser_gets_a_token_that_is_shown_once_listed_and_revoked(operator):
    operator.open("/operator/tokens")
    operator.send(do="issue", organiser="organiser")
    assert operator.shows("Nothing was saved. Please check:")
    operator.open("/operator/tokens")
    operator.send(do="issue", organiser="Club <b>B", days="400")
    assert operator.shows("Nothing was saved. Please check:")
    operator.open("/operator/tokens")
    operator.send(do="issue", organiser="Club <b>B", days="7")
    assert operator.shows("shown only once", "readonly", "eyJ")
    token = operator.page.split('readonly value="')[1].split('"')[0]
    club = signed_in(operator.client.application, token)
    assert club.open("/events/new").status_code == 200
    operator.open("/operator/tokens")
    assert token not in operator.page
    assert operator.shows("Club &lt;b&gt;B", "organiser-1")
    operator.send(do="revoke", token="organiser-1")
    assert operator.shows("The token organiser-1 has been revoked.")
    assert operator.shows("organiser-1", "revoked")


def in_german(browser: Browser, address: str) -> str:
    """The part of a page that is its own."""
    page = browser.client.get(address, headers={"Accept-Language": "de"}).get_data(as_text=True)
    return page.partition("<main")[2].partition("</main>")[0]


def test_what_does_not_hold_and_what_to_do_is_german_on_a_german_page(operator, way):
    cases = [
        {**CASE, "origin": origin, "source": source, "remedy": remedy(case_of(origin, source), "pairing")}
        for origin in CASES
        for source in ("scoring", "pairing")
    ]
    parts = {
        "relay": {"ok": False, "state": "missing", "trouble": "no worker runs it"},
        "consumer": {"ok": False, "state": "silent", "seconds_since_sign_of_life": 1234},
        "catch_up": {"ok": False, "state": "failing", "seconds_since_sign_of_life": 2, "trouble": "it died"},
    }
    behind = {"behind": 17, "seconds_since_asked": 90, "trouble": "its feed ends at 20"}
    way.status["pairing"] = "failed"
    way.said["pairing"] = {
        "database": check(False, True),
        "disk": check(False, True, trouble="it is full"),
        "schema": check(False, True, found="log_0001", expected="log_0002", advice="python -m deploy.migrate pairing"),
        "own_copies": check(False, True, scoring={"trouble": "it holds more"}),
        "broker": check(False, error="refused"),
        "outbox": check(False, unpublished=12000),
        "copies": check(False, scoring=behind, registration={"behind": 3, "seconds_since_asked": None}),
        "parts": check(False, **parts),
        "quarantine": check(False, events=cases, count=len(cases)),
    }
    shown = in_german(operator, "/operator")
    assert 'lang="en"' not in shown
    assert shown.count("Quarantäne</") == 1, "it has a panel of its own"
    for text in (
        "Datenbank",
        "Die Festplatte mit den Daten ist voll oder nur lesbar.",
        "Sie sind auf log_0001; nötig ist log_0002.",
        "Scoring hat Ereignisse, die hier fehlen.",
        "12.000 Ereignisse warten.",
        "Scoring: 17 Ereignisse zurück; zuletzt vor 90 Sekunden gefragt.",
        "Registration: 3 Ereignisse zurück; noch nicht gefragt.",
        "relay: läuft in keinem Worker.",
        "consumer: seit 1.234 Sekunden kein Lebenszeichen.",
        "catch_up: scheitert immer wieder",
        "Nichts: Es wird kopiert, sobald die Ankündigung da ist.",
        "Bring Pairing auf die Version, die bei Scoring läuft.",
        "Bring jeden Prozess von Pairing auf die Version, die es geschrieben hat.",
        "Prüfe das Log von Scoring: <code>GET /tournaments/t-1/log</code>",
        "<code>muster recopy scoring t-1 --service pairing</code>",
    ):
        assert text in unisolated(shown), text


def unisolated(page: str) -> str:
    """Without the marks that keep names of other scripts apart."""
    return re.sub("[\u2068\u2069]|</?bdi>", "", page)


def case_of(origin: str, source: str) -> Case:
    return Case(source, "t-1", 7, "why", origin, "2026-03-07T10:00:00Z")


def test_advice_of_a_service_that_is_newer_is_marked_as_english(operator, way):
    way.said["pairing"] = {"quarantine": check(False, events=[{**CASE, "remedy": "pray", "advice": "pray"}], count=1)}
    assert '<span lang="en">pray</span>' in in_german(operator, "/operator")


def test_the_cause_of_a_failing_webhook_is_german_on_a_german_page(operator, services, monkeypatch):
    said = {"name": "Verein", "url": HOOK}
    made = services.ask("POST", "scoring", "/tournaments/installation/webhooks", said, services.token("operator"))
    place = f"/operator/webhooks/installation/{made.body['id']}"
    operator.open(place)
    operator.send(do="ping")
    show, listed = Scoring.show_webhook, Scoring.list_deliveries
    state = {"status": "disabled", "cause": "failing", "fault": "timeout"}

    def as_it_is(self: Scoring, *of: Any, **more: Any) -> Any:
        return replace(show(self, *of, **more), status=state["status"], cause=state["cause"])

    def failed(self: Scoring, *of: Any, **more: Any) -> Any:
        found = listed(self, *of, **more)
        return replace(found, items=[replace(one, fault=state["fault"], state="dead") for one in found.items])

    monkeypatch.setattr(Scoring, "show_webhook", as_it_is)
    monkeypatch.setattr(Scoring, "list_deliveries", failed)
    shown = in_german(operator, place)
    assert "weil nichts mehr zugestellt werden konnte. Schalte ihn ein, wenn seine Adresse wieder antwortet." in shown
    assert "Er hat nicht rechtzeitig geantwortet." in shown
    assert "Prüfanfrage" in shown
    state |= {"status": "failing", "cause": "", "fault": "tls"}
    shown = in_german(operator, place)
    assert "Die Zustellungen sagen, warum." in shown
    assert "Sein Zertifikat ist nicht gültig" in shown
    assert 'lang="en"' not in shown


def test_each_word_of_the_services_that_operators_are_shown_has_words_of_the_console():
    assert operator_words.FAULTS.keys() == FAULTS.keys()
    causes = {*get_args(get_type_hints(SuspendWebhook)["cause"]), "asked"}
    assert operator_words.CAUSES.keys() == causes
    assert operator_words.WEBHOOK.keys() == set(get_args(Status))
    assert operator_words.WEBHOOK.keys() - {"enabled", "disabled"} == operator_words.ADVICE.keys()
    assert {NEWER, EARLY, FORK, FOLD} < CASES.keys()
    found = {remedy(case_of(origin, source), "pairing") for origin in CASES for source in ("pairing", "scoring")}
    assert found == {*REMEDIES, *COMMANDS}
