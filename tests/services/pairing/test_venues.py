"""Staff of one venue only act on tables and games there."""

from __future__ import annotations

import pytest

from services.pairing.handlers import HANDLERS
from tests.services.pairing.stories import Story


class Bound:
    """Round 1 at two venues, each with two games; `as_staff` asks as a member of staff of the first."""

    def __init__(self, serve, role: str) -> None:
        story = Story(pairing_scope="venue")
        for name in ("Hall", "Barn"):
            story.venue(name, tables=6)
        self.role, self.staff = role, story.staff("Rita", role, venue="v1")
        story.join(4, venue="v1")
        story.join(4, venue="v2")
        self.served, self.story = serve(story), story
        assert self.served.post("/rounds").status_code == 201

    def as_staff(self, path, body=None):
        token = self.served.token_of(self.role, self.staff)
        return self.served.post(path, body, Authorization=f"Bearer {token}")

    def game(self, venue: str) -> str:
        return next(seat.game for seat in self.story.seats(1) if seat.venue == venue)


def refused(answer) -> dict:
    assert (answer.status_code, answer.json["code"]) == (403, "other-venue"), answer.json
    return answer.json["data"]


def test_a_referee_moves_games_within_their_own_venue(serve):
    bound = Bound(serve, "referee")
    here, there = bound.game("v1"), bound.game("v2")
    assert bound.as_staff(f"/rounds/1/games/{here}/table", {"table": 5}).status_code == 201
    elsewhere = bound.as_staff(f"/rounds/1/games/{there}/table", {"table": 5})
    assert refused(elsewhere) == {"venue": "v1", "venues": ["v2"]}
    refused(bound.as_staff(f"/rounds/1/games/{here}/table", {"venue": "v2", "table": 5}))
    assert bound.served.post(f"/rounds/1/games/{there}/table", {"table": 5}, role="referee").status_code == 201


def test_a_referee_gives_time_to_games_of_their_own_venue(serve):
    bound = Bound(serve, "referee")
    bound.served.post("/rounds/1/start")
    more = {"minutes": 5, "reason": "fire alarm"}
    assert bound.as_staff("/rounds/1/extensions", {**more, "game": bound.game("v1")}).status_code == 201
    refused(bound.as_staff("/rounds/1/extensions", {**more, "game": bound.game("v2")}))
    refused(bound.as_staff("/rounds/1/extensions", more))
    refused(bound.as_staff("/rounds/1/calls", {"call": "start"}))


def test_a_head_referee_of_one_venue_changes_pairings_there_and_no_whole_round(serve):
    bound = Bound(serve, "head_referee")
    here = [seat.player_1 for seat in bound.story.seats(1) if seat.venue == "v1"]
    there = [seat.player_1 for seat in bound.story.seats(1) if seat.venue == "v2"]
    refused(bound.as_staff("/rounds/1/amendments", {"swap": there, "reason": "family"}))
    refused(bound.as_staff("/rounds/1/repairing", {"reason": "family"}))
    refused(bound.as_staff("/rounds/1/withdrawal", {"reason": "family"}))
    refused(bound.as_staff("/rounds/1/start"))
    assert bound.as_staff("/rounds/1/amendments", {"swap": here, "reason": "family"}).status_code == 201


@pytest.mark.parametrize("role", ["head_referee", "organiser"])
def test_staff_without_a_venue_act_everywhere(serve, role):
    served = Bound(serve, "referee").served
    assert served.post("/rounds/1/start", role=role).status_code == 201


def test_every_command_of_pairing_says_which_venues_it_is_about():
    assert all(row.venues or row.by_rule for row in HANDLERS.values())
