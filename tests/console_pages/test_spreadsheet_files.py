"""Files as spreadsheets write them: taken, or refused at the same places, offline, over HTTP and on the console."""

from __future__ import annotations

import io
import json
import re

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from tests.console_pages.conftest import Browser

ARMADA = "star-wars-armada-1.1"
RESULTS = "round;table;kind;player_1;player_2;points_1;points_2\r\n1;1;game;p1;p2;150;40\r\n"
TAKEN = {
    "German Excel": "\ufeffplayer;name;club\r\np1;Müller;TSV Köln\r\np2;Ana;SC\r\n",
    "tabs, as they are pasted": "player\tname\tclub\np1\tMüller\tTSV Köln\np2\tAna\tSC\n",
    "strokes": "player|name|club\np1|Müller|TSV Köln\np2|Ana|SC\n",
    "capitals": "Player,NAME, Club \np1,Müller,TSV Köln\np2,Ana,SC\n",
    "columns at the end without a name": "player,name,club,,,\np1,Müller,TSV Köln,,,\np2,Ana,SC,,,\n,,,,,\n\n",
    "a column in between without a name": "player,,name,club\np1,,Müller,TSV Köln\np2,,Ana,SC\n",
    "empty cells behind a row": "player,name,club\np1,Müller,TSV Köln,,\np2,Ana,SC\n",
    "empty rows at the end": "player,name,club\np1,Müller,TSV Köln\np2,Ana,SC\n,,\n,,\n",
    "Excel says the separator": "sep=;\r\nplayer;name;club\r\np1;Müller;TSV Köln\r\np2;Ana;SC\r\n",
    "empty rows above": ";;\n\nplayer;name;club\np1;Müller;TSV Köln\np2;Ana;SC\n",
    "quotes": '"player";"name";"club"\n"p1";"Müller";"TSV Köln"\n"p2";"Ana";"SC"\n',
    "line ends of an old Mac": "player,name,club\rp1,Müller,TSV Köln\rp2,Ana,SC\r",
}
PLAYERS = (("Player", "Name", "Club"), ("p1", "Müller", "TSV Köln"), ("p2", "Ana", "SC"))


def saved(separator: str, encoding: str, end: str = "\r\n") -> bytes:
    """The players as a program saves them."""
    return "".join(separator.join(row) + end for row in PLAYERS).encode(encoding)


UNICODE_TEXT, OLD_EXCEL = "Read as UTF-16", "Read as Windows-1252"
SAVED = {
    "Excel, German, CSV UTF-8": (saved(";", "utf-8-sig"), ""),
    "Excel, French, CSV UTF-8": (saved(";", "utf-8-sig"), ""),
    "Excel, English, CSV UTF-8": (saved(",", "utf-8-sig"), ""),
    "Excel, German, CSV": (saved(";", "cp1252"), OLD_EXCEL),
    "Excel, English, CSV": (saved(",", "cp1252"), OLD_EXCEL),
    "Excel, Unicode Text": (saved("\t", "utf-16-le").join([b"\xff\xfe", b""]), UNICODE_TEXT),
    "big-endian UTF-16": (saved("\t", "utf-16-be").join([b"\xfe\xff", b""]), UNICODE_TEXT),
    "LibreOffice": (saved(",", "utf-8", "\n"), ""),
    "Numbers": (saved(";", "utf-8"), ""),
    "Google Sheets, CSV": (saved(",", "utf-8"), ""),
    "Google Sheets, TSV": (saved("\t", "utf-8"), ""),
}
"""Program and setting -> file, and the note about its encoding."""
TWO = "2 values, one for each column"
UTF_8 = "a file in UTF-8: save it as CSV UTF-8"
HEADER = "a first row of columns: player, name, faction, venue, club"
REFUSED = {
    "Windows-1252": ("player,name\np1,Müller\n".encode("cp1252"), [("2", "", "0xFC", UTF_8)]),
    "UTF-8 with a mark, then another": (
        b"\xef\xbb\xbfplayer,name\r\np1,Ana\r\np2,M\xfcller\r\n",
        [("3", "", "0xFC", UTF_8)],
    ),
    "UTF-16": ("player\tname\np1\tMüller\n".encode("utf-16"), [("1", "", "0xFF", UTF_8)]),
    "a workbook": (b"PK\x03\x04\x14\x00\x06\x00", [("1", "", "0x00", UTF_8)]),
    "a title above": (b"Our players\nplayer,name\np1,Ana\n", [("1", "", "Our players", HEADER)]),
    "a value too many": (
        b'player,name\np1,"Smith, Ana"\np2,"Ben ""The Rock"" Lee",x\n',
        [("3", "", "3", TWO)],
    ),
    "a value too few": (b"player;name\np1\n", [("2", "", "1", TWO)]),
    "a value in a column without a name": (
        b"player,,name\np1,x,Ana\n",
        [("2", "2", "x", "a name at the top of this column")],
    ),
    "a column twice": (b"player,Player\np1,p2\n", [("1", "player", "player", "each column once")]),
    "the columns again": (
        b"player;name\np1;Ana\nPlayer;Name\n",
        [("3", "", "Player,Name", "the row of columns once, at the top")],
    ),
    "a quote that does not end": (
        b'player,name\np1,"Ana\np2,Ben\n',
        [("2", "", 'p1,"Ana', "CSV with quotes in pairs")],
    ),
}
ON_THE_CONSOLE = {
    "Windows-1252": "1 player to add",
    "UTF-8 with a mark, then another": "Row 3 cannot be read as text. Save the file as “CSV UTF-8”.",
    "UTF-16": "1 player to add",
    "a workbook": "This is a workbook.",
}
"""What the console, which knows the encodings of spreadsheets, says of files that are not UTF-8."""
WHERE = re.compile(r"row (\d+)(?:, column (\d+)(?: \((\w+)\))?)?")


