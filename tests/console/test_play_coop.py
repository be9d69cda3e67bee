"""`muster play` of co-operative events: through services in this process, exported and verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from muster.simulator import coop
from muster.simulator.coop import made_up_data
from shared.formats.packs import shipped_ruleset
from tests.console.in_process import client
from tests.console.playing import played, settings, together
from tests.fuzz.muster import Muster

BONDS = "atomic-bonds"
OPTIONS = shipped_ruleset(BONDS).options


def tables_of(services: Muster, progress: str, round: int) -> list[dict[str, Any]]:
    """The ranking of a round's tables as scoring shows it."""
    path = f"/tournaments/{progress.partition(':')[0]}/ranking"
    shown: dict[str, Any] = client(services, services.token("operator")).plain.get("scoring", path, round=round)
    return list(shown["tables"])


def test_an_event_of_two_sessions(run, services: Muster, tmp_path: Path) -> None:
    rows, events, progress = played(run, tmp_path, "--ruleset", BONDS, "--players", 14, "--seed", "x")
    assert len(rows) == 14 + 1  # somebody comes late; whoever left keeps the sessions that they played
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    assert {*rows[0]} == {"rank", "player", "points", "victories", "rounds", "goals"}
    assert events["SessionRoundOpened"] == events["SessionRoundClosed"] == progress.count("\nround ") == 2
    assert events["SessionStarted"] == events["TableSeated"]
    assert events["PartyFormed"] >= 1
    assert events["PlayerCheckedIn"] == 14
    assert events["TournamentConcluded"] == 1
    assert {"PowerTokenAdvanced", "GoalCompleted", "ActivationCardRevealed"} <= {*events}
    assert ", a rehearsal" in progress
    assert all(row["outcome"] for row in tables_of(services, progress, 2))


def test_twenty_tables(run, tmp_path: Path) -> None:
    """Sixty are played by tests/coop/test_sixty_tables.py."""
    rows, events, progress = played(run, tmp_path, "--ruleset", BONDS, "--players", 80, "--rounds", 1, "--seed", 60)
    assert len(rows) == 80
    assert events["TableSeated"] == 20
    assert {"SessionWon", "SessionLost", "SessionLeftUnfinished"} <= {*events}
    assert "round 1: 20 tables" in progress


def test_tables_that_report_their_session_as_a_whole(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coop, "IN_A_HUNDRED", dict.fromkeys(coop.IN_A_HUNDRED, 100) | {"ruled": 0})
    arguments = ["--ruleset", BONDS, "--players", 24, "--option", "ab.report.detail=summary", "--seed", 3]
    _, events, _ = played(run, tmp_path, *arguments)
    assert events["SessionReported"] > events["TableSeated"]  # some of them twice
    assert events["SessionCorrected"] == events["TableSeated"]
    assert not events["RoundEnded"]


@pytest.mark.parametrize("outcome", list(coop.SHARES))
def test_every_outcome_that_is_reported(run, services, tmp_path: Path, monkeypatch, outcome: str) -> None:
    monkeypatch.setattr(coop, "SHARES", {outcome: 1})
    arguments = ["--ruleset", BONDS, "--players", 12, "--rounds", 1, "--option", "ab.report.detail=summary"]
    _, _, progress = played(run, tmp_path, *arguments)
    assert {row["outcome"] for row in tables_of(services, progress, 1)} == {outcome}


@pytest.mark.parametrize("number", range(max(len(settings(option)) for option in OPTIONS)))
def test_every_value_of_every_option(run, tmp_path: Path, number: int) -> None:
    chosen = together(shipped_ruleset(BONDS), number)
    chosen["ab.report.detail"] = "steps"  # reports as a whole are above; by them nothing else would be met
    given = [word for key, value in chosen.items() for word in ("--option", f"{key}={value}")]
    rows, events, _ = played(run, tmp_path, "--ruleset", BONDS, "--players", 9, "--seed", number, *given)
    assert len(rows) == 10
    assert events["RoundEnded"]


