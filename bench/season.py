"""A season made again from its results: 100 tournaments of 200 players each, 20,000 results with five games each."""

from __future__ import annotations

from random import Random
from time import process_time
from typing import cast

from bench.findings import Table, goal_of
from bench.plan import Plan
from bench.samples import Row, in_turns, row_of
from shared.formats.options import apply_options
from shared.formats.pack import shipped_ruleset
from shared.formats.season.rules.model import Entered, GamePlayed, Gathered, Member, Result
from shared.formats.season.rules.ruleset import SeasonRuleset
from shared.formats.season.rules.table import season_table
from shared.rules.model import Outcome

TOURNAMENTS, FIELD, MEMBERS, GAMES = 100, 200, 2_000, 5
GOAL_SECONDS = 5.0
CONTENDERS = {
    "season-points, best 5": ("season-points", {}),
    "season-points, best 5, Elo": ("season-points", {"season.rating": "elo"}),
    "season-league, all count, Glicko-2": ("season-league", {}),
}


def run(plan: Plan) -> list[Table]:
    """Seconds of the processor for the whole table, from results in memory to rows, with and without ratings."""
    tournaments = plan.size(TOURNAMENTS, 10)
    members, gathered = season(tournaments, FIELD, plan.size(MEMBERS, 400))
    rules = {name: apply_options(_season(id), options) for name, (id, options) in CONTENDERS.items()}
    found: dict[str, list[float]] = {name: [] for name in rules}
    plan.say(f"season: {tournaments} tournaments")
    for name in in_turns(list(rules), plan.size(3, 1), plan.probe()):
        started = process_time()
        season_table(rules[name], members, gathered)
        found[name].append(process_time() - started)
    rows: list[Row] = [row_of(name, "s", seconds) for name, seconds in found.items()]
    title = f"{tournaments} tournaments, {tournaments * FIELD:,} results, {len(members):,} members"
    notes = [f"Seconds of the processor; {GAMES} games a player and tournament; everything is made from nothing."]
    goals = [] if plan.quick else [goal_of(row.name, row.median, GOAL_SECONDS, "s", at_least=False) for row in rows]
    return [Table(title, rows, goals, notes)]


def season(tournaments: int, field: int, members: int) -> tuple[list[Member], list[Gathered]]:
    """Members, and tournaments in which some of them play; the same for the same numbers.

    field: players of a tournament, an even number. members: of whom the players of each are drawn.
    """
    chance = Random(7)
    names = [f"p{number}" for number in range(members)]
    strength = {name: chance.gauss(0, 1) for name in names}
    gathered = [
        _tournament(chance, number, chance.sample(names, field), strength) for number in range(1, tournaments + 1)
    ]
    entries: dict[str, list[Entered]] = {name: [] for name in names}
    for one in gathered:
        for result in one.results:
            entries[result.entry].append(Entered(one.tournament, result.entry))
    return [Member(name, tuple(entered)) for name, entered in entries.items()], gathered


def _tournament(chance: Random, number: int, field: list[str], strength: dict[str, float]) -> Gathered:
    games: dict[str, list[GamePlayed]] = {name: [] for name in field}
    for _ in range(GAMES):
        order = sorted(field, key=lambda name: (-_wins(games[name]), chance.random()))
        for one, other in zip(order[::2], order[1::2], strict=True):
            ahead = strength[one] - strength[other] + chance.gauss(0, 1)
            outcome = "draw" if abs(ahead) < 0.1 else "win" if ahead > 0 else "loss"
            turned = {"win": "loss", "draw": "draw", "loss": "win"}[outcome]
            scores = chance.randrange(20), chance.randrange(20)
            games[one].append(GamePlayed(cast(Outcome, outcome), other, "game", *scores))
            games[other].append(GamePlayed(cast(Outcome, turned), one, "game", *scores[::-1]))
    order = sorted(field, key=lambda name: -_wins(games[name]))
    wins = [_wins(games[name]) for name in order]
    results = (Result(name, 1 + wins.index(_wins(games[name])), games=tuple(games[name])) for name in order)
    return Gathered(f"t{number}", number, tuple(results))


def _wins(games: list[GamePlayed]) -> int:
    return sum(game.outcome == "win" for game in games)


def _season(id: str) -> SeasonRuleset:
    found = shipped_ruleset(id)
    if not isinstance(found, SeasonRuleset):
        raise TypeError(f"{id} is of the format {found.format}")
    return found
