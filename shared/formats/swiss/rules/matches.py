"""What is told beside the score of a game, and what a match can be: won and drawn games of both sides."""

from __future__ import annotations

from shared.formats.swiss.rules.game_parts import Concession, Match, OutcomePoints, Recorded, Result
from shared.refusals import Fault, expects
from shared.rules.model import Facts


def recorded_of(rule: Recorded, facts: Facts, faults: list[Fault]) -> tuple[int, int]:
    """What is recorded beside the score for each side; nothing reported is 0.

    A number that the game has once is the same for both sides, and told of either. FF-RES-4, FF-AMB-26.
    """
    names = (f"{rule.name}_1", f"{rule.name}_2")
    told = [(name, facts.extra[name]) for name in names if name in facts.extra]
    if rule.counted == "once" and len({value for _, value in told}) > 1:
        expected = expects("same-on-both-sides", other=told[1][1])
        faults.append(Fault(f"/extra/{names[0]}", f"{told[0][1]}", expected, rule.clause))
        return told[0][1], told[0][1]
    for name, value in told[:1] if rule.counted == "once" else told:
        if not 0 <= value <= rule.most:
            faults.append(Fault(f"/extra/{name}", f"{value}", expects("between", least=0, most=rule.most), rule.clause))
    if rule.counted == "once":
        value = told[0][1] if told else 0
        return value, value
    one, two = (facts.extra.get(name, 0) for name in names)
    if rule.together is not None and one + two > rule.together:
        expected = expects("at-most-together", most=rule.together, other=two)
        faults.append(Fault(f"/extra/{names[0]}", f"{one}", expected, rule.cites("together")))
    return one, two


def faults_of_match(facts: Facts, scheme: OutcomePoints) -> list[Fault]:
    """More games than a match of the ruleset can have; nothing where the score is none of games won.

    Where matches differ by round (see `scoring.in_its_round`), the fault is that of the match which allows most.
    """
    if scheme.match is None:
        return []
    return min((_faults_of(facts, match) for match in _every(scheme.match)), key=len)


def _every(match: Match) -> list[Match]:
    """Return the match of the first round, and those of later ones."""
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
    """More games than a match is played over, since drawn ones do not end it; facts: of a game that is possible."""
    if scheme.match is None:
        return []
    match = max(_every(scheme.match), key=lambda one: one.best_of)
    if not match.best_of:
        return []
    games = (facts.points_1 or 0) + (facts.points_2 or 0) + _drawn(facts, match.drawn)
    if games <= match.best_of:
        return []
    where = next((f"/extra/{match.drawn}_{side}" for side in (1, 2) if f"{match.drawn}_{side}" in facts.extra), "")
    expected = expects("games-of-match", most=match.best_of)
    return [Fault(where or "/points_1", f"{games}", expected, match.cites("best_of"))]


def _drawn(facts: Facts, name: str) -> int:
    """Drawn games, told of one side or of both."""
    return max(facts.extra.get(f"{name}_{side}", 0) for side in (1, 2)) if name else 0
