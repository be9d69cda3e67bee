"""Nobody but the user who runs Muster can open what it keeps; looked at in the folder of one that runs."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.stack import Stack, operator
from shared.keys import local_secrets
from shared.log.schema import open_database
from shared.settings import SERVICES

OTHERS = 0o077
NOT_OURS = {"stack.log", "notes.txt"}
"""What the stack itself writes, and what was there before."""


def open_to_others(data: Path) -> dict[str, str]:
    """Every file and folder that somebody else could do anything with, and its mode."""
    found = {
        str(path): path.lstat().st_mode
        for path in data.rglob("*")
        if path.name not in NOT_OURS and not path.is_symlink()
    }
    return {name: stat.filemode(mode) for name, mode in found.items() if mode & OTHERS}


def used(stack: Stack) -> None:
    """Something of every service was stored, and went through the broker."""
    muster = operator(stack.urls, stack.issuer)
    body = {"name": "Club night", "ruleset": "star-wars-armada-1.1", "rounds": 1}
    id = muster.plain.post("registration", "/tournaments", body)["id"]
    muster.plain.post("registration", f"/tournaments/{id}/venues", {"name": "Hall", "tables": 2})
    players = [{"name": f"Player {n}", "venue": "v1", "contact": {"phone": str(n)}} for n in range(4)]
    muster.plain.post("registration", f"/tournaments/{id}/players/list", {"players": players})
    muster.plain.post("pairing", f"/tournaments/{id}/rounds")
    muster.plain.get("scoring", f"/tournaments/{id}/games")


def names(data: Path) -> set[str]:
    return {str(path.relative_to(data)) for path in data.rglob("*")}


def test_all_that_is_made_is_for_its_owner_alone(shared_stack):
    stack = shared_stack
    used(stack)
    assert open_to_others(stack.data) == {}
    assert not stack.data.stat().st_mode & OTHERS
    there = names(stack.data)
    databases = {f"{name}.sqlite3{kind}" for name in SERVICES for kind in ("", "-wal", "-shm")}
    pipes = {f".{name}.sqlite3.bell" for name in SERVICES}
    assert databases | pipes | {"secrets.json", "lock", "supervisord.conf", "supervisord.pid", "broker"} <= there


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was there and that others may read, as may the database in it."""
    data = tmp_path_factory.mktemp("there")
    data.chmod(0o755)  # whatever mask this process has
    (data / "notes.txt").write_text("somebody's own")
    (data / "notes.txt").chmod(0o644)
    local_secrets(data)  # a database belongs to some
    open_database(f"sqlite:///{data}/scoring.sqlite3").engine.connect().close()
    (data / "scoring.sqlite3").chmod(0o644)
    return data


@pytest.fixture(scope="module")
def stack(folder: Path) -> Iterator[Stack]:
    """Muster in that folder."""
    with Stack(folder) as stack:
        used(stack)
        yield stack


def test_in_a_folder_that_was_there_it_holds_for_what_is_made_and_what_was_left_open_before(stack, folder):
    assert open_to_others(folder) == {}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "notes.txt").stat().st_mode) == 0o644


def test_stopping_leaves_databases_that_are_one_file_each(stack, folder):
    """Whoever puts another file in their place finds no leaf of the old one beside it."""
    assert list(folder.glob("*.sqlite3-wal"))
    stack.stop()
    left = {file.name for file in folder.glob("*.sqlite3*") if not file.name.startswith(".")}
    assert left == {f"{name}.sqlite3" for name in SERVICES}
