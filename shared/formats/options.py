"""What an organiser may set: options are small patches of the ruleset, checked like the pack itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from shared.formats import FORMATS
from shared.formats.by_format import faults_of_ruleset
from shared.formats.option_values import WrongValue, read_value
from shared.formats.swiss.rules.unused import faults_of_option_settings
from shared.refusals import Fault, as_said, expects, one_of
from shared.rules.parts import Option
from shared.rules.refusals import OptionsRefused
from shared.rules.ruleset import AnyRuleset

Rules = TypeVar("Rules", bound=AnyRuleset)


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
            faults.append(Fault(f"/{key}", as_said(value), expected))
            continue
        option = known[key]
        missing = [need for need in option.needs if need not in chosen and need not in ruleset.chosen]
        try:
            said, put = read_value(option, value)
        except WrongValue as wrong:
            faults.append(Fault(f"/{key}", as_said(value), wrong.expected, option.clause))
            continue
        if missing and put != option.default and (type(put) is not int or put > option.needs_above):
            faults.append(Fault(f"/{key}", as_said(value), expects("set-with", options=missing), option.clause))
        if option.kind == "points" and (strange := _unknown_words(patched, option, put)):
            faults.append(strange)
            continue
        for pointer in option.sets:
            put_at(patched, pointer, {**value_at(patched, pointer), **put} if option.kind == "points" else put)
        patched["chosen"][key] = said
    result = msgspec.convert(patched, type(ruleset))
    faults += [_as_options(fault, known, chosen) for fault in faults_of_ruleset(result)]
    if faults:
        raise OptionsRefused(f"these options do not fit {ruleset.id}", faults, ruleset=ruleset.id)
    legal: Rules = FORMATS[ruleset.format].legal(result)
    return legal


def faults_of_options(ruleset: AnyRuleset) -> list[Fault]:
    """Options of a pack that set what does not exist, or what holds something else than is chosen or the default."""
    tree = msgspec.to_builtins(ruleset)
    keys = [option.key for option in ruleset.options]
    faults = [
        Fault(f"/chosen/{key}", as_said(ruleset.chosen[key]), expects("option-key"))
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
            faults.append(Fault(where, as_said(said), wrong.expected, option.clause))
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
                due = as_said(put)
                right = expects("default-of-option", value=due, option=option.key)
                right = expects("chosen-for-option", value=due, option=option.key) if chosen else right
                faults.append(Fault(pointer, as_said(found), right, option.clause))
        for need in option.needs:
            if need not in keys:
                faults.append(Fault(f"/options/{index}/needs", need, expects("option-key")))
    return faults


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
