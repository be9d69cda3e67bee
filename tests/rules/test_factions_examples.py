"""The worked examples of Fallout: Factions, passed to `muster standings` and `muster pair` as files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from muster.cli.main import main
from shared.rules.model import draw_order
from tests.rules.factions import EXAMPLES

STORIES = ["FF-EX-1", "FF-EX-2", "FF-EX-3", "FF-EX-4", "FF-EX-5", "FF-EX-6"]
HEADER = "round,kind,player_1,player_2,points_1,points_2,scenario,conceded_by,extra"
GAME = re.compile(r"(\w+) (\d+)-(\d+) (\w+)(?: conceded (\d))?")


def seed_of(story: Mapping[str, Any]) -> str:
    """Return a seed whose draws give tied players the order of the story."""
    wanted = [(round, example["draw"]) for round, example in story["rounds"].items() if "draw" in example]
    return next(
        f"seed {number}"
        for number in count()
        if all(draw_order(f"seed {number}", "standings", round, order) == order for round, order in wanted)
    )


def rows_of(round: int, example: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rows of results.csv for a round of a story."""
    tokens = example.get("tokens", {})
    for kind, games in (
        ("game", example.get("games", [])),
        ("spare", [example["spare"]] if "spare" in example else []),
    ):
        for text in games:
            one, points_1, points_2, two, conceded = GAME.fullmatch(text).groups()
            extra = " ".join(f"search_tokens_{side}={tokens[name]}" for side, name in ((1, one), (2, two)) if tokens)
            scenario = example["scenario"]
            yield f"{round},{kind},{one},{two},{points_1},{points_2},{scenario},{conceded or ''},{extra}"
    if "bye" in example and "scenario" in example:
        yield f"{round},bye,{example['bye']},,,,,,"


class Table:
    """A story at the command line, after some of its rounds."""

    def __init__(self, story: Mapping[str, Any], folder: Path, after: int, options: Mapping[str, Any] = {}) -> None:
        played = {round: example for round, example in story["rounds"].items() if round <= after}
        out = {player for example in played.values() for player in example.get("disqualified", [])}
        left = {player: round for round, example in played.items() for player in example.get("dropped", [])}
        players = ["player,status,dropped_after"]
        for name in story["players"]:
            status = "disqualified" if name in out else "dropped" if name in left else ""
            players.append(f"{name},{status},{left.get(name, '')}")
        results = [HEADER, *(row for round, example in played.items() for row in rows_of(round, example))]
        self.files = {"players": folder / "players.csv", "results": folder / "results.csv"}
        self.files["players"].write_text("\n".join(players) + "\n", "utf-8")
        self.files["results"].write_text("\n".join(results) + "\n", "utf-8")
        self.more = ["--seed", seed_of(story)]
        for key, value in options.items():
            self.more += ["--option", f"{key}={str(value).lower()}"]

    def ask(self, command: str, *more: str) -> list[dict[str, Any]]:
        files = [word for name, path in self.files.items() for word in (f"--{name}", str(path))]
        ruleset = ["--ruleset", "fallout-factions-comp-1.0", "--format", "json"]
        result = CliRunner().invoke(main, [command, *ruleset, *files, *self.more, *more])
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout)

    def standings(self) -> list[str]:
        columns = ("tournament_points", "scenario_points", "wins")
        return [f"{row['player']} " + "/".join(str(row[name]) for name in columns) for row in self.ask("standings")]

    def pairs(self, *more: str) -> dict[str, Any]:
        """Return the pairings in order, the bye, and the opponent of the spare player."""
        found: dict[str, Any] = {"pairs": []}
        for row in self.ask("pair", *more):
            if row["kind"] == "game":
                found["pairs"].append(f"{row['player_1']}-{row['player_2']}")
            else:
                found["bye" if row["kind"] == "bye" else "meets"] = row["player_1"]
        return found


