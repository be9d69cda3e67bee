"""A season over tournaments of several formats, and the results of each."""

from __future__ import annotations

import pytest

from shared.formats.options import formats_with_results
from tests.auditing import failures, logs_of
from tests.campaign.services.league import new_league
from tests.coop.story import new_night
from tests.season.story import LEAGUE, new_season


def evening(muster, *, survivors=4):
    """Return a concluded co-op event with one table, which won."""
    night = new_night(muster, survivors)
    night.set_up()
    night.win()
    night.end_round("a1") if night.state["status"] == "playing" else None
    night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/conclusion", {"reason": "one evening"})
    return night


def campaign(muster):
    """Return a concluded campaign of two groups and one round, won by p1."""
    league = new_league(muster, 2, built=True)
    league.pair()
    (game,) = league.games(1)
    league.play(game["id"], winner="p1")
    league.end_round()
    league.do("scoring", "/conclusion", {"reason": "one round"})
    return league


def test_every_other_format_has_results():
    assert set(formats_with_results()) == {"swiss", "coop", "campaign"}


@pytest.fixture(scope="module")
def mixed(muster):
    """Return a season by results over one tournament of each format, with all players claimed by name."""
    season = new_season(muster, LEAGUE, options={"season.divisions": False, "season.rating": "none"})
    season.cups = {
        "swiss": season.cup("Ana", "Ben"),
        "coop": evening(muster),
        "campaign": campaign(muster),
    }
    season.count(*season.cups.values())
    return season


def results(season, format):
    """Return name -> result of a tournament."""
    id = season.cups[format].id
    return {row["name"]: one for row in season.table()["items"] for one in row["results"] if one["tournament"] == id}


def test_results_of_a_swiss_tournament(mixed):
    found = results(mixed, "swiss")
    assert {name: (one["place"], one["points"]) for name, one in found.items()} == {"Ana": (1, 3), "Ben": (2, 0)}


def test_results_of_a_co_op_event(mixed):
    found = results(mixed, "coop")
    assert len(found) == 4
    assert {(one["place"], one["points"]) for one in found.values()} == {(1, 3)}


def test_results_of_a_campaign(mixed):
    found = results(mixed, "campaign")
    assert sorted((one["place"], one["points"]) for one in found.values()) == [(1, 3), (2, 0)]


def test_logs_pass_the_audit(mixed):
    mixed.table()
    assert failures(logs_of(mixed)) == []
    gathered = mixed.ask("GET", "registration", "/season/tournaments").body["items"]
    assert {one["format"] for one in gathered} == {"swiss", "coop", "campaign"}


def test_preview_of_a_session_correction_shows_seasons(mixed):
    mixed.table()
    night = mixed.cups["coop"]
    told = {**night.state["told"], "outcome": "unfinished"}
    body = {"told": told, "reason": "the hall had closed"}
    answer = night.ask("POST", "scoring", "/sessions/r1t1/correction?preview=true", body)
    assert answer.status == 200, answer
    (season,) = answer.body["moves"]["seasons"]
    assert season["season"] == mixed.id
    own = [move["points_after"] - move["points_before"] for move in season["moves"] if move["results"]]
    assert own == [-2] * 4


@pytest.mark.clause("SEA-PLACE-1")
def test_campaign_of_two_groups_has_a_field_of_two(muster):
    """A Swiss tournament of two pays the same, and one of four more: by places, with a point for participation."""
    season = new_season(muster)
    season.cups = {
        "campaign": campaign(muster),
        "two": season.cup("Ana", "Ben"),
        "four": season.cup("Ana", "Ben", "Cy", "Dee"),
    }
    season.count(*season.cups.values())
    worth = {
        name: sorted((one["place"], one["points"]) for one in results(season, name).values()) for name in season.cups
    }
    assert worth["campaign"] == worth["two"] == [(1, 5), (2, 3)]
    assert worth["four"][:2] == [(1, 9), (2, 6)]
