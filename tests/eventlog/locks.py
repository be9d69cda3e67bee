"""Locks of PostgreSQL that another session holds, and services that wait for them for a shorter while than they do."""

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
    """Another session holds the locks of a statement until the block ends, or for so long at most."""
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
