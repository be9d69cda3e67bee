"""/readyz names each unhealthy part of the worker and each lagging copy."""

from __future__ import annotations

import errno
import os
import time

import pytest

from shared.log import copies
from shared.messaging.status import PartStatus, record_parts, remove_parts
from shared.messaging.worker import PARTS as OF_EVERY_WORKER

PARTS = (*OF_EVERY_WORKER, "webhooks")
"""Of scoring's worker."""


def now() -> int:
    return int(time.time() * 1000)


@pytest.fixture
def club(new_club, monkeypatch):
    monkeypatch.setattr("shared.web.health.KEPT_SECONDS", 0.0)
    return new_club("scoring")


def checks(club):
    body = club.ask("GET", "/readyz", token=club.token("operator")).body
    return {name: (check["ok"], check["detail"]) for name, check in body["checks"].items()}


def say(club, *said):
    with club.database.writing() as connection:
        record_parts(connection, said)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_full_disk_makes_the_service_unready(club, monkeypatch, number):
    assert checks(club)["disk"] == (True, {})

    def refuse(**_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("shared.service.health.tempfile.TemporaryFile", refuse)
    assert checks(club)["disk"] == (False, {"trouble": os.strerror(number), "advice": "make room, or repair the disk"})
    ready = club.ask("GET", "/readyz")
    assert ready.status == 503
    assert ready.body["checks"]["disk"]["detail"] == {}, "strangers learn nothing of the machine"


def test_missing_worker_is_reported_for_each_part(club):
    ok, found = checks(club)["parts"]
    assert not ok
    assert found == {name: {"ok": False, "state": "missing", "trouble": "no worker runs it"} for name in PARTS}


def test_live_worker_is_ok(club):
    say(club, *(PartStatus(name, "a", now()) for name in PARTS))
    ok, found = checks(club)["parts"]
    assert (ok, {name: part["ok"] for name, part in found.items()}) == (True, dict.fromkeys(PARTS, True))
    assert {part["state"] for part in found.values()} == {"works"}


def test_failed_part_is_named_with_its_next_try(club):
    say(club, PartStatus("relay", "a", now()), PartStatus("catch_up", "a", now()))
    say(club, PartStatus("consumer", "a", now(), deaths=12, due=now() + 40_000, trouble="it died of KeyError"))
    ok, found = checks(club)["parts"]
    assert not ok
    assert found["relay"]["ok"]
    consumer = found["consumer"]
    assert (consumer["ok"], consumer["deaths"], consumer["trouble"]) == (False, 12, "it died of KeyError")
    assert consumer["state"] == "failing"
    assert 30 <= consumer["next_try_in_seconds"] <= 40


def test_killed_worker_is_missing_after_a_minute(club):
    say(club, *(PartStatus(name, "a", now() - 70_000) for name in PARTS))
    ok, found = checks(club)["parts"]
    assert not ok
    assert all(part["seconds_since_sign_of_life"] >= 70 for part in found.values())


def test_one_healthy_worker_is_enough(club):
    for name in PARTS:
        say(club, PartStatus(name, "dead", now() - 70_000), PartStatus(name, "alive", now()))
        say(club, PartStatus(name, "ill", now(), trouble="it died"))
    assert checks(club)["parts"][0]


def test_stopped_workers_are_forgotten(club):
    say(club, PartStatus("relay", "gone", now() - 3_600_000), PartStatus("relay", "stopping", now()))
    say(club, PartStatus("catch_up", "alive", now()))
    with club.database.writing() as connection:
        remove_parts(connection, "stopping")
    assert checks(club)["parts"][1]["relay"]["trouble"] == "no worker runs it"


def test_catch_up_trouble_is_reported(club):
    with club.database.writing() as connection:
        for source in club.sources[1:]:
            copies.note_owner_end(connection, source, 0)
        copies.note_trouble(connection, "pairing", "its feed ends at 20, 30 was read before")
    ok, found = checks(club)["copies"]
    assert not ok
    assert found["pairing"]["trouble"] == "its feed ends at 20, 30 was read before"
    assert "trouble" not in found["registration"]
