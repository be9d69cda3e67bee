"""What a ruleset makes of the facts of a game: stop 3 and 9 of a result's way."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

import msgspec
from msgspec import structs
from msgspec.structs import replace

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.absences import absence_of
from shared.formats.swiss.rules.board_facts import names_of_facts
from shared.formats.swiss.rules.game_parts import Absence, Bye, ByeWorth, OutcomePoints, Result, RoundWorth
from shared.formats.swiss.rules.objectives import with_table_facts
from shared.formats.swiss.rules.outcomes import (
    BY_LIMIT,
    LIST_MISSING,
    half_of_list,
    half_of_most,
    missing_list,
    scenario_of,
)
from shared.formats.swiss.rules.rounds import list_limit
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import NOTHING, Expected, Fault, as_said, expects, one_of
from shared.rules.model import NOBODY_WON, PLAYED, Facts, FactsKind, GivenBye, Score, Side
from shared.rules.option_hints import or_option
from shared.rules.refusals import ImpossibleResult
from shared.rules.words import DRAW


def with_option(ruleset: Ruleset, facts: Facts, fault: Fault) -> Fault:
    """A fault of a result, with the option that would allow it where there is one."""
    return replace(fault, expected=_or_option(ruleset, facts, fault))


def _or_option(ruleset: Ruleset, facts: Facts, fault: Fault) -> Expected:
    right = fault.expected
    if right.code in BY_LIMIT:
        told: Mapping[str, int | None] = {
            "/points_1": facts.points_1,
            "/points_2": facts.points_2,
            **{f"/extra/{name}": value for name, value in facts.extra.items()},
        }
        needed = told.get(fault.where) or 0
        return or_option(
            right, ruleset, "/points/list_limit", lambda most: type(most) is int and most >= needed, needed
        )
    if facts.kind in PLAYED and right.code in LIST_MISSING:
        return or_option(right, ruleset, "/concession/award", lambda award: award == "table")
    return right


_NEEDED: Mapping[str, Expected] = {"forfeit": expects("forfeiting-side"), "no_show": expects("absent-side")}
"""Kind of a game that one side was not there to play -> which side has to be named."""


def in_its_round(ruleset: Ruleset, round: int) -> Ruleset:
    """Return the ruleset with the match of a tournament round, where matches differ by round."""
    points = ruleset.points
    if not isinstance(points, OutcomePoints) or points.match is None or not points.match.later:
        return ruleset
    match = structs.replace(points.match.in_round(round), later=[])
    return structs.replace(ruleset, points=structs.replace(points, match=match))


def score_game(ruleset: Ruleset, facts: Facts) -> Score:
    """The outcome and the values of both sides. For a report, give the ruleset as it is `in_its_round`.

    Raises ImpossibleResult with every fault: a fact that the result form does not ask for, one that is missing,
    numbers out of range, and facts that contradict each other.
    """
    faults = list(_faults_of_form(ruleset, facts))
    if not faults and facts.board and ruleset.builder is not None:
        made = with_table_facts(facts, ruleset.builder)
        faults, facts = (made, facts) if isinstance(made, list) else ([], made)
    if not faults:
        scored = _scored(ruleset, facts)
        if isinstance(scored, Score):
            return scored
        faults = scored
    words = ruleset.called
    faults = [words.in_fault(fault) if fault.where == "/winner" else fault for fault in faults]
    faults = [with_option(ruleset, facts, fault) for fault in faults]
    raise ImpossibleResult("this result is impossible under " + ruleset.id, faults, ruleset=ruleset.id)


def improbable_in(ruleset: Ruleset, facts: Facts) -> list[Fault]:
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


def in_round(ruleset: Ruleset, score: Score, round: int, facts: Facts) -> Score:
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
            absent = absence_of(ruleset, facts.kind).absent
            return Score("loss", "loss", dict(absent), dict(absent))
        case "forfeit" | "no_show":
            absence = absence_of(ruleset, facts.kind)
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
    scenario = scenario_of(name, ruleset.scenarios, ruleset.result, [])
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
        scenario_of(facts.scenario, ruleset.scenarios, ruleset.result, faults)
    return faults


def _faults_of_form(ruleset: Ruleset, facts: Facts) -> Iterator[Fault]:
    """Facts that the result form of the ruleset does not ask for."""
    form = ruleset.result
    if facts.kind not in form.kinds:
        yield Fault("/kind", as_said(facts.kind), one_of(form.kinds), form.cites("kinds"))
        return
    allowed = _asked_for(form, facts.kind)
    for name, value in msgspec.to_builtins(facts).items():  # what is as if nobody had said it is left out
        if name != "kind" and name not in allowed:
            expected = expects("fact-not-asked", ruleset=ruleset.id, fact=name, kind=facts.kind)
            yield Fault(f"/{name}", as_said(value), expected, form.clause)
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
    known += names_of_facts(scenario_of(facts.scenario, ruleset.scenarios, ruleset.result, []))
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
