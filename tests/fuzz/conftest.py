"""One Muster for all requests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.muster import Muster
from tests.services.conftest import logging_as_it_was


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Muster]:
    """The three services, empty and migrated."""
    with logging_as_it_was():
        yield Muster(tmp_path_factory.mktemp("muster"))
