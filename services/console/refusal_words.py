"""The sentence that follows the title of a problem: what it means and what to do.

It is made from the code and the facts of the problem, never from its text. Each code has several sentences; the first
one whose facts the problem has is used. A code whose title says everything has an empty one.
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
"""The fact whose values may have sentences of their own, under the code and the value."""
TABLES: tuple[Mapping[str, Sequence[str]], ...] = (RESULTS, ROUNDS, PLAYERS, EVENT, KEYS)
SENTENCES: Mapping[str, Sequence[str]] = {code: forms for table in TABLES for code, forms in table.items()}
"""Code of a problem, with its status if that matters -> sentences; the first one whose facts are known is used."""


def sentence(problem: Problem) -> str | None:
    """Return the sentence after the title of a problem; empty if the title is enough, None for an unknown code."""
    facts = _facts(problem)
    forms = SENTENCES.get(f"{problem.code} {problem.data.get(STATUS)}", SENTENCES.get(problem.code))
    if forms is None:
        return None
    return next((form and _(form, **facts) for form in forms if facts.keys() >= set(PLACE.findall(form))), "")


def _facts(problem: Problem) -> dict[str, str]:
    """Return the facts of a problem that sentences may name, as text."""
    facts = {name: text_of(problem.data[name]) for name, text_of in FACT_TEXTS.items() if name in problem.data}
    if problem.faults:
        facts["faults"] = number(len(problem.faults))
    if problem.request_id:
        facts["request_id"] = problem.request_id
    return {name: text for name, text in facts.items() if text}


def _number(value: Any) -> str:
    return number(value) if isinstance(value, int) else ""


def _count(value: Any) -> str:
    return number(len(value)) if isinstance(value, list) else ""


def _people(value: Any) -> str:
    """Return the names of people, or how many they are."""
    if isinstance(value, int):
        return number(value)
    people = value if isinstance(value, list) else []
    named = (person for person in people if isinstance(person, dict) and person.get("name"))
    return ", ".join(dict.fromkeys(person["name"] for person in named))


def _roles(value: Any) -> str:
    roles = value if isinstance(value, list) else []
    return ", ".join(_(SIGNED_IN[role]) for role in roles if role in SIGNED_IN)


FACT_TEXTS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("round", "next", "planned", "closed", "minimum", "capacity", "wanted"), _number),
    **dict.fromkeys(("limit", "used", "retry_after", "rounds"), _number),
    **dict.fromkeys(("games", "groups", "sessions", "tournaments"), _count),
    "name": str,
    "players": _people,
    "roles": _roles,
}
"""Fact of a problem -> its text; sentences name no other facts."""
