"""The points schemes `outcome_points` and `as_reported`, and matches of several games.

`outcome_points` gives points for a win, a draw and a loss, and keeps the score (FF-RES-2, FF-RES-3, DW-RES-1,
DW-PTS-1). `as_reported` counts the reported points, and the higher side wins. It is meant for chess (1, ½ and 0, kept
as 2, 1 and 0 halves) and for games with their own scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from shared.refusals import NOTHING, Expected, Fault, display_text, expects, one_of
from shared.rules.model import Facts, Outcome, Score, Side
from shared.rules.parts import DRAW
from shared.swiss.board import board_points, is_possible_score, nearest_possible_scores
from shared.swiss.game_parts import Concession, Match, OutcomePoints, Recorded, ReportedPoints, Result, Scenario


def recorded_values(rule: Recorded, facts: Facts, faults: list[Fault]) -> tuple[int, int]:
    """Return the values recorded in addition to the score, for each side. Unreported values are 0.

    A number that the game has once is the same for both sides and may be reported for either (FF-RES-4, FF-AMB-26).
    """
    names = (f"{rule.name}_1", f"{rule.name}_2")
    reported = [(name, facts.extra[name]) for name in names if name in facts.extra]
    if rule.counted == "once" and len({value for _, value in reported}) > 1:
        expected = expects("same-on-both-sides", other=reported[1][1])
        faults.append(Fault(f"/extra/{names[0]}", f"{reported[0][1]}", expected, rule.clause))
        return reported[0][1], reported[0][1]
    for name, value in reported[:1] if rule.counted == "once" else reported:
        if not 0 <= value <= rule.most:
            faults.append(Fault(f"/extra/{name}", f"{value}", expects("between", least=0, most=rule.most), rule.clause))
    if rule.counted == "once":
        value = reported[0][1] if reported else 0
        return value, value
    one, two = (facts.extra.get(name, 0) for name in names)
    if rule.together is not None and one + two > rule.together:
        expected = expects("at-most-together", most=rule.together, other=two)
        faults.append(Fault(f"/extra/{names[0]}", f"{one}", expected, rule.cites("together")))
    return one, two


def faults_of_match(facts: Facts, scheme: OutcomePoints) -> list[Fault]:
    """Return faults for more games than a match can have; empty if the score is not the number of games won.

    If matches differ by round (see `scoring.ruleset_in_round`), the match that allows most applies.
    """
    if scheme.match is None:
        return []
    return min((_faults_of(facts, match) for match in _all_matches(scheme.match)), key=len)


def _all_matches(match: Match) -> list[Match]:
    """Return the match of the first round and those of later rounds."""
    return [match, *(match.in_round(row.from_round) for row in match.later)]


def _faults_of(facts: Facts, match: Match) -> list[Fault]:
    won = facts.points_1 or 0, facts.points_2 or 0
    faults: list[Fault] = []
    if match.best_of:
        enough, clause = match.best_of // 2 + 1, match.cites("best_of")
        for side, games in enumerate(won, 1):
            if games > enough:
                expected = expects("wins-of-match", most=enough, games=match.best_of)
                faults.append(Fault(f"/points_{side}", f"{games}", expected, clause))
        if not faults and sum(won) > match.best_of:
            expected = expects("at-most-together", most=match.best_of, other=won[1])
            faults.append(Fault("/points_1", f"{won[0]}", expected, clause))
    games = sum(won) + _drawn(facts, match.drawn)
    if not faults and match.most_games is not None and games > match.most_games:
        expected = expects("at-most", most=match.most_games)
        expected = expects("games-with-drawn", most=match.most_games) if match.drawn else expected
        faults.append(Fault("/points_1", f"{games}", expected, match.cites("most_games")))
    return faults


def improbable_by_match(facts: Facts, scheme: OutcomePoints, form: Result, concession: Concession) -> list[Fault]:
    """Return a fault for more games than a match is played over: drawn games do not end it. `facts` are possible."""
    if scheme.match is None:
        return []
    match = max(_all_matches(scheme.match), key=lambda match: match.best_of)
    if not match.best_of:
        return []
    games = (facts.points_1 or 0) + (facts.points_2 or 0) + _drawn(facts, match.drawn)
    if games <= match.best_of:
        return []
    where = next((f"/extra/{match.drawn}_{side}" for side in (1, 2) if f"{match.drawn}_{side}" in facts.extra), "")
    expected = expects("games-of-match", most=match.best_of)
    return [Fault(where or "/points_1", f"{games}", expected, match.cites("best_of"))]


def _drawn(facts: Facts, name: str) -> int:
    """Return the number of drawn games, reported for one side or for both."""
    return max(facts.extra.get(f"{name}_{side}", 0) for side in (1, 2)) if name else 0


LIMIT_FAULTS = ("list-within-limit", "score-within-limit")
"""Codes of faults that depend on the roster limit, which an organiser sets."""
MISSING_LIST_FAULTS = ("list-total", "list-total-or-half")
"""Codes of faults about an unreported roster total."""

Ended = Literal[1, 2, "draw"]


def score_by_outcome(
    facts: Facts, scheme: OutcomePoints, form: Result, concession: Concession, scenarios: Sequence[Scenario]
) -> Score | list[Fault]:
    """Return outcome and values of a played game, or every fault of its facts.

    Source: FF-RES-2, FF-RES-3, DW-RES-1, DW-PTS-1; the clauses of the scheme, of the concession and of the scenario.
    """
    faults: list[Fault] = []
    scenario = find_scenario(facts.scenario, scenarios, form, faults)
    if facts.conceded_by is not None:
        faults += [*_faults_of_conceding(facts, scheme, concession), *faults_of_lists(facts, scheme)]
        facts = with_board_points(facts, scenario, faults)
        faults += _faults_of_table(facts, scenario, concession)
        recorded = [recorded_values(rule, facts, faults) for rule in scheme.recorded]
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
    recorded = [recorded_values(rule, facts, faults) for rule in scheme.recorded]
    faults += faults_of_match(facts, scheme)
    winner = _ended(facts, scores[0] - scores[1], scheme, faults)
    if faults or winner is None:
        return faults
    outcomes: tuple[Outcome, Outcome] = ("draw", "draw") if winner == "draw" else _outcomes(winner)
    worth = {"win": scheme.win, "draw": scheme.draw, "loss": scheme.loss}
    values = [
        {scheme.points: worth[outcome], scheme.score: score} for outcome, score in zip(outcomes, scores, strict=True)
    ]
    return _with_recorded(Score(*outcomes, *values), scheme, recorded)


def find_scenario(name: str, scenarios: Sequence[Scenario], form: Result, faults: list[Fault]) -> Scenario | None:
    """Return the scenario with a name or alias; None if the ruleset has none. A scenario outside the pool is a fault.

    Source: FF-SCN-1, FF-AMB-6.
    """
    if not scenarios:
        return None
    scenario = next((known for known in scenarios if name in (known.name, *known.aliases)), None)
    if scenario is None:
        expected = one_of([known.name for known in scenarios])
        faults.append(Fault("/scenario", display_text(name), expected, form.clause))
    elif form.pool and scenario.name not in form.pool:
        expected = expects("one-of-pool", values=list(form.pool))
        faults.append(Fault("/scenario", scenario.name, expected, form.cites("pool")))
    return scenario


def half_of_most(scenario: Scenario, set_most: int | None = None) -> int:
    """Return half of the maximum points of one side in a scenario, rounded up (FF-BYE-2).

    `set_most`: the maximum in every scenario, if the organiser set it (FF-AMB-7).
    """
    most = scenario.most if set_most is None else set_most
    return -(-(most or 0) // 2)


def values_made(scheme: OutcomePoints) -> tuple[str, ...]:
    """Return the names of the values that the scheme makes."""
    return scheme.points, scheme.score, *(rule.name for rule in scheme.recorded)


def counted_value(scheme: OutcomePoints) -> str:
    """Return the value that the score of an unplayed game stands for."""
    return scheme.score


def recorded_names(scheme: OutcomePoints) -> tuple[str, ...]:
    """Return the names of the values recorded in addition to the score."""
    return tuple(rule.name for rule in scheme.recorded)


def concede_with_current_score(scheme: OutcomePoints, reported: Facts, side: Side, concession: Concession) -> Facts:
    """Return the facts of a conceded game with the scores so far, 0 if not reported.

    Source: FF-AMB-14, DW-AMB-19.
    """
    points_1, points_2 = reported.points_1 or 0, reported.points_2 or 0
    return Facts(
        points_1=points_1, points_2=points_2, conceded_by=side, scenario=reported.scenario, extra=reported.extra
    )


def _sides(facts: Facts) -> tuple[tuple[Side, int | None], tuple[Side, int | None]]:
    return (1, facts.points_1), (2, facts.points_2)


def _outcomes(winner: Side) -> tuple[Outcome, Outcome]:
    return ("win", "loss") if winner == 1 else ("loss", "win")


def _whole(where: str, points: int | None, scheme: OutcomePoints, faults: list[Fault]) -> int:
    if points is None or points < 0:
        faults.append(Fault(where, display_text(points), expects("whole-number-from", least=0), scheme.cites("score")))
    return points or 0


def _ended(facts: Facts, difference: int, scheme: OutcomePoints, faults: list[Fault]) -> Ended | None:
    if scheme.decided_by == "report":
        if facts.winner is None:
            faults.append(Fault("/winner", NOTHING, expects("winner-or-draw", draw=DRAW), scheme.cites("decided_by")))
        return facts.winner
    ended: Ended = "draw" if difference == 0 else 1 if difference > 0 else 2
    if facts.winner not in (None, ended):
        faults.append(Fault("/winner", f"{facts.winner}", expected_outcome(ended), scheme.cites("decided_by")))
    return ended


def expected_outcome(ended: Ended) -> Expected:
    """Return the expectation of the winner, or of the draw, that the points give."""
    return expects("draw-by-points", draw=DRAW) if ended == "draw" else expects("winner-by-points", winner=ended)


def _faults_of_scenario(scores: Sequence[int], scenario: Scenario | None, scheme: OutcomePoints) -> list[Fault]:
    """Return faults of scores that the scenario cannot end with (FF-RES-1, FF-SCN-1)."""
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
    if not faults and not is_possible_score((scores[0], scores[1]), scenario):
        split, *nearest = (
            expects("split", one=one, two=two)
            for one, two in ((scores[0], scores[1]), *nearest_possible_scores((scores[0], scores[1]), scenario))
        )
        expected = expects("split-of-scenario", scenario=scenario.name, split=split, nearest=nearest)
        faults.append(Fault("/points_1", f"{scores[0]}", expected, scenario.clause))
    return faults


def with_board_points(facts: Facts, scenario: Scenario | None, faults: list[Fault]) -> Facts:
    """Return the facts with the points from board facts. Impossible facts, and other reported points, are faults.

    Source: FF-RES-1.
    """
    computed = board_points(facts.extra, scenario)
    if computed is None or scenario is None:
        return facts
    if isinstance(computed, list):
        faults += computed
        return facts
    for side, reported, points in ((1, facts.points_1, computed[0]), (2, facts.points_2, computed[1])):
        if reported not in (None, points):
            expected = expects("points-by-board", points=points)
            faults.append(Fault(f"/points_{side}", f"{reported}", expected, scenario.clause))
    return msgspec.structs.replace(facts, points_1=computed[0], points_2=computed[1])


def _with_recorded(score: Score, scheme: OutcomePoints, recorded: Sequence[tuple[int, int]]) -> Score:
    """Return the score with the values recorded in addition to it."""
    names = [rule.name for rule in scheme.recorded]
    ones = dict(zip(names, (one for one, _ in recorded), strict=True))
    twos = dict(zip(names, (two for _, two in recorded), strict=True))
    return Score(score.outcome_1, score.outcome_2, score.values_1 | ones, score.values_2 | twos)


def _faults_of_table(facts: Facts, scenario: Scenario | None, concession: Concession) -> list[Fault]:
    """Return faults of a conceded game's scores: above the scenario's maximum, or a missing score of the winner.

    The two scores need not add up to anything. The winner's score is required if the concession is based on it.
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
    """Return half of a side's roster points, reported in `extra` as `list_<side>`, rounded down or up.

    Source: DW-FOR-2, DW-AMB-2.
    """
    return (facts.extra.get(f"list_{side}", 0) + up) // 2


