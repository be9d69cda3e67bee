"""A tournament of 100,000 events, every command of it decided again as `muster verify` does."""

from __future__ import annotations

from random import Random
from time import process_time

from bench.findings import Table, goal_of
from bench.plan import Plan
from bench.samples import in_turns, row_of
from muster.audit.findings import Findings
from muster.audit.logs import audit
from services.scoring.tournament.commands import CloseRound
from tests.state.logs import Club

PLAYERS, ROUNDS = 10_000, 9
GOAL_SECONDS = 120.0
WHAT = "every command decided again"


def run(plan: Plan) -> list[Table]:
    """Seconds of processor time of an audit of logs that hold, from events in memory."""
    players, rounds = plan.size(PLAYERS, 100), plan.size(ROUNDS, 2)
    plan.say(f"audit: playing {players} players over {rounds} rounds")
    club = _played(players, rounds)
    seconds: dict[str, list[float]] = {WHAT: []}
    probe = plan.probe()
    findings = Findings()
    for name in in_turns([WHAT], plan.size(3, 1), probe):
        findings = Findings()
        started = process_time()
        audit(club.logs, findings)
        seconds[name].append(process_time() - started)
        if findings.failures:
            raise RuntimeError(f"logs that hold were found wrong: {findings.failures[0]}")
    events = sum(map(len, club.logs.values()))
    rows = [row_of(WHAT, "s", seconds[WHAT])]
    goals = [] if plan.quick else [goal_of(WHAT, rows[0].median, GOAL_SECONDS, "s", at_least=False)]
    notes = [f"{events:,} events, {findings.counts['commands']:,} commands; seconds of processor time."]
    return [Table(f"Audit of {players:,} players over {rounds} rounds", rows, goals, notes, probe.seen())]


def _played(players: int, rounds: int) -> Club:
    """A tournament whose every command was decided: entered, paired, reported, confirmed, closed."""
    club = Club(*(f"Player {number}" for number in range(players)), rounds=rounds)
    random = Random(1)
    for round in range(1, rounds + 1):
        seats = club.pair()
        club.start(round)
        for seat in seats:
            if seat.player_2:
                club.report(seat.game, random.randrange(250), random.randrange(250))
        club.decide(CloseRound(round=round))
    return club
