"""What a refusal means and what to do, in a sentence of the console: made of its type and its facts, never of its text.

It follows the title where a language has no other words for what a service says. A sentence that needs a fact which a
problem lacks gives way to the next one, which does without. Where a title says all, there is nothing to add.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from muster_client import Problem
from services.console.language import _, number
from services.console.refusals.event import EVENT, PLAYERS
from services.console.refusals.games import RESULTS, ROUNDS
from services.console.refusals.keys import KEYS
from services.console.words import SIGNED_IN

PLACE = re.compile(r"%\((\w+)\)s")
STATUS = "status"
"""The fact that has sentences of its own, under the code and the status."""
TABLES: tuple[Mapping[str, Sequence[str]], ...] = (RESULTS, ROUNDS, PLAYERS, EVENT, KEYS)
SENTENCES: Mapping[str, Sequence[str]] = {code: forms for table in TABLES for code, forms in table.items()}
"""Code of a problem, with its status where that matters -> sentences, the first of which that has its facts is said."""


def sentence(problem: Problem) -> str | None:
    """What follows the title of a problem; empty where the title says all, None where there are no words for it."""
    facts = _facts(problem)
    forms = SENTENCES.get(f"{problem.code} {problem.data.get(STATUS)}", SENTENCES.get(problem.code))
    if forms is None:
        return None
    return next((one and _(one, **facts) for one in forms if facts.keys() >= set(PLACE.findall(one))), "")


def _facts(problem: Problem) -> dict[str, str]:
    """What sentences may name: the facts of a problem in words, without those that cannot be said."""
    said = {name: in_words(problem.data[name]) for name, in_words in IN_WORDS.items() if name in problem.data}
    if problem.faults:
        said["faults"] = number(len(problem.faults))
    if problem.request_id:
        said["request_id"] = problem.request_id
    return {name: text for name, text in said.items() if text}


def _number(value: Any) -> str:
    return number(value) if isinstance(value, int) else ""


def _count(value: Any) -> str:
    return number(len(value)) if isinstance(value, list) else ""


def _people(value: Any) -> str:
    """Names of people, or how many they are."""
    if isinstance(value, int):
        return number(value)
    found = value if isinstance(value, list) else []
    return ", ".join(dict.fromkeys(one["name"] for one in found if isinstance(one, dict) and one.get("name")))


def _roles(value: Any) -> str:
    found = value if isinstance(value, list) else []
    return ", ".join(_(SIGNED_IN[role]) for role in found if role in SIGNED_IN)


IN_WORDS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("round", "next", "planned", "closed", "minimum", "capacity", "wanted"), _number),
    **dict.fromkeys(("limit", "used", "retry_after", "rounds"), _number),
    **dict.fromkeys(("games", "groups", "sessions", "tournaments"), _count),
    "name": str,
    "players": _people,
    "roles": _roles,
}
"""Fact of a problem -> how it is said; other facts are not."""
