"""Sheets and cards of a co-operative game that were never printed: rehearsals are played by them."""

from __future__ import annotations

from typing import Any

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
