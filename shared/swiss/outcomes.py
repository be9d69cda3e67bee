"""The points scheme `outcome_points`: points for a win, a draw and a loss, and the score itself beside them.

Source: FF-RES-2, FF-RES-3, DW-RES-1, DW-PTS-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from shared.formats.swiss.rules.board_facts import can_end_with, nearest_ends, points_on_the_board
from shared.formats.swiss.rules.game_parts import Concession, OutcomePoints, Result, Scenario
from shared.formats.swiss.rules.matches import faults_of_match, recorded_of
from shared.refusals import NOTHING, Expected, Fault, as_said, expects, one_of
from shared.rules.model import Facts, Outcome, Score, Side
from shared.rules.words import DRAW

BY_LIMIT = ("list-within-limit", "score-within-limit")
"""Codes of faults that come from the most points of a list, which an organiser sets."""
LIST_MISSING = ("list-total", "list-total-or-half")
"""Codes of faults of a list whose total was not reported."""

Ended = Literal[1, 2, "draw"]


def score_by_outcome(
    facts: Facts, scheme: OutcomePoints, form: Result, concession: Concession, scenarios: Sequence[Scenario]
) -> Score | list[Fault]:
    """Outcome and values of a played game, or everything that makes its facts impossible.

    Source: FF-RES-2, FF-RES-3, DW-RES-1, DW-PTS-1; the clauses of the scheme, of the concession and of the scenario.
    """
    faults: list[Fault] = []
    scenario = scenario_of(facts.scenario, scenarios, form, faults)
    if facts.conceded_by is not None:
        faults += [*_faults_of_conceding(facts, scheme, concession), *faults_of_lists(facts, scheme)]
        facts = with_board_points(facts, scenario, faults)
        faults += _faults_of_table(facts, scenario, concession)
        recorded = [recorded_of(rule, facts, faults) for rule in scheme.recorded]
        faults += faults_of_match(facts, scheme)
        return faults or _with_recorded(_conceded(facts, scheme, concession, scenario), scheme, recorded)
    if facts.end == "concession":
        faults.append(Fault("/conceded_by", NOTHING, expects("conceding-side"), concession.clause))
    facts = with_board_points(facts, scenario, faults)
    if faults:
        return faults
    scores = [_whole(f"/points_{side}", points, scheme, faults) for side, points in _sides(facts)]
    if faults:
        if scheme.decided_by == "report":
            _ended(facts, 0, scheme, faults)
        return faults
    faults += _faults_of_scenario(scores, scenario, scheme)
    faults += faults_of_lists(facts, scheme)
    recorded = [recorded_of(rule, facts, faults) for rule in scheme.recorded]
    faults += faults_of_match(facts, scheme)
    ended = _ended(facts, scores[0] - scores[1], scheme, faults)
    if faults or ended is None:
        return faults
    outcomes: tuple[Outcome, Outcome] = ("draw", "draw") if ended == "draw" else _outcomes(ended)
    worth = {"win": scheme.win, "draw": scheme.draw, "loss": scheme.loss}
    values = [
        {scheme.points: worth[outcome], scheme.score: score} for outcome, score in zip(outcomes, scores, strict=True)
    ]
    return _with_recorded(Score(*outcomes, *values), scheme, recorded)


def scenario_of(name: str, scenarios: Sequence[Scenario], form: Result, faults: list[Fault]) -> Scenario | None:
    """The scenario that goes by a name or an alias; None where the ruleset has none. One not in the pool is a fault.

    Source: FF-SCN-1, FF-AMB-6.
    """
    if not scenarios:
        return None
    found = next((known for known in scenarios if name in (known.name, *known.aliases)), None)
    if found is None:
        expected = one_of([known.name for known in scenarios])
        faults.append(Fault("/scenario", as_said(name), expected, form.clause))
    elif form.pool and found.name not in form.pool:
        expected = expects("one-of-pool", values=list(form.pool))
        faults.append(Fault("/scenario", found.name, expected, form.cites("pool")))
    return found


def half_of_most(scenario: Scenario, set_most: int | None = None) -> int:
    """Half of the most points that one side can score in a scenario, rounded up. FF-BYE-2.

    set_most: what counts as the most in every scenario, where the organiser set it. FF-AMB-7.
    """
    most = scenario.most if set_most is None else set_most
    return -(-(most or 0) // 2)


def values_made(scheme: OutcomePoints) -> tuple[str, ...]:
    """The names of the values that the scheme makes."""
    return scheme.points, scheme.score, *(rule.name for rule in scheme.recorded)


def counted_value(scheme: OutcomePoints) -> str:
    """The value that the score of an unplayed game would stand for."""
    return scheme.score


def names_recorded(scheme: OutcomePoints) -> tuple[str, ...]:
    """What is told of each side beside the score."""
    return tuple(rule.name for rule in scheme.recorded)


def conceded_as_it_stood(scheme: OutcomePoints, told: Facts, side: Side, concession: Concession) -> Facts:
    """The facts of a game that a side gave up: the scores so far, 0 where nothing was told.

    Source: FF-AMB-14, DW-AMB-19.
    """
    points_1, points_2 = told.points_1 or 0, told.points_2 or 0
    return Facts(points_1=points_1, points_2=points_2, conceded_by=side, scenario=told.scenario, extra=told.extra)


def _sides(facts: Facts) -> tuple[tuple[Side, int | None], tuple[Side, int | None]]:
    return (1, facts.points_1), (2, facts.points_2)


def _outcomes(winner: Side) -> tuple[Outcome, Outcome]:
    return ("win", "loss") if winner == 1 else ("loss", "win")


def _whole(where: str, points: int | None, scheme: OutcomePoints, faults: list[Fault]) -> int:
    if points is None or points < 0:
        faults.append(Fault(where, as_said(points), expects("whole-number-from", least=0), scheme.cites("score")))
    return points or 0


def _ended(facts: Facts, difference: int, scheme: OutcomePoints, faults: list[Fault]) -> Ended | None:
    if scheme.decided_by == "report":
        if facts.winner is None:
            faults.append(Fault("/winner", NOTHING, expects("winner-or-draw", draw=DRAW), scheme.cites("decided_by")))
        return facts.winner
    ended: Ended = "draw" if difference == 0 else 1 if difference > 0 else 2
    if facts.winner not in (None, ended):
        faults.append(Fault("/winner", f"{facts.winner}", by_points(ended), scheme.cites("decided_by")))
    return ended


def by_points(ended: Ended) -> Expected:
    """Return the expectation of the winner, or of the draw, that the points make."""
    return expects("draw-by-points", draw=DRAW) if ended == "draw" else expects("winner-by-points", winner=ended)


def _faults_of_scenario(scores: Sequence[int], scenario: Scenario | None, scheme: OutcomePoints) -> list[Fault]:
    """Scores that the scenario cannot end with. FF-RES-1, FF-SCN-1."""
    if scenario is None:
        return []
    faults = []
    for side, score in enumerate(scores, 1):
        if scenario.most is not None and score > scenario.most:
            faults.append(Fault(f"/points_{side}", f"{score}", expects("at-most", most=scenario.most), scenario.clause))
        if score % scenario.step:
            faults.append(
                Fault(f"/points_{side}", f"{score}", expects("multiple-of", step=scenario.step), scenario.clause)
            )
    if scenario.sum_most is not None and sum(scores) > scenario.sum_most:
        expected = expects("at-most-together", most=scenario.sum_most, other=scores[1])
        faults.append(Fault("/points_1", f"{scores[0]}", expected, scenario.clause))
    if not faults and not can_end_with((scores[0], scores[1]), scenario):
        split, *nearest = (
            expects("split", one=one, two=two)
            for one, two in ((scores[0], scores[1]), *nearest_ends((scores[0], scores[1]), scenario))
        )
        expected = expects("split-of-scenario", scenario=scenario.name, split=split, nearest=nearest)
        faults.append(Fault("/points_1", f"{scores[0]}", expected, scenario.clause))
    return faults


def with_board_points(facts: Facts, scenario: Scenario | None, faults: list[Fault]) -> Facts:
    """The facts with the points that the board facts make; impossible ones, and other points told, are faults.

    Source: FF-RES-1.
    """
    made = points_on_the_board(facts.extra, scenario)
    if made is None or scenario is None:
        return facts
    if isinstance(made, list):
        faults += made
        return facts
    for side, told, points in ((1, facts.points_1, made[0]), (2, facts.points_2, made[1])):
        if told not in (None, points):
            expected = expects("points-by-board", points=points)
            faults.append(Fault(f"/points_{side}", f"{told}", expected, scenario.clause))
    return msgspec.structs.replace(facts, points_1=made[0], points_2=made[1])


def _with_recorded(score: Score, scheme: OutcomePoints, recorded: Sequence[tuple[int, int]]) -> Score:
    """The score with what is recorded beside it."""
    names = [rule.name for rule in scheme.recorded]
    ones = dict(zip(names, (one for one, _ in recorded), strict=True))
    twos = dict(zip(names, (two for _, two in recorded), strict=True))
    return Score(score.outcome_1, score.outcome_2, score.values_1 | ones, score.values_2 | twos)


def _faults_of_table(facts: Facts, scenario: Scenario | None, concession: Concession) -> list[Fault]:
    """Scores over the most that the scenario gives, in a game that was given up; any split may have been reached.

    The winner's has to be told where it is what the concession gives, alone or as the larger of two numbers.
    Source: FF-AMB-14, FF-SCN-1, DW-AMB-19.
    """
    faults: list[Fault] = []
    winner: Side = 1 if facts.conceded_by == 2 else 2
    for side, points in _sides(facts):
        if points is None and side == winner and concession.award in ("table", "half_list"):
            faults.append(Fault(f"/points_{side}", NOTHING, expects("score-at-concession"), concession.clause))
        most = scenario.most if scenario else None
        if scenario is not None and points is not None and most is not None and points > most:
            faults.append(Fault(f"/points_{side}", f"{points}", expects("at-most", most=most), scenario.clause))
    return faults


def half_of_list(facts: Facts, side: Side, *, up: bool = False) -> int:
    """Half of the points of a side's list, rounded down or up, where it was told in `extra` as `list_<side>`.

    Source: DW-FOR-2, DW-AMB-2.
    """
    return (facts.extra.get(f"list_{side}", 0) + up) // 2


def missing_list(facts: Facts, side: Side, clause: str, half: str = "") -> list[Fault]:
    """Return the fault of a list whose total is missing, half of which is awarded.

    half: the fact that may be reported instead, if there is one. Source: DW-FOR-2, DW-AMB-2.
    """
    fact = f"list_{side}"
    if fact in facts.extra:
        return []
    expected = expects("list-total-or-half", fact=fact, half=half) if half else expects("list-total", fact=fact)
    return [Fault(f"/extra/{fact}", NOTHING, expected, clause)]


def faults_of_lists(facts: Facts, scheme: OutcomePoints) -> list[Fault]:
    """Lists over the limit, and scores above what the other side's list (or any list) is worth. DW-RES-2."""
    limit = scheme.list_limit
    if limit is None:
        return []
    clause, faults = scheme.cites("list_limit"), []
    for side, other, score in ((1, 2, facts.points_1), (2, 1, facts.points_2)):
        worth = facts.extra.get(f"list_{other}")
        if worth is not None and not 0 <= worth <= limit:
            expected = expects("list-within-limit", most=limit)
            faults.append(Fault(f"/extra/list_{other}", f"{worth}", expected, clause))
        most = limit if worth is None else min(limit, worth)
        if score is not None and score > most:
            within = expects("score-within-list", most=most)
            within = expects("score-within-limit", most=most) if worth is None else within
            faults.append(Fault(f"/points_{side}", f"{score}", within, clause))
    return faults


