"""The points scheme `margin_table`: points of fleets, the winner's margin, and the points that the table gives for it.

Source of the points of a side: AR-RES-5, AR-RES-6, AR-SCN-1.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.refusals import NOTHING, Expected, Fault, expects, one_of
from shared.rules.model import Facts, Score, Side
from shared.rules.parts import DRAW
from shared.swiss.game_parts import Band, Concession, EndRule, MarginTable, Result, Scenario


class Destroyed(Struct, frozen=True):
    """The possible values of destroyed units: 0 to `most` if the fleet has ships left, `whole` if it has none.

    `most` is None if no ship was left, `whole` is None if some were.
    """

    most: int | None
    whole: int | None
    clause: str

    def faults(self, where: str, reported: str, worth: int, objectives: int = 0) -> list[Fault]:
        """Return a fault unless destroyed units can be worth `worth`.

        - `reported`: the reported number.
        - `objectives`: points for objectives included in it.
        """
        if worth == self.whole or (self.most is not None and 0 <= worth <= self.most):
            return []
        expected = expects("destroyed-units", most=self.most)
        if self.most is None:
            expected = expects("whole-fleet", whole=self.whole)
        elif self.whole is not None:
            expected = expects("destroyed-units-or-fleet", most=self.most, whole=self.whole)
        if objectives:
            expected = expects("and-objectives", right=expected, objectives=objectives)
        return [Fault(where, reported, expected, self.clause)]


def score_of_side(
    facts: Facts, side: Side, table: MarginTable, end: EndRule | None, whole: str, faults: list[Fault]
) -> int | None:
    """Return the score of a side from its reported total and parts; None, with faults added, if it is impossible.

    - `end`: how the game ended, if reported.
    - `whole`: clause by which the destroyed part is a whole fleet; empty if none says so.

    Source: AR-RES-5, AR-RES-6, AR-SCN-1.
    """
    points, destroyed, objective = _reported_parts(facts, side)
    losses = possible_losses(facts, side, table, end, whole)
    side_faults = [
        Fault(f"/{name}_{side}", f"{value}", expects("at-least", least=0), table.clause)
        for name, value in (("points", points), ("objective", objective))
        if value is not None and value < 0
    ]
    if destroyed is not None:
        side_faults += losses.faults(f"/destroyed_{side}", f"{destroyed}", destroyed)
    elif points is None and whole:
        destroyed = table.full_fleet
    if points is None and (destroyed is None or objective is None):
        side_faults.append(Fault(f"/points_{side}", NOTHING, expects("score-or-parts"), table.clause))
    if points is not None and not side_faults:
        side_faults += _faults_of_sum(points, destroyed, objective, f"/points_{side}", losses, table)
    faults += side_faults
    if side_faults:
        return None
    return (destroyed or 0) + (objective or 0) if points is None else int(points)


def _reported_parts(facts: Facts, side: Side) -> tuple[int | None, int | None, int | None]:
    """Return a side's reported score: the total, and the parts for destroyed units and for objectives."""
    if side == 1:
        return facts.points_1, facts.destroyed_1, facts.objective_1
    return facts.points_2, facts.destroyed_2, facts.objective_2


def possible_losses(facts: Facts, side: Side, table: MarginTable, end: EndRule | None, whole: str) -> Destroyed:
    """Return the possible values of the units that a side destroyed, based on the opponent's fleet total if reported.

    A destroyed fleet counts as a whole one even if it cost less, so its own total is never the destroyed value.
    """
    full, fleet = table.full_fleet, facts.extra.get(f"list_{3 - side}")
    if whole:
        return Destroyed(None, full, whole)
    if fleet is None or fleet >= full:
        return Destroyed(full, None, table.cites("full_fleet"))
    return Destroyed(max(0, fleet - 1), None if end else full, table.clause)


def has_destroyed_all(facts: Facts, side: Side, score: int, table: MarginTable) -> bool:
    """Return True if a side may have destroyed the whole fleet of the other, by its score and reported parts."""
    _, destroyed, objective = _reported_parts(facts, side)
    if destroyed is None and objective is not None:
        destroyed = score - objective
    return score >= table.full_fleet if destroyed is None else destroyed == table.full_fleet


