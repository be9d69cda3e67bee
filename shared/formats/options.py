"""Rulesets of every format: checks of their values, example rosters, and the options that an organiser sets."""

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
    """Return everything that makes the example roster of a pack illegal, each at its JSON pointer."""
    return roster.faults_of_example(ruleset) if isinstance(ruleset, Ruleset) else []


def with_legal_example(ruleset: Rules) -> Rules:
    """Return the ruleset with an example roster that its options leave legal."""
    return cast(Rules, roster.with_legal_example(ruleset)) if isinstance(ruleset, Ruleset) else ruleset


def with_catalogue(ruleset: AnyRuleset, data: Any, where: str) -> AnyRuleset | None:
    """Return the ruleset with what else rosters may hold; None if it has no rosters.

    data: the catalogue as JSON has it. where: what the pointers of faults begin with. Raises PackRefused.
    """
    return with_catalogue_values(ruleset, data, where) if isinstance(ruleset, Ruleset) else None


def rounds_if_fixed(state: Tournament) -> int | None:
    """The planned rounds; None also while there are too few players to tell."""
    try:
        return FORMATS[state.entries.format].planned_rounds(state)
    except RoundsNotFixed:
        return None


def formats_with_results() -> list[str]:
    """The formats whose results a season counts."""
    return [name for name, format in FORMATS.items() if format.final_results]


def results_of(state: Tournament) -> list[ResultRow]:
    """The results of a tournament, in order of places; none as long as it is not concluded, or when it is cancelled.

    Raises KeyError for a format whose results no season counts.
    """
    if not state.results.concluded or state.entries.status == "cancelled":
        return []
    results = FORMATS[state.entries.format].final_results
    if results is None:
        raise KeyError(state.entries.format)
    return results(state)


_DATE = re.compile(r"\d{4}(-\d{2}){0,2}", re.ASCII)

# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
for _format in FORMATS.values():
    msgspec.json.Decoder(_format.RULESET)


def ruleset_type(data: Any) -> type[AnyRuleset]:
    """What the plain values of a pack are to become, by their format; a Swiss ruleset where they name none that is."""
    said = data.get("format") if isinstance(data, Mapping) else None
    return FORMATS[said if isinstance(said, str) and said in FORMATS else "swiss"].RULESET


def ruleset_of(entries: Entries) -> AnyRuleset:
    """Return the ruleset that a tournament was announced with, as its format has it."""
    return read_ruleset(entries.ruleset, FORMATS[entries.format].RULESET)


