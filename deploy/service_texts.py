"""Texts of the services on pages of the console: titles of problems, and words of the shipped rulesets of games.

`deploy/untranslated.py` lists those without a translation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import yaml

from deploy.stack import ROOT
from services.console import problem_words, words
from services.console.option_words import QUESTIONS
from shared.rules.parts import DEFAULT_WORDS
from shared.service.refusals import PROBLEMS as HANDLING
from shared.settings import SERVICES
from shared.swiss.ruleset import DEFAULT_TIE_WORDS
from shared.web.refusals import EDGE, Kind

PACKS = ROOT / "shared" / "swiss" / "packs"
HARD_STOP = "hard stop"
"""The call of time that pairing adds if a ruleset has overtime."""
PROPER_NAMES = frozenset({"battle builder"})
"""Words of rulesets that are not translated, like the names of rulesets, scenarios and objectives."""


def keyed_texts() -> dict[tuple[str, str], str]:
    """Return every text: context and key -> English."""
    titles = {(problem_words.CONTEXT, code): title for code, title in problem_titles().items()}
    return titles | {(words.CONTEXT, word): word for word in ruleset_words() - PROPER_NAMES}


def problem_titles() -> dict[str, str]:
    """Return the title of every problem of the three services, by its code."""
    tables = [EDGE, HANDLING, *(import_module(f"services.{name}.problems").PROBLEMS for name in SERVICES)]
    return {code: Kind(*kind).title for table in tables for code, kind in table.items()}


def ruleset_words() -> set[str]:
    """Return the words of the shipped rulesets that pages may show, without names of scenarios and objectives."""
    own = {str(word).replace("_", " ") for file in sorted(PACKS.glob("*.yaml")) for word in words_of(_read(file))}
    return own | {DEFAULT_WORDS.draw, DEFAULT_WORDS.game_round, HARD_STOP, *DEFAULT_TIE_WORDS.values()}


def _read(file: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load(file.read_text())
    return found


def words_of(pack: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a ruleset: columns, units, calls, forms, fields of lists, options without a question."""
    words, points = pack.get("words", {}), pack["points"]
    yield from (words[name] for name in ("draw", "tied", "game_round") if name in words)
    yield from words.get("columns", {}).values()
    yield from (one["column"] for one in pack["standings"]["criteria"])
    yield from (points[name] for name in ("points", "score", "margin") if name in points)
    yield from (one["name"] for one in points.get("recorded", ()))
    yield pack["result"]["unit"]
    yield from (board["fact"] for one in pack.get("scenarios", ()) if "fact" in (board := one["board"]))
    yield from (one["name"] for part in ("calls", "slots") for one in pack["clock"].get(part, ()))
    yield from (one["id"] for one in pack["tiers"])
    yield from pack.get("staff", {}).get("titles", {}).values()
    for form in pack.get("forms", ()):
        titles = form.get("titles", {})
        yield form["name"]
        yield from (*form["heading"], *form["columns"], *titles.values(), *form.get("instructions", ()))
    yield from pack["roster"]["fields"]
    yield from _members(pack["roster"].get("example", {}))
    yield from (one["name"] for one in pack["options"] if one["key"] not in QUESTIONS)


def _members(value: Any) -> Iterator[str]:
    """Yield the names of all members in the example of a list."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _members(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _members(inner)
