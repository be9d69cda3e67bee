"""Migrations of a service's database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected
from sqlalchemy.exc import OperationalError

from shared.log.database import Connection, Database
from shared.log.schema import (
    LOG,
    SchemaStatus,
    baseline_revisions,
    expected_revisions,
    migration_folders,
    revision_names,
    schema_status,
)
from shared.logs import get_logger
from shared.settings import SERVICES

ATTEMPTS = 8

_log = get_logger("muster.log")


class CannotMigrate(Exception):
    """The database cannot be migrated: it is too old, partly newer than this code, or of another service."""


def upgrade_database(
    database: Database, service: str | None = None, *, user: str = "", extra_folders: Sequence[Path] = ()
) -> SchemaStatus:
    """Run all missing migrations: those of the log first, then those of the service that owns the database.

    Safe to run at every start and from several processes at once: everything is one transaction under a lock. A
    database that newer code has migrated stays as it is. Under load PostgreSQL may abort a migration that deadlocks
    with a service; the migration is then retried.

    user: on PostgreSQL the role that runs the service, if another role migrates; it is granted what it needs.
    extra_folders: more folders with revisions.
    Returns the state of the schema before. Raises CannotMigrate, and the database's errors.
    """
    folders = [*migration_folders(service), *extra_folders]
    for _ in range(ATTEMPTS - 1):
        try:
            return _upgrade(database, service, folders, user)
        except OperationalError as error:
            if not isinstance(error.orig, DeadlockDetected):
                raise
            _log.warning("migration_deadlocked", service=service)
    return _upgrade(database, service, folders, user)


def _upgrade(database: Database, service: str | None, folders: Sequence[Path], user: str) -> SchemaStatus:
    with database.migrating() as connection:
        before = schema_status(connection, expected_revisions(folders))
        _require_migratable(before, service, baseline_revisions(folders))
        if before.missing and not before.newer:
            _run_migrations(connection, folders, before)
        if service is not None:
            connection.run("INSERT INTO owner (one, source) VALUES (1, :source) ON CONFLICT DO NOTHING", source=service)
        database.protect(connection, user)
    return before


def _require_migratable(before: SchemaStatus, service: str | None, baseline: dict[str, int]) -> None:
    others = sorted(set(before.found) & set(SERVICES) - {service})
    if service is not None and others:
        raise CannotMigrate(f"it is the database of {others[0]}; name the one of {service}, or put its file back")
    if any(number < baseline.get(line, 0) for line, number in before.found.items()):
        raise CannotMigrate(
            "it was written by a version before 0.1.0, in a form that this version cannot read; export what you want to"
            " keep with that version (muster export ID > FILE), and begin with an empty folder or database"
        )
    if before.newer and before.missing:
        newer, missing = ", ".join(before.newer), ", ".join(before.missing)
        raise CannotMigrate(f"it has {newer} of newer code and lacks {missing}; migrate it with the newer code")


def _run_migrations(connection: Connection, folders: Sequence[Path], before: SchemaStatus) -> None:
    config = Config()
    config.set_main_option("script_location", str(LOG))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", ":".join(map(str, folders)))
    config.attributes["connection"] = connection.session
    # A service's tables refer to those of the log, and Alembic does not order independent lines.
    (log,) = revision_names({"log": before.expected["log"]})
    for revision in (log, "heads"):
        command.upgrade(config, revision)
