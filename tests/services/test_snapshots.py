"""Snapshots on both engines: a cache shared by processes, whose damage never fails a request."""

from __future__ import annotations

import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shared.log.event import Head
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.service.state import SHARED, SnapshotDamaged, Snapshots, code_version, code_version_of
from shared.tournament.state import Tournament
from tests.programs import run_program

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]


@pytest.fixture(params=ENGINES)
def database(request, tmp_path):
    url = f"sqlite:///{tmp_path}/scoring.sqlite"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql_url")
    database = open_database(url)
    upgrade_database(database, "scoring")
    yield database
    database.close()


def test_concurrent_saves(database):
    snapshots, state = Snapshots(database), Tournament()

    def save(position: int) -> None:
        snapshots.save("t", state, {"scoring": Head(position, "0" * 64)})

    with ThreadPoolExecutor(4) as processes:
        list(processes.map(save, range(1, 101)))
    found = snapshots.read("t")
    assert found is not None
    assert 1 <= found[1]["scoring"].position <= 100


def test_only_the_last_snapshot_stays(database):
    snapshots = Snapshots(database)
    for position in (1, 2):
        snapshots.save("t", Tournament(), {"scoring": Head(position, "0" * 64)})
    with database.reading() as connection:
        rows = connection.rows("SELECT tournament FROM snapshots")
    assert rows == [("t",)]
    assert snapshots.read("t")[1]["scoring"].position == 2


def test_code_versions_do_not_share_snapshots(database, monkeypatch):
    """As in a rolling upgrade: what the other one saved is as if it were not there, and it stays so in turns."""
    versions = ("of-the-older-code", "of-the-newer-code")
    for turn in range(4):
        mine, other = versions[turn % 2], versions[1 - turn % 2]
        monkeypatch.setattr("shared.service.state.code_version", lambda mine=mine: mine)
        assert Snapshots(database).load("t") is None
        Snapshots(database).save("t", Tournament(), {"scoring": Head(turn + 1, "0" * 64)})
        assert Snapshots(database).load("t")[1]["scoring"].position == turn + 1
        monkeypatch.setattr("shared.service.state.code_version", lambda other=other: other)
        assert Snapshots(database).load("t") is None


@pytest.mark.parametrize("damage", ["heads = replace(heads, '2', '3')", "state = :state", "hash = ''"])
def test_damaged_snapshot_is_not_read(database, damage):
    snapshots = Snapshots(database)
    snapshots.save("t", Tournament(), {"scoring": Head(2, "0" * 64)})
    with database.writing() as connection:
        connection.run(f"UPDATE snapshots SET {damage}", state=b"{}")
    with pytest.raises(SnapshotDamaged):
        snapshots.read("t")
    assert snapshots.load("t") is None


IMPORTED = """
import json, sys
import shared.formats.fold
print(json.dumps([m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "shared" and m.__file__]))
"""


def folding_modules() -> list[Path]:
    """What a process has imported of `shared` that can fold, and nothing else."""
    done = run_program([sys.executable, "-c", IMPORTED], capture_output=True, check=True, cwd=SHARED.parent)
    return [Path(file).relative_to(SHARED) for file in json.loads(done.stdout)]


def test_change_in_a_folding_module_changes_the_key(tmp_path):
    copy = tmp_path / "shared"
    shutil.copytree(SHARED, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert code_version_of(copy) == code_version()
    modules = [module for module in folding_modules() if (SHARED / module).read_text().strip()]
    assert {"campaign", "coop", "log", "tournament"} <= {str(m.parent) for m in modules}
    for module in modules:
        genuine = (copy / module).read_bytes()
        (copy / module).write_bytes(genuine + b"#")
        assert code_version_of(copy) != code_version(), module
        (copy / module).write_bytes(genuine)


def test_moved_module_changes_the_key(tmp_path):
    copy = tmp_path / "shared"
    shutil.copytree(SHARED, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "formats/fold.py").rename(copy / "formats/folds.py")
    assert code_version_of(copy) != code_version()
