"""The points scheme `margin_table`: points of fleets, the winner's margin, and the points that a table gives for it.

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
    """What destroyed units can be worth: 0 to `most` of a fleet with ships left, `whole` of one without.

    most: None where no ship was left; whole: None where some were.
    """

    most: int | None
    whole: int | None
    clause: str

    def faults(self, where: str, said: str, worth: int, more: int = 0) -> list[Fault]:
        """What is wrong with units worth so much. more: for objectives in what was said."""
        if worth == self.whole or (self.most is not None and 0 <= worth <= self.most):
            return []
        expected = expects("destroyed-units", most=self.most)
        if self.most is None:
            expected = expects("whole-fleet", whole=self.whole)
        elif self.whole is not None:
            expected = expects("destroyed-units-or-fleet", most=self.most, whole=self.whole)
        if more:
            expected = expects("and-objectives", right=expected, objectives=more)
        return [Fault(where, said, expected, self.clause)]


def score_of_side(
    facts: Facts, side: Side, table: MarginTable, end: EndRule | None, whole: str, faults: list[Fault]
) -> int | None:
    """The score of a side, from what was reported of its total and its parts; None, and faults, where that cannot be.

    end: how the game ended, where that was told. whole: the clause by which the destroyed part is that of a whole
    fleet; empty where none says so. Source: AR-RES-5, AR-RES-6, AR-SCN-1.
    """
    points, destroyed, objective = _told(facts, side)
    losses = possible_losses(facts, side, table, end, whole)
    found = [
        Fault(f"/{name}_{side}", f"{value}", expects("at-least", least=0), table.clause)
        for name, value in (("points", points), ("objective", objective))
        if value is not None and value < 0
    ]
    if destroyed is not None:
        found += losses.faults(f"/destroyed_{side}", f"{destroyed}", destroyed)
    elif points is None and whole:
        destroyed = table.full_fleet
    if points is None and (destroyed is None or objective is None):
        found.append(Fault(f"/points_{side}", NOTHING, expects("score-or-parts"), table.clause))
    if points is not None and not found:
        found += _faults_of_sum(points, destroyed, objective, f"/points_{side}", losses, table)
    faults += found
    if found:
        return None
    return (destroyed or 0) + (objective or 0) if points is None else int(points)


def _told(facts: Facts, side: Side) -> tuple[int | None, int | None, int | None]:
    """What was reported of a side's score: the whole, and the parts for destroyed units and for the objective."""
    if side == 1:
        return facts.points_1, facts.destroyed_1, facts.objective_1
    return facts.points_2, facts.destroyed_2, facts.objective_2


def possible_losses(facts: Facts, side: Side, table: MarginTable, end: EndRule | None, whole: str) -> Destroyed:
    """What the units that a side destroyed can be worth, by the opponent's fleet where its total is told.

    A fleet that is gone counts as a whole one, though it cost less, so its own total is never what was destroyed.
    """
    full, fleet = table.full_fleet, facts.extra.get(f"list_{3 - side}")
    if whole:
        return Destroyed(None, full, whole)
    if fleet is None or fleet >= full:
        return Destroyed(full, None, table.cites("full_fleet"))
    return Destroyed(max(0, fleet - 1), None if end else full, table.clause)


def has_destroyed_all(facts: Facts, side: Side, score: int, table: MarginTable) -> bool:
    """Whether a side may have destroyed the other's whole fleet, by its score and the parts that were told of it."""
    _, destroyed, objective = _told(facts, side)
    if destroyed is None and objective is not None:
        destroyed = score - objective
    return score >= table.full_fleet if destroyed is None else destroyed == table.full_fleet


def improbable_score(
    facts: Facts, side: Side, table: MarginTable, end: EndRule | None, whole: str, most: int
) -> list[Fault]:
    """What is more in a score of a side than anybody has seen. most: points of objectives; else as `score_of_side`."""
    points, _, objective = _told(facts, side)
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
    """Totals of fleets that no fleet can have."""
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
    """A score that is not the sum of its parts, or leaves for the part that was not told what it cannot be."""
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
    """Winner, margin and points of a played game, or everything that makes its facts impossible.

    Without `end`, the scores decide; equal scores go to the second player (named by `second_player` or `winner`),
    and a `winner` with the lower score is the side whose ships survived, with margin 0: it has a whole fleet at least.
    Where the table has draws, a margin whose row gives both sides the same is one, unless the end of the game fixed a
    winner.
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
    """Scores above what the other fleet and every objective token can bring, and scores that leave the winner open.

    facts: of a game that is possible. Source: AR-RES-1, AR-RES-5, AR-SCN-1, which names no most for objectives.
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
    """The sides that destroyed a whole fleet, each with the clause that says so."""
    full = {"nobody": (), "winner": (fixed,), "both": SIDES}[rule.full if rule else "nobody"]
    return dict.fromkeys(full, rule.cites("full") if rule else "")


def margin_band(margin: int, bands: Sequence[Band]) -> Band:
    """The row of a sound margin table that a margin of 0 or more falls into."""
    return next(band for band in reversed(bands) if band.least <= margin)


