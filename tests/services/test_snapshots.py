"""Snapshots on both databases: a cache that several processes write, and that nobody's request may fail for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.events.recorded import Head
from shared.handling.snapshots import Snapshots
from shared.log.database import Database
from shared.log.migrate import upgrade_database
from shared.state.tournament import Tournament

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]


@pytest.fixture(params=ENGINES)
def database(request, tmp_path):
    url = f"sqlite:///{tmp_path}/scoring.sqlite"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql_url")
    database = Database(url)
    upgrade_database(database, "scoring")
    yield database
    database.engine.dispose()


def test_several_who_save_at_once(database):
    snapshots, state = Snapshots(database), Tournament()

    def save(position: int) -> None:
        snapshots.save("t", state, {"scoring": Head(position, "0" * 64)})

    with ThreadPoolExecutor(4) as processes:
        list(processes.map(save, range(1, 101)))
    found = snapshots.read("t")
    assert found is not None
    assert 1 <= found[1]["scoring"].position <= 100


def test_the_last_one_saved_stays_and_no_other(database):
    snapshots = Snapshots(database)
    for position in (1, 2):
        snapshots.save("t", Tournament(), {"scoring": Head(position, "0" * 64)})
    with database.reading() as connection:
        rows = connection.exec_driver_sql("SELECT tournament FROM snapshots").all()
    assert rows == [("t",)]
    assert snapshots.read("t")[1]["scoring"].position == 2
