"""The large benchmark counts what was lost and what came twice, and deals requests out without leaving one over."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from bench.evening import Step
from bench.hall import dealt
from bench.large import linear
from bench.large_check import each_once
from bench.load import Request
from shared.events.recorded import Recorded


def reported(*games: str) -> list[Recorded]:
    blank = dict.fromkeys(Recorded.__struct_fields__, "")
    return [Recorded(**{**blank, "type": "ResultReported", "data": json.dumps({"game": game})}) for game in games]


def test_everything_once_is_well():
    each_once("ResultReported", reported("g1", "g2"), "game", ["g2", "g1"])


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (reported("g1"), "1 lost, 0 more"),
        (reported("g1", "g2", "g2"), "0 lost, 1 more"),
        (reported("g1", "g3"), "1 lost, 1 more"),
        ([], "2 lost, 0 more"),
    ],
)
def test_what_is_lost_and_what_is_there_twice_is_counted(found, said):
    with pytest.raises(RuntimeError, match=said):
        each_once("ResultReported", found, "game", ["g1", "g2"])


@pytest.mark.parametrize("many", [0, 1, 5, 64, 200])
def test_every_request_is_dealt_to_one_client(many):
    asks = [Request("POST", f"/{number}", {}) for number in range(many)]
    posts = dealt(asks, 8003, clients=64, processes=2)
    assert len(posts) == 2
    assert Counter(ask.path for process in posts for each in process.each for ask in each) == Counter(
        ask.path for ask in asks
    )


def test_a_step_that_takes_as_long_for_each_player_is_linear_and_a_quadratic_one_is_not():
    steps = {
        100: {"closed": Step(100, [0.5, 0.5]), "paired": Step(100, [1.0])},
        1_000: {"closed": Step(1_000, [4.0, 6.0]), "paired": Step(1_000, [100.0])},
    }
    table = linear(steps)
    assert [(row.name, row.median) for row in table.rows] == [
        ("closed: 1,000 players", 1.0),
        ("paired: 1,000 players", 10.0),
    ]
    assert [goal.met for goal in table.goals] == [True, False]
