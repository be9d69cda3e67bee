"""Random results: facts that a ruleset accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from shared.rules.model import Facts, ImpossibleResult, Side
from shared.swiss import registries
from shared.swiss.board import GAME_ROUNDS, INTERRUPTED, NOTED, TURNS, board_points
from shared.swiss.game_parts import BoardFormula, EndRule, MarginTable, OutcomePoints, ReportedPoints, Scenario
from shared.swiss.margins import end_of_concession
from shared.swiss.ruleset import BattleBuilder, Ruleset, legal_sequences
from shared.swiss.scoring import improbable_faults, ruleset_in_round, score_game

Lists = tuple[int | None, int | None]
AREAS = ("forest", "ruin", "bunker", "hill", "crossing")
"""Terrain areas that players record."""


def facts_of_claims(scenario: Scenario, lists: Lists, random: Random, share: int) -> dict[str, int]:
    """Return the board facts of a scenario, in the form of `extra`. share: of side 1 in the game, 0 to 100."""
    board = scenario.board
    assert board is not None
    return FORMULAS[board.formula](board, lists, random, share)


def facts_of_table(builder: BattleBuilder, lists: Sequence[int], random: Random, share: int) -> dict[str, Any]:
    """Return the table facts of a Battle Builder scenario. lists: points of both lists."""
    spent = random.choice(legal_sequences(builder))
    objective = builder.objectives[spent.count("O")]
    said: dict[str, Any] = {"spent": list(spent)} if random.random() < 0.5 else {"objective": objective.name}
    said |= {
        "units_1": _units(lists[0], random, 100 - share),
        "units_2": _units(lists[1], random, share),
    }
    return said | OBJECTIVES[objective.formula](random, share)


def _part(most: int, random: Random, share: int) -> int:
    """Return about `share` percent of `most`, from 0 to `most`."""
    return most * min(100, max(0, share + random.randint(-25, 25))) // 100


def _rating(board: BoardFormula, lists: Lists, random: Random, share: int) -> dict[str, int]:
    """Return the reported Rating of each side, with a mark for a whole crew; small losses give few points."""
    told = {}
    lost = board.formula == "rating_removed"
    for side, part in ((1, 100 - share if lost else share), (2, share if lost else 100 - share)):
        crew = min(lists[side - 1] or board.rating_most, board.rating_most)
        found = _part(crew, random, part)
        told[f"{board.fact}_{side}"] = found
        told[f"crew_rating_{side}"] = crew
        told[f"whole_crew_{side}"] = int(found == crew)
    return told


def _held(board: BoardFormula, lists: Lists, random: Random, share: int) -> dict[str, int]:
    return _split("tokens", random.randint(0, board.tokens[0]), random, share)


def _claims(board: BoardFormula, lists: Lists, random: Random, share: int) -> dict[str, int]:
    """Return the claims after each scoring round that was begun; sometimes time ends the game early."""
    told = {}
    last = board.game_rounds
    if random.random() < 0.2:
        last = random.randint(max(1, board.game_rounds - 1), board.game_rounds)
        told = {GAME_ROUNDS: last, INTERRUPTED: random.randint(0, 1)}
    for number in board.scoring_rounds:
        if number <= last:
            claimed = random.randint(0, board.tokens_in(number))
            told |= _split(f"round_{number}_claims", claimed, random, share)
    return told


def _split(name: str, total: int, random: Random, share: int) -> dict[str, int]:
    one = sum(random.randrange(100) < share for _ in range(total))
    return {f"{name}_1": one, f"{name}_2": total - one}


def _units(worth: int, random: Random, lost: int) -> list[dict[str, Any]]:
    """Return damaged units worth about `lost` percent of a list; most of them are destroyed."""
    units: list[dict[str, Any]] = []
    left = _part(worth, random, lost)
    while left > 0 and len(units) < 8:
        points = min(left, random.choice((20, 35, 50, 75)))
        units.append({"points": points, "gone": random.random() < 0.8})
        left -= points
        if left > 0 and random.random() < 0.2:
            hero = min(left, 25)
            units[-1] |= {"hero_points": hero, "hero_gone": random.random() < 0.5}
            left -= hero
    return units


def _noted_areas(random: Random, share: int) -> dict[str, Any]:
    told = {}
    for side, part in ((1, share), (2, 100 - share)):
        told[f"noted_{side}"] = random.sample(AREAS, NOTED)
        told[f"controlled_{side}"] = [area for area in AREAS if random.randrange(100) < part]
    return told


def _units_destroyed(random: Random, share: int) -> dict[str, Any]:
    """Return the damaged units of both sides."""
    return {}


def _units_inside(random: Random, share: int) -> dict[str, Any]:
    turns = random.randint(TURNS - 1, TURNS)
    return {
        f"inside_{side}": [_part(3, random, part) for _ in range(turns)]
        for side, part in ((1, share), (2, 100 - share))
    }


def _targets(random: Random, share: int) -> dict[str, Any]:
    dead = {f"target_dead_{side}": random.randrange(100) < part for side, part in ((1, 100 - share), (2, share))}
    return {**dead, **{f"target_points_{side}": random.choice((30, 45, 60)) for side in (1, 2)}}


FORMULAS: Mapping[str, Callable[[BoardFormula, Lists, Random, int], dict[str, int]]] = {
    "rating_removed": _rating,
    "rating_across": _rating,
    "tokens_held": _held,
    "most_claims": _claims,
    "each_claim": _claims,
    "claims_race": _claims,
}
"""Formula of `board.FORMULAS` -> a function that draws its facts."""

OBJECTIVES: Mapping[str, Callable[[Random, int], dict[str, Any]]] = {
    "noted_areas": _noted_areas,
    "units_destroyed": _units_destroyed,
    "units_inside": _units_inside,
    "targets": _targets,
}
"""Formula of `board.OBJECTIVES` -> a function that draws its facts."""


Json = dict[str, Any]

BEST = 100
"""The skill of the best player; the worst has 0."""

TRIES = 30
"""Refused draws after which the simplest results are tried."""

UNBOUND = 2
"""The most points of a side if the ruleset has no bound: games of a match."""


class Table(Struct, frozen=True):
    """The input of a random result. skills: 0 to BEST. lists: points of both lists, if known. scenario: empty for none.

    conceder: the side that concedes.
    """

    skills: tuple[int, int] = (BEST // 2, BEST // 2)
    lists: tuple[int | None, int | None] = (None, None)
    scenario: str = ""
    conceder: Side | None = None


class NoPlausibleResult(Exception):
    """The ruleset accepts none of the results that were tried."""


def plausible_result(ruleset: Ruleset, table: Table, random: Random) -> Json:
    """Return facts that the ruleset accepts; the better player usually does better.

    Raises NoPlausibleResult if not even the simplest results are possible.
    """
    for facts in _draws(ruleset, table, random):
        if is_possible(ruleset, table, facts):
            return facts
    raise NoPlausibleResult(f"{ruleset.id} takes no result that could be thought of, scenario {table.scenario!r}")


def results(ruleset: Ruleset, random: Random) -> Callable[[Any], Json]:
    """Return a function that gives plausible facts for any game of equal players."""
    return lambda game: plausible_result(ruleset, Table(), random)


def is_possible(ruleset: Ruleset, table: Table, facts: Mapping[str, Any]) -> bool:
    """Return True if the ruleset accepts the facts with the scenario and the lists of the game, without a warning."""
    lists = {f"list_{side}": total for side, total in enumerate(table.lists, 1) if total is not None}
    known = {"scenario": table.scenario} if ruleset.scenarios else {}
    if "extra" in ruleset.result.fields and _bounds(ruleset, facts):
        known["extra"] = lists | facts.get("extra", {})
    told = msgspec.convert({**facts, **known}, Facts)
    try:
        score_game(ruleset_in_round(ruleset, 1), told)
    except ImpossibleResult:
        return False
    return not improbable_faults(ruleset, told)


def _bounds(ruleset: Ruleset, facts: Mapping[str, Any]) -> bool:
    """Return True if the opponent's list limits the values of these facts."""
    points = ruleset.points
    if isinstance(points, MarginTable):
        return any(name.startswith(("destroyed", "objective")) for name in facts)
    return isinstance(points, OutcomePoints) and points.list_limit is not None


