"""The offline commands on files of up to 10,000 players and 10 rounds: CPU seconds of the whole process.

The baseline is a plain Python script that reads the same two files.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median

import msgspec

from bench.common import ROOT, Bench, Table, row_of
from bench.story import Shape, entrants_of, seats_of
from muster.simulator.results_by_chance import Table as Board
from muster.simulator.results_by_chance import plausible_result
from shared.csv_cells import to_csv
from shared.formats.packs import shipped_swiss
from shared.rules.model import Facts, Game
from shared.swiss.games import COLUMNS, results_row
from shared.swiss.scoring import score_game

SMALL, LARGE, ROUNDS = 2_000, 10_000, 10
AT_MOST = {"standings": 8, "pair": 12}
GROWTH = 6
"""Goals: seconds for the large field; the large field over the small one, which is a fifth of it."""
OPTIONS = {
    "star-wars-armada-1.1": (),
    "fallout-factions-comp-1.0": ("reuse_draws=true",),
    "dust-warfare-1.0": ("rounds_table=3-20000:20",),
}
"""Ruleset -> the options that make most work."""
LIMIT = "limit: read the files"
READ = "import csv, sys\nfor name in sys.argv[1:]: list(csv.DictReader(open(name)))"

Contender = tuple[str, str, int]
"""Command, ruleset, players."""


def run(bench: Bench) -> list[Table]:
    """Measure both commands with every ruleset."""
    rulesets = list(OPTIONS)[: bench.size(len(OPTIONS), 1)]
    sizes = bench.size((SMALL, LARGE), (SMALL,))
    contenders = [(command, ruleset, size) for command in (*AT_MOST, LIMIT) for ruleset in rulesets for size in sizes]
    bench.progress(f"offline: {ROUNDS} rounds, {len(contenders)} runs each time")
    files = {
        (ruleset, size): write_field(bench.empty_folder("field"), ruleset, size)
        for ruleset in rulesets
        for size in sizes
    }
    found: dict[Contender, list[float]] = {contender: [] for contender in contenders}
    for command, ruleset, size in bench.turns(contenders, 3, 1):
        found[command, ruleset, size].append(_seconds(command, ruleset, files[ruleset, size]))
    rows = []
    for command, ruleset, size in contenders:
        seconds = found[command, ruleset, size]
        most = AT_MOST.get(command) if size == LARGE else None
        rows.append(row_of(f"{command}, {ruleset}, {size:,} players", "s", seconds, at_most=most))
        if most:
            growth = median(seconds) / median(found[command, ruleset, SMALL])
            rows.append(row_of(f"{command}, {ruleset}, {LARGE:,} over {SMALL:,}", "×", [growth], at_most=GROWTH))
    notes = ["; ".join(f"{ruleset} with {', '.join(options)}" for ruleset, options in OPTIONS.items() if options) + "."]
    return [Table("Standings and pairings from files", rows, notes)]


def write_field(folder: Path, ruleset_id: str, players: int) -> tuple[Path, Path]:
    """Write players.csv and results.csv of a field without drops and byes; return their paths."""
    ruleset, shape, chance = shipped_swiss(ruleset_id), Shape(players, ROUNDS), Random(players)
    rows = []
    for round in range(1, ROUNDS + 1):
        scenario = chance.choice(ruleset.scenarios).name if ruleset.scenarios else ""
        for seat in seats_of(shape, round):
            told = plausible_result(ruleset, Board(scenario=scenario), chance)
            facts = msgspec.convert({"kind": "game", "scenario": scenario, **told}, Facts)
            score = score_game(ruleset, facts)
            game = Game(round, seat.table, "game", seat.player_1, seat.player_2, facts, score)
            rows.append(results_row(game))
    files = folder / "players.csv", folder / "results.csv"
    players_rows = [{"player": one.player, "name": one.name} for one in entrants_of(shape)]
    files[0].write_text(to_csv(("player", "name"), players_rows), "utf-8")
    files[1].write_text(to_csv(COLUMNS, rows), "utf-8")
    return files


def _seconds(command: str, ruleset: str, files: Sequence[Path]) -> float:
    """Return the CPU seconds of one run of a command, user and system time."""
    players, results = map(str, files)
    arguments = [sys.executable, "-c", READ, players, results]
    if command != LIMIT:
        arguments = [sys.executable, "-m", "muster.cli.main", command, "--ruleset", ruleset, "--format", "csv"]
        arguments += ["--players", players, "--results", results, "--seed", "bench"]
        arguments += [word for option in OPTIONS[ruleset] for word in ("--option", option)]
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(errors.decode())
    return usage.ru_utime + usage.ru_stime
