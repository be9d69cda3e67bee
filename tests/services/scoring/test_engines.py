"""Results, disputes, corrections, standings and the end on each database."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from shared.log.cloudevents import from_wire
from shared.log.log import verify
from tests.services.conftest import NewClub
from tests.services.engines import ENGINES, club_on
from tests.services.scoring.story import floor, score
from tests.services.story import Club, same_state

RACERS = 8


@pytest.fixture(scope="module", params=ENGINES)
def club(request: pytest.FixtureRequest, new_club: NewClub) -> Club:
    """A scoring service on each engine."""
    return club_on(request.param, "scoring", new_club, request)


@pytest.fixture
def evening(club):
    """Round 1 of two: Ana against Ben, Cy against Dee."""
    told = floor(club, 4, staff=("head_referee", "referee"), rounds=2)
    told.begin(1, ("p1", "p2"), ("p3", "p4"))
    return told


def test_a_result_is_reported_and_confirmed(evening):
    assert evening.report("r1g1", score(200, 100), by="p1").types == ["ResultReported"]
    assert evening.confirm("r1g1", by="p1").code == "own-report"
    assert evening.confirm("r1g1", by="p2").types == ["ResultConfirmed"]
    assert evening.game("r1g1")["status"] == "confirmed"
    assert evening.report("r1g1", score(100, 200), by="p2").code == "result-exists"
    assert same_state(evening.club, evening.id)


def test_a_result_is_disputed_ruled_and_appealed(evening):
    evening.report("r1g1", score(200, 100), by="p1")
    assert evening.dispute("r1g1", by="p2", facts=score(100, 200)).types == ["ResultDisputed"]
    assert evening.close(1).code == "games-open"
    assert evening.rule("r1g1", score(150, 100)).types == ["ResultRuled"]
    assert evening.appeal("r1g1", by="p2").types == ["RulingAppealed"]
    assert evening.rule("r1g1", score(100, 150)).code == "appeal-open"
    assert evening.reject("r1g1").types == ["AppealRejected"]
    assert [event["type"] for event in evening.get("/games/r1g1/history").body["items"]] == [
        "ResultReported",
        "ResultDisputed",
        "ResultRuled",
        "RulingAppealed",
        "AppealRejected",
    ]
    assert same_state(evening.club, evening.id)


def test_a_closed_round_is_corrected_and_concluded(evening):
    evening.play(1, (300, 100), (200, 150))
    before = evening.standings(1)
    preview = evening.correct("r1g1", score(100, 300), preview=True)
    assert preview.status == 200
    assert evening.standings(1) == before
    corrected = evening.correct("r1g1", score(100, 300))
    assert corrected.types == ["ResultCorrected", "StandingsRecorded"]
    assert evening.standings(1)[0].startswith("Ben")
    assert evening.reopen(1).types == ["RoundReopened"]
    assert evening.close(1).types == ["StandingsRecorded", "RoundClosed"]
    evening.begin(2, ("p2", "p3"), ("p1", "p4"))
    evening.play(2, (300, 0), (100, 120))
    assert evening.conclude().types == ["TournamentConcluded"]
    award = evening.post("/awards", {"name": "Best painted", "player": "p4"})
    assert award.types == ["AwardGiven"]
    assert evening.report("r2g1", score(0, 300)).code == "tournament-over"
    lines = evening.get("/log").text.splitlines()
    assert verify(map(from_wire, lines)) == evening.club.folded(evening.id).heads["scoring"]
    assert same_state(evening.club, evening.id)


def test_a_command_with_an_idempotency_key_takes_effect_once(evening):
    first, again = (evening.report("r1g1", score(200, 100), Idempotency_Key="slip-7") for _ in range(2))
    assert first.body == again.body
    assert evening.report("r1g2", score(200, 100), Idempotency_Key="slip-7").code == "idempotency-key-reused"


def test_one_of_many_concurrent_closings_closes_the_round(club, evening):
    for game in ("r1g1", "r1g2"):
        evening.report(game, score(200, 100))
    token, done = evening.token("head_referee"), count()

    def close(_: int) -> int:
        with club.app.test_client() as client:
            answer = client.post(
                f"/tournaments/{evening.id}/rounds/1/close", headers={"Authorization": f"Bearer {token}"}
            )
        assert answer.status_code == 201
        if answer.get_json()["events"]:
            next(done)
        return answer.status_code

    with ThreadPoolExecutor(RACERS) as pool:
        list(pool.map(close, range(RACERS)))
    assert next(done) == 1
    assert [event.type for event in evening.log].count("RoundClosed") == 1
