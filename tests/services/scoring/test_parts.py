"""Parts of a round: each venue closes its own, and the last one closes the round."""

from __future__ import annotations

import pytest

from tests.services.scoring.story import score
from tests.services.scoring.test_venues import two

__all__ = ["two"]


@pytest.fixture
def hedi(two):
    return two.club.token("head_referee", two.id, actor="s2")


def close(two, venue: str = "", by: str = "head_referee"):
    return two.post("/rounds/1/close", {"venue": venue} if venue else None, by)


def types(answer) -> list[str]:
    return [event["type"] for event in answer.body["events"]]


def test_the_last_part_closes_the_round(two, hedi):
    two.report("r1g2", score(200, 100), by="organiser")
    first = close(two, "v2", hedi)
    assert (first.status, types(first)) == (201, ["PartClosed"])
    assert two.get("/standings?round=1").code == "round-not-closed"
    two.report("r1g1", score(200, 100), by="organiser")
    last = close(two, "v1")
    assert types(last) == ["StandingsRecorded", "RoundClosed"]
    assert last.body["events"][-1]["data"]["venues"] == ["v1"]
    assert two.get("/standings?round=1").status == 200


def test_closing_without_a_venue_closes_what_is_left(two):
    two.report("r1g2", score(200, 100), by="organiser")
    close(two, "v2")
    two.report("r1g1", score(200, 100), by="organiser")
    answer = close(two)
    assert answer.body["events"][-1]["data"]["venues"] == ["v1"]


def test_open_games_of_one_part_close_nothing(two):
    two.report("r1g1", score(200, 100), by="organiser")
    answer = close(two)
    assert (answer.status, answer.code, answer.data["games"]) == (409, "games-open", ["r1g2"])
    assert "at v2" in answer.body["detail"]
    assert close(two, "v1").status == 201


def test_a_part_closes_once(two):
    two.report("r1g1", score(200, 100), by="organiser")
    assert close(two, "v1").status == 201
    again = close(two, "v1")
    assert (again.status, again.code, again.body["detail"]) == (409, "round-closed", "Round 1 is closed at v1.")


@pytest.mark.parametrize(("venue", "code", "status"), [("v9", "venue-unknown", 422), ("v3", "part-unknown", 422)])
def test_a_venue_without_games_is_refused(two, venue, code, status):
    opened(two, "v3")
    answer = close(two, venue)
    assert (answer.status, answer.code, answer.places) == (status, code, ["/venue"])


def opened(two, *venues: str) -> None:
    from shared.tournament.registration import VenueOpened

    two.say("registration", *[VenueOpened(venue=venue, name=venue.upper()) for venue in venues])


def test_a_result_of_a_closed_part_is_corrected_and_not_reported(two):
    two.report("r1g1", score(200, 100), by="organiser")
    close(two, "v1")
    assert two.report("r1g1", score(100, 200), by="organiser").code == "round-closed"
    corrected = two.correct("r1g1", score(100, 200))
    assert (corrected.status, types(corrected)) == (201, ["ResultCorrected"])
    assert two.report("r1g2", score(200, 100), by="organiser").status == 201


def test_a_head_referee_closes_and_reopens_their_own_part_only(two, hedi):
    two.report("r1g1", score(200, 100), by="organiser")
    two.report("r1g2", score(200, 100), by="organiser")
    refused = close(two, "v1", hedi)
    assert (refused.status, refused.code, refused.data) == (403, "other-venue", {"venue": "v2", "venues": ["v1"]})
    assert close(two, "v2", hedi).status == 201
    reopening = {"reason": "a slip was lost", "venue": "v2"}
    assert two.post("/rounds/1/reopening", {**reopening, "venue": "v1"}, hedi).code == "other-venue"
    assert two.post("/rounds/1/reopening", reopening, hedi).status == 201
    assert two.post("/rounds/1/reopening", reopening, hedi).code == "round-not-closed"
    assert close(two).body["events"][-1]["data"]["venues"] == ["v1", "v2"]


def test_a_part_of_a_closed_round_is_reopened_alone(two):
    two.report("r1g1", score(200, 100), by="organiser")
    two.report("r1g2", score(200, 100), by="organiser")
    close(two)
    assert two.post("/rounds/1/reopening", {"reason": "a slip was lost", "venue": "v2"}).status == 201
    assert close(two, "v1").code == "round-closed"
    assert types(close(two, "v2")) == ["StandingsRecorded", "RoundClosed"]