def improbable_score(
    facts: Facts, side: Side, table: MarginTable, end: EndRule | None, whole: str, most: int
) -> list[Fault]:
    """Return a fault if a side's score exceeds all known scores.

    `most`: maximum points from objectives. Other parameters: see `score_of_side`.
    """
    points, _, objective = _reported_parts(facts, side)
    clause = table.cites("objective_most")
    if objective is not None and objective > most:
        return [Fault(f"/objective_{side}", f"{objective}", expects("objectives-at-most", most=most), clause)]
    losses = possible_losses(facts, side, table, end, whole)
    fleet = max(losses.most or 0, losses.whole or 0)
    if points is None or points <= fleet + most:
        return []
    expected = expects("fleet-and-objectives", most=fleet + most, fleet=fleet, objectives=most)
    return [Fault(f"/points_{side}", f"{points}", expected, clause)]


def faults_of_fleets(facts: Facts, table: MarginTable) -> list[Fault]:
    """Return faults of fleet totals that no fleet can have."""
    expected = expects("fleet-points", most=table.full_fleet)
    totals = ((name, facts.extra[name]) for name in ("list_1", "list_2") if name in facts.extra)
    return [
        Fault(f"/extra/{name}", f"{total}", expected, table.cites("full_fleet"))
        for name, total in totals
        if not 0 < total <= table.full_fleet
    ]


def _faults_of_sum(
    points: int, destroyed: int | None, objective: int | None, where: str, losses: Destroyed, table: MarginTable
) -> list[Fault]:
    """Return a fault if a score is not the sum of its parts, or implies an impossible value for an unreported part."""
    if destroyed is not None and objective is not None and points != destroyed + objective:
        return [Fault(where, f"{points}", expects("sum-of-parts", sum=destroyed + objective), table.clause)]
    if destroyed is not None and points < destroyed:
        return [Fault(where, f"{points}", expects("at-least-destroyed", least=destroyed), table.clause)]
    if destroyed is None and objective is not None:
        return losses.faults(where, f"{points}", points - objective, objective)
    if losses.most is None and points < (losses.whole or 0):
        return [Fault(where, f"{points}", expects("at-least-whole-fleet", least=losses.whole), losses.clause)]
    return []


SIDES: tuple[Side, Side] = (1, 2)


def score_by_margin(
    facts: Facts, table: MarginTable, form: Result, concession: Concession, scenarios: Sequence[Scenario] = ()
) -> Score | list[Fault]:
    """Return winner, margin and points of a played game, or every fault of its facts.

    Without `end`, the scores decide. Equal scores go to the second player (named by `second_player` or `winner`). A
    `winner` with the lower score is the side whose ships survived: the margin is 0, and its score contains a whole
    fleet. If the table has draws, a margin whose row gives both sides the same points is a draw, unless the end of the
    game determines the winner.
    Source: AR-RES-8, AR-PTS-3, AR-AMB-5; the clauses of the end rules and of the margin table.
    """
    faults: list[Fault] = []
    rule = _end_rule(facts, form, concession, faults)
    fixed = _fixed_winner(facts, rule)
    whole = _whole_fleets(rule, fixed)
    faults += faults_of_fleets(facts, table)
    totals = [score_of_side(facts, side, table, rule, whole.get(side, ""), faults) for side in SIDES]
    if facts.winner == "draw" and table.draws == "impossible":
        faults.append(Fault("/winner", DRAW, expects("some-winner"), table.cites("draws")))
    if faults or totals[0] is None or totals[1] is None:
        return faults
    if table.draws == "even_rows" and fixed is None:
        drawn = _drawn(facts, totals[0] - totals[1], table)
        if drawn is not None:
            return drawn
    if rule is None:
        faults += _lost_on_points(facts, (totals[0], totals[1]), form, table)
    winner = _winner(facts, rule, fixed, totals[0] - totals[1], table, faults)
    if winner is None or faults:
        return faults
    difference = totals[winner - 1] - totals[2 - winner]  # type: ignore[operator]
    margin = 0 if rule and rule.margin == "zero" else max(0, difference)
    return _score(winner, margin, table, concession if rule and rule.end == "concession" else None)


