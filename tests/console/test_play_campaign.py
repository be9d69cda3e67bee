"""`muster play` for campaigns: whole leagues played to their end by clients of the guided sequence, and verified."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import convert

from muster.simulator import campaign, campaign_games
from muster.simulator.campaign_games import legal_list
from shared.campaign.group import Submission, faults_of_submission
from shared.campaign.ruleset import CampaignRuleset
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from tests.console.in_process import client
from tests.console.playing import played, settings
from tests.fuzz.muster import Muster

SKIRMISH = "fallout-skirmish"
ROUNDS = "fs.campaign.rounds"
RULESET = shipped_ruleset(SKIRMISH)
assert isinstance(RULESET, CampaignRuleset)
RULES = RULESET.rules

WORDS = {"fs.league.points": ["win:4,draw:2,loss:1"], "fs.league.tiebreaks": ["head_to_head,total_vp"]}
"""Values of options whose kind names none."""

OTHERS = {
    option.key: [value for value in WORDS.get(option.key) or settings(option) if value != option.default]
    for option in RULESET.options
    if option.key != ROUNDS
}
"""Option -> its values beside the default."""


def test_a_small_league(run, tmp_path: Path) -> None:
    arguments = ["--players", 4, "--rounds", 2, "--seed", "x"]
    rows, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments)
    assert len(rows) == 4 + 1  # somebody comes late; whoever gives up keeps the place
    assert {*rows[0]} >= {"rank", "player", "league_points", "group_rating", "total_vp"}
    assert events["RoundPaired"] == events["RoundClosed"] == progress.count("\nround ") == 2
    assert events["GroupAccepted"] == events["GroupEntered"] == 5
    assert events["TournamentConcluded"] == 1
    expected = {"RosterMustered", "ObjectiveRolled", "GameEnded", "ExperienceAwarded", "UpkeepPaid", "DieRolled"}
    assert expected <= {*events}
    assert events["RecruitPoolRolled"] == 2


@pytest.mark.clause("FS-GRP-1", "FS-GRP-6", "FS-GRP-7", "FS-GRP-8")
@pytest.mark.parametrize("seed", range(40))
def test_groups_are_legal_and_worth_their_caps(seed: int) -> None:
    told = convert(legal_list(RULES, Random(seed)), Submission)
    assert faults_of_submission(RULES, told) == []
    assert len(told.members) >= 2


@pytest.mark.parametrize("number", range(max(map(len, OTHERS.values()))))
def test_every_other_value_of_every_option(run, tmp_path: Path, number: int) -> None:
    chosen = {key: values[number % len(values)] for key, values in OTHERS.items()}
    given = [word for key, value in chosen.items() for word in ("--option", f"{key}={value}")]
    arguments = ["--players", 6, "--rounds", 2, "--seed", number]
    rows, events, _ = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments, *given)
    assert len(rows) == 7
    assert events["RoundClosed"] == 2
    assert {*chosen} == {*apply_options(RULESET, chosen).chosen}


@pytest.mark.parametrize(
    ("what", "stands"),
    [
        ("absent", {"ResultReported"}),
        ("conceded", {"ResultReported", "ResultConfirmed"}),
        ("disputed", {"ResultReported", "ResultDisputed", "ResultRuled"}),
        ("voided", {"ResultReported", "ResultConfirmed", "ResultVoided", "GroupRestored"}),
        ("on paper", {"ResultReported"}),
    ],
)
def test_everything_that_may_become_of_a_game(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, stands: set[str]
) -> None:
    monkeypatch.setattr(campaign_games, "IN_A_HUNDRED", {what: 100})
    _, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, "--players", 6, "--rounds", 1)
    assert f" {what}" in progress
    assert stands <= {type for type in events if type.startswith(("Result", "GroupRestored"))}


def test_players_who_give_up_and_players_who_are_away(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "LEAVING", 20)
    monkeypatch.setattr(campaign, "AWAY", 50)
    arguments = ["--players", 9, "--rounds", 3, "--seed", 3]
    rows, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments)
    assert "gave up" in progress
    assert "away" in progress
    gone = events["PlayerDropped"] + events["PlayerWithdrawn"]
    assert gone == sum(row.get("status") == "dropped" for row in rows) >= 1
    assert events["RoundClosed"] == 3


def test_several_venues_paired_apart(run, services: Muster, tmp_path: Path) -> None:
    arguments = ["--players", 7, "--venues", 2, "--by-venue", "--rounds", 1]
    _, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments)
    assert events["VenueOpened"] == 2
    asked = client(services, services.token("operator"))
    path = f"/tournaments/{progress.partition(':')[0]}"
    home = {player["id"]: player["venue"] for player in asked.plain.items("registration", f"{path}/players")}
    games = [game for game in asked.plain.items("scoring", f"{path}/games", round=1) if game["kind"] == "game"]
    assert len(games) == 3
    assert all(home[game["player_1"]] == home[game["player_2"]] == game["venue"] for game in games)


@pytest.mark.clause("FS-AMB-54")
@pytest.mark.parametrize("option", ["eliminated", "new_group_500"])
def test_groups_that_lose_all_members(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    monkeypatch.setattr(campaign_games, "IN_A_HUNDRED", {**campaign_games.IN_A_HUNDRED, "downed": 97})
    monkeypatch.setattr(campaign_games, "DOWNED", ("radiation", "terrain"))
    monkeypatch.setattr(campaign_games, "MOST", 0)  # a slave who is freed is somebody
    monkeypatch.setattr(campaign_games, "IN_A_HUNDRED", {})
    monkeypatch.setattr(campaign, "LEAVING", 0)
    # Who dies follows from dice that no seed moves: there are rounds enough for all but one group, whatever they show.
    rounds = 12 if option == "eliminated" else 4
    arguments = ["--players", 6, "--rounds", rounds, "--seed", 1, "--option", f"fs.group.wiped_out={option}"]
    rows, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments)
    assert len(rows) == 7
    if option == "eliminated":
        assert "it ends after round" in progress
        assert events["RoundClosed"] < rounds
        assert events["GroupEntered"] <= 7
    else:
        assert "new groups" in progress
        assert events["RoundClosed"] == 4
        assert events["GroupEntered"] > 7


@pytest.mark.clause("FS-AUD-1", "FS-DICE-1")
@pytest.mark.parametrize(("share", "source"), [(100, "table"), (0, "service")])
def test_dice_of_the_table_and_of_the_service(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int, source: str
) -> None:
    for module in (campaign, campaign_games):
        monkeypatch.setattr(module, "AT_TABLE", share)
    *_, progress = played(run, tmp_path, "--ruleset", SKIRMISH, "--players", 4, "--rounds", 1, "--seed", 2)
    lines = (tmp_path / f"{progress.partition(':')[0]}.jsonl").read_text().splitlines()
    rolls = [event["data"] for event in map(json.loads, lines) if event["type"].endswith("DieRolled")]
    chosen = [roll for roll in rolls if roll["cause"] in ("objective", "roll_injury", "scavenge", "roll_advancement")]
    assert {roll.get("source", "table") for roll in chosen} == {source}
    seen = [(roll["rolled_by"], roll["witnessed_by"]) for roll in chosen if source == "table"]
    assert all(roller and witness and roller != witness for roller, witness in seen)


def test_the_seed_makes_the_groups(run, tmp_path: Path) -> None:
    def handed_in(seed: str) -> list[Any]:
        told = run("play", "--ruleset", SKIRMISH, "--players", 4, "--rounds", 1, "--seed", seed, "--format", "csv")
        id = told.stderr.partition(":")[0]
        assert run("export", id, "--output", tmp_path / id).exit_code == 0
        said = [json.loads(line) for line in (tmp_path / id).read_text().splitlines()]
        groups = [event["data"]["accepted"] for event in said if event["type"].endswith("GroupAccepted")]
        return sorted(str((group["force"], group["members"], group.get("items"))) for group in groups)

    assert handed_in("a") == handed_in("a") != handed_in("b")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--players", 3, "--venues", 2], "--players: 3, expected 4 or more, two at each venue (FS-RND-1)"),
        (["--operator-data", "game.yaml"], "--operator-data: of a tournament of the format campaign"),
        (["--rounds", 3, "--option", f"{ROUNDS}=4"], f"--rounds: 3, and 4 by --option {ROUNDS}, expected the same"),
        (["--option", "fs.turf.gain=never"], "--option fs.turf.gain: never, expected "),
    ],
)
def test_an_impossible_event_is_refused_before_anything_is_announced(
    run, services: Muster, arguments: list[Any], line: str
) -> None:
    before = services.length
    told = run("play", "--ruleset", SKIRMISH, *arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith(line), told.stderr
    assert services.length == before
