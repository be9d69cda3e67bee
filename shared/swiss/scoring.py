"""Scoring: the score of reported facts or their faults, byes and absences, and the facts that a result form asks for.

A program that asks people for a result needs no ruleset: it reads the asked facts. Their bounds apply to single facts;
`score_game` checks facts together.
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
    """Return the rule for a game of this kind, which was not played."""
    return ruleset.forfeit if kind in ("forfeit", "double_forfeit") else ruleset.no_show


def repeatedly_absent(ruleset: Ruleset, absences: Iterable[tuple[FactsKind, str]]) -> dict[str, str]:
    """Return the players whose absences end the tournament for them, each with the clause that says so.

    `absences`: kind of every game that was not played, and the absent player. Source: AR-AMB-18, DW-AMB-17.
    """
    times: Counter[str] = Counter()
    result: dict[str, str] = {}
    for kind, player in absences:
        rule = absence_rule(ruleset, kind)
        limit = rule.drop_after
        times[player] += bool(limit)
        if limit and times[player] >= limit:
            result[player] = rule.cites("drop_after")
    return result


def add_option_hint(ruleset: Ruleset, facts: Facts, fault: Fault) -> Fault:
    """Return a fault of a result, extended with the option that would allow it, if there is one."""
    return replace(fault, expected=_or_option(ruleset, facts, fault))


def _or_option(ruleset: Ruleset, facts: Facts, fault: Fault) -> Expected:
    expected = fault.expected
    if expected.code in LIMIT_FAULTS:
        reported: Mapping[str, int | None] = {
            "/points_1": facts.points_1,
            "/points_2": facts.points_2,
            **{f"/extra/{name}": value for name, value in facts.extra.items()},
        }
        needed = reported.get(fault.where) or 0
        return or_option(
            expected, ruleset, "/points/list_limit", lambda most: type(most) is int and most >= needed, needed
        )
    if facts.kind in PLAYED and expected.code in MISSING_LIST_FAULTS:
        return or_option(expected, ruleset, "/concession/award", lambda award: award == "table")
    return expected


_ABSENT_SIDE: Mapping[str, Expected] = {"forfeit": expects("forfeiting-side"), "no_show": expects("absent-side")}
"""Kind of a game with an absent side -> the expectation of that side."""


def ruleset_in_round(ruleset: Ruleset, round: int) -> Ruleset:
    """Return the ruleset with the match of a round, if matches differ by round."""
    points = ruleset.points
    if not isinstance(points, OutcomePoints) or points.match is None or not points.match.later:
        return ruleset
    match = structs.replace(points.match.in_round(round), later=[])
    return structs.replace(ruleset, points=structs.replace(points, match=match))


def score_game(ruleset: Ruleset, facts: Facts) -> Score:
    """Return outcome and values of both sides. For a report, pass the ruleset from `ruleset_in_round`.

    Raise ImpossibleResult with every fault: facts that the result form does not ask for, missing facts, numbers out of
    range, and contradictions.
    """
    faults = list(_faults_of_form(ruleset, facts))
    if not faults and facts.board and ruleset.builder is not None:
        computed = apply_table_facts(facts, ruleset.builder)
        faults, facts = (computed, facts) if isinstance(computed, list) else ([], computed)
    if not faults:
        result = _scored(ruleset, facts)
        if isinstance(result, Score):
            return result
        faults = result
    words = ruleset.effective_words
    faults = [words.in_fault(fault) if fault.where == "/winner" else fault for fault in faults]
    faults = [add_option_hint(ruleset, facts, fault) for fault in faults]
    raise ImpossibleResult("this result is impossible under " + ruleset.id, faults, ruleset=ruleset.id)


def improbable_faults(ruleset: Ruleset, facts: Facts) -> list[Fault]:
    """Return faults for facts that are valid but probably mistyped, for example with an extra digit.

    Each fault contains the probable range and its clause. Games that were not played have none.
    """
    if facts.kind not in PLAYED:
        return []
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    return scheme.improbable(facts, ruleset.points, ruleset.result, ruleset.concession)


def bye_score(ruleset: Ruleset, scenario: str = "", given: GivenBye | None = None) -> Score:
    """Return the score of a bye. It has no second side.

    - `scenario`: scenario of the round, if a bye's value depends on it.
    - `given`: how the bye was obtained, if pairing did not make it. A kind that the ruleset does not know is worth
      nothing.
    """
    if given is None:
        return Score(ruleset.bye.outcome, None, _bye_values(ruleset, scenario))
    worth = ruleset.bye.worth(given)
    return Score("loss") if worth is None else Score(worth.outcome, None, _worth(ruleset, worth))


def score_in_round(ruleset: Ruleset, score: Score, round: int, facts: Facts) -> Score:
    """Return a score as it counts in a round: multiplied and with additions, if the ruleset says so.

    A side that was absent gets no additions.
    """
    for rule in ruleset.round_worth:
        if rule.round == round:
            one, two = (side not in _absent_sides(facts) for side in (1, 2))
            score = structs.replace(
                score,
                values_1=_weigh(score.values_1, rule, one),
                values_2=_weigh(score.values_2, rule, two) if score.outcome_2 else score.values_2,
            )
    return score


def _absent_sides(facts: Facts) -> tuple[int, ...]:
    if facts.kind in NOBODY_WON:
        return 1, 2
    return (facts.conceded_by or 0,) if facts.kind in _ABSENT_SIDE else ()


def _weigh(values: dict[str, int], rule: RoundWorth, is_present: bool) -> dict[str, int]:
    weighed = {name: worth * rule.times if name in rule.of else worth for name, worth in values.items()}
    if not is_present:
        return weighed
    return weighed | {name: weighed.get(name, 0) + added for name, added in rule.plus.items()}


def _scored(ruleset: Ruleset, facts: Facts) -> Score | list[Fault]:
    match facts.kind:
        case "bye":
            faults_of_kind = _faults_of_bye if facts.bye else _faults_of_scenario
            return list(faults_of_kind(ruleset, facts)) or bye_score(ruleset, facts.scenario, facts.bye)
        case "double_no_show" | "double_forfeit":
            absent = absence_rule(ruleset, facts.kind).absent
            return Score("loss", "loss", dict(absent), dict(absent))
        case "forfeit" | "no_show":
            absence = absence_rule(ruleset, facts.kind)
            if facts.conceded_by is None:
                return [Fault("/conceded_by", NOTHING, _ABSENT_SIDE[facts.kind], absence.clause)]
            if faults := list(_faults_of_scenario(ruleset, facts)):
                return faults
            score = _absence(ruleset, absence, facts)
            return score if isinstance(score, list) else list(_faults_of_award(ruleset, facts, absence, score)) or score
    return _played(ruleset, facts)


def _played(ruleset: Ruleset, facts: Facts) -> Score | list[Fault]:
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    return scheme.score(facts, ruleset.points, ruleset.result, ruleset.concession, ruleset.scenarios)


def _bye_values(ruleset: Ruleset, name: str) -> dict[str, int]:
    """Return the values of a bye, including half of the scenario's maximum (FF-BYE-1, FF-BYE-2, AR-BYE-1, DW-BYE-1)."""
    scenario = find_scenario(name, ruleset.scenarios, ruleset.result, [])
    halved = ruleset.bye.half_of_most
    values = _worth(ruleset, ruleset.bye)
    return values | ({halved: half_of_most(scenario, ruleset.bye.scenario_most)} if halved and scenario else {})


