"""How the value of an option is read: as itself, or as the text that a command line gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from shared.formats.swiss.rules.game_parts import Band
from shared.refusals import Expected, expects, one_of
from shared.rules.parts import Option, RoundsBand
from shared.rules.shape_checks import faults_of_shape

Read = tuple[Any, Any]
"""What is recorded as chosen, and what is put into the ruleset."""


class WrongValue(ValueError):
    """A value that an option does not take. expected: what would be right."""

    def __init__(self, expected: Expected) -> None:
        super().__init__(str(expected))
        self.expected = expected


_FLAGS = {"true": True, "false": False}
_BAND = re.compile(r"\s*(\d+)(?:-(\d+)|\+):(\d+):(\d+)\s*")
_ROUNDS = re.compile(r"\s*(\d+)(?:-(\d+)|\+):(\d+)(?::(\d+):(\d+))?\s*")
_POINTS = re.compile(r"\s*([a-z_]+):(\d{1,9})\s*")


def read_value(option: Option, value: object) -> Read:
    """What is recorded as chosen, and what is put into the ruleset. Raises WrongValue."""
    return READERS[option.kind](option, value)


def as_text(said: object) -> str:
    """What is recorded as chosen, as the text of a command line that is read as the same."""
    if isinstance(said, bool):
        return "true" if said else "false"
    if isinstance(said, Mapping):
        return ",".join(f"{word}:{points}" for word, points in said.items())
    if isinstance(said, list):
        return ",".join(_row_as_text(row) for row in said)
    return str(said)


def _row_as_text(row: Mapping[str, int]) -> str:
    players = f"{row['least']}-{row['most']}" if row.get("most") is not None else f"{row['least']}+"
    rest = [row[name] for name in ("winner", "loser", "rounds", "cut_to", "cut_after") if row.get(name) is not None]
    return ":".join(map(str, [players, *rest]))


def _choice(option: Option, value: object) -> Read:
    word = str(value).lower() if isinstance(value, int) else value
    if not isinstance(word, str) or word not in option.choices:
        raise WrongValue(one_of(list(option.choices)))
    return word, option.choices[word]


def _flag(option: Option, value: object) -> Read:
    flag = _FLAGS.get(value) if isinstance(value, str) else value
    if not isinstance(flag, bool):
        raise WrongValue(expects("true-or-false"))
    return flag, flag


def _whole(option: Option, value: object) -> Read:
    if isinstance(value, str) and value in option.choices:
        return value, option.choices[value]
    number = int(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value) else value
    if type(number) is not int or number < option.least or (option.most is not None and number > option.most):
        expected = expects("whole-number-from", least=option.least)
        if option.most is not None:
            expected = expects("whole-number-range", least=option.least, most=option.most)
        raise WrongValue(expects("or-word", right=expected, words=list(option.choices)) if option.choices else expected)
    return number, number


def _bands(option: Option, value: object) -> Read:
    """A margin table: a list of rows, or the text `least-most:winner:loser,…,least+:winner:loser`."""
    if isinstance(value, str):
        names = ("least", "most", "winner", "loser")
        rows = _rows(value, _BAND, names, expects("margin-rows-in-text"))
    else:
        rows = _held(value, Band, expects("margin-rows"))
    return rows, rows


def _rounds(option: Option, value: object) -> Read:
    """A rounds table: a list of rows, or the text `least-most:rounds,…,least+:rounds:cut to:after round`."""
    if isinstance(value, str):
        names = ("least", "most", "rounds", "cut_to", "cut_after")
        rows = _rows(value, _ROUNDS, names, expects("rounds-rows-in-text"))
    else:
        rows = _held(value, RoundsBand, expects("rounds-rows"))
    return rows, rows


def _rows(text: str, form: re.Pattern[str], names: tuple[str, ...], expected: Expected) -> list[dict[str, int]]:
    found = [form.fullmatch(row) for row in text.split(",")]
    if not all(found):
        raise WrongValue(expected)
    return [{name: int(said) for name, said in zip(names, row.groups(), strict=True) if said} for row in found if row]


def _held(value: object, row: type[Struct], expected: Expected) -> list[dict[str, int]]:
    if not isinstance(value, list) or any(faults_of_shape(held, row) for held in value):
        raise WrongValue(expected)
    return value


def _points(option: Option, value: object) -> Read:
    """Points by word: an object, or the text `word:points,…`."""
    if isinstance(value, str):
        found = [_POINTS.fullmatch(text) for text in value.split(",")]
        if not all(found):
            raise WrongValue(expects("points-by-word-in-text"))
        value = {match[1]: int(match[2]) for match in found if match}
    elif not isinstance(value, dict) or not all(type(points) is int and points >= 0 for points in value.values()):
        raise WrongValue(expects("points-by-word"))
    return value, value


def _chosen(option: Option, word: object) -> bool:
    return isinstance(word, str) and word in option.choices


def _words(option: Option, value: object) -> Read:
    """Words in an order that matters: a list, or the text `word,…`; what is recorded is the text."""
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list) or not words or not all(_chosen(option, word) for word in words):
        raise WrongValue(expects("some-in-order", values=list(option.choices)))
    if len(set(words)) < len(words):
        raise WrongValue(expects("each-word-once"))
    return ",".join(words), words


READERS: Mapping[str, Callable[[Option, object], Read]] = MappingProxyType(
    {
        "choice": _choice,
        "flag": _flag,
        "whole": _whole,
        "bands": _bands,
        "rounds": _rounds,
        "points": _points,
        "words": _words,
    }
)
"""Kind of option -> how its value is read. Every kind that a pack may name is here."""
