"""An exported season log: verified, replayed, and audited after changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.log.cloudevents import to_wire
from tests.auditing import Logs, changed, failures, logs_of
from tests.season.story import LEAGUE, Season, new_season
from tests.state.lost import closed_up, python_in, read, unnoticed, without_each


@pytest.fixture(scope="module")
def played(muster) -> Season:
    """Return a league of two tournaments with claims, a merge, a split, a correction, divisions and a final."""
    season = new_season(muster, LEAGUE, options={"season.movers": 1, "season.final": 2, "season.after_end": "counts"})
    season.one = season.cup("Ana", "Ben", "Cy", "Dee", rounds=2, starts_on="2026-03-01", name="Spring cup")
    season.two = season.cup("Ana B", "Cy", "Ben", "Eve", rounds=2, starts_on="2026-10-01", name="Autumn cup")
    season.count(season.one, season.two)
    season.table()
    merge = {"player": season.player("Ana B"), "into": season.player("Ana"), "reason": "one person"}
    season.post("/merges", merge)
    season.post("/splits", {"player": merge["into"], "into": merge["player"], "reason": "two after all"})
    season.post("/merges", merge)
    names = ("Ana", "Ben", "Cy")
    season.post("/divisions", {"division": "First", "players": [season.player(name) for name in names]})
    season.table()
    season.one.loses("p1")
    season.table()
    rows = [row for row in season.table()["items"] if row["division"] == "First"]
    season.do("scoring", "/conclusion", {})
    season.post("/cut", {"named": []}, service="scoring")
    invited = season.ask("GET", "scoring", "/season/final").body["items"]
    season.post(f"/final/{invited[0]['player']}/acceptance", service="scoring")
    season.post(f"/final/{invited[1]['player']}/decline", {}, service="scoring")
    assert len(rows) == 3
    season.two.loses("p1")
    season.table()
    return season


@pytest.fixture(scope="module")
def logs(played) -> Logs:
    return logs_of(played)


def test_season_log_passes_the_audit(logs):
    assert failures(logs) == []


@pytest.mark.parametrize(
    ("source", "kind", "change"),
    [
        ("scoring", "SeasonStandingsRecorded", lambda data: data["rows"][0].update(points=999)),
        ("scoring", "SeasonStandingsRecorded", lambda data: data["rows"].reverse()),
        ("scoring", "SeasonStandingsRecorded", lambda data: data["rows"].pop()),
        ("scoring", "SeasonStandingsRecorded", lambda data: data.update(number=9)),
        ("scoring", "SeasonStandingsRecorded", lambda data: data.update(registration=1)),
        (
            "scoring",
            "SeasonStandingsRecorded",
            lambda data: data["rows"][0]["rating"].update(rating="2400.00"),
        ),
        ("scoring", "SeasonResultsTaken", lambda data: data["rows"][0].update(place=4)),
        ("scoring", "SeasonResultsTaken", lambda data: data["rows"][-1]["games"][0].update(outcome="win")),
        ("scoring", "SeasonResultsTaken", lambda data: data["rows"].append(data["rows"][0])),
        ("scoring", "SeasonResultsTaken", lambda data: data.update(tournament="t-elsewhere")),
        ("scoring", "SeasonResultsTaken", lambda data: data.update(told=True)),
        ("scoring", "DivisionsDecided", lambda data: data["moves"].pop()),
        ("scoring", "DivisionsDecided", lambda data: data["moves"][0].update(reason="inactive")),
        ("scoring", "FinalCutMade", lambda data: data["invited"].reverse()),
        ("scoring", "FinalCutMade", lambda data: data.update(standings=1)),
        ("scoring", "InvitationDeclined", lambda data: data.update(replaced_by="")),
        ("scoring", "TournamentConcluded", lambda data: data.update(winner="p4")),
        ("scoring", "TournamentConcluded", lambda data: data.update(rounds=7)),
        ("registration", "EntryClaimed", lambda data: data.update(entry="p2")),
        ("registration", "EntryClaimed", lambda data: data.update(player="p77")),
        ("registration", "IdentitiesMerged", lambda data: data.update(entries=[])),
        ("registration", "IdentitiesMerged", lambda data: data.update(into="p2")),
        ("registration", "IdentitySplit", lambda data: data.update(player="p2")),
        ("registration", "TournamentGathered", lambda data: data.update(played_on="2027-01-01")),
        ("registration", "DivisionEntered", lambda data: data["players"].pop()),
    ],
)
def test_changes_are_reported(logs, source, kind, change):
    found = failures(changed(logs, source, kind, change))
    assert {failure.code for failure in found} & {"decision", "command", "fold"}, found


def test_the_command_line_verifies_and_replays_a_season(played, logs, tmp_path: Path):
    file = tmp_path / "season.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs.values() for event in log))
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert verified.exit_code == 0, verified.output
    assert ": OK, " in verified.output
    replayed = CliRunner().invoke(main, ["replay", str(file), "--format", "json"])
    assert replayed.exit_code == 0, replayed.output
    rows = json.loads(replayed.output)
    shown = played.table()["items"]
    result = [(row["rank"], row["player"], row["points"], row["rating"]) for row in rows]
    assert result == [(row["rank"], row["name"], row["points"], row["rating"]["rating"]) for row in shown]
    first = CliRunner().invoke(main, ["replay", str(file), "--round", "1", "--format", "csv"])
    assert first.exit_code == 0, first.output
    assert first.output.splitlines()[0].startswith("rank,division,player,points")
    earlier = played.ask("GET", "scoring", "/season/standings?number=1").body
    assert [line.split(",")[2] for line in first.output.splitlines()[1:]] == [row["name"] for row in earlier["items"]]
    table = CliRunner().invoke(main, ["replay", str(file)])
    assert table.exit_code == 0
    assert "Ana" in table.output
    missing = CliRunner().invoke(main, ["replay", str(file), "--round", "99"])
    assert missing.exit_code == 2
    assert played.ask("GET", "scoring", "/season/standings?number=99").code == "standings-unknown"


def test_a_changed_result_fails_the_command_line(logs, tmp_path: Path):
    spoilt = changed(logs, "scoring", "SeasonResultsTaken", lambda data: data["rows"][0].update(place=3))
    file = tmp_path / "season.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in spoilt.values() for event in log))
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 1
    assert "TakeResults: SeasonStandingsRecorded with rows" in result.output


def test_each_lost_event_is_reported_in_a_sentence(logs):
    assert unnoticed(logs) == []
    for event, rest in without_each(logs):
        assert python_in(read(closed_up(event, rest))) == []
