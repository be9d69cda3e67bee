"""Facts of the table: scenario points by formula, objectives with their winners, and break points.

Formulas that a scenario of a pack may name:

| formula          | points of a side                                                              | clauses   |
|------------------|-------------------------------------------------------------------------------|-----------|
| `rating_removed` | Rating of removed enemies divided by `per`; `most` for the whole crew         | FF-RES-1  |
| `rating_across`  | Rating of own models across divided by `per`; `most` for the whole crew       | FF-RES-1  |
| `tokens_held`    | `worth` for each token held at the end                                        | FF-RES-1  |
| `most_claims`    | each scoring game round `worth` for a claim, and again for more claims        | FF-AMB-27 |
| `each_claim`     | each scoring game round `worth` for each claim                                | FF-SCN-4  |
| `claims_race`    | each game round `worth` for more claims, else `tie`; again for all at the end | FF-AMB-17 |

Their facts are whole numbers in `extra`, for side 1 and side 2: `rating_lost_1`, `rating_across_1`, `crew_rating_1` and
`whole_crew_1` (0 or 1); `tokens_1`; `round_2_claims_1`. For both sides: `game_rounds`, the number of game rounds begun
(default: all), and `interrupted`, 1 if time stopped the last one.

Formulas of objectives:

| formula           | superiority points of a side                                                     | clause    |
|-------------------|----------------------------------------------------------------------------------|-----------|
| `noted_areas`     | 1 for each controlled area that one player noted, 2 if both noted it             | DW-SCN-6  |
| `units_destroyed` | 1 for each enemy unit completely destroyed                                       | DW-SCN-6  |
| `units_inside`    | 1 for each own unit inside a noted area, in the End phases from turn 2           | DW-AMB-22 |
| `targets`         | none: the destroyer of the more valuable target wins                             | DW-SCN-6  |

Their facts are an object. For each side `_1` and `_2`: `noted` and `controlled`, names of terrain areas; `inside`,
number of units inside in each game turn from the first; `target_dead` and `target_points` of the side's own target;
`units`, the damaged units of the side: `points`, `gone`, and with a joined hero `hero_points` and `hero_gone`.

Source of scores and winners from the facts of the table: DW-RES-1, DW-RES-2, DW-SCN-5, DW-SCN-6.
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
    """Return None: any score within the bounds of the scenario is possible."""


def _sums(rounds: Iterable[frozenset[Points]]) -> frozenset[Points]:
    """Return every sum of one score of each round."""
    sums = {(0, 0)}
    for splits in rounds:
        sums = {(a + c, b + d) for (a, b), (c, d) in product(sums, splits)}
    return frozenset(sums)


@cache
def _most_claims_scores(worth: int, tokens: tuple[int, ...]) -> frozenset[Points]:
    def split(one: int, two: int) -> Points:
        return worth * ((one > 0) + (one > two)), worth * ((two > 0) + (two > one))

    return _sums(
        frozenset(split(one, two) for one in range(most + 1) for two in range(most + 1 - one)) for most in tokens
    )


def scores_of_most_claims(board: BoardFormula) -> frozenset[Points]:
    """Return the possible scores if the most claims of a game round count (FF-AMB-27)."""
    return _most_claims_scores(board.worth, tuple(board.tokens_in(number) for number in board.scoring_rounds))


@cache
def _token_scores(worth: int, tokens: int) -> frozenset[Points]:
    return frozenset((worth * one, worth * two) for one in range(tokens + 1) for two in range(tokens + 1 - one))


def scores_of_tokens_held(board: BoardFormula) -> frozenset[Points]:
    """Return the possible scores if tokens held at the end count (FF-RES-1)."""
    return _token_scores(board.worth, board.tokens[0])


def scores_of_each_claim(board: BoardFormula) -> frozenset[Points]:
    """Return the possible scores if each claim counts (FF-SCN-4)."""
    return _token_scores(board.worth, sum(board.tokens_in(number) for number in board.scoring_rounds))


@cache
def _race_scores(worth: int, tie: int, zero_tie: int, scoring: int) -> frozenset[Points]:
    """Return the possible scores. A game may end after any game round; only the last one can score all tokens again."""
    ordinary = frozenset({(worth, 0), (0, worth), (tie, tie), (zero_tie, zero_tie)})
    last = ordinary | {(2 * worth, 0), (0, 2 * worth)}
    early = [_sums([ordinary] * begun) for begun in range(scoring)]
    return _sums([*[ordinary] * (scoring - 1), last]).union(*early)


def scores_of_claims_race(board: BoardFormula) -> frozenset[Points]:
    """Return the possible scores if the most claims count, and all claims at the end count again (FF-AMB-17)."""
    return _race_scores(board.worth, board.tie, board.zero_tie, len(board.scoring_rounds))


ReportedCounts = Mapping[str, int]

GAME_ROUNDS, INTERRUPTED = "game_rounds", "interrupted"


class Formula(Struct, frozen=True):
    """A formula of scenario points.

    - `names`: names of the facts it reads.
    - `faults`: returns what is missing or impossible in the facts.
    - `score`: returns the points of both sides for facts without faults.
    - `possible`: returns every possible score; None if any score within the bounds of the scenario is possible.
    - `settings`: settings of the pack's `board` that it uses, in addition to game rounds.
    """

    names: Callable[[BoardFormula], tuple[str, ...]]
    faults: Callable[[ReportedCounts, BoardFormula, str], list[Fault]]
    score: Callable[[ReportedCounts, Scenario, BoardFormula], Points]
    possible: Callable[[BoardFormula], frozenset[Points] | None]
    settings: frozenset[str]


def board_fact_names(scenario: Scenario | None) -> tuple[str, ...]:
    """Return the names of the board facts that a game of this scenario may report."""
    if scenario is None or scenario.board is None:
        return ()
    return *FORMULAS[scenario.board.formula].names(scenario.board), GAME_ROUNDS, INTERRUPTED


def board_points(reported: ReportedCounts, scenario: Scenario | None) -> Points | list[Fault] | None:
    """Return the points of both sides from board facts, or the faults of these; None if none are reported.

    Source: FF-RES-1, FF-SCN-4, FF-AMB-16, FF-AMB-17, FF-AMB-27.
    """
    names = board_fact_names(scenario)
    if scenario is None or scenario.board is None or not any(name in reported for name in names):
        return None
    formula, clause = FORMULAS[scenario.board.formula], scenario.clause
    bounds = {GAME_ROUNDS: (1, scenario.board.game_rounds), INTERRUPTED: (0, 1)}
    faults = [
        Fault(f"/extra/{name}", f"{reported[name]}", expects("between", least=least, most=most), clause)
        for name, (least, most) in bounds.items()
        if name in reported and not least <= reported[name] <= most
    ]
    faults += formula.faults(reported, scenario.board, clause)
    return faults or formula.score(reported, scenario, scenario.board)


def is_possible_score(points: Points, scenario: Scenario) -> bool:
    """Return True if a played game of the scenario can end with these points."""
    if scenario.board is None:
        return True
    possible = FORMULAS[scenario.board.formula].possible(scenario.board)
    return possible is None or points in possible


def nearest_possible_scores(points: Points, scenario: Scenario) -> list[Points]:
    """Return the three possible scores of the scenario nearest to these points, nearest first."""
    possible = FORMULAS[scenario.board.formula].possible(scenario.board) if scenario.board else None
    return sorted(possible or (), key=lambda end: (abs(end[0] - points[0]) + abs(end[1] - points[1]), end))[:3]


def scored_rounds(reported: ReportedCounts, board: BoardFormula) -> list[int]:
    """Return the scoring game rounds that were begun; without an interrupted one if the scenario skips it."""
    last = reported.get(GAME_ROUNDS, board.game_rounds)
    if reported.get(INTERRUPTED) and board.interrupted_round == "skip":
        last -= 1
    return [number for number in board.scoring_rounds if number <= last]


def rounds_with_claims(board: BoardFormula) -> Sequence[int]:
    """Return the game rounds after which claims are counted; empty if nothing is claimed."""
    return board.scoring_rounds if "scoring_rounds" in FORMULAS[board.formula].settings else ()


def _sides(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}_{side}" for name in names for side in (1, 2))


def _missing(reported: ReportedCounts, names: Iterable[str], clause: str) -> list[Fault]:
    return [Fault(f"/extra/{name}", NOTHING, expects("whole-number"), clause) for name in names if name not in reported]


def _faults_of_rating(reported: ReportedCounts, board: BoardFormula, clause: str) -> list[Fault]:
    """Return faults of a Rating: over the limit, over the crew's Rating, or inconsistent with `whole_crew`."""
    faults = _missing(reported, _sides(board.fact), clause)
    for side in (1, 2):
        counted, crew, whole = (reported.get(f"{name}_{side}") for name in (board.fact, "crew_rating", "whole_crew"))
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


