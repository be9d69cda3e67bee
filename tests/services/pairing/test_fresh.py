"""Events of other services that no message has delivered yet are fetched before a decision."""

from __future__ import annotations

import pytest

from shared.log.copies import accept_run
from shared.log.database import Database
from shared.log.reading import head_of
from shared.service.wiring import Service
from tests.services.pairing.served import House, Pairing
from tests.services.pairing.stories import Story


@pytest.fixture
def eight_players(monkeypatch, tmp_path):
    """Eight players, known here; from now on the service learns only what it asks for."""
    story = Story()
    story.join(8)

    def catch_up(service: Service, tournament: str) -> None:
        copy_news(service.database, story)

    monkeypatch.setattr(Service, "catch_up", catch_up)
    house = House(tmp_path)
    copy_news(house.database, story)
    return house, story


def copy_news(database: Database, story: Story) -> None:
    """Fetch all current events of the other services."""
    for source in ("registration", "scoring"):
        with database.reading() as connection:
            known = head_of(connection, source, story.id).position
        if news := story.logs[source][known:]:
            accept_run(database, news)


def seated(house: House, story: Story) -> set[str]:
    """Return the players of round 1 in the log."""
    Pairing(house, story).copy_to_story()
    return {player for seat in story.seats(1) for player in seat.players}


def test_a_player_who_has_just_dropped_is_not_paired(eight_players):
    house, story = eight_players
    story.drop("p1")
    assert house.post(story.id, "/rounds", {}).status_code == 201
    assert "p1" not in seated(house, story)


def test_a_preview_knows_it_too(eight_players):
    house, story = eight_players
    Pairing(house, story).commit()
    story.drop("p1")
    shown = house.post(story.id, "/rounds?preview=true", {}).json["moves"]["round"]["pairings"]
    assert "p1" not in {player for seat in shown for player in (seat["player_1"], seat["player_2"])}


def test_a_round_with_a_player_who_has_just_dropped_does_not_start(eight_players):
    house, story = eight_players
    house.post(story.id, "/rounds", {})
    story.drop("p1")
    assert house.post(story.id, "/rounds/1/start", {}).json["code"] == "round-has-absent-players"


def test_a_game_that_was_just_reported_is_not_changed_or_withdrawn(eight_players):
    house, story = eight_players
    house.post(story.id, "/rounds", {})
    house.post(story.id, "/rounds/1/start", {})
    Pairing(house, story).copy_to_story()
    story.win("r1g1", confirmed=False)
    swap = [seat.player_1 for seat in story.seats(1)[:2]]
    assert house.post(story.id, "/rounds/1/amendments", {"swap": swap, "reason": "x"}).json["code"] == "game-has-result"
    assert house.post(story.id, "/rounds/1/withdrawal", {"reason": "x"}).json["code"] == "round-has-results"