@pytest.mark.clause("FF-EX-1", "FF-EX-2", "FF-EX-3", "FF-EX-4", "FF-EX-5", "FF-EX-6")
@pytest.mark.clause("FF-TB-1", "FF-TB-2", "FF-TB-3", "FF-TB-4", "FF-RES-1", "FF-RES-2", "FF-RES-3")
@pytest.mark.clause("FF-BYE-1", "FF-BYE-2", "FF-BYE-3", "FF-DQ-3", "FF-DROP-1", "FF-AMB-2", "FF-AMB-3", "FF-AMB-13")
@pytest.mark.clause("FF-AMB-14", "FF-SPARE-1", "FF-AMB-12")
@pytest.mark.parametrize("id", STORIES)
def test_standings(id: str, tmp_path: Path) -> None:
    story = EXAMPLES[id]
    for round, example in story["rounds"].items():
        if "standings" in example:
            table = Table(story, tmp_path, round)
            assert table.standings() == example["standings"]
            drawn = {row["player"] for row in table.ask("standings") if row["tied"]}
            assert drawn == set(example.get("draw", []))


@pytest.mark.clause("FF-EX-1", "FF-EX-2", "FF-EX-3", "FF-EX-4", "FF-EX-5", "FF-EX-6")
@pytest.mark.clause("FF-PAIR-3", "FF-PAIR-4", "FF-PAIR-5", "FF-PAIR-6", "FF-AMB-10", "FF-SPARE-2", "FF-AMB-12")
@pytest.mark.parametrize("id", STORIES)
def test_pairings(id: str, tmp_path: Path) -> None:
    story = EXAMPLES[id]
    for round, example in story["rounds"].items():
        if "pairs" in example:
            spare = ["--spare", "Spare"] if "meets" in example else []
            found = Table(story, tmp_path, round - 1).pairs(*spare)
            assert found == {key: example[key] for key in ("pairs", "bye", "meets") if key in example}


WITH = [(id, case) for id in STORIES for case in EXAMPLES[id].get("with", [])]


@pytest.mark.clause("FF-EX-3", "FF-EX-4", "FF-EX-5", "FF-EX-6", "FF-AMB-1", "FF-AMB-2", "FF-AMB-4", "FF-SPARE-3")
@pytest.mark.parametrize(("id", "case"), WITH, ids=[f"{id} {case['options']}" for id, case in WITH])
def test_the_options_of_the_examples(id: str, case: dict[str, Any], tmp_path: Path) -> None:
    if "after" in case:
        table = Table(EXAMPLES[id], tmp_path, case["after"], case["options"])
        if "standings" in case:
            assert table.standings() == case["standings"]
        if "order" in case:
            rows = table.ask("standings")
            assert [row["player"] for row in rows] == case["order"]
            assert [row["player"] for row in rows if row["tied"]] == case["drawn"]
    if "before" in case:
        table = Table(EXAMPLES[id], tmp_path, case["before"] - 1, case["options"])
        assert table.pairs() == {key: case[key] for key in ("pairs", "bye", "meets") if key in case}


@pytest.mark.clause("FF-EX-9", "FF-AMB-3", "FF-PAIR-1", "FF-PAIR-2", "FF-TB-4")
@pytest.mark.parametrize(("seed", "purpose", "round", "group", "order", "digits"), EXAMPLES["FF-EX-9"])
def test_recorded_draws(seed: str, purpose: str, round: int, group: list[str], order: list[str], digits: str) -> None:
    from hashlib import sha256

    assert draw_order(seed, purpose, round, reversed(group)) == order
    assert sha256(f"{seed}|{purpose}|{round}|{order[0]}".encode()).hexdigest()[:12] == digits


@pytest.mark.clause("FF-EX-9", "FF-PAIR-1", "FF-PAIR-2")
def test_the_drawn_first_round(tmp_path: Path) -> None:
    table = Table({"players": ["p1", "p2", "p3", "p4", "p5"], "rounds": {}}, tmp_path, 0)
    table.more = ["--seed", "FF-2025-001"]
    assert table.pairs() == {"pairs": ["p3-p1", "p5-p2"], "bye": "p4"}
    assert table.pairs("--spare", "Sam") == {"pairs": ["p3-p1", "p5-p2"], "meets": "p4"}
