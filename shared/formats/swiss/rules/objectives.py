"""Objectives: who won, by what stood on the table; and the break points of both sides.

| formula           | superiority points of a side                                                     | clause    |
|-------------------|----------------------------------------------------------------------------------|-----------|
| `noted_areas`     | 1 for each area it controls that one player noted, 2 where both did              | DW-SCN-6  |
| `units_destroyed` | 1 for each enemy unit completely destroyed                                       | DW-SCN-6  |
| `units_inside`    | 1 for each own unit inside a noted area, in the End phases of turns 2 to the last| DW-AMB-22 |
| `targets`         | none: the destroyer of the target worth more wins                                | DW-SCN-6  |

Facts of the table are an object. For each side `_1` and `_2`: `noted` and `controlled`, names of terrain areas;
`inside`, units inside for each game turn from the first; `target_dead` and `target_points` of the side's own target;
`units`, the side's units that suffered: `points`, `gone`, and with a hero who joined `hero_points` and `hero_gone`.

That makes the facts of the table a score and a winner: DW-RES-1, DW-RES-2, DW-SCN-5, DW-SCN-6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from shared.formats.swiss.rules.battle_builder import BattleBuilder, Objective, built_scenario
from shared.refusals import NOTHING, Expected, Fault, as_said, expects, one_of
from shared.rules.model import Facts, Side, Winner
from shared.rules.words import DRAW

SIDES: tuple[Side, Side] = (1, 2)
NOTED, TURNS = 2, 5
"""Areas that each player notes for key positions; game turns of a game."""

Table = Mapping[str, Any]
Ended = tuple[Winner, tuple[int, int] | None]
"""Who won, and the superiority points of both sides where the objective has any."""


class Formula(Struct, frozen=True):
    """names: of the facts it looks at, without the side. decide: facts of the right shape -> the end, or faults."""

    names: tuple[str, ...]
    decide: Callable[[Table, str], Ended | list[Fault]]


def by_points(one: int, two: int) -> Ended:
    """More superiority points win, equal ones are a tie. DW-SCN-6."""
    winner: Winner = "draw" if one == two else 1 if one > two else 2
    return winner, (one, two)


def noted_areas(table: Table, clause: str) -> Ended | list[Fault]:
    """Key Positions. Both may control one area; an area scores once for each player."""
    faults: list[Fault] = []
    for side in SIDES:
        noted, held = table.get(f"noted_{side}"), table.get(f"controlled_{side}")
        if not _different(noted) or len(noted) != NOTED:
            faults.append(
                Fault(f"/board/noted_{side}", as_said(noted), expects("different-areas", number=NOTED), clause)
            )
        if not _different(held):
            faults.append(Fault(f"/board/controlled_{side}", as_said(held), expects("areas-once"), clause))
    if faults:
        return faults
    noted = [*table["noted_1"], *table["noted_2"]]
    one, two = (sum(noted.count(area) for area in table[f"controlled_{side}"]) for side in SIDES)
    return by_points(one, two)


def units_destroyed(table: Table, clause: str) -> Ended | list[Fault]:
    """Eliminate the Enemy. A unit and the hero who joined it are one, destroyed when both are."""
    faults = [
        Fault(f"/board/units_{side}", NOTHING, expects("units-that-suffered"), clause)
        for side in SIDES
        if f"units_{side}" not in table
    ]
    if faults:
        return faults
    one, two = (sum(_all_gone(unit) for unit in table[f"units_{3 - side}"]) for side in SIDES)
    return by_points(one, two)


def units_inside(table: Table, clause: str) -> Ended | list[Fault]:
    """Critical Positions. A unit counts once a turn, also inside two areas; the first turn scores nothing."""
    faults: list[Fault] = []
    for side in SIDES:
        inside = table.get(f"inside_{side}")
        if not isinstance(inside, list) or not 1 <= len(inside) <= TURNS or not all(map(_whole, inside)):
            expected = expects("units-inside", turns=TURNS)
            faults.append(Fault(f"/board/inside_{side}", as_said(inside), expected, clause))
    if not faults and len(table["inside_1"]) != len(table["inside_2"]):
        expected = expects("same-game-turns", turns=len(table["inside_2"]))
        faults.append(Fault("/board/inside_1", as_said(table["inside_1"]), expected, clause))
    return faults or by_points(sum(table["inside_1"][1:]), sum(table["inside_2"][1:]))


def targets(table: Table, clause: str) -> Ended | list[Fault]:
    """Assassination. Only one target dead: its destroyer wins; both: who destroyed the one worth more; else a tie."""
    faults: list[Fault] = []
    for side in SIDES:
        if not isinstance(table.get(f"target_dead_{side}"), bool):
            said = as_said(table.get(f"target_dead_{side}"))
            faults.append(Fault(f"/board/target_dead_{side}", said, expects("true-or-false"), clause))
    both = not faults and table["target_dead_1"] and table["target_dead_2"]
    for side in SIDES:
        worth = table.get(f"target_points_{side}")
        if (both or worth is not None) and not _whole(worth):
            faults.append(Fault(f"/board/target_points_{side}", as_said(worth), expects("points-of-target"), clause))
    if faults:
        return faults
    if both:
        return by_points(table["target_points_2"], table["target_points_1"])[0], None
    if table["target_dead_1"] == table["target_dead_2"]:
        return "draw", None
    return (1 if table["target_dead_2"] else 2), None


def break_points(units: Sequence[Mapping[str, Any]], hero: Literal["joined", "separate"]) -> int:
    """The army points of the units that are completely eliminated; damaged ones give nothing.

    units: of the enemy, as facts of the table. hero: whether a hero and the unit joined are one unit, which counts
    when both are gone. Source: DW-RES-2, DW-AMB-21.
    """
    found = 0
    for unit in units:
        if hero == "joined":
            found += (unit["points"] + unit.get("hero_points", 0)) if _all_gone(unit) else 0
        else:
            found += unit["points"] if unit["gone"] else 0
            found += unit.get("hero_points", 0) if unit.get("hero_gone") else 0
    return found


def faults_of_units(units: object, where: str, clause: str) -> list[Fault]:
    """What is wrong with the units of a side that suffered."""
    if not isinstance(units, list):
        return [Fault(where, as_said(units), expects("list-of-units"), clause)]
    faults: list[Fault] = []
    for index, unit in enumerate(units):
        place = f"{where}/{index}"
        if not isinstance(unit, dict):
            faults.append(Fault(place, as_said(unit), expects("object"), clause))
            continue
        faults += [
            Fault(f"{place}/{name}", as_said(unit[name]), one_of(list(_UNIT)), clause)
            for name in unit
            if name not in _UNIT
        ]
        for name, (fits, expected) in _UNIT.items():
            needed = name in ("points", "gone") or ("hero_points" in unit) != ("hero_gone" in unit)
            if name in unit and not fits(unit[name]):
                faults.append(Fault(f"{place}/{name}", as_said(unit[name]), expected, clause))
            elif name not in unit and needed:
                faults.append(Fault(f"{place}/{name}", NOTHING, expected, clause))
    return faults


def _all_gone(unit: Mapping[str, Any]) -> bool:
    return bool(unit["gone"] and unit.get("hero_gone", True))


def _whole(value: object) -> bool:
    return type(value) is int and value >= 0


def _different(value: object) -> TypeGuard[list[str]]:
    """Whether this is a list of names, each once."""
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        return False
    return len(set(value)) == len(value)


def _flag(value: object) -> bool:
    return isinstance(value, bool)


_UNIT: Mapping[str, tuple[Callable[[object], bool], Expected]] = {
    "points": (_whole, expects("whole-number-from", least=0)),
    "gone": (_flag, expects("true-or-false")),
    "hero_points": (_whole, expects("whole-number-from", least=0)),
    "hero_gone": (_flag, expects("true-or-false")),
}

OBJECTIVES: Mapping[str, Formula] = {
    "noted_areas": Formula(("noted", "controlled"), noted_areas),
    "units_destroyed": Formula(("units",), units_destroyed),
    "units_inside": Formula(("inside",), units_inside),
    "targets": Formula(("target_dead", "target_points"), targets),
}


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
                expected = expects("points-by-units", points=points)
                faults.append(Fault(f"/points_{side}", f"{told}", expected, builder.cites("hero")))
            made = replace(made, **{f"points_{side}": points})
    if objective is not None:
        ended = OBJECTIVES[objective.formula].decide(table, clause)
        if isinstance(ended, list):
            return faults + ended
        winner, _ = ended
        if facts.winner not in (None, winner):
            due = expects("winner-by-objective", winner=winner, objective=objective.name)
            due = expects("draw-by-objective", draw=DRAW, objective=objective.name) if winner == DRAW else due
            faults.append(Fault("/winner", f"{facts.winner}", due, clause))
        made = replace(made, winner=winner)
    return faults or made


def _objective(facts: Facts, builder: BattleBuilder) -> tuple[Objective | None, list[Fault]]:
    """The objective that was played, if it was told, by name or by the points spent."""
    name, spent, clause = facts.board.get("objective"), facts.board.get("spent"), builder.cites("objectives")
    called = name.casefold() if isinstance(name, str) else name
    found = next((known for known in builder.objectives if known.name.casefold() == called), None)
    faults: list[Fault] = []
    if name is not None and found is None:
        expected = one_of([known.name for known in builder.objectives])
        faults.append(Fault("/board/objective", as_said(name), expected, clause))
    if spent is None:
        return found, faults
    if not isinstance(spent, list) or not all(isinstance(letter, str) for letter in spent):
        fault = Fault("/board/spent", as_said(spent), expects("list-of-letters"), builder.cites("points_each"))
        return found, [*faults, fault]
    built = built_scenario(builder, spent)
    if isinstance(built, list):
        return found, faults + [replace(fault, where=f"/board{fault.where}") for fault in built]
    if found is not None and found != built.objective:
        expected = expects("objective-by-points", objective=built.objective.name)
        faults.append(Fault("/board/objective", found.name, expected, clause))
    return built.objective, faults


def _unknown_facts(facts: Facts, builder: BattleBuilder, objective: Objective | None) -> Iterator[Fault]:
    """Facts that neither the objective nor the count of break points looks at."""
    names = {"units", *(OBJECTIVES[objective.formula].names if objective else ())}
    known = ["objective", "spent", *sorted(f"{name}_{side}" for name in names for side in SIDES)]
    for name in facts.board:
        if name not in known:
            yield Fault(f"/board/{name}", as_said(facts.board[name]), one_of(known), builder.clause)
