"""Each pairing procedure on large fields, beside general matchings of the complete graph of who may meet whom."""

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

from bench.findings import Goal, Table, goal_of
from bench.plan import Plan
from bench.samples import Row, in_turns, row_of
from bench.scale import PLAYED, peak_mb_since_last
from shared.formats.swiss.rules.registries import PAIRING_POLICIES
from shared.rules.brackets import by_points
from shared.rules.draw import recorded_draw
from shared.rules.matching import Groups, Pair
from shared.rules.meetings import Again, Met

ROOT = Path(__file__).parents[1]
PROCEDURES = tuple(name for name, kind in PAIRING_POLICIES.items() if name != "random" and not kind.cycles)
SIZES = {"procedures": (1_000, 2_000, 10_000), "rustworkx": (500, 1_000), "networkx": (100, 200)}
"""Players. The libraries get the complete graph, which grows with the square, and their time with the cube."""
QUICK = {"procedures": (1_000, 10_000), "rustworkx": (500,), "networkx": (60,)}


class Paired(Struct, frozen=True):
    """One pairing. seconds: of the processor. mb: most memory meanwhile. crossed: groups that the pairs lead across."""

    seconds: float
    mb: float
    downs: int
    crossed: int
    rematches: int


def table(plan: Plan) -> Table:
    """Every procedure and library at every size, each in a process of its own."""
    sizes = plan.size(SIZES, QUICK)
    contenders = [(name, size) for name in PROCEDURES for size in sizes["procedures"]]
    libraries = [(name, size) for name in ("rustworkx", "networkx") for size in sizes[name]]
    found: dict[tuple[str, int], list[Paired]] = {contender: [] for contender in contenders}
    plan.say("scale: every procedure, and libraries once (minutes)")
    for contender in in_turns(contenders, plan.size(3, 1), plan.probe()):
        found[contender].append(_apart(*contender))
    found |= {library: [_apart(*library)] for library in libraries}
    rows: list[Row] = []
    notes = [
        "Seconds of the processor; points of 0, 1 or 2 a round, one point-group for each sum; nobody left out.",
        "rustworkx and networkx: max_weight_matching of the complete graph without rematches, least groups crossed.",
    ]
    for (name, size), all_of_it in found.items():
        rows.append(row_of(f"{name}, {size:,} players", "s", [one.seconds for one in all_of_it]))
        first = all_of_it[0]
        notes.append(
            f"{name}, {size:,}: {first.downs} pairs between groups, {first.crossed} groups crossed, "
            f"{first.rematches} rematches, {first.mb:.0f} MB."
        )
    return Table("One pairing in the middle of an event", rows, _goals(found), notes)


def _goals(found: dict[tuple[str, int], list[Paired]]) -> list[Goal]:
    goals = []
    for name in PROCEDURES:
        large = found[name, 10_000]
        seconds = max(one.seconds for one in large)
        goals.append(goal_of(f"{name}, 10,000 players", seconds, 1, "s", at_least=False))
        goals.append(goal_of(f"{name}, 10,000 players", max(one.mb for one in large), 500, "MB", at_least=False))
        growth = median(one.seconds for one in large) / median(one.seconds for one in found[name, 1_000])
        goals.append(goal_of(f"{name}, 10,000 over 1,000 players", growth, 20, "", at_least=False))
    return goals


def _apart(name: str, size: int) -> Paired:
    done = subprocess.run((sys.executable, "-m", "bench.matchings", name, str(size)), cwd=ROOT, capture_output=True)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return msgspec.json.decode(done.stdout, type=Paired)


def measure(name: str, size: int) -> Paired:
    """Play the rounds before by neighbours in the standings, then pair once."""
    chance = Random(size)
    points = {f"p{number}": 0 for number in range(size)}
    met: dict[str, dict[str, Again]] = {player: {} for player in points}
    for _ in range(PLAYED):
        for one, two in PAIRING_POLICIES["adjacent"].pair([_ranked(points)], met):
            met[one][two] = met[two][one] = Again(1, 0, 1)
            won = chance.choice((0, 1, 2))
            points[one] += won
            points[two] += 2 - won
    brackets = by_points(_ranked(points), points)
    peak_mb_since_last()
    started = process_time()
    pairs = _pairs(name, points, brackets, met)
    seconds = process_time() - started
    assert len({player for pair in pairs for player in pair}) == size
    level = {player: place for place, group in enumerate(brackets) for player in group}
    distances = [abs(level[one] - level[two]) for one, two in pairs]
    rematches = sum(two in met[one] for one, two in pairs)
    return Paired(seconds, peak_mb_since_last(), sum(map(bool, distances)), sum(distances), rematches)


def _ranked(points: dict[str, int]) -> list[str]:
    return sorted(points, key=lambda player: (-points[player], player))


def _pairs(name: str, points: dict[str, int], brackets: Groups, met: Met) -> Sequence[Pair]:
    if name in PAIRING_POLICIES:
        policy = PAIRING_POLICIES[name]
        groups = policy.group(_ranked(points), points)
        drawn = [recorded_draw("seed", policy.purpose, PLAYED + 1, group) for group in groups]
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
    """A complete matching of most weight, by a library."""
    if name == "rustworkx":
        from rustworkx import PyGraph, max_weight_matching

        graph: PyGraph[int, int] = PyGraph(multigraph=False)
        graph.add_nodes_from(range(nodes))
        graph.add_edges_from(edges)
        return max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    import networkx

    peer = networkx.Graph()
    peer.add_weighted_edges_from(edges)
    return networkx.max_weight_matching(peer, maxcardinality=True)


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(measure(sys.argv[1], int(sys.argv[2]))))
