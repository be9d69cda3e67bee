"""Previews during concurrent appends: each is consistent, and its ETag makes the command run as previewed or fail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from threading import Barrier, Thread
from typing import Any

import pytest

from tests.fuzz.muster import Evening, Muster
from tests.previews.previewing import previewed
from tests.services.story import Answer

CORRECTION = {"facts": {"points_1": 20, "points_2": 90}, "reason": "misread"}


def preview(evening: Evening, service: str, rest: str, body: Any = None) -> Answer:
    """What a command would do."""
    shown = evening.ask("POST", service, previewed(rest), body)
    assert shown.status == 200, shown
    return shown


def foretold(events: Sequence[Any]) -> list[tuple[str, Any]]:
    """Events without where they stand."""
    return [(event["type"], event["data"]) for event in events]


def test_command_with_a_preview_etag_runs_as_previewed(muster: Muster) -> None:
    evening = muster.evening()
    shown = preview(evening, "scoring", "/games/r1g1/correction", CORRECTION)
    tag = shown.headers["ETag"]
    done = evening.ask("POST", "scoring", "/games/r1g1/correction", CORRECTION, If_Match=tag)
    assert (done.status, foretold(done.events)) == (201, foretold(shown.events))
    again = evening.ask("POST", "scoring", "/games/r1g1/correction", CORRECTION, If_Match=tag)
    assert (again.status, again.code) == (412, "precondition-failed")


@pytest.mark.parametrize(
    ("service", "rest", "body"),
    [
        ("scoring", "/games/r1g2/correction", CORRECTION),  # another game, but the same standings
        ("registration", "/players/p2/drop", {}),  # another log
        ("scoring", "/awards", {"name": "Best painted", "player": "p2"}),
    ],
)
def test_preview_etag_is_refused_after_an_append(muster: Muster, service: str, rest: str, body: Any) -> None:
    evening = muster.evening()
    shown = preview(evening, "scoring", "/games/r1g1/correction", CORRECTION)
    evening.do(service, rest, body)
    before = muster.length
    meant = {"If_Match": shown.headers["ETag"]}
    answer = evening.ask("POST", "scoring", "/games/r1g1/correction", CORRECTION, **meant)
    assert (answer.status, answer.code) == (412, "precondition-failed")
    stale = evening.ask("POST", "scoring", previewed("/games/r1g1/correction"), CORRECTION, **meant)
    assert (stale.status, stale.code) == (412, "precondition-failed")
    assert muster.length == before
    anew = preview(evening, "scoring", "/games/r1g1/correction", CORRECTION)
    done = evening.ask(
        "POST", "scoring", "/games/r1g1/correction", CORRECTION, If_Match=f'"x-1", {anew.headers["ETag"]}'
    )
    assert (done.status, foretold(done.events)) == (201, foretold(anew.events))


def test_concurrent_previews_are_consistent(muster: Muster) -> None:
    evening = muster.announce()
    shown: list[Answer] = []
    done: list[tuple[Answer, Answer]] = []
    token, start = evening.token("organiser"), Barrier(3)

    def ask(client: Any, name: str, query: str = "", **headers: str) -> Answer:
        answer = client.post(
            f"/tournaments/{evening.id}/players{query}",
            json={"name": name},
            headers={"Authorization": f"Bearer {token}", **headers},
        )
        return Answer(answer.status_code, dict(answer.headers), answer.get_data())

    def append(who: str) -> None:
        client = muster.apps["registration"].test_client()
        start.wait()
        for number in range(12):
            name = f"{who} {number}"
            looked = ask(client, name, "?preview=true")
            done.append((looked, ask(client, name, **{"If-Match": looked.headers["ETag"]})))

    def look() -> None:
        client = muster.apps["registration"].test_client()
        start.wait()
        shown.extend(ask(client, "Somebody", "?preview=true") for _ in range(20))

    threads = [Thread(target=append, args=(who,)) for who in ("Ana", "Ben")] + [Thread(target=look)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in [*shown, *(looked for looked, _ in done)]:
        assert answer.status == 200, answer
        (position,) = re.findall(r"registration-(\d+)", answer.headers["ETag"])
        assert [event["data"]["player"] for event in answer.events] == [f"p{position}"], "announced, and so many joined"
    for looked, answer in done:
        assert (answer.status, answer.code) in ((201, ""), (412, "precondition-failed")), answer
        if answer.status == 201:
            assert foretold(answer.events) == foretold(looked.events)
    joined = [answer for _, answer in done if answer.status == 201]
    assert muster.heads(evening.id)["registration"] == 1 + len(joined) > 1
