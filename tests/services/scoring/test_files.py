"""Standings and results as CSV, and compressed answers."""

from __future__ import annotations

import csv
import gzip
import io

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.tournament.registration import PlayerAmended
from tests.services.scoring.story import Floor, score


@pytest.fixture
def played(evening) -> Floor:
    """Round 1 of five players without ties."""
    evening.play(1, (138, 105), (200, 0))
    return evening


def rows(answer) -> list[dict[str, str]]:
    assert answer.status == 200, answer
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text.decode(), newline="")))


def test_standings_csv_has_the_columns_of_the_command_line(played):
    found = rows(played.get("/standings", Accept="text/csv"))
    assert list(found[0]) == [
        "rank",
        "player",
        "tournament_points",
        "margin_of_victory",
        "strength_of_schedule",
        "tied",
        "status",
        "name",
    ]
    shown = played.get("/standings").body["items"]
    assert [(row["rank"], row["player"], row["name"]) for row in found] == [
        (str(row["rank"]), row["player"], row["name"]) for row in shown
    ]
    assert {row["tied"] for row in found} <= {"true", "false"}


def test_exported_files_give_the_same_standings_offline(played, tmp_path):
    results = played.get("/games?round=all", Accept="text/csv")
    assert {row["kind"] for row in rows(results)} == {"game", "bye"}
    (tmp_path / "results.csv").write_bytes(results.text)
    players = ["player"] + [row["player"] for row in rows(played.get("/standings", Accept="text/csv"))]
    (tmp_path / "players.csv").write_text("\n".join(players) + "\n")
    words = ["standings", "--ruleset", "star-wars-armada-1.1", "--format", "csv"]
    files = ["--players", str(tmp_path / "players.csv"), "--results", str(tmp_path / "results.csv")]
    made = CliRunner().invoke(main, [*words, *files])
    assert made.exit_code == 0, made.output
    offline = list(csv.DictReader(io.StringIO(made.stdout)))
    online = rows(played.get("/standings", Accept="text/csv"))
    assert offline == [{name: value for name, value in row.items() if name != "name"} for row in online]


def test_names_that_look_like_formulas_are_escaped(played):
    played.say("registration", PlayerAmended(player="p1", name="=SUM(A1:A9)"))
    found = {row["player"]: row["name"] for row in rows(played.get("/standings", Accept="text/csv"))}
    assert found["p1"] == "'=SUM(A1:A9)"


def test_csv_is_complete_unless_a_limit_is_given(open_floor):
    told = open_floor(8)
    told.begin(1, ("p1", "p2"), ("p3", "p4"), ("p5", "p6"), ("p7", "p8"))
    assert len(rows(told.get("/games", Accept="text/csv"))) == 4
    first = told.get("/games?limit=3", Accept="text/csv")
    assert len(rows(first)) == 3
    address = first.headers["Link"].partition(">")[0].partition("/games")[2]
    assert [row["player_1"] for row in rows(told.get(f"/games{address}", Accept="text/csv"))] == ["p7"]
    page = told.get("/standings?limit=3", Accept="text/csv")
    assert (len(rows(page)), "Link" in page.headers) == (3, True)


def test_csv_has_its_own_etag(played):
    json, file = played.get("/standings"), played.get("/standings", Accept="text/csv")
    assert file.headers["ETag"] == '"csv/' + json.headers["ETag"][1:]
    assert played.get("/standings", Accept="text/csv", If_None_Match=file.headers["ETag"]).status == 304
    assert played.get("/standings", Accept="text/csv", If_None_Match=json.headers["ETag"]).status == 200
    assert "Accept" in file.headers["Vary"].split(", ")
    assert "Accept" in json.headers["Vary"].split(", ")


def test_other_media_types_are_refused(played):
    answer = played.get("/standings", Accept="text/html")
    assert (answer.status, answer.data["types"]) == (406, ["application/json", "text/csv"])


def test_gzip_has_its_own_etag_for_the_same_version(played):
    address, zipped = f"/tournaments/{played.id}/standings", {"Accept-Encoding": "gzip"}
    plain = played.club.client.get(address)
    small = played.club.client.get(address, headers=zipped)
    assert gzip.decompress(small.data) == plain.data
    assert small.headers["ETag"] == '"gzip/' + plain.headers["ETag"][1:]
    for sent, accepted in ((small, zipped), (plain, zipped), (plain, {})):
        tag = sent.headers["ETag"]
        again = played.club.client.get(address, headers={"If-None-Match": tag, **accepted})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert played.correct("r1g1", score(105, 138), If_Match=small.headers["ETag"]).status == 201