def missing_list(facts: Facts, side: Side, clause: str, half: str = "") -> list[Fault]:
    """Return a fault if a roster total is missing, half of which is awarded.

    `half`: the fact that may be reported instead, if there is one. Source: DW-FOR-2, DW-AMB-2.
    """
    fact = f"list_{side}"
    if fact in facts.extra:
        return []
    expected = expects("list-total-or-half", fact=fact, half=half) if half else expects("list-total", fact=fact)
    return [Fault(f"/extra/{fact}", NOTHING, expected, clause)]


def faults_of_lists(facts: Facts, scheme: OutcomePoints) -> list[Fault]:
    """Return faults of rosters over the limit, and of scores above the value of the other side's roster (DW-RES-2)."""
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
    """Return faults of a conceded game: negative scores, a different end or winner, a missing roster total.

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
    """Return the score of a conceded game: the other side wins with its score, or with the award if that is more.

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


def score_as_reported(
    facts: Facts, scheme: ReportedPoints, form: Result, concession: Concession, scenarios: Sequence[Scenario]
) -> Score | list[Fault]:
    """Return outcome and points of a played game, or every fault of its facts.

    A side that conceded has no points, the other side `most`.
    """
    if facts.conceded_by is not None:
        won, lost = {scheme.points: scheme.most}, {scheme.points: 0} | concession.conceder
        return Score("loss", "win", lost, won) if facts.conceded_by == 1 else Score("win", "loss", won, lost)
    faults: list[Fault] = []
    scores = [_points(side, points, scheme, faults) for side, points in ((1, facts.points_1), (2, facts.points_2))]
    if not faults and scheme.together is not None and sum(scores) != scheme.together:
        expected = expects("exactly-together", sum=scheme.together, other=scores[0])
        faults.append(Fault("/points_2", f"{scores[1]}", expected, scheme.cites("together")))
    outcome: Literal[1, 2, "draw"] = "draw" if scores[0] == scores[1] else 1 if scores[0] > scores[1] else 2
    if not faults and facts.winner not in (None, outcome):
        faults.append(Fault("/winner", f"{facts.winner}", expected_outcome(outcome), scheme.clause))
    if faults:
        return faults
    outcomes: dict[object, tuple[Outcome, Outcome]] = {1: ("win", "loss"), 2: ("loss", "win"), "draw": ("draw", "draw")}
    return Score(*outcomes[outcome], {scheme.points: scores[0]}, {scheme.points: scores[1]})


def values_as_reported(scheme: ReportedPoints) -> tuple[str, ...]:
    """Return the name of the only value that the scheme makes."""
    return (scheme.points,)


def counted_as_reported(scheme: ReportedPoints) -> str:
    """Return the value that the points of an unplayed game stand for."""
    return scheme.points


def concede_before_start(scheme: ReportedPoints, reported: Facts, side: Side, concession: Concession) -> Facts:
    """Return the facts of a game conceded before its start."""
    return Facts(points_1=0, points_2=0, conceded_by=side)


def _points(side: int, points: int | None, scheme: ReportedPoints, faults: list[Fault]) -> int:
    if points is None or not 0 <= points <= scheme.most:
        expected = expects("whole-number-range", least=0, most=scheme.most)
        faults.append(Fault(f"/points_{side}", display_text(points), expected, scheme.cites("most")))
    return points or 0
