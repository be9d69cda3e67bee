"""Staff of a venue act only there."""

from __future__ import annotations

import pytest

from services.scoring.handlers import HANDLERS
from shared.tournament.registration import StaffAppointed, VenueOpened
from shared.tournament.rounds import PairingsDrawn, RoundPaired, Seat
from tests.services.scoring.story import score


@pytest.fixture
def two(open_floor):
    """Round 1 with one game at each of two venues; s1 is a referee of the first, s2 a head referee of the second."""
    told = open_floor(4)
    told.say(
        "registration",
        VenueOpened(venue="v1", name="Hall"),
        VenueOpened(venue="v2", name="Barn"),
        StaffAppointed(staff="s1", name="Rita", role="referee", venue="v1"),
        StaffAppointed(staff="s2", name="Hedi", role="head_referee", venue="v2"),
    )
    seats = [
        Seat(game="r1g1", kind="game", player_1="p1", player_2="p2", venue="v1", table=1),
        Seat(game="r1g2", kind="game", player_1="p3", player_2="p4", venue="v2", table=1),
    ]
    told.say(
        "pairing",
        PairingsDrawn(round=1, page=1, pages=1, pairings=seats),
        RoundPaired(round=1, stage="swiss", method="random", games=2),
    )
    told.started(1)
    return told


@pytest.fixture
def rita(two):
    return two.club.token("referee", two.id, actor="s1")


def test_staff_of_a_venue_cannot_decide_at_another(two, rita):
    assert two.report("r1g1", score(200, 100), by=rita).status == 201
    refused = two.report("r1g2", score(200, 100), by=rita)
    assert (refused.status, refused.code) == (403, "other-venue")
    assert refused.data == {"venue": "v1", "venues": ["v2"]}
    two.report("r1g2", score(200, 100), by="p3")
    attempts = [
        two.confirm("r1g2", by=rita),
        two.rule("r1g2", score(100, 200), by=rita),
        two.void("r1g2", by=rita),
        two.post("/results", {"results": [{"game": "r1g2", "facts": score(200, 100)}]}, rita),
    ]
    assert {answer.code for answer in attempts} == {"other-venue"}
    assert two.confirm("r1g2", by="p4").status == 201
    assert two.correct("r1g2", score(100, 200), by=rita).code == "other-venue"
    assert two.correct("r1g2", score(100, 200), by=rita, preview=True).code == "other-venue"


def test_closing_a_round_requires_all_venues(two, rita):
    two.report("r1g1", score(200, 100), by=rita)
    two.report("r1g2", score(200, 100), by="organiser")
    hedi = two.club.token("head_referee", two.id, actor="s2")
    assert two.close(1, by=hedi).code == "other-venue"
    assert two.close(1, by="head_referee").status == 201
    assert two.reopen(1, by=hedi).code == "other-venue"


def test_a_head_referee_of_a_venue_rejects_appeals_there(two, rita):
    hedi = two.club.token("head_referee", two.id, actor="s2")
    for game, player, by in (("r1g1", "p1", rita), ("r1g2", "p3", "referee")):
        assert two.rule(game, score(200, 100), by=by).status == 201
        assert two.appeal(game, player).status == 201
    assert two.reject("r1g1", by=hedi).code == "other-venue"
    assert two.reject("r1g2", by=hedi).status == 201


def test_events_of_games_and_sessions_belong_to_their_venue():
    about = {command for command in HANDLERS if {"game", "session"} & set(command.__struct_fields__)}
    players = {"AppealRuling", "ChangeReport", "DisputeResult"}
    assert {command.__name__ for command in about if not HANDLERS[command].venues} == players
