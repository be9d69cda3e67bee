"""The benchmark of the console opens pages that there are, says which is slowest, and its phones do as their script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.catalogue import BENCHMARKS
from bench.console_first_view import PAGES as VIEWED
from bench.console_pages import MEDIAN_MS, PAGES, RATIO, Page, goals
from bench.live_crowd import MESSAGE, comes_within
from services.console.app import build_web
from services.console.live import stream
from services.console.live.kinds import Changes

AT = {"event": "/events/t-1", "player": "p1", "game": "r1g1", "round": 3, "form": "slip"}
MEASURED = {"guest", "player", "organiser", "referee", "wall", "print", "operator"}


def test_every_kind_of_page_is_measured_and_each_is_a_page_of_the_console(tmp_path):
    assert PAGES.keys() == MEASURED
    routes = build_web({"MUSTER_DATA": str(tmp_path)}).url_map.bind("console")
    for place in [*(place for places in PAGES.values() for place in places), *(place for _, place in VIEWED.values())]:
        assert routes.test(place.format(**AT).partition("?")[0], "GET"), place


def page(place: str, *ms: float) -> Page:
    return Page("guest", place, place, "", 1, list(ms))


def test_goals_are_held_against_the_slowest_page_and_the_one_that_grows_most():
    small = [page("{event}/a", 90.0, 92.0, 94.0), page("{event}/b", 10.0, 10.0, 11.0)]
    large = [page("{event}/a", 95.0, 99.0, 900.0), page("{event}/b", 40.0, 50.0, 60.0)]
    slowest, steepest = goals(small, large)
    assert (slowest.figure, slowest.goal, slowest.met) == (99.0, MEDIAN_MS, True)
    assert (steepest.figure, steepest.goal, steepest.met) == (5.0, RATIO, False)
    assert "/a" in slowest.what
    assert "/b" in steepest.what


@pytest.mark.parametrize(
    ("kind", "said", "within"),
    [
        (b"games", {"within": 20.0, "ids": ["r1g1"]}, 1.0),
        (b"players", {"within": 20.0, "ids": ["p9", "p2"]}, 1.0),
        (b"games", {"within": 20.0, "ids": ["r1g2"]}, None),
        (b"games", {"within": 20.0}, 20.0),
        (b"standings", {"within": 20.0}, None),
    ],
)
def test_a_phone_comes_for_its_page_when_that_is_about_it(kind, said, within):
    assert comes_within(kind, said, ("r1g1", "p1", "p2")) == within


def test_the_crowd_reads_what_the_console_says():
    said = (
        stream.beginning(2000) + stream.changed(Changes({"games": {"r1g1"}, "standings": None}), 0.5) + stream.HEARTBEAT
    )
    found = [(one[1], one[2]) for one in MESSAGE.finditer(said)]
    assert found == [(b"games", b'{"within": 0.5, "ids": ["r1g1"]}'), (b"standings", b'{"within": 0.5}')]


def test_the_page_about_performance_names_every_benchmark():
    told = (Path(__file__).parents[2] / "docs" / "performance.md").read_text()
    assert [name for name in BENCHMARKS if not re.search(rf"`{name}`", told)] == []
