"""Checks of packs: YAML with line numbers, the shape of values, and whether the parts of a ruleset make sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Any, Protocol

import msgspec
import yaml
from msgspec import inspect, msgpack
from msgspec.structs import replace

from shared.refusals import LONGEST_SAID, NOTHING, Expected, Fault, as_said, either, expects, one_of
from shared.rules.parts import Part
from shared.rules.tiebreakers import FRACTIONS, OWN_SETTINGS, TIEBREAKERS, Criterion, Tiebreaker, total

Lines = dict[str, int]
"""JSON pointer -> line of the file, from 1."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_READ: Mapping[str, Callable[[str], object]] = {"int": int, "bool": lambda word: word == "true"}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""A day, which YAML 1.1 reads as more than text; here it stays what was written."""
_PLAIN = re.compile(r"true|false|-?(0|[1-9][0-9]{0,15})")
"""YAML 1.1 knows more ways to write them (`yes`, `0x1F`, `1:30`), which readers of a pack would not agree about."""


A_PACK = expects("pack")


def parse_yaml(text: str, wanted: Expected = A_PACK) -> tuple[Any, Lines, list[Fault]]:
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


def locate_faults(faults: Iterable[Fault], name: str, lines: Lines) -> list[Fault]:
    """The faults at `file:line:pointer`; where a key is missing, at the line of what should have it.

    name: how the file is called. lines: of the file, from `parse_yaml`.
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


_KEEP = 1024
_faultless: dict[tuple[bytes, type], None] = {}
"""Digest and type of the youngest values that had no fault. The same pack is read for each tournament and audit, and a
digest takes a hundredth of the time."""


def faults_of_shape(value: object, wanted: type) -> list[Fault]:
    """Everything in `value` that does not fit the type `wanted`, each at its JSON pointer. value: as JSON has them.

    Unknown and missing keys, wrong kinds of values, unknown choices and unknown pieces of a tagged union.
    """
    key = _key(value, wanted)
    if key in _faultless:
        return []
    faults = list(_faults(value, type_info(wanted), ""))
    if not faults and key is not None:
        if len(_faultless) >= _KEEP:
            _faultless.clear()
        _faultless[key] = None
    return faults


def _key(value: object, wanted: type) -> tuple[bytes, type] | None:
    """What no other value of JSON has; None for one that has no bytes, such as a number beyond 64 bits."""
    try:
        return sha256(msgpack.encode(value)).digest(), wanted
    except (OverflowError, UnicodeEncodeError, TypeError, ValueError, RecursionError):
        return None


@cache
def type_info(wanted: type) -> inspect.Type:
    """What msgspec knows of a type."""
    return inspect.type_info(wanted)


def _faults(value: object, wanted: inspect.Type, where: str) -> Iterator[Fault]:
    match wanted:
        case inspect.StructType():
            yield from _faults_of_struct(value, wanted, where)
        case inspect.UnionType():
            yield from _faults_of_union(value, wanted, where)
        case inspect.ListType() | inspect.VarTupleType():
            if isinstance(value, list):
                for index, item in enumerate(value):
                    yield from _faults(item, wanted.item_type, f"{where}/{index}")
            else:
                yield _wrong(value, wanted, where)
        case inspect.DictType():
            if isinstance(value, dict):
                for key, item in value.items():
                    yield from _faults(key, wanted.key_type, f"{where}/{key}")
                    yield from _faults(item, wanted.value_type, f"{where}/{key}")
            else:
                yield _wrong(value, wanted, where)
        case _:
            if not matches_type(value, wanted):
                yield _wrong(value, wanted, where)


def _faults_of_struct(value: object, wanted: inspect.StructType, where: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield _wrong(value, wanted, where)
        return
    fields = {field.encode_name: field for field in wanted.fields}
    for key in value:
        if key not in fields and key != wanted.tag_field:
            yield Fault(f"{where}/{key}", as_said(value[key]), expects("known-key", keys=sorted(fields)))
    for name, field in fields.items():
        if name in value:
            yield from _faults(value[name], field.type, f"{where}/{name}")
        elif field.required:
            yield Fault(f"{where}/{name}", NOTHING, _expected(field.type))


def _faults_of_union(value: object, wanted: inspect.UnionType, where: str) -> Iterator[Fault]:
    structs = {item.tag: item for item in wanted.types if isinstance(item, inspect.StructType)}
    tag_field = next((item.tag_field for item in structs.values() if item.tag_field), None)
    if tag_field and isinstance(value, dict):
        tag = value.get(tag_field)
        if isinstance(tag, str) and tag in structs:
            yield from _faults(value, structs[tag], where)
        else:
            found = as_said(tag) if tag_field in value else NOTHING
            yield Fault(f"{where}/{tag_field}", found, one_of(sorted(map(str, structs))))
            meant = closest_struct(value, list(structs.values()))
            fields = {field.encode_name: field.type for field in meant.fields}
            for key, item in value.items():  # of what is meant nobody can be sure, so no key is missing or unknown
                if key in fields and key != tag_field:
                    yield from _faults(item, fields[key], f"{where}/{key}")
        return
    untagged = [item for item in wanted.types if isinstance(item, inspect.StructType) and not item.tag_field]
    if isinstance(value, dict) and untagged:
        yield from _faults_of_struct(value, untagged[0], where)
        return
    lists = [item for item in wanted.types if isinstance(item, inspect.ListType)]
    objects = [item for item in wanted.types if isinstance(item, inspect.DictType)]
    if isinstance(value, list) and lists:
        yield from _faults(value, lists[0], where)
    elif isinstance(value, dict) and objects:
        yield from _faults(value, objects[0], where)
    elif not any(matches_type(value, item) for item in wanted.types):
        yield _wrong(value, wanted, where)


def matches_type(value: object, wanted: inspect.Type) -> bool:
    """Whether a plain value is of a simple type, or of one of several; never of lists and objects."""
    match wanted:
        case inspect.AnyType():
            return True
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.IntType(ge=least):
            return type(value) is int and (least is None or value >= least)
        case inspect.BoolType():
            return type(value) is bool
        case inspect.NoneType():
            return value is None
        case inspect.LiteralType(values=values):
            return any(value == choice and type(value) is type(choice) for choice in values)
        case inspect.UnionType(types=types):
            return any(matches_type(value, item) for item in types)
    return False


def closest_struct(value: Mapping[str, object], structs: Sequence[inspect.StructType]) -> inspect.StructType:
    """The one of several objects that is meant: by its tag, by a tag written nearly so, or else by its keys."""
    tag_field = structs[0].tag_field
    tagged = {str(item.tag): item for item in structs}
    said = str(value.get(tag_field, "")) if tag_field else ""
    if near := get_close_matches(said, tagged, n=1):
        return tagged[near[0]]
    return max(structs, key=lambda item: len({field.encode_name for field in item.fields} & value.keys()))


def _wrong(value: object, wanted: inspect.Type, where: str) -> Fault:
    expected = _expected(wanted)
    if isinstance(wanted, inspect.StrType) and isinstance(value, list):
        single = len(value) == 1 and isinstance(value[0], str)
        expected = expects("text-not-list-such-as", text=value[0]) if single else expects("text-not-list")
    elif isinstance(wanted, inspect.ListType) and isinstance(wanted.item_type, inspect.StrType | inspect.LiteralType):
        expected = expects("list-such-as", example=f"[{value}]") if isinstance(value, str) else expected
    return Fault(where, as_said(value), expected)


_KINDS: Mapping[type[inspect.Type], Expected] = {
    inspect.StrType: expects("text"),
    inspect.IntType: expects("whole-number"),
    inspect.BoolType: expects("true-or-false"),
    inspect.NoneType: expects("nothing"),
    inspect.ListType: expects("list"),
    inspect.DictType: expects("object"),
}


def _expected(wanted: Any) -> Expected:
    """Return the expectation of a value of a type."""
    if isinstance(wanted, inspect.LiteralType):
        return one_of(list(wanted.values))
    if isinstance(wanted, inspect.IntType) and wanted.ge is not None:
        return expects("whole-number-from", least=wanted.ge)
    if isinstance(wanted, inspect.UnionType):
        return either(list(dict.fromkeys(_expected(item) for item in wanted.types)))
    if isinstance(wanted, inspect.StructType):
        needed = _needed(wanted)
        return expects("object-with", members=needed) if needed else expects("object")
    if isinstance(wanted, inspect.ListType) and isinstance(wanted.item_type, inspect.StructType):
        needed = _needed(wanted.item_type)
        return expects("objects-with", members=needed) if needed else expects("list-of-objects")
    return _KINDS.get(type(wanted), expects("another-kind"))


def _needed(wanted: inspect.StructType) -> list[str]:
    """Return the keys that an object must have."""
    tag = [wanted.tag_field] if wanted.tag_field else []
    return [*tag, *(field.encode_name for field in wanted.fields if field.required)]


TRIALS = (0, 1)
"""What is put in differs from trial to trial: what holds in all of them does not come from it."""

_WORDS, _NUMBERS = ("(one)", "(other)"), (1, 99)


def with_placeholders(value: object, wanted: type, trial: int) -> tuple[Any, set[str]]:
    """The value with other ones where it does not fit the type, unknown keys left out; and where that was, as pointers.

    trial: one of TRIALS.
    """
    places: set[str] = set()
    return _mended(value, type_info(wanted), "", trial, places), places


def _mended(value: Any, wanted: inspect.Type, where: str, trial: int, places: set[str]) -> Any:
    match wanted:
        case inspect.StructType() if isinstance(value, dict):
            return _struct(value, wanted, where, trial, places)
        case inspect.UnionType() if isinstance(value, dict | list):
            return _union(value, wanted, where, trial, places)
        case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
            return [
                _mended(item, wanted.item_type, f"{where}/{index}", trial, places) for index, item in enumerate(value)
            ]
        case inspect.DictType() if isinstance(value, dict):
            return {
                key: _mended(item, wanted.value_type, f"{where}/{key}", trial, places)
                for key, item in value.items()
                if matches_type(key, wanted.key_type)
            }
        case _ if matches_type(value, wanted):
            return value
    places.add(where)
    return _made(wanted, trial)


def _struct(
    value: Mapping[str, Any], wanted: inspect.StructType, where: str, trial: int, places: set[str]
) -> dict[str, Any]:
    found: dict[str, Any] = {wanted.tag_field: wanted.tag} if wanted.tag_field else {}
    for field in wanted.fields:
        name = field.encode_name
        if name in value:
            found[name] = _mended(value[name], field.type, f"{where}/{name}", trial, places)
        elif field.required:
            places.add(f"{where}/{name}")
            found[name] = _made(field.type, trial)
    return found


def _union(value: Any, wanted: inspect.UnionType, where: str, trial: int, places: set[str]) -> Any:
    structs = [item for item in wanted.types if isinstance(item, inspect.StructType)]
    if isinstance(value, dict) and structs:
        one = closest_struct(value, structs)
        if one.tag_field and value.get(one.tag_field) != one.tag:
            places.add(f"{where}/{one.tag_field}")
        return _struct(value, one, where, trial, places)
    kinds = (inspect.ListType, inspect.VarTupleType) if isinstance(value, list) else (inspect.DictType,)
    for item in wanted.types:
        if isinstance(item, kinds):
            return _mended(value, item, where, trial, places)
    places.add(where)
    return _made(wanted, trial)


def _made(wanted: inspect.Type, trial: int) -> Any:
    """A value of the type: lists and objects are empty in one trial, and hold something in the other."""
    match wanted:
        case inspect.StrType():
            return _WORDS[trial]
        case inspect.IntType():
            return _NUMBERS[trial]
        case inspect.BoolType():
            return bool(trial)
        case inspect.LiteralType(values=values):
            return values[-trial]
        case inspect.ListType() | inspect.VarTupleType():
            return [_made(wanted.item_type, trial)] if trial else []
        case inspect.DictType():
            return _filled(wanted) if trial else {}
        case inspect.StructType():
            return _struct({}, wanted, "", trial, set())
        case inspect.UnionType():
            return _made(wanted.types[-trial], trial)
    return None


def _filled(wanted: inspect.DictType) -> dict[Any, Any]:
    """An object with every key and every value of which there are only some, so that none is missed for want of it."""
    value = wanted.value_type
    values = value.values if isinstance(value, inspect.LiteralType) else (_made(value, TRIALS[1]),)
    if isinstance(wanted.key_type, inspect.LiteralType):
        return dict.fromkeys(wanted.key_type.values, values[0])
    return {f"{_WORDS[1]} {index}": one for index, one in enumerate(values)}


_OTHER = Tiebreaker(total)


class Row(Protocol):
    """A row of a table by whole numbers: inclusive bounds, open above where there is no `most`."""

    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int | None: ...


def faults_of_bands(where: str, bands: Sequence[Row], *, first: int, stops: bool = False) -> Iterator[Fault]:
    """Gaps, overlaps, empty rows and a missing or superfluous end in a table of inclusive bounds.

    first: what the first row must begin with. stops: the table may end; otherwise its last row is open.
    """
    if not bands:
        yield Fault(where, NOTHING, expects("rows-from", first=first))
    expected: int | None = first
    for index, band in enumerate(bands):
        place = f"{where}/{index}"
        if expected is None:
            yield Fault(place, as_said(msgspec.to_builtins(band)), expects("nothing-after-open-row"))
            return
        if band.least != expected:
            gap = band.least > expected
            right = (
                expects("row-without-gap", least=expected) if gap else expects("row-without-overlap", least=expected)
            )
            yield Fault(f"{place}/least", f"{band.least}", right)
        if band.most is not None and band.most < band.least:
            yield Fault(f"{place}/most", f"{band.most}", expects("row-end-from", least=band.least))
        expected = None if band.most is None else band.most + 1
    if bands and expected is not None and not stops:
        yield Fault(f"{where}/{len(bands) - 1}/most", f"{expected - 1}", expects("last-row-open"))


def faults_of_clauses(part: object, where: str) -> Iterator[Fault]:
    """Clauses given to fields that do not exist, and parts with an empty clause."""
    if isinstance(part, list):
        for index, item in enumerate(part):
            yield from faults_of_clauses(item, f"{where}/{index}")
    elif isinstance(part, msgspec.Struct):
        if isinstance(part, Part):
            if not part.clause:
                yield Fault(f"{where}/clause", NOTHING, expects("clause-of-part"))
            for name in part.clauses:
                if name not in part.citable():
                    expected = expects("field-of-part", field=name)
                    yield Fault(f"{where}/clauses/{name}", as_said(part.clauses[name]), expected)
        for name in part.__struct_fields__:
            yield from faults_of_clauses(getattr(part, name), f"{where}/{name}")


def faults_of_piece(where: str, name: str, registry: Mapping[str, object]) -> Iterator[Fault]:
    """A piece that a registry does not have."""
    if name not in registry:
        yield Fault(where, as_said(name), one_of(sorted(registry)))


def unused_setting(where: str, value: object, piece: str, users: Sequence[str]) -> Fault:
    """A setting that a piece does not use. users: the pieces that do."""
    return Fault(where, as_said(value), expected_unused(piece, users))


def expected_unused(piece: str, users: Sequence[str]) -> Expected:
    """Return the expectation of nothing where a piece does not use a setting. users: the pieces that do."""
    return expects("unused-by-piece", piece=piece, users=list(users))


def faults_of_criteria(criteria: Sequence[Criterion], place: str, pieces: Collection[str]) -> Iterator[Fault]:
    """Settings of the steps of a ranking that cannot be, columns that stand there twice, and no step at all.

    pieces: those that there are; what an unknown one uses nobody knows.
    """
    for index, criterion in enumerate(criteria):
        where = f"{place}/{index}"
        counts = {name: 0 for name, unset in OWN_SETTINGS.items() if type(unset) is int}
        least = {"divisor": 1, **counts, "full": int(_row(criterion).of_possible)}
        for field, bound in least.items():
            if (value := getattr(criterion, field)) < bound:
                yield Fault(f"{where}/{field}", f"{value}", expects("whole-number-from", least=bound))
        wrong = list(_unused(criterion, where)) if criterion.piece in pieces else []
        yield from wrong
        for field in sorted(FRACTIONS):
            said = getattr(criterion, field)
            if f"{where}/{field}" in (fault.where for fault in wrong):
                continue
            if not re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?", said) or Fraction(said) > 1:
                yield Fault(f"{where}/{field}", as_said(said), expects("fraction"))
    columns = [criterion.column for criterion in criteria if criterion.active]
    for column in sorted({column for column in columns if columns.count(column) > 1}):
        yield Fault(place, as_said(column), expects("each-column-once"))
    if not columns:
        yield Fault(place, NOTHING, expects("some-criterion"))


def _unused(criterion: Criterion, where: str) -> Iterator[Fault]:
    """Settings that the piece does not look at: whoever wrote them expects something of them."""
    for field, unset in OWN_SETTINGS.items():
        if getattr(criterion, field) == unset or field in _row(criterion).settings:
            continue
        users = sorted(piece for piece, row in TIEBREAKERS.items() if field in row.settings)
        yield unused_setting(f"{where}/{field}", getattr(criterion, field), criterion.piece, users)
    if criterion.of and _row(criterion).of_nothing:
        yield Fault(f"{where}/of", as_said(criterion.of), expects("made-of-outcomes", piece=criterion.piece))


def _row(criterion: Criterion) -> Tiebreaker:
    """The tiebreaker of a criterion; one without settings where it is none that every format knows."""
    return TIEBREAKERS.get(criterion.piece, _OTHER)
