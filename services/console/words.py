"""Words and marks for states, and numbers and times as people read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

GAME = {
    "bye": ("bye", "is-bye"),
    "open": ("not reported", "is-open"),
    "reported": ("one side reported", "is-half"),
    "disputed": ("disputed", "is-dispute"),
    "confirmed": ("settled", "is-bound"),
    "ruled": ("settled by a ruling", "is-bound"),
    "corrected": ("settled, corrected", "is-bound"),
}
"""Status of a game -> in words, and the class of its mark."""
FIRST = {"disputed": 0, "open": 1, "reported": 2}
ROUND = {"draft": "a draft, shown to staff only", "paired": "paired", "started": "being played", "closed": "closed"}
TOURNAMENT = {
    "announced": "announced",
    "running": "being played",
    "concluded": "finished",
    "cancelled": "cancelled",
}
LONG_NAME = 27
"""Letters from which a name is set smaller on the wall."""


def filters() -> Mapping[str, Callable[..., Any]]:
    """What templates may pipe through."""
    return {
        "game_word": lambda status: GAME.get(status, (status, ""))[0],
        "game_mark": lambda status: GAME.get(status, ("", ""))[1],
        "round_word": lambda status: ROUND.get(status, status),
        "event_word": lambda status: TOURNAMENT.get(status, status),
        "clock": clock,
        "column": lambda name, words: (words or {}).get(name) or name.replace("_", " "),
        "first_name": lambda name: name.split()[0] if name.split() else name,
    }


def clock(moment: str) -> str:
    """The time of day of an RFC 3339 moment, as its text has it; empty for none."""
    if not moment:
        return ""
    return datetime.fromisoformat(moment).strftime("%H:%M")


def score_of(facts: Mapping[str, Any] | None) -> str:
    """The score that facts tell, `187 : 142`; empty where they tell none."""
    if not facts:
        return ""
    points = [facts.get("points_1"), facts.get("points_2")]
    if None in points:
        return {"no_show": "no show", "forfeit": "forfeit"}.get(str(facts.get("kind", "")), "")
    return f"{points[0]} : {points[1]}"
