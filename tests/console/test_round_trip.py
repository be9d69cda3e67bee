"""A tournament over HTTP, written as files: the offline commands make the same standings of them."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from muster.simulator import floor, simulation
from muster.simulator.director import Director
from shared.formats.packs import shipped, shipped_ruleset
from shared.swiss.rounds import number_of_rounds
from tests.console.in_process import client
from tests.console.playing import played
from tests.fuzz.muster import Muster

ARMADA, DUST, FACTIONS = "star-wars-armada-1.1", "dust-warfare-1.0", "fallout-factions-comp-1.0"


def from_files(run: Any, id: str, folder: Path, *asked: object) -> tuple[list[dict[str, Any]], str]:
    """The standings that the command makes which `tournament results` tells, and what that wrote as results.csv."""
    files = folder / "players.csv", folder / "results.csv"
    written = run("tournament", "results", id, "--format", "csv", "--players", files[0], "--output", files[1], *asked)
    assert written.exit_code == 0, written.output
    command, *arguments = shlex.split(written.stderr.splitlines()[-1])
    assert command == "muster"
    told = run(*arguments, "--format", "json")
    assert told.exit_code == 0, told.stderr
    return json.loads(told.stdout), files[1].read_text()


def over_http(services: Muster, id: str, **asked: object) -> list[dict[str, Any]]:
    """The standings as scoring shows them, in the form of the offline command."""
    found = client(services, services.token("operator")).plain.get("scoring", f"/tournaments/{id}/standings", **asked)
    return [
        {"rank": row["rank"], "player": row["player"], **row["values"], "tied": row["tied"]}
        | ({"crosstable": row["crosstable"]} if "crosstable" in row else {})
        | ({} if row["status"] == "active" else {"status": row["status"]})
        | ({"provisional": True} if found["provisional"] else {})
        for row in found["items"]
    ]


def values(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What everybody had; who left later is marked in the files, and who was sent away may not be in them."""
    said = ("rank", "player", "tied", "status")
    return {row["player"]: {name: row[name] for name in row if name not in said} for row in rows}


@pytest.mark.parametrize("players", [6, 9])
@pytest.mark.parametrize("id", list(shipped("swiss")))
def test_a_whole_tournament(run, services: Muster, tmp_path: Path, monkeypatch, id: str, players: int) -> None:
    monkeypatch.setattr(floor, "IN_A_HUNDRED", dict.fromkeys(floor.IN_A_HUNDRED, 10))
    monkeypatch.setattr(simulation, "LEAVING", 4)
    fixed = number_of_rounds(shipped_ruleset(id), players, shipped_ruleset(id).tiers[0].id)
    rounds = ["--rounds", 4] if fixed is None else []
    _, _, progress = played(run, tmp_path, "--ruleset", id, "--players", players, "--seed", players, *rounds)
    tournament = progress.partition(":")[0]
    assert from_files(run, tournament, tmp_path)[0] == over_http(services, tournament)
    earlier = from_files(run, tournament, tmp_path, "--round", 2)[0]
    assert values(earlier).items() <= values(over_http(services, tournament, round=2)).items()


@pytest.mark.clause("DW-AMB-12")
def test_a_tournament_with_a_cut(run, services: Muster, tmp_path: Path) -> None:
    plan = ("--option", "rounds_table=3-64:4:4:2")
    _, events, progress = played(run, tmp_path, "--ruleset", DUST, "--players", 9, "--seed", "cut", *plan)
    assert events["CutMade"]
    tournament = progress.partition(":")[0]
    assert from_files(run, tournament, tmp_path)[0] == over_http(services, tournament)


class Evening:
    """Four players of Fallout: Factions, one pairing after another, over HTTP."""

    def __init__(self, services: Muster) -> None:
        operator = client(services, services.token("operator"))
        body = {"ruleset": FACTIONS, "tier": "event", "rounds": 3, "options": {"reuse_draws": True}}
        self.told = Director.announce(operator, name="Coins", **body)
        self.told.join({"name": name} for name in ("Ana", "Ben", "Cy", "Dee"))
        for player in self.told.players:
            roster = shipped_ruleset(FACTIONS).roster.example
            self.told.does(player, "roster", {"roster": roster})
            self.told.do("registration", f"/players/{player}/roster/acceptance", {})

    def begin(self) -> list[dict[str, Any]]:
        number = self.told.pair(scenario="Melee")
        self.told.start(number)
        return self.told.games(number)


@pytest.mark.clause("FF-AMB-3")
def test_coins_absences_and_a_round_that_is_being_played(run, services: Muster, tmp_path: Path) -> None:
    evening = Evening(services)
    told = evening.told
    for game in evening.begin():
        told.report(game, {"points_1": 10, "points_2": 10})
    told.close(1)
    wanted = [row["player"] for row in told.standings(round=1)["items"]][::-1]
    told.do("scoring", "/rounds/1/coin", {"order": wanted, "reason": "a bottle cap"})
    first, second = evening.begin()
    no_show = {"kind": "no_show", "conceded_by": 2}
    told.do("scoring", f"/games/{first['id']}/ruling", {"facts": no_show, "reason": "nobody came"})
    shown, text = from_files(run, told.id, tmp_path)
    assert shown == over_http(services, told.id)
    assert all(row["provisional"] for row in shown)
    rows = list(csv.DictReader(text.splitlines()))
    coins = {row[f"player_{side}"]: int(row[f"coins_{side}"]) for row in rows if row["round"] == "1" for side in (1, 2)}
    assert sorted(coins, key=lambda player: -coins[player]) == wanted
    assert [row["kind"] for row in rows if row["round"] == "2"] == ["no_show", "game"]
    told.report(second, {"points_1": 20, "points_2": 5})
    told.close(2)
    assert from_files(run, told.id, tmp_path)[0] == over_http(services, told.id)
