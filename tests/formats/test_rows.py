"""A format that the product does not know takes part through one entry in the dictionary of each place."""

from __future__ import annotations

import pytest

from shared.formats.fold import decode, encode, evolve
from shared.tournament.state import Tournament
from tests.acting import actor_of
from tests.formats import duel
from tests.formats.duel import CHALLENGES
from tests.services.house import House


class Row:
    """A stored event."""

    source, position, type, version, data = "registration", 1, "Challenged", 1, '{"player":"p1"}'
    time, actor = "2026-03-01T10:00:00.000Z", actor_of("someone")


@pytest.fixture
def known():
    """Register the format in the dictionary of each place."""
    with duel.registered():
        yield


def test_events_of_a_new_format_are_read_folded_and_encoded(known):
    state = Tournament()
    evolve(state, Row())
    assert CHALLENGES.of(state).players == ["p1"]
    assert CHALLENGES.of(decode(encode(state))).players == ["p1"]


def test_a_new_format_is_played_over_http(known, tmp_path, monkeypatch):
    house = House(tmp_path, {}, monkeypatch)
    announced = house.clubs["registration"].ask(
        "POST",
        "/tournaments",
        {"name": "Dawn", "pack": duel.PACK},
        token=house.clubs["registration"].token("organiser"),
    )
    assert announced.status == 201, announced
    registration, pairing, scoring = (house.clubs[name].tournament(announced.body["id"]) for name in house.clubs)
    for name in ("Ana", "Ben"):
        assert registration.post("/players", {"name": name}).status == 201
    assert pairing.post("/rounds").types == ["PairingsDrawn", "RoundPaired"]
    house.copy()
    refused = scoring.post("/games/r1g1/result", {"facts": {"winner": "draw"}})
    assert (refused.code, refused.places) == ("impossible-result", ["/facts/winner"])
    assert scoring.post("/games/r1g1/result", {"facts": {"winner": 2}}).types == ["ResultReported", "ResultConfirmed"]
    assert scoring.post("/rounds/1/close").status == 201
    assert [row["name"] for row in scoring.get("/standings").body["items"]] == ["Ben", "Ana"]
    assert scoring.post("/conclusion", {}).types == ["TournamentConcluded"]
    house.copy()
    assert registration.get().body["status"] == "concluded"
    for club in house.clubs.values():
        club.database.close()
