"""Four survivors report from four phones: the log decides the order, and later reports are refused."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier as BarrierOfProcesses
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from tests.coop.story import Night, new_night
from tests.fuzz.muster import Muster
from tests.services.story import Answer
from tests.warm_processes import importing

KILL = {"moves": [{"move": "survivor_killed", "survivor": "p1"}]}
PHONES = 4


def report(muster: Muster, address: str, token: str) -> Answer:
    """Report from a survivor's phone that p1 was killed."""
    client = muster.apps["scoring"].test_client()
    response = client.post(address, json=KILL, headers={"Authorization": f"Bearer {token}"})
    return Answer(response.status_code, dict(response.headers), response.get_data())


def two_spaces_from_the_end(muster: Muster) -> tuple[Night, str]:
    """Return four survivors at a table whose token is on space 7 of 9, and the address of their reports."""
    night = new_night(muster, PHONES)
    night.set_up()
    night.move_to(7)
    return night, f"/tournaments/{night.id}/sessions/r1t1/moves"


def two_count_and_two_are_told_what_ended_it(night: Night, answers: list[Answer]) -> None:
    done = [answer for answer in answers if answer.status == 201]
    late = [answer for answer in answers if answer.status == 409]
    assert (len(done), len(late)) == (2, 2), answers
    moves = [(event["from_space"], event["to_space"]) for event in night.history("PowerTokenAdvanced")]
    assert moves == [(0, 7), (7, 8), (8, 9)]
    (lost,) = [event for answer in done for event in answer.events if event["type"] == "SessionLost"]
    for answer in late:
        assert answer.code == "session-ended"
        assert (answer.data["event"], answer.data["position"]) == ("SessionLost", lost["position"])
        assert (answer.data["outcome"], answer.data["cause"]) == ("defeat", "survivor_killed")


@pytest.mark.clause("AB-END-3", "AB-PWR-4")
@pytest.mark.parametrize("attempt", range(3))
def test_four_phones_at_one_process(muster_on: Muster, attempt: int) -> None:
    night, address = two_spaces_from_the_end(muster_on)
    phones = Barrier(PHONES)
    answers: list[Answer] = []

    def tell(player: str) -> None:
        token = night.token(player)
        phones.wait()
        answers.append(report(muster_on, address, token))

    threads = [Thread(target=tell, args=(player,)) for player in night.here]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    two_count_and_two_are_told_what_ended_it(night, answers)


@pytest.mark.clause("AB-END-3", "AB-PWR-4")
def test_four_phones_at_four_processes(muster_on: Muster, databases: dict[str, str], tmp_path: Path) -> None:
    nights = [two_spaces_from_the_end(muster_on) for _ in range(3)]
    context = importing(__name__)
    given = (tmp_path, databases, context.Barrier(PHONES))
    with ProcessPoolExecutor(PHONES, mp_context=context, initializer=begin, initargs=given) as processes:
        for night, address in nights:
            tokens = [night.token(player) for player in night.here]
            answers = [Answer(*told) for told in processes.map(report_from_here, [address] * PHONES, tokens)]
            two_count_and_two_are_told_what_ended_it(night, answers)


HERE: dict[str, Any] = {}
"""In a process of its own: its services, and what all processes wait at."""


def begin(folder: Path, databases: dict[str, str], phones: BarrierOfProcesses) -> None:
    """Another process with services of its own on the same databases."""
    HERE.update(muster=Muster(folder, **databases), phones=phones)


def report_from_here(address: str, token: str) -> tuple[int, dict[str, str], bytes]:
    HERE["phones"].wait()
    answer = report(HERE["muster"], address, token)
    return answer.status, dict(answer.headers), answer.text


def test_repeated_request_takes_effect_once(night):
    first = night.do("scoring", "/sessions/r1t1/moves", KILL, "p1", Idempotency_Key="k-1")
    again = night.do("scoring", "/sessions/r1t1/moves", KILL, "p1", Idempotency_Key="k-1")
    assert again.body == first.body
    assert night.position == 1


def test_request_conditional_on_the_seen_state(night):
    seen = night.ask("GET", "scoring", "/sessions/r1t1").headers["ETag"]
    night.kill("p1")
    late = night.ask("POST", "scoring", "/sessions/r1t1/moves", KILL, "p2", If_Match=seen)
    assert (late.status, late.code) == (412, "precondition-failed")
    now = night.ask("GET", "scoring", "/sessions/r1t1").headers["ETag"]
    night.do("scoring", "/sessions/r1t1/moves", KILL, "p2", If_Match=now)


def test_cancelled_event_is_read_only(night):
    night.do("registration", "/cancellation", {"reason": "no power in the hall"})
    night.muster.copy(night.id)
    night.refused(409, "tournament-over", "moves", KILL)
    assert night.state["status"] == "playing"


@pytest.mark.parametrize("by", ["p9", "spare", "integration"])
def test_only_survivors_of_the_table_may_report(new, by):
    night = new(3)
    night.set_up()
    night.refused(403, "forbidden", "moves", KILL, by=by)


def test_late_and_leaving_players(new):
    night = new(3)
    night.set_up()
    dropped = night.do("registration", "/players/p1/drop", {"reason": "ill"})
    assert dropped.types == ["PlayerDropped"]
    assert night.ask("POST", "registration", "/players", {"name": "Late"}).code == "registration-closed"
    night.do("registration", "/players", {"name": "Late", "late": True})
    night.move_to(9)
    night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    night.seat()
    assert [sorted(survivors) for survivors in night.tables(2).values()] == [["p2", "p3", "p4"]]
