"""Venues as people know them: their name, time zone, address and note, and the labels of their tables."""

from __future__ import annotations

import pytest

from tests.services.registration.story import Evening


def venue(evening: Evening, number: int = 0) -> dict:
    return evening.get().body["venues"][number]


def test_a_venue_has_a_time_zone_an_address_a_note_and_labels(evening):
    tables = [{"table": 1, "label": "A12"}, {"table": 2, "label": "Hall 2 / 7"}, {"table": 3, "accessible": True}]
    about = {"time_zone": "Europe/Lisbon", "address": "12 Harbour Road\nLisbon", "note": "Enter by the yard."}
    assert evening.post("/venues", {"name": "Lisbon", "tables": tables, **about}).status == 201
    shown = venue(evening)
    assert {name: shown[name] for name in about} == about
    assert shown["tables"] == [
        {"table": 1, "accessible": False, "label": "A12"},
        {"table": 2, "accessible": False, "label": "Hall 2 / 7"},
        {"table": 3, "accessible": True},
    ]


def test_a_venue_without_them_has_no_such_members(evening):
    evening.venue("Barn")
    assert set(venue(evening)) == {"id", "name", "open", "tables"}


def test_what_was_left_out_stays(evening):
    evening.post("/venues", {"name": "Lisbn", "time_zone": "Europe/Lisbon", "note": "Ring twice."})
    amended = evening.post("/venues/v1/amendments", {"name": "Lisbon", "note": ""})
    assert amended.types == ["VenueAmended"]
    assert amended.events[0]["data"] == {"venue": "v1", "name": "Lisbon", "note": ""}
    shown = venue(evening)
    assert (shown["name"], shown["time_zone"], shown.get("note")) == ("Lisbon", "Europe/Lisbon", None)


def test_an_amendment_that_changes_nothing_appends_nothing(evening):
    evening.venue("Lisbon")
    assert evening.post("/venues/v1/amendments", {"name": "Lisbon", "address": ""}).types == []


def test_a_venue_keeps_its_name_in_another_spelling(evening):
    evening.venue("lisbon")
    assert evening.post("/venues/v1/amendments", {"name": "Lisbon"}).types == ["VenueAmended"]


def test_a_closed_venue_can_be_renamed(evening):
    evening.venue("Lisbn")
    evening.post("/venues/v1/closing", {"reason": "flooded"})
    assert evening.post("/venues/v1/amendments", {"name": "Lisbon"}).types == ["VenueAmended"]


REFUSED = [
    ("/venues", {"name": "LISBON"}, 409, "name-taken", ("/name", "unused-venue-name")),
    ("/venues/v2/amendments", {"name": "Lisbon"}, 409, "name-taken", ("/name", "unused-venue-name")),
    ("/venues/v9/amendments", {"name": "Porto"}, 404, "venue-unknown", ("/venue", "one-of")),
    ("/venues/v1/amendments", {"name": ""}, 422, "invalid-request", ("/name", "readable-text")),
    ("/venues/v1/amendments", {"name": None}, 422, "invalid-request", ("/name", "name-length")),
    ("/venues/v1/amendments", {"time_zone": "Europe/Lisboa"}, 422, "invalid-request", ("/time_zone", "time-zone-near")),
    ("/venues/v1/amendments", {"time_zone": "lisbon"}, 422, "invalid-request", ("/time_zone", "time-zone-near")),
    ("/venues/v1/amendments", {"time_zone": "europe/lisbon"}, 422, "invalid-request", ("/time_zone", "time-zone-near")),
    ("/venues/v1/amendments", {"time_zone": "../../etc/passwd"}, 422, "invalid-request", ("/time_zone", "time-zone")),
    ("/venues/v1/amendments", {"time_zone": "x" * 100_000}, 422, "invalid-request", ("/time_zone", "time-zone")),
    ("/venues/v1/amendments", {"time_zone": 1}, 422, "invalid-request", ("/time_zone", "text")),
    ("/venues/v1/amendments", {"address": "x" * 301}, 422, "invalid-request", ("/address", "readable-text")),
    ("/venues/v1/amendments", {"tables": 3}, 422, "invalid-request", ("/tables", "known-member")),
]