def improbable_by_margin(facts: Facts, table: MarginTable, form: Result, concession: Concession) -> list[Fault]:
    """Return faults for scores above the fleet and the objectives together, and for scores that leave the winner open.

    facts: valid facts. Source: AR-RES-1, AR-RES-5, AR-SCN-1, which names no maximum for objectives.
    """
    rule = _end_rule(facts, form, concession, [])
    unclear = _unclear_end(facts, table, form) if rule is None else []
    if table.objective_most is None:
        return unclear
    whole = _whole_fleets(rule, _fixed_winner(facts, rule))
    return unclear + [
        fault
        for side in SIDES
        for fault in improbable_score(facts, side, table, rule, whole.get(side, ""), table.objective_most)
    ]


def _whole_fleets(rule: EndRule | None, fixed: Side | None) -> dict[Side | None, str]:
    """Return the sides that destroyed the whole enemy fleet, each with the clause for it."""
    full = {"nobody": (), "winner": (fixed,), "both": SIDES}[rule.full if rule else "nobody"]
    return dict.fromkeys(full, rule.cites("full") if rule else "")


def margin_band(margin: int, bands: Sequence[Band]) -> Band:
    """Return the row of a valid margin table for a margin of 0 or more."""
    return next(band for band in reversed(bands) if band.least <= margin)


def _drawn(facts: Facts, difference: int, table: MarginTable) -> Score | list[Fault] | None:
    """Return a draw if the margin's row gives both sides the same points; None otherwise."""
    band = margin_band(abs(difference), table.bands)
    clause = table.cites("draws")
    if band.winner != band.loser:
        return [Fault("/winner", DRAW, _expected_winner(difference), clause)] if facts.winner == DRAW else None
    if facts.winner in SIDES:
        return [Fault("/winner", f"{facts.winner}", expects("draw-by-margin", draw=DRAW), clause)]
    values = {table.points: band.winner, table.margin: 0}
    return Score("draw", "draw", values, dict(values))


def _expected_winner(difference: int) -> Expected:
    if difference == 0:
        return expects("some-winner-by-margin")
    return expects("winner-by-margin", winner=1 if difference > 0 else 2)


def _score(winner: Side, margin: int, table: MarginTable, concession: Concession | None) -> Score:
    band = margin_band(margin, table.bands)
    won = {table.points: band.winner, table.margin: margin}
    lost = {table.points: band.loser, table.margin: 0}
    if concession:
        lost |= concession.conceder
    if winner == 1:
        return Score("win", "loss", won, lost)
    return Score("loss", "win", lost, won)


def end_of_concession(concession: Concession) -> EndRule:
    """Return the end rule of a concession: the other side wins, with a whole fleet if that is awarded (AR-CON-1)."""
    clause, full = concession.cites("award"), "winner" if concession.award == "full_fleet" else "nobody"
    return EndRule(
        end="concession",
        winner="opponent",
        full=full,  # type: ignore[arg-type]
        clause=clause,
        clauses={"full": concession.cites("full")},
    )


def _end_rule(facts: Facts, form: Result, concession: Concession, faults: list[Fault]) -> EndRule | None:
    """Return the rule of the reported end, if any. A conceding side reports one."""
    end = facts.end or ("concession" if facts.conceded_by else None)
    if end is None:
        return None
    rules = {"concession": end_of_concession(concession)} | {rule.end: rule for rule in form.ends}
    if end not in rules:
        faults.append(Fault("/end", f"{end}", one_of(list(rules)), form.cites("ends")))
        return None
    clause = rules[end].clause
    if end == "concession" and facts.conceded_by is None:
        faults.append(Fault("/conceded_by", NOTHING, expects("conceding-side"), clause))
    if end != "concession" and facts.conceded_by is not None:
        faults.append(Fault("/conceded_by", f"{facts.conceded_by}", expects("nobody-conceded", end=end), clause))
    return rules[end]


