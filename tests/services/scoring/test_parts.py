"""Parts of a round: each venue closes its own, and the last one closes the round."""

from __future__ import annotations

import pytest

from shared.tournament.registration import PlayerMoved, VenueOpened
from shared.tournament.rounds import PairingsDrawn, RoundPaired, Seat
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


def test_standings_say_what_is_counted_of_each_venue(two):
    two.report("r1g1", score(200, 100), by="organiser")
    close(two, "v1")
    standings = two.get("/standings").body
    assert [(one["venue"], one["round"]) for one in standings["after"]] == [("v1", 1), ("v2", 0)]
    assert standings["provisional"] is True
    two.report("r1g2", score(200, 100), by="organiser")
    close(two, "v2")
    standings = two.get("/standings").body
    assert [one["round"] for one in standings["after"]] == [1, 1]
    assert standings["provisional"] is False


def test_standings_of_a_venue_have_its_own_ranks(two):
    for player, venue in (("p1", "v1"), ("p2", "v1"), ("p3", "v2"), ("p4", "v2")):
        two.say("registration", PlayerMoved(player=player, venue=venue))
    two.report("r1g1", score(200, 100), by="organiser")
    two.report("r1g2", score(250, 100), by="organiser")
    close(two)
    rows = two.get("/standings?venue=v1").body["items"]
    assert [(row["player"], row["venue"], row["venue_rank"]) for row in rows] == [("p1", "v1", 1), ("p2", "v1", 2)]
    assert [row["rank"] for row in rows] != [1, 2]
    version = two.get("/standings?venue=v1").body["version"]
    assert two.get(f"/standings?venue=v1&since={version}").body["items"] == rows
    assert "venue_rank" not in two.get("/standings").body["items"][0]


class TestSetAside:
    """One venue cannot be reached: r1g2 at v2 is open."""

    @pytest.fixture
    def aside(self, two):
        two.report("r1g1", score(200, 100), by="organiser")
        assert close(two, "v1").status == 201
        return two

    @staticmethod
    def set_aside(told, venue: str = "v2", by: str = "head_referee"):
        return told.post("/rounds/1/aside", {"venue": venue, "reason": "no network"}, by)

    def test_the_round_closes_without_it(self, aside):
        answer = self.set_aside(aside)
        assert (answer.status, types(answer)) == (201, ["PartSetAside", "StandingsRecorded", "RoundClosed"])
        assert self.set_aside(aside).body["events"] == []
        standings = aside.get("/standings").body
        assert standings["provisional"] is True
        assert aside.post("/conclusion", {"reason": "over"}).code == "round-not-closed"

    def test_its_results_count_as_if_in_time(self, aside):
        self.set_aside(aside)
        assert aside.report("r1g2", score(200, 100), by="organiser").status == 201
        answer = close(aside, "v2")
        assert types(answer) == ["PartClosed", "StandingsRecorded"]
        late = aside.get("/standings?round=1").body["items"]
        assert len({row["values"]["tournament_points"] for row in late}) == 2
        assert aside.post("/conclusion", {"reason": "over"}).status == 201

    def test_a_decision_closes_it_without_them(self, aside):
        self.set_aside(aside)
        refused = close(aside, "v2")
        assert (refused.code, refused.data["games"]) == ("games-open", ["r1g2"])
        answer = aside.post("/rounds/1/close", {"venue": "v2", "without": "the hall flooded"}, "head_referee")
        assert types(answer)[0] == "PartClosed"
        assert answer.body["events"][0]["data"]["missing"] == ["r1g2"]
        assert aside.report("r1g2", score(200, 100), by="organiser").code == "round-closed"
        assert aside.post("/conclusion", {"reason": "over"}).status == 201

    def test_it_is_set_aside_before_the_others_are_done(self, two):
        assert types(self.set_aside(two)) == ["PartSetAside"]
        two.report("r1g1", score(200, 100), by="organiser")
        assert types(close(two)) == ["StandingsRecorded", "RoundClosed"]

    def test_only_a_part_that_was_set_aside_is_closed_without_results(self, two):
        answer = two.post("/rounds/1/close", {"venue": "v2", "without": "late"}, "head_referee")
        assert (answer.status, answer.code, answer.places) == (409, "part-not-aside", ["/without"])

    def test_bad_requests_change_nothing(self, aside, hedi):
        opened(aside, "v3")
        before = aside.get("/standings").body
        codes = [self.set_aside(aside, venue).code for venue in ("v1", "v3", "v9")]
        assert codes == ["round-closed", "part-unknown", "venue-unknown"]
        assert self.set_aside(aside, "v1", hedi).code == "other-venue"
        assert aside.post("/rounds/1/aside", {"venue": "v2"}, "head_referee").status == 422
        assert aside.post("/rounds/9/aside", {"venue": "v2", "reason": "x"}, "head_referee").code == "round-unknown"
        assert aside.get("/standings").body == before

    def test_a_round_is_not_set_aside_as_a_whole(self, open_floor):
        told = open_floor(2)
        opened(told, "v1")
        seat = Seat(game="r1g1", kind="game", player_1="p1", player_2="p2", venue="v1", table=1)
        told.say(
            "pairing",
            PairingsDrawn(round=1, page=1, pages=1, pairings=[seat]),
            RoundPaired(round=1, stage="swiss", method="random", games=1),
        )
        told.started(1)
        assert self.set_aside(told, "v1").code == "part-stays"