@pytest.mark.parametrize(("rest", "body", "status", "code", "fault"), REFUSED)
def test_a_bad_description_of_a_venue_is_refused(evening, rest, body, status, code, fault):
    evening.venue("Lisbon")
    evening.venue("Ponta Delgada")
    before = evening.get().body["venues"]
    refused = evening.post(rest, body)
    assert (refused.status, refused.code) == (status, code), refused
    assert (refused.places[0], refused.body["errors"][0]["code"]) == fault
    assert evening.get().body["venues"] == before


@pytest.mark.parametrize(
    ("zone", "possible"),
    [("lisbon", "Europe/Lisbon"), ("EUROPE/BERLIN", "Europe/Berlin"), ("Berlín", "Europe/Berlin")],
)
def test_a_refused_time_zone_names_those_that_it_may_mean(evening, zone, possible):
    refused = evening.post("/venues", {"name": "Hall", "time_zone": zone})
    assert possible in refused.body["errors"][0]["data"]["zones"]
    assert possible in refused.body["errors"][0]["expected"]


@pytest.mark.parametrize(
    ("tables", "place", "code"),
    [
        ([{"table": 1, "label": "A1"}, {"table": 2, "label": "a1"}], "/tables", "each-label-once"),
        ([{"table": 1, "label": "2"}, {"table": 2}], "/tables", "each-label-once"),
        ([{"table": 1, "label": "x" * 21}], "/tables/0/label", "readable-text"),
        ([{"table": 1, "label": "A\n1"}], "/tables/0/label", "readable-text"),
        ([{"table": 1, "label": 12}], "/tables/0/label", "name-length"),
    ],
)
def test_labels_of_tables_are_unique_and_short(evening, tables, place, code):
    evening.venue("Lisbon")
    for rest, more in (("/venues", {"name": "Porto"}), ("/venues/v1/tables", {})):
        refused = evening.post(rest, {"tables": tables, **more})
        assert (refused.status, refused.code) == (422, "invalid-request")
        assert (refused.places[0], refused.body["errors"][0]["code"]) == (place, code)


def test_a_table_may_have_its_own_number_as_its_label(evening):
    assert evening.post("/venues", {"name": "Hall", "tables": [{"table": 1, "label": "1"}]}).status == 201


def test_labels_change_with_the_tables(evening):
    evening.venue("Lisbon", 2)
    labelled = [{"table": 1, "label": "A1"}, {"table": 2, "label": "A2"}]
    assert evening.post("/venues/v1/tables", {"tables": labelled}).types == ["TablesChanged"]
    assert evening.post("/venues/v1/tables", {"tables": labelled}).types == []
    assert [table.get("label") for table in venue(evening)["tables"]] == ["A1", "A2"]
    evening.post("/venues/v1/tables", {"tables": 2})
    assert [table.get("label") for table in venue(evening)["tables"]] == [None, None]


def test_organisers_alone_amend_a_venue(evening):
    evening.venue("Lisbon")
    _, head = evening.staff("Hedi", "head_referee", venue="v1")
    for by in (head, "referee", "spare"):
        refused = evening.post("/venues/v1/amendments", {"name": "Porto"}, by)
        assert (refused.status, refused.code) == (403, "forbidden"), refused


def test_an_older_version_of_a_venue_is_not_overwritten(evening):
    evening.venue("Lisbon")
    tag = evening.post("/venues/v1/amendments", {"note": "Ring twice."}).headers["ETag"]
    evening.post("/venues/v1/tables", {"tables": 3})
    assert evening.post("/venues/v1/amendments", {"note": "Knock."}, If_Match=tag).code == "precondition-failed"
