"""Readiness after the clock was set back: a check in the future does not count."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from services.scoring.app import SOURCES, build
from shared.log.copies import note_owner_end
from shared.log.migrate import upgrade_database
from shared.service.health import probes


@pytest.mark.parametrize(("ago", "followed"), [(0, True), (30, True), (3600, False), (-3600, False)])
def test_check_of_the_owner_counts_for_one_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ago: int, followed: bool
) -> None:
    service = build({"MUSTER_DATA": str(tmp_path)})
    upgrade_database(service.database, "scoring")
    now = time.time()
    with monkeypatch.context() as then, service.database.writing() as connection:
        then.setattr(time, "time", lambda: now - ago)
        for source in SOURCES[1:]:
            note_owner_end(connection, source, 5)
    ok, found = probes(service)["copies"]()
    assert (ok, set(found)) == (followed, set(SOURCES[1:]))
    service.database.close()
