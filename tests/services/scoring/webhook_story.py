"""Webhooks in a club: who subscribes, what the worker does, and a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from services.scoring.app import build, build_deliverer
from services.scoring.webhooks.deliverer import Deliverer
from shared.service.wiring import Service
from tests.services.story import Club, Json, Tournament

LOCAL = {"MUSTER_WEBHOOK_NETWORKS": "127.0.0.0/8,::1/128", "MUSTER_WEBHOOK_HTTP": "yes"}
"""What lets webhooks lead to this machine."""
BEGUN = 1_772_359_200_000
"""Unix ms where the clock begins: 2026-03-01, 10:00 UTC."""
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Clock:
    """Unix ms, moved by hand."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> int:
        return self.now

    def on(self, milliseconds: int) -> None:
        self.now += milliseconds


class Post:
    """The deliverer of a club, on the club's database; `pass_by` lets time pass and delivers what is due meanwhile."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.clock = Clock()
        self.service: Service = build(club.env, club.database)
        self.deliverer: Deliverer = self.make()

    def make(self, **options: Any) -> Deliverer:
        """A deliverer as after a restart of the worker."""
        made = build_deliverer(self.service, clock=self.clock, chance=Random(7), **options)
        self.deliverer = made
        return made

    def deliver(self) -> None:
        """What is due now."""
        self.deliverer.once()

    def pass_by(self, milliseconds: int, step: int = HOUR) -> None:
        """Let time pass, and deliver at each step."""
        end = self.clock.now + milliseconds
        while self.clock.now < end:
            self.clock.on(min(step, end - self.clock.now))
            self.deliver()


def subscribe(told: Tournament, url: str, by: str = "organiser", **more: Any) -> Json:
    """Somebody subscribes; the answer."""
    answer = told.post("/webhooks", {"name": "Club site", "url": url, **more}, by)
    assert answer.status == 201, answer
    return dict(answer.body)


def in_order(ids: Iterable[str]) -> bool:
    """Whether of each log the positions of events grow."""
    last: dict[str, int] = {}
    for id in ids:
        log, _, position = id.rpartition(".")
        if int(position) <= last.get(log, 0):
            return False
        last[log] = int(position)
    return True
