"""Scoring: the score of reported facts or every fault, byes and absences, and the facts that a game is asked for.

A program that asks people for a result needs no ruleset: it reads the asked facts. Their bounds hold for one fact
alone; `score_game` checks what holds for several facts together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from shared.refusals import NOTHING, Expected, Fault, display_text, expects, one_of
from shared.rules.model import NOBODY_WON, PLAYED, Facts, FactsKind, GivenBye, ImpossibleResult, Score, Side
from shared.rules.parts import DRAW, or_option
from shared.swiss import registries
from shared.swiss.board import (
    GAME_ROUNDS,
    INTERRUPTED,
    NOTED,
    OBJECTIVES,
    SIDES,
    TURNS,
    apply_table_facts,
    board_fact_names,
    rounds_with_claims,
)
from shared.swiss.game_parts import (
    Absence,
    BoardFormula,
    Bye,
    ByeWorth,
    MarginTable,
    OutcomePoints,
    ReportedPoints,
    Result,
    RoundWorth,
    Scenario,
)
from shared.swiss.outcomes import (
    LIMIT_FAULTS,
    MISSING_LIST_FAULTS,
    find_scenario,
    half_of_list,
    half_of_most,
    missing_list,
)
from shared.swiss.rounds import list_limit
from shared.swiss.ruleset import VARIABLES, BattleBuilder, Ruleset


def absence_rule(ruleset: Ruleset, kind: FactsKind) -> Absence:
    """The part that says what becomes of a game of this kind, which was not played."""
    return ruleset.forfeit if kind in ("forfeit", "double_forfeit") else ruleset.no_show


def repeatedly_absent(ruleset: Ruleset, absences: Iterable[tuple[FactsKind, str]]) -> dict[str, str]:
    """Players who stayed away from as many games as end the tournament for them, each with the clause that says so.

    absences: the kind of every game that was not played, and who was not there.
    Source: AR-AMB-18, DW-AMB-17.
    """
    times: Counter[str] = Counter()
    over: dict[str, str] = {}
    for kind, player in absences:
        part = absence_rule(ruleset, kind)
        limit = part.drop_after
        times[player] += bool(limit)
        if limit and times[player] >= limit:
            over[player] = part.cites("drop_after")
    return over


def add_option_hint(ruleset: Ruleset, facts: Facts, fault: Fault) -> Fault:
    """A fault of a result, with the option that would allow it where there is one."""
    return replace(fault, expected=_or_option(ruleset, facts, fault))


def _or_option(ruleset: Ruleset, facts: Facts, fault: Fault) -> Expected:
    right = fault.expected
    if right.code in LIMIT_FAULTS:
        told: Mapping[str, int | None] = {
            "/points_1": facts.points_1,
            "/points_2": facts.points_2,
            **{f"/extra/{name}": value for name, value in facts.extra.items()},
        }
        needed = told.get(fault.where) or 0
        return or_option(
            right, ruleset, "/points/list_limit", lambda most: type(most) is int and most >= needed, needed
        )
    if facts.kind in PLAYED and right.code in MISSING_LIST_FAULTS:
        return or_option(right, ruleset, "/concession/award", lambda award: award == "table")
    return right


_NEEDED: Mapping[str, Expected] = {"forfeit": expects("forfeiting-side"), "no_show": expects("absent-side")}
"""Kind of a game that one side was not there to play -> which side has to be named."""


def ruleset_in_round(ruleset: Ruleset, round: int) -> Ruleset:
    """Return the ruleset with the match of a tournament round, where matches differ by round."""
    points = ruleset.points
    if not isinstance(points, OutcomePoints) or points.match is None or not points.match.later:
        return ruleset
    match = structs.replace(points.match.in_round(round), later=[])
    return structs.replace(ruleset, points=structs.replace(points, match=match))


def score_game(ruleset: Ruleset, facts: Facts) -> Score:
    """The outcome and the values of both sides. For a report, give the ruleset as it is `ruleset_in_round`.

    Raises ImpossibleResult with every fault: a fact that the result form does not ask for, one that is missing,
    numbers out of range, and facts that contradict each other.
    """
    faults = list(_faults_of_form(ruleset, facts))
    if not faults and facts.board and ruleset.builder is not None:
        made = apply_table_facts(facts, ruleset.builder)
        faults, facts = (made, facts) if isinstance(made, list) else ([], made)
    if not faults:
        scored = _scored(ruleset, facts)
        if isinstance(scored, Score):
            return scored
        faults = scored
    words = ruleset.effective_words
    faults = [words.in_fault(fault) if fault.where == "/winner" else fault for fault in faults]
    faults = [add_option_hint(ruleset, facts, fault) for fault in faults]
    raise ImpossibleResult("this result is impossible under " + ruleset.id, faults, ruleset=ruleset.id)


def improbable_faults(ruleset: Ruleset, facts: Facts) -> list[Fault]:
    """What a possible result says that no game brings, as far as anybody knows: a digit too many, mostly.

    Each fault says what would be probable, how that is made up, and its clause. Nothing of games that were not played.
    """
    if facts.kind not in PLAYED:
        return []
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    return scheme.improbable(facts, ruleset.points, ruleset.result, ruleset.concession)


def bye_score(ruleset: Ruleset, scenario: str = "", given: GivenBye | None = None) -> Score:
    """What a bye is worth; there is no second side.

    scenario: that of the round, where a bye's worth depends on it. given: how it was come by, if not by the pairing; of
    such a bye that the ruleset does not know nothing is worth anything.
    """
    if given is None:
        return Score(ruleset.bye.outcome, None, _bye_values(ruleset, scenario))
    worth = ruleset.bye.worth(given)
    return Score("loss") if worth is None else Score(worth.outcome, None, _worth(ruleset, worth))


def score_in_round(ruleset: Ruleset, score: Score, round: int, facts: Facts) -> Score:
    """A score as it counts in a tournament round: multiplied, and with what is added, where the ruleset says so.

    Nothing is added for a side that was not there.
    """
    for rule in ruleset.round_worth:
        if rule.round == round:
            one, two = (side not in _away(facts) for side in (1, 2))
            score = structs.replace(
                score,
                values_1=_counted_more(score.values_1, rule, one),
                values_2=_counted_more(score.values_2, rule, two) if score.outcome_2 else score.values_2,
            )
    return score


def _away(facts: Facts) -> tuple[int, ...]:
    """The sides that were not there to play."""
    if facts.kind in NOBODY_WON:
        return 1, 2
    return (facts.conceded_by or 0,) if facts.kind in _NEEDED else ()


def _counted_more(values: dict[str, int], rule: RoundWorth, there: bool) -> dict[str, int]:
    more = {name: worth * rule.times if name in rule.of else worth for name, worth in values.items()}
    return more | {name: more.get(name, 0) + added for name, added in rule.plus.items()} if there else more


def _scored(ruleset: Ruleset, facts: Facts) -> Score | list[Fault]:
    match facts.kind:
        case "bye":
            faults_of_it = _faults_of_bye if facts.bye else _faults_of_scenario
            return list(faults_of_it(ruleset, facts)) or bye_score(ruleset, facts.scenario, facts.bye)
        case "double_no_show" | "double_forfeit":
            absent = absence_rule(ruleset, facts.kind).absent
            return Score("loss", "loss", dict(absent), dict(absent))
        case "forfeit" | "no_show":
            absence = absence_rule(ruleset, facts.kind)
            if facts.conceded_by is None:
                return [Fault("/conceded_by", NOTHING, _NEEDED[facts.kind], absence.clause)]
            if wrong := list(_faults_of_scenario(ruleset, facts)):
                return wrong
            score = _absence(ruleset, absence, facts)
            return score if isinstance(score, list) else list(_faults_of_award(ruleset, facts, absence, score)) or score
    return _played(ruleset, facts)


def _played(ruleset: Ruleset, facts: Facts) -> Score | list[Fault]:
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    return scheme.score(facts, ruleset.points, ruleset.result, ruleset.concession, ruleset.scenarios)


def _bye_values(ruleset: Ruleset, name: str) -> dict[str, int]:
    """What a bye brings, half of the scenario's most among it. FF-BYE-1, FF-BYE-2, AR-BYE-1, DW-BYE-1."""
    scenario = find_scenario(name, ruleset.scenarios, ruleset.result, [])
    halved = ruleset.bye.half_of_most
    values = _worth(ruleset, ruleset.bye)
    return values | ({halved: half_of_most(scenario, ruleset.bye.scenario_most)} if halved and scenario else {})


