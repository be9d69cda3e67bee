"""Values of facts as people type them: reading a field, and the text of a known value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from muster_client import answers
from services.console.forms import Form
from services.console.language import _

YES = "yes"
LONGEST_LIST = 60
"""Most entries of one field."""
NUMBER = r"(\([0-9]{1,5}\)|[0-9]{1,5})"
UNIT = rf"{NUMBER}( *\+ *{NUMBER})?"
PATTERNS = {
    "numbers": r"[0-9]{1,5}([,; ]+[0-9]{1,5})*",
    "units": rf"{UNIT}([,; ]+{UNIT})*",
    "letters": r"[A-Za-z]([,; ]*[A-Za-z])*",
}
"""Kind of fact that is typed as text -> pattern for the browser; `read` checks it again."""


def read(form: Form, name: str, fact: answers.AskedFactView) -> Any:
    """Return the value of a field; None if it is empty. Add a fault and return None if it cannot be read."""
    text = form[name]
    if fact.kind == "whole":
        return form.whole(name)
    if fact.kind == "flag":
        return fact.choices[1] if text == YES else fact.choices[0] if fact.needed else None
    if fact.kind == "names":
        return _names(text) if text or (fact.needed and not fact.least) else None
    if not text:
        return None
    if fact.kind == "choice":
        if (chosen := next((value for value in fact.choices if str(value) == text), None)) is None:
            form.add_fault(name, _("Choose one of these."))
        return chosen
    if fact.kind in PATTERNS and not re.fullmatch(PATTERNS[fact.kind], text):
        form.add_fault(name, _("This cannot be read; look at the example."))
        return None
    if fact.kind == "numbers":
        return [int(number) for number in _parts(text)]
    if fact.kind == "letters":
        return [letter for letter in text.upper() if letter.isalpha()][:LONGEST_LIST]
    return [_unit(part) for part in _parts(re.sub(r" *\+ *", "+", text))] if fact.kind == "units" else text


def field_value(fact: answers.AskedFactView, value: Any) -> str:
    """Return the text of a known value for its field."""
    if fact.kind == "flag":
        return YES if value == fact.choices[1] else ""
    if fact.kind == "letters" and isinstance(value, list):
        return "".join(map(str, value))
    if fact.kind == "units" and isinstance(value, list):
        return ", ".join(text for text in map(_unit_text, value) if text)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _parts(text: str) -> Sequence[str]:
    return [part for part in re.split(r"[,; ]+", text) if part][:LONGEST_LIST]


def _names(text: str) -> list[str]:
    return [name for part in text.split(",") if (name := part.strip())][:LONGEST_LIST]


def _unit(text: str) -> dict[str, Any]:
    """Return a unit, and a hero who had joined it; brackets mark what is still on the table."""
    points, joined, hero = text.partition("+")
    unit: dict[str, Any] = {"points": int(points.strip("()")), "gone": not points.startswith("(")}
    return unit | {"hero_points": int(hero.strip("()")), "hero_gone": not hero.startswith("(")} if joined else unit


def _unit_text(unit: Any) -> str:
    if not isinstance(unit, dict):
        return ""
    parts = [("points", "gone"), ("hero_points", "hero_gone")]
    values = [(unit[points], unit.get(gone)) for points, gone in parts if points in unit]
    return "+".join(f"{points}" if gone else f"({points})" for points, gone in values)
