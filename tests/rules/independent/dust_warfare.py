"""Dust Warfare implemented independently from the digest: standings, byes, the paper process and the bracket.

Shares no code with `shared/rules`, and is deliberately slow and plain. Results are rows of results.csv (dictionaries of
texts); ranks and pairs come out. Open questions of the digest stay open: `tied` marks where a draw decides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

Row = dict[str, str]
Pair = tuple[str, str]
Cost = tuple[int, int, int]

ROUNDS = ((4, 2, 0, 0), (8, 3, 0, 0), (16, 4, 0, 0), (32, 4, 2, 3), (64, 5, 4, 3), (128, 6, 8, 3), (256, 8, 16, 4))
PLACES = {2: (1, 2), 4: (1, 4, 2, 3), 8: (1, 8, 4, 5, 2, 7, 3, 6)}
PLACES[16] = (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def drawn(seed: str, purpose: str, round: int, players: Iterable[str]) -> list[str]:
    """Return the recorded draw: ascending SHA-256 of seed, purpose, round and player (method of the digest)."""
    return sorted(players, key=lambda p: hashlib.sha256(f"{seed}|{purpose}|{round}|{p}".encode()).hexdigest())


@dataclass
class Event:
    """A tournament as described by its two files, under some of the organiser's options."""

    players: dict[str, tuple[str, int]]  # id: status, last round played (of one who left)
    rows: Sequence[Row]
    options: dict[str, str] = field(default_factory=dict)
    seed: str = ""

    @property
    def played(self) -> int:
        return max((int(row["round"]) for row in self.rows), default=0)

    @property
    def plan(self) -> tuple[int, int, int]:
        """Return rounds, size of the cut and its round, by the players of round 1 (DW-RND-1, DW-AMB-10)."""
        first = [row for row in self.rows if int(row["round"]) == 1]
        count = sum(1 + bool(row["player_2"]) for row in first)
        return next(line[1:] for line in ROUNDS if count <= line[0])

    def cut(self) -> int:
        """Return the round after which the cut is made; beyond every round if there is none."""
        return self.plan[2] or 10**6

    def earned(self, row: Row) -> dict[str, tuple[int, int]]:
        """Return match points and break points of a row (DW-PTS-1, DW-BYE-1, DW-FOR-2 and their decisions).

        A forfeit gives half of the offender's roster, or the reported points (DW-AMB-1, DW-AMB-2). If no one came, both
        get 0; if one came, they have a bye (DW-AMB-17). A concession gives the points on the table (DW-AMB-19).
        """
        one, two = row["player_1"], row["player_2"]
        if row["kind"] == "bye":
            return {one: self.bye()}
        absent = (int(self.options.get("no_show_mp", "0")), 0)
        if row["kind"] == "double_no_show":
            return {one: absent, two: absent}
        given = {one: int(row["points_1"] or 0), two: int(row["points_2"] or 0)}
        if row["conceded_by"]:
            loser, winner = (one, two) if row["conceded_by"] == "1" else (two, one)
            army = row["extra"].removeprefix(f"list_{row['conceded_by']}=")
            if row["kind"] == "no_show":
                return {loser: absent, winner: self.bye()}
            if row["kind"] == "forfeit" and army:
                up = self.options.get("forfeit_bp_rounding") == "up"
                return {loser: (3, 0), winner: (10, (int(army) + up) // 2)}
            if row["kind"] == "game" and self.options.get("concession_bp") == "larger":
                return {loser: (3, 0), winner: (10, max(given[winner], int(army) // 2))}
            return {loser: (3, 0), winner: (10, given[winner])}
        points = {"1": (10, 3), "2": (3, 10), "draw": (6, 6)}[row["winner"]]
        return {one: (points[0], given[one]), two: (points[1], given[two])}

    def bye(self) -> tuple[int, int]:
        """Return the value of a bye (DW-BYE-1, DW-AMB-6)."""
        value, limit = self.options.get("bye_bp", "0"), int(self.options.get("ap_limit", "400"))
        return 10, limit // 2 if value == "half" else int(value)

    def totals(self, upto: int) -> dict[str, tuple[int, int]]:
        sums = dict.fromkeys(self.players, (0, 0))
        for row in self.rows:
            if int(row["round"]) <= upto:
                for player, (match, broken) in self.earned(row).items():
                    sums[player] = (sums[player][0] + match, sums[player][1] + broken)
        return sums

    def listed(self, round: int) -> list[str]:
        """Return the standings of the first stage after a round: MP, BP, recorded draw (DW-TB-1, DW-AMB-9)."""
        sums = self.totals(round)
        order = drawn(self.seed, "standings", round, self.players)
        return sorted(order, key=lambda p: (-sums[p][0], -sums[p][1]))

    def active(self, player: str) -> bool:
        return self.players[player][0] == "active"

    def met(self) -> dict[Pair, Cost]:
        """Return the cost of another meeting: a rematch, one in consecutive rounds, and the games so far."""
        found: dict[Pair, Cost] = {}
        for row in self.rows:
            if row["kind"] in ("game", "forfeit"):
                at_once = int(row["round"]) == self.played
                for pair in ((row["player_1"], row["player_2"]), (row["player_2"], row["player_1"])):
                    _, before, games = found.get(pair, (1, 0, 0))
                    found[pair] = 1, max(before, at_once), games + 1
        return found

    def seeded(self) -> list[str]:
        """Return the players after the cut, best first.

        A player who left before the first elimination pairing has no place.
        """
        size, cut = self.plan[1:]
        return [p for p in self.listed(cut) if self.active(p) or self.players[p][1] > cut][:size]

    def walk(self) -> tuple[dict[str, int], list[str]]:
        """Return the round of each elimination so far, and the remaining players (DW-CUT-3, DW-CUT-6)."""
        alive, out = self.seeded(), dict[str, int]()
        for round in range(self.cut() + 1, self.played + 1):
            through = [self.advances(row, round) for row in self.rows if int(row["round"]) == round]
            out |= dict.fromkeys((p for p in alive if p not in through), round)
            alive = [p for p in alive if p in through]
        here = [p for p in alive if self.active(p)]
        gone = [p for p in alive if here and p not in here]  # the next round will be a walkover
        return out | dict.fromkeys(gone, self.played + 1), here or alive

    def advances(self, row: Row, round: int) -> str:
        """Return the player who advances: the winner, or by BP with earlier rounds added (DW-CUT-4, DW-CUT-5)."""
        one, two = row["player_1"], row["player_2"]
        if not two:
            return one
        points = self.earned(row)
        if points[one][0] != points[two][0]:
            return max((one, two), key=lambda p: points[p][0])
        sums = {one: 0, two: 0}
        for back in range(round, 0, -1):
            for earlier in (r for r in self.rows if int(r["round"]) == back):
                for player, (_, broken) in self.earned(earlier).items():
                    if player in sums and earlier["kind"] != "bye":
                        sums[player] += broken
            if sums[one] != sums[two]:
                return max((one, two), key=lambda p: sums[p])
        return ""  # the recorded draw decides


def standings(event: Event) -> list[tuple[str, int, int]]:
    """Return the rank order with match points and break points (DW-TB-1, DW-AMB-3, DW-AMB-12)."""
    cut = min(event.cut(), event.played)
    sums, order = event.totals(cut), event.listed(cut)
    if event.played > cut:
        out, alive = event.walk()
        reached = dict.fromkeys(alive, 10**6) | out
        order = sorted(order, key=lambda p: -reached.get(p, 0))
    gone = [p for p in order if event.players[p][0] == "disqualified"]
    kept = [p for p in order if p not in gone] + (gone if event.options.get("dq_listed") == "true" else [])
    return [(p, *sums[p]) for p in kept]


def bye_candidates(event: Event, active: Sequence[str]) -> list[str]:
    """Return the players among whom the bye is drawn (DW-PAIR-5, DW-AMB-7)."""
    sums, group = event.totals(event.played), list(active)
    if event.options.get("avoid_repeat_byes") == "true":
        byes = {p: sum(r["kind"] == "bye" and r["player_1"] == p for r in event.rows) for p in group}
        group = [p for p in group if byes[p] == min(byes.values())]
    group = [p for p in group if sums[p][0] == min(sums[q][0] for q in group)]
    byes = {p: sum(r["kind"] == "bye" and r["player_1"] == p for r in event.rows) for p in group}
    return [p for p in group if byes[p] == min(byes.values())]


def rematch_free(order: Sequence[str], met: Mapping[Pair, Cost]) -> list[Pair]:
    """Return the cheapest pairing of the list, of these the first by partners from the top down (DW-AMB-8)."""
    names = list(order)

    @cache
    def least(left: frozenset[int]) -> tuple[Cost, tuple[Pair, ...]]:
        if not left:
            return (0, 0, 0), ()
        first = min(left)
        found = []
        for other in sorted(left - {first}):
            pair = names[first], names[other]
            (a, b, c), (d, e, f) = met.get(pair, (0, 0, 0)), least(left - {first, other})[0]
            found.append(((a + d, b + e, c + f), (pair, *least(left - {first, other})[1])))
            if not a + d:
                break  # no later one costs less
        return min(found, key=lambda one: one[0])  # of equal cost the first, with the highest partner

    return list(least(frozenset(range(len(names))))[1])


def paper(order: Sequence[str], met: Mapping[Pair, Cost], rule: str = "lower") -> list[Pair]:
    """Return the pairs of the paper process (DW-PAIR-3, DW-PAIR-4, DW-AMB-8). `higher`: the higher sheet moves."""
    sheets, pairs, moved = list(order), [], set()
    while sheets:
        a = sheets.pop(0)
        while (a, sheets[0]) in met:
            b = sheets[0]
            free = [sheet for sheet in sheets if (a, sheet) not in met]
            if not free:
                return rematch_free(order, met)
            before = (a, b) in moved
            moved.add((a, b))
            if before:
                sheets = free[:1] + [sheet for sheet in sheets if sheet != free[0]]
            elif rule == "lower":
                sheets = [*sheets[1:3], b, *sheets[3:]]
            else:
                a, sheets = b, [*sheets[1:2], a, *sheets[2:]]
        pairs.append((a, sheets.pop(0)))
    return pairs


def pair(event: Event) -> list[tuple[str, str]]:
    """Return the next round of the first stage: pairs in order, a bye last with an empty name."""
    active = [p for p in event.players if event.active(p)]
    round = event.played + 1
    if round == 1:
        order = drawn(event.seed, "first-pairing", 1, active)
        return [(order[i], order[i + 1] if i + 1 < len(order) else "") for i in range(0, len(order), 2)]
    order = [p for p in event.listed(event.played) if event.active(p)]
    bye = []
    if len(order) % 2:
        bye = drawn(event.seed, "bye", round, bye_candidates(event, order))[:1]
        order.remove(bye[0])
    pairs = paper(order, event.met(), event.options.get("rematch_move", "lower"))
    return pairs + [(p, "") for p in bye]


def bracket(event: Event) -> list[tuple[str, str]]:
    """Return the next elimination round, in the printed order (DW-AMB-4, DW-AMB-11)."""
    size, cut = event.plan[1:]
    alive, seeds = event.walk()[1], event.seeded()
    places = [seeds[n - 1] if n <= len(seeds) else "" for n in PLACES[size]]
    for _ in range(cut, event.played):
        places = [next((p for p in places[i : i + 2] if p in alive), "") for i in range(0, len(places), 2)]
    standing = [p if p and event.active(p) else "" for p in places]
    duels = [standing[i : i + 2] for i in range(0, len(standing), 2)]
    return [(one or two, two if one else "") for one, two in duels if one or two]
