"""Rulesets of every format: semantic checks, example rosters, and the options that an organiser sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

from shared.formats import FORMATS
from shared.refusals import Expected, Fault, display_text, expects, one_of
from shared.rules.checks import faults_of_shape
from shared.rules.model import OptionsRefused, PackRefused, RoundsNotFixed
from shared.rules.parts import AnyRuleset, Option, RoundsBand
from shared.swiss import roster
from shared.swiss.checks import faults_of_option_settings
from shared.swiss.game_parts import Band
from shared.swiss.roster import with_catalogue_values
from shared.swiss.ruleset import Ruleset
from shared.tournament.format import ResultRow, read_ruleset
from shared.tournament.people import Entries
from shared.tournament.state import Tournament

Rules = TypeVar("Rules", bound=AnyRuleset)


def faults_of_example(ruleset: AnyRuleset) -> list[Fault]:
    """Return every fault of a pack's example roster, each at its JSON pointer."""
    return roster.faults_of_example(ruleset) if isinstance(ruleset, Ruleset) else []


def with_legal_example(ruleset: Rules) -> Rules:
    """Return the ruleset with an example roster that is legal under its options."""
    return cast(Rules, roster.with_legal_example(ruleset)) if isinstance(ruleset, Ruleset) else ruleset


def with_catalogue(ruleset: AnyRuleset, data: Any, where: str) -> AnyRuleset | None:
    """Return the ruleset with an additional catalogue of roster entries; None if it has no rosters.

    - `data`: the catalogue as JSON values.
    - `where`: prefix of the pointers in faults.

    Raise PackRefused.
    """
    return with_catalogue_values(ruleset, data, where) if isinstance(ruleset, Ruleset) else None


def rounds_if_fixed(state: Tournament) -> int | None:
    """Return the planned number of rounds; None if it is not set, or there are too few players to determine it."""
    try:
        return FORMATS[state.entries.format].planned_rounds(state)
    except RoundsNotFixed:
        return None


def formats_with_results() -> list[str]:
    """Return the formats whose results a season counts."""
    return [name for name, format in FORMATS.items() if format.final_results]


def results_of(state: Tournament) -> list[ResultRow]:
    """Return the final results of a tournament, in order of places; empty unless it is concluded and not cancelled.

    Raise KeyError for a format whose results no season counts.
    """
    if not state.results.concluded or state.entries.status == "cancelled":
        return []
    results = FORMATS[state.entries.format].final_results
    if results is None:
        raise KeyError(state.entries.format)
    return results(state)


_DATE = re.compile(r"\d{4}(-\d{2}){0,2}", re.ASCII)

# msgspec 0.22 crashes if several threads are the first to use a type. This is the first use, in one thread.
for _format in FORMATS.values():
    msgspec.json.Decoder(_format.RULESET)


def ruleset_type(data: Any) -> type[AnyRuleset]:
    """Return the ruleset type of a pack's plain values, by its format; that of Swiss if the format is unknown."""
    format = data.get("format") if isinstance(data, Mapping) else None
    return FORMATS[format if isinstance(format, str) and format in FORMATS else "swiss"].RULESET


def ruleset_of(entries: Entries) -> AnyRuleset:
    """Return a tournament's announced ruleset as the type of its format."""
    return read_ruleset(entries.ruleset, FORMATS[entries.format].RULESET)


def faults_of_form(data: Any) -> list[Fault]:
    """Return every fault in the shape of a pack's plain values, each at its JSON pointer."""
    formats = one_of(list(FORMATS))
    return [
        msgspec.structs.replace(fault, expected=formats) if fault.where == "/format" else _explain_unknown_key(fault)
        for fault in faults_of_shape(data, ruleset_type(data))
    ]


