"""PostgreSQL cuts connections, or lets nobody in for a while: 503 or success, never a double effect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from deploy.stack import Stack
from shared.settings import SERVICES
from tests import http
from tests.conftest import POSTGRESQL_URL, conninfo
from tests.faults.auditor import Auditor
from tests.faults.conftest import SERVERS
from tests.faults.holds import check, eventually
from tests.faults.load import Load

pytestmark = pytest.mark.parametrize("stack", [SERVERS], indirect=True)


def database_of(stack: Stack, service: str) -> str:
    name = make_url(stack.settings(service).database_url).database
    assert name is not None
    return name


@contextmanager
def server() -> Iterator[psycopg.Connection]:
    with psycopg.connect(conninfo(POSTGRESQL_URL), autocommit=True) as connection:
        yield connection


def cut(connection: psycopg.Connection, names: list[str]) -> int:
    """End every session of these databases; returns how many there were."""
    rows = connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY(%s)", [names]
    ).fetchall()
    return len(rows)


def let_in(connection: psycopg.Connection, name: str, allowed: bool) -> None:
    statement = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    connection.execute(statement.format(sql.Identifier(name), sql.Literal(allowed)))


def test_every_connection_is_cut_again_and_again(stack: Stack) -> None:
    names = [database_of(stack, service) for service in SERVICES]
    before = stack.pids()
    with Load(stack) as load, server() as connection:
        for _ in range(6):
            load.more(8)
            assert cut(connection, names) > 0
            load.over()
        load.more(20)
    assert stack.pids() == before  # nobody had to be started again
    check(stack, load)


@pytest.mark.parametrize("service", SERVICES)
def test_a_database_lets_nobody_in_for_a_while(stack: Stack, service: str) -> None:
    name = database_of(stack, service)
    before = stack.pids()
    auditor = Auditor(stack)

    def away() -> bool:
        cut(connection, [name])  # who was just coming in
        return bool(auditor.ready(service)["status"] == "failed")

    with Load(stack) as load, server() as connection:
        load.more(10)
        let_in(connection, name, False)
        try:
            eventually(away, f"{service} says that it is not ready")
            refused = http.get(f"{stack.urls[service]}/tournaments/{load.tournaments[0].id}/heads")
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            assert refused.headers["Retry-After"]
        finally:
            let_in(connection, name, True)
        load.over()
        load.more(20)
    assert stack.pids() == before
    check(stack, load)
