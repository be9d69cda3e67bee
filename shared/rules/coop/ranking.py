"""The tables of an event in order, and the survivors of several sessions. The sheet ranks nothing: our decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct

from shared.rules.coop.ruleset import OUTCOMES, Ranking
from shared.rules.coop.table import power_share

Row = TypeVar("Row")
Key = tuple[Any, ...]


class Played(Struct, frozen=True, kw_only=True):
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


def rank_tables(played: Iterable[Played], rules: Ranking) -> list[TableRank]:
    """Every table in order; per scenario side one after the other where sides are ranked apart.

    Source: AB-RNK-1 to AB-RNK-7.
    """
    scopes: dict[tuple[str, str], list[Played]] = {}
    for one in played:
        scopes.setdefault(one.side if rules.scope == "per_scenario_side" else ("", ""), []).append(one)
    return [
        TableRank(
            rank=rank,
            session=one.session,
            outcome=one.outcome,
            rounds=_rounds(one, rules),
            share=power_share(one.position, one.spaces),
            goals=one.goals,
            scope=scope,
        )
        for scope in sorted(scopes)
        for rank, one in _ranked(scopes[scope], lambda one: _key(one, rules), lambda one: one.session)
    ]


def rank_survivors(played: Iterable[Played], rules: Ranking) -> list[SurvivorRank]:
    """Every survivor by the sum of their sessions: points, victories, rounds in these, goals. AB-RNK-8."""
    sums: dict[str, list[int]] = {}
    for one in played:
        won = one.outcome == "victory"
        for survivor in one.survivors:
            total = sums.setdefault(survivor, [0, 0, 0, 0])
            total[0] += rules.session_points[one.outcome]
            total[1] += won
            total[2] += _rounds(one, rules) if won else 0
            total[3] += one.goals
    ranked = _ranked(
        list(sums.items()), lambda row: (-row[1][0], -row[1][1], row[1][2], -row[1][3]), lambda row: row[0]
    )
    return [
        SurvivorRank(rank=rank, player=player, points=points, victories=victories, rounds=rounds, goals=goals)
        for rank, (player, (points, victories, rounds, goals)) in ranked
    ]


def _key(one: Played, rules: Ranking) -> Key:
    """What puts a table before another: smaller is better."""
    outcome = one.outcome
    if outcome == "unfinished" and rules.unfinished == "as_defeat":
        outcome = "defeat"
    power = power_share(one.position, one.spaces) if rules.power_measure == "fraction" else Fraction(one.position)
    rounds = _rounds(one, rules)
    keys: Key = ()
    if outcome == "victory" or (outcome == "defeat" and rules.defeats == "same_keys"):
        keys = (rounds, power, -one.goals)
    elif outcome == "defeat":
        keys = (-one.goals, -rounds)
    elif outcome == "unfinished":
        keys = (-one.goals, power, rounds)
    return OUTCOMES.index(outcome), *keys


def _rounds(one: Played, rules: Ranking) -> int:
    """Rounds of a session: a round counts once begun, or once it is over. AB-RNK-6, AB-AMB-14."""
    return one.rounds if rules.rounds_counting == "begun" else one.rounds_ended


def _ranked(rows: Sequence[Row], key: Callable[[Row], Key], name: Callable[[Row], str]) -> list[tuple[int, Row]]:
    """Rows in order with their ranks: equals share one, and the next is skipped. AB-RNK-5."""
    ranked: list[tuple[int, Row]] = []
    for place, row in enumerate(sorted(rows, key=lambda row: (key(row), name(row))), start=1):
        shared = ranked and key(ranked[-1][1]) == key(row)
        ranked.append((ranked[-1][0] if shared else place, row))
    return ranked