def _worth(ruleset: Ruleset, bye: Bye | ByeWorth) -> dict[str, int]:
    """Return the values of a bye in the ruleset (AR-BYE-1, DW-BYE-1, DW-AMB-6)."""
    return {
        value: list_limit(ruleset) // 2 if worth == "half_list_limit" else worth for value, worth in bye.values.items()
    }


def _faults_of_bye(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """Yield a fault for a kind of bye that the ruleset does not know."""
    if ruleset.bye.worth(facts.bye) is None:
        expected = expects("bye-of-pairing", ruleset=ruleset.id)
        yield Fault("/bye", f"{facts.bye}_bye", expected, ruleset.bye.clause)


def _absence(ruleset: Ruleset, absence: Absence, facts: Facts) -> Score | list[Fault]:
    """Return the score of a game that one side forfeited or did not come to.

    Source: FF-AMB-14, AR-AMB-18, DW-FOR-1, DW-FOR-2, DW-AMB-1, DW-AMB-2, DW-AMB-17.
    """
    absent: Side = facts.conceded_by or 1
    scheme = registries.POINTS_SCHEMES[type(ruleset.points)]
    if absence.award == "concession":
        return _played(ruleset, scheme.conceded(ruleset.points, facts, absent, ruleset.concession))
    won = _bye_values(ruleset, facts.scenario)
    if absence.award == "reported":
        reported = facts.points_2 if absent == 1 else facts.points_1
        if reported is None and (missing := missing_list(facts, absent, absence.clause, half=f"points_{3 - absent}")):
            return missing
        half = half_of_list(facts, absent, up=absence.half == "up")
        won[scheme.counted(ruleset.points)] = half if reported is None else reported
    lost = dict(absence.absent)
    if absent == 2:
        return Score(ruleset.bye.outcome, "loss", won, lost)
    return Score("loss", ruleset.bye.outcome, lost, won)


def _faults_of_scenario(ruleset: Ruleset, facts: Facts) -> list[Fault]:
    """Return a fault for a missing or unknown scenario, if the award depends on it."""
    faults: list[Fault] = []
    if ruleset.bye.half_of_most:
        find_scenario(facts.scenario, ruleset.scenarios, ruleset.result, faults)
    return faults


def _faults_of_form(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """Yield faults for facts that the result form does not ask for."""
    form = ruleset.result
    if facts.kind not in form.kinds:
        yield Fault("/kind", display_text(facts.kind), one_of(form.kinds), form.cites("kinds"))
        return
    allowed = _asked_for(form, facts.kind)
    for name, value in msgspec.to_builtins(facts).items():  # omits default values
        if name != "kind" and name not in allowed:
            expected = expects("fact-not-asked", ruleset=ruleset.id, fact=name, kind=facts.kind)
            yield Fault(f"/{name}", display_text(value), expected, form.clause)
    if facts.extra and "extra" in allowed:
        yield from _faults_of_extra(ruleset, facts)


def _asked_for(form: Result, kind: FactsKind) -> Container[str]:
    """Return the points and optional facts that the form asks for in games of this kind."""
    match kind:
        case "bye":
            return "scenario", "bye"
        case "double_no_show" | "double_forfeit":
            return ("scenario",)
        case "forfeit" | "no_show":
            return "points_1", "points_2", "conceded_by", "winner", "scenario", *({"extra"} & set(form.fields))
    return "points_1", "points_2", *form.fields


def _faults_of_extra(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """Yield faults for further numbers that the ruleset does not use, such as misspelt ones."""
    recorded = registries.POINTS_SCHEMES[type(ruleset.points)].recorded(ruleset.points)
    known = [f"{name}_{side}" for name in (*recorded, "list") for side in (1, 2)]
    known += board_fact_names(find_scenario(facts.scenario, ruleset.scenarios, ruleset.result, []))
    for name, value in facts.extra.items():
        if name not in known:
            yield Fault(f"/extra/{name}", f"{value}", one_of(known), ruleset.result.clause)


def _faults_of_award(ruleset: Ruleset, facts: Facts, absence: Absence, score: Score) -> Iterator[Fault]:
    """Yield faults for reported points and a winner of a game that was not played, unless they match the award."""
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
    """Yield a fault for a reported score that is not half of the reported roster (DW-FOR-2, DW-AMB-2)."""
    absent: Side = facts.conceded_by or 1
    reported, half = (
        facts.points_2 if absent == 1 else facts.points_1,
        half_of_list(facts, absent, up=absence.half == "up"),
    )
    if reported is not None and f"list_{absent}" in facts.extra and reported != half:
        up = absence.half == "up"
        expected = expects("half-rounded-up", half=half) if up else expects("half-rounded-down", half=half)
        yield Fault(f"/points_{3 - absent}", f"{reported}", expected, absence.clause)


FactKind = Literal["whole", "choice", "flag", "text", "names", "numbers", "units", "letters"]
Makes = Literal["points", "winner", ""]
FactPart = Literal["game", "score", "table", "beside", "end"]


class Only(Struct, frozen=True):
    """The condition of a fact: it is asked if another fact has this value."""

    where: str
    value: str


class AskedFact(Struct, frozen=True):
    """A fact that a result form may ask for.

    - `where`: JSON pointer into the facts.
    - `name`: name of the fact without its side.
    - `side`: 1 or 2; 0 for the game.
    - `kind`: kind of its value.
    - `part`: `game` (which game it was), `score`, `table` (facts of the table that give the score), `beside` (recorded
      in addition to the score), or `end` (how it ended).
    - `least`, `most`, `step`: bounds of a number, or of the length of a list. `together`: maximum of both sides.
    - `choices`: values of a choice; for a flag, those for no and yes.
    - `makes`: fact that follows from it and need not be reported.
    - `only`: the condition under which it is asked.
    - `game_round`: game round it is about; 0 for none.
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
    """Return the facts that a report of a played game may contain, in the order of a form.

    `scenario`: scenario of the round, if known; otherwise the facts of every scenario of the event.
    """
    form, clause = ruleset.result, ruleset.result.clause
    facts = [*_points(ruleset, scenario), *_of_scenarios(ruleset, scenario)]
    if ruleset.builder is not None and "board" in form.fields:
        facts += _of_builder(ruleset.builder)
    if "extra" in form.fields:
        facts += _additional_facts(ruleset)
    if "winner" in form.fields:
        drawn = () if isinstance(ruleset.points, MarginTable) and ruleset.points.draws == "impossible" else ("draw",)
        needed = isinstance(ruleset.points, OutcomePoints) and ruleset.points.decided_by == "report"
        facts.append(AskedFact("/winner", "winner", "choice", clause, 0, "end", choices=(1, 2, *drawn), needed=needed))
    if "end" in form.fields and form.ends:
        ends = tuple(rule.end for rule in form.ends)
        facts.append(AskedFact("/end", "end", "choice", form.cites("ends"), 0, "end", choices=ends))
    if "second_player" in form.fields:
        facts.append(AskedFact("/second_player", "second_player", "choice", clause, 0, "end", choices=SIDES))
    if "scenario" in form.fields and not ruleset.scenarios:
        facts.append(AskedFact("/scenario", "scenario", "text", clause, 0, "end", most=100))
    return facts


def draw_word(ruleset: Ruleset) -> str:
    """Return the ruleset's word for a drawn game."""
    return ruleset.effective_words.draw


def _points(ruleset: Ruleset, scenario: str) -> Iterator[AskedFact]:
    """Yield the facts of the score of both sides, including its parts, if the score has parts."""
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
    return next((scenario for scenario in ruleset.scenarios if name in (scenario.name, *scenario.aliases)), None)


def _of_scenarios(ruleset: Ruleset, scenario: str) -> Iterator[AskedFact]:
    """Yield the scenario, if it is not known, and the board facts at its end."""
    known, form = _scenario(ruleset, scenario), ruleset.result
    if known is not None:
        yield from _on_board(known)
        return
    pool = [candidate for candidate in ruleset.scenarios if not form.pool or candidate.name in form.pool]
    if pool and "scenario" in form.fields:
        names = tuple(candidate.name for candidate in pool)
        yield AskedFact("/scenario", "scenario", "choice", form.cites("pool"), 0, "game", choices=names, needed=True)
        for candidate in pool:
            yield from _only(_on_board(candidate), "/scenario", candidate.name)


def _only(facts: Iterator[AskedFact], where: str, value: str) -> Iterator[AskedFact]:
    return (replace(fact, only=Only(where, value)) for fact in facts)


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
    makes: Makes = "points" if needed else ""
    return AskedFact(where, name, "whole", clause, side, most=board.rating_most, needed=needed, makes=makes)


def _of_builder(builder: BattleBuilder) -> Iterator[AskedFact]:
    """Yield the objective, the facts of the table at its end, and the destroyed units."""
    clause, objective = builder.cites("objectives"), "/board/objective"
    names = tuple(element.name for element in builder.objectives)
    yield AskedFact(objective, "objective", "choice", clause, choices=names, makes="winner")
    spent = 2 * builder.points_each
    yield AskedFact(
        "/board/spent", "spent", "letters", builder.cites("points_each"), least=spent, most=spent, choices=VARIABLES
    )
    for element in builder.objectives:
        for name in OBJECTIVES[element.formula].names:
            if name != "units":
                yield from _only((_at_table(name, side, clause) for side in SIDES), objective, element.name)
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


def _additional_facts(ruleset: Ruleset) -> Iterator[AskedFact]:
    """Yield the values recorded in addition to the score, and the roster totals."""
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
