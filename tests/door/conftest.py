"""Services to knock at: one that many tests share, and ones of a test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.door.running import Service

Start = Callable[..., Service]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Registration on SQLite, as `make run` starts it; deadlines end nothing before a test gives up."""
    with Service(tmp_path_factory.mktemp("door"), MUSTER_RECEIVE_SECONDS="300") as running:
        yield running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a service with settings of one's own; it is stopped after the test."""
    with ExitStack() as stack:
        yield lambda name="registration", database="", **env: stack.enter_context(
            Service(tmp_path / name, name, database, **env)
        )
