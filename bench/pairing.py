"""Pairing and ranking of fields of up to 10,000 players in the middle of an event: processor time and memory.

The peer is `max_weight_matching` of rustworkx and networkx on the graph of all pairs that have not met: exact, in
cubic time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import msgspec
from msgspec import Struct

from bench.common import ROOT, Bench, Table, row_of
from bench.story import RULESET, SEED, Shape, entrants_of, games_of_round
from shared.formats.packs import shipped_swiss
from shared.rules.matching import Groups, Met, Pair, RematchCost
from shared.rules.model import draw_order
from shared.rules.pairing import group_by_points
from shared.swiss.pairing import pair_round
from shared.swiss.registries import PAIRING_POLICIES
from shared.swiss.standings import rank

PLAYED = 4
"""Rounds played; the next one is paired."""
RANK, PAIR = "rank after round 4", "pair round 5, with ranking"
PROCEDURES = tuple(name for name, kind in PAIRING_POLICIES.items() if name != "random" and not kind.cycles)
SMALL, LARGE = 1_000, 10_000
LIBRARIES = {"limit: rustworkx": [500, 1_000], "limit: networkx": [100, 200]}
QUICK = {"limit: rustworkx": [200], "limit: networkx": [60]}
MOST_SECONDS, MOST_MB, GROWTH = 1, 500, 20
"""Goals for one procedure and 10,000 players; growth: over 1,000 players."""


class Measured(Struct, frozen=True):
    """One run in a separate process. mb: peak memory. crossed: point groups that the pairs cross."""

    seconds: float
    mb: float
    crossed: int = 0
    rematches: int = 0


def run(bench: Bench) -> list[Table]:
    """Measure every contender and size in a separate process, because memory is never returned."""
    contenders = [(name, size) for name in (RANK, PAIR, *PROCEDURES) for size in (SMALL, LARGE)]
    libraries = [(name, size) for name, sizes in bench.size(LIBRARIES, QUICK).items() for size in sizes]
    if bench.quick:
        contenders = [one for one in contenders if one[0] in (RANK, PAIR, PROCEDURES[0])]
    bench.progress(f"pairing: fields of {SMALL:,} and {LARGE:,} players, and libraries")
    found: dict[tuple[str, int], list[Measured]] = {}
    for name, size in bench.turns(contenders, 3, 1):
        found.setdefault((name, size), []).append(_apart(name, size))
    found |= {(name, size): [_apart(name, size)] for name, size in libraries}
    rows = []
    for (name, size), runs in found.items():
        seconds, megabytes = [one.seconds for one in runs], [one.mb for one in runs]
        has_goal, what = size == LARGE and name in PROCEDURES, f"{name}, {size:,} players"
        rows.append(row_of(what, "s", seconds, at_most=MOST_SECONDS if has_goal else None))
        rows.append(row_of(f"{what}: memory", "MB", megabytes, at_most=MOST_MB if has_goal else None))
        if has_goal:
            growth = median(seconds) / median(one.seconds for one in found[name, SMALL])
            rows.append(row_of(f"{what} over {SMALL:,}", "×", [growth], at_most=GROWTH))
    notes = [
        f"Seconds of the processor. {RANK} and {PAIR}: {RULESET}, one venue. Procedures and libraries: points of 0, 1 "
        "or 2 a round, one point-group for each sum.",
        "Point-groups crossed and rematches: "
        + "; ".join(f"{name} {size:,}: {runs[0].crossed}, {runs[0].rematches}" for (name, size), runs in found.items()),
    ]
    return [Table("One ranking and one pairing in the middle of an event", rows, notes)]


def _apart(name: str, size: int) -> Measured:
    done = subprocess.run((sys.executable, "-m", "bench.pairing", name, str(size)), cwd=ROOT, capture_output=True)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return msgspec.json.decode(done.stdout, type=Measured)


def measure(name: str, size: int) -> Measured:
    """Play the earlier rounds, then rank or pair once."""
    return _whole_event(name, size) if name in (RANK, PAIR) else _one_procedure(name, size)


def _whole_event(name: str, size: int) -> Measured:
    ruleset, shape = shipped_swiss(RULESET), Shape(size, PLAYED)
    entrants = entrants_of(shape)
    games = [game for round in range(1, PLAYED + 1) for game in games_of_round(shape, round)]
    peak_mb()
    started, rematches = process_time(), 0
    standings = rank(ruleset, entrants, games, round=PLAYED, seed=SEED)
    if name == PAIR:
        paired = pair_round(ruleset, entrants, games, round=PLAYED + 1, seed=SEED, standings=standings)
        rematches = sum(one.rematch for one in paired.pairings)
    return Measured(process_time() - started, peak_mb(), rematches=rematches)


def _one_procedure(name: str, size: int) -> Measured:
    chance = Random(size)
    points = {f"p{number}": 0 for number in range(size)}
    met: dict[str, dict[str, RematchCost]] = {player: {} for player in points}
    for _ in range(PLAYED):
        for one, two in PAIRING_POLICIES["adjacent"].pair([_ranked(points)], met):
            met[one][two] = met[two][one] = RematchCost(1, 0, 1)
            won = chance.choice((0, 1, 2))
            points[one] += won
            points[two] += 2 - won
    brackets = group_by_points(_ranked(points), points)
    peak_mb()
    started = process_time()
    pairs = _pairs(name, points, brackets, met)
    seconds = process_time() - started
    assert len({player for pair in pairs for player in pair}) == size
    level = {player: place for place, group in enumerate(brackets) for player in group}
    crossed = sum(abs(level[one] - level[two]) for one, two in pairs)
    return Measured(seconds, peak_mb(), crossed, sum(two in met[one] for one, two in pairs))


def _ranked(points: dict[str, int]) -> list[str]:
    return sorted(points, key=lambda player: (-points[player], player))


def _pairs(name: str, points: dict[str, int], brackets: Groups, met: Met) -> Sequence[Pair]:
    if policy := PAIRING_POLICIES.get(name):
        groups = policy.group(_ranked(points), points)
        drawn = [draw_order("seed", policy.purpose, PLAYED + 1, group) for group in groups]
        return policy.pair(drawn if policy.purpose else groups, met)
    players = [player for group in brackets for player in group]
    level = [place for place, group in enumerate(brackets) for _ in group]
    edges = [
        (one, two, level[one] - level[two])
        for one, two in combinations(range(len(players)), 2)
        if players[two] not in met[players[one]]
    ]
    return [(players[one], players[two]) for one, two in _matched(name, len(players), edges)]


def _matched(name: str, nodes: int, edges: list[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """Return a complete matching of most weight, by a library."""
    if name.endswith("rustworkx"):
        from rustworkx import PyGraph, max_weight_matching

        graph: PyGraph[int, int] = PyGraph(multigraph=False)
        graph.add_nodes_from(range(nodes))
        graph.add_edges_from(edges)
        return max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    import networkx

    peer = networkx.Graph()
    peer.add_weighted_edges_from(edges)
    found: set[tuple[int, int]] = networkx.max_weight_matching(peer, maxcardinality=True)
    return found


def peak_mb() -> float:
    """Return the peak memory of this process in MB since the last call, or outside Linux since its start.

    On Linux, getrusage includes memory of the parent process, so the value is read from /proc.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (2**20 if sys.platform == "darwin" else 2**10)
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    Path("/proc/self/clear_refs").write_text("5")
    return int(peak.split()[1]) / 2**10


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(measure(sys.argv[1], int(sys.argv[2]))))
