"""Names of players: every script is accepted, invisible characters are refused, similar names are detected."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "Zoë Müller-Østergård",
        "Łukasz",
        "محمد علي",
        "שירה",
        "山田 太郎",
        "Ана",
        "Ana 🎲",
        "👩‍👩‍👧",
        'O\'Neill "the Hammer" <b>',
        "Robert'); DROP TABLE events;--",
        "x" * 100,
        "null",
        "0",
    ],
)
def test_a_name_is_kept_as_it_is(evening, name):
    assert evening.enter(name).status == 201
    assert evening.player("p1")["name"] == name
    assert evening.state.entries.players["p1"].name == name


def test_a_name_is_kept_without_white_space_around_it(evening):
    evening.enter("  Ana  ")
    assert evening.player("p1")["name"] == "Ana"


def test_letters_put_together_count_as_one(evening):
    evening.enter("Zoe\u0308")
    assert evening.player("p1")["name"] == "Zoë"
    assert evening.enter("Zoë").code == "name-taken"


@pytest.mark.parametrize(
    "name", ["", "   ", "Ana\nBen", "Ana\u0000", "\u0007", "x" * 300, "\u202egnorw", "\u200b", 7, None, ["Ana"]]
)
def test_an_invisible_name_is_refused(evening, name):
    answer = evening.enter(name)
    assert (answer.status, answer.code, answer.places) == (422, "invalid-request", ["/name"])


def test_two_players_with_one_name_are_refused_in_any_request(evening):
    evening.join("Ana", "Ben")
    one = evening.enter("ana")
    assert (one.code, one.places) == ("name-taken", ["/name"])
    several = evening.post("/players/list", {"players": [{"name": n} for n in ("Cy", "BEN", "Dee", "dee")]})
    assert (several.code, several.places) == ("name-taken", [f"/players/{index}/name" for index in (1, 2, 3)])
    only = evening.post("/players/list", {"players": [{"name": "Ana"}]})
    assert only.places == ["/players/0/name"]
    assert evening.names("active") == ["Ana", "Ben"]


@pytest.mark.parametrize(
    "name",
    ["Ma\u200bria", "Ma\u00adria", "Maria\u200d", "Maria\ufe0f", "\ufeffMaria x", "Maria\u3164"],
    ids=ascii,
)
def test_a_name_with_an_invisible_character_is_refused(evening, name):
    evening.join("Maria")
    answer = evening.enter(name)
    assert (answer.status, answer.code, answer.places) == (422, "invalid-request", ["/name"])
    assert evening.names("active") == ["Maria"]


@pytest.mark.parametrize(("name", "again"), [("Maria", "Ｍａｒｉａ"), ("Straße", "STRASSE")])
def test_a_name_in_other_letters_of_the_same_word_is_taken(evening, name, again):
    evening.enter(name)
    taken = evening.enter(again)
    assert (taken.status, taken.code, taken.places) == (409, "name-taken", ["/name"])
    evening.join("Ben")
    assert evening.do("p2", "amendments", {"name": again}).code == "name-taken"
    several = evening.post("/players/list", {"players": [{"name": "Cy"}, {"name": again}]})
    assert (several.code, several.places) == ("name-taken", ["/players/1/name"])


def test_the_name_of_a_withdrawn_player_is_free_again(evening):
    evening.join("Ana")
    evening.do("p1", "withdrawal", {})
    assert evening.enter("Ana").body["players"][0]["id"] == "p2"


def test_a_name_is_put_right_but_not_to_that_of_another(evening):
    evening.join("Ana", "Ben")
    assert evening.do("p1", "amendments", {"name": "Anna", "club": "Reds"}).types == ["PlayerAmended"]
    assert evening.do("p1", "amendments", {"name": "Anna"}).types == []
    assert evening.do("p1", "amendments", {"name": "ANNA"}).types == ["PlayerAmended"]
    refused = evening.do("p1", "amendments", {"name": "ben"})
    assert (refused.code, refused.places) == ("name-taken", ["/name"])
    shown = evening.player("p1")
    assert (shown["name"], shown["club"]) == ("ANNA", "Reds")


def test_two_venues_of_one_name_are_refused(evening):
    evening.venue("Hall")
    for name in ("HALL", "Ｈａｌｌ", "Ha\u200bll"):
        assert evening.post("/venues", {"name": name}).code in ("name-taken", "invalid-request")
    assert evening.post("/venues", {"name": "Ｈａｌｌ"}).code == "name-taken"


def test_every_member_that_is_wrong_is_named_at_once(evening):
    answer = evening.post("/players", {"nam": "Ana", "faction": 7, "contact": {"email": "no", "fax": "1"}})
    assert set(answer.places) == {"/nam", "/name", "/faction", "/contact/email", "/contact/fax"}


def test_a_list_is_taken_whole_or_not_at_all(evening):
    players = [{"name": "Ana"}, {"name": ""}, {"name": "Cy", "venue": "v1"}]
    assert evening.post("/players/list", {"players": players}).places == ["/players/1/name"]
    players[1] = {"name": "Ben", "venue": "v2"}
    answer = evening.post("/players/list", {"players": players})
    assert (answer.code, answer.places) == ("venue-unknown", ["/players/1/venue", "/players/2/venue"])
    assert evening.get("/players").body["items"] == []


def test_a_list_too_long_for_one_request(evening):
    players = [{"name": f"P{number}"} for number in range(2001)]
    answer = evening.post("/players/list", {"players": players})
    assert (answer.code, answer.places) == ("invalid-request", ["/players"])
