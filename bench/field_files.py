"""A made-up field of any size as players.csv and results.csv: the same seed, the same files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from muster.simulator.plausible import Table, plausible_result
from shared.csv_cells import as_csv
from shared.formats.swiss.results_file import COLUMNS, results_row
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scoring import bye_score, score_game
from shared.rules.brackets import pair_in_groups
from shared.rules.model import Facts, Game

LEFT = 100
"""One player in so many drops after half of the rounds, as many are disqualified."""


def write_field(folder: Path, ruleset: Ruleset, players: int, rounds: int, seed: str) -> tuple[Path, Path]:
    """Write both files of a field in which equals meet: paired by points, neighbours first, nobody twice.

    Returns the paths of players.csv and results.csv.
    """
    chance = Random(seed)
    ids = [f"p{number:05}" for number in range(1, players + 1)]
    half = rounds // 2
    gone = set(chance.sample(ids, players // LEFT))
    out = set(chance.sample(sorted(set(ids) - gone), players // LEFT))
    points, met = dict.fromkeys(ids, 0), {player: set[str]() for player in ids}
    rows: list[dict[str, object]] = []
    for round in range(1, rounds + 1):
        there = [player for player in ids if round <= half or player not in gone]
        scenario = chance.choice(ruleset.scenarios).name if ruleset.scenarios else ""
        for table, game in enumerate(_round(ruleset, there, points, met, round, scenario, chance), start=1):
            rows.append(results_row(replace(game, table=None if game.kind == "bye" else table)))
    entered = [
        {"player": player, "name": f"Player {player[1:]}"}
        | ({"status": "dropped", "dropped_after": half} if player in gone else {})
        | ({"status": "disqualified"} if player in out else {})
        for player in ids
    ]
    files = folder / "players.csv", folder / "results.csv"
    files[0].write_text(as_csv(("player", "name", "status", "dropped_after"), entered), "utf-8")
    files[1].write_text(as_csv(COLUMNS, rows), "utf-8")
    return files


def _round(
    ruleset: Ruleset,
    there: list[str],
    points: dict[str, int],
    met: dict[str, set[str]],
    round: int,
    scenario: str,
    chance: Random,
) -> Iterator[Game]:
    chance.shuffle(there)
    ranked = sorted(there, key=lambda player: -points[player])
    first = ruleset.standings.criteria[0].of
    left_over = ranked.pop() if len(ranked) % 2 else ""
    for one, two in pair_in_groups([ranked], met):
        met[one].add(two)
        met[two].add(one)
        told = plausible_result(ruleset, Table(scenario=scenario), chance)
        facts = msgspec.convert({"kind": "game", "scenario": scenario, **told}, Facts)
        score = score_game(ruleset, facts)
        points[one] += score.values_1.get(first, 0)
        points[two] += score.values_2.get(first, 0)
        yield Game(round, None, "game", one, two, facts, score)
    if left_over:
        facts, score = Facts("bye", scenario=scenario), bye_score(ruleset, scenario)
        points[left_over] += score.values_1.get(first, 0)
        yield Game(round, None, "bye", left_over, None, facts, score)
