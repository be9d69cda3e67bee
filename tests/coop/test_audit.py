"""An exported co-op log: verified, replayed, and audited after changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.log.cloudevents import to_wire
from tests.auditing import changed, failures, logs_of
from tests.coop.story import CONDITION, Night, new_night
from tests.state.lost import closed_up, python_in, read, unnoticed, without_each


@pytest.fixture(scope="module")
def played(muster) -> Night:
    """Return two tables: one wins after drawing goals and cards, the other loses; published, and one corrected."""
    night = new_night(muster, 8)
    night.set_up("r1t1", goals=None)
    for _ in range(2):
        night.move({"move": "card_revealed"})
        night.move({"move": "enemies_activated"})
        if (
            night.ask("POST", "scoring", "/sessions/r1t1/moves", {"moves": [{"move": "opposing_activated"}]}).status
            < 400
        ):
            night.muster.copy(night.id)
        night.move({"move": "first_player_chosen", "player": night.here[0]})
    for goal in night.state["goals_open"]:
        if goal not in ("g11", "g12"):
            night.goal(goal)
    night.upgrades(6)
    for goal in night.state["goals_open"]:
        night.goal(goal)
    night.move({"move": "condition_met", "condition": CONDITION})
    night.confirm()
    night.set_up("r1t2")
    night.move_to(8)
    night.kill(night.here[0])
    night.confirm()
    night.do("pairing", "/session-rounds/1/close")
    night.do("scoring", "/session-rounds/1/ranking")
    told = {**night.state["told"], "kills": 0, "others": 9}
    night.do("scoring", "/sessions/r1t2/correction", {"told": told, "reason": "nobody was killed"})
    night.do("scoring", "/conclusion", {})
    return night


@pytest.mark.clause("AB-PWR-5", "AB-REP-4")
def test_event_log_passes_the_audit(played):
    assert failures(logs_of(played)) == []


@pytest.mark.clause("AB-PWR-5")
@pytest.mark.parametrize(
    ("source", "kind", "change"),
    [
        ("scoring", "PowerTokenAdvanced", lambda data: data.update(from_space=5)),
        ("scoring", "GoalCompleted", lambda data: data.update(extra=True)),
        ("scoring", "GoalCompleted", lambda data: data.update(goal="g05x")),
        ("scoring", "SessionLost", lambda data: data.update(session="r1t1")),
        ("scoring", "SessionCorrected", lambda data: data["told"].update(position=3)),
        ("scoring", "GoalsRevealed", lambda data: data["goals"].reverse()),
        ("scoring", "PowerTokenRetreated", lambda data: data.update(reason="mercy")),
        ("scoring", "PowerTokenAdvanced", lambda data: data.update(reason="fate")),
        ("scoring", "SessionConfirmed", lambda data: data.pop("ruling")),
        ("scoring", "GoalsRevealed", lambda data: data["goals"].pop()),
        ("scoring", "CoopRankingPublished", lambda data: data["tables"].reverse()),
        ("scoring", "CoopRankingPublished", lambda data: data["survivors"][0].update(points=9)),
        ("scoring", "TournamentConcluded", lambda data: data.update(winner="p1")),
        ("pairing", "TableSeated", lambda data: data["survivors"].reverse()),
        ("pairing", "SessionRoundOpened", lambda data: data.update(waiting=["p1"])),
        ("pairing", "SessionRoundOpened", lambda data: data.update(seed="f" * 64)),
        ("registration", "OperatorDataPinned", lambda data: data.update(version=2)),
        ("registration", "TournamentAnnounced", lambda data: data.update(rehearsal=False)),
    ],
)
def test_changed_computed_values_are_reported(played, source, kind, change):
    logs = logs_of(played)
    position = next(event.position for event in logs[source] if event.type == kind)
    found = failures(changed(logs, source, kind, change))
    assert any((one.code, one.source, one.position) == ("decision", source, position) for one in found), found


@pytest.mark.clause("AB-PWR-5")
def test_command_line_verifies_and_replays(played, tmp_path: Path):
    file = tmp_path / "night.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs_of(played).values() for event in log))
    verified = CliRunner().invoke(main, ["verify", str(file)])
    assert verified.exit_code == 0, verified.stderr
    assert ": OK, " in verified.stdout
    replayed = CliRunner().invoke(main, ["replay", str(file), "--format", "json"])
    rows = json.loads(replayed.stdout)
    assert [(row["rank"], row["session"], row["outcome"]) for row in rows] == [
        (1, "r1t1", "victory"),
        (2, "r1t2", "defeat"),
    ]
    assert rows[0]["survivors"][0].startswith("Survivor")
    assert CliRunner().invoke(main, ["replay", str(file), "--round", "1", "--format", "csv"]).stdout.startswith("rank,")
    assert CliRunner().invoke(main, ["replay", str(file), "--round", "2"]).exit_code == 2
    forged = changed(logs_of(played), "scoring", "PowerTokenAdvanced", lambda data: data.update(to_space=7))
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in forged.values() for event in log))
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 1


def test_unpublished_ranking_is_provisional(new, tmp_path: Path):
    night = new(3)
    night.set_up()
    night.move_to(9)
    night.confirm()
    file = tmp_path / "night.jsonl"
    file.write_bytes(b"".join(to_wire(event) + b"\n" for log in logs_of(night).values() for event in log))
    replayed = CliRunner().invoke(main, ["replay", str(file)])
    assert "provisional" in replayed.stderr
    assert "defeat" in replayed.stdout
    rows = json.loads(CliRunner().invoke(main, ["replay", str(file), "--format", "json"]).stdout)
    assert [row["provisional"] for row in rows] == [True]


def test_each_lost_event_is_reported_in_a_sentence(played):
    logs = logs_of(played)
    assert unnoticed(logs) == []
    for event, rest in without_each(logs):
        assert python_in(read(closed_up(event, rest))) == []
