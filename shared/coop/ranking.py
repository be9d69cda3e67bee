"""Rankings of tables and survivors, and the reason for each place. The sheet ranks nothing; the rules are ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from shared.coop.ruleset import OUTCOMES, Ranking
from shared.coop.table import power_share

EQUAL = "equal"
"""`by` of a comparison in which two do not differ and share a rank."""


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
    """A comparison. value: smaller is better; text: the value for people."""

    by: str
    value: Any
    text: str
    clause: str


class Separation(NamedTuple):
    """The first comparison in which two differ. by: EQUAL if there is none."""

    by: str
    own: str
    theirs: str
    clause: str


def table_keys(session: CountedSession, rules: Ranking) -> list[Key]:
    """Return the comparisons of a table (AB-RNK-1 to AB-RNK-4, AB-AMB-15 to AB-AMB-17)."""
    outcome = session.outcome
    if outcome == "unfinished" and rules.unfinished == "as_defeat":
        outcome = "defeat"
    first = Key("outcome", OUTCOMES.index(outcome), session.outcome, "AB-RNK-1")
    counted = rounds_of(session, rules)

    def goals(clause: str) -> Key:
        return Key("more goals", -session.goals, str(session.goals), clause)

    def fewer_rounds(clause: str) -> Key:
        return Key("fewer rounds", counted, str(counted), clause)

    if outcome == "victory":
        return [first, fewer_rounds("AB-RNK-2"), _power(session, rules, "AB-RNK-2"), goals("AB-RNK-2")]
    if outcome == "defeat" and rules.defeats == "same_keys":
        return [first, fewer_rounds("AB-AMB-16"), _power(session, rules, "AB-AMB-16"), goals("AB-AMB-16")]
    if outcome == "defeat":
        return [first, goals("AB-RNK-3"), Key("more rounds", -counted, str(counted), "AB-RNK-3")]
    if outcome == "unfinished":
        return [first, goals("AB-RNK-4"), _power(session, rules, "AB-RNK-4"), fewer_rounds("AB-RNK-4")]
    return [first]


def survivor_keys(points: int, victories: int, rounds: int, goals: int) -> list[Key]:
    """Return the comparisons of a survivor after several sessions (AB-RNK-8). rounds: those of the victories."""
    return [
        Key("more points", -points, str(points), "AB-RNK-8"),
        Key("more victories", -victories, str(victories), "AB-RNK-8"),
        Key("fewer rounds", rounds, str(rounds), "AB-RNK-8"),
        Key("more goals", -goals, str(goals), "AB-RNK-8"),
    ]


def separation_of(own: Sequence[Key], theirs: Sequence[Key]) -> Separation:
    """Return the comparison that puts one before the other. Both belong to the same ranking."""
    for own_key, their_key in zip(own, theirs, strict=False):  # tables with different outcomes have different keys
        if own_key.value != their_key.value:
            return Separation(own_key.by, own_key.text, their_key.text, own_key.clause)
    return Separation(EQUAL, "", "", "AB-RNK-5")


def rounds_of(session: CountedSession, rules: Ranking) -> int:
    """Return the rounds of a session that count: begun or completed (AB-RNK-6, AB-AMB-14)."""
    return session.rounds if rules.rounds_counting == "begun" else session.rounds_ended


def _power(session: CountedSession, rules: Ranking, clause: str) -> Key:
    share = power_share(session.position, session.spaces)
    if rules.power_measure == "spaces":
        return Key("smaller power", Fraction(session.position), str(session.position), "AB-AMB-17")
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
    """A survivor over all sessions. rounds: those of the victories."""

    rank: int
    player: str
    points: int
    victories: int
    rounds: int
    goals: int


def rank_tables(played: Iterable[CountedSession], rules: Ranking) -> list[TableRank]:
    """Return every table in order, by scenario side if sides are ranked apart (AB-RNK-1 to AB-RNK-7)."""
    scopes: dict[tuple[str, str], list[CountedSession]] = {}
    for session in played:
        scopes.setdefault(session.side if rules.scope == "per_scenario_side" else ("", ""), []).append(session)
    return [
        TableRank(
            rank=rank,
            session=session.session,
            outcome=session.outcome,
            rounds=rounds_of(session, rules),
            share=power_share(session.position, session.spaces),
            goals=session.goals,
            scope=scope,
        )
        for scope in sorted(scopes)
        for rank, session in _ranked(
            scopes[scope], lambda session: _values(table_keys(session, rules)), lambda session: session.session
        )
    ]


def rank_survivors(played: Iterable[CountedSession], rules: Ranking) -> list[SurvivorRank]:
    """Return every survivor by the sum of their sessions: points, victories, rounds in victories, goals (AB-RNK-8)."""
    sums: dict[str, list[int]] = {}
    for session in played:
        won = session.outcome == "victory"
        for survivor in session.survivors:
            total = sums.setdefault(survivor, [0, 0, 0, 0])
            total[0] += rules.session_points[session.outcome]
            total[1] += won
            total[2] += rounds_of(session, rules) if won else 0
            total[3] += session.goals
    ranked = _ranked(list(sums.items()), lambda row: _values(survivor_keys(*row[1])), lambda row: row[0])
    return [
        SurvivorRank(rank=rank, player=player, points=points, victories=victories, rounds=rounds, goals=goals)
        for rank, (player, (points, victories, rounds, goals)) in ranked
    ]


def _values(keys: Sequence[Key]) -> tuple[Any, ...]:
    """Return the sort key of comparisons: smaller is better."""
    return tuple(key.value for key in keys)


def _ranked(
    rows: Sequence[Row], key: Callable[[Row], tuple[Any, ...]], name: Callable[[Row], str]
) -> list[tuple[int, Row]]:
    """Return rows in order with their ranks. Equal rows share a rank, and the next ranks are skipped (AB-RNK-5)."""
    ranked: list[tuple[int, Row]] = []
    for place, row in enumerate(sorted(rows, key=lambda row: (key(row), name(row))), start=1):
        shared = ranked and key(ranked[-1][1]) == key(row)
        ranked.append((ranked[-1][0] if shared else place, row))
    return ranked