def faults_of_form(data: Any) -> list[Fault]:
    """Everything in the plain values of a pack that does not fit its format, or any format, each at its pointer."""
    formats = one_of(list(FORMATS))
    return [
        msgspec.structs.replace(fault, expected=formats) if fault.where == "/format" else _without_python(fault)
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
"""Key that people try in a pack, for a feature that a pack cannot express -> what is right in its place."""


def _without_python(fault: Fault) -> Fault:
    """Say of an unknown key that no other spelling of it would help."""
    expected = BEYOND_PACKS.get(fault.where.rpartition("/")[2])
    if expected is None or fault.code != "known-key":
        return fault
    return msgspec.structs.replace(fault, expected=expected)


def faults_of_ruleset(ruleset: AnyRuleset) -> list[Fault]:
    """Everything a well-formed ruleset still gets wrong, each at its JSON pointer."""
    return [*_faults_of_date(ruleset.document.date), *FORMATS[ruleset.format].faults(ruleset)]


def _faults_of_date(said: str) -> list[Fault]:
    """A document has the day, the month or the year in which it came out."""
    try:
        date.fromisoformat(said + "-01-01"[len(said) - 4 :] if _DATE.fullmatch(said) else "")
    except ValueError:
        return [Fault("/document/date", display_text(said), expects("day-month-or-year"))]
    return []


def from_json(data: dict[str, Any]) -> AnyRuleset:
    """The ruleset that `to_json` wrote. Raises PackRefused with every fault when it is not one."""
    if faults := faults_of_form(data):
        raise PackRefused("this is not a ruleset", faults)
    return msgspec.convert(data, ruleset_type(data))


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


def apply_options(ruleset: Rules, chosen: Mapping[str, object]) -> Rules:
    """The ruleset with these options set, and written into `chosen` of it.

    chosen: key -> value; a value may be of its own type or the text that a command line gives (`true`, `150`,
    `0-59:6:5,60+:10:1`). Raises OptionsRefused with every fault: unknown keys, values that do not fit, options that
    need others, and tables that do not hold together.
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
            said, put = read_value(option, value)
        except WrongValue as wrong:
            faults.append(Fault(f"/{key}", display_text(value), wrong.expected, option.clause))
            continue
        if missing and put != option.default and (type(put) is not int or put > option.needs_above):
            faults.append(Fault(f"/{key}", display_text(value), expects("set-with", options=missing), option.clause))
        if option.kind == "points" and (strange := _unknown_words(patched, option, put)):
            faults.append(strange)
            continue
        for pointer in option.sets:
            set_value_at(patched, pointer, {**value_at(patched, pointer), **put} if option.kind == "points" else put)
        patched["chosen"][key] = said
    result = msgspec.convert(patched, type(ruleset))
    faults += [_as_options(fault, known, chosen) for fault in faults_of_ruleset(result)]
    if faults:
        raise OptionsRefused(f"these options do not fit {ruleset.id}", faults, ruleset=ruleset.id)
    return with_legal_example(result)


def faults_of_options(ruleset: AnyRuleset) -> list[Fault]:
    """Options of a pack that set what does not exist, or what holds something else than is chosen or the default."""
    tree = msgspec.to_builtins(ruleset)
    keys = [option.key for option in ruleset.options]
    faults = [
        Fault(f"/chosen/{key}", display_text(ruleset.chosen[key]), expects("option-key"))
        for key in ruleset.chosen
        if key not in keys
    ]
    faults += faults_of_option_settings(ruleset.options)
    for index, option in enumerate(ruleset.options):
        chosen = option.key in ruleset.chosen
        said: object = ruleset.chosen[option.key] if chosen else option.default
        try:
            put = None if said is None else read_value(option, said)[1]
        except WrongValue as wrong:
            where = f"/chosen/{option.key}" if chosen else f"/options/{index}/default"
            faults.append(Fault(where, display_text(said), wrong.expected, option.clause))
            continue
        for number, pointer in enumerate(option.sets):
            where = f"/options/{index}/sets/{number}"
            try:
                found = value_at(tree, pointer)
            except (LookupError, TypeError, ValueError):
                faults.append(Fault(where, pointer, expects("pointer-into-pack")))
                continue
            found = list(found) if isinstance(found, tuple) else found
            if option.kind not in ("bands", "rounds", "points") and found != put:
                due = display_text(put)
                right = expects("default-of-option", value=due, option=option.key)
                right = expects("chosen-for-option", value=due, option=option.key) if chosen else right
                faults.append(Fault(pointer, display_text(found), right, option.clause))
        for need in option.needs:
            if need not in keys:
                faults.append(Fault(f"/options/{index}/needs", need, expects("option-key")))
    return faults


def value_at(tree: Any, pointer: str) -> Any:
    """The value at a JSON pointer. Raises LookupError when there is none."""
    for step in pointer.split("/")[1:]:
        tree = tree[int(step)] if isinstance(tree, list) and step.isdigit() else tree[step]
    return tree


def set_value_at(tree: Any, pointer: str, value: object) -> None:
    """Put a value where a JSON pointer points to."""
    parent, _, last = pointer.rpartition("/")
    holder = value_at(tree, parent)
    holder[int(last) if isinstance(holder, list) else last] = value


def _unknown_words(tree: Any, option: Option, put: Mapping[str, int]) -> Fault | None:
    """Words that get points where the ruleset has none of that name."""
    known = {word for pointer in option.sets for word in value_at(tree, pointer)}
    unknown = sorted(put.keys() - known)
    where = f"/{option.key}"
    return Fault(where, ", ".join(unknown), expects("some-of", values=list(known)), option.clause) if unknown else None


def _as_options(fault: Fault, known: Mapping[str, Option], chosen: Mapping[str, object]) -> Fault:
    """A fault somewhere in the ruleset, at the option that put it there."""
    for key in chosen:
        if key in known and any(fault.where.startswith(pointer) for pointer in known[key].sets):
            return Fault(f"/{key}", fault.said, fault.expected, known[key].clause)
    return fault
