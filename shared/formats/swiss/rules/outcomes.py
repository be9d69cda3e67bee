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
from shared.refusals import Fault, as_said
from shared.rules.model import Facts, Outcome, Score, Side

LIMIT_OF_LISTS = "the limit of lists"
"""How a refusal names the bound that an organiser sets."""

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
        faults.append(Fault("/conceded_by", "nothing", "1 or 2, the side that conceded", concession.clause))
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
        faults.append(
            Fault("/scenario", as_said(name), "one of " + ", ".join(known.name for known in scenarios), form.clause)
        )
    elif form.pool and found.name not in form.pool:
        expected = f"one of {', '.join(form.pool)}, the pool of this event"
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
        said = "no score" if points is None else f"{points}"
        faults.append(Fault(where, said, "a whole number, 0 or more", scheme.cites("score")))
    return points or 0


def _ended(facts: Facts, difference: int, scheme: OutcomePoints, faults: list[Fault]) -> Ended | None:
    if scheme.decided_by == "report":
        if facts.winner is None:
            faults.append(Fault("/winner", "nothing", "1, 2 or draw", scheme.cites("decided_by")))
        return facts.winner
    ended: Ended = "draw" if difference == 0 else 1 if difference > 0 else 2
    if facts.winner not in (None, ended):
        faults.append(Fault("/winner", f"{facts.winner}", f"{ended}, by the points", scheme.cites("decided_by")))
    return ended


def _faults_of_scenario(scores: Sequence[int], scenario: Scenario | None, scheme: OutcomePoints) -> list[Fault]:
    """Scores that the scenario cannot end with. FF-RES-1, FF-SCN-1."""
    if scenario is None:
        return []
    faults = []
    for side, score in enumerate(scores, 1):
        if scenario.most is not None and score > scenario.most:
            faults.append(Fault(f"/points_{side}", f"{score}", f"at most {scenario.most}", scenario.clause))
        if score % scenario.step:
            faults.append(Fault(f"/points_{side}", f"{score}", f"a multiple of {scenario.step}", scenario.clause))
    if scenario.sum_most is not None and sum(scores) > scenario.sum_most:
        said = f"{scores[0]} and {scores[1]}, {sum(scores)} together"
        faults.append(Fault("/points_1", said, f"at most {scenario.sum_most} together", scenario.clause))
    if not faults and not can_end_with((scores[0], scores[1]), scenario):
        said = f"{scores[0]} to {scores[1]}"
        near = ", ".join(f"{one} to {two}" for one, two in nearest_ends((scores[0], scores[1]), scenario))
        expected = f"a split that {scenario.name} can end with; the nearest are {near}"
        faults.append(Fault("/points_1", said, expected, scenario.clause))
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
            faults.append(Fault(f"/points_{side}", f"{told}", f"{points}, by the board facts", scenario.clause))
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
            expected = "the score on the table when the other side conceded, a whole number, 0 or more"
            faults.append(Fault(f"/points_{side}", "nothing", expected, concession.clause))
        most = scenario.most if scenario else None
        if scenario is not None and points is not None and most is not None and points > most:
            faults.append(Fault(f"/points_{side}", f"{points}", f"at most {most}", scenario.clause))
    return faults


def half_of_list(facts: Facts, side: Side, *, up: bool = False) -> int:
    """Half of the points of a side's list, rounded down or up, where it was told in `extra` as `list_<side>`.

    Source: DW-FOR-2, DW-AMB-2.
    """
    return (facts.extra.get(f"list_{side}", 0) + up) // 2


def missing_list(facts: Facts, side: Side, told_as: str, clause: str) -> list[Fault]:
    """That nobody said what a side's list comes to, half of which is awarded. told_as: what may be said instead.

    Source: DW-FOR-2, DW-AMB-2.
    """
    if f"list_{side}" in facts.extra:
        return []
    expected = f"the total of that side's list, half of which is awarded, as list_{side}=TOTAL{told_as}"
    return [Fault(f"/extra/list_{side}", "nothing", expected, clause)]


def faults_of_lists(facts: Facts, scheme: OutcomePoints) -> list[Fault]:
    """Lists over the limit, and scores above what the other side's list (or any list) is worth. DW-RES-2."""
    limit = scheme.list_limit
    if limit is None:
        return []
    clause, faults = scheme.cites("list_limit"), []
    for side, other, score in ((1, 2, facts.points_1), (2, 1, facts.points_2)):
        worth = facts.extra.get(f"list_{other}")
        if worth is not None and not 0 <= worth <= limit:
            faults.append(Fault(f"/extra/list_{other}", f"{worth}", f"0 to {limit}, {LIMIT_OF_LISTS}", clause))
        most = limit if worth is None else min(limit, worth)
        if score is not None and score > most:
            said = LIMIT_OF_LISTS if worth is None else "the opponent's list"
            faults.append(Fault(f"/points_{side}", f"{score}", f"at most {most}, {said}", clause))
    return faults


def _faults_of_conceding(facts: Facts, scheme: OutcomePoints, concession: Concession) -> list[Fault]:
    """Negative scores, another end than a concession, a winner who is not the other side, a list that is missing.

    Source: FF-AMB-14, DW-AMB-19.
    """
    conceder: Side = facts.conceded_by or 1
    faults = missing_list(facts, conceder, "", concession.clause) if concession.award == "half_list" else []
    for side, points in _sides(facts):
        if points is not None:
            _whole(f"/points_{side}", points, scheme, faults)
    if facts.end not in (None, "concession"):
        faults.append(Fault("/end", f"{facts.end}", "nothing, or 'concession'", concession.clause))
    if facts.winner is not None and facts.winner != 3 - (facts.conceded_by or 1):
        expected = f"{3 - (facts.conceded_by or 1)}, to whom the other side conceded"
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
