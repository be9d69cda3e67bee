"""Somebody who follows the public feed by their cursor while things go wrong, and reads what anybody may."""

from __future__ import annotations

import json
import threading
from types import TracebackType
from typing import Any, Self

import httpx

from shared.settings import SERVICES
from tests import http

PAUSE = 0.05
"""Seconds before an answer that did not come is asked for again."""


class FeedReader:
    """Follows from the first event on until it is told to end; `lines` is what it was told."""

    def __init__(self, url: str, *, limit: int = 40) -> None:
        self.lines: list[dict[str, Any]] = []
        self.interrupted = 0
        self._http = http.Client(base_url=url)
        self._limit = limit
        self._cursor = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def to_the_end(self) -> None:
        """Read what is left; nobody else reads any more."""
        while self._read(wait=0):
            pass
        self._http.close()

    def check(self, expected: set[str]) -> None:
        """Each of these events was told once, none else, and none before what its author had seen."""
        told = [line["id"] for line in self.lines]
        assert len(told) == len(set(told)), "doubled"
        assert set(told) == expected, (len(told), len(expected))
        placed: dict[tuple[str, str], int] = {}
        for line in self.lines:
            for source, position in json.loads(line["seen"]).items():
                assert source not in SERVICES or position <= placed.get((source, line["tournament"]), 0), line
            placed[line["source"], line["tournament"]] = line["position"]

    def _follow(self) -> None:
        while not self._over.is_set():
            try:
                self._read(wait=1)
            except httpx.HTTPError:
                self.interrupted += 1
                self._over.wait(PAUSE)

    def _read(self, wait: int) -> bool:
        """Read one page; whether there was anything."""
        query = {"after": self._cursor, "wait": wait, "limit": self._limit}
        answer = self._http.get("/feed", params=query).raise_for_status()
        lines = [json.loads(line) for line in answer.text.splitlines()]
        self.lines += lines
        self._cursor = answer.headers["Muster-Feed-Cursor"]
        return bool(lines) or "Link" in answer.headers
