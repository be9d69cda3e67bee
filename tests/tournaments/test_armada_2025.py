"""A real event, played over HTTP as its organiser would: 147 players, pairings entered by hand, 294 results."""

from __future__ import annotations

import csv
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from deploy.stack import Stack, operator
from muster.simulator.director import Director
from muster_client import Muster
from tests.console.in_process import client
from tests.fuzz.muster import Muster as Services
from tests.services.conftest import logging_as_it_was

DATA = Path(__file__).parents[1] / "data" / "armada-2025"
ROUNDS = 4


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a file of the event."""
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def facts_of(row: dict[str, str]) -> dict[str, Any]:
    """A row of results.csv as an organiser enters it."""
    if row["kind"] == "forfeit":
        return {"kind": "forfeit", "conceded_by": int(row["conceded_by"])}
    facts: dict[str, Any] = {"points_1": int(row["points_1"]), "points_2": int(row["points_2"])}
    if row["winner"]:
        facts["winner"] = int(row["winner"])
    return facts


def pairing_of(row: dict[str, str], ids: dict[str, str]) -> dict[str, Any]:
    """A row of results.csv as the pairing that the organiser enters by hand."""
    if row["kind"] == "bye":
        return {"player_1": ids[row["player_1"]]}
    return {"player_1": ids[row["player_1"]], "player_2": ids[row["player_2"]], "table": int(row["table"])}


def play(host: Muster) -> Director:
    """The whole event over HTTP: joined, paired by hand, reported, confirmed, closed, concluded."""
    director = Director.announce(host, name="Armada 2025", ruleset="star-wars-armada-400", tier="casual", rounds=ROUNDS)
    names = [row["player"] for row in rows("players.csv")]
    ids = dict(zip(names, director.join({"name": name} for name in names), strict=True))
    results = defaultdict(list)
    for row in rows("results.csv"):
        results[int(row["round"])].append(row)
    for number in range(1, ROUNDS + 1):
        playing = {row[side] for row in results[number] for side in ("player_1", "player_2")}
        director.pair(
            pairings=[pairing_of(row, ids) for row in results[number]],
            sitting_out=[ids[name] for name in names if name not in playing],
            reason="as played in 2025",
        )
        director.start(number)
        by_players = {frozenset((ids[row["player_1"]], ids.get(row["player_2"], ""))): row for row in results[number]}

        def report(game: dict[str, Any], by_players: dict[frozenset[str], dict[str, str]] = by_players) -> None:
            row = by_players[frozenset((game["player_1"], game["player_2"]))]
            place = director.path(f"/games/{game['id']}")
            if row["kind"] == "forfeit":
                director.organiser.plain.post("scoring", f"{place}/result", {"facts": facts_of(row)})
                return
            assert game["player_1"] == ids[row["player_1"]]
            director.players[game["player_1"]].plain.post("scoring", f"{place}/result", {"facts": facts_of(row)})
            director.players[game["player_2"]].plain.post("scoring", f"{place}/confirmation")

        with ThreadPoolExecutor(4) as phones:
            list(phones.map(report, [game for game in director.games(number) if game["kind"] != "bye"]))
        director.close(number)
    director.do("scoring", "/conclusion", {})
    return director


def check(director: Director) -> None:
    """The standings equal what the event recorded, for every player."""
    shown = director.standings()
    found = {
        row["name"]: (row["values"]["tournament_points"], row["values"]["margin_of_victory"]) for row in shown["items"]
    }
    expected = {
        row["player"]: (int(row["tournament_points"]), int(row["margin_of_victory"])) for row in rows("expected.csv")
    }
    assert len(expected) == 147
    assert found == expected
    assert shown["final"]


def test_the_real_event_on_the_embedded_engine(tmp_path: Path) -> None:
    """The services in this process: that phones reach them over a network is the other test's, whatever the engine."""
    with logging_as_it_was():
        services = Services(tmp_path)
        check(play(client(services, services.token("operator"))))
        for database in services.databases.values():
            database.close()


@pytest.mark.engine("postgresql")
@pytest.mark.engine("rabbitmq")
def test_the_real_event_on_postgresql_and_rabbitmq(shared_stack_on_servers: Stack) -> None:
    stack = shared_stack_on_servers
    check(play(operator(stack.urls, stack.issuer)))
