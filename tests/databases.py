"""Databases for tests: migrated SQLite files, in /dev/shm if there is room, so that a commit costs no disk."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path

from shared.log.database import Database
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database

SHM = Path("/dev/shm")
ROOM = 1 << 30
"""Free bytes that `SHM` needs to have; a container often gets 64 MB."""
_numbers = count()


def new_sqlite(service: str | None = None, *, is_empty: bool = False) -> str:
    """Return the URL of a new SQLite database.

    service: the service that owns it; without one it has the tables of the log only. is_empty: without any tables.
    """
    file = _folder() / f"{next(_numbers)}.sqlite3"
    if not is_empty:
        shutil.copy(_template(service), file)
    return f"sqlite:///{file}"


def migrated(url: str, service: str | None = None) -> Database:
    """Open a database and migrate it."""
    database = open_database(url)
    upgrade_database(database, service)
    return database


@contextmanager
def short_lived_sqlite(service: str) -> Iterator[Database]:
    """Lend a migrated SQLite database and delete its files afterwards, for tests that need hundreds."""
    url = new_sqlite(service)
    database = open_database(url)
    yield database
    database.close()
    file = Path(url.removeprefix("sqlite:///"))
    for one in file.parent.glob(f"{file.name}*"):
        one.unlink()


@cache
def _folder() -> Path:
    in_memory = os.access(SHM, os.W_OK) and shutil.disk_usage(SHM).free >= ROOM
    folder = Path(tempfile.mkdtemp(prefix="muster-tests-", dir=SHM if in_memory else None))
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, maker: int) -> None:
    if os.getpid() == maker:  # not a process that was forked from it
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _template(service: str | None) -> Path:
    file = _folder() / f"{service}.sqlite3"
    migrated(f"sqlite:///{file}", service).close()
    return file
