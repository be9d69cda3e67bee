"""Round robins played whole over HTTP: the table goes on whoever leaves, files are paired alike, logs verified."""

from __future__ import annotations

import json
import shlex
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from muster.simulator.director import Director
from muster_client import Problem
from tests.console.in_process import client
from tests.fuzz.muster import Muster

Pairs = list[tuple[str, str]]


def announced(services: Muster, players: int, **more: Any) -> Director:
    """A round robin with so many players, none of them at a venue."""
    director = Director.announce(
        client(services, services.token("operator")), name="Club", ruleset="round-robin", **more
    )
    director.join({"name": f"Player {number}"} for number in range(1, players + 1))
    return director


def play(director: Director) -> Pairs:
    """One round from its pairing to its end; who met whom, who had a bye beside nobody."""
    number = director.pair()
    director.start(number)
    games = director.games(number)
    director.play(number, lambda game: {"points_1": 1, "points_2": number % 2})
    director.close(number)
    return [(game["player_1"], game["player_2"]) for game in games]


def paired_offline(run: Any, director: Director, folder: Path) -> Pairs:
    """The next round as `muster pair` makes it of the tournament's files."""
    files = folder / "players.csv", folder / "results.csv"
    written = run("tournament", "results", director.id, "--format", "csv", "--players", files[0], "--output", files[1])
    assert written.exit_code == 0, written.output
    _, _, *arguments = shlex.split(written.stderr.splitlines()[-1])
    told = run("pair", *arguments, "--format", "json")
    assert told.exit_code == 0, told.stderr
    return [(row["player_1"], row.get("player_2", "")) for row in json.loads(told.stdout)]


def verified(run: Any, director: Director, folder: Path) -> str:
    file = folder / "log.jsonl"
    assert run("export", director.id, "--output", file).exit_code == 0
    found = run("verify", file)
    assert found.exit_code == 0, found.output
    return found.output


def meetings(rounds: list[Pairs]) -> list[frozenset[str]]:
    return [frozenset(pair) for pairs in rounds for pair in pairs if pair[1]]


@pytest.mark.clause("RR-TAB-1", "RR-DBL-1", "RR-NUM-2", "RR-RND-1", "RR-DOC-1")
def test_a_double_round_robin_by_seed(run, services: Muster, tmp_path: Path) -> None:
    director = announced(services, 4, options={"cycles": "double", "numbers": "seeded"})
    rounds = [play(director)]
    for _ in range(5):
        due = paired_offline(run, director, tmp_path)
        rounds.append(play(director))
        assert rounds[-1] == due
    numbered = [[(int(one[1:]), int(two[1:])) for one, two in pairs] for pairs in rounds]
    assert numbered == [
        [(1, 4), (2, 3)],
        [(2, 4), (3, 1)],
        [(4, 3), (1, 2)],
        [(4, 1), (3, 2)],
        [(3, 4), (2, 1)],
        [(4, 2), (1, 3)],
    ]
    with pytest.raises(Problem) as beyond:
        director.pair()
    assert beyond.value.code == "all-rounds-played"
    director.do("scoring", "/conclusion", {})
    rows = {row["player"]: row["crosstable"] for row in director.standings()["items"]}
    assert rows["p1"] == {"p4": ["0.5", 0], "p3": [0, 1], "p2": ["0.5", "0.5"]}
    verified(run, director, tmp_path)


@pytest.mark.clause("RR-NUM-1", "RR-TAB-2", "RR-OUT-1", "RR-OUT-2", "RR-AMB-2")
def test_a_player_who_leaves_before_a_game_does_not_change_the_table(run, services: Muster, tmp_path: Path) -> None:
    director = announced(services, 7)
    rounds = [play(director)]
    (rested,) = [one for one, two in rounds[0] if not two]
    first = rounds[0][0]
    for gone in (rested, *first):
        director.do("registration", f"/players/{gone}/drop", {})
    for _ in range(6):
        due = paired_offline(run, director, tmp_path)
        rounds.append(play(director))
        assert rounds[-1] == due
    there = set(director.players) - {rested, *first}
    found = meetings(rounds)
    assert sorted(map(sorted, found)) == sorted([sorted(first), *map(sorted, combinations(there, 2))])
    director.do("scoring", "/conclusion", {})
    rows = {row["player"]: row for row in director.standings()["items"]}
    assert all(rows[player]["values"]["wins"] >= 4 for player in there)  # a bye of the table, and three who left
    assert {rows[player]["status"] for player in (rested, *first)} == {"dropped"}
    assert ": OK, " in verified(run, director, tmp_path)


@pytest.mark.clause("RR-TAB-1", "RR-TAB-2")
def test_each_venue_has_a_table_of_its_own(run, services: Muster, tmp_path: Path) -> None:
    director = announced(services, 0, pairing_scope="venue", rounds=5)
    at = {name: director.open_venue(name, 1) for name in ("Hall", "Library")}
    for name, venue in at.items():
        director.join({"name": f"{name} {number}", "venue": venue} for number in range(5))
    rounds = [play(director)]
    hall, library = set(list(director.players)[:5]), set(list(director.players)[5:])
    (rested,) = [one for one, two in rounds[0] if not two and one in library]
    director.do("registration", f"/players/{rested}/drop", {})
    rounds += [play(director) for _ in range(4)]
    groups = [*combinations(hall, 2), *combinations(library - {rested}, 2)]
    assert sorted(map(sorted, meetings(rounds))) == sorted(map(sorted, groups))
    verified(run, director, tmp_path)
