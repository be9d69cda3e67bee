"""`muster play`: whole tournaments of every ruleset, through services in this process, exported and verified."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from muster.simulator import floor, simulation
from shared.formats.options import apply_options
from shared.formats.packs import load, shipped, shipped_ruleset, shipped_text
from shared.swiss.rounds import number_of_rounds
from shared.swiss.ruleset import Ruleset
from tests.console.in_process import client
from tests.console.playing import played, settings, together
from tests.fuzz.muster import Muster

ARMADA, DUST, FACTIONS = "star-wars-armada-1.1", "dust-warfare-1.0", "fallout-factions-comp-1.0"
EXAMPLES = sorted((Path(__file__).parents[2] / "docs/examples").glob("*.yaml"))


def rounds_asked(ruleset: Ruleset, players: int, tier: str = "", rounds: int = 2) -> list[object]:
    """The option that says how many rounds, where the ruleset leaves it to the organiser."""
    return ["--rounds", rounds] if number_of_rounds(ruleset, players, tier or ruleset.tiers[0].id) is None else []


def listed(ruleset: Ruleset, entered: int, events: Counter[str]) -> int:
    """How many stand in the standings in the end; who leaves depends on who met whom, which is drawn anew each time."""
    dropped = 0 if ruleset.drop.listed else events["PlayerDropped"]
    removed = events["PlayerDisqualified"] if ruleset.disqualification.listed == "removed" else 0
    return entered - dropped - removed


@pytest.mark.parametrize(
    ("id", "tier"), [(id, tier.id) for id in shipped("swiss") for tier in shipped_ruleset(id).tiers]
)  # fmt: skip
def test_every_ruleset_at_every_tier(run, tmp_path: Path, id: str, tier: str) -> None:
    ruleset: Any = shipped_ruleset(id)
    asked = rounds_asked(ruleset, 7, tier)
    rows, events, progress = played(
        run, tmp_path, "--ruleset", id, "--tier", tier, "--players", 7, "--seed", tier, *asked
    )
    ranks = [row["rank"] for row in rows]
    assert len(ranks) == listed(ruleset, 7, events)
    assert ranks == [1 + sum(rank < other for rank in ranks) for other in ranks]
    assert len(set(ranks)) == len(ranks) or ruleset.standings.unresolved == "shared"
    assert events["RosterAccepted"] == (7 if ruleset.roster.example else 0)
    assert events["PlayerCheckedIn"] == 7
    assert events["RoundClosed"] == events["RoundPaired"] == progress.count("\nround ") >= 2
    assert events["TournamentConcluded"] == 1


EVERY_VALUE = [
    pytest.param(id, together(ruleset, number), id=f"{id}-{number}")
    for id in shipped("swiss")
    for ruleset in [shipped_ruleset(id)]
    for number in range(max(len(settings(option)) for option in ruleset.options))
]


@pytest.mark.parametrize(("id", "chosen"), EVERY_VALUE)
def test_every_value_of_every_option(run, tmp_path: Path, id: str, chosen: dict[str, str]) -> None:
    ruleset = apply_options(shipped_ruleset(id), chosen)
    given = [word for key, value in chosen.items() for word in ("--option", f"{key}={value}")]
    rows, events, _ = played(
        run, tmp_path, "--ruleset", id, "--players", 5, "--seed", 1, *given, *rounds_asked(ruleset, 5)
    )
    assert len(rows) == listed(ruleset, 5 + (chosen.get("late_entry") == "zero_points"), events)
    assert events["CutMade"] == chosen.get("rounds_table", "").endswith(":4:2")
    assert set(ruleset.chosen) == set(chosen)


def test_several_venues_paired_apart(run, tmp_path: Path, services: Muster) -> None:
    arguments = ["--players", 11, "--venues", 3, "--by-venue", "--tier", "competitive"]
    _, events, progress = played(run, tmp_path, "--ruleset", ARMADA, *arguments)
    assert events["VenueOpened"] == 3
    assert "11 players at 3 venues" in progress
    asked = client(services, services.token("operator"))
    path = f"/tournaments/{progress.partition(':')[0]}"
    home = {player["id"]: player["venue"] for player in asked.plain.items("registration", f"{path}/players")}
    games = [game for game in asked.plain.items("scoring", f"{path}/games", round=1) if game["kind"] == "game"]
    assert len(games) == 5
    assert all(home[game["player_1"]] == home[game["player_2"]] == game["venue"] for game in games)


@pytest.mark.parametrize("id", [ARMADA, DUST, FACTIONS])
@pytest.mark.parametrize(
    ("what", "stands"),
    [
        ("absent", {"ResultReported", "ResultConfirmed"}),
        ("forfeited", {"ResultReported", "ResultConfirmed"}),
        ("conceded", {"ResultReported", "ResultConfirmed"}),
        ("disputed", {"ResultReported", "ResultDisputed", "ResultRuled", "RulingAppealed", "AppealRejected"}),
        ("on paper", {"ResultReported", "ResultConfirmed"}),
    ],
)
def test_everything_that_may_become_of_a_game(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, id: str, what: str, stands: set[str]
) -> None:
    monkeypatch.setattr(floor, "IN_A_HUNDRED", {what: 100})
    monkeypatch.setattr(floor, "APPEALS", 100)
    asked = rounds_asked(shipped_ruleset(id), 4, rounds=1)
    _, events, progress = played(run, tmp_path, "--ruleset", id, "--players", 4, *asked)
    assert f"round 1: 2 games, 2 {what}" in progress
    if id == DUST:  # whose organiser rules, and has the last word
        stands = stands - {"RulingAppealed", "AppealRejected"}
    assert {type for type in events if type.startswith(("Result", "Ruling", "Appeal"))} == stands


def test_players_who_leave_and_one_who_is_sent_away(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "LEAVING", 10)
    monkeypatch.setattr(simulation, "DISQUALIFIED", 100)
    _, events, progress = played(
        run, tmp_path, "--ruleset", ARMADA, "--tier", "premier", "--players", 16, "--seed", 2
    )  # fmt: skip
    assert events["PlayerDropped"] >= 1
    assert events["PlayerDisqualified"] >= 1
    assert "1 disqualified" in progress
    assert events["PlayerDropped"] + events["PlayerDisqualified"] <= 4


def test_a_spare_player_instead_of_a_bye(run, tmp_path: Path) -> None:
    seed = next(seed for seed in range(99) if Random(f"{seed}/spare").random() < 0.5)
    arguments = ["--players", 5, "--rounds", 1, "--seed", seed]
    _, events, progress = played(run, tmp_path, "--ruleset", FACTIONS, *arguments)
    assert events["SpareAvailable"] == 1
    assert "round 1: 3 games" in progress
    assert "bye" not in progress


def test_the_seed_makes_the_players_and_what_they_bring(run, tmp_path: Path) -> None:
    def brought(seed: str) -> list[object]:
        told = run("play", "--ruleset", ARMADA, "--players", 6, "--rounds", 1, "--seed", seed, "--format", "csv")
        id = told.stderr.partition(":")[0]
        assert run("export", id, "--output", tmp_path / id).exit_code == 0
        said = [json.loads(line) for line in (tmp_path / id).read_text().splitlines()]
        found = [event["data"] for event in said if event["type"].endswith("PlayerJoined")]
        opened = [event["data"]["rosters"] for event in said if event["type"].endswith("RostersOpened")]
        found += [roster for rosters in opened for roster in rosters]
        return sorted((data["player"], data.get("name", ""), str(data.get("roster"))) for data in found)

    assert brought("a") == brought("a") != brought("b")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_pack_of_ones_own(run, tmp_path: Path, file: Path) -> None:
    ruleset = load(file.read_text("utf-8"), file.name)
    rows, *_ = played(run, tmp_path, "--pack", file, "--players", 6, "--seed", 4, *rounds_asked(ruleset, 6))
    assert len(rows) >= 6


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "neither or both of --ruleset and --pack, expected one of them"),
        (["--ruleset", "none"], "--ruleset: none"),
        (["--ruleset", ARMADA], "--rounds: nothing, expected a number: for 8 players the organiser says how many"),
        (["--ruleset", ARMADA, "--tier", "grand"], "--tier: unknown tier 'grand', expected one of casual, competitive"),
        (["--ruleset", DUST, "--option", "ap_limit=500"], "--option ap_limit: 500, expected to be set with"),
        (["--ruleset", DUST, "--option", "ap_limit"], "--option: 'ap_limit', expected KEY=VALUE"),
    ],
)
def test_an_impossible_event_is_refused_before_anything_is_announced(
    run, services: Muster, arguments: list[str], line: str
) -> None:
    before = services.length
    told = run("play", *arguments)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith(line)
    assert services.length == before


def test_a_pack_that_demands_a_list_and_shows_none(run, tmp_path: Path) -> None:
    text = shipped_text(DUST)
    start, end = text.index("  example:"), text.index("result:\n")
    (tmp_path / "own.yaml").write_text(text[:start] + text[end:])
    told = run("play", "--pack", tmp_path / "own.yaml")
    assert told.exit_code == 2
    said = "no `roster.example`, and a list is due at the tier event, expected a legal roster in the pack (DW-REG-3)"
    assert told.stderr == f"{DUST}: {said}\n"


def test_fewer_players_than_a_ruleset_is_for(run) -> None:
    told = run("play", "--pack", EXAMPLES[-1], "--players", 2)
    assert told.exit_code == 2
    assert told.stderr.startswith("--players: 2 players, at least 4 are needed")
