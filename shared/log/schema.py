"""Database engines by URL, and the state of a database's schema.

A revision is named `<line>_<number>`: `log_0014` belongs to the log, which every service has, `scoring_0007` to a
service's own tables. Each revision follows the previous one of its line, so a higher number includes all lower ones.
Lines are independent: Alembic records only the last revisions, and would drop a line that another line continues. The
first file of a line is its baseline, which creates the tables of 0.1.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from sqlalchemy.engine import make_url

from shared.log.database import Connection, Database
from shared.log.postgresql import PostgresqlDatabase
from shared.log.sqlite import SqliteDatabase

ENGINES: dict[str, type[Database]] = {"sqlite": SqliteDatabase, "postgresql": PostgresqlDatabase}
"""Backend name of an SQLAlchemy URL -> engine."""


def open_database(url: str, pool_size: int = 8) -> Database:
    """Return the database at an SQLAlchemy URL, without connecting yet. pool_size: connections that stay open."""
    return ENGINES[make_url(url).get_backend_name()](url, pool_size)


LOG = Path(__file__).parent / "migrations"
SERVICES = Path(__file__).parents[2] / "services"
REVISION = re.compile(r"([a-z]+)_(\d{4})")


class SchemaStatus(msgspec.Struct, frozen=True):
    """The revisions of a database and those that this code expects, as line -> number."""

    found: Mapping[str, int]
    expected: Mapping[str, int]

    @property
    def missing(self) -> list[str]:
        """The expected revisions that the database has not reached."""
        return revision_names(
            {line: number for line, number in self.expected.items() if self.found.get(line, 0) < number}
        )

    @property
    def newer(self) -> list[str]:
        """The revisions of newer code."""
        return revision_names(
            {line: number for line, number in self.found.items() if self.expected.get(line, 0) < number}
        )


def revision_names(revisions: Mapping[str, int]) -> list[str]:
    """Return the names of revisions."""
    return [f"{line}_{number:04}" for line, number in sorted(revisions.items())]


def migration_folders(service: str | None) -> list[Path]:
    """Return the folders with the revisions of a service's database: the log's, then the service's own."""
    own = [] if service is None else [SERVICES / service / "migrations"]
    return [LOG / "versions", *(place for place in own if place.is_dir())]


def expected_revisions(folders: Sequence[Path]) -> dict[str, int]:
    """Return the last revision of each line, by the names of the files."""
    return {line: max(numbers) for line, numbers in _numbers(_file_names(folders)).items()}


def baseline_revisions(folders: Sequence[Path]) -> dict[str, int]:
    """Return the first revision of each line, by the names of the files."""
    return {line: min(numbers) for line, numbers in _numbers(_file_names(folders)).items()}


def schema_status(connection: Connection, expected: Mapping[str, int]) -> SchemaStatus:
    """Return the state of a database's schema. Raises the database's errors."""
    found = {line: max(numbers) for line, numbers in _numbers(connection.revisions()).items()}
    return SchemaStatus(found, expected)


def _file_names(folders: Sequence[Path]) -> list[str]:
    return [path.stem for folder in folders for path in folder.glob("*.py")]


def _numbers(names: Iterable[str]) -> dict[str, list[int]]:
    by_line: dict[str, list[int]] = {}
    for name in names:
        if match := REVISION.fullmatch(name):
            by_line.setdefault(match[1], []).append(int(match[2]))
    return by_line
