"""Tables copied by hand from documents and digests, compared with the structs of a ruleset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import yaml

from shared.rules.parts import Option
from tests.transcribed import table

FOLDER = Path(__file__).parent / "data" / "documents"


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table."""
    return table(FOLDER / f"{name}.csv")


def blocks(name: str) -> Any:
    """Return the small tables of a file by name."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))


def span(printed: str) -> dict[str, int]:
    """Return the bounds of a row: `0-20`, `16`, or `33 and more` without an end."""
    if printed.endswith(" and more"):
        return {"least": int(printed.removesuffix(" and more"))}
    least, _, most = printed.partition("-")
    return {"least": int(least), "most": int(most or least)}


def listed(printed: str) -> list[str]:
    """Return words separated by semicolons."""
    return printed.split("; ") if printed else []


def missing_words(texts: list[str], said: list[list[str]]) -> list[str]:
    """Return the required words that are missing in the texts, compared one by one."""
    pairs = zip(texts, said, strict=True)
    return [word for text, words in pairs for word in words if word.lower() not in text.lower()]


def option_of(row: dict[str, str]) -> Option:
    """Return the option of a row. A default that is not one of its choices is a number or a boolean."""
    words = [each.replace("~", " ").partition("=") for each in row["choices"].split()]
    choices = {word: _value(value or word) for word, _, value in words}
    needs, _, above = row.get("needs", "").partition(" above ")
    least, _, most = row["bounds"].partition("-")
    members: dict[str, Any] = {name: row[name] for name in ("key", "name", "kind", "clause", "until")}
    members |= {
        "sets": row["sets"].split(),
        "choices": choices,
        "needs": needs.split(),
        "needs_above": int(above or -1),
    }
    members |= {"least": int(least or 0), "most": int(most) if most else None}
    members["default"] = _default(row, choices) if row["default"] else None
    return msgspec.convert(members, Option)


def _default(row: dict[str, str], choices: dict[str, Any]) -> Any:
    said = row["default"]
    if row["kind"] == "flag":
        return {"true": True, "false": False}[said]
    return int(said) if row["kind"] == "whole" and said not in choices else said


def _value(said: str) -> int | bool | str:
    if said in ("True", "False"):
        return said == "True"
    return int(said) if said.lstrip("-").isdigit() else said
