"""Bring a service's database to the revision that this code expects."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from shared.log.database import Database

LOG = Path(__file__).parent / "migrations"
SERVICES = Path(__file__).parents[2] / "services"
_OWNER = text("INSERT INTO owner (one, source) VALUES (1, :source) ON CONFLICT (one) DO NOTHING")
LOCK = 0x6D757374
"""PostgreSQL advisory lock under which one process migrates while others wait."""


def upgrade_database(database: Database, service: str | None = None) -> None:
    """Run every migration that the database lacks: those of the log, then those of the service named, whose it is.

    Safe to run at every start and from several processes at once: one transaction, under a lock.
    """
    config = Config()
    config.set_main_option("script_location", str(LOG))
    config.set_main_option("path_separator", "os")
    places = [LOG / "versions"]
    if service is not None and (SERVICES / service / "migrations").is_dir():
        places.append(SERVICES / service / "migrations")
    config.set_main_option("version_locations", ":".join(map(str, places)))
    with database.writing() as connection:
        if database.dialect == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")  # a migration may compute
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")
        if service is not None:
            connection.execute(_OWNER, {"source": service})
