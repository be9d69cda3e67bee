"""Facts of the table become a score and a winner: the objective's formula and the units that are gone.

Source: DW-RES-1, DW-RES-2, DW-SCN-5, DW-SCN-6.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from shared.formats.swiss.rules.battle_builder import BattleBuilder, Objective, built_scenario
from shared.formats.swiss.rules.objectives import OBJECTIVES, SIDES, break_points, faults_of_units
from shared.refusals import Fault
from shared.rules.model import Facts


def with_table_facts(facts: Facts, builder: BattleBuilder) -> Facts | list[Fault]:
    """The facts with the points and the winner that the facts of the table make, or everything wrong with them.

    In `board`: `objective` (its name) or `spent` (how the scenario points were spent), and the facts that
    `objectives` names. Points or a winner reported beside them must be the same. Units alone make break points
    without a winner. Source: DW-RES-1, DW-RES-2, DW-SCN-5, DW-SCN-6.
    """
    objective, faults = _objective(facts, builder)
    faults += _unknown_facts(facts, builder, objective)
    table, clause = facts.board, builder.cites("objectives")
    known = [f"units_{side}" for side in SIDES if f"units_{side}" in table]
    for name in known:
        faults += faults_of_units(table[name], f"/board/{name}", builder.cites("hero"))
    if faults:
        return faults
    made = facts
    for side in SIDES:
        if f"units_{3 - side}" in table:
            points = break_points(table[f"units_{3 - side}"], builder.hero)
            told = facts.points_1 if side == 1 else facts.points_2
            if told not in (None, points):
                expected = f"{points}, by the units eliminated"
                faults.append(Fault(f"/points_{side}", f"{told}", expected, builder.cites("hero")))
            made = replace(made, **{f"points_{side}": points})
    if objective is not None:
        ended = OBJECTIVES[objective.formula].decide(table, clause)
        if isinstance(ended, list):
            return faults + ended
        winner, _ = ended
        if facts.winner not in (None, winner):
            faults.append(Fault("/winner", f"{facts.winner}", f"{winner}, by {objective.name}", clause))
        made = replace(made, winner=winner)
    return faults or made


def _objective(facts: Facts, builder: BattleBuilder) -> tuple[Objective | None, list[Fault]]:
    """The objective that was played, if it was told, by name or by the points spent."""
    name, spent, clause = facts.board.get("objective"), facts.board.get("spent"), builder.cites("objectives")
    called = name.casefold() if isinstance(name, str) else name
    found = next((known for known in builder.objectives if known.name.casefold() == called), None)
    faults: list[Fault] = []
    if name is not None and found is None:
        expected = "one of " + ", ".join(known.name for known in builder.objectives)
        faults.append(Fault("/board/objective", repr(name), expected, clause))
    if spent is None:
        return found, faults
    if not isinstance(spent, list) or not all(isinstance(letter, str) for letter in spent):
        wanted = 'a list of letters, such as ["O", "D", "O", "C"]'
        fault = Fault("/board/spent", repr(spent), wanted, builder.cites("points_each"))
        return found, [*faults, fault]
    built = built_scenario(builder, spent)
    if isinstance(built, list):
        return found, faults + [replace(fault, where=f"/board{fault.where}") for fault in built]
    if found is not None and found != built.objective:
        faults.append(Fault("/board/objective", found.name, f"{built.objective.name}, by the points spent", clause))
    return built.objective, faults


def _unknown_facts(facts: Facts, builder: BattleBuilder, objective: Objective | None) -> Iterator[Fault]:
    """Facts that neither the objective nor the count of break points looks at."""
    names = {"units", *(OBJECTIVES[objective.formula].names if objective else ())}
    known = ["objective", "spent", *sorted(f"{name}_{side}" for name in names for side in SIDES)]
    for name in facts.board:
        if name not in known:
            yield Fault(f"/board/{name}", f"unknown fact {name!r}", "one of " + ", ".join(known), builder.clause)
