"""What a side of a game with fleets scored: points of destroyed units and of the objective, told whole or in parts.

Source: AR-RES-5, AR-RES-6, AR-SCN-1.
"""

from __future__ import annotations

from msgspec import Struct

from shared.formats.swiss.rules.game_parts import EndRule, MarginTable
from shared.refusals import NOTHING, Fault, expects
from shared.rules.model import Facts, Side


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
