"""Rankings: the tables of an event in order, the survivors of several sessions, and the reason of each place.

The sheet ranks nothing: our decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from shared.coop.ruleset import OUTCOMES, Ranking
from shared.coop.table import power_share

EQUAL = "equal"
"""`by` of a comparison in which nothing separates two: they share a rank."""


class CountedSession(Struct, frozen=True, kw_only=True):
    """A session that counts. rounds: begun; rounds_ended: completed. side: the scenario and its loyal faction."""

    session: str
    survivors: tuple[str, ...]
    outcome: str
    rounds: int
    rounds_ended: int
    position: int
    spaces: int
    goals: int
    side: tuple[str, str] = ("", "")


class Key(NamedTuple):
    """One comparison. value: smaller is better; told: the same for people."""

    by: str
    value: Any
    told: str
    clause: str


class Separation(NamedTuple):
    """What separates one from another: the first comparison in which they differ. by: EQUAL where there is none."""

    by: str
    own: str
    theirs: str
    clause: str


def table_keys(one: CountedSession, rules: Ranking) -> list[Key]:
    """What a table is compared by. Source: AB-RNK-1 to AB-RNK-4, AB-AMB-15 to AB-AMB-17."""
    outcome = one.outcome
    if outcome == "unfinished" and rules.unfinished == "as_defeat":
        outcome = "defeat"
    first = Key("outcome", OUTCOMES.index(outcome), one.outcome, "AB-RNK-1")
    counted = rounds_of(one, rules)

    def goals(clause: str) -> Key:
        return Key("more goals", -one.goals, str(one.goals), clause)

    def fewer_rounds(clause: str) -> Key:
        return Key("fewer rounds", counted, str(counted), clause)

    if outcome == "victory":
        return [first, fewer_rounds("AB-RNK-2"), _power(one, rules, "AB-RNK-2"), goals("AB-RNK-2")]
    if outcome == "defeat" and rules.defeats == "same_keys":
        return [first, fewer_rounds("AB-AMB-16"), _power(one, rules, "AB-AMB-16"), goals("AB-AMB-16")]
    if outcome == "defeat":
        return [first, goals("AB-RNK-3"), Key("more rounds", -counted, str(counted), "AB-RNK-3")]
    if outcome == "unfinished":
        return [first, goals("AB-RNK-4"), _power(one, rules, "AB-RNK-4"), fewer_rounds("AB-RNK-4")]
    return [first]


def survivor_keys(points: int, victories: int, rounds: int, goals: int) -> list[Key]:
    """What a survivor is compared by after several sessions. rounds: in the victories. Source: AB-RNK-8."""
    return [
        Key("more points", -points, str(points), "AB-RNK-8"),
        Key("more victories", -victories, str(victories), "AB-RNK-8"),
        Key("fewer rounds", rounds, str(rounds), "AB-RNK-8"),
        Key("more goals", -goals, str(goals), "AB-RNK-8"),
    ]


def separation_of(own: Sequence[Key], theirs: Sequence[Key]) -> Separation:
    """Which comparison puts one before or behind another; both are of one ranking."""
    for one, other in zip(own, theirs, strict=False):  # who differs in outcome has other keys behind it
        if one.value != other.value:
            return Separation(one.by, one.told, other.told, one.clause)
    return Separation(EQUAL, "", "", "AB-RNK-5")


def rounds_of(one: CountedSession, rules: Ranking) -> int:
    """Rounds of a session: a round counts once begun, or once it is over. AB-RNK-6, AB-AMB-14."""
    return one.rounds if rules.rounds_counting == "begun" else one.rounds_ended


def _power(one: CountedSession, rules: Ranking, clause: str) -> Key:
    share = power_share(one.position, one.spaces)
    if rules.power_measure == "spaces":
        return Key("smaller power", Fraction(one.position), str(one.position), "AB-AMB-17")
    return Key("smaller power", share, f"{share.numerator}/{share.denominator}", clause)


Row = TypeVar("Row")


class TableRank(Struct, frozen=True, kw_only=True):
    """A table in the ranking. rank: from 1, shared by equals. scope: the side it is ranked among; empty for all."""

    rank: int
    session: str
    outcome: str
    rounds: int
    share: Fraction
    goals: int
    scope: tuple[str, str] = ("", "")


class SurvivorRank(Struct, frozen=True, kw_only=True):
    """A survivor after all sessions. rounds: of the victories alone."""

    rank: int
    player: str
    points: int
    victories: int
    rounds: int
    goals: int


def rank_tables(played: Iterable[CountedSession], rules: Ranking) -> list[TableRank]:
    """Every table in order; per scenario side one after the other where sides are ranked apart.

    Source: AB-RNK-1 to AB-RNK-7.
    """
    scopes: dict[tuple[str, str], list[CountedSession]] = {}
    for one in played:
        scopes.setdefault(one.side if rules.scope == "per_scenario_side" else ("", ""), []).append(one)
    return [
        TableRank(
            rank=rank,
            session=one.session,
            outcome=one.outcome,
            rounds=rounds_of(one, rules),
            share=power_share(one.position, one.spaces),
            goals=one.goals,
            scope=scope,
        )
        for scope in sorted(scopes)
        for rank, one in _ranked(scopes[scope], lambda one: _values(table_keys(one, rules)), lambda one: one.session)
    ]


def rank_survivors(played: Iterable[CountedSession], rules: Ranking) -> list[SurvivorRank]:
    """Every survivor by the sum of their sessions: points, victories, rounds in these, goals. AB-RNK-8."""
    sums: dict[str, list[int]] = {}
    for one in played:
        won = one.outcome == "victory"
        for survivor in one.survivors:
            total = sums.setdefault(survivor, [0, 0, 0, 0])
            total[0] += rules.session_points[one.outcome]
            total[1] += won
            total[2] += rounds_of(one, rules) if won else 0
            total[3] += one.goals
    ranked = _ranked(list(sums.items()), lambda row: _values(survivor_keys(*row[1])), lambda row: row[0])
    return [
        SurvivorRank(rank=rank, player=player, points=points, victories=victories, rounds=rounds, goals=goals)
        for rank, (player, (points, victories, rounds, goals)) in ranked
    ]


def _values(keys: Sequence[Key]) -> tuple[Any, ...]:
    """What is sorted by: smaller is better."""
    return tuple(key.value for key in keys)


def _ranked(
    rows: Sequence[Row], key: Callable[[Row], tuple[Any, ...]], name: Callable[[Row], str]
) -> list[tuple[int, Row]]:
    """Rows in order with their ranks: equals share one, and the next is skipped. AB-RNK-5."""
    ranked: list[tuple[int, Row]] = []
    for place, row in enumerate(sorted(rows, key=lambda row: (key(row), name(row))), start=1):
        shared = ranked and key(ranked[-1][1]) == key(row)
        ranked.append((ranked[-1][0] if shared else place, row))
    return ranked
