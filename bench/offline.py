"""The offline commands on fields of up to 10,000 players and 10 rounds: seconds of the processor."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.field_files import write_field
from bench.findings import Goal, Table, goal_of
from bench.plan import Plan
from bench.samples import in_turns, row_of
from shared.formats.pack import shipped_ruleset

ROOT = Path(__file__).parents[1]
SMALL, LARGE = 2_000, 10_000
ROUNDS = 10
AT_MOST = {"standings": 8, "pair": 12}
"""Seconds of the processor for the large field."""
GROWTH = 6
"""The large field over the small one, which is 5 times as small; linear, with a little for caches."""
OPTIONS = {
    "star-wars-armada-1.1": (),
    "fallout-factions-comp-1.0": ("reuse_draws=true",),
    "dust-warfare-1.0": ("rounds_table=3-20000:20",),
}
"""Ruleset -> options: those that make most work; without the cut, which is for smaller fields."""

Contender = tuple[str, str, int]
"""Command, ruleset, players."""


def run(plan: Plan) -> list[Table]:
    """Both commands by every shipped ruleset of its own, each run in a process of its own."""
    rulesets = list(OPTIONS)[: plan.size(len(OPTIONS), 1)]
    contenders = [(command, ruleset, size) for command in AT_MOST for ruleset in rulesets for size in (SMALL, LARGE)]
    plan.say(f"offline: {SMALL:,} and {LARGE:,} players, {ROUNDS} rounds, {len(contenders)} runs each time")
    found: dict[Contender, list[float]] = {contender: [] for contender in contenders}
    with TemporaryDirectory() as folder:
        files = {
            (ruleset, size): write_field(
                _made(Path(folder, f"{ruleset}-{size}")), shipped_ruleset(ruleset), size, ROUNDS, "bench"
            )
            for ruleset in rulesets
            for size in (SMALL, LARGE)
        }
        for command, ruleset, size in in_turns(contenders, plan.size(3, 1), plan.probe()):
            found[command, ruleset, size].append(_seconds(command, ruleset, files[ruleset, size]))
    rows = [
        row_of(f"{command}, {ruleset}, {size:,} players", "s", seconds)
        for (command, ruleset, size), seconds in found.items()
    ]
    notes = [
        f"muster COMMAND --format csv, whole processes; one player in a hundred dropped after round {ROUNDS // 2}, "
        "as many are disqualified.",
        "; ".join(f"{ruleset} with {', '.join(options)}" for ruleset, options in OPTIONS.items() if options) + ".",
    ]
    return [Table("Standings and pairings from files", rows, _goals(found, rulesets), notes)]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _goals(found: dict[Contender, list[float]], rulesets: Sequence[str]) -> list[Goal]:
    goals = []
    for command, most in AT_MOST.items():
        for ruleset in rulesets:
            large, small = found[command, ruleset, LARGE], found[command, ruleset, SMALL]
            name = f"{command}, {ruleset}, {LARGE:,} players"
            goals.append(goal_of(name, max(large), most, "s", at_least=False))
            goals.append(goal_of(f"{name} over {SMALL:,}", median(large) / median(small), GROWTH, "", at_least=False))
    return goals


def _seconds(command: str, ruleset: str, files: Sequence[Path]) -> float:
    """Seconds of the processor of one run of a command, of its own and in the kernel."""
    players, results = map(str, files)
    asked = [sys.executable, "-m", "muster.cli.main", command, "--ruleset", ruleset, "--format", "csv"]
    asked += ["--players", players, "--results", results, "--seed", "bench"]
    for option in OPTIONS[ruleset]:
        asked += ["--option", option]
    started = subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert started.stderr is not None
    told = started.stderr.read()
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise RuntimeError(told.decode())
    return usage.ru_utime + usage.ru_stime
