"""Four survivors report from four phones: the order of the log decides, and what comes after the end is told so."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from tests.services.story import Answer

KILL = {"moves": [{"move": "survivor_killed", "survivor": "p1"}]}


@pytest.mark.clause("AB-END-3", "AB-PWR-4")
def test_four_phones_at_once(new):
    night = new(4)
    night.set_up()
    night.move_to(7)
    phones = Barrier(4)
    answers: list[Answer] = []

    def report(player: str) -> None:
        client = night.muster.apps["scoring"].test_client()
        token = night.token(player)
        phones.wait()
        response = client.post(
            f"/tournaments/{night.id}/sessions/r1t1/moves", json=KILL, headers={"Authorization": f"Bearer {token}"}
        )
        answers.append(Answer(response.status_code, dict(response.headers), response.get_data()))

    threads = [Thread(target=report, args=(player,)) for player in night.here]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [answer for answer in answers if answer.status == 201]
    late = [answer for answer in answers if answer.status == 409]
    assert (len(done), len(late)) == (2, 2)
    moves = [(event["from_space"], event["to_space"]) for event in night.history("PowerTokenAdvanced")]
    assert moves == [(0, 7), (7, 8), (8, 9)]
    (lost,) = [event for answer in done for event in answer.events if event["type"] == "SessionLost"]
    for answer in late:
        assert answer.code == "session-ended"
        assert (answer.data["event"], answer.data["position"]) == ("SessionLost", lost["position"])
        assert (answer.data["outcome"], answer.data["cause"]) == ("defeat", "survivor_killed")


def test_a_phone_that_sends_twice_is_heard_once(night):
    first = night.do("scoring", "/sessions/r1t1/moves", KILL, "p1", Idempotency_Key="k-1")
    again = night.do("scoring", "/sessions/r1t1/moves", KILL, "p1", Idempotency_Key="k-1")
    assert again.body == first.body
    assert night.position == 1


def test_a_phone_that_means_what_it_saw(night):
    seen = night.ask("GET", "scoring", "/sessions/r1t1").headers["ETag"]
    night.kill("p1")
    late = night.ask("POST", "scoring", "/sessions/r1t1/moves", KILL, "p2", If_Match=seen)
    assert (late.status, late.code) == (412, "precondition-failed")
    now = night.ask("GET", "scoring", "/sessions/r1t1").headers["ETag"]
    night.do("scoring", "/sessions/r1t1/moves", KILL, "p2", If_Match=now)


def test_a_cancelled_event_is_only_read(night):
    night.do("registration", "/cancellation", {"reason": "no power in the hall"})
    night.muster.copy(night.id)
    night.refused(409, "tournament-over", "moves", KILL)
    assert night.state["status"] == "playing"


@pytest.mark.parametrize("by", ["p9", "spare", "integration"])
def test_who_does_not_sit_there_has_no_say(new, by):
    night = new(3)
    night.set_up()
    code = "not-your-table" if by == "p9" else "forbidden"
    night.refused(403, code, "moves", KILL, by=by)


def test_players_leave_and_come_late(new):
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
