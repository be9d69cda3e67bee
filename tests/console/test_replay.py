"""`muster replay`: standings from the log alone, in the words of `muster standings`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muster.cli.main import main
from shared.log.cloudevents import to_wire
from shared.log.event import Recorded, canonical_json
from shared.swiss.ranking import recorded_standings
from tests.state.logs import Club, armada_night, rechained

COLUMNS = ["rank", "player", "tournament_points", "margin_of_victory", "strength_of_schedule", "tied"]


def replay(content: bytes, *more: str) -> Result:
    return CliRunner().invoke(main, ["replay", "-", *more], input=content)


@pytest.mark.parametrize("round", [1, 2, 3])
def test_json_in_rank_order_with_public_names(round):
    club = armada_night()
    told = replay(club.file(), "--round", str(round), "--format", "json")
    assert told.exit_code == 0
    assert told.stderr == ""
    rows = json.loads(told.stdout)
    recorded = recorded_standings(club.read("scoring").state, round)
    assert recorded is not None
    names = {id: name for name, id in club.ids.items()}
    assert [row["player"] for row in rows] == [names[row.player] for row in recorded.rows]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
    assert [list(row)[:6] for row in rows] == [COLUMNS] * 5
    assert all(isinstance(row[column], int) for row in rows for column in COLUMNS[2:5])
    assert [row.get("status") for row in rows].count("dropped") == (1 if round == 3 else 0)


def test_csv_and_table_say_the_same():
    content = armada_night().file()
    rows = json.loads(replay(content, "--format", "json").stdout)
    found = list(csv.DictReader(io.StringIO(replay(content, "--format", "csv").stdout)))
    assert [row["player"] for row in found] == [row["player"] for row in rows]
    assert [int(row["strength_of_schedule"]) for row in found] == [row["strength_of_schedule"] for row in rows]
    table = replay(content).stdout.splitlines()
    first = [rows[0][column] for column in COLUMNS[2:5]]
    assert table[1].split()[:5] == ["1", rows[0]["player"], *map(str, first)]
    assert [line.split()[-1] == "dropped" for line in table[1:]] == [row.get("status") == "dropped" for row in rows]


def test_fractions_are_decimal_strings():
    from shared.formats.options import apply_options
    from tests.state.logs import ARMADA

    club = Club("Ana", "Ben", "Cy", ruleset=apply_options(ARMADA, {"sos": "tome"}))
    for _ in range(3):
        club.play_round({"Ana": 290, "Ben": 120})
    rows = json.loads(replay(club.file(), "--format", "json").stdout)
    schedules = {row["strength_of_schedule"] for row in rows}
    assert any(isinstance(value, str) and "." in value for value in schedules)


def test_an_open_round_is_provisional_and_says_so():
    club = Club("Ana", "Ben", "Cy", "Dee")
    club.play_round({"Ana": 250}, close=False)
    told = replay(club.file(), "--format", "json")
    assert told.exit_code == 0
    rows = json.loads(told.stdout)
    assert rows[0]["player"] == "Ana"
    assert [row["provisional"] for row in rows] == [True] * 4
    assert "provisional" in told.stderr
    assert "provisional" not in replay(club.file(), "--format", "csv").stdout
    club.close(1)
    assert not any("provisional" in row for row in json.loads(replay(club.file(), "--format", "json").stdout))


def test_a_round_without_standings_is_bad_input():
    told = replay(armada_night().file(), "--round", "7")
    assert told.exit_code == 2
    assert told.stderr == "--round: 7, expected a round that is closed: 1, 2, 3\n"
    assert replay(armada_night().file(), "--round", "x").exit_code == 2


def lines(log: Sequence[Recorded]) -> bytes:
    return b"".join(to_wire(event) + b"\n" for event in log)


def test_an_unknown_format_has_no_standings():
    club = Club()
    first = json.loads(club.logs["registration"][0].data) | {"format": "ladder"}
    told = replay(lines(rechained(club.logs["registration"], {1: {"data": canonical_json(first)}})))
    assert told.exit_code == 2
    assert "ladder" in told.stderr
    assert replay(lines(armada_night().logs["scoring"])).exit_code in (1, 2)


def test_what_is_broken_is_not_replayed():
    content = armada_night().file()
    told = replay(content.replace(b'"points_1":180', b'"points_1":181').replace(b'"Ben"', b'"Bob"'))
    assert told.exit_code == 1
    assert told.stdout == ""
    assert told.stderr.startswith("registration 3 (t-club.registration.3): hash ")


def test_an_impossible_log_is_named():
    club = Club("Ana", "Ben")
    club.play_round()
    forged = rechained(club.logs["scoring"], {1: {"data": '{"facts":{"points_1":-5},"game":"r1g1","round":1}'}})
    logs = [*club.logs["registration"], *club.logs["pairing"], *forged]
    told = replay(b"".join(to_wire(event) + b"\n" for event in logs))
    assert told.exit_code == 1
    forged = rechained(club.logs["scoring"], {2: {"data": '{"game":"r9g9","round":1}'}})
    told = replay(
        b"".join(to_wire(event) + b"\n" for event in [*club.logs["registration"], *club.logs["pairing"], *forged])
    )
    assert told.exit_code == 1
    assert told.stderr.startswith("scoring 2 (t-club.scoring.2): ")


def test_it_writes_to_a_file(tmp_path: Path):
    told = replay(armada_night().file(), "--format", "json", "--output", str(tmp_path / "out.json"))
    assert told.stdout == ""
    assert len(json.loads((tmp_path / "out.json").read_text("utf-8"))) == 5