def can_concede(ruleset: Ruleset) -> bool:
    """Return True if a game can be conceded."""
    return "conceded_by" in ruleset.result.fields


def _draws(ruleset: Ruleset, table: Table, random: Random) -> Iterator[Json]:
    draw = SCHEMES[type(ruleset.points)]
    for _ in range(TRIES):
        asked = {"points_1", "points_2", *ruleset.result.fields}
        found = draw(ruleset, table, random, _share(table.skills, random))
        yield {name: value for name, value in found.items() if name in asked}
    conceded = {} if table.conceder is None else {"conceded_by": table.conceder}
    for points in ((1, 0), (0, 1), (0, 0), (2, 0)):
        facts = {"points_1": points[0], "points_2": points[1], **conceded}
        yield facts
        yield {**facts, "winner": 1}
    given_up = registries.POINTS_SCHEMES[type(ruleset.points)].conceded(
        ruleset.points, Facts(), table.conceder or 2, ruleset.concession
    )
    yield msgspec.to_builtins(given_up)


def _share(skills: tuple[int, int], random: Random) -> int:
    """Return the share of side 1 in the game, 0 to 100: half skill, half luck."""
    lead = skills[0] - skills[1] + random.randint(-BEST, BEST)
    return (2 * BEST + lead) * 100 // (4 * BEST)


