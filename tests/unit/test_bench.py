"""Benchmarks: the menu, what is kept of a run, goals, and the check of a large event."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

import bench.__main__ as menu
import bench.offline
from bench.clients import Request, dealt
from bench.common import Bench, Table, keep, ratio_of, row_of
from bench.large import Step, each_once, linear
from bench.story import Shape, recorded, shelve, story
from shared.log.event import Recorded
from shared.log.migrate import upgrade_database
from shared.log.reading import heads_of
from shared.log.schema import open_database

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


def test_every_benchmark_of_the_menu_exists_and_the_page_about_performance_names_it():
    page = PAGE.read_text()
    for name in menu.MENU:
        assert callable(import_module(f"bench.{name}").run), name
        assert re.search(rf"`{name}`", page), name


@pytest.mark.parametrize(("options", "file"), [([], "offline.json"), (["--quick"], "offline.quick.json")])
def test_a_run_prints_figures_beside_goals_and_is_kept(monkeypatch, tmp_path, options, file):
    def run(given: Bench) -> list[Table]:
        return [Table("Files", [row_of("standings", "s", [2.0, 4.0, 3.0], at_most=given.size(8.0, 2.0))])]

    monkeypatch.setattr(bench.offline, "run", run)
    monkeypatch.setattr(menu, "keep", partial(keep, folder=tmp_path))
    answer = CliRunner().invoke(menu.main, ["offline", *options], catch_exceptions=False)
    assert answer.exit_code == 0
    assert ("≤ 8.00, met by 62%" in answer.output) != bool(options)
    assert ("≤ 2.00, missed by 50%" in answer.output) == bool(options)
    (kept,) = tmp_path.iterdir()
    assert kept.name == file
    assert json.loads(kept.read_text())["tables"][0]["rows"][0]["median"] == 3.0


def test_a_goal_is_compared_with_the_99th_percentile_where_there_is_one():
    row = row_of("answer", "ms", [1.0] * 50 + [60.0], tail=True, at_most=50.0)
    assert (row.median, row.p99, row.margin) == (1.0, 60.0, -0.2)
    assert ratio_of("Muster / peer", [4.0, 6.0], [2.0, 3.0], 1.0).margin == 1.0


def test_the_logs_of_a_story_are_copied_whole(tmp_path):
    logs = recorded(story(Shape(4, closed=1, open=True)), "t-1")
    database = open_database(f"sqlite:///{tmp_path}/copies.sqlite3")
    upgrade_database(database, "scoring")
    shelve(database, [logs])
    with database.reading() as connection:
        heads = heads_of(connection, "t-1")
    database.close()
    assert {source: head.hash for source, head in heads.items()} == {name: log[-1].hash for name, log in logs.items()}


def reported(*games: str) -> list[Recorded]:
    blank = dict.fromkeys(Recorded.__struct_fields__, "")
    return [Recorded(**{**blank, "type": "ResultReported", "data": json.dumps({"game": game})}) for game in games]


def test_a_log_with_every_result_once_passes():
    each_once("ResultReported", reported("g1", "g2"), "game", ["g2", "g1"])


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (reported("g1"), "1 lost, 0 more"),
        (reported("g1", "g2", "g2"), "0 lost, 1 more"),
        (reported("g1", "g3"), "1 lost, 1 more"),
        ([], "2 lost, 0 more"),
    ],
)
def test_lost_and_repeated_results_are_counted(found, fault):
    with pytest.raises(RuntimeError, match=fault):
        each_once("ResultReported", found, "game", ["g1", "g2"])


@pytest.mark.parametrize("many", [0, 1, 5, 64, 200])
def test_every_request_is_dealt_to_one_client(many):
    requests = [Request("POST", f"/{number}", {}) for number in range(many)]
    each = dealt(requests, clients=64)
    assert len(each) == min(many, 64)
    assert Counter(one.path for some in each for one in some) == Counter(one.path for one in requests)


def test_a_step_that_takes_as_long_for_each_player_is_linear_and_a_quadratic_one_is_not():
    steps = {
        100: {"close": Step(100, [0.5, 0.5]), "pair": Step(100, [1.0])},
        1_000: {"close": Step(1_000, [4.0, 6.0]), "pair": Step(1_000, [100.0])},
    }
    rows = linear(steps).rows
    assert [(row.name, row.median) for row in rows] == [("close: 1,000 players", 1.0), ("pair: 1,000 players", 10.0)]
    assert [(row.margin or 0.0) >= 0 for row in rows] == [True, False]
