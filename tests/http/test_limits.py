"""Nobody takes the evening from everybody; everybody else goes on."""

from __future__ import annotations

import pytest

from tests.http.fake import bearer, fake_app


@pytest.fixture
def three():
    return fake_app(rate_limit="3/hour").test_client()


def test_who_asks_too_often_waits_and_is_told_how_long(three):
    assert [three.get("/games").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = three.get("/games")
    assert answer.get_json()["code"] == "too-many-requests"
    assert 1 <= int(answer.headers["Retry-After"]) <= 3600


def test_every_actor_has_an_allowance_of_their_own(three):
    for actor in ("ann", "bea"):
        asked = [three.get("/games", headers=bearer(actor=actor)).status_code for _ in range(4)]
        assert asked == [200, 200, 200, 429]
    assert three.get("/games").status_code == 200


def test_a_new_token_gives_no_new_allowance(three):
    asked = [three.get("/games", headers=bearer(jti=f"t-{n}")).status_code for n in range(4)]
    assert asked[-1] == 429


def test_a_bad_token_counts_against_the_address(three):
    asked = [three.get("/games", headers={"Authorization": f"Bearer x{n}"}).status_code for n in range(4)]
    assert asked == [200, 200, 200, 429]


def test_addresses_behind_a_proxy_are_told_apart_only_where_it_is_trusted():
    def asked(client):
        return [client.get("/games", headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(4)]

    assert asked(fake_app(rate_limit="3/hour").test_client())[-1] == 429
    assert asked(fake_app(rate_limit="3/hour", trusted_proxies=1).test_client())[-1] == 200


def test_machines_that_watch_are_not_counted(three):
    assert {three.get("/healthz").status_code for _ in range(9)} == {200}


def test_an_empty_rate_is_no_limit(client):
    assert {client.get("/games").status_code for _ in range(50)} == {200}


def test_a_rate_that_cannot_be_read_is_refused_at_the_start():
    with pytest.raises(ValueError, match=r"\w"):
        fake_app(rate_limit="many")
