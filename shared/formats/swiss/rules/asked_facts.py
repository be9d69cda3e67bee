"""What a ruleset asks of a game, fact by fact: the members of `Facts` that a form has a field for, and their bounds.

Whoever asks people for a result needs no ruleset in hand then. Bounds are those that hold of one fact alone; what holds
of several together is for `scoring.score_game`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.formats.swiss.rules.battle_builder import VARIABLES, BattleBuilder
from shared.formats.swiss.rules.board_facts import GAME_ROUNDS, INTERRUPTED, names_of_facts, scored_in
from shared.formats.swiss.rules.game_parts import BoardFormula, MarginTable, OutcomePoints, ReportedPoints, Scenario
from shared.formats.swiss.rules.objectives import NOTED, OBJECTIVES, SIDES, TURNS
from shared.formats.swiss.rules.ruleset import Ruleset

FactKind = Literal["whole", "choice", "flag", "text", "names", "numbers", "units", "letters"]
Makes = Literal["points", "winner", ""]
FactPart = Literal["game", "score", "table", "beside", "end"]


class Only(Struct, frozen=True):
    """A fact that is asked where another one has a value."""

    where: str
    value: str


class AskedFact(Struct, frozen=True):
    """A fact that may be said of a game.

    where: JSON pointer into the facts. name: without its side. side: 1 or 2; 0 for the game. kind: how it is said.
    part: which game it was, its score, what of the table makes that, what is recorded beside it, or how it ended.
    least, most, step: of a number, or how many a list may have. together: the most of both sides. choices: the values
    of a choice, and of a flag those for no and yes. makes: what follows from it, so that this need not be said. only:
    where another fact has a value. game_round: of a game, that it is of; 0: of none.
    """

    where: str
    name: str
    kind: FactKind
    clause: str
    side: int = 0
    part: FactPart = "table"
    least: int = 0
    most: int | None = None
    step: int = 1
    together: int | None = None
    choices: tuple[int | str | bool, ...] = ()
    needed: bool = False
    makes: Makes = ""
    only: Only | None = None
    game_round: int = 0


def asked_facts(ruleset: Ruleset, scenario: str = "") -> list[AskedFact]:
    """What may be said of a game that two players played, in the order in which a form asks it.

    scenario: of the round, where it has one; else every scenario of the event is asked for.
    """
    form, clause = ruleset.result, ruleset.result.clause
    asked = [*_points(ruleset, scenario), *_of_scenarios(ruleset, scenario)]
    if ruleset.builder is not None and "board" in form.fields:
        asked += _of_builder(ruleset.builder)
    if "extra" in form.fields:
        asked += _beside(ruleset)
    if "winner" in form.fields:
        drawn = () if isinstance(ruleset.points, MarginTable) and ruleset.points.draws == "impossible" else ("draw",)
        needed = isinstance(ruleset.points, OutcomePoints) and ruleset.points.decided_by == "report"
        asked.append(AskedFact("/winner", "winner", "choice", clause, 0, "end", choices=(1, 2, *drawn), needed=needed))
    if "end" in form.fields and form.ends:
        ends = tuple(rule.end for rule in form.ends)
        asked.append(AskedFact("/end", "end", "choice", form.cites("ends"), 0, "end", choices=ends))
    if "second_player" in form.fields:
        asked.append(AskedFact("/second_player", "second_player", "choice", clause, 0, "end", choices=SIDES))
    if "scenario" in form.fields and not ruleset.scenarios:
        asked.append(AskedFact("/scenario", "scenario", "text", clause, 0, "end", most=100))
    return asked


def word_of_draws(ruleset: Ruleset) -> str:
    """What the game's own people call a game without a winner."""
    return ruleset.called.draw


