"""Connection pools: PostgreSQL has a limit that all services share."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import QueuePool

from shared.log.database import EXTRA_CONNECTIONS
from shared.log.schema import open_database
from tests.services.house import House
from tests.waiting import PATIENCE, until

THREADS = 3


@pytest.mark.engine("postgresql")
def test_extra_connections_are_closed_after_use(postgresql_urls: Callable[[], str]) -> None:
    database = open_database(postgresql_urls(), THREADS)
    together = Barrier(THREADS + EXTRA_CONNECTIONS)

    def hold(_: int) -> int:
        with database.reading() as connection:
            together.wait(timeout=PATIENCE)
            return int(connection.value(COUNT))

    with ThreadPoolExecutor(THREADS + EXTRA_CONNECTIONS) as pool:
        assert max(pool.map(hold, range(THREADS + EXTRA_CONNECTIONS))) == THREADS + EXTRA_CONNECTIONS

    def open_now() -> int:
        with database.reading() as connection:
            return int(connection.value(COUNT))

    until(lambda: open_now() == THREADS)  # a process of PostgreSQL ends a moment after its connection
    database.close()


COUNT = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state IS NOT NULL"


def test_a_service_keeps_one_connection_for_each_web_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path, {"MUSTER_WEB_THREADS": str(THREADS)}, monkeypatch)
    pool = house.services["scoring"].database.engine.pool
    for name in house.services:
        house.end(name)
    assert isinstance(pool, QueuePool)
    assert pool.size() == THREADS
