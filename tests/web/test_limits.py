"""Rate limits: one caller cannot block the others."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.web import limits
from shared.web.limits import Allowance
from tests.web.fake import bearer, fake_app


class Tally:
    """An in-memory tally shared by the processes of a service."""

    def __init__(self):
        self.spent = Counter()
        self.times = 0

    def __call__(self, caller, number, spent):
        self.times += 1
        self.spent[caller, number] += spent
        return self.spent[caller, number]


@pytest.fixture(autouse=True)
def far_from_the_end_of_a_window(monkeypatch):
    """Wait if the hour is about to end: a test would see two windows."""
    monkeypatch.setattr(limits.time, "time", lambda: 1_749_999_601.0)  # a second after the hour


@pytest.fixture
def three():
    return fake_app(allowance=Allowance("3/hour")).test_client()


def test_too_many_requests_returns_retry_after(three):
    assert [three.get("/games").status_code for _ in range(4)] == [200, 200, 200, 429]
    answer = three.get("/games")
    assert answer.get_json()["code"] == "too-many-requests"
    assert 1 <= int(answer.headers["Retry-After"]) <= 3600


def test_each_actor_has_a_separate_allowance(three):
    for actor in ("ann", "bea"):
        asked = [three.get("/games", headers=bearer(actor=actor)).status_code for _ in range(4)]
        assert asked == [200, 200, 200, 429]
    assert three.get("/games").status_code == 200


def test_new_token_keeps_the_allowance(three):
    asked = [three.get("/games", headers=bearer(jti=f"t-{n}")).status_code for n in range(4)]
    assert asked[-1] == 429


def test_invalid_token_counts_against_the_address(three):
    asked = [three.get("/games", headers={"Authorization": f"Bearer x{n}"}).status_code for n in range(4)]
    assert asked == [200, 200, 200, 429]


def test_forwarded_addresses_count_only_from_trusted_proxies():
    def asked(client):
        return [client.get("/games", headers={"X-Forwarded-For": f"10.0.0.{n}"}).status_code for n in range(4)]

    assert asked(fake_app(allowance=Allowance("3/hour")).test_client())[-1] == 429
    assert asked(fake_app(allowance=Allowance("3/hour"), trusted_proxies=1).test_client())[-1] == 200


def test_monitoring_is_not_counted(three):
    assert {three.get("/healthz").status_code for _ in range(9)} == {200}


def test_an_empty_rate_is_no_limit(client):
    assert {client.get("/games").status_code for _ in range(50)} == {200}


def test_invalid_rate_is_refused_at_startup():
    with pytest.raises(ValueError, match=r"\w"):
        fake_app(allowance=Allowance("many"))


def test_every_answer_has_the_remaining_allowance(three):
    answers = [three.get("/games") for _ in range(4)]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"caller";q=3;w=3600'}
    left = [re.fullmatch(r'"caller";r=(\d+);t=(\d+)', answer.headers["RateLimit"]) for answer in answers]
    assert [int(found[1]) for found in left] == [2, 1, 0, 0]
    assert {int(found[2]) for found in left} == {int(answers[3].headers["Retry-After"])}
    assert "RateLimit" not in three.get("/healthz").headers


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:10.0.0.7", "10.0.0.7", True),
        ("::ffff:10.0.0.7", "::ffff:10.0.0.8", False),
        ("10.0.0.7", "10.0.0.8", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_addresses_of_one_network_share_an_allowance(one, other, same):
    client = fake_app(allowance=Allowance("1/hour")).test_client()
    answers = [client.get("/games", environ_base={"REMOTE_ADDR": address}).status_code for address in (one, other)]
    assert answers == [200, 429 if same else 200]


class TestProcesses:
    """Several processes of a service share one allowance."""

    def ask(self, client, times):
        return [client.get("/games").status_code for _ in range(times)]

    def test_small_allowance_is_shared(self):
        told = Tally()
        one, two = (fake_app(allowance=Allowance("3/hour", told)).test_client() for _ in range(2))
        assert self.ask(one, 2) + self.ask(two, 2) + self.ask(one, 1) == [200, 200, 200, 429, 429]

    def test_large_allowance_is_exceeded_by_less_than_one_report_per_process(self):
        told = Tally()
        clients = [fake_app(allowance=Allowance("500/hour", told)).test_client() for _ in range(4)]
        allowed = sum(self.ask(clients[n % 4], 1) == [200] for n in range(800))
        assert 500 <= allowed < 500 + 3 * 10
        assert told.times < 60

    def test_few_requests_are_not_reported(self):
        told = Tally()
        client = fake_app(allowance=Allowance("500/hour", told)).test_client()
        assert set(self.ask(client, 9)) == {200}
        assert told.times == 0

    def test_requests_over_the_limit_are_not_reported(self):
        told = Tally()
        client = fake_app(allowance=Allowance("500/hour", told)).test_client()
        self.ask(client, 520)
        before = told.times
        assert set(self.ask(client, 300)) == {429}
        assert told.times == before


class TestWindows:
    """Counts in memory: windows expire, and expired windows do not accumulate."""

    @pytest.fixture
    def at(self, monkeypatch):
        now = [1000.0]
        for clock in ("time", "monotonic"):
            monkeypatch.setattr(limits.time, clock, lambda: now[0])
        return now

    def test_window_ends_by_the_clock(self, at):
        windows = limits.Windows()
        at[0] = 1020.0
        assert [windows.count(who, 60) for who in "aab"] == [(1, 1080.0), (2, 1080.0), (1, 1080.0)]
        at[0] = 1079.9
        assert windows.count("a", 60) == (3, 1080.0)
        at[0] = 1080.0
        assert windows.count("a", 60) == (1, 1140.0)

    def test_number_of_windows_is_limited(self, at, monkeypatch):
        monkeypatch.setattr(limits, "CALLERS", 10)
        windows = limits.Windows()
        for caller in range(10):
            windows.count(f"caller {caller}", 60)
        at[0] = 1090.0
        windows.count("caller 0", 60)  # of the next minute, and so the youngest
        windows.count("new", 60)
        assert set(windows._windows) == {*(f"caller {caller}" for caller in (0, *range(2, 10))), "new"}
        assert [windows.count(who, 60)[0] for who in ("caller 0", "new")] == [2, 2]

    def test_counting_is_thread_safe(self):
        windows = limits.Windows()
        with ThreadPoolExecutor(8) as pool:
            counted = list(pool.map(lambda _: windows.count("a", 60)[0], range(2000)))
        assert sorted(counted) == list(range(1, 2001))


def test_setting_the_clock_back_does_not_extend_a_window(monkeypatch):
    now = limits.time.time()
    client = fake_app(allowance=Allowance("2/minute")).test_client()
    monkeypatch.setattr(limits.time, "time", lambda: now - 3600)
    answers = [client.get("/games") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    monkeypatch.setattr(limits.time, "time", lambda: now - 7200)
    assert int(client.get("/games").headers["Retry-After"]) <= 60
