"""Players from a file: all of them, or none and every fault with its row and column."""

from __future__ import annotations

import pytest


@pytest.fixture
def send(evening):
    def send(file: bytes | str):
        return evening.post("/players/csv", file if isinstance(file, bytes) else file.encode(), Content_Type="text/csv")

    return send


def test_a_file_as_a_spreadsheet_saves_it(evening, send):
    venue = evening.venue()
    file = f'\ufeffname,faction,venue,club\r\nAna,rebel,{venue},Reds\r\n"Ben, the elder",,,\r\n\r\n'
    answer = send(file)
    assert answer.types == ["PlayerJoined", "PlayerJoined"]
    assert [player["name"] for player in answer.body["players"]] == ["Ana", "Ben, the elder"]
    shown = evening.player("p1")
    assert (shown["faction"], shown["venue"], shown["club"]) == ("rebel", venue, "Reds")


def test_columns_in_any_order_and_names_under_player(evening, send):
    assert send("club,player\nReds,Ana\n").status == 201
    assert evening.player("p1")["name"] == "Ana"


def test_a_name_of_their_own_goes_before_the_id_in_the_file(evening, send):
    assert send("player,name\nana,Ana\nben,\n").status == 201
    assert evening.names("active") == ["Ana", "ben"]


def test_seats_are_given_in_the_order_of_the_file(announce):
    evening = announce(capacity=2)
    answer = evening.post("/players/csv", b"name\nAna\nBen\nCy\n", Content_Type="text/csv")
    assert [player["status"] for player in answer.body["players"]] == ["active", "active", "waiting"]


@pytest.mark.parametrize(
    ("file", "places"),
    [
        ("", ["row 1"]),
        ("\n\n", ["row 1"]),
        ("\ufeff", ["row 1"]),
        ("name\n", ["row 2"]),
        ("name\n\n  \n", ["row 2"]),
        ("club,faction\nReds,rebel\n", ["row 1"]),
        ("name,colour\nAna,red\n", ["row 1, column 2"]),
        ("name;club\nAna;Reds\n", ["row 1, column 1", "row 1"]),
        ("name,name\nAna,Ben\n", ["row 1"]),
        ("name,club\nAna\nBen,Reds\n", ["row 2"]),
        ("name,club\nAna,Reds,x\n", ["row 2"]),
        ("name\nAna\nBen\nana\n", ["row 2, column 1 (name)", "row 4, column 1 (name)"]),
        ("name\nAna\n\n\nBen\nANA\n", ["row 2, column 1 (name)", "row 6, column 1 (name)"]),
        ("player,name\na,Ana\na,Ben\n", ["row 2, column 1 (player)", "row 3, column 1 (player)"]),
        ("club,name\nReds,\nBlues,Ben\n", ["row 2, column 2 (name)"]),
        ("name\n" + "x" * 101 + "\n", ["row 2, column 1 (name)"]),
        ("name\nAna\n" + "y" * 200_000 + "\n", ["row 3"]),
        ('name\n"Ana" the great\n', ["row 2"]),
        ('name\nAna\n"Ben\nCy\n', ["row 3"]),
        ("player\nAna\u0007\n", ["row 2, column 1 (player)"]),
    ],
)
def test_every_fault_is_named_with_its_place(evening, send, file, places):
    answer = send(file)
    assert (answer.status, answer.code) == (422, "csv-refused"), answer
    assert answer.places == places
    assert evening.get("/players").body["items"] == []


def test_a_file_in_another_encoding(send):
    answer = send("name\nZoë\n".encode("latin-1"))
    assert (answer.code, answer.places) == ("csv-refused", ["byte 8"])


def test_what_only_the_tournament_can_know_is_named_with_its_row_too(evening, send):
    evening.join("Ana")
    taken = send("club,name\nReds,Ben\n\nReds,ana\n")
    assert (taken.code, taken.places) == ("name-taken", ["row 4, column 2 (name)"])
    nowhere = send("name,venue\nBen,v7\nCy,v8\n")
    assert (nowhere.code, nowhere.places) == (
        "venue-unknown",
        ["row 2, column 2 (venue)", "row 3, column 2 (venue)"],
    )
    assert evening.names("active") == ["Ana"]


def test_a_file_too_large_for_one_request(evening, send):
    answer = send("name\n" + "\n".join(f"P{number}" for number in range(2001)))
    assert (answer.code, answer.faults[0]["expected"]) == ("csv-refused", "at most 2000 in one file")
    assert send(b"x" * 2_000_000).code == "too-large"
