"""Muster-Seen between real services: who has really seen something is waited for, and nobody else holds a thread."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait

import httpx
import pytest

from deploy.stack import Stack
from shared.settings import SERVICES
from tests import http
from tests.faults.processes import children
from tests.issuing import token_of

ARMADA = "star-wars-armada-1.1"
FOLLOWERS = ("pairing", "scoring")
FAR = 2_000_000_000
COMMANDS = {"registration": "/players", "pairing": "/rounds", "scoring": "/conclusion"}


@pytest.fixture(scope="module")
def stack(tmp_path_factory) -> Iterator[Stack]:
    """Requests may wait as long as a test does."""
    with Stack(tmp_path_factory.mktemp("seen"), env={"MUSTER_SEEN_WAIT_MS": "60000"}) as running:
        yield running


@pytest.fixture
def token(stack) -> str:
    return token_of(stack.env, "operator")


@pytest.fixture
def asking() -> Iterator[http.Client]:
    with http.Client(limits=httpx.Limits(max_connections=100)) as client:
        yield client


@pytest.fixture
def tournament(stack, asking, token) -> str:
    body = {"name": "Club night", "ruleset": ARMADA}
    answer = asking.post(f"{stack.urls['registration']}/tournaments", json=body, headers=bearer(token))
    assert answer.status_code == 201, answer.text
    for service in FOLLOWERS:
        ask(stack, asking, service, answer.json()["id"], answer.headers["Muster-Seen"])
    return str(answer.json()["id"])


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def elsewhere() -> Iterator[http.Client]:
    """A client with another address."""
    with http.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as client:
        yield client


def ask(stack: Stack, asking: http.Client, service: str, tournament: str, seen: str) -> httpx.Response:
    url = f"{stack.urls[service]}/tournaments/{tournament}/heads"
    return asking.get(url, headers={"Muster-Seen": seen} if seen else {})


def read_and_command(
    stack: Stack, asking: http.Client, token: str, service: str, tournament: str, seen: str
) -> list[httpx.Response]:
    """What a reader and somebody with a command are answered who have seen so much."""
    body = {"name": "Zoe"} if service == "registration" else {}
    headers = bearer(token) | ({"Muster-Seen": seen} if seen else {})
    command = f"{stack.urls[service]}/tournaments/{tournament}{COMMANDS[service]}"
    return [ask(stack, asking, service, tournament, seen), asking.post(command, json=body, headers=headers)]


def join(stack: Stack, asking: http.Client, token: str, tournament: str, name: str) -> httpx.Response:
    url = f"{stack.urls['registration']}/tournaments/{tournament}/players"
    answer = asking.post(url, json={"name": name}, headers=bearer(token))
    assert answer.status_code == 201, answer.text
    return answer


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("source", SERVICES)
def test_what_no_log_has_is_refused_at_once_to_readers_and_commands(stack, asking, token, tournament, service, source):
    for answer in read_and_command(stack, asking, token, service, tournament, f"{source}={FAR}"):
        assert (answer.status_code, answer.json()["code"]) == (400, "implausible-seen"), answer.text
        assert answer.json()["errors"][0]["said"] == f"{source}={FAR}"


@pytest.mark.parametrize("service", SERVICES)
def test_nobody_else_appends_to_a_log_so_nothing_beyond_its_end_is_waited_for(stack, asking, tournament, service):
    end = ask(stack, asking, service, tournament, "").json()["heads"].get(service, {"position": 0})["position"]
    answer = ask(stack, asking, service, tournament, f"{service}={end + 1}")
    assert (answer.status_code, answer.json()["code"]) == (400, "implausible-seen")


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("seen", ["", "registration=5", f"registration={FAR}, scoring=7"])
def test_a_tournament_that_nobody_knows_is_unknown_whatever_was_seen_of_it(stack, asking, token, service, seen):
    for answer in read_and_command(stack, asking, token, service, "nobody-knows-it", seen):
        assert (answer.status_code, answer.json()["code"]) == (404, "tournament-unknown"), answer.text


@pytest.mark.parametrize("service", FOLLOWERS)
def test_where_the_owner_has_said_that_there_is_no_more_nobody_waits(stack, asking, tournament, service):
    answer = ask(stack, asking, service, tournament, "registration=500")
    assert (answer.status_code, answer.json()["code"]) == (503, "not-yet-seen")
    assert answer.headers["Retry-After"] == "1"


def registered(seen: str) -> int:
    """Return how far registration's log was read by a `Muster-Seen`."""
    return int(dict(part.split("=") for part in seen.split(", "))["registration"])


def test_what_was_really_seen_is_shown_by_every_service(stack, asking, token, tournament):
    for number in range(20):
        seen = join(stack, asking, token, tournament, f"Player {number}").headers["Muster-Seen"]
        position = registered(seen)
        for service in FOLLOWERS:
            answer = ask(stack, asking, service, tournament, seen)
            assert answer.status_code == 200, answer.text
            assert answer.json()["heads"]["registration"]["position"] >= position


def test_a_tournament_is_found_right_after_it_was_announced(stack, asking, token):
    for _ in range(5):
        body = {"name": "Club night", "ruleset": ARMADA}
        made = asking.post(f"{stack.urls['registration']}/tournaments", json=body, headers=bearer(token))
        for service in FOLLOWERS:
            assert ask(stack, asking, service, made.json()["id"], made.headers["Muster-Seen"]).status_code == 200


@pytest.mark.attack("Muster-Seen holds threads")
def test_however_many_wait_others_are_answered_and_who_waits_is_answered_in_the_end(
    stack, asking, elsewhere, token, tournament
):
    seen = join(stack, asking, token, tournament, "Ana").headers["Muster-Seen"]
    position = registered(seen)
    assert ask(stack, asking, "scoring", tournament, seen).status_code == 200
    ahead = f"registration={position + 1}"
    owners = _processes(stack, "registration") + _processes(stack, "pairing")
    for pid in owners:
        os.kill(pid, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(40) as pool:
            guests = [pool.submit(ask, stack, asking, "scoring", tournament, ahead) for _ in range(24)]
            staff = [
                pool.submit(
                    asking.get,
                    f"{stack.urls['scoring']}/tournaments/{tournament}/heads",
                    headers={"Muster-Seen": ahead, **bearer(token)},
                )
                for _ in range(2)
            ]
            # Three guests of eight threads may wait, two of one address; the others are refused at once, and more than
            # two threads are left.
            while sum(guest.done() for guest in guests) < 22:
                wait([guest for guest in guests if not guest.done()], timeout=1, return_when="FIRST_COMPLETED")
            neighbour = pool.submit(ask, stack, elsewhere, "scoring", tournament, ahead)
            for _ in range(20):
                assert http.get(f"{stack.urls['scoring']}/healthz").status_code == 200
            refused = [guest.result() for guest in guests if guest.done()]
            assert len(refused) == 22
            for answer in refused:
                assert (answer.status_code, answer.json()["code"]) == (503, "not-yet-seen")
                assert answer.headers["Retry-After"] == "1"
            assert not any(one.done() for one in (*staff, neighbour))
            for pid in owners:
                os.kill(pid, signal.SIGCONT)
            join(stack, asking, token, tournament, "Ben")
            waited = [one.result() for one in (*guests, neighbour, *staff) if one.result() not in refused]
            assert [answer.status_code for answer in waited] == [200] * 5
    finally:
        for pid in owners:
            os.kill(pid, signal.SIGCONT)


def _processes(stack: Stack, service: str) -> list[int]:
    pids = stack.pids()
    return [pids[service], *children(pids[service])]
