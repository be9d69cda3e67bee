"""Screens on a wall: what each shows, and when; everybody may look, organisers set them up."""

from __future__ import annotations

import pytest

CLOCK = [{"what": "clock"}]
DAY = [
    {"what": "pairings_by_name", "when": "before"},
    {"what": "clock", "when": "during"},
    {"what": "standings", "when": "after"},
]


def set_up(evening, screen="stage", by="organiser", **more):
    """Set a screen up."""
    headers = {name: more.pop(name) for name in list(more) if name[0].isupper()}
    return evening.post(f"/screens/{screen}", {"name": "Stage", "shows": CLOCK, **more}, by, **headers)


def test_a_screen_is_set_up_changed_and_removed(evening):
    venue = evening.venue("Hall")
    made = set_up(evening, shows=DAY, venue=venue, seconds=20)
    assert (made.types, made.body["id"]) == (["ScreenSet"], "stage")
    assert made.headers["Location"].endswith("/screens/stage")
    (shown,) = evening.get("/screens", by="").body["items"]
    assert shown == {"id": "stage", "name": "Stage", "venue": venue, "shows": DAY, "seconds": 20}
    assert set_up(evening, shows=DAY, venue=venue, seconds=20).types == []
    assert set_up(evening, name="Bar").types == ["ScreenSet"]
    one = evening.get("/screens/stage", by="").body
    assert (one["name"], one["venue"], one["seconds"]) == ("Bar", "", 12)
    assert evening.delete("/screens/stage").types == ["ScreenRemoved"]
    assert evening.get("/screens").body["items"] == []
    for gone in (evening.get("/screens/stage"), evening.delete("/screens/stage")):
        assert (gone.status, gone.code) == (404, "screen-unknown")


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"shows": []}, "/shows"),
        ({"shows": [*CLOCK, *CLOCK]}, "/shows"),
        ({"shows": [{"what": "weather"}]}, "/shows/0/what"),
        ({"shows": [{"what": "clock", "when": "never"}]}, "/shows/0/when"),
        ({"seconds": 0}, "/seconds"),
        ({"seconds": 10**9}, "/seconds"),
        ({"name": "x" * 61}, "/name"),
        ({"name": "two\nlines"}, "/name"),
    ],
    ids=str,
)
def test_what_no_screen_can_show_is_refused(evening, wrong, where):
    refused = set_up(evening, **wrong)
    assert (refused.status, refused.code) == (422, "invalid-request")
    assert [fault["where"] for fault in refused.faults] == [where]
    assert evening.get("/screens").body["items"] == []


def test_a_venue_that_is_none_is_refused(evening):
    assert set_up(evening, venue="v9").code == "venue-unknown"


def test_two_who_change_one_screen_do_not_undo_each_other(evening):
    seen = evening.get("/screens").headers["ETag"]
    set_up(evening, screen="bar")
    assert set_up(evening, If_Match=seen).status == 201, "another screen was touched, not this one"
    late = set_up(evening, name="Mine", If_Match=seen)
    assert (late.status, late.code) == (412, "precondition-failed")
    assert evening.delete("/screens/stage", If_Match=seen).status == 412


def test_an_organiser_of_one_venue_sets_up_screens_there_alone(evening):
    here, there = evening.venue("Hall"), evening.venue("Barn")
    _, bound = evening.staff("Orla", "organiser", venue=here)
    assert set_up(evening, by=bound, venue=here).status == 201
    assert set_up(evening, by=bound, venue=there).code == "other-venue"
    set_up(evening, screen="barn", venue=there)
    assert set_up(evening, screen="barn", by=bound, venue=here).code == "other-venue"


def test_there_is_an_end_to_screens_but_not_to_changing_them(evening, monkeypatch):
    monkeypatch.setattr("services.registration.tournament.decide.screens.MOST", 1)
    set_up(evening)
    refused = set_up(evening, screen="bar")
    assert (refused.status, refused.code, refused.data) == (409, "too-many-screens", {"most": 1})
    assert set_up(evening, name="Another").status == 201
