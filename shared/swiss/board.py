"""Scenario points from what lies on the board: the formulas that a scenario of a pack may name.

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
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product

from msgspec import Struct

from shared.formats.swiss.rules.game_parts import BoardFormula, Scenario
from shared.refusals import NOTHING, Fault, expects

Points = tuple[int, int]


def any_split(board: BoardFormula) -> None:
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


ToldCounts = Mapping[str, int]

GAME_ROUNDS, INTERRUPTED = "game_rounds", "interrupted"


class Formula(Struct, frozen=True):
    """names: of the facts that the formula looks at. score: facts without fault -> points of both sides.

    settings: of the `board` of a pack that it uses, beside its game rounds.
    faults: what is missing or impossible in the facts. possible: every split of points that a game can end with;
    None where any split within the bounds of the scenario can be.
    """

    names: Callable[[BoardFormula], tuple[str, ...]]
    faults: Callable[[ToldCounts, BoardFormula, str], list[Fault]]
    score: Callable[[ToldCounts, Scenario, BoardFormula], Points]
    possible: Callable[[BoardFormula], frozenset[Points] | None]
    settings: frozenset[str]


def names_of_facts(scenario: Scenario | None) -> tuple[str, ...]:
    """The names of the board facts that may be told of a game of this scenario."""
    if scenario is None or scenario.board is None:
        return ()
    return *FORMULAS[scenario.board.formula].names(scenario.board), GAME_ROUNDS, INTERRUPTED


def points_on_the_board(told: ToldCounts, scenario: Scenario | None) -> Points | list[Fault] | None:
    """The points of both sides by the board facts in `told`, or what is wrong with these; None where none are told.

    Source: FF-RES-1, FF-SCN-4, FF-AMB-16, FF-AMB-17, FF-AMB-27.
    """
    names = names_of_facts(scenario)
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


def can_end_with(points: Points, scenario: Scenario) -> bool:
    """Whether a played game of the scenario can end with these points."""
    if scenario.board is None:
        return True
    possible = FORMULAS[scenario.board.formula].possible(scenario.board)
    return possible is None or points in possible


def nearest_ends(points: Points, scenario: Scenario) -> list[Points]:
    """The three splits that a game of the scenario can end with and that are nearest to these points, nearest first."""
    possible = FORMULAS[scenario.board.formula].possible(scenario.board) if scenario.board else None
    return sorted(possible or (), key=lambda end: (abs(end[0] - points[0]) + abs(end[1] - points[1]), end))[:3]


def rounds_scored(told: ToldCounts, board: BoardFormula) -> list[int]:
    """The scoring game rounds that were begun; without the one that time stopped, where such a one is skipped."""
    last = told.get(GAME_ROUNDS, board.game_rounds)
    if told.get(INTERRUPTED) and board.interrupted_round == "skip":
        last -= 1
    return [number for number in board.scoring_rounds if number <= last]


def scored_in(board: BoardFormula) -> Sequence[int]:
    """The game rounds after which claims are counted; none where nothing is claimed."""
    return board.scoring_rounds if "scoring_rounds" in FORMULAS[board.formula].settings else ()


def _sides(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}_{side}" for name in names for side in (1, 2))


def _missing(told: ToldCounts, names: Iterable[str], clause: str) -> list[Fault]:
    return [Fault(f"/extra/{name}", NOTHING, expects("whole-number"), clause) for name in names if name not in told]


def _faults_of_rating(told: ToldCounts, board: BoardFormula, clause: str) -> list[Fault]:
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


def _worth_of_rating(told: ToldCounts, scenario: Scenario, board: BoardFormula, side: int) -> int:
    counted = told[f"{board.fact}_{side}"]
    if told.get(f"whole_crew_{side}") or (counted and counted == told.get(f"crew_rating_{side}")):
        return scenario.most or 0
    return counted // board.per


def _rating_removed(told: ToldCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one, two = (_worth_of_rating(told, scenario, board, side) for side in (2, 1))
    return one, two


def _rating_across(told: ToldCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one, two = (_worth_of_rating(told, scenario, board, side) for side in (1, 2))
    return one, two


def _faults_of_tokens(told: ToldCounts, names: tuple[str, str], most: int, clause: str) -> list[Fault]:
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


def _faults_of_held(told: ToldCounts, board: BoardFormula, clause: str) -> list[Fault]:
    return _faults_of_tokens(told, ("tokens_1", "tokens_2"), board.tokens[0], clause)


def _held(told: ToldCounts, scenario: Scenario, board: BoardFormula) -> Points:
    return board.worth * told["tokens_1"], board.worth * told["tokens_2"]


def _names_of_claims(board: BoardFormula) -> tuple[str, ...]:
    return tuple(name for number in range(1, board.game_rounds + 1) for name in _sides(f"round_{number}_claims"))


def _faults_of_claims(told: ToldCounts, board: BoardFormula, clause: str) -> list[Fault]:
    """Claims that are missing of a scoring game round, more than there are tokens, or of a round never begun."""
    begun, scored = told.get(GAME_ROUNDS, board.game_rounds), rounds_scored(told, board)
    faults = []
    for number in range(1, board.game_rounds + 1):
        one, two = f"round_{number}_claims_1", f"round_{number}_claims_2"
        if number > begun:
            late, expected = [name for name in (one, two) if name in told], expects("game-round-not-begun")
            faults += [Fault(f"/extra/{name}", f"{told[name]}", expected, clause) for name in late]
        elif number in scored or one in told or two in told:
            faults += _faults_of_tokens(told, (one, two), board.tokens_in(number), clause)
    return faults


def _claims(told: ToldCounts, board: BoardFormula) -> list[tuple[int, Points]]:
    return [
        (number, (told[f"round_{number}_claims_1"], told[f"round_{number}_claims_2"]))
        for number in rounds_scored(told, board)
    ]


def _most_claims(told: ToldCounts, scenario: Scenario, board: BoardFormula) -> Points:
    one = sum(board.worth * ((a > 0) + (a > b)) for _, (a, b) in _claims(told, board))
    two = sum(board.worth * ((b > 0) + (b > a)) for _, (a, b) in _claims(told, board))
    return one, two


def _each_claim(told: ToldCounts, scenario: Scenario, board: BoardFormula) -> Points:
    claims = [claims for _, claims in _claims(told, board)]
    return board.worth * sum(one for one, _ in claims), board.worth * sum(two for _, two in claims)


def _claims_race(told: ToldCounts, scenario: Scenario, board: BoardFormula) -> Points:
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
    "rating_removed": Formula(_names_of_rating, _faults_of_rating, _rating_removed, any_split, _RATING),
    "rating_across": Formula(_names_of_rating, _faults_of_rating, _rating_across, any_split, _RATING),
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