def _drawn(facts: Facts, difference: int, table: MarginTable) -> Score | list[Fault] | None:
    """A draw, where the row of the margin gives both sides the same; nothing where it gives one side more."""
    band = margin_band(abs(difference), table.bands)
    clause = table.cites("draws")
    if band.winner != band.loser:
        return [Fault("/winner", DRAW, _ahead(difference), clause)] if facts.winner == DRAW else None
    if facts.winner in SIDES:
        return [Fault("/winner", f"{facts.winner}", expects("draw-by-margin", draw=DRAW), clause)]
    values = {table.points: band.winner, table.margin: 0}
    return Score("draw", "draw", values, dict(values))


def _ahead(difference: int) -> Expected:
    """Return the expectation of the winner that a margin makes. difference: score of side 1 less that of side 2."""
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
    """How a game ends that a side gave up: the other side wins, with a whole fleet where that is awarded. AR-CON-1."""
    clause, full = concession.cites("award"), "winner" if concession.award == "full_fleet" else "nobody"
    return EndRule(
        end="concession",
        winner="opponent",
        full=full,  # type: ignore[arg-type]
        clause=clause,
        clauses={"full": concession.cites("full")},
    )


def _end_rule(facts: Facts, form: Result, concession: Concession, faults: list[Fault]) -> EndRule | None:
    """The rule of the end that was reported, if one was; a side that conceded reports one."""
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
    """The side that wins whatever the scores: who survived, or whom the other conceded to."""
    if facts.end == "defeated_1" or (rule and rule.winner == "opponent" and facts.conceded_by == 1):
        return 2
    if facts.end == "defeated_2" or (rule and rule.winner == "opponent" and facts.conceded_by == 2):
        return 1
    return None


def _survivors(facts: Facts, totals: tuple[int, int], form: Result, table: MarginTable) -> list[Side]:
    """The sides that may have won though they have no higher score: they survived, and destroyed a whole fleet."""
    if not any(rule.winner == "survivor" for rule in form.ends):
        return []
    behind = [side for side in SIDES if totals[side - 1] <= totals[2 - side]]
    return [side for side in behind if has_destroyed_all(facts, side, totals[side - 1], table)]


def _lost_on_points(facts: Facts, totals: tuple[int, int], form: Result, table: MarginTable) -> list[Fault]:
    """A winner with the lower score, who cannot have survived. Source: AR-RES-2, AR-RES-3, AR-RES-6."""
    named = facts.winner
    if named not in SIDES or totals[named - 1] >= totals[2 - named] or named in _survivors(facts, totals, form, table):
        return []
    rule = next((rule for rule in form.ends if rule.winner == "survivor"), None)
    more, fewer = totals[2 - named], totals[named - 1]
    due = expects("winner-by-score", winner=3 - named, more=more, fewer=fewer)
    if rule is not None:
        due = expects("or-survivor", right=due, whole=table.full_fleet)
    return [Fault("/winner", f"{named}", due, rule.cites("full") if rule else table.clause)]


def _unclear_end(facts: Facts, table: MarginTable, form: Result) -> list[Fault]:
    """A possible game of which the scores do not show who won, where nobody said how it ended. Source: AR-RES-1."""
    one, two = (score_of_side(facts, side, table, None, "", []) for side in SIDES)
    if one is None or two is None or one == two or facts.winner is not None:
        return []  # of equal scores the second player is named, and both sides have the same points
    if not _survivors(facts, (one, two), form, table):
        return []
    return [Fault("/end", NOTHING, expects("end-or-winner"), form.cites("ends"))]


def _winner(
    facts: Facts, rule: EndRule | None, fixed: Side | None, difference: int, table: MarginTable, faults: list[Fault]
) -> Side | None:
    """Who won. difference: score of side 1 less that of side 2. AR-RES-2, AR-RES-3, AR-RES-4, AR-RES-7, AR-AMB-9."""
    named: Side | None = None if facts.winner == "draw" else facts.winner
    clause = rule.clause if rule else table.cites("equal")
    if fixed is not None:
        winner: Side = fixed
    elif difference == 0 or (rule and rule.winner == "second_player"):
        second = facts.second_player or named
        if second is None:
            clause = clause if difference else table.cites("equal")
            expected = expects("second-player") if difference else expects("second-player-at-equal-scores")
            faults.append(Fault("/second_player", NOTHING, expected, clause))
            return None
        winner = second
    else:
        winner = 1 if difference > 0 else 2
        if rule is None and named is not None:
            winner = named
    if named is not None and named != winner:
        faults.append(Fault("/winner", f"{named}", expects("winner-or-end", winner=winner), clause))
        return None
    return winner


def values_made(table: MarginTable) -> tuple[str, ...]:
    """The names of the values that the scheme makes."""
    return table.points, table.margin


def counted_value(table: MarginTable) -> str:
    """The value that the score of an unplayed game would stand for."""
    return table.margin


def concede_before_start(table: MarginTable, told: Facts, side: Side, concession: Concession) -> Facts:
    """The facts of a game that a side gave up before it began, with its whole fleet destroyed where that is awarded."""
    whole = table.full_fleet if concession.award == "full_fleet" else 0
    scores = (0, whole) if side == 1 else (whole, 0)
    return Facts(points_1=scores[0], points_2=scores[1], end="concession", conceded_by=side)
