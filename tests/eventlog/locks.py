"""PostgreSQL locks that another session holds, and shorter lock timeouts for services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy.engine import URL

from shared.log import postgresql
from tests.conftest import conninfo


@contextmanager
def locked(url: URL, statement: bytes, seconds: int) -> Iterator[None]:
    """Hold the locks of a statement in another session until the block ends or a time limit is reached."""
    with psycopg.connect(conninfo(url.render_as_string(hide_password=False))) as other:
        other.execute(f"SET idle_in_transaction_session_timeout = '{seconds}s'".encode())
        other.execute(statement)
        try:
            yield
        finally:
            other.close()


def wait_for_locks(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> None:
    """Sessions that are opened from now on wait for a lock for so long where they would wait for a bounded time."""
    shorter = [
        f"SET lock_timeout = {milliseconds}" if setting.startswith("SET lock_timeout") else setting
        for setting in postgresql.POSTGRESQL_SETTINGS
    ]
    monkeypatch.setattr(postgresql, "POSTGRESQL_SETTINGS", shorter)
