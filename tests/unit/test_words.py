"""One word for one thing: types and modules are called what people of the field call them, never by an older name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sources import parsed

ROOT = Path(__file__).parents[2]
ROOMS = ("shared", "services", "muster", "deploy", "tests", "bench")

OLD: dict[str, str] = {
    **dict.fromkeys(("desk", "receipt"), "command handler, command result"),
    "front": "gateway",
    **dict.fromkeys(("folds", "folded", "presumably", "unsure"), "repository, loaded aggregate, possibly stale"),
    **dict.fromkeys(("also", "beside"), "inline projection"),
    **dict.fromkeys(("told", "heard", "said", "ask", "asked"), "stored event, decoded event, events, commands"),
    **dict.fromkeys(("intake", "arrivals", "fate"), "inbox, inbound messages, disposition"),
    "sweep": "catch-up",
    "owners": "upstream feed",
    "doorbell": "commit notifier",
    "patience": "backoff",
    **dict.fromkeys(
        ("telling", "course", "cup", "scene", "asking"), "decision builder, outcomes, dice source, context"
    ),
    "retold": "re-decided",
    "reactions": "process manager",
    **dict.fromkeys(("offices", "removed"), "guards: authority, disqualified"),
    "sound": "semantic checks",
    "papers": "printed sheets",
    **dict.fromkeys(("ticket", "tickets", "safe"), "token issuer, personal data vault"),
    "candidates": "available actions",
}
"""Old word -> what stands in its place."""

ANYWHERE = frozenset({"desk", "receipt", "folds", "intake", "sweep", "doorbell", "patience", "retold", "reactions"})
"""Those that mean nothing else even inside a longer name."""


def files() -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def types(file: Path) -> Iterator[str]:
    """Classes, and aliases of types: names at the top of a module that begin like a class."""
    for node in parsed(file).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (name.id for name in node.targets if re.match("_?[A-Z][a-z]", getattr(name, "id", "")))


def old_word(name: str) -> str | None:
    """The old word that a type or a module is called by, if it is."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name.removeprefix("test_"))]
    return next((word for word in words if word in OLD and (len(words) == 1 or word in ANYWHERE)), None)


def test_no_type_and_no_module_is_called_by_an_old_word():
    found = []
    for file in files():
        place = file.relative_to(ROOT).as_posix()
        for name in (file.stem, *types(file)):
            if word := old_word(name):
                found.append(f"{place}: {name} ({word}: {OLD[word]})")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Told", "told"),
        ("test_sweep_stays_on", "sweep"),
        ("OvertakenFolds", "folds"),
        ("SessionTold", None),
        ("AskedShown", None),
    ],
)
def test_a_longer_name_may_hold_a_word_that_means_something_else_there(name, word):
    assert old_word(name) == word
