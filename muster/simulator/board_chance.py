"""What could lie on the board at the end of a game, drawn by chance: the facts that formulas and objectives look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from shared.swiss.board import GAME_ROUNDS, INTERRUPTED, NOTED, TURNS
from shared.swiss.game_parts import BoardFormula, Scenario
from shared.swiss.ruleset import BattleBuilder, legal_sequences

Lists = tuple[int | None, int | None]
AREAS = ("forest", "ruin", "bunker", "hill", "crossing")
"""Terrain areas that players note."""


def facts_of_claims(scenario: Scenario, lists: Lists, random: Random, share: int) -> dict[str, int]:
    """The board facts of a scenario, as they stand in `extra`. share: how much of the game is side 1's, 0 to 100."""
    board = scenario.board
    assert board is not None
    return FORMULAS[board.formula](board, lists, random, share)


def facts_of_table(builder: BattleBuilder, lists: Sequence[int], random: Random, share: int) -> dict[str, Any]:
    """The facts of a table that a Battle Builder's scenario was played on. lists: points of both lists."""
    spent = random.choice(legal_sequences(builder))
    objective = builder.objectives[spent.count("O")]
    said: dict[str, Any] = {"spent": list(spent)} if random.random() < 0.5 else {"objective": objective.name}
    said |= {
        "units_1": _units(lists[0], random, 100 - share),
        "units_2": _units(lists[1], random, share),
    }
    return said | OBJECTIVES[objective.formula](random, share)


def _part(most: int, random: Random, share: int) -> int:
    """About so many hundredths of `most`, between 0 and it."""
    return most * min(100, max(0, share + random.randint(-25, 25))) // 100


def _rating(board: BoardFormula, lists: Lists, random: Random, share: int) -> dict[str, int]:
    """The Rating told of each side; of a whole crew it is said so. A crew that lost little gives few points."""
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
    """Claims after each scoring game round that was begun; now and then time ends the game early."""
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
    """Units of a side that suffered, until about so many hundredths of its list are told of; most of them gone."""
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
    """The units that suffered say it all."""
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
"""Formula of a scenario -> what it looks at, drawn; every one of `board.FORMULAS`."""

OBJECTIVES: Mapping[str, Callable[[Random, int], dict[str, Any]]] = {
    "noted_areas": _noted_areas,
    "units_destroyed": _units_destroyed,
    "units_inside": _units_inside,
    "targets": _targets,
}
"""Formula of an objective -> what it looks at, drawn; every one of `board.OBJECTIVES`."""
