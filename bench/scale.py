"""Scale: pairing and ranking fields of up to 10,000 players in the middle of an event; seconds, and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from time import perf_counter

import msgspec
from msgspec import Struct

from bench.findings import Table
from bench.plan import Plan
from bench.samples import in_turns, row_of
from muster.simulator.plausible import results
from shared.formats.pack import shipped_ruleset
from shared.formats.swiss.rules.pairing import PairedRound, pair_round
from shared.formats.swiss.rules.scoring import bye_score, score_game
from shared.formats.swiss.rules.standings import rank
from shared.rules.model import Entrant, Facts, Game

RULESET = "star-wars-armada-1.1"
SIZES = (1_000, 2_000, 10_000)
PLAYED = 4
"""Rounds played, of 9; the next one is paired."""
ROOT = Path(__file__).parents[1]


class Measured(Struct, frozen=True):
    """What one process took. seconds: to rank after the rounds played, to pair the next. mb: most memory meanwhile.

    before_mb: what it held before either, with the games of all rounds in memory.
    """

    rank_seconds: float
    pair_seconds: float
    before_mb: float
    rank_mb: float
    pair_mb: float
    rematches: int


def run(plan: Plan) -> list[Table]:
    """Every size in processes of its own, for memory is never given back; then every procedure beside libraries."""
    from bench.matchings import table as procedures

    sizes = plan.size(3, 2)
    taken = SIZES[:sizes]
    measured: dict[int, list[Measured]] = {size: [] for size in taken}
    plan.say(f"scale: {', '.join(f'{size:,}' for size in taken)} players")
    probe = plan.probe()
    for size in in_turns(taken, plan.size(5, 1), probe):
        measured[size].append(_measure(size))
    rows = []
    for size, found in measured.items():
        rows.append(row_of(f"{size:,} players: rank after round {PLAYED}", "s", [m.rank_seconds for m in found]))
        rows.append(row_of(f"{size:,} players: pair round {PLAYED + 1}", "s", [m.pair_seconds for m in found]))
        rows.append(row_of(f"{size:,} players: most memory, ranking", "MB", [m.rank_mb for m in found]))
        rows.append(row_of(f"{size:,} players: most memory, pairing", "MB", [m.pair_mb for m in found]))
    notes = [
        f"{RULESET}, one venue, one player less than said (a bye every round); rounds 1 to {PLAYED} paired alike.",
        "The memory is the whole process's: about 70 MB are Python and Muster, the rest players and games.",
        f"Rematches in round {PLAYED + 1}: {max(m.rematches for found in measured.values() for m in found)}.",
    ]
    return [Table("Large fields, in the middle of an event", rows, [], notes), procedures(plan)]


def _measure(size: int) -> Measured:
    command = (sys.executable, "-m", "bench.scale", str(size))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return msgspec.json.decode(done.stdout, type=Measured)


def measure(size: int) -> Measured:
    """Play the rounds before, then rank and pair once."""
    ruleset = shipped_ruleset(RULESET)
    entrants = [Entrant(f"p{number}", f"Player {number}") for number in range(1, size)]  # odd, for a bye
    games: list[Game] = []
    for round in range(1, PLAYED + 1):
        games += _results(pair_round(ruleset, entrants, games, round=round, seed=_seed(round)))
    before_mb = peak_mb_since_last()
    started = perf_counter()
    standings = rank(ruleset, entrants, games, round=PLAYED, seed=_seed(PLAYED))
    rank_seconds = perf_counter() - started
    rank_mb = peak_mb_since_last()
    started = perf_counter()
    paired = pair_round(ruleset, entrants, games, round=PLAYED + 1, seed=_seed(PLAYED + 1), standings=standings)
    pair_seconds = perf_counter() - started
    rematches = sum(pairing.rematch for pairing in paired.pairings)
    return Measured(rank_seconds, pair_seconds, before_mb, rank_mb, peak_mb_since_last(), rematches)


def _results(paired: PairedRound) -> list[Game]:
    ruleset = shipped_ruleset(RULESET)
    facts = results(ruleset, Random(paired.round))
    games = []
    for table, pairing in enumerate(paired.pairings, start=1):
        if pairing.player_2 is None:
            said, score = Facts(kind="bye"), bye_score(ruleset)
        else:
            said = msgspec.convert({"kind": "game", **facts({})}, Facts)
            score = score_game(ruleset, said)
        games.append(Game(paired.round, table, pairing.kind, pairing.player_1, pairing.player_2, said, score))
    return games


def _seed(round: int) -> str:
    return f"{round:064x}"


def peak_mb_since_last() -> float:
    """The most memory that this process has held since this was asked last, in MB; elsewhere than on Linux, ever.

    Not from getrusage on Linux: what that says is the parent's, until the program holds more than its parent did.
    """
    status, forget = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not status.exists():
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (2**20 if sys.platform == "darwin" else 2**10)
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    forget.write_text("5")
    return int(peak.split()[1]) / 2**10


if __name__ == "__main__":
    sys.stdout.buffer.write(msgspec.json.encode(measure(int(sys.argv[1]))))
