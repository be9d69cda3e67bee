"""What puts one table, or one survivor, before another: the comparisons in their order, and which of them decided."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import Struct

from shared.formats.coop.rules.ruleset import OUTCOMES, Ranking
from shared.formats.coop.rules.table import power_share

EQUAL = "equal"
"""`by` of a comparison in which nothing separates two: they share a rank."""


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


class Key(NamedTuple):
    """One comparison. value: smaller is better; told: the same for people."""

    by: str
    value: Any
    told: str
    clause: str


class Why(NamedTuple):
    """What separates one from another: the first comparison in which they differ. by: EQUAL where there is none."""

    by: str
    own: str
    theirs: str
    clause: str


def table_keys(one: Played, rules: Ranking) -> list[Key]:
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


def why(own: Sequence[Key], theirs: Sequence[Key]) -> Why:
    """Which comparison puts one before or behind another; both are of one ranking."""
    for one, other in zip(own, theirs, strict=False):  # who differs in outcome has other keys behind it
        if one.value != other.value:
            return Why(one.by, one.told, other.told, one.clause)
    return Why(EQUAL, "", "", "AB-RNK-5")


def rounds_of(one: Played, rules: Ranking) -> int:
    """Rounds of a session: a round counts once begun, or once it is over. AB-RNK-6, AB-AMB-14."""
    return one.rounds if rules.rounds_counting == "begun" else one.rounds_ended


def _power(one: Played, rules: Ranking, clause: str) -> Key:
    share = power_share(one.position, one.spaces)
    if rules.power_measure == "spaces":
        return Key("smaller power", Fraction(one.position), str(one.position), "AB-AMB-17")
    return Key("smaller power", share, f"{share.numerator}/{share.denominator}", clause)