BEYOND_PACKS: Mapping[str, Expected] = {
    "virtual_opponent": expects("no-virtual-opponents"),
    "virtual_opponents": expects("no-virtual-opponents"),
    "colours": expects("no-colours"),
    "colors": expects("no-colours"),
    "acceleration": expects("no-acceleration"),
    "teams": expects("no-team-matches"),
    "rating": expects("no-order-by-ratings"),
    "ratings": expects("no-order-by-ratings"),
}
"""Key that authors try for a feature that packs do not support -> the expectation that says so."""


def _explain_unknown_key(fault: Fault) -> Fault:
    """Replace the expectation of an unknown key if no spelling of it would help."""
    expected = BEYOND_PACKS.get(fault.where.rpartition("/")[2])
    if expected is None or fault.code != "known-key":
        return fault
    return msgspec.structs.replace(fault, expected=expected)


def faults_of_ruleset(ruleset: AnyRuleset) -> list[Fault]:
    """Return every semantic fault of a well-formed ruleset, each at its JSON pointer."""
    return [*_faults_of_date(ruleset.document.date), *FORMATS[ruleset.format].faults(ruleset)]


def _faults_of_date(text: str) -> list[Fault]:
    """Return a fault unless the date of a document is a day, a month or a year."""
    try:
        date.fromisoformat(text + "-01-01"[len(text) - 4 :] if _DATE.fullmatch(text) else "")
    except ValueError:
        return [Fault("/document/date", display_text(text), expects("day-month-or-year"))]
    return []


def from_json(data: dict[str, Any]) -> AnyRuleset:
    """Return the ruleset that `to_json` wrote. Raise PackRefused with every fault if it is not one."""
    if faults := faults_of_form(data):
        raise PackRefused("this is not a ruleset", faults)
    return msgspec.convert(data, ruleset_type(data))


OptionValue = tuple[Any, Any]
"""The value recorded in `chosen`, and the value put into the ruleset."""


class WrongValue(ValueError):
    """A value that an option does not accept. `expected`: the expectation."""

    def __init__(self, expected: Expected) -> None:
        super().__init__(str(expected))
        self.expected = expected


_FLAGS = {"true": True, "false": False}
_BAND = re.compile(r"\s*(\d+)(?:-(\d+)|\+):(\d+):(\d+)\s*")
_ROUNDS = re.compile(r"\s*(\d+)(?:-(\d+)|\+):(\d+)(?::(\d+):(\d+))?\s*")
_POINTS = re.compile(r"\s*([a-z_]+):(\d{1,9})\s*")


def read_value(option: Option, value: object) -> OptionValue:
    """Return the value recorded in `chosen`, and the value put into the ruleset. Raises WrongValue."""
    return READERS[option.kind](option, value)


