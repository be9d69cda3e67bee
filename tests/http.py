"""The HTTP client of the tests: httpx with one generous timeout. Ruff forbids httpx's own functions in tests.

Use `http.get`, `http.post`, `http.stream` and `http.Client` as you would use httpx. Pass `timeout=` only where the
timeout is the behavior under test.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import httpx

from tests.waiting import PATIENCE


class Client(httpx.Client):
    """httpx.Client with the timeout of the tests."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"timeout": PATIENCE, **options})


def get(url: str, **options: Any) -> httpx.Response:
    """Send a GET request."""
    return httpx.get(url, **{"timeout": PATIENCE, **options})


def post(url: str, **options: Any) -> httpx.Response:
    """Send a POST request."""
    return httpx.post(url, **{"timeout": PATIENCE, **options})


def stream(method: str, url: str, **options: Any) -> AbstractContextManager[httpx.Response]:
    """Send a request and read its answer as it arrives."""
    return httpx.stream(method, url, **{"timeout": PATIENCE, **options})
