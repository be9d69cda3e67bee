"""Nobody takes the evening from everybody; everybody else goes on."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.http import limits
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


class TestWindows:
    """Counts in memory: each window ends by itself, and ended ones do not pile up."""

    @pytest.fixture
    def at(self, monkeypatch):
        now = [1000.0]
        monkeypatch.setattr(limits.time, "time", lambda: now[0])
        return now

    def test_a_window_ends_when_its_first_request_said(self, at):
        windows = limits.Windows()
        assert [windows.incr("a", 60), windows.incr("a", 60), windows.incr("b", 60)] == [1, 2, 1]
        at[0] = 1059.9
        assert (windows.get("a"), windows.get_expiry("a")) == (2, 1060.0)
        at[0] = 1060.0
        assert (windows.get("a"), windows.get_expiry("a")) == (0, 1060.0)
        assert windows.incr("a", 60) == 1
        assert windows.get_expiry("a") == 1120.0

    def test_windows_that_have_ended_are_thrown_away(self, at, monkeypatch):
        monkeypatch.setattr(limits, "CALLERS", 10)
        windows = limits.Windows()
        for caller in range(10):
            windows.incr(f"old {caller}", 60)
        at[0] = 1030.0
        windows.incr("still running", 60)
        at[0] = 1070.0
        windows.incr("new", 60)
        assert windows.reset() == 2

    def test_counting_by_many_threads_loses_none(self):
        windows = limits.Windows()
        with ThreadPoolExecutor(8) as pool:
            counted = list(pool.map(lambda _: windows.incr("a", 60), range(2000)))
        assert sorted(counted) == list(range(1, 2001))
        windows.clear("a")
        assert windows.get("a") == 0
