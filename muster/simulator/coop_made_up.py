"""What nobody at a simulated co-operative event has to print or think of: sheets and cards, and reports of sessions."""

from __future__ import annotations

from random import Random
from typing import Any

from shared.coop.ruleset import CoopRuleset
from shared.coop.table import Table

Json = dict[str, Any]

ICONS: tuple[list[str], ...] = (["B"], ["A"], [], ["B"], ["A"], [], ["B"], ["A"])
ENEMIES = ("raiders", "hounds", "drones", "crawlers", "husks")
COUNTED = 3
"""Workshop upgrades that two of the goals ask for, each for itself."""


def made_up_data(most: int) -> Json:
    """Two scenarios of two sides, eight cards, twelve goals, marked as made up. most: survivors at a table."""
    return {
        "scenarios": [
            _scenario("ferry", "The ferry", ("Ferrymen", "Toll Keepers"), spaces=10, goals=2),
            _scenario("orchard", "The orchard", ("Gardeners", "Well Diggers"), spaces=12, goals=3),
        ],
        "activation_cards": [
            {"card_id": f"a{number + 1}", "enemies": [_enemy(number), _enemy(number + 2)], "icons": icons}
            for number, icons in enumerate(ICONS)
        ],
        "goal_cards": [_goal(number) for number in range(1, 13)],
        "table": {"survivors_min": 1, "survivors_max": most},
        "placeholder": True,
    }


def _scenario(id: str, name: str, factions: tuple[str, str], *, spaces: int, goals: int) -> Json:
    return {
        "scenario_id": id,
        "name": name,
        "sides": [
            {
                "loyal_faction": factions[side],
                "opposing_faction": factions[1 - side],
                "loyal_icon": "AB"[side],
                "opposing_icon": "BA"[side],
                "power_track_spaces": spaces,
                "required_goals": goals,
                "further_victory_conditions": [f"reach the {id}"],
                "loyal_rewards": ["one C.A.M.P. token"],
                "activation_effects": [
                    {"enemies_min": 0, "enemies_max": 3, "text": "they close in"},
                    {"enemies_min": 4, "text": "they are everywhere", "power_advance": 1},
                ],
            }
            for side in (0, 1)
        ],
    }


def _enemy(number: int) -> str:
    return ENEMIES[number % len(ENEMIES)]


def _goal(number: int) -> Json:
    if number > 10:
        counted = {"counted_thing": "workshop_upgrades", "counted_number": COUNTED}
        return {"card_id": f"g{number}", "condition_key": "well-equipped", **counted}
    return {"card_id": f"g{number:02}", "condition_key": f"errand-{number}"}


SHARES = {"victory": 50, "defeat": 35, "unfinished": 15}
"""Of a hundred sessions so many end like this."""


def plausible_report(table: Table, ruleset: CoopRuleset, random: Random) -> dict[str, Any]:
    """Numbers that hold one another, of a table that is set up. AB-REP-2."""
    kit = ruleset.kit
    (outcome,) = random.choices(list(SHARES), list(SHARES.values()))
    rounds = random.randint(3, 9)
    least = table.required if outcome == "victory" else 0
    most = len(table.goals) if table.conditions else min(len(table.goals), max(least, table.required - 1))
    completed = random.sample(table.goals, random.randint(least, max(least, most)))
    back = kit.retreat_spaces * max(0, len(completed) - table.required)
    if outcome == "defeat":
        forward, position = table.last_space + random.randint(0, back), table.last_space
    else:
        forward = random.randint(0, table.last_space - 1 + back)
        position = random.randint(max(0, forward - back), min(forward, table.last_space - 1))
    cards = random.randint(0, min(rounds, forward // kit.advance_spaces))
    kills = random.randint(0, forward // kit.advance_spaces - cards)
    return {
        "outcome": outcome,
        "rounds": rounds,
        "completed": sorted(completed),
        "kills": kills,
        "cards": cards,
        "others": forward - (kills + cards) * kit.advance_spaces,
        "position": position,
    }