def _by_margin(ruleset: Ruleset, table: Table, random: Random, share: int) -> Json:
    """Yield scores of destroyed units and objectives, with an ending that fits the margin."""
    scheme = ruleset.points
    rules: dict[str, EndRule] = {rule.end: rule for rule in ruleset.result.ends}
    assert isinstance(scheme, MarginTable)
    loser = 2 if share >= 50 else 1
    ends: list[str] = [end for end in ("rounds", "rounds", "time") if end in rules]
    if abs(share - 50) > 15:
        ends += [end for end in rules if end == f"defeated_{loser}"]
    if random.random() < 0.03:
        ends = [end for end in ("mutual", "simultaneous") if end in rules] or ends
    end = random.choice(ends) if ends else None
    if table.conceder is not None:
        rules["concession"] = end_of_concession(ruleset.concession)
        loser, end = table.conceder, "concession"
    full = rules[end].full if end in rules else "nobody"
    facts: Json = {"end": end} if end else {}
    for side, part in ((1, share), (2, 100 - share)):
        whole = full == "both" or (full == "winner" and side != loser)
        fleet = table.lists[2 - side] or scheme.full_fleet
        destroyed = fleet * min(95, max(0, part + random.randint(-20, 20))) // 100
        facts[f"destroyed_{side}"] = scheme.full_fleet if whole else destroyed
        facts[f"objective_{side}"] = scheme.full_fleet * random.choice((0, 0, 5, 10, 15)) // 100
        facts[f"points_{side}"] = facts[f"destroyed_{side}"] + facts[f"objective_{side}"]
    if random.random() < 0.03 and full == "nobody":
        facts["points_2"] = facts["points_1"]
    form = random.choice(("points", "points", "board", "both"))
    parts = [name for name in facts if name.startswith(("destroyed", "objective"))]
    if form == "points" or not set(parts) <= set(ruleset.result.fields):
        facts = {name: value for name, value in facts.items() if name not in parts}
    elif form == "board":
        facts = {name: value for name, value in facts.items() if not name.startswith("points")}
    facts["second_player"] = random.choice((1, 2))
    return facts if table.conceder is None else {**facts, "conceded_by": table.conceder}


def _by_outcome(ruleset: Ruleset, table: Table, random: Random, share: int) -> Json:
    """Yield scores, computed from board facts if the scenario or the objective defines it."""
    scheme = ruleset.points
    assert isinstance(scheme, OutcomePoints)
    scenario = next((known for known in ruleset.scenarios if known.name == table.scenario), None)
    limits = [scheme.list_limit if total is None else min(total, scheme.list_limit or total) for total in table.lists]
    facts: Json
    if scenario is not None and scenario.board is not None and "extra" in ruleset.result.fields:
        facts = _on_the_board(scenario, table, random, share)
    elif ruleset.builder is not None and random.random() < 0.5:
        facts = {"board": facts_of_table(ruleset.builder, [limit or 0 for limit in limits], random, share)}
    else:
        facts = _scores(scheme, scenario, limits, random, share)
    if scheme.recorded and random.random() < 0.5:
        recorded: Json = {}
        for rule in scheme.recorded:
            one, two = (random.randint(0, rule.most // 2) for _ in range(2))
            recorded |= {f"{rule.name}_1": one, f"{rule.name}_2": one if rule.counted == "once" else two}
        facts["extra"] = {**facts.get("extra", {}), **recorded}
    if table.conceder is None:
        return facts
    facts.pop("winner", None)
    facts.pop("board", None)
    return {**facts, "conceded_by": table.conceder}


def _on_the_board(scenario: Scenario, table: Table, random: Random, share: int) -> Json:
    told = facts_of_claims(scenario, table.lists, random, share)
    form = random.choice(("points", "board", "both"))
    points = board_points(told, scenario)
    if form == "board" or not isinstance(points, tuple):
        return {"extra": told}
    made = {"points_1": points[0], "points_2": points[1]}
    return made if form == "points" else {**made, "extra": told}


def _scores(
    scheme: OutcomePoints, scenario: Scenario | None, limits: list[int | None], random: Random, share: int
) -> Json:
    """Return scores within the limits; a list limits the score of the other side."""
    step = scenario.step if scenario else 1
    facts: Json = {}
    for side, part, limit in ((1, share, limits[1]), (2, 100 - share, limits[0])):
        bound = scenario.most if scenario else limit
        if bound is None:
            facts[f"points_{side}"] = UNBOUND if part > 50 else random.randint(0, UNBOUND - 1)
        else:
            reached = min(100, max(0, part + random.randint(-25, 25)))
            facts[f"points_{side}"] = bound * reached // 100 // step * step
    if scheme.decided_by == "report":
        facts["winner"] = "draw" if 45 <= share <= 55 else 1 if share > 55 else 2
    return facts


def _as_reported(ruleset: Ruleset, table: Table, random: Random, share: int) -> Json:
    """Yield a split of common points, or points of each side."""
    scheme = ruleset.points
    assert isinstance(scheme, ReportedPoints)
    if scheme.together is None:
        one, two = (scheme.most * min(100, part + random.randint(0, 20)) // 100 for part in (share, 100 - share))
    else:
        one = min(scheme.most, share * (scheme.together + 1) // 101)
        two = scheme.together - one
    return {"points_1": one, "points_2": two} | ({"conceded_by": table.conceder} if table.conceder else {})


SCHEMES: Mapping[type, Callable[[Ruleset, Table, Random, int], Json]] = {
    MarginTable: _by_margin,
    OutcomePoints: _by_outcome,
    ReportedPoints: _as_reported,
}
"""Points scheme -> a function that draws facts: ruleset, table, random source, share of side 1."""
