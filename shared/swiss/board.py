"""Facts on the board: scenario points by formula, objectives with their winners, and break points.

Formulas that a scenario of a pack may name:

| formula          | points of a side                                                              | clauses   |
|------------------|-------------------------------------------------------------------------------|-----------|
| `rating_removed` | a `per`th of the Rating of the enemies who are out; `most` for the whole crew | FF-RES-1  |
| `rating_across`  | a `per`th of the Rating of the own models across; `most` for the whole crew   | FF-RES-1  |
| `tokens_held`    | `worth` for each token held at the end                                        | FF-RES-1  |
| `most_claims`    | each scoring game round `worth` for a claim, and again for more claims        | FF-AMB-27 |
| `each_claim`     | each scoring game round `worth` for each claim                                | FF-SCN-4  |
| `claims_race`    | each game round `worth` for more claims, else `tie`; again for all at the end | FF-AMB-17 |

Facts stand in `extra` as whole numbers, for side 1 and side 2: `rating_lost_1`, `rating_across_1`, `crew_rating_1`
and `whole_crew_1` (0 or 1); `tokens_1`; `round_2_claims_1`. For both sides: `game_rounds`, how many were begun (all,
where nothing is said), and `interrupted`, 1 when the last of them was stopped by time.

Formulas of objectives:

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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, Literal, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from shared.refusals import NOTHING, Expected, Fault, display_text, expects, one_of
from shared.rules.model import Facts, Side, Winner
from shared.rules.parts import DRAW
from shared.swiss.game_parts import BoardFormula, Scenario
from shared.swiss.ruleset import BattleBuilder, Objective, build_scenario

Points = tuple[int, int]


def any_score(board: BoardFormula) -> None:
    """Nothing is known of what a game can end with."""


def _sums(rounds: Iterable[frozenset[Points]]) -> frozenset[Points]:
    """Every sum of one split out of each round."""
    sums = {(0, 0)}
    for splits in rounds:
        sums = {(a + c, b + d) for (a, b), (c, d) in product(sums, splits)}
    return frozenset(sums)


@cache
def _of_most(worth: int, tokens: tuple[int, ...]) -> frozenset[Points]:
    def split(one: int, two: int) -> Points:
        return worth * ((one > 0) + (one > two)), worth * ((two > 0) + (two > one))

    return _sums(
        frozenset(split(one, two) for one in range(most + 1) for two in range(most + 1 - one)) for most in tokens
    )


def splits_of_most_claims(board: BoardFormula) -> frozenset[Points]:
    """What games end with where the more claims of a game round count. Source: FF-AMB-27."""
    return _of_most(board.worth, tuple(board.tokens_in(number) for number in board.scoring_rounds))


@cache
def _of_each(worth: int, tokens: int) -> frozenset[Points]:
    return frozenset((worth * one, worth * two) for one in range(tokens + 1) for two in range(tokens + 1 - one))


def splits_of_tokens_held(board: BoardFormula) -> frozenset[Points]:
    """What games end with where tokens held at the end count. Source: FF-RES-1."""
    return _of_each(board.worth, board.tokens[0])


def splits_of_each_claim(board: BoardFormula) -> frozenset[Points]:
    """What games end with where each claim counts. Source: FF-SCN-4."""
    return _of_each(board.worth, sum(board.tokens_in(number) for number in board.scoring_rounds))


@cache
def _of_race(worth: int, tie: int, zero_tie: int, scoring: int) -> frozenset[Points]:
    """A game may end after any game round; only the winner of the last one may take all tokens left."""
    ordinary = frozenset({(worth, 0), (0, worth), (tie, tie), (zero_tie, zero_tie)})
    last = ordinary | {(2 * worth, 0), (0, 2 * worth)}
    early = [_sums([ordinary] * begun) for begun in range(scoring)]
    return _sums([*[ordinary] * (scoring - 1), last]).union(*early)


def splits_of_claims_race(board: BoardFormula) -> frozenset[Points]:
    """What games end with where the more claims count, and all at the end again. Source: FF-AMB-17."""
    return _of_race(board.worth, board.tie, board.zero_tie, len(board.scoring_rounds))


ReportedCounts = Mapping[str, int]

GAME_ROUNDS, INTERRUPTED = "game_rounds", "interrupted"


class Formula(Struct, frozen=True):
    """names: of the facts that the formula looks at. score: facts without fault -> points of both sides.

    settings: of the `board` of a pack that it uses, beside its game rounds.
    faults: what is missing or impossible in the facts. possible: every split of points that a game can end with;
    None where any split within the bounds of the scenario can be.
    """

    names: Callable[[BoardFormula], tuple[str, ...]]
    faults: Callable[[ReportedCounts, BoardFormula, str], list[Fault]]
    score: Callable[[ReportedCounts, Scenario, BoardFormula], Points]
    possible: Callable[[BoardFormula], frozenset[Points] | None]
    settings: frozenset[str]


def board_fact_names(scenario: Scenario | None) -> tuple[str, ...]:
    """The names of the board facts that may be told of a game of this scenario."""
    if scenario is None or scenario.board is None:
        return ()
    return *FORMULAS[scenario.board.formula].names(scenario.board), GAME_ROUNDS, INTERRUPTED


def board_points(told: ReportedCounts, scenario: Scenario | None) -> Points | list[Fault] | None:
    """The points of both sides by the board facts in `told`, or what is wrong with these; None where none are told.

    Source: FF-RES-1, FF-SCN-4, FF-AMB-16, FF-AMB-17, FF-AMB-27.
    """
    names = board_fact_names(scenario)
    if scenario is None or scenario.board is None or not any(name in told for name in names):
        return None
    formula, clause = FORMULAS[scenario.board.formula], scenario.clause
    bounds = {GAME_ROUNDS: (1, scenario.board.game_rounds), INTERRUPTED: (0, 1)}
    faults = [
        Fault(f"/extra/{name}", f"{told[name]}", expects("between", least=least, most=most), clause)
        for name, (least, most) in bounds.items()
        if name in told and not least <= told[name] <= most
    ]
    faults += formula.faults(told, scenario.board, clause)
    return faults or formula.score(told, scenario, scenario.board)


def is_possible_score(points: Points, scenario: Scenario) -> bool:
    """Whether a played game of the scenario can end with these points."""
    if scenario.board is None:
        return True
    possible = FORMULAS[scenario.board.formula].possible(scenario.board)
    return possible is None or points in possible


def nearest_possible_scores(points: Points, scenario: Scenario) -> list[Points]:
    """The three splits that a game of the scenario can end with and that are nearest to these points, nearest first."""
    possible = FORMULAS[scenario.board.formula].possible(scenario.board) if scenario.board else None
    return sorted(possible or (), key=lambda end: (abs(end[0] - points[0]) + abs(end[1] - points[1]), end))[:3]


def scored_rounds(told: ReportedCounts, board: BoardFormula) -> list[int]:
    """The scoring game rounds that were begun; without the one that time stopped, where such a one is skipped."""
    last = told.get(GAME_ROUNDS, board.game_rounds)
    if told.get(INTERRUPTED) and board.interrupted_round == "skip":
        last -= 1
    return [number for number in board.scoring_rounds if number <= last]


def rounds_with_claims(board: BoardFormula) -> Sequence[int]:
    """The game rounds after which claims are counted; none where nothing is claimed."""
    return board.scoring_rounds if "scoring_rounds" in FORMULAS[board.formula].settings else ()


def _sides(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}_{side}" for name in names for side in (1, 2))


def _missing(told: ReportedCounts, names: Iterable[str], clause: str) -> list[Fault]:
    return [Fault(f"/extra/{name}", NOTHING, expects("whole-number"), clause) for name in names if name not in told]


def _faults_of_rating(told: ReportedCounts, board: BoardFormula, clause: str) -> list[Fault]:
    """A Rating over the limit, or over that of the crew, or a whole crew that is not whole."""
    faults = _missing(told, _sides(board.fact), clause)
    for side in (1, 2):
        counted, crew, whole = (told.get(f"{name}_{side}") for name in (board.fact, "crew_rating", "whole_crew"))
        where = f"/extra/{board.fact}_{side}"
        for name, value, most in ((board.fact, counted, board.rating_most), ("crew_rating", crew, board.rating_most)):
            if value is not None and not 0 <= value <= most:
                expected = expects("between", least=0, most=most)
                faults.append(Fault(f"/extra/{name}_{side}", f"{value}", expected, clause))
        if whole not in (None, 0, 1):
            faults.append(Fault(f"/extra/whole_crew_{side}", f"{whole}", expects("zero-or-one"), clause))
        if counted is None or crew is None:
            continue
        if counted > crew:
            faults.append(Fault(where, f"{counted}", expects("within-crew", most=crew), clause))
        elif whole is not None and bool(whole) != (counted == crew):
            expected = expects("part-of-crew", crew=crew, fact=f"whole_crew_{side}")
            expected = expects("whole-crew", crew=crew) if whole else expected
            faults.append(Fault(where, f"{counted}", expected, clause))
    return faults


def _worth_of_rating(told: ReportedCounts, scenario: Scenario, board: BoardFormula, side: int) -> int:
    counted = told[f"{board.fact}_{side}"]
    if told.get(f"whole_crew_{side}") or (counted and counted == told.get(f"crew_rating_{side}")):
        return scenario.most or 0
    return counted // board.per


def _rating_removed(told: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one, two = (_worth_of_rating(told, scenario, board, side) for side in (2, 1))
    return one, two


def _rating_across(told: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one, two = (_worth_of_rating(told, scenario, board, side) for side in (1, 2))
    return one, two


def _faults_of_tokens(told: ReportedCounts, names: tuple[str, str], most: int, clause: str) -> list[Fault]:
    faults = _missing(told, names, clause)
    counts = {name: told[name] for name in names if name in told}
    for name, count in counts.items():
        if not 0 <= count <= most:
            faults.append(Fault(f"/extra/{name}", f"{count}", expects("between", least=0, most=most), clause))
    if not faults and sum(counts.values()) > most:
        one, two = (counts[name] for name in names)
        expected = expects("at-most-together", most=most, other=two)
        faults.append(Fault(f"/extra/{names[0]}", f"{one}", expected, clause))
    return faults


def _faults_of_held(told: ReportedCounts, board: BoardFormula, clause: str) -> list[Fault]:
    return _faults_of_tokens(told, ("tokens_1", "tokens_2"), board.tokens[0], clause)


def _held(told: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    return board.worth * told["tokens_1"], board.worth * told["tokens_2"]


def _names_of_claims(board: BoardFormula) -> tuple[str, ...]:
    return tuple(name for number in range(1, board.game_rounds + 1) for name in _sides(f"round_{number}_claims"))


def _faults_of_claims(told: ReportedCounts, board: BoardFormula, clause: str) -> list[Fault]:
    """Claims that are missing of a scoring game round, more than there are tokens, or of a round never begun."""
    begun, scored = told.get(GAME_ROUNDS, board.game_rounds), scored_rounds(told, board)
    faults = []
    for number in range(1, board.game_rounds + 1):
        one, two = f"round_{number}_claims_1", f"round_{number}_claims_2"
        if number > begun:
            late, expected = [name for name in (one, two) if name in told], expects("game-round-not-begun")
            faults += [Fault(f"/extra/{name}", f"{told[name]}", expected, clause) for name in late]
        elif number in scored or one in told or two in told:
            faults += _faults_of_tokens(told, (one, two), board.tokens_in(number), clause)
    return faults


def _claims(told: ReportedCounts, board: BoardFormula) -> list[tuple[int, Points]]:
    return [
        (number, (told[f"round_{number}_claims_1"], told[f"round_{number}_claims_2"]))
        for number in scored_rounds(told, board)
    ]


def _most_claims(told: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one = sum(board.worth * ((a > 0) + (a > b)) for _, (a, b) in _claims(told, board))
    two = sum(board.worth * ((b > 0) + (b > a)) for _, (a, b) in _claims(told, board))
    return one, two


def _each_claim(told: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    claims = [claims for _, claims in _claims(told, board)]
    return board.worth * sum(one for one, _ in claims), board.worth * sum(two for _, two in claims)


def _claims_race(told: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    points = [0, 0]
    for number, claims in _claims(told, board):
        for side in (0, 1):
            own, other = claims[side], claims[1 - side]
            if own == other:
                points[side] += board.tie if own else board.zero_tie
            elif own > other:
                at_the_end = number == board.game_rounds and own == board.tokens_in(number)
                points[side] += board.worth * (2 if at_the_end else 1)
    return points[0], points[1]


def _names_of_rating(board: BoardFormula) -> tuple[str, ...]:
    return _sides(board.fact, "crew_rating", "whole_crew")


def _names_of_held(board: BoardFormula) -> tuple[str, ...]:
    return _sides("tokens")


_RATING = frozenset({"fact", "per", "rating_most"})
_CLAIMS = frozenset({"scoring_rounds", "tokens", "worth", "interrupted_round"})

FORMULAS: Mapping[str, Formula] = {
    "rating_removed": Formula(_names_of_rating, _faults_of_rating, _rating_removed, any_score, _RATING),
    "rating_across": Formula(_names_of_rating, _faults_of_rating, _rating_across, any_score, _RATING),
    "tokens_held": Formula(
        _names_of_held, _faults_of_held, _held, splits_of_tokens_held, frozenset({"tokens", "worth"})
    ),
    "most_claims": Formula(_names_of_claims, _faults_of_claims, _most_claims, splits_of_most_claims, _CLAIMS),
    "each_claim": Formula(_names_of_claims, _faults_of_claims, _each_claim, splits_of_each_claim, _CLAIMS),
    "claims_race": Formula(
        _names_of_claims, _faults_of_claims, _claims_race, splits_of_claims_race, _CLAIMS | {"tie", "zero_tie"}
    ),
}
"""Formula -> what it looks at and makes. A pack names one in `scenarios[].board.formula`."""


SIDES: tuple[Side, Side] = (1, 2)
NOTED, TURNS = 2, 5
"""Areas that each player notes for key positions; game turns of a game."""

Table = Mapping[str, Any]
DecidedGame = tuple[Winner, tuple[int, int] | None]
"""Who won, and the superiority points of both sides where the objective has any."""


class ObjectiveFormula(Struct, frozen=True):
    """names: of the facts it looks at, without the side. decide: facts of the right shape -> the end, or faults."""

    names: tuple[str, ...]
    decide: Callable[[Table, str], DecidedGame | list[Fault]]


def outcome_by_points(one: int, two: int) -> DecidedGame:
    """More superiority points win, equal ones are a tie. DW-SCN-6."""
    winner: Winner = "draw" if one == two else 1 if one > two else 2
    return winner, (one, two)


def noted_areas(table: Table, clause: str) -> DecidedGame | list[Fault]:
    """Key Positions. Both may control one area; an area scores once for each player."""
    faults: list[Fault] = []
    for side in SIDES:
        noted, held = table.get(f"noted_{side}"), table.get(f"controlled_{side}")
        if not _different(noted) or len(noted) != NOTED:
            faults.append(
                Fault(f"/board/noted_{side}", display_text(noted), expects("different-areas", number=NOTED), clause)
            )
        if not _different(held):
            faults.append(Fault(f"/board/controlled_{side}", display_text(held), expects("areas-once"), clause))
    if faults:
        return faults
    noted = [*table["noted_1"], *table["noted_2"]]
    one, two = (sum(noted.count(area) for area in table[f"controlled_{side}"]) for side in SIDES)
    return outcome_by_points(one, two)


def units_destroyed(table: Table, clause: str) -> DecidedGame | list[Fault]:
    """Eliminate the Enemy. A unit and the hero who joined it are one, destroyed when both are."""
    faults = [
        Fault(f"/board/units_{side}", NOTHING, expects("units-that-suffered"), clause)
        for side in SIDES
        if f"units_{side}" not in table
    ]
    if faults:
        return faults
    one, two = (sum(_all_gone(unit) for unit in table[f"units_{3 - side}"]) for side in SIDES)
    return outcome_by_points(one, two)


def units_inside(table: Table, clause: str) -> DecidedGame | list[Fault]:
    """Critical Positions. A unit counts once a turn, also inside two areas; the first turn scores nothing."""
    faults: list[Fault] = []
    for side in SIDES:
        inside = table.get(f"inside_{side}")
        if not isinstance(inside, list) or not 1 <= len(inside) <= TURNS or not all(map(_whole, inside)):
            expected = expects("units-inside", turns=TURNS)
            faults.append(Fault(f"/board/inside_{side}", display_text(inside), expected, clause))
    if not faults and len(table["inside_1"]) != len(table["inside_2"]):
        expected = expects("same-game-turns", turns=len(table["inside_2"]))
        faults.append(Fault("/board/inside_1", display_text(table["inside_1"]), expected, clause))
    return faults or outcome_by_points(sum(table["inside_1"][1:]), sum(table["inside_2"][1:]))


def targets(table: Table, clause: str) -> DecidedGame | list[Fault]:
    """Assassination. Only one target dead: its destroyer wins; both: who destroyed the one worth more; else a tie."""
    faults: list[Fault] = []
    for side in SIDES:
        if not isinstance(table.get(f"target_dead_{side}"), bool):
            said = display_text(table.get(f"target_dead_{side}"))
            faults.append(Fault(f"/board/target_dead_{side}", said, expects("true-or-false"), clause))
    both = not faults and table["target_dead_1"] and table["target_dead_2"]
    for side in SIDES:
        worth = table.get(f"target_points_{side}")
        if (both or worth is not None) and not _whole(worth):
            faults.append(
                Fault(f"/board/target_points_{side}", display_text(worth), expects("points-of-target"), clause)
            )
    if faults:
        return faults
    if both:
        return outcome_by_points(table["target_points_2"], table["target_points_1"])[0], None
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
        return [Fault(where, display_text(units), expects("list-of-units"), clause)]
    faults: list[Fault] = []
    for index, unit in enumerate(units):
        place = f"{where}/{index}"
        if not isinstance(unit, dict):
            faults.append(Fault(place, display_text(unit), expects("object"), clause))
            continue
        faults += [
            Fault(f"{place}/{name}", display_text(unit[name]), one_of(list(_UNIT)), clause)
            for name in unit
            if name not in _UNIT
        ]
        for name, (fits, expected) in _UNIT.items():
            needed = name in ("points", "gone") or ("hero_points" in unit) != ("hero_gone" in unit)
            if name in unit and not fits(unit[name]):
                faults.append(Fault(f"{place}/{name}", display_text(unit[name]), expected, clause))
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

OBJECTIVES: Mapping[str, ObjectiveFormula] = {
    "noted_areas": ObjectiveFormula(("noted", "controlled"), noted_areas),
    "units_destroyed": ObjectiveFormula(("units",), units_destroyed),
    "units_inside": ObjectiveFormula(("inside",), units_inside),
    "targets": ObjectiveFormula(("target_dead", "target_points"), targets),
}


def apply_table_facts(facts: Facts, builder: BattleBuilder) -> Facts | list[Fault]:
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
        faults.append(Fault("/board/objective", display_text(name), expected, clause))
    if spent is None:
        return found, faults
    if not isinstance(spent, list) or not all(isinstance(letter, str) for letter in spent):
        fault = Fault("/board/spent", display_text(spent), expects("list-of-letters"), builder.cites("points_each"))
        return found, [*faults, fault]
    built = build_scenario(builder, spent)
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
            yield Fault(f"/board/{name}", display_text(facts.board[name]), one_of(known), builder.clause)
