"""Bring a service's database to the revision that this code expects."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected
from sqlalchemy.exc import OperationalError

from shared.log.database import Connection, Database
from shared.log.schema import LOG, Standing, expected_revisions, places, standing
from shared.logs import get_logger
from shared.settings import SERVICES


class FormerEvents(Exception):
    """A database whose logs were written before the first release: it is not brought up to date."""


_log = get_logger("muster.log")

ATTEMPTS = 8


class SchemaMixed(Exception):
    """A database of another service, or one that newer code has migrated in part: it stays as it is."""


def upgrade_database(
    database: Database, service: str | None = None, *, user: str = "", to: str = "heads", also: Sequence[Path] = ()
) -> Standing:
    """Run every migration that the database lacks: those of the log, then those of the service named, whose it is.

    Safe to run at every start and from several processes at once: one transaction, under a lock. A database that newer
    code has migrated stays as it is. user: on PostgreSQL the role that runs the service, where another one migrates;
    it is granted what it needs. to: an earlier revision, to try an upgrade. also: more folders of migrations.
    Under load, PostgreSQL may end a migration that deadlocks with a service's own locks; it runs again from the start.
    Returns where the database stood before. Raises SchemaMixed, and the database's errors.
    """
    folders = [*places(service), *also]
    for _ in range(ATTEMPTS - 1):
        try:
            return _upgrade(database, service, folders, user, to)
        except OperationalError as error:
            if not isinstance(error.orig, DeadlockDetected):
                raise
            _log.warning("migration_deadlocked", service=service)
    return _upgrade(database, service, folders, user, to)


def _upgrade(database: Database, service: str | None, folders: Sequence[Path], user: str, to: str) -> Standing:
    with database.migrating() as connection:
        before = standing(connection, expected_revisions(folders))
        others = sorted(set(before.found) & set(SERVICES) - {service})
        if service is not None and others:
            raise SchemaMixed(f"it is the database of {others[0]}; name the one of {service}, or put its file back")
        if before.newer and before.missing:
            newer, missing = ", ".join(before.newer), ", ".join(before.missing)
            raise SchemaMixed(f"it has {newer} of newer code and lacks {missing}; migrate it with the newer code")
        if not before.newer:
            _run_migrations(connection, folders, to)
        if to != "heads":
            return before
        if service is not None:
            connection.run("INSERT INTO owner (one, source) VALUES (1, :source) ON CONFLICT DO NOTHING", source=service)
        database.protect(connection, user)
    return before


def _run_migrations(connection: Connection, folders: Sequence[Path], to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(LOG))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", ":".join(map(str, folders)))
    config.attributes["connection"] = connection.session
    command.upgrade(config, to)
