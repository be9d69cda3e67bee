"""/healthz, /readyz and /metrics."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.metrics import CONSUMER_OUTCOMES, OUTBOX_DEPTH, OUTCOMES, REGISTRY
from shared.version import VERSION
from shared.web.health import Disk, Health
from tests.web.fake import GOOD, RESULTS, bearer, fake_app

ROOT = Path(__file__).parents[2]


def fine():
    return True, {"ms": 1}


def ill():
    return False, {"behind": 7}


def broken():
    raise ConnectionError("password=hunter2")


OPERATOR = bearer("operator", "*")


def ready(**given):
    answer = fake_app(health=Health("fake", **given)).test_client().get("/readyz", headers=OPERATOR)
    return answer.status_code, answer.get_json()


def test_healthz_ignores_failed_probes():
    answer = fake_app(health=Health("fake", {"database": broken})).test_client().get("/healthz")
    assert (answer.status_code, answer.get_json()) == (200, {"status": "ok", "service": "fake"})


def test_all_probes_ok():
    status, body = ready(probes={"database": fine, "broker": fine})
    assert (status, body["status"]) == (200, "ok")
    assert body["checks"]["database"]["detail"] == {"ms": 1}


def test_failed_needed_probe_makes_the_service_unready():
    status, body = ready(probes={"database": ill, "broker": fine})
    assert (status, body["status"]) == (503, "failed")
    assert body["checks"]["database"] == {
        "ok": False,
        "needed": True,
        "ms": body["checks"]["database"]["ms"],
        "detail": {"behind": 7},
    }
    assert body["checks"]["broker"]["ok"]


def test_failed_advisory_probe_degrades_the_service():
    status, body = ready(probes={"database": fine, "broker": ill}, advisory=["broker"])
    assert (status, body["status"]) == (200, "degraded")


def test_exception_in_a_probe_reveals_no_secrets():
    status, body = ready(probes={"database": broken})
    assert status == 503
    assert body["checks"]["database"]["detail"] == {"error": "ConnectionError"}


PUT_ASIDE = {"events": [{"tournament": "t-hidden", "position": 3}], "count": 1, "oldest": None}


@pytest.mark.parametrize(
    ("who", "told"),
    [
        ({}, False),
        (bearer("organiser"), False),
        (bearer("operator"), False),
        (bearer("integration", "*"), False),
        (bearer("operator", "*"), True),
        (bearer("service", "*"), True),
    ],
)
def test_public_answer_has_numbers_but_no_names(who, told):
    found = {"copies": {"pairing": {"behind": 2, "at": "http://pairing:8002"}}, "well": False, **PUT_ASIDE}
    client = fake_app(health=Health("fake", {"quarantine": lambda: (False, found)}, ["quarantine"])).test_client()
    answer = client.get("/readyz", headers=who)
    assert (answer.status_code, answer.get_json()["status"]) == (200, "degraded")
    detail = answer.get_json()["checks"]["quarantine"]["detail"]
    numbers = {"copies": {"pairing": {"behind": 2}}, "well": False, "count": 1, "oldest": None}
    assert detail == (found if told else numbers)


@pytest.mark.parametrize(("who", "told"), [({}, False), (bearer("organiser"), False), (OPERATOR, True)])
def test_operators_see_version_and_disk(who, told):
    client = fake_app(health=Health("fake", {"database": fine}, disk=lambda: Disk(free=10, size=40))).test_client()
    answer = client.get("/readyz", headers=who).get_json()
    machine = {"version": VERSION, "disk": {"free": 10, "size": 40}}
    assert {name: answer.get(name) for name in machine} == (machine if told else dict.fromkeys(machine))


def test_unreadable_disk_is_omitted():
    assert "disk" not in ready(probes={"database": fine}, disk=lambda: None)[1]


def test_metrics_need_a_token(client):
    assert client.get("/metrics").get_json()["code"] == "unauthenticated"
    assert client.get("/metrics", headers=bearer("organiser", "*")).get_json()["code"] == "forbidden"
    assert client.get("/metrics", headers=bearer("operator")).get_json()["code"] == "wrong-tournament"
    for role in ("operator", "integration", "service"):
        assert client.get("/metrics", headers=bearer(role, "*")).status_code == 200


def test_metrics_format_follows_accept(client):
    asked = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
    answer = client.get("/metrics", headers={"Accept": asked, **OPERATOR})
    assert (answer.status_code, answer.mimetype) == (200, "application/openmetrics-text")
    assert client.get("/metrics", headers={"Accept": "application/json", **OPERATOR}).status_code == 406


def test_results_are_cached_for_a_second():
    now, asked = [0.0], []

    def probe():
        asked.append(now[0])
        return True, {}

    health = Health("fake", {"database": probe}, clock=lambda: now[0])
    for now[0] in (0.0, 0.5, 0.99, 1.0, 1.5):
        assert health.ready()[1] == 200
    assert asked == [0.0, 1.0]


def test_unknown_advisory_probe_is_refused_at_startup():
    with pytest.raises(ValueError, match="brokr"):
        fake_app(health=Health("fake", {"broker": fine}, ["brokr"]))


def test_metrics_use_the_route_template(client):
    def count(route, method, status):
        labels = {"endpoint": route, "method": method, "status": status}
        return REGISTRY.get_sample_value("muster_http_request_seconds_count", labels) or 0

    route = "/tournaments/<id:tournament>/results"
    before = count(route, "POST", "201"), count("unmatched", "GET", "404"), count("unmatched", "other", "405")
    client.post(RESULTS, json=GOOD, headers=bearer())
    client.get("/zzz/looks/for/something")
    client.open(RESULTS, method="BREW")
    after = count(route, "POST", "201"), count("unmatched", "GET", "404"), count("unmatched", "other", "405")
    assert [now - then for then, now in zip(before, after, strict=True)] == [1, 1, 1]
    text = client.get("/metrics", headers=OPERATOR).text
    assert "spring-open" not in text
    assert "zzz" not in text


def test_every_layer_has_metrics(client):
    OUTBOX_DEPTH.labels("scoring").set(3)
    for outcome in OUTCOMES:
        CONSUMER_OUTCOMES.labels("pairing", outcome).inc(0)
    answer = client.get("/metrics", headers=bearer("integration", "*"))
    assert answer.mimetype == "text/plain"
    for line in (
        'muster_outbox_depth{source="scoring"} 3.0',
        'muster_consumer_outcomes_total{outcome="gap",source="pairing"}',
        "# TYPE muster_append_seconds histogram",
        "# TYPE muster_decide_retries_total counter",
        "# TYPE muster_fold_seconds histogram",
        "# TYPE muster_replication_lag_events gauge",
        "# TYPE muster_quarantined_events_total counter",
        "# TYPE muster_relay_published_total counter",
    ):
        assert line in answer.text, line
