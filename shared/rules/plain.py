"""YAML as plain values with the line of each: text, whole numbers, true and false, lists and objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml
from msgspec.structs import replace

from shared.refusals import LONGEST_SAID, NOTHING, Expected, Fault, expects

Lines = dict[str, int]
"""JSON pointer -> line of the file, from 1."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_READ: Mapping[str, Callable[[str], object]] = {"int": int, "bool": lambda word: word == "true"}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""A day, which YAML 1.1 reads as more than text; here it stays what was written."""
_PLAIN = re.compile(r"true|false|-?(0|[1-9][0-9]{0,15})")
"""YAML 1.1 knows more ways to write them (`yes`, `0x1F`, `1:30`), which readers of a pack would not agree about."""


A_PACK = expects("pack")


def read_plain(text: str, wanted: Expected = A_PACK) -> tuple[Any, Lines, list[Fault]]:
    """The plain values of a YAML text (None when there are none), the line of each, and what is not plain.

    wanted: what is expected where there is nothing.
    """
    lines: Lines = {}
    faults: list[Fault] = []
    try:
        node = yaml.compose(text, Loader=_Loader)
        data = None if node is None else _plain(node, "", lines, faults, set())
    except RecursionError:
        return None, {"": 1}, [Fault("", text[:LONGEST_SAID], expects("nested-less-deeply", right=wanted))]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        lines[""] = mark.line + 1 if mark else 1
        said = [*text.split("\n"), ""][lines[""] - 1][:LONGEST_SAID].strip()
        return None, lines, [Fault("", said or NOTHING, expects("yaml", problem=f"{getattr(error, 'problem', error)}"))]
    if node is None:
        return None, {"": 1}, [Fault("", NOTHING, wanted)]
    return data, lines, faults


def placed(faults: Iterable[Fault], name: str, lines: Lines) -> list[Fault]:
    """The faults at `file:line:pointer`; where a key is missing, at the line of what should have it.

    name: how the file is called. lines: of the file, from `read_plain`.
    """
    return [_placed(fault, name, lines) for fault in faults]


def _placed(fault: Fault, name: str, lines: Lines) -> Fault:
    pointer = fault.where
    while pointer not in lines and pointer:
        pointer = pointer.rpartition("/")[0]
    where = f"{name}:{lines.get(pointer, 1)}" + (f":{fault.where}" if fault.where else "")
    return replace(fault, where=where)


def _plain(node: yaml.Node, where: str, lines: Lines, faults: list[Fault], seen: set[int]) -> Any:
    """The plain value of a node. seen: the nodes so far; one that comes again is an alias, perhaps an endless one."""
    lines[where] = node.start_mark.line + 1
    if id(node) in seen:
        faults.append(Fault(where, "*", expects("value-not-alias")))
        return None
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Any] = {}
        for key, value in node.value:
            place = f"{where}/{key.value}"
            if key.value in found:
                faults.append(Fault(place, f"{value.value}"[:LONGEST_SAID], expects("each-key-once")))
            found[key.value] = _plain(value, place, lines, faults, seen)
            lines[place] = key.start_mark.line + 1
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, f"{where}/{index}", lines, faults, seen) for index, item in enumerate(node.value)]
    kind = node.tag.rpartition(":")[2]
    if kind == "str" or (kind == "timestamp" and _DAY.fullmatch(node.value)):
        return node.value
    if kind not in _READ or not _PLAIN.fullmatch(node.value):
        expected = expects("plain-not-fraction") if kind == "float" else expects("plain-value", kind=kind)
        faults.append(Fault(where, f"{node.value}", expected))
        return str(node.value)
    return _READ[kind](node.value)
