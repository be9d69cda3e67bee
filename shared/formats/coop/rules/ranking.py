"""The tables of an event in order, and the survivors of several sessions. The sheet ranks nothing: our decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct

from shared.formats.coop.rules.ranking_keys import Key, Played, rounds_of, survivor_keys, table_keys
from shared.formats.coop.rules.ruleset import Ranking
from shared.formats.coop.rules.table import power_share

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
            rounds=rounds_of(one, rules),
            share=power_share(one.position, one.spaces),
            goals=one.goals,
            scope=scope,
        )
        for scope in sorted(scopes)
        for rank, one in _ranked(scopes[scope], lambda one: _values(table_keys(one, rules)), lambda one: one.session)
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
