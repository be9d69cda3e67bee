"""The report of a whole session as it could have gone, from its table and chance alone."""

from __future__ import annotations

from random import Random
from typing import Any

from shared.formats.coop.rules.ruleset import CoopRuleset
from shared.formats.coop.rules.table import Table

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
