"""The worked examples of Dust Warfare and Armada as a user meets them: files in, standings and pairings out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from muster.cli.main import main
from shared.rules.model import draw_order

FOLDER = Path(__file__).parents[1] / "rules" / "data"
EXAMPLES: dict[str, Any] = {
    id: example
    for name in ("adjacent_examples", "dust_examples", "armada_examples")
    for id, example in yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8")).items()
}
DUST, ARMADA = "dust-warfare-1.0", "star-wars-armada-1.1"
HEADER = "round,kind,player_1,player_2,winner,points_1,points_2,conceded_by"
DUST_STORIES = ["DW-EX-2", "DW-EX-4", "DW-EX-5", "DW-EX-6", "DW-EX-9"]
ARMADA_STORIES = ["AR-EX-5", "AR-EX-6", "AR-EX-7"]


def dust_row(round: int, text: str) -> str:
    """A row of results from `Ana > Ben 140-60`, `Eli bye` or `Ana forfeit Ben 299` (the points of Ben's list)."""
    one, how, *rest = text.split()
    if how == "bye":
        return f"{round},bye,{one},,,,,"
    if how == "forfeit":
        return f"{round},forfeit,{one},{rest[0]},1,{int(rest[1]) // 2},,2"
    points_1, points_2 = re.findall(r"\d+", rest[1])
    return f"{round},game,{one},{rest[0]},{ {'>': '1', '<': '2', '=': 'draw'}[how] },{points_1},{points_2},"


def armada_row(row: list[Any]) -> str:
    """A row of results from a game of the example tables."""
    if len(row) == 2:
        return f"{row[0]},bye,{row[1]},,,,,"
    round, one, two, points_1, points_2, _, end, winner = row[:8]
    conceded = "2" if end == "concession" else ""
    return f"{round},game,{one},{two},{[one, two].index(winner) + 1},{points_1},{points_2},{conceded}"


def rows_of(id: str) -> Iterator[tuple[int, str]]:
    """The rows of results.csv of an example, each with its round."""
    games = EXAMPLES[id]["games"]
    if isinstance(games, dict):
        yield from ((round, dust_row(round, text)) for round, texts in games.items() for text in texts)
    else:
        yield from ((row[0], armada_row(row)) for row in games)


def players_of(id: str, after: int) -> str:
    """players.csv of an example as it is after a round."""
    example = EXAMPLES[id]
    names = {name for _, row in rows_of(id) for name in row.split(",")[2:4] if name}
    lines = ["player,status,dropped_after"]
    for name in sorted(names | set(example.get("players", []))):
        if after >= example.get("disqualified", {}).get(name, 99):
            lines.append(f"{name},disqualified,")
        elif after >= example.get("dropped", {}).get(name, 99):
            lines.append(f"{name},dropped,{example['dropped'][name]}")
        else:
            lines.append(f"{name},,")
    return "\n".join(lines) + "\n"


def muster(folder: Path, command: str, id: str, after: int, *more: str) -> list[dict[str, Any]]:
    """What a command says of an example after a round."""
    (folder / "players.csv").write_text(players_of(id, after), "utf-8")
    rows = [row for round, row in rows_of(id) if round <= after]
    (folder / "results.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    files = ["--players", str(folder / "players.csv"), "--results", str(folder / "results.csv")]
    ruleset = DUST if id.startswith("DW") else ARMADA
    result = CliRunner().invoke(main, [command, "--ruleset", ruleset, *files, "--format", "json", *more])
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def seed_where(purpose: str, round: int, order: list[str]) -> str:
    """A seed whose recorded draw gives this order: draws are inputs of the examples."""
    return next(seed for seed in map(str, range(1000)) if draw_order(seed, purpose, round, order) == order)


def short(row: dict[str, Any]) -> str:
    values = [str(value) for name, value in row.items() if name not in ("rank", "player", "tied", "status")]
    return f"{row['player']} " + "/".join(values)


@pytest.mark.clause("DW-EX-2", "DW-EX-4", "DW-EX-5", "DW-EX-6", "DW-EX-9", "DW-TB-1", "DW-AMB-9")
@pytest.mark.clause("AR-EX-5", "AR-EX-6", "AR-EX-7", "AR-TB-1", "AR-TB-2", "AR-TB-3")
@pytest.mark.parametrize("id", [*DUST_STORIES, *ARMADA_STORIES])
def test_standings(id: str, tmp_path: Path) -> None:
    for round, expected in EXAMPLES[id]["rounds"].items():
        if "standings" not in expected:
            continue
        seed = seed_where("standings", round, expected["draw"]) if "draw" in expected else "any"
        rows = muster(tmp_path, "standings", id, round, "--seed", seed)
        assert [short(row) for row in rows] == expected["standings"]
        assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
        assert sorted(row["player"] for row in rows if row["tied"]) == sorted(expected.get("draw", []))


@pytest.mark.clause("DW-EX-2", "DW-EX-4", "DW-EX-5", "DW-EX-6", "DW-EX-9", "DW-PAIR-3", "DW-PAIR-4", "DW-PAIR-5")
@pytest.mark.clause("DW-AMB-8")
@pytest.mark.parametrize("id", DUST_STORIES)
def test_pairings_of_dust(id: str, tmp_path: Path) -> None:
    rounds = EXAMPLES[id]["rounds"]
    for round, expected in rounds.items():
        if "pairs" not in expected:
            continue
        before = rounds[round - 1]
        seed = seed_where("standings", round - 1, before["draw"]) if "draw" in before else "any"
        if "bye_draw" in expected:
            seed = seed_where("bye", round, expected["bye_draw"])
        rows = muster(tmp_path, "pair", id, round - 1, "--seed", seed)
        games = [f"{row['player_1']}-{row['player_2']}" for row in rows if row["kind"] == "game"]
        assert [set(game.split("-")) for game in games] == [set(pair.split("-")) for pair in expected["pairs"]]
        assert [row["player_1"] for row in rows if row["kind"] == "bye"] == [
            expected[key] for key in ("bye",) if key in expected
        ]


@pytest.mark.clause("DW-EX-5", "DW-PAIR-5", "DW-AMB-7")
@pytest.mark.parametrize("bye", ["Ben", "Dee"])
def test_the_drawn_bye_of_the_fifth_example(bye: str, tmp_path: Path) -> None:
    seed = seed_where("bye", 3, sorted(("Ben", "Dee"), key=lambda player: player != bye))
    rows = muster(tmp_path, "pair", "DW-EX-5", 2, "--seed", seed)
    assert rows[-1]["player_1"] == bye
    if bye == "Ben":
        assert [{row["player_1"], row["player_2"]} for row in rows[:-1]] == [{"Ana", "Eli"}, {"Fay", "Dee"}]


@pytest.mark.clause("AR-EX-5", "AR-EX-6", "AR-EX-7", "AR-PAIR-3", "AR-PAIR-5", "AR-PAIR-7", "AR-AMB-12")
@pytest.mark.parametrize("id", ARMADA_STORIES)
@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_pairings_of_armada(id: str, seed: str, tmp_path: Path) -> None:
    for round, expected in EXAMPLES[id]["rounds"].items():
        if "pairings" not in expected or round == 1:
            continue
        rows = muster(tmp_path, "pair", id, round - 1, "--seed", seed)
        found = {frozenset((row["player_1"], row["player_2"])) for row in rows if row["kind"] == "game"}
        conforming = [{frozenset(pair.split("-")) for pair in pairing} for pairing in expected["pairings"]]
        assert found in conforming
        assert [row["player_1"] for row in rows if row["kind"] == "bye"] == [
            expected[key] for key in ("bye",) if key in expected
        ]


@pytest.mark.clause("AR-EX-6", "AR-TB-4", "AR-AMB-4")
def test_the_mean_schedule_reverses_the_sixth_example(tmp_path: Path) -> None:
    rows = muster(tmp_path, "standings", "AR-EX-6", 3, "--option", "sos=tome")
    assert [(row["player"], row["strength_of_schedule"]) for row in rows[:2]] == [("Ana", "5.5"), ("Cy", "4.888889")]
