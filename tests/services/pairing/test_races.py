"""Concurrent commands: one is decided on the current state, the other is refused or decided on the newer state."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.synchronize import Barrier as ProcessBarrier
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.services.pairing.served import House, Pairing
from tests.services.pairing.stories import Story
from tests.waiting import PATIENCE
from tests.warm_processes import importing

ENGINES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.engine("postgresql"))]
TOGETHER = 6


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the URL of an empty database that several processes share."""
    if request.param == "sqlite":
        yield tmp_path, f"sqlite:///{tmp_path}/shared.sqlite3"
    else:
        yield tmp_path, request.getfixturevalue("postgresql_url")


@pytest.fixture
def twelve_players(place: tuple[Path, str]) -> Iterator[tuple[Story, House]]:
    """A tournament of twelve in a database, nothing paired yet."""
    story = Story()
    story.venue(tables=12)
    story.join(12)
    house = House(*place)
    Pairing(house, story)
    yield story, house
    house.database.close()


def at_once(asks: list[Callable[[], Any]]) -> list[tuple[int, str]]:
    """Do all of it at the same moment, each in a thread; the status and code of each answer."""
    barrier, answers = threading.Barrier(len(asks)), []

    def run(one: Callable[[], Any]) -> None:
        barrier.wait()
        answer = one()
        answers.append((answer.status_code, (answer.json or {}).get("code", "")))

    threads = [threading.Thread(target=run, args=(one,)) for one in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def rounds_of(house: House, story: Story) -> list[int]:
    """The rounds that the log says were paired; the story hears of everything that happened."""
    Pairing(house, story).copy_to_story()
    paired = [event.data for event in story.logs["pairing"] if event.type == "RoundPaired"]
    return [msgspec.json.decode(data)["round"] for data in paired]


class TestOneProcess:
    @pytest.mark.parametrize("body", [{}, {"round": 1}])
    def test_many_who_pair_at_once_make_one_round(self, twelve_players, body):
        story, house = twelve_players
        answers = at_once([lambda: house.post(story.id, "/rounds", body)] * TOGETHER)
        expected = "round-already-paired" if body else "round-not-closed"
        assert Counter(answers) == {(201, ""): 1, (409, expected): TOGETHER - 1}
        assert rounds_of(house, story) == [1]

    def test_one_command_sent_many_times_at_once_is_one(self, twelve_players):
        story, house = twelve_players
        answers = at_once([lambda: house.post(story.id, "/rounds", {}, Idempotency_Key="once")] * TOGETHER)
        assert Counter(answers) == {(201, ""): TOGETHER}
        assert rounds_of(house, story) == [1]

    def test_a_start_and_a_withdrawal_at_once_leave_a_round_that_is_one_or_the_other(self, twelve_players):
        story, house = twelve_players
        house.post(story.id, "/rounds", {})
        answers = at_once(
            [
                lambda: house.post(story.id, "/rounds/1/start", {}),
                lambda: house.post(story.id, "/rounds/1/withdrawal", {"reason": "x"}),
            ]
        )
        assert set(answers) <= {(201, ""), (404, "round-unknown")}
        rounds_of(house, story)
        assert story.state.rounds.rounds == {}  # an organiser may withdraw what has begun

    def test_two_concurrent_changes_lose_no_player(self, twelve_players):
        story, house = twelve_players
        house.post(story.id, "/rounds", {})
        rounds_of(house, story)
        one, two, three, four = (seat.player_1 for seat in story.seats(1)[:4])
        swaps = [{"swap": list(swap), "reason": "x"} for swap in ((one, two), (two, three), (three, four), (four, one))]
        at_once([partial(house.post, story.id, "/rounds/1/amendments", swap) for swap in swaps])
        rounds_of(house, story)
        seated = Counter(player for seat in story.seats(1) for player in seat.players)
        assert seated == Counter(list(story.state.entries.players))


class TestProcesses:
    def test_two_applications_on_one_database_make_one_round(self, twelve_players, place):
        story, house = twelve_players
        houses = [house, House(*place)]
        answers = at_once([partial(one.post, story.id, "/rounds", {"round": 1}) for one in houses * 3])
        assert Counter(answers) == {(201, ""): 1, (409, "round-already-paired"): 5}
        assert rounds_of(house, story) == [1]

    def test_two_processes_on_one_database_make_one_round_after_another(self, twelve_players, place):
        story, house = twelve_players
        for number in (1, 2):
            context = importing(__name__)
            barrier, answers = context.Barrier(2), context.Queue()
            processes = [
                context.Process(target=pair_elsewhere, args=(*place, story.id, number, barrier, answers))
                for _ in range(2)
            ]
            for process in processes:
                process.start()
            found = Counter(answers.get(timeout=PATIENCE) for _ in processes)
            for process in processes:
                process.join()
            assert found == {(201, ""): 1, (409, "round-already-paired"): 1}
            pairing = Pairing(house, story)
            assert pairing.post(f"/rounds/{number}/start").status_code == 201
            story.finish(number)
            pairing.copy_from_story()
        assert rounds_of(house, story) == [1, 2]


def pair_elsewhere(folder: Path, url: str, tournament: str, number: int, barrier: ProcessBarrier, answers: Any) -> None:
    """Pair a round in another process when all are ready."""
    house = House(folder, url)
    barrier.wait(timeout=PATIENCE)
    answer = house.post(tournament, "/rounds", {"round": number})
    answers.put((answer.status_code, (answer.json or {}).get("code", "")))