def _faults_of_conceding(facts: Facts, scheme: OutcomePoints, concession: Concession) -> list[Fault]:
    """Negative scores, another end than a concession, a winner who is not the other side, a list that is missing.

    Source: FF-AMB-14, DW-AMB-19.
    """
    conceder: Side = facts.conceded_by or 1
    faults = missing_list(facts, conceder, concession.clause) if concession.award == "half_list" else []
    for side, points in _sides(facts):
        if points is not None:
            _whole(f"/points_{side}", points, scheme, faults)
    if facts.end not in (None, "concession"):
        faults.append(Fault("/end", f"{facts.end}", expects("concession-or-nothing"), concession.clause))
    if facts.winner is not None and facts.winner != 3 - (facts.conceded_by or 1):
        expected = expects("winner-by-concession", winner=3 - (facts.conceded_by or 1))
        faults.append(Fault("/winner", f"{facts.winner}", expected, concession.clause))
    return faults


def _conceded(facts: Facts, scheme: OutcomePoints, concession: Concession, scenario: Scenario | None) -> Score:
    """The conceder has nothing; the other side wins with its score, or with what is awarded if that is more.

    Source: FF-AMB-14, DW-AMB-19.
    """
    conceder: Side = facts.conceded_by or 1
    table = (facts.points_2 if conceder == 1 else facts.points_1) or 0
    awarded = 0
    if concession.award == "half_list":
        awarded = half_of_list(facts, conceder)
    elif concession.award == "bye_score" and scenario is not None:
        awarded = half_of_most(scenario, concession.scenario_most)
    elif concession.award == "table_lead":
        awarded = 1
    won = {scheme.points: scheme.win, scheme.score: max(table, awarded)}
    lost = {scheme.points: scheme.loss, scheme.score: 0} | concession.conceder
    return Score("win", "loss", won, lost) if conceder == 2 else Score("loss", "win", lost, won)
