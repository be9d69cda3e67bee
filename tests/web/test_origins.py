"""CORS: pages of allowed origins may read answers; all other clients get no CORS headers."""

from __future__ import annotations

import pytest

from tests.web.fake import bearer, fake_app

CLUB = "https://club.example"
RESULTS = "/tournaments/spring-open/results"
ASKS = {
    "Origin": CLUB,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,muster-seen",
}


def listed(header: str | None) -> set[str]:
    return {part.strip().lower() for part in (header or "").split(",")}


@pytest.fixture
def client():
    return fake_app(origins=(CLUB, "http://localhost:5173")).test_client()


def test_allowed_origin_may_send_a_result(client):
    answer = client.options(RESULTS, headers=ASKS)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == CLUB
    assert "post" in listed(answer.headers["Access-Control-Allow-Methods"])
    assert listed(ASKS["Access-Control-Request-Headers"]) <= listed(answer.headers["Access-Control-Allow-Headers"])
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize("path", ["/games", RESULTS, "/nothing"])
def test_allowed_origin_may_read_answers_and_headers(client, path):
    answer = client.get(path, headers={"Origin": CLUB})
    assert answer.headers["Access-Control-Allow-Origin"] == CLUB
    shown = listed(answer.headers["Access-Control-Expose-Headers"])
    assert {"etag", "location", "link", "muster-seen", "x-request-id", "retry-after", "idempotent-replayed"} <= shown
    assert {"muster-feed-cursor", "muster-feed-end"} <= shown, "a page that follows the feed goes on from its cursor"


def test_allowed_origin_may_read_problems(client):
    answer = client.post(RESULTS, json={}, headers={"Origin": CLUB, **bearer()})
    assert answer.status_code == 422
    assert answer.headers["Access-Control-Allow-Origin"] == CLUB


@pytest.mark.parametrize(
    "origin", ["https://club.example.evil.test", "http://club.example", "https://club.example:8443", "null", "*", ""]
)
def test_other_origins_get_no_cors_headers(client, origin):
    for answer in (
        client.options(RESULTS, headers={**ASKS, "Origin": origin}),
        client.get("/games", headers={"Origin": origin}),
        client.get("/games"),
    ):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]
        assert "origin" in listed(answer.headers["Vary"])


def test_no_origin_is_allowed_by_default():
    answer = fake_app().test_client().get("/games", headers={"Origin": CLUB})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]
    assert "origin" not in listed(answer.headers.get("Vary"))