def test_several_venues_seated_apart(run, services: Muster, tmp_path: Path) -> None:
    arguments = ["--ruleset", BONDS, "--players", 15, "--venues", 3, "--by-venue", "--rounds", 1]
    _, events, progress = played(run, tmp_path, *arguments)
    assert events["VenueOpened"] == 3
    asked = client(services, services.token("operator"))
    path = f"/tournaments/{progress.partition(':')[0]}"
    home = {player["id"]: player["venue"] for player in asked.plain.items("registration", f"{path}/players")}
    (round,) = asked.plain.get("pairing", f"{path}/session-rounds")["items"]
    assert {table["venue"] for table in round["tables"]} == {"v1", "v2", "v3"}
    assert all(home[survivor] == table["venue"] for table in round["tables"] for survivor in table["survivors"])


def test_data_of_ones_own_make_an_event_that_counts(run, services: Muster, tmp_path: Path) -> None:
    data = made_up_data(3) | {"placeholder": False, "activation_cards": []}
    (tmp_path / "game.json").write_text(json.dumps(data))
    arguments = ["--ruleset", BONDS, "--players", 7, "--rounds", 1, "--operator-data", tmp_path / "game.json"]
    _, events, progress = played(run, tmp_path, *arguments)
    assert "rehearsal" not in progress
    assert events["TableSeated"] == 3
    path = f"/tournaments/{progress.partition(':')[0]}"
    assert not client(services, services.token("operator")).plain.get("registration", path)["rehearsal"]


def test_the_seed_makes_who_comes_with_whom(run, tmp_path: Path) -> None:
    def came(seed: str) -> list[list[str]]:
        told = run("play", "--ruleset", BONDS, "--players", 16, "--rounds", 1, "--seed", seed, "--format", "csv")
        id = told.stderr.partition(":")[0]
        assert run("export", id, "--output", tmp_path / id).exit_code == 0
        said = [json.loads(line) for line in (tmp_path / id).read_text().splitlines()]
        return [event["data"]["players"] for event in said if event["type"].endswith("PartyFormed")]

    assert came("a") == came("a") != came("b")


@pytest.mark.parametrize(
    ("change", "arguments", "line"),
    [
        (None, ["--tier", "grand"], "--tier: unknown tier 'grand', expected one of event"),
        (None, ["--option", "ab.end.tie=never"], "--option ab.end.tie: never, expected "),
        (None, ["--operator-data", "none.yaml"], "none.yaml: no such file or directory"),
        ({"goal_cards": [{"card_id": "g1", "condition_key": "k"}]}, [], "{file}:1:/goal_cards: 1, expected 12 cards"),
        ({"table": {"survivors_min": 9, "survivors_max": 9}}, [], "--players: 8, expected 9 or more"),
        ({}, ["--option", "ab.data.mutation_cards=3"], "--operator-data: 4 survivors at a table, expected 3 at most"),
    ],
)
def test_an_impossible_event_is_refused_before_anything_is_announced(
    run, services: Muster, tmp_path: Path, change: Any, arguments: list[str], line: str
) -> None:
    before, file = services.length, tmp_path / "game.json"
    if change is not None:
        file.write_text(json.dumps(made_up_data(4) | change))
        arguments = [*arguments, "--operator-data", str(file)]
    told = run("play", "--ruleset", BONDS, *arguments)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith(line.format(file=file)), told.stderr
    assert services.length == before


def test_the_ranking_is_asked_for_again(run, services: Muster) -> None:
    played = run("play", "--ruleset", BONDS, "--players", 9, "--seed", 2)
    id = played.stderr.partition(":")[0]
    table = run("tournament", "ranking", id, "--round", 2).stdout
    assert table in played.stdout
    assert "Tables of round 2 (final)" in table
    assert "(AB-RNK-" in table
    first = run("tournament", "ranking", id, "--round", 1, "--format", "csv").stdout.splitlines()
    assert first[0] == "rank,player,points,victories,rounds,goals"
    assert len(first) == 1 + 9
    assert run("tournament", "ranking", id, "--round", 3).exit_code == 2
    armada = run("play", "--ruleset", "star-wars-armada-1.1", "--players", 4, "--rounds", 1).stderr.partition(":")[0]
    refused = run("tournament", "ranking", armada)
    assert refused.exit_code == 2
    assert refused.stderr.startswith("The tournament is of another format: ")


def test_operator_data_are_of_co_operative_events_alone(run, services: Muster) -> None:
    before = services.length
    told = run("play", "--ruleset", "dust-warfare-1.0", "--operator-data", "game.yaml")
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith("--operator-data: of a tournament of the format swiss")
    assert services.length == before