def _points(ruleset: Ruleset, scenario: str) -> Iterator[AskedFact]:
    """The score of both sides, and its parts where it has any."""
    points, clause, most, step = ruleset.points, ruleset.points.clause, None, 1
    known = _scenario(ruleset, scenario)
    match points:
        case ReportedPoints():
            most, clause = points.most, points.cites("most")
        case OutcomePoints():
            bounds = [points.list_limit, known.most if known else None]
            bounds += [points.match.best_of // 2 + 1] if points.match and points.match.best_of else []
            most = min((bound for bound in bounds if bound is not None), default=None)
            step = known.step if known else 1
            clause = points.cites("score")
    for side in SIDES:
        yield AskedFact(f"/points_{side}", "points", "whole", clause, side, "score", most=most, step=step, needed=True)
    fields = ruleset.result.fields
    if isinstance(points, MarginTable):
        for name, bound in (("destroyed", points.full_fleet), ("objective", None)):
            for side in SIDES:
                if f"{name}_{side}" in fields:
                    yield AskedFact(
                        f"/{name}_{side}", name, "whole", points.clause, side, most=bound, needed=True, makes="points"
                    )


def _scenario(ruleset: Ruleset, name: str) -> Scenario | None:
    return next((one for one in ruleset.scenarios if name in (one.name, *one.aliases)), None)


def _of_scenarios(ruleset: Ruleset, scenario: str) -> Iterator[AskedFact]:
    """Which scenario it was, where that is not known, and what lies on the board at its end."""
    known, form = _scenario(ruleset, scenario), ruleset.result
    if known is not None:
        yield from _on_board(known)
        return
    pool = [one for one in ruleset.scenarios if not form.pool or one.name in form.pool]
    if pool and "scenario" in form.fields:
        names = tuple(one.name for one in pool)
        yield AskedFact("/scenario", "scenario", "choice", form.cites("pool"), 0, "game", choices=names, needed=True)
        for one in pool:
            yield from _only(_on_board(one), "/scenario", one.name)


def _only(asked: Iterator[AskedFact], where: str, value: str) -> Iterator[AskedFact]:
    return (replace(one, only=Only(where, value)) for one in asked)


def _on_board(scenario: Scenario) -> Iterator[AskedFact]:
    board, clause = scenario.board, scenario.clause
    if board is None:
        return
    scored = scored_in(board)
    for name in names_of_facts(scenario):
        where, stem, side = f"/extra/{name}", name.rpartition("_")[0], int(name[-1]) if name[-1] in "12" else 0
        if name == GAME_ROUNDS:
            if scored:
                yield AskedFact(where, name, "whole", clause, least=1, most=board.game_rounds)
        elif name == INTERRUPTED:
            if scored:
                yield AskedFact(where, name, "flag", clause, choices=(0, 1))
        elif stem == "whole_crew":
            yield AskedFact(where, stem, "flag", clause, side, choices=(0, 1))
        elif stem == "tokens":
            yield _tokens(where, stem, side, clause, board.tokens[0])
        elif stem.endswith("_claims"):
            number = int(stem.split("_")[1])
            if number in scored:
                yield replace(_tokens(where, "claims", side, clause, board.tokens_in(number)), game_round=number)
        else:
            yield _rating(where, stem, side, clause, board)


def _tokens(where: str, name: str, side: int, clause: str, most: int) -> AskedFact:
    return AskedFact(where, name, "whole", clause, side, most=most, together=most, needed=True, makes="points")


def _rating(where: str, name: str, side: int, clause: str, board: BoardFormula) -> AskedFact:
    needed = name == board.fact
    made: Makes = "points" if needed else ""
    return AskedFact(where, name, "whole", clause, side, most=board.rating_most, needed=needed, makes=made)


def _of_builder(builder: BattleBuilder) -> Iterator[AskedFact]:
    """What was played for, what stood on the table at the end of it, and the units that are gone."""
    clause, objective = builder.cites("objectives"), "/board/objective"
    names = tuple(one.name for one in builder.objectives)
    yield AskedFact(objective, "objective", "choice", clause, choices=names, makes="winner")
    spent = 2 * builder.points_each
    yield AskedFact(
        "/board/spent", "spent", "letters", builder.cites("points_each"), least=spent, most=spent, choices=VARIABLES
    )
    for one in builder.objectives:
        for name in OBJECTIVES[one.formula].names:
            if name != "units":
                yield from _only((_at_table(name, side, clause) for side in SIDES), objective, one.name)
    for side in SIDES:
        yield AskedFact(f"/board/units_{side}", "units", "units", builder.cites("hero"), side, makes="points")


def _at_table(name: str, side: int, clause: str) -> AskedFact:
    where = f"/board/{name}_{side}"
    match name:
        case "noted":
            return AskedFact(where, name, "names", clause, side, least=NOTED, most=NOTED, needed=True, makes="winner")
        case "controlled":
            return AskedFact(where, name, "names", clause, side, most=2 * NOTED, needed=True, makes="winner")
        case "inside":
            return AskedFact(where, name, "numbers", clause, side, least=1, most=TURNS, needed=True, makes="winner")
        case "target_dead":
            return AskedFact(where, name, "flag", clause, side, choices=(False, True), needed=True, makes="winner")
    return AskedFact(where, name, "whole", clause, side, makes="winner")


def _beside(ruleset: Ruleset) -> Iterator[AskedFact]:
    """What is recorded beside the score, and what lists come to."""
    points = ruleset.points
    if isinstance(points, OutcomePoints):
        for rule in points.recorded:
            sides: Sequence[int] = (0,) if rule.counted == "once" else SIDES
            for side in sides:
                where = f"/extra/{rule.name}_{side or 1}"
                yield AskedFact(
                    where, rule.name, "whole", rule.clause, side, "beside", most=rule.most, together=rule.together
                )
    limit, least, clause = _list_limit(ruleset)
    if limit is not None:
        for side in SIDES:
            yield AskedFact(f"/extra/list_{side}", "list", "whole", clause, side, "beside", least=least, most=limit)


def _list_limit(ruleset: Ruleset) -> tuple[int | None, int, str]:
    points = ruleset.points
    match points:
        case MarginTable():
            return points.full_fleet, 1, points.cites("full_fleet")
        case OutcomePoints():
            return points.list_limit, 0, points.cites("list_limit")
    return None, 0, points.clause
