"""Players from a file: all of them, or none and every fault with its row and column."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.registration.routes_joining import read_entries, write_entries
from shared.names import is_same_name, normalize_name
from shared.tournament.people import Player
from shared.web.schema import TextFault, clean_line
from tests.services.story import NOBODY


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


def test_rows_that_are_there_unchanged_are_passed_over_and_counted(evening, send):
    """A club keeps one file, and imports it again with a row more; a row that differs is refused at its place."""
    file = "player,name,club\nM-1,Ana,Reds\nM-2,Ben,\n,Cy,\n"
    assert send(file).types == ["PlayerJoined"] * 3
    preview = evening.post("/players/csv?preview=true", f"{file}M-4,Dee,Blues\n".encode(), Content_Type="text/csv").body
    assert ([event["data"]["name"] for event in preview["events"]], preview["moves"]["unchanged"]) == (["Dee"], 3)
    assert send(f"{file}M-4,Dee,Blues\n").types == ["PlayerJoined"]
    assert send(f"{file}M-4,Dee,Blues\n").types == []
    refused = send("player,name,club\nM-1,Ana,Reds\nM-2,Ben,Greens\nM-5,Eli,\n")
    assert refused.status == 409
    assert {fault["where"].partition(",")[0] for fault in refused.body["errors"]} == {"row 3"}
    assert evening.names("active") == ["Ana", "Ben", "Cy", "Dee"]


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
        ("name,colour\nAna,red\n", ["row 1, column 2 (colour)"]),
        ("name,name\nAna,Ben\n", ["row 1, column 2 (name)"]),
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
    assert (answer.code, answer.places) == ("csv-refused", ["row 2"])


def test_conflicts_with_the_tournament_are_reported_with_their_row(evening, send):
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
    answer = send("name\n" + "\n".join(f"P{number}" for number in range(10_001)))
    assert (answer.code, answer.faults[0]["expected"]) == ("csv-refused", "at most 10000 players in one file")
    assert send(b"x" * 2_000_000).code == "too-large"


def test_the_column_player_becomes_the_external_id(evening, send):
    sent = send("player,name\nm-17,Ana\nm-18,Ben\n,Cy\n")
    assert sent.status == 201
    assert [evening.player(player)["external_id"] for player in ("p1", "p2", "p3")] == ["m-17", "m-18", ""]
    assert evening.state.entries.players["p2"].external_id == "m-18"
    found = evening.get("/players?external_id=M-18").body["items"]
    assert [player["name"] for player in found] == ["Ben"]
    assert evening.get("/players?external_id=m-19").body["items"] == []
    assert send("player\nm-20\n").status == 201
    shown = evening.player("p4")
    assert (shown["name"], shown["external_id"]) == ("m-20", "m-20")


def test_an_external_id_is_of_one_player(evening, send):
    assert evening.enter("Ana", external_id="m-17").status == 201
    taken = send("name,player\nBen,m-18\nCy,M-17\n")
    assert (taken.status, taken.code, taken.places) == (409, "external-id-taken", ["row 3, column 2 (player)"])
    twice = evening.post("/players/list", {"players": [{"name": n, "external_id": "m-18"} for n in ("Ben", "Cy")]})
    assert (twice.code, twice.places) == ("external-id-taken", ["/players/1/external_id"])
    assert evening.enter("Ben").status == 201
    assert evening.do("p2", "amendments", {"external_id": "m-17"}).code == "external-id-taken"
    assert evening.do("p2", "amendments", {"external_id": "m-18"}).types == ["PlayerAmended"]
    assert evening.player("p2")["external_id"] == "m-18"
    evening.do("p1", "withdrawal", {})
    assert evening.enter("Dee", external_id="m-17").status == 201


def test_a_waiting_player_keeps_the_external_id(announce):
    evening = announce(capacity=2)
    evening.post("/players/csv", b"player,name\nm-1,Ana\nm-2,Ben\nm-3,Cy\n", Content_Type="text/csv")
    waits = evening.player("p3")
    assert (waits["status"], waits["external_id"]) == ("waiting", "m-3")


def test_guests_cannot_set_an_external_id(announce):
    evening = announce(sign_up="open")
    assert evening.post("/sign-up", {"name": "Ana", "external_id": "m-1"}, by=NOBODY).places == ["/external_id"]


RISKY = ["=1+1", "+49", "-5", "-Ana", "@here", "'=quoted", "''=twice", "'Neill", "O'Brien", '=HYPERLINK(1,"a,b")']


def test_a_file_of_players_is_sent_for_csv_or_any_media_type(evening):
    evening.enter("Ana")
    for accepted in ("text/csv", "text/*", "*/*"):
        assert evening.get("/players/csv", Accept=accepted).status == 200
    assert evening.get("/players/csv", Accept="application/json").status == 406


def test_an_exported_file_has_no_formulas_and_imports_unchanged(announce):
    evening = announce()
    for number, name in enumerate(RISKY):
        assert evening.enter(name, club=f"={number}", external_id=f"@{number}").status == 201
    evening.enter("Gone")
    evening.do(f"p{len(RISKY) + 1}", "withdrawal", {})
    file = evening.get("/players/csv")
    assert file.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(file.text.decode(), newline="")))
    assert rows[0] == ["player", "name", "faction", "venue", "club"]
    assert [row[1] for row in rows[1:]] == [
        *("'=1+1", "'+49", "-5", "'-Ana", "'@here", "''=quoted", "'''=twice", "'Neill", "O'Brien"),
        '\'=HYPERLINK(1,"a,b")',
    ]
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@", "-A"))]
    assert [row[0] for row in rows[1:]] == [f"'@{number}" for number in range(len(RISKY))]
    there = announce()
    assert there.post("/players/csv", file.text, Content_Type="text/csv").status == 201
    shown = [(player["name"], player["club"], player["external_id"]) for player in there.get("/players").body["items"]]
    assert shown == [(name, f"={number}", f"@{number}") for number, name in enumerate(RISKY)]


def allowed(text: str) -> str:
    try:
        return clean_line(text, 100)
    except TextFault:
        return ""


name_texts = st.text(max_size=30) | st.tuples(st.text("'=+-@ ＝\"", max_size=4), st.text(max_size=9)).map("".join)


@given(st.lists(st.tuples(name_texts, name_texts, name_texts), min_size=1, max_size=5))
def test_any_name_that_is_allowed_survives_a_file(rows):
    rows = [tuple(map(allowed, row)) for row in rows]
    rows = [
        row
        for index, row in enumerate(rows)
        if row[0] and not any(is_same_name(row[0], one[0]) for one in rows[:index])
    ]
    rows = [
        (name, faction, id if not any(normalize_name(id) == normalize_name(one[2]) for one in rows[:index]) else "")
        for index, (name, faction, id) in enumerate(rows)
    ]
    if not rows:
        return
    players = [Player(f"p{n}", n, name, faction, external_id=id) for n, (name, faction, id) in enumerate(rows, 1)]
    read = read_entries(write_entries(players).encode()).players
    assert [(one.name, one.faction, one.external_id) for one in read] == rows