def _worth(ruleset: Ruleset, bye: Bye | ByeWorth) -> dict[str, int]:
    """The values of a bye as the ruleset has them. AR-BYE-1, DW-BYE-1, DW-AMB-6."""
    return {
        value: list_limit(ruleset) // 2 if worth == "half_list_limit" else worth for value, worth in bye.values.items()
    }


def _faults_of_bye(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """A bye of a kind that the ruleset does not know."""
    if ruleset.bye.worth(facts.bye) is None:
        expected = expects("bye-of-pairing", ruleset=ruleset.id)
        yield Fault("/bye", f"{facts.bye}_bye", expected, ruleset.bye.clause)


def _absence(ruleset: Ruleset, absence: Absence, facts: Facts) -> Score | list[Fault]:
    """What a game is worth to which one side did not come, or which it forfeits.

    Source: FF-AMB-14, AR-AMB-18, DW-FOR-1, DW-FOR-2, DW-AMB-1, DW-AMB-2, DW-AMB-17.
    """
    absent: Side = facts.conceded_by or 1
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    if absence.award == "concession":
        return _played(ruleset, scheme.conceded(ruleset.points, facts, absent, ruleset.concession))
    won = _bye_values(ruleset, facts.scenario)
    if absence.award == "reported":
        told = facts.points_2 if absent == 1 else facts.points_1
        if told is None and (missing := missing_list(facts, absent, absence.clause, half=f"points_{3 - absent}")):
            return missing
        half = half_of_list(facts, absent, up=absence.half == "up")
        won[scheme.counted(ruleset.points)] = half if told is None else told
    lost = dict(absence.absent)
    if absent == 2:
        return Score(ruleset.bye.outcome, "loss", won, lost)
    return Score("loss", ruleset.bye.outcome, lost, won)


def _faults_of_scenario(ruleset: Ruleset, facts: Facts) -> list[Fault]:
    """A scenario that is missing or unknown, where what is awarded depends on it."""
    faults: list[Fault] = []
    if ruleset.bye.half_of_most:
        find_scenario(facts.scenario, ruleset.scenarios, ruleset.result, faults)
    return faults


def _faults_of_form(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """Facts that the result form of the ruleset does not ask for."""
    form = ruleset.result
    if facts.kind not in form.kinds:
        yield Fault("/kind", display_text(facts.kind), one_of(form.kinds), form.cites("kinds"))
        return
    allowed = _asked_for(form, facts.kind)
    for name, value in msgspec.to_builtins(facts).items():  # what is as if nobody had said it is left out
        if name != "kind" and name not in allowed:
            expected = expects("fact-not-asked", ruleset=ruleset.id, fact=name, kind=facts.kind)
            yield Fault(f"/{name}", display_text(value), expected, form.clause)
    if facts.extra and "extra" in allowed:
        yield from _faults_of_extra(ruleset, facts)


def _asked_for(form: Result, kind: FactsKind) -> Container[str]:
    """What the form asks of such a game, of points and optional facts."""
    match kind:
        case "bye":
            return "scenario", "bye"
        case "double_no_show" | "double_forfeit":
            return ("scenario",)
        case "forfeit" | "no_show":
            return "points_1", "points_2", "conceded_by", "winner", "scenario", *({"extra"} & set(form.fields))
    return "points_1", "points_2", *form.fields


def _faults_of_extra(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """Further numbers that nothing of the ruleset looks at, such as a misspelt one."""
    recorded = registries.POINTS_SCHEMES[type(ruleset.points)].recorded(ruleset.points)
    known = [f"{name}_{side}" for name in (*recorded, "list") for side in (1, 2)]
    known += board_fact_names(find_scenario(facts.scenario, ruleset.scenarios, ruleset.result, []))
    for name, value in facts.extra.items():
        if name not in known:
            yield Fault(f"/extra/{name}", f"{value}", one_of(known), ruleset.result.clause)


def _faults_of_award(ruleset: Ruleset, facts: Facts, absence: Absence, score: Score) -> Iterator[Fault]:
    """Points and a winner reported of a game that was not played: nothing, or what is awarded."""
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    if absence.award == "reported":
        yield from _faults_of_half(facts, absence)
        yield from scheme.bounds(facts, ruleset.points)
    as_it_stood = absence.award == "concession" and scheme.as_it_stood
    for side, points, values in (
        () if as_it_stood else ((1, facts.points_1, score.values_1), (2, facts.points_2, score.values_2))
    ):
        awarded = values.get(scheme.counted(ruleset.points), 0)
        if points not in (None, 0, awarded):
            expected = expects("awarded-or-nothing", points=awarded)
            yield Fault(f"/points_{side}", f"{points}", expected, absence.clause)
    if facts.winner is not None and facts.winner == facts.conceded_by:
        expected = expects("winner-who-was-there", winner=3 - facts.winner)
        yield Fault("/winner", f"{facts.winner}", expected, absence.clause)
    if facts.winner == DRAW:
        yield Fault("/winner", DRAW, expects("side-that-was-there"), absence.clause)


def _faults_of_half(facts: Facts, absence: Absence) -> Iterator[Fault]:
    """A score reported beside the list that it is half of, and another than that. DW-FOR-2, DW-AMB-2."""
    absent: Side = facts.conceded_by or 1
    told, half = facts.points_2 if absent == 1 else facts.points_1, half_of_list(facts, absent, up=absence.half == "up")
    if told is not None and f"list_{absent}" in facts.extra and told != half:
        up = absence.half == "up"
        expected = expects("half-rounded-up", half=half) if up else expects("half-rounded-down", half=half)
        yield Fault(f"/points_{3 - absent}", f"{told}", expected, absence.clause)


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


def draw_word(ruleset: Ruleset) -> str:
    """What the game's own people call a game without a winner."""
    return ruleset.effective_words.draw


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
    scored = rounds_with_claims(board)
    for name in board_fact_names(scenario):
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
