"""Reading packs: YAML into a ruleset, or every reason why not, each with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from importlib import resources
from typing import Any

import msgspec
import yaml

from shared.refusals import Fault
from shared.rules.options import faults_of_options
from shared.rules.refusals import PackRefused, UnknownRuleset
from shared.rules.ruleset import Ruleset
from shared.rules.shape import faults_of_shape
from shared.rules.sound import faults_of_sense

Lines = dict[str, int]
"""JSON pointer -> line of the file, from 1."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_READ: Mapping[str, Callable[[str], object]] = {"int": int, "bool": lambda word: word == "true"}
_PLAIN = re.compile(r"true|false|-?(0|[1-9][0-9]{0,15})")
"""YAML 1.1 knows more ways to write them (`yes`, `0x1F`, `1:30`), which readers of a pack would not agree about."""


def load(text: str, name: str) -> Ruleset:
    """The ruleset of a pack. name: how the file is called in faults.

    Raises PackRefused with every fault found: YAML that cannot be read, keys and pieces that do not exist, values
    that are missing or of the wrong kind, tables with gaps, overlaps or an end, options that point nowhere. Each
    stands at `file:line:pointer`.
    """
    data, lines, faults = _read(text)
    ruleset = None if data is None else _ruleset(data, faults)
    if faults or ruleset is None:
        placed = [_placed(fault, name, lines) for fault in faults]
        raise PackRefused(f"{name} is not a ruleset that can be played by", placed)
    return ruleset


def from_values(data: Mapping[str, Any], where: str) -> Ruleset:
    """The ruleset of a pack that came as plain values, as JSON has them. where: what its JSON pointers begin with.

    Raises PackRefused as `load` does, each fault at its JSON pointer.
    """
    faults: list[Fault] = []
    ruleset = _ruleset(deepcopy(data), faults)
    if faults or ruleset is None:
        placed = [msgspec.structs.replace(fault, where=where + fault.where) for fault in faults]
        raise PackRefused(f"{where} is not a ruleset that can be played by", placed)
    return ruleset


def _ruleset(data: Any, faults: list[Fault]) -> Ruleset | None:
    """The ruleset that plain values make, unless their shape is too wrong; what is wrong is added to `faults`."""
    faults += faults_of_shape(_expanded(data), Ruleset)
    ruleset = _convert(data, faults)
    if ruleset is not None:
        faults += faults_of_sense(ruleset) + faults_of_options(ruleset)
    return ruleset


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of the packs that come with Muster."""
    names = [entry.name for entry in _packs().iterdir()]
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


@cache
def shipped_ruleset(id: str) -> Ruleset:
    """One shipped ruleset. Raises UnknownRuleset."""
    return load(shipped_text(id), f"{id}.yaml")


def shipped_text(id: str) -> str:
    """The YAML of a shipped pack, with its comments. Raises UnknownRuleset."""
    if id not in shipped_ids():
        known = ", ".join(shipped_ids())
        fault = Fault("/ruleset", f"unknown ruleset {id!r}", f"one of {known}")
        raise UnknownRuleset(f"no ruleset is called {id!r}; there are {known}", [fault], known=list(shipped_ids()))
    text: str = (_packs() / f"{id}.yaml").read_text("utf-8")
    return text


def shipped() -> Mapping[str, Ruleset]:
    """Every shipped ruleset by id."""
    return {id: shipped_ruleset(id) for id in shipped_ids()}


def _packs() -> Any:
    return resources.files("shared.rules") / "packs"


def _read(text: str) -> tuple[Any, Lines, list[Fault]]:
    """The plain values of a YAML text, the line of each, and what is not plain."""
    lines: Lines = {}
    faults: list[Fault] = []
    try:
        node = yaml.compose(text, Loader=_Loader)
        data = None if node is None else _plain(node, "", lines, faults, set())
    except RecursionError:
        return None, {"": 1}, [Fault("", "nested too deeply", "a pack")]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        lines[""] = mark.line + 1 if mark else 1
        return None, lines, [Fault("", str(getattr(error, "problem", error)), "YAML")]
    if node is None:
        return None, {"": 1}, [Fault("", "the file is empty", "a pack")]
    return data, lines, faults


def _plain(node: yaml.Node, where: str, lines: Lines, faults: list[Fault], seen: set[int]) -> Any:
    """The plain value of a node. seen: the nodes so far; one that comes again is an alias, perhaps an endless one."""
    lines[where] = node.start_mark.line + 1
    if id(node) in seen:
        faults.append(Fault(where, "an alias", "the value itself"))
        return None
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key, value in node.value:
            place = f"{where}/{key.value}"
            if key.value in found:
                faults.append(Fault(place, f"key {key.value!r} for the second time", "each key once"))
            found[key.value] = _plain(value, place, lines, faults, seen)
            lines[place] = key.start_mark.line + 1
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, f"{where}/{index}", lines, faults, seen) for index, item in enumerate(node.value)]
    kind = node.tag.rpartition(":")[2]
    if kind == "str":
        return node.value
    if kind not in _READ or not _PLAIN.fullmatch(node.value):
        faults.append(Fault(where, f"{node.value!r} is read as {kind}", "quoted text, a whole number, true or false"))
        return str(node.value)
    return _READ[kind](node.value)


def _expanded(data: Any) -> Any:
    """Shorthand written out: choices given as a list of words are put as they are."""
    options = data.get("options") if isinstance(data, dict) else None
    for option in options if isinstance(options, list) else []:
        if isinstance(option, dict) and isinstance(option.get("choices"), list):
            option["choices"] = {str(word): word for word in option["choices"]}
    return data


def _convert(data: Any, faults: list[Fault]) -> Ruleset | None:
    """The ruleset, unless its shape is too wrong to look further; unknown keys alone are not."""
    for fault in faults:
        if not fault.said.startswith("unknown key"):
            return None
        *path, last = fault.where.split("/")[1:]
        holder = data
        try:
            for step in path:
                holder = holder[int(step)] if isinstance(holder, list) else holder[step]
            del holder[last]
        except (LookupError, TypeError, ValueError):  # a key with a slash in it
            return None
    return msgspec.convert(data, Ruleset)


def _placed(fault: Fault, name: str, lines: Lines) -> Fault:
    """The fault with its file and line; where a key is missing, the line of what should have it."""
    pointer = fault.where
    while pointer not in lines and pointer:
        pointer = pointer.rpartition("/")[0]
    where = f"{name}:{lines.get(pointer, 1)}" + (f":{fault.where}" if fault.where else "")
    return Fault(where, fault.said, fault.expected, fault.clause)