def as_text(value: object) -> str:
    """Return a chosen value as command-line text that is read as the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ",".join(f"{word}:{points}" for word, points in value.items())
    if isinstance(value, list):
        return ",".join(_row_as_text(row) for row in value)
    return str(value)


def _row_as_text(row: Mapping[str, int]) -> str:
    players = f"{row['least']}-{row['most']}" if row.get("most") is not None else f"{row['least']}+"
    rest = [row[name] for name in ("winner", "loser", "rounds", "cut_to", "cut_after") if row.get(name) is not None]
    return ":".join(map(str, [players, *rest]))


def _choice(option: Option, value: object) -> OptionValue:
    word = str(value).lower() if isinstance(value, int) else value
    if not isinstance(word, str) or word not in option.choices:
        raise WrongValue(one_of(list(option.choices)))
    return word, option.choices[word]


def _flag(option: Option, value: object) -> OptionValue:
    flag = _FLAGS.get(value) if isinstance(value, str) else value
    if not isinstance(flag, bool):
        raise WrongValue(expects("true-or-false"))
    return flag, flag


def _whole(option: Option, value: object) -> OptionValue:
    if isinstance(value, str) and value in option.choices:
        return value, option.choices[value]
    number = int(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value) else value
    if type(number) is not int or number < option.least or (option.most is not None and number > option.most):
        expected = expects("whole-number-from", least=option.least)
        if option.most is not None:
            expected = expects("whole-number-range", least=option.least, most=option.most)
        raise WrongValue(expects("or-word", right=expected, words=list(option.choices)) if option.choices else expected)
    return number, number


def _bands(option: Option, value: object) -> OptionValue:
    """Read a margin table: a list of rows, or the text `least-most:winner:loser,…,least+:winner:loser`."""
    if isinstance(value, str):
        names = ("least", "most", "winner", "loser")
        rows = _rows(value, _BAND, names, expects("margin-rows-in-text"))
    else:
        rows = _check_rows(value, Band, expects("margin-rows"))
    return rows, rows


def _rounds(option: Option, value: object) -> OptionValue:
    """Read a rounds table: a list of rows, or the text `least-most:rounds,…,least+:rounds:cut to:after round`."""
    if isinstance(value, str):
        names = ("least", "most", "rounds", "cut_to", "cut_after")
        rows = _rows(value, _ROUNDS, names, expects("rounds-rows-in-text"))
    else:
        rows = _check_rows(value, RoundsBand, expects("rounds-rows"))
    return rows, rows


def _rows(text: str, form: re.Pattern[str], names: tuple[str, ...], expected: Expected) -> list[dict[str, int]]:
    matches = [form.fullmatch(row) for row in text.split(",")]
    if not all(matches):
        raise WrongValue(expected)
    return [
        {name: int(number) for name, number in zip(names, match.groups(), strict=True) if number}
        for match in matches
        if match
    ]


def _check_rows(value: object, row: type[Struct], expected: Expected) -> list[dict[str, int]]:
    if not isinstance(value, list) or any(faults_of_shape(item, row) for item in value):
        raise WrongValue(expected)
    return value


def _points(option: Option, value: object) -> OptionValue:
    """Read points by word: an object, or the text `word:points,…`."""
    if isinstance(value, str):
        matches = [_POINTS.fullmatch(text) for text in value.split(",")]
        if not all(matches):
            raise WrongValue(expects("points-by-word-in-text"))
        value = {match[1]: int(match[2]) for match in matches if match}
    elif not isinstance(value, dict) or not all(type(points) is int and points >= 0 for points in value.values()):
        raise WrongValue(expects("points-by-word"))
    return value, value


def _is_choice(option: Option, word: object) -> bool:
    return isinstance(word, str) and word in option.choices


def _words(option: Option, value: object) -> OptionValue:
    """Read words in an order that matters: a list, or the text `word,…`. The text is recorded."""
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, list) or not words or not all(_is_choice(option, word) for word in words):
        raise WrongValue(expects("some-in-order", values=list(option.choices)))
    if len(set(words)) < len(words):
        raise WrongValue(expects("each-word-once"))
    return ",".join(words), words


READERS: Mapping[str, Callable[[Option, object], OptionValue]] = MappingProxyType(
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
"""Kind of option -> the function that reads its value. Contains every kind that a pack may name."""


def apply_options(ruleset: Rules, chosen: Mapping[str, object]) -> Rules:
    """Return the ruleset with these options set and recorded in its `chosen`.

    Values have the type of the option or are command line text (`true`, `150`, `0-59:6:5,60+:10:1`). Raise
    OptionsRefused with every fault: unknown keys, values that do not fit, options that need others, and inconsistent
    tables.
    """
    known = {option.key: option for option in ruleset.options}
    patched: Any = msgspec.to_builtins(ruleset)
    faults: list[Fault] = []
    for key, value in chosen.items():
        if key not in known:
            expected = one_of(list(known)) if known else expects("no-options")
            faults.append(Fault(f"/{key}", display_text(value), expected))
            continue
        option = known[key]
        missing = [need for need in option.needs if need not in chosen and need not in ruleset.chosen]
        try:
            recorded, put = read_value(option, value)
        except WrongValue as wrong:
            faults.append(Fault(f"/{key}", display_text(value), wrong.expected, option.clause))
            continue
        if missing and put != option.default and (type(put) is not int or put > option.needs_above):
            faults.append(Fault(f"/{key}", display_text(value), expects("set-with", options=missing), option.clause))
        if option.kind == "points" and (unknown := _unknown_words(patched, option, put)):
            faults.append(unknown)
            continue
        for pointer in option.sets:
            set_value_at(patched, pointer, {**value_at(patched, pointer), **put} if option.kind == "points" else put)
        patched["chosen"][key] = recorded
    result = msgspec.convert(patched, type(ruleset))
    faults += [_at_option(fault, known, chosen) for fault in faults_of_ruleset(result)]
    if faults:
        raise OptionsRefused(f"these options do not fit {ruleset.id}", faults, ruleset=ruleset.id)
    return with_legal_example(result)


def faults_of_options(ruleset: AnyRuleset) -> list[Fault]:
    """Return the faults of a pack's options.

    An option is faulty if it sets a missing place, or one that does not hold the chosen or default value.
    """
    tree = msgspec.to_builtins(ruleset)
    keys = [option.key for option in ruleset.options]
    faults = [
        Fault(f"/chosen/{key}", display_text(ruleset.chosen[key]), expects("option-key"))
        for key in ruleset.chosen
        if key not in keys
    ]
    faults += faults_of_option_settings(ruleset.options)
    for index, option in enumerate(ruleset.options):
        is_chosen = option.key in ruleset.chosen
        value: object = ruleset.chosen[option.key] if is_chosen else option.default
        try:
            put = None if value is None else read_value(option, value)[1]
        except WrongValue as wrong:
            where = f"/chosen/{option.key}" if is_chosen else f"/options/{index}/default"
            faults.append(Fault(where, display_text(value), wrong.expected, option.clause))
            continue
        for number, pointer in enumerate(option.sets):
            where = f"/options/{index}/sets/{number}"
            try:
                current = value_at(tree, pointer)
            except (LookupError, TypeError, ValueError):
                faults.append(Fault(where, pointer, expects("pointer-into-pack")))
                continue
            current = list(current) if isinstance(current, tuple) else current
            if option.kind not in ("bands", "rounds", "points") and current != put:
                expected_text = display_text(put)
                expected = expects("default-of-option", value=expected_text, option=option.key)
                if is_chosen:
                    expected = expects("chosen-for-option", value=expected_text, option=option.key)
                faults.append(Fault(pointer, display_text(current), expected, option.clause))
        for need in option.needs:
            if need not in keys:
                faults.append(Fault(f"/options/{index}/needs", need, expects("option-key")))
    return faults


def value_at(tree: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer. Raise LookupError if there is none."""
    for step in pointer.split("/")[1:]:
        tree = tree[int(step)] if isinstance(tree, list) and step.isdigit() else tree[step]
    return tree


def set_value_at(tree: Any, pointer: str, value: object) -> None:
    """Set the value at a JSON pointer."""
    parent, _, last = pointer.rpartition("/")
    holder = value_at(tree, parent)
    holder[int(last) if isinstance(holder, list) else last] = value


def _unknown_words(tree: Any, option: Option, put: Mapping[str, int]) -> Fault | None:
    known = {word for pointer in option.sets for word in value_at(tree, pointer)}
    unknown = sorted(put.keys() - known)
    where = f"/{option.key}"
    return Fault(where, ", ".join(unknown), expects("some-of", values=list(known)), option.clause) if unknown else None


def _at_option(fault: Fault, known: Mapping[str, Option], chosen: Mapping[str, object]) -> Fault:
    """Return a fault of the ruleset at the option that caused it."""
    for key in chosen:
        if key in known and any(fault.where.startswith(pointer) for pointer in known[key].sets):
            return Fault(f"/{key}", fault.said, fault.expected, known[key].clause)
    return fault