def _worth_of_rating(reported: ReportedCounts, scenario: Scenario, board: BoardFormula, side: int) -> int:
    counted = reported[f"{board.fact}_{side}"]
    if reported.get(f"whole_crew_{side}") or (counted and counted == reported.get(f"crew_rating_{side}")):
        return scenario.most or 0
    return counted // board.per


def _rating_removed(reported: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one, two = (_worth_of_rating(reported, scenario, board, side) for side in (2, 1))
    return one, two


def _rating_across(reported: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one, two = (_worth_of_rating(reported, scenario, board, side) for side in (1, 2))
    return one, two


def _faults_of_tokens(reported: ReportedCounts, names: tuple[str, str], most: int, clause: str) -> list[Fault]:
    faults = _missing(reported, names, clause)
    counts = {name: reported[name] for name in names if name in reported}
    for name, count in counts.items():
        if not 0 <= count <= most:
            faults.append(Fault(f"/extra/{name}", f"{count}", expects("between", least=0, most=most), clause))
    if not faults and sum(counts.values()) > most:
        one, two = (counts[name] for name in names)
        expected = expects("at-most-together", most=most, other=two)
        faults.append(Fault(f"/extra/{names[0]}", f"{one}", expected, clause))
    return faults


def _faults_of_held(reported: ReportedCounts, board: BoardFormula, clause: str) -> list[Fault]:
    return _faults_of_tokens(reported, ("tokens_1", "tokens_2"), board.tokens[0], clause)


def _held(reported: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    return board.worth * reported["tokens_1"], board.worth * reported["tokens_2"]


def _names_of_claims(board: BoardFormula) -> tuple[str, ...]:
    return tuple(name for number in range(1, board.game_rounds + 1) for name in _sides(f"round_{number}_claims"))


def _faults_of_claims(reported: ReportedCounts, board: BoardFormula, clause: str) -> list[Fault]:
    """Return faults of claims: missing in a scoring game round, more than tokens, or after the last game round."""
    begun, scored = reported.get(GAME_ROUNDS, board.game_rounds), scored_rounds(reported, board)
    faults = []
    for number in range(1, board.game_rounds + 1):
        one, two = f"round_{number}_claims_1", f"round_{number}_claims_2"
        if number > begun:
            late, expected = [name for name in (one, two) if name in reported], expects("game-round-not-begun")
            faults += [Fault(f"/extra/{name}", f"{reported[name]}", expected, clause) for name in late]
        elif number in scored or one in reported or two in reported:
            faults += _faults_of_tokens(reported, (one, two), board.tokens_in(number), clause)
    return faults


def _claims(reported: ReportedCounts, board: BoardFormula) -> list[tuple[int, Points]]:
    return [
        (number, (reported[f"round_{number}_claims_1"], reported[f"round_{number}_claims_2"]))
        for number in scored_rounds(reported, board)
    ]


def _most_claims(reported: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one = sum(board.worth * ((a > 0) + (a > b)) for _, (a, b) in _claims(reported, board))
    two = sum(board.worth * ((b > 0) + (b > a)) for _, (a, b) in _claims(reported, board))
    return one, two


def _each_claim(reported: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    claims = [claims for _, claims in _claims(reported, board)]
    return board.worth * sum(one for one, _ in claims), board.worth * sum(two for _, two in claims)


def _claims_race(reported: ReportedCounts, scenario: Scenario, board: BoardFormula) -> Points:
    points = [0, 0]
    for number, claims in _claims(reported, board):
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
        _names_of_held, _faults_of_held, _held, scores_of_tokens_held, frozenset({"tokens", "worth"})
    ),
    "most_claims": Formula(_names_of_claims, _faults_of_claims, _most_claims, scores_of_most_claims, _CLAIMS),
    "each_claim": Formula(_names_of_claims, _faults_of_claims, _each_claim, scores_of_each_claim, _CLAIMS),
    "claims_race": Formula(
        _names_of_claims, _faults_of_claims, _claims_race, scores_of_claims_race, _CLAIMS | {"tie", "zero_tie"}
    ),
}
"""Name of a formula -> the formula. A pack names it in `scenarios[].board.formula`."""


SIDES: tuple[Side, Side] = (1, 2)
NOTED, TURNS = 2, 5
"""Number of areas that each player notes for key positions; number of game turns of a game."""

Table = Mapping[str, Any]
DecidedGame = tuple[Winner, tuple[int, int] | None]
"""The winner, and the superiority points of both sides if the objective has any."""


class ObjectiveFormula(Struct, frozen=True):
    """A formula of objectives.

    - `names`: names of the facts it reads, without the side.
    - `decide`: returns the outcome for well-formed facts, or the faults of the facts.
    """

    names: tuple[str, ...]
    decide: Callable[[Table, str], DecidedGame | list[Fault]]


def outcome_by_points(one: int, two: int) -> DecidedGame:
    """Return the outcome: more superiority points win, equal points are a draw (DW-SCN-6)."""
    winner: Winner = "draw" if one == two else 1 if one > two else 2
    return winner, (one, two)


def noted_areas(table: Table, clause: str) -> DecidedGame | list[Fault]:
    """Decide Key Positions. Both sides may control an area; it scores once for each player who noted it."""
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
    """Decide Eliminate the Enemy. A unit and its joined hero count as one, destroyed when both are."""
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
    """Decide Critical Positions. A unit counts once a turn, even inside two areas; the first turn scores nothing."""
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
    """Decide Assassination. If both targets are dead, the destroyer of the more valuable one wins.

    If one target is dead, its destroyer wins. Otherwise the game is a draw.
    """
    faults: list[Fault] = []
    for side in SIDES:
        if not isinstance(table.get(f"target_dead_{side}"), bool):
            text = display_text(table.get(f"target_dead_{side}"))
            faults.append(Fault(f"/board/target_dead_{side}", text, expects("true-or-false"), clause))
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
    """Return the army points of the units that are completely destroyed. Damaged units give nothing.

    - `units`: units of the enemy, as facts of the table.
    - `hero`: `joined` if a hero and their unit are one unit, which counts when both are gone.

    Source: DW-RES-2, DW-AMB-21.
    """
    points = 0
    for unit in units:
        if hero == "joined":
            points += (unit["points"] + unit.get("hero_points", 0)) if _all_gone(unit) else 0
        else:
            points += unit["points"] if unit["gone"] else 0
            points += unit.get("hero_points", 0) if unit.get("hero_gone") else 0
    return points


def faults_of_units(units: object, where: str, clause: str) -> list[Fault]:
    """Return the faults in the damaged units of a side."""
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
    """Return True if the value is a list of names without repetition."""
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
    """Return the facts with points and winner computed from the facts of the table, or every fault of these.

    `board` contains `objective` (its name) or `spent` (how the scenario points were spent), and the facts that
    `OBJECTIVES` names. Reported points and a reported winner must agree. Units alone give break points without a
    winner.
    Source: DW-RES-1, DW-RES-2, DW-SCN-5, DW-SCN-6.
    """
    objective, faults = _objective(facts, builder)
    faults += _unknown_facts(facts, builder, objective)
    table, clause = facts.board, builder.cites("objectives")
    for name in [f"units_{side}" for side in SIDES if f"units_{side}" in table]:
        faults += faults_of_units(table[name], f"/board/{name}", builder.cites("hero"))
    if faults:
        return faults
    result = facts
    for side in SIDES:
        if f"units_{3 - side}" in table:
            points = break_points(table[f"units_{3 - side}"], builder.hero)
            reported = facts.points_1 if side == 1 else facts.points_2
            if reported not in (None, points):
                expected = expects("points-by-units", points=points)
                faults.append(Fault(f"/points_{side}", f"{reported}", expected, builder.cites("hero")))
            result = replace(result, **{f"points_{side}": points})
    if objective is not None:
        outcome = OBJECTIVES[objective.formula].decide(table, clause)
        if isinstance(outcome, list):
            return faults + outcome
        winner, _ = outcome
        if facts.winner not in (None, winner):
            expectation = expects("winner-by-objective", winner=winner, objective=objective.name)
            expectation = (
                expects("draw-by-objective", draw=DRAW, objective=objective.name) if winner == DRAW else expectation
            )
            faults.append(Fault("/winner", f"{facts.winner}", expectation, clause))
        result = replace(result, winner=winner)
    return faults or result


def _objective(facts: Facts, builder: BattleBuilder) -> tuple[Objective | None, list[Fault]]:
    """Return the objective that was played, if it was reported by name or by the points spent, and the faults."""
    name, spent, clause = facts.board.get("objective"), facts.board.get("spent"), builder.cites("objectives")
    key = name.casefold() if isinstance(name, str) else name
    named_objective = next((known for known in builder.objectives if known.name.casefold() == key), None)
    faults: list[Fault] = []
    if name is not None and named_objective is None:
        expected = one_of([known.name for known in builder.objectives])
        faults.append(Fault("/board/objective", display_text(name), expected, clause))
    if spent is None:
        return named_objective, faults
    if not isinstance(spent, list) or not all(isinstance(letter, str) for letter in spent):
        fault = Fault("/board/spent", display_text(spent), expects("list-of-letters"), builder.cites("points_each"))
        return named_objective, [*faults, fault]
    scenario = build_scenario(builder, spent)
    if isinstance(scenario, list):
        return named_objective, faults + [replace(fault, where=f"/board{fault.where}") for fault in scenario]
    if named_objective is not None and named_objective != scenario.objective:
        expected = expects("objective-by-points", objective=scenario.objective.name)
        faults.append(Fault("/board/objective", named_objective.name, expected, clause))
    return scenario.objective, faults


def _unknown_facts(facts: Facts, builder: BattleBuilder, objective: Objective | None) -> Iterator[Fault]:
    """Yield faults for facts that neither the objective nor break points use."""
    names = {"units", *(OBJECTIVES[objective.formula].names if objective else ())}
    known = ["objective", "spent", *sorted(f"{name}_{side}" for name in names for side in SIDES)]
    for name in facts.board:
        if name not in known:
            yield Fault(f"/board/{name}", display_text(facts.board[name]), one_of(known), builder.clause)
