"""Helpers for webhook tests: subscriptions, a deliverer, and a manual clock."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from services.scoring.app import build, build_deliverer
from services.scoring.webhooks.deliverer import Deliverer
from shared.service.wiring import Service
from tests.services.story import Club, Json, Tournament

LOCAL = {"MUSTER_WEBHOOK_NETWORKS": "127.0.0.0/8,::1/128", "MUSTER_WEBHOOK_HTTP": "yes"}
"""Settings that allow webhooks to this machine."""
BEGUN = 1_772_359_200_000
"""The start of the clock in Unix ms: 2026-03-01, 10:00 UTC."""
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Clock:
    """A manual clock in Unix ms."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> int:
        return self.now

    def on(self, milliseconds: int) -> None:
        self.now += milliseconds


class Post:
    """The deliverer of a service. `pass_by` advances the clock and delivers everything due in between."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.clock = Clock()
        self.service: Service = build(club.env, club.database)
        self.deliverer: Deliverer = self.make()

    def make(self, **options: Any) -> Deliverer:
        """Return a new deliverer, as after a restart of the worker."""
        made = build_deliverer(self.service, clock=self.clock, chance=Random(7), **options)
        self.deliverer = made
        return made

    def deliver(self) -> None:
        """Deliver everything that is due now."""
        self.deliverer.once()

    def pass_by(self, milliseconds: int, step: int = HOUR) -> None:
        """Advance the clock in steps and deliver at each step."""
        end = self.clock.now + milliseconds
        while self.clock.now < end:
            self.clock.on(min(step, end - self.clock.now))
            self.deliver()


def subscribe(told: Tournament, url: str, by: str = "organiser", **more: Any) -> Json:
    """Subscribe a webhook and return the answer."""
    answer = told.post("/webhooks", {"name": "Club site", "url": url, **more}, by)
    assert answer.status == 201, answer
    return dict(answer.body)


def in_order(ids: Iterable[str]) -> bool:
    """Return True if the positions of each log increase."""
    last: dict[str, int] = {}
    for id in ids:
        log, _, position = id.rpartition(".")
        if int(position) <= last.get(log, 0):
            return False
        last[log] = int(position)
    return True
