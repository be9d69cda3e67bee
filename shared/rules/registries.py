"""The pieces that a pack may name. These tables are the whole of it: nothing registers itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from shared.refusals import Fault
from shared.rules import (
    brackets,
    byes,
    crew_checks,
    margins,
    matches,
    matching,
    outcomes,
    paper,
    percentages,
    reported,
    roster_checks,
    tiebreakers,
)
from shared.rules.game_parts import Concession, MarginTable, OutcomePoints, Points, ReportedPoints, Result, Scenario
from shared.rules.model import Facts, Score, Side
from shared.rules.roster_parts import (
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
    """score: facts to a score, or why they are impossible. made: the values it makes, by name.

    counted: the value that a score reported for an unplayed game would stand for. conceded: the facts of a game that
    one side gave up, from those that were told of it; as_it_stood: whether the scores told are among them. recorded:
    the names of what is told of each side beside the score. bounds: scores that are higher than the lists allow.
    improbable: scores of a possible game that nobody has seen yet, by the result form. awards: the words of
    `concession.award` that it knows.
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
    """group: who belongs together, from the standings order and the points. purpose: of the draw that orders each
    group (empty: the standings order stands). pair: the groups and who has met -> pairs. moves: the same -> who was
    put behind others on the way, and the opponent met before because of whom; where the procedure does that.
    """

    group: Callable[[Sequence[str], Mapping[str, int]], list[list[str]]]
    purpose: str
    pair: Callable[[matching.Groups, matching.Met], list[matching.Pair]]
    moves: Callable[[matching.Groups, matching.Met], Mapping[str, str]] = lambda groups, met: {}

    @property
    def by_standings(self) -> bool:
        """Whether everybody is paired in the order of the standings."""
        return self.group is brackets.everybody and not self.purpose


POINTS_SCHEMES: Mapping[type[Points], PointsScheme] = {
    MarginTable: PointsScheme(
        margins.score_by_margin,
        margins.values_made,
        margins.counted_value,
        margins.conceded_at_once,
        frozenset({"full_fleet", "table"}),
        improbable=margins.improbable_by_margin,
    ),
    OutcomePoints: PointsScheme(
        outcomes.score_by_outcome,
        outcomes.values_made,
        outcomes.counted_value,
        outcomes.conceded_as_it_stood,
        frozenset({"half_list", "bye_score", "table", "table_lead"}),
        as_it_stood=True,
        recorded=outcomes.names_recorded,
        bounds=outcomes.faults_of_lists,
        improbable=matches.improbable_by_match,
    ),
    ReportedPoints: PointsScheme(
        reported.score_as_reported,
        reported.values_made,
        reported.counted_value,
        reported.conceded_at_once,
        frozenset({"most"}),
    ),
}

TIEBREAKERS: Mapping[str, tiebreakers.Tiebreaker] = {
    "total": tiebreakers.total,
    "against": tiebreakers.against,
    "difference": tiebreakers.difference,
    "wins": tiebreakers.wins,
    "cumulative": tiebreakers.cumulative,
    "head_to_head": tiebreakers.head_to_head,
    "schedule_sum": tiebreakers.schedule_sum,
    "schedule_average": tiebreakers.schedule_average,
    "schedule_mean": tiebreakers.schedule_mean,
    "schedule_extended": tiebreakers.schedule_extended,
    "buchholz": tiebreakers.buchholz,
    "sonneborn_berger": tiebreakers.sonneborn_berger,
    "match_win": percentages.match_win,
    "opponents_match_win": percentages.opponents_match_win,
    "game_win": percentages.game_win,
    "opponents_game_win": percentages.opponents_game_win,
}

WITHIN_THE_GROUP = frozenset({"head_to_head"})
"""Tiebreakers whose value depends on who else is tied."""

OF_NOTHING = frozenset({"wins", "head_to_head"})
"""Tiebreakers that are made of outcomes and of no value."""

OF_POSSIBLE = frozenset({"match_win", "opponents_match_win", "game_win", "opponents_game_win"})
"""Tiebreakers that divide by what was possible, and must be told how much that is."""

SETTINGS: Mapping[str, frozenset[str]] = {
    "buchholz": frozenset({"cut_lowest", "cut_highest"}),
    "match_win": frozenset({"full", "floor"}),
    "opponents_match_win": frozenset({"full", "floor"}),
    "game_win": frozenset({"full", "drawn", "floor"}),
    "opponents_game_win": frozenset({"full", "drawn", "floor"}),
}
"""Tiebreaker -> the settings of its own that it uses; no other uses any."""

PAIRING_POLICIES: Mapping[str, PairingPolicy] = {
    "random": PairingPolicy(brackets.everybody, "first-pairing", brackets.pair_in_groups),
    "random_in_bracket": PairingPolicy(brackets.by_points, "pairing", brackets.pair_in_groups),
    "fold_in_bracket": PairingPolicy(brackets.by_points, "", brackets.pair_folding),
    "slide_in_bracket": PairingPolicy(brackets.by_points, "", brackets.pair_sliding),
    "adjacent": PairingPolicy(brackets.everybody, "", brackets.pair_in_groups),
    "paper_lower": PairingPolicy(brackets.everybody, "", paper.pair_moving_lower, paper.moves_of_lower),
    "paper_higher": PairingPolicy(brackets.everybody, "", paper.pair_moving_higher, paper.moves_of_higher),
}

BYE_POLICIES: Mapping[str, byes.ByePolicy] = {
    "fewest": byes.fewest_values,
    "last_ranked": byes.last_ranked,
}

BYES_BY_VALUES = frozenset({"fewest"})
"""Policies of the bye that go by the values in `of`."""

ROSTER_CHECKS: Mapping[type, Callable[[Any, Mapping[str, Any]], list[Fault]]] = {
    Total: roster_checks.total,
    Count: roster_checks.count,
    OnePer: roster_checks.one_per,
    OneOf: roster_checks.one_of,
    Named: roster_checks.named,
    Priced: roster_checks.priced,
    Unused: roster_checks.unused,
    Matched: crew_checks.matched,
    Purchases: crew_checks.purchases,
    Perks: crew_checks.perks,
    Upgrades: crew_checks.upgrades,
    Rated: crew_checks.rated,
    Stated: crew_checks.stated,
    Leader: crew_checks.leader,
    Without: crew_checks.without,
    Among: crew_checks.among,
}
