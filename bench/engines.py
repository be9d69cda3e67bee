"""The engines under test: which are there, and throw-away databases, folders and exchanges on them.

TEST_POSTGRESQL_URL and TEST_BROKER_URL say where PostgreSQL and RabbitMQ are, as they do for the tests.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import kombu
import psycopg
from sqlalchemy.engine import make_url

from shared.messaging.topology import Topology
from shared.settings import SERVICES

POSTGRESQL_URL = os.environ.get("TEST_POSTGRESQL_URL") or "postgresql+psycopg://postgres@127.0.0.1:5432/postgres"
BROKER_URL = os.environ.get("TEST_BROKER_URL") or "amqp://guest:guest@127.0.0.1:5672//"
CONNECT_SECONDS = 3

SWITCHES = ("autovacuum", "fsync", "full_page_writes", "synchronous_commit")
"""Settings of a server that change what a commit costs, or how statements are planned."""


def postgresql_version() -> str:
    """The server's version, with what is switched off that a server has on as it is shipped; empty where there is none.

    Without `fsync` a commit does not wait for the disk, so that figures are better than where events are safe.
    """
    try:
        with psycopg.connect(conninfo(POSTGRESQL_URL), connect_timeout=CONNECT_SECONDS) as connection:
            version = str(connection.execute("SHOW server_version").fetchone()[0])  # type: ignore[index]
            off = connection.execute(
                "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name", [list(SWITCHES)]
            ).fetchall()
            return ", ".join([version, *(f"{name} off" for (name,) in off)])
    except psycopg.Error:
        return ""


def rabbitmq_version() -> str:
    """The broker's version; empty where there is none."""
    with kombu.Connection(BROKER_URL, connect_timeout=CONNECT_SECONDS) as connection:
        try:
            connection.connect()
        except (OSError, kombu.exceptions.KombuError, *connection.connection_errors):
            return ""
        properties: dict[str, Any] = connection.connection.server_properties
        return str(properties.get("version", "?"))


def conninfo(url: str) -> str:
    """A SQLAlchemy URL as psycopg itself reads it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


class Places:
    """Databases, folders and exchanges for as long as a `with` block lasts; all of them are removed at its end."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="muster-bench-"))
        self._databases: list[str] = []
        self._topologies: list[Topology] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._databases:
            with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
                for name in self._databases:
                    server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
        if self._topologies:
            with kombu.Connection(BROKER_URL) as connection, connection.channel() as channel:
                for topology in self._topologies:
                    _delete(channel, topology)

    def database(self, engine: str) -> str:
        """The URL of an empty database of one's own. engine: sqlite or postgresql."""
        name = f"muster_bench_{secrets.token_hex(6)}"
        if engine == "sqlite":
            return f"sqlite:///{self.folder}/{name}.sqlite3"
        with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"'.encode())
        self._databases.append(name)
        return make_url(POSTGRESQL_URL).set(database=name).render_as_string(hide_password=False)

    def exchange(self) -> str:
        """The name of an exchange of one's own on RabbitMQ; the queues take their prefix from it."""
        topology = Topology(f"bench-{secrets.token_hex(6)}.events")
        self._topologies.append(topology)
        return topology.exchange

    def empty_folder(self, name: str) -> Path:
        """A folder of one's own."""
        made = self.folder / f"{name}-{secrets.token_hex(4)}"
        made.mkdir()
        return made


def _delete(channel: Any, topology: Topology) -> None:
    for service in SERVICES:
        channel.queue_delete(topology.queue_name(service))
        channel.queue_delete(topology.dead_queue_name(service))
    for exchange in (topology.exchange, topology.dead):
        channel.exchange_delete(exchange)


def without_password(url: str) -> str:
    """A URL that may be shown."""
    return make_url(url).render_as_string()
