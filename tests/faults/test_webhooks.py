"""Receivers of webhooks that do what they should not, and a deliverer that is killed at each step of its work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from services.scoring import app as wiring
from services.scoring.webhooks.deliverer import LANE_DELIVERIES
from shared.settings import load
from tests import outcomes
from tests.databases import migrated
from tests.services.conftest import NOWHERE, logging_as_it_was
from tests.services.scoring import receiver as acts
from tests.services.scoring.receiver import Message, Receiver
from tests.services.scoring.story import Floor, floor
from tests.services.scoring.webhook_story import LOCAL, in_order, subscribe
from tests.services.story import Club
from tests.waiting import until

PARAMETERS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]


@pytest.fixture(params=PARAMETERS)
def club(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Club]:
    """Scoring's web side in this process; its deliverer is a process of its own on the same database."""
    env = {
        "MUSTER_DATA": str(tmp_path),
        "MUSTER_SEEN_WAIT_MS": "0",
        "MUSTER_RATE_LIMIT": "1000000/minute",
        "MUSTER_LOG_LEVEL": "error",
        **{f"{name}_URL": NOWHERE for name in ("REGISTRATION", "PAIRING", "SCORING")},
        **LOCAL,
    }
    if request.param == "postgresql":
        env["SCORING_DATABASE_URL"] = request.getfixturevalue("postgresql_url")
    settings = load("scoring", env)
    database = migrated(settings.database_url, "scoring")
    with logging_as_it_was():
        yield Club(wiring.build_web(env, database), settings, wiring.SOURCES, env)
    database.close()


def start(club: Club) -> subprocess.Popen[bytes]:
    """The part of scoring's worker that posts to webhooks."""
    command = [sys.executable, "-m", "services.scoring.worker", "webhooks"]
    return subprocess.Popen(command, env={**os.environ, **club.env, "PYTHONDONTWRITEBYTECODE": ""})


@contextmanager
def running(club: Club) -> Iterator[None]:
    worker = start(club)
    try:
        yield
    finally:
        worker.kill()
        worker.wait()


def holding(entered: list[str], kind: Callable[[Message], bool]) -> acts.Does:
    """Say when a message of some kind is there, and answer it only much later."""

    def does(request: object, message: Message) -> bool:
        if kind(message):
            entered.append(message.id)
            time.sleep(1.5)  # noqa: TID251 - a slow receiver
        return acts.agree(request, message)  # type: ignore[arg-type]

    return does


def events(told: Floor) -> list[str]:
    """Ids of a tournament's events in the order of the public feed."""
    return [line["id"] for line in told.club.ask("GET", f"/feed?tournament={told.id}&limit=500").lines]


def checked(told: Floor, receiver: Receiver, repeated: int) -> None:
    """Everything came, in order of its first coming, and of what a death repeats no more than is said."""
    mine = [id for id in receiver.ids if id.startswith(f"{told.id}.")]
    everything = events(told)
    wanted = everything[everything.index(f"{told.id}.scoring.1") :]
    lost, doubled = len(set(wanted) - set(mine)), len(mine) - len(set(mine))
    outcomes.current().acknowledged += len(wanted)
    outcomes.current().count(lost=lost, doubled=max(0, doubled - repeated), unexpected=len(set(mine) - set(wanted)))
    assert not lost
    assert list(dict.fromkeys(mine)) == wanted, "the order of a tournament was not kept"
    assert in_order(dict.fromkeys(mine))
    assert doubled <= repeated


def chatter(told: Floor, rounds: range) -> None:
    """Pairing pairs rounds and begins them: three events each."""
    for number in rounds:
        told.begin(number, ("p1", "p2"), ("p3", "p4"))


def test_the_deliverer_is_killed_at_each_step(club: Club) -> None:
    one, two = floor(club, 4), floor(club, 4)
    with Receiver() as receiver:
        subscribe(one, receiver.url)
        subscribe(two, receiver.url)
        assert all(map(events, (one, two))), "whoever reads the feed gives places"
        chatter(one, range(1, 4))
        entered: list[str] = []
        steps: list[tuple[acts.Does, Callable[[], bool]]] = [
            (acts.agree, lambda: True),  # before it has looked at anything
            (holding(entered, lambda message: message.type == "webhook.verification"), lambda: bool(entered)),
            (holding(entered, lambda message: message.type == "RoundPaired"), lambda: bool(entered)),
            (acts.hang, lambda: len(receiver.came) > came),  # queued, and the first is on its way
            (acts.agree, lambda: len(receiver.came) > came + 1),  # answered, and not noted yet
            (acts.slow(0.05), lambda: len(receiver.came) > came + 3),
        ]
        receiver.verifies = False
        for number, (does, reached) in enumerate(steps):
            receiver.does, came = does, len(receiver.came)
            entered.clear()
            worker = start(club)
            until(reached)
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            chatter(two, range(3 * number + 1, 3 * number + 4))
            chatter(one, range(3 * number + 4, 3 * number + 7))
        receiver.does = acts.agree
        with running(club):
            until(lambda: set(receiver.ids) >= {events(told)[-1] for told in (one, two)})
        for told in (one, two):
            checked(told, receiver, len(steps) * LANE_DELIVERIES)


@pytest.mark.parametrize("club", ["sqlite"], indirect=True)
def test_receivers_that_do_what_they_should_not_and_one_that_does_what_it_should(club: Club) -> None:
    told = floor(club, 4)
    with ExitStack() as stack:
        good, *bad = (stack.enter_context(Receiver()) for _ in range(5))
        for receiver in (good, *bad):
            subscribe(told, receiver.url)
        with running(club):
            until(lambda: all(receiver.got for receiver in (good, *bad)))
            assert events(told)
            ways = (acts.answer(500), acts.hang, acts.break_off, acts.slow(0.2))
            for receiver, does in zip(bad, ways, strict=True):
                receiver.does = does
            chatter(told, range(1, 11))
            last = events(told)[-1]
            until(lambda: last in good.ids, "the good one is served before the others")
            assert all(last not in receiver.ids for receiver in bad[:3])
            for number, receiver in enumerate(bad, start=2):
                receiver.does = acts.agree
                for does in ("disable", "enable"):  # or the next try would be minutes away
                    assert told.post(f"/webhooks/w{number}/{does}").status == 201
            until(lambda: all(last in receiver.ids for receiver in bad))
        for number, receiver in enumerate((good, *bad)):
            own = [id for id in receiver.ids if id != f"{told.id}.scoring.{number}"]
            assert in_order(dict.fromkeys(own))
            assert len(own) - len(set(own)) <= LANE_DELIVERIES
