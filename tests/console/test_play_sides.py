"""`muster play` for campaigns whose games are of three and more groups: played to the end, and verified. FS-RND-5."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from muster.simulator import campaign, campaign_games
from muster.simulator.campaign import drawn_from_a_hat
from muster.simulator.campaign_games import lines_held
from shared.campaign.tables import Rules
from tests.campaign.story import rules
from tests.console.in_process import client
from tests.console.playing import played
from tests.fuzz.muster import Muster

SKIRMISH = "fallout-skirmish"
THREE = ["--option", "fs.pairing.odd=game_of_three"]
BY_HAND = [*THREE, "--option", "fs.pairing.method=manual"]


@pytest.mark.clause("FS-RND-5")
def test_an_odd_field_has_no_bye(run, services: Muster, tmp_path: Path) -> None:
    arguments = ["--players", 5, "--rounds", 2, "--seed", "x", *THREE]
    rows, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments)
    assert len(rows) == 6
    assert events["RoundClosed"] == 2
    assert "round 1: 2 games (1 of more than two)" in progress
    assert "bye" not in progress
    tournament = progress.partition(":")[0]
    asked = client(services, services.token("operator"))
    first = asked.plain.get("pairing", f"/tournaments/{tournament}/rounds/1")["pairings"]
    assert sorted(len(one.get("sides", ())) for one in first) == [0, 3]
    told = run("tournament", "pairings", tournament, "--round", 1, "--format", "csv")
    assert told.exit_code == 0, told.output
    sides = [[one["name"] for one in side] for game in first for side in game.get("sides", ())]
    assert " against ".join(name for side in sides for name in side) in told.stdout


@pytest.mark.clause("FS-RND-5")
@pytest.mark.parametrize("what", [*campaign_games.PERCENT])
def test_two_against_two_and_three_at_a_table_whatever_becomes_of_it(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(campaign, "ALLIED", 100)
    monkeypatch.setattr(campaign_games, "IN_A_HUNDRED", {what: 100})
    arguments = ["--players", 7, "--rounds", 1, "--seed", what, *BY_HAND]
    _, events, progress = played(run, tmp_path, "--ruleset", SKIRMISH, *arguments)
    assert "2 games (2 of more than two)" in progress
    assert f" {what}" in progress
    assert events["RoundClosed"] == 1


@pytest.mark.clause("FS-RND-5")
@pytest.mark.parametrize("odd", ["bye", "game_of_three"])
@pytest.mark.parametrize("players", range(2, 12))
def test_each_player_is_drawn_once(odd: str, players: int) -> None:
    found: Counter[int] = Counter()
    playing = [f"p{number}" for number in range(players)]
    for seed in range(20):
        drawn = drawn_from_a_hat(rules(pairing__odd=odd), playing, Random(seed))
        games = [[one for side in game["sides"] for one in side] if "sides" in game else
                 [one for one in (game["player_1"], game["player_2"]) if one] for game in drawn]  # fmt: skip
        assert sorted(one for game in games for one in game) == sorted(playing)
        found.update(map(len, games))
    assert (found[1] > 0) == (players % 2 == 1 and odd == "bye")
    assert (found[3] > 0) == (players % 2 == 1 and odd == "game_of_three")
    assert (found[4] > 0) == (players > 5 or players == 4 or (players == 5 and odd == "bye"))


SIDES: list[Any] = [[["A"], ["B"]], [["A", "B"], ["C", "D"]], [["A"], ["B", "C"]], [["A"], ["B"], ["C"]]]


@pytest.mark.clause("FS-GAM-6")
@pytest.mark.parametrize("told", [rules(), rules(vp__line_numbering="absolute")])
@pytest.mark.parametrize("sides", SIDES)
def test_each_marker_of_a_simulated_game_has_one_controller(told: Rules, sides: list[list[str]]) -> None:
    mirrored = len(sides) == 2 and told.options.line_numbering == "own_side"
    for seed in range(50):
        lines = lines_held(told, sides, Random(seed))
        markers = [6 - line if mirrored and group in sides[1] else line for group in lines for line in lines[group]]
        assert len(markers) == len({*markers}) <= 5
        assert {*lines} == {group for side in sides for group in side}