def offline(tmp_path, monkeypatch, players: bytes):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "players.csv").write_bytes(players)
    (tmp_path / "results.csv").write_text(RESULTS, "utf-8-sig")
    files = ["--players", "players.csv", "--results", "results.csv"]
    return CliRunner().invoke(main, ["standings", "--ruleset", ARMADA, *files, "--format", "json", "--names"])


def online(services, evening, players: bytes):
    address, token = f"/tournaments/{evening.id}/players/csv?preview=true", services.token("operator")
    return services.ask("POST", "registration", address, players, token, Content_Type="text/csv")


@pytest.fixture(scope="module")
def evening(services):
    return services.announce()


@pytest.mark.parametrize("name", TAKEN)
def test_a_file_is_taken_as_a_spreadsheet_saves_it(services, evening, organiser: Browser, tmp_path, monkeypatch, name):
    content = TAKEN[name].encode()
    done = offline(tmp_path, monkeypatch, content)
    assert done.exit_code == 0, done.stderr
    assert [(row["player"], row["name"]) for row in json.loads(done.stdout)] == [("p1", "Müller"), ("p2", "Ana")]
    entered = [event["data"] for event in online(services, evening, content).body["events"]]
    assert [(one["name"], one["club"], one["external_id"]) for one in entered] == [
        ("Müller", "TSV Köln", "p1"),
        ("Ana", "SC", "p2"),
    ]
    for given in ({"file": (io.BytesIO(content), "players.csv")}, {"text": TAKEN[name].removeprefix("\ufeff")}):
        organiser.open(f"/events/{evening.id}/players/import")
        assert organiser.send(**given, do="preview").status_code == 200
        assert organiser.shows("2 players to add", "Müller", "TSV Köln", "Ana", "SC")


@pytest.mark.parametrize("name", SAVED)
def test_the_console_takes_the_file_of_each_program(evening, organiser, name):
    content, note = SAVED[name]
    organiser.open(f"/events/{evening.id}/players/import")
    assert organiser.send(file=(io.BytesIO(content), "players.csv"), do="preview").status_code == 200
    assert organiser.shows(note, "2 players to add", "Müller", "TSV Köln", "Ana", "SC")
    assert note or not organiser.shows("Read as")


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_is_refused_at_the_same_place_everywhere(services, evening, organiser, tmp_path, monkeypatch, name):
    content, faults = REFUSED[name]
    done = offline(tmp_path, monkeypatch, content)
    assert done.exit_code == 2
    columns = "player, name, faction, venue, club"
    told = done.stderr.replace(f"{columns}, status, dropped_after", columns).splitlines()
    assert [line for line in told if line.startswith("players.csv")] == [
        f"players.csv:{row}:{column}: {said}, expected {expected}" for row, column, said, expected in faults
    ]
    refused = online(services, evening, content)
    assert (refused.status, refused.code) == (422, "csv-refused")
    found = [(WHERE.fullmatch(one["where"]), one["said"], one["expected"]) for one in refused.body["errors"]]
    assert [(at[1], at[3] or at[2] or "", said, expected) for at, said, expected in found] == faults
    organiser.open(f"/events/{evening.id}/players/import")
    status = organiser.send(file=(io.BytesIO(content), "players.csv"), do="preview").status_code
    if name in ON_THE_CONSOLE:
        assert organiser.shows(ON_THE_CONSOLE[name]), organiser.page
        return
    assert status == 422
    for _row, *_, expected in faults:
        assert organiser.shows(expected), organiser.page


def test_rows_behind_a_cell_of_two_lines_have_the_number_of_their_line(services, evening, tmp_path, monkeypatch):
    content = b'player,name\np1,Ana\np2,Ben\np3,"Cy\nDe"\np4,Dee,x\n'
    assert f"players.csv:6:: 3, expected {TWO}" in offline(tmp_path, monkeypatch, content).stderr
    found = {one["where"]: one["expected"] for one in online(services, evening, content).body["errors"]}
    assert found == {
        "row 4, column 2 (name)": "a name of 1 to 100 characters on one line; it has a line break",
        "row 6": TWO,
    }
