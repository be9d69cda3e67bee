"""The command line reads long lists page by page, and begins again where their order changed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx

from muster_client import Muster
from muster_client.plain import BEGUN_AGAIN, LARGEST_PAGE

DRAWS = [{"order": ["p1", "p2"]}, {"order": ["p3", "p4"]}]


def muster(answer: Callable[[dict[str, str]], tuple[int, Any]]) -> tuple[Muster, list[dict[str, str]]]:
    """A client of a scoring service that answers so, and what it was asked."""
    asked: list[dict[str, str]] = []

    def scoring(request: httpx.Request) -> httpx.Response:
        asked.append(dict(request.url.params))
        status, body = answer(asked[-1])
        return httpx.Response(status, json=body)

    return Muster({"scoring": "http://scoring"}, transport=httpx.MockTransport(scoring)), asked


def outdated() -> tuple[int, Any]:
    return 400, {"detail": "x", "code": "invalid-cursor", "data": {"outdated": True}}


def test_pages_are_put_together_with_each_draw_once():
    def answer(query: dict[str, str]) -> tuple[int, Any]:
        if "after" not in query:
            return 200, {"items": [1, 2], "draws": DRAWS[:1], "next": "a", "total": 3, "final": True}
        return 200, {"items": [3], "draws": DRAWS, "next": None, "total": 3, "final": True}

    client, asked = muster(answer)
    found = client.plain.whole("scoring", "/standings", round=2)
    assert found == {"items": [1, 2, 3], "draws": DRAWS, "next": None, "total": 3, "final": True}
    limit = str(LARGEST_PAGE)
    assert asked == [{"limit": limit, "round": "2"}, {"limit": limit, "after": "a", "round": "2"}]


def test_an_order_that_changed_is_read_from_the_beginning():
    tries = iter([outdated(), (200, {"items": [3], "next": None})])

    def answer(query: dict[str, str]) -> tuple[int, Any]:
        return next(tries) if "after" in query else (200, {"items": [1, 2], "next": "a"})

    client, asked = muster(answer)
    assert client.plain.whole("scoring", "/standings")["items"] == [1, 2, 3]
    assert ["after" in query for query in asked] == [False, True, False, True]


def test_an_order_that_never_rests_is_asked_for_in_one_piece():
    def answer(query: dict[str, str]) -> tuple[int, Any]:
        if "limit" not in query:
            return 200, {"items": [1, 2, 3], "next": None}
        return outdated() if "after" in query else (200, {"items": [1, 2], "next": "a"})

    client, asked = muster(answer)
    assert client.plain.whole("scoring", "/standings")["items"] == [1, 2, 3]
    assert len(asked) == 2 * BEGUN_AGAIN + 1
