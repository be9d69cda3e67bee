"""The pieces that a pack may name. These tables are complete: nothing registers itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from shared.refusals import Fault
from shared.rules import matching, pairing
from shared.rules.model import Facts, Score, Side
from shared.swiss import margins, outcomes, roster_checks
from shared.swiss.game_parts import Concession, MarginTable, OutcomePoints, Points, ReportedPoints, Result, Scenario
from shared.swiss.roster_parts import (
    Among,
    Count,
    Leader,
    Matched,
    Named,
    OneOf,
    OnePer,
    Perks,
    Priced,
    Purchases,
    Rated,
    Stated,
    Total,
    Unused,
    Upgrades,
    Without,
)


class PointsScheme(Struct, frozen=True):
    """A points scheme.

    - `score`: returns the score of facts, or their faults.
    - `made`: returns the names of its values.
    - `counted`: returns the value that a score reported for an unplayed game stands for.
    - `conceded`: returns the facts of a game that one side conceded, from those reported.
    - `awards`: the words of `concession.award` that it supports.
    - `as_it_stood`: True if the facts of a conceded game contain the reported scores.
    - `recorded`: returns the names of values recorded in addition to the score.
    - `bounds`: returns faults of scores above what the rosters allow.
    - `improbable`: returns faults of possible scores that have never been seen.
    """

    score: Callable[[Facts, Any, Result, Concession, Sequence[Scenario]], Score | list[Fault]]
    made: Callable[[Any], tuple[str, ...]]
    counted: Callable[[Any], str]
    conceded: Callable[[Any, Facts, Side, Concession], Facts]
    awards: frozenset[str]
    as_it_stood: bool = False
    recorded: Callable[[Any], tuple[str, ...]] = lambda points: ()
    bounds: Callable[[Facts, Any], list[Fault]] = lambda facts, points: []
    improbable: Callable[[Facts, Any, Result, Concession], list[Fault]] = lambda facts, points, form, concession: []


class PairingPolicy(Struct, frozen=True):
    """A pairing policy.

    - `group`: splits players in the order of the standings into groups.
    - `purpose`: purpose of the draw that orders each group; empty if the order of the standings stays.
    - `pair`: pairs the groups.
    - `moves`: returns the players that the procedure moves down, each with the earlier opponent who caused it.
    - `cycles`: for a round robin, the number of times that all players meet; its pairs come from a table, not from
      `pair`.
    """

    group: Callable[[Sequence[str], Mapping[str, int]], list[list[str]]] = pairing.one_group
    purpose: str = ""
    pair: Callable[[matching.Groups, matching.Met], list[matching.Pair]] = pairing.pair_in_groups
    moves: Callable[[matching.Groups, matching.Met], Mapping[str, str]] = lambda groups, met: {}
    cycles: int = 0

    @property
    def by_standings(self) -> bool:
        """True if everyone is paired in the order of the standings."""
        return self.group is pairing.one_group and not self.purpose


POINTS_SCHEMES: Mapping[type[Points], PointsScheme] = {
    MarginTable: PointsScheme(
        margins.score_by_margin,
        margins.values_made,
        margins.counted_value,
        margins.concede_before_start,
        frozenset({"full_fleet", "table"}),
        improbable=margins.improbable_by_margin,
    ),
    OutcomePoints: PointsScheme(
        outcomes.score_by_outcome,
        outcomes.values_made,
        outcomes.counted_value,
        outcomes.concede_with_current_score,
        frozenset({"half_list", "bye_score", "table", "table_lead"}),
        as_it_stood=True,
        recorded=outcomes.recorded_names,
        bounds=outcomes.faults_of_lists,
        improbable=outcomes.improbable_by_match,
    ),
    ReportedPoints: PointsScheme(
        outcomes.score_as_reported,
        outcomes.values_as_reported,
        outcomes.counted_as_reported,
        outcomes.concede_before_start,
        frozenset({"most"}),
    ),
}


PAIRING_POLICIES: Mapping[str, PairingPolicy] = {
    "random": PairingPolicy(pairing.one_group, "first-pairing", pairing.pair_in_groups),
    "random_in_bracket": PairingPolicy(pairing.group_by_points, "pairing", pairing.pair_in_groups),
    "fold_in_bracket": PairingPolicy(pairing.group_by_points, "", pairing.pair_folding),
    "slide_in_bracket": PairingPolicy(pairing.group_by_points, "", pairing.pair_sliding),
    "adjacent": PairingPolicy(pairing.one_group, "", pairing.pair_in_groups),
    "paper_lower": PairingPolicy(pairing.one_group, "", pairing.pair_moving_lower, pairing.moves_of_lower),
    "paper_higher": PairingPolicy(pairing.one_group, "", pairing.pair_moving_higher, pairing.moves_of_higher),
    "round_robin": PairingPolicy(cycles=1),
    "double_round_robin": PairingPolicy(cycles=2),
}

BYE_POLICIES: Mapping[str, pairing.ByePolicy] = {
    "fewest": pairing.fewest_values,
    "last_ranked": pairing.last_ranked,
}

BYES_BY_VALUES = frozenset({"fewest"})
"""Bye policies that use the values in `of`."""

ROSTER_CHECKS: Mapping[type, Callable[[Any, Mapping[str, Any]], list[Fault]]] = {
    Total: roster_checks.total,
    Count: roster_checks.count,
    OnePer: roster_checks.one_per,
    OneOf: roster_checks.one_of_values,
    Named: roster_checks.named,
    Priced: roster_checks.priced,
    Unused: roster_checks.unused,
    Matched: roster_checks.matched,
    Purchases: roster_checks.purchases,
    Perks: roster_checks.perks,
    Upgrades: roster_checks.upgrades,
    Rated: roster_checks.rated,
    Stated: roster_checks.stated,
    Leader: roster_checks.leader,
    Without: roster_checks.without,
    Among: roster_checks.among,
}
