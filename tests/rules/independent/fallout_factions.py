"""Fallout: Factions implemented independently from the document: standings and pairings from the rows of files.

It shares no code with shared/rules and reads no pack. Rows are dictionaries as in results.csv and players.csv.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any

MOST = {
    "Confrontation": 25, "Melee": 25, "Treasure Hunt": 25, "Scavenge": 25,
    "Crossroads": 30, "Raid": 45, "Takeover": 25, "Escalation": 25,
}  # fmt: skip
ALIASES = {"Ambush": "Melee", "Chokepoint": "Raid", "Escape": "Escalation"}
ON, OFF = "true", "false"
Row = Mapping[str, str]
Met = Mapping[str, Mapping[str, list[int]]]
"""Player -> opponent -> the rounds in which they met."""
Options = Mapping[str, str]


def drawn(seed: str, purpose: str, round_: int, player: str) -> str:
    """Return the sort key of a recorded draw: the digest of seed, purpose, round and player."""
    return hashlib.sha256(f"{seed}|{purpose}|{round_}|{player}".encode()).hexdigest()


@cache
def splits(scenario: str, zero_draw: int = 3) -> frozenset[tuple[int, int]]:
    """Return every pair of scenario points that a game of a scenario can end with."""
    numbers = range(MOST[scenario] + 1)
    if scenario in ("Treasure Hunt", "Scavenge"):
        return frozenset((a, b) for a, b in product(numbers, numbers) if a % 5 == b % 5 == 0 and a + b <= 25)
    if scenario == "Raid":
        return frozenset((a, b) for a, b in product(numbers, numbers) if a % 3 == b % 3 == 0 and a + b <= 45)
    if scenario == "Crossroads":
        rounds = [(0, 0), (10, 0), (0, 10), (5, 5), (10, 5), (5, 10)]
        return frozenset((sum(a for a, _ in game), sum(b for _, b in game)) for game in product(rounds, repeat=3))
    if scenario == "Escalation":
        found: set[tuple[int, int]] = set()
        for length in range(5):
            for game in product([(5, 0), (0, 5), (3, 3), (zero_draw, zero_draw)], repeat=length):
                a, b = sum(a for a, _ in game), sum(b for _, b in game)
                found.add((a, b))
                if length == 4 and game[-1] == (5, 0):
                    found.add((a + 5, b))
                if length == 4 and game[-1] == (0, 5):
                    found.add((a, b + 5))
        return frozenset(found)
    return frozenset(product(numbers, numbers))


@dataclass
class Line:
    """The values of one player, and the rounds in which they met each opponent."""

    player: str
    tournament_points: int = 0
    scenario_points: int = 0
    wins: int = 0
    search_tokens: int = 0
    byes: int = 0
    met: dict[str, list[int]] = field(default_factory=dict)


def awarded(scenario: str, options: Options) -> int:
    """Return the scenario points of a bye: half of the maximum, rounded up."""
    return -(-int(options.get("scenario_max") or MOST[ALIASES.get(scenario, scenario)]) // 2)


def sides(row: Row, scenario: str, options: Options) -> list[tuple[str, int, int]]:
    """Return player, scenario points and tournament points of both sides of a row."""
    if row["kind"] == "bye":
        return [(row["player_1"], awarded(scenario, options), 2)]
    points = [int(row["points_1"] or 0), int(row["points_2"] or 0)]
    if row["conceded_by"]:
        loser = int(row["conceded_by"]) - 1
        table = options.get("concession") == "table_score"
        points[1 - loser] = max(points[1 - loser], 1 if table else awarded(scenario, options))
        points[loser] = 0
    first = 1 + (points[0] > points[1]) - (points[0] < points[1])
    return [(row["player_1"], points[0], first), (row["player_2"], points[1], 2 - first)]


def lines(players: Iterable[Row], results: Iterable[Row], options: Options) -> dict[str, Line]:
    """Return the values of every player after all rounds of `results`. The spare player has none."""
    found = {row["player"]: Line(row["player"]) for row in players}
    out = {row["player"] for row in players if row["status"] == "disqualified"}
    rows = list(results)
    of_round = {row["round"]: row["scenario"] for row in rows if row["scenario"]}
    for row in rows:
        scenario = row["scenario"] or of_round.get(row["round"], "")
        tokens = dict(pair.split("=") for pair in (row.get("extra") or "").split())
        both = sides(row, scenario, options)
        for side, (player, points, tournament_points) in enumerate(both):
            other = "" if len(both) == 1 else both[1 - side][0]
            if player not in found or (row["kind"] == "spare" and side):
                continue
            line = found[player]
            if other:
                line.met.setdefault(other, []).append(int(row["round"]))
            line.byes += row["kind"] == "bye"
            if other in out and options.get("dq_opponent_results") == "void_games":
                continue
            line.scenario_points += points
            line.tournament_points += tournament_points
            line.wins += tournament_points == 2
            line.search_tokens += int(tokens.get(f"search_tokens_{side + 1}", 0))
    return found


def value(line: Line, options: Options) -> tuple[int, ...]:
    """Return the sort key of the ranking, lowest first."""
    tokens = line.search_tokens if options.get("search_token_tiebreak") == "append" else 0
    return -line.tournament_points, -line.scenario_points, -line.wins, -tokens


def standings(
    players: Iterable[Row], results: Iterable[Row], options: Options, seed: str, all_: bool = False
) -> list[dict[str, Any]]:
    """Return the table in rank order, as `muster standings` prints it. `all_` keeps dropped players in any case."""
    rows, games = list(players), list(results)
    found, last = lines(rows, games, options), max((int(row["round"]) for row in games), default=0)
    hidden = {"disqualified"} | ({"dropped"} if options.get("dropped_in_standings") == OFF and not all_ else set())
    listed = [row for row in rows if row["status"] not in hidden]
    after = {past: lines(rows, [row for row in games if int(row["round"]) <= past], options) for past in range(1, last)}

    def worth(row: Row) -> tuple[int, ...]:
        return value(found[row["player"]], options)

    def decided_in(row: Row) -> int:
        """Return the round whose draw counts: if draws are kept, the first in which the players were already tied."""
        tied = [other["player"] for other in listed if worth(other) == worth(row)]
        kept = [past for past in after if len({value(after[past][player], options) for player in tied}) == 1]
        return kept[0] if kept and options.get("reuse_draws") == ON else last

    ranked = sorted(listed, key=lambda row: (worth(row), drawn(seed, "standings", decided_in(row), row["player"])))
    equal = [worth(row) for row in ranked]
    return [
        {
            "rank": rank,
            "player": row["player"],
            "tournament_points": found[row["player"]].tournament_points,
            "scenario_points": found[row["player"]].scenario_points,
            "wins": found[row["player"]].wins,
            "tied": equal.count(worth(row)) > 1,
            **({"status": row["status"]} if row["status"] not in ("", "active") else {}),
        }
        for rank, row in enumerate(ranked, 1)
    ]


Again = tuple[int, int, int]
"""Rematches, those of two who met in the round before, and the games that all who meet again have had."""


def complete(order: tuple[str, ...], met: Met, number: int) -> tuple[Again, list[tuple[str, str]]]:
    """Return the cheapest pairing, of these the one with the highest opponents from the top down.

    `number`: number of the round to pair.
    """

    @cache
    def pairs(rest: tuple[str, ...]) -> tuple[Again, list[tuple[str, str]]]:
        if not rest:
            return (0, 0, 0), []
        first, found = rest[0], []
        for other in rest[1:]:
            rounds = met[first].get(other, [])
            (one, two, three), below = pairs(tuple(name for name in rest[1:] if name != other))
            cost = one + bool(rounds), two + (number - 1 in rounds), three + len(rounds)
            found.append((cost, [(first, other), *below]))
            if not cost[0]:
                break  # no later one costs less
        return min(found, key=lambda made: made[0])  # of equal cost the first, with the highest opponent

    return pairs(order)


def pair(
    players: Iterable[Row], results: Iterable[Row], options: Options, seed: str, spare: str = ""
) -> list[tuple[str, str, str]]:
    """Return kind, first and second player of each pairing, from the first table on; bye or spare player last."""
    rows, games = list(players), list(results)
    active = {row["player"] for row in rows if row["status"] in ("", "active")}
    found = lines(rows, games, options)
    number = max((int(row["round"]) for row in games), default=0) + 1
    met: Met = {player: line.met for player, line in found.items()}
    if not games:
        order = sorted(active, key=lambda player: drawn(seed, "first-pairing", 1, player))
    else:
        order = [row["player"] for row in standings(rows, games, options, seed, all_=True)]
    dropped = [row for row in rows if row["status"] == "dropped" and row["player"] in order]
    if len(active) % 2 and spare and dropped and options.get("spare_mode") == "first_drop" and games:
        first = min(dropped, key=lambda row: (int(row["dropped_after"]), row["player"]))["player"]
        together = {
            player: met[player].get(first, []) + met[player].get(spare, []) for player in met if player != first
        }
        met = {player: {**others, first: together.get(player, [])} for player, others in met.items()}
        met[first] = {**met[first], **together}
        made = complete(tuple(one for one in order if one in active or one == first), met, number)[1]
        games_ = [("game", *both) for both in made if first not in both]
        return [*games_, *(("spare", a if b == first else b, spare) for a, b in made if first in (a, b))]
    order = [player for player in order if player in active]
    if len(order) % 2 == 0:
        return [("game", *both) for both in complete(tuple(order), met, number)[1]]
    if spare:
        fresh = [player for player in order if spare not in met[player]] or order
        rest = tuple(player for player in order if player != fresh[-1])
        return [*(("game", *both) for both in complete(rest, met, number)[1]), ("spare", fresh[-1], spare)]
    return moved_bye(order, found, met, options, number)


def moved_bye(
    order: list[str], found: Mapping[str, Line], met: Met, options: Options, number: int
) -> list[tuple[str, str, str]]:
    """Return the pairing with the bye as the options say: last, fewest byes, or moved to avoid a rematch."""
    wanted = order[::-1]
    if options.get("avoid_repeat_byes") == ON:
        fewest = min(found[player].byes for player in order)
        wanted = [player for player in wanted if found[player].byes == fewest]
    if options.get("bye_may_move") != ON:
        wanted = wanted[:1]
    best: tuple[tuple[int, int], list[tuple[str, str]], str] | None = None
    for player in wanted:
        (rematches, at_once, _), made = complete(tuple(one for one in order if one != player), met, number)
        if best is None or (rematches, at_once) < best[0]:
            best = (rematches, at_once), made, player
        if not rematches:
            break
    assert best is not None
    return [*(("game", *both) for both in best[1]), ("bye", best[2], "")]


def cases(values: Mapping[str, Iterable[str]]) -> Iterator[dict[str, str]]:
    """Return every combination of option values."""
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))
