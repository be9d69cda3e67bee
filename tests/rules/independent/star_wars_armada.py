"""Star Wars: Armada 1.1 implemented independently, from the rules document alone.

It shares no code with shared/rules. Scores, standings and pairings are computed in another way (tables and a search
over every pairing) and compared with the output of the commands.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

BANDS = ((20, 5), (50, 6), (90, 7), (150, 8), (220, 9))  # AR-PTS-1: margin up to, winner's points
BYE = (8, 61)  # AR-BYE-1
DEFAULTS = {"sos": "sum", "unresolved_ties": "draw", "dq_opponent_results": "keep", "no_show": "bye"}


@dataclass(frozen=True)
class Row:
    """A line of results.csv: sides are 1 and 2, missing values are 0 or None."""

    round: int
    kind: str
    one: str
    two: str = ""
    winner: int = 0
    points: tuple[int | None, int | None] = (None, None)
    conceded: int = 0


@dataclass
class Record:
    """The record of one player: points, margin, opponents, rounds played, byes."""

    points: int = 0
    margin: int = 0
    opponents: list[str] = field(default_factory=list)
    rounds: int = 0
    byes: int = 0


@dataclass(frozen=True)
class Entry:
    """A line of players.csv."""

    player: str
    status: str = "active"
    dropped_after: int | None = None


def margin_points(margin: int) -> tuple[int, int]:
    """Return the points of winner and loser (AR-PTS-1, AR-PTS-2)."""
    winner = next((points for most, points in BANDS if margin <= most), 10)
    return winner, 10 - winner


def worth(row: Row) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return points and margin of both sides of a game."""
    one, two = (score or 0 for score in row.points)
    higher = 1 if one > two else 2
    winner = 3 - row.conceded if row.conceded else row.winner or higher
    gained, lost = (one, two) if winner == 1 else (two, one)
    margin = max(0, gained - lost)
    high, low = margin_points(margin)
    best, rest = (high, margin), (0 if row.conceded else low, 0)
    return (best, rest) if winner == 1 else (rest, best)


def records(entries: Sequence[Entry], rows: Iterable[Row], options: dict[str, str]) -> dict[str, Record]:
    """Return the record of every player after these rows."""
    removed = {entry.player for entry in entries if entry.status == "disqualified"}
    void = options.get("dq_opponent_results") == "void_games"
    table = {entry.player: Record() for entry in entries}

    def note(player: str, gained: tuple[int, int], opponent: str = "", met: bool = True) -> None:
        mine = table[player]
        if void and opponent in removed:
            return
        mine.rounds += 1
        mine.points += gained[0]
        mine.margin += gained[1]
        if opponent and met:
            mine.opponents.append(opponent)

    for row in rows:
        if row.kind == "bye":
            note(row.one, BYE)
            table[row.one].byes += 1
        elif row.kind == "forfeit":
            absent, present = (row.one, row.two) if row.conceded == 1 else (row.two, row.one)
            if options.get("no_show") == "concession":
                scores = row.points if row.points != (None, None) else ((0, 300) if row.conceded == 1 else (300, 0))
                first, second = worth(Row(row.round, "game", row.one, row.two, 0, scores, row.conceded))
                note(row.one, first, row.two)
                note(row.two, second, row.one)
            else:
                note(present, BYE, absent, met=False)
                note(absent, (0, 0), present, met=False)
        else:
            first, second = worth(row)
            note(row.one, first, row.two)
            note(row.two, second, row.one)
    return table


def draw(seed: str, purpose: str, number: int, player: str) -> str:
    """Return the place of a player in a recorded draw."""
    return hashlib.sha256(f"{seed}|{purpose}|{number}|{player}".encode()).hexdigest()


def schedules(table: dict[str, Record], mean: bool) -> dict[str, Fraction]:
    """Return the strength of schedule: the sum, or the mean of means (AR-TB-3, AR-TB-4)."""

    def own(opponent: str) -> Fraction:
        record = table[opponent]
        if not mean:
            return Fraction(record.points)
        return Fraction(record.points, record.rounds) if record.rounds else Fraction(0)

    def share(record: Record) -> Fraction:
        total = sum((own(opponent) for opponent in record.opponents), Fraction(0))
        return total / (record.rounds or 1) if mean else total

    return {player: share(record) for player, record in table.items()}


