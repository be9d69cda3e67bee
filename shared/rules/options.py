"""What an organiser may set: options are small patches of the ruleset, checked like the pack itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from shared.refusals import Fault
from shared.rules.formats import AnyRuleset, Rules, faults_of_ruleset, with_legal_example
from shared.rules.parts import Option
from shared.rules.refusals import OptionsRefused

_FLAGS = {"true": True, "false": False}
_BAND = re.compile(r"\s*(\d+)(?:-(\d+)|\+):(\d+):(\d+)\s*")
_ROUNDS = re.compile(r"\s*(\d+)(?:-(\d+)|\+):(\d+)(?::(\d+):(\d+))?\s*")
_POINTS = re.compile(r"\s*([a-z_]+):(\d{1,9})\s*")


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
            faults.append(Fault(f"/{key}", f"unknown option {key!r}", "one of " + ", ".join(known)))
            continue
        option = known[key]
        missing = [need for need in option.needs if need not in chosen and need not in ruleset.chosen]
        try:
            said, put = read_value(option, value)
        except ValueError as refused:
            faults.append(Fault(f"/{key}", f"{value!r}", str(refused), option.clause))
            continue
        if missing and put != option.default and (type(put) is not int or put > option.needs_above):
            faults.append(Fault(f"/{key}", "set alone", "to be set with " + ", ".join(missing), option.clause))
        for pointer in option.sets:
            put_at(patched, pointer, {**value_at(patched, pointer), **put} if option.kind == "points" else put)
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
        Fault(f"/chosen/{key}", f"unknown option {key!r}", "the key of an option")
        for key in ruleset.chosen
        if key not in keys
    ]
    for index, option in enumerate(ruleset.options):
        chosen = option.key in ruleset.chosen
        said: object = ruleset.chosen[option.key] if chosen else option.default
        try:
            put = None if said is None else read_value(option, said)[1]
        except ValueError as refused:
            where = f"/chosen/{option.key}" if chosen else f"/options/{index}/default"
            faults.append(Fault(where, f"{said!r}", str(refused), option.clause))
            continue
        for number, pointer in enumerate(option.sets):
            where = f"/options/{index}/sets/{number}"
            try:
                found = value_at(tree, pointer)
            except (LookupError, TypeError, ValueError):
                faults.append(Fault(where, f"nothing at {pointer}", "the JSON pointer of a value of this pack"))
                continue
            if option.kind not in ("bands", "rounds", "points") and found != put:
                expected = f"{'what is chosen' if chosen else 'the default'}, {put!r}"
                faults.append(Fault(where, f"{pointer} holds {found!r}", expected, option.clause))
        for need in option.needs:
            if need not in keys:
                faults.append(Fault(f"/options/{index}/needs", f"unknown option {need!r}", "the key of an option"))
    return faults


def read_value(option: Option, value: object) -> tuple[Any, Any]:
    """What is recorded as chosen, and what is put into the ruleset. Raises ValueError saying what was expected."""
    match option.kind:
        case "choice":
            word = str(value).lower() if isinstance(value, bool) else value
            if not isinstance(word, str) or word not in option.choices:
                raise ValueError("one of " + ", ".join(option.choices))
            return word, option.choices[word]
        case "flag":
            flag = _FLAGS.get(value) if isinstance(value, str) else value
            if not isinstance(flag, bool):
                raise ValueError("true or false")
            return flag, flag
        case "whole":
            if isinstance(value, str) and value in option.choices:
                return value, option.choices[value]
            number = int(value) if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value) else value
            if type(number) is not int or number < option.least or (option.most is not None and number > option.most):
                upper = "or more" if option.most is None else f"to {option.most}"
                words = "".join(f", or {word}" for word in option.choices)
                raise ValueError(f"a whole number, {option.least} {upper}{words}")
            return number, number
        case "bands":
            bands = _bands(value)
            return bands, bands
        case "rounds":
            rounds = _rounds(value)
            return rounds, rounds
        case "points":
            points = _points(value)
            return points, points


def value_at(tree: Any, pointer: str) -> Any:
    """The value at a JSON pointer. Raises LookupError when there is none."""
    for step in pointer.split("/")[1:]:
        tree = tree[int(step)] if isinstance(tree, list) and step.isdigit() else tree[step]
    return tree


def put_at(tree: Any, pointer: str, value: object) -> None:
    """Put a value where a JSON pointer points to."""
    parent, _, last = pointer.rpartition("/")
    holder = value_at(tree, parent)
    holder[int(last) if isinstance(holder, list) else last] = value


def _bands(value: object) -> list[dict[str, int]]:
    """A margin table: a list of rows, or the text `least-most:winner:loser,…,least+:winner:loser`."""
    from shared.rules.game_parts import Band
    from shared.rules.shape import faults_of_shape

    if isinstance(value, str):
        rows: list[dict[str, int]] = []
        for text in value.split(","):
            found = _BAND.fullmatch(text)
            if not found:
                raise ValueError("rows like 0-59:6:5, the last like 300+:10:1, with commas between")
            least, most, winner, loser = found.groups()
            row = {"least": int(least), "winner": int(winner), "loser": int(loser)}
            rows.append(row | ({"most": int(most)} if most else {}))
        return rows
    if not isinstance(value, list) or any(faults_of_shape(row, Band) for row in value):
        raise ValueError("a list of rows with least, most (not in the last), winner and loser")
    return value


def _rounds(value: object) -> list[dict[str, int]]:
    """A rounds table: a list of rows, or the text `least-most:rounds,…,least+:rounds:cut to:after round`."""
    from shared.rules.parts import RoundsBand
    from shared.rules.shape import faults_of_shape

    if isinstance(value, str):
        rows: list[dict[str, int]] = []
        for text in value.split(","):
            found = _ROUNDS.fullmatch(text)
            if not found:
                raise ValueError("rows like 3-16:4 or, with a cut to 2 after round 3, 17-32:4:2:3, commas between")
            names = ("least", "most", "rounds", "cut_to", "cut_after")
            rows.append({name: int(said) for name, said in zip(names, found.groups(), strict=True) if said})
        return rows
    if not isinstance(value, list) or any(faults_of_shape(row, RoundsBand) for row in value):
        raise ValueError("a list of rows with least, most, rounds, and cut_to with cut_after where there is a cut")
    return value


def _points(value: object) -> dict[str, int]:
    """Points by word: an object, or the text `word:points,…`."""
    if isinstance(value, str):
        found = [_POINTS.fullmatch(text) for text in value.split(",")]
        if not all(found):
            raise ValueError("words with points like victory:3,unfinished:1, commas between")
        return {match[1]: int(match[2]) for match in found if match}
    if not isinstance(value, dict) or not all(type(points) is int for points in value.values()):
        raise ValueError("an object with a whole number for each word")
    return value


def _as_options(fault: Fault, known: Mapping[str, Option], chosen: Mapping[str, object]) -> Fault:
    """A fault somewhere in the ruleset, at the option that put it there."""
    for key in chosen:
        if key in known and any(fault.where.startswith(pointer) for pointer in known[key].sets):
            return Fault(f"/{key}", fault.said, fault.expected, known[key].clause)
    return fault