def _fixed_winner(facts: Facts, rule: EndRule | None) -> Side | None:
    """Return the side that wins regardless of the scores: the survivor, or the opponent of the conceder."""
    if facts.end == "defeated_1" or (rule and rule.winner == "opponent" and facts.conceded_by == 1):
        return 2
    if facts.end == "defeated_2" or (rule and rule.winner == "opponent" and facts.conceded_by == 2):
        return 1
    return None


def _survivors(facts: Facts, totals: tuple[int, int], form: Result, table: MarginTable) -> list[Side]:
    """Return the sides that may have won without a higher score: they survived and destroyed a whole fleet."""
    if not any(rule.winner == "survivor" for rule in form.ends):
        return []
    not_ahead = [side for side in SIDES if totals[side - 1] <= totals[2 - side]]
    return [side for side in not_ahead if has_destroyed_all(facts, side, totals[side - 1], table)]


def _lost_on_points(facts: Facts, totals: tuple[int, int], form: Result, table: MarginTable) -> list[Fault]:
    """Return a fault for a winner with the lower score who cannot have survived (AR-RES-2, AR-RES-3, AR-RES-6)."""
    winner = facts.winner
    if (
        winner not in SIDES
        or totals[winner - 1] >= totals[2 - winner]
        or winner in _survivors(facts, totals, form, table)
    ):
        return []
    rule = next((rule for rule in form.ends if rule.winner == "survivor"), None)
    higher, lower = totals[2 - winner], totals[winner - 1]
    expected = expects("winner-by-score", winner=3 - winner, more=higher, fewer=lower)
    if rule is not None:
        expected = expects("or-survivor", right=expected, whole=table.full_fleet)
    return [Fault("/winner", f"{winner}", expected, rule.cites("full") if rule else table.clause)]


def _unclear_end(facts: Facts, table: MarginTable, form: Result) -> list[Fault]:
    """Return a fault if the scores of a possible game do not show the winner and no end was reported (AR-RES-1)."""
    one, two = (score_of_side(facts, side, table, None, "", []) for side in SIDES)
    if one is None or two is None or one == two or facts.winner is not None:
        return []  # at equal scores the second player is named, and both sides have the same points
    if not _survivors(facts, (one, two), form, table):
        return []
    return [Fault("/end", NOTHING, expects("end-or-winner"), form.cites("ends"))]


def _winner(
    facts: Facts, rule: EndRule | None, fixed: Side | None, difference: int, table: MarginTable, faults: list[Fault]
) -> Side | None:
    """Return the winner. `difference`: score of side 1 less that of side 2.

    Source: AR-RES-2, AR-RES-3, AR-RES-4, AR-RES-7, AR-AMB-9.
    """
    named_winner: Side | None = None if facts.winner == "draw" else facts.winner
    clause = rule.clause if rule else table.cites("equal")
    if fixed is not None:
        winner: Side = fixed
    elif difference == 0 or (rule and rule.winner == "second_player"):
        second = facts.second_player or named_winner
        if second is None:
            clause = clause if difference else table.cites("equal")
            expected = expects("second-player") if difference else expects("second-player-at-equal-scores")
            faults.append(Fault("/second_player", NOTHING, expected, clause))
            return None
        winner = second
    else:
        winner = 1 if difference > 0 else 2
        if rule is None and named_winner is not None:
            winner = named_winner
    if named_winner is not None and named_winner != winner:
        faults.append(Fault("/winner", f"{named_winner}", expects("winner-or-end", winner=winner), clause))
        return None
    return winner


def values_made(table: MarginTable) -> tuple[str, ...]:
    """Return the names of the values that the scheme makes."""
    return table.points, table.margin


def counted_value(table: MarginTable) -> str:
    """Return the value that the score of an unplayed game stands for."""
    return table.margin


def concede_before_start(table: MarginTable, reported: Facts, side: Side, concession: Concession) -> Facts:
    """Return the facts of a game conceded before its start, with a whole fleet destroyed if that is awarded."""
    whole = table.full_fleet if concession.award == "full_fleet" else 0
    scores = (0, whole) if side == 1 else (whole, 0)
    return Facts(points_1=scores[0], points_2=scores[1], end="concession", conceded_by=side)