def standings(
    entries: Sequence[Entry], rows: Sequence[Row], seed: str, **options: str
) -> list[tuple[int, str, int, int, Fraction, bool, str]]:
    """Return rank, player, points, margin, schedule, tied and status, in the order of the standings."""
    table = records(entries, rows, options)
    schedule = schedules(table, options.get("sos") == "tome")
    last = max((row.round for row in rows), default=0)
    state = {e.player: e.status for e in entries}
    kept = [player for player, status in state.items() if status != "disqualified"]
    values = {p: (table[p].points, table[p].margin, schedule[p]) for p in kept}
    ranked = sorted(kept, key=lambda p: ([-v for v in values[p]], draw(seed, "standings", last, p)))
    shared = options.get("unresolved_ties") == "shared"
    many = Counter(values.values())
    lines, before = [], 0
    for place, player in enumerate(ranked, start=1):
        first = place == 1 or values[ranked[place - 2]] != values[player]
        before = place if first or not shared else before
        lines.append((before, player, *values[player], many[values[player]] > 1, state[player]))
    return lines


def pairings(
    entries: Sequence[Entry], rows: Sequence[Row], seed: str, **options: str
) -> tuple[list[frozenset[str]], str]:
    """Return the pairs of the next round, and the player with the bye (empty for none)."""
    table = records(entries, rows, options)
    number = max((row.round for row in rows), default=0) + 1
    field_of = [e.player for e in entries if e.status == "active"]
    if number == 1:
        order = sorted(field_of, key=lambda p: draw(seed, "first-pairing", 1, p))
        pairs = [frozenset(order[i : i + 2]) for i in range(0, len(order) - 1, 2)]
        return pairs, order[-1] if len(order) % 2 else ""
    strict = options.get("no_show") == "concession"
    games = [(row.round, frozenset((row.one, row.two))) for row in rows if row.two and (strict or row.kind == "game")]
    met = Counter(pair for _, pair in games)
    last = {pair for round, pair in games if round == number - 1}
    if len(field_of) % 2 == 0:
        return best(field_of, table, met, last, seed, number)[1], ""

    def bye_key(player: str) -> tuple[int, int, int, str]:
        known = table[player]
        return known.points, known.margin, known.byes, draw(seed, "bye", number, player)

    candidates = field_of
    if options.get("avoid_repeat_byes") == "true":
        fewest = min(table[p].byes for p in field_of)
        candidates = [p for p in field_of if table[p].byes == fewest]
    candidates = sorted(candidates, key=bye_key)
    if options.get("bye_may_move") != "true":
        candidates = candidates[:1]
    tried = [(best([p for p in field_of if p != bye], table, met, last, seed, number), bye) for bye in candidates]
    (_, pairs), bye = min(tried, key=lambda one: one[0][0][:2])
    return pairs, bye


def best(
    players: Sequence[str],
    table: dict[str, Record],
    met: Counter[frozenset[str]],
    last: set[frozenset[str]],
    seed: str,
    number: int,
) -> tuple[tuple[int, ...], list[frozenset[str]]]:
    """Return the pairing that AR-AMB-12 and AR-AMB-13 define: cost (rematches first) and pairs.

    Among equal numbers of rematches, those in consecutive rounds are minimized, then earlier meetings.
    """
    order = sorted(players, key=lambda p: (-table[p].points, draw(seed, "pairing", number, p)))
    levels = sorted({table[p].points for p in order}, reverse=True)
    level = [levels.index(table[p].points) for p in order]

    def cost(i: int, j: int) -> tuple[int, ...]:
        vector = [0] * (3 + 2 * len(levels))
        both = frozenset((order[i], order[j]))
        vector[:3] = int(both in met), int(both in last), met[both]
        if level[j] > level[i]:
            vector[3 + 2 * level[i]] = 1
            vector[4 + 2 * level[i]] = level[j] - level[i]
        return tuple(vector)

    @cache
    def rest(left: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        if not left:
            return (0,) * (3 + 2 * len(levels)), ()
        i = (left & -left).bit_length() - 1
        found = None
        for j in range(i + 1, len(order)):
            if left >> j & 1:
                below, pairs = rest(left & ~(1 << i) & ~(1 << j))
                total = tuple(a + b for a, b in zip(cost(i, j), below, strict=True))
                if found is None or total < found[0]:
                    found = total, ((i, j), *pairs)
        assert found is not None
        return found

    total, pairs = rest((1 << len(order)) - 1)
    return total, [frozenset((order[i], order[j])) for i, j in pairs]
