"""Validation of packs: YAML with line numbers, the shape of values, and common semantic checks of rulesets."""

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

from shared.refusals import MAX_SHOWN_LENGTH, NOTHING, Expected, Fault, display_text, either, expects, one_of
from shared.rules.parts import Part
from shared.rules.tiebreakers import FRACTIONS, OWN_SETTINGS, TIEBREAKERS, Criterion, Tiebreaker, total

Lines = dict[str, int]
"""JSON pointer -> line in the file, from 1."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_READ: Mapping[str, Callable[[str], object]] = {"int": int, "bool": lambda word: word == "true"}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""Days stay text, although YAML 1.1 reads them as dates."""
_PLAIN = re.compile(r"true|false|-?(0|[1-9][0-9]{0,15})")
"""Plain scalars. Other forms of YAML 1.1 (`yes`, `0x1F`, `1:30`) are refused: readers disagree about them."""


DEEPEST = 100
"""Levels of nesting that are read. No pack needs ten."""
A_PACK = expects("pack")


def parse_yaml(text: str, expected: Expected = A_PACK) -> tuple[Any, Lines, list[Fault]]:
    """Return the plain values of a YAML text (None if there are none), the line of each, and the faults.

    `expected`: the expectation reported for an empty text.
    """
    lines: Lines = {}
    faults: list[Fault] = []
    try:
        if (deep := _line_too_deep(text)) is not None:
            return None, {"": deep}, [Fault("", text[:MAX_SHOWN_LENGTH], expects("nested-less-deeply", right=expected))]
        node = yaml.compose(text, Loader=_Loader)
        data = None if node is None else _plain(node, "", lines, faults, set())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        lines[""] = mark.line + 1 if mark else 1
        line = [*text.split("\n"), ""][lines[""] - 1][:MAX_SHOWN_LENGTH].strip()
        return None, lines, [Fault("", line or NOTHING, expects("yaml", problem=f"{getattr(error, 'problem', error)}"))]
    if node is None:
        return None, {"": 1}, [Fault("", NOTHING, expected)]
    return data, lines, faults


def _line_too_deep(text: str) -> int | None:
    """Return the first line nested more than `DEEPEST` levels deep; None if there is none.

    The composer of libyaml recurses in C for each level: it would overflow the stack of the process.
    """
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
            if depth > DEEPEST:
                return event.start_mark.line + 1 if event.start_mark else 1
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1
    return None


def locate_faults(faults: Iterable[Fault], name: str, lines: Lines) -> list[Fault]:
    """Return faults with their place as `file:line:pointer`. A missing key has the line of its parent.

    - `name`: the file's name in faults.
    - `lines`: from `parse_yaml`.
    """
    return [_locate(fault, name, lines) for fault in faults]


def _locate(fault: Fault, name: str, lines: Lines) -> Fault:
    pointer = fault.where
    while pointer not in lines and pointer:
        pointer = pointer.rpartition("/")[0]
    where = f"{name}:{lines.get(pointer, 1)}" + (f":{fault.where}" if fault.where else "")
    return replace(fault, where=where)


def _plain(node: yaml.Node, where: str, lines: Lines, faults: list[Fault], seen: set[int]) -> Any:
    """Return the plain value of a node. A node in `seen` is an alias, possibly an endless one."""
    lines[where] = node.start_mark.line + 1
    if id(node) in seen:
        faults.append(Fault(where, "*", expects("value-not-alias")))
        return None
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                place = f"{where}/?"  # as YAML marks such a key
                faults.append(Fault(place, NOTHING, expects("plain-value", kind=key.tag.rpartition(":")[2])))
                lines[place] = key.start_mark.line + 1
                continue
            place = f"{where}/{key.value}"
            if key.value in mapping:
                faults.append(Fault(place, f"{value.value}"[:MAX_SHOWN_LENGTH], expects("each-key-once")))
            mapping[key.value] = _plain(value, place, lines, faults, seen)
            lines[place] = key.start_mark.line + 1
        return mapping
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


_CACHE_SIZE = 1024
_valid: dict[tuple[bytes, type], None] = {}
"""Digest and type of recent values without faults.

Each tournament and audit reads the same packs, and a digest takes a hundredth of the time of a validation.
"""


def faults_of_shape(value: object, schema: type) -> list[Fault]:
    """Return every fault of plain JSON values against a type, each at its JSON pointer.

    Faults are unknown and missing keys, wrong kinds of values, unknown choices, and unknown tags of a union.
    """
    key = _key(value, schema)
    if key in _valid:
        return []
    faults = list(_faults(value, type_info(schema), ""))
    if not faults and key is not None:
        if len(_valid) >= _CACHE_SIZE:
            _valid.clear()
        _valid[key] = None
    return faults


def _key(value: object, schema: type) -> tuple[bytes, type] | None:
    """Return the digest of a value; None if it cannot be encoded, such as an integer beyond 64 bits."""
    try:
        return sha256(msgpack.encode(value)).digest(), schema
    except (OverflowError, UnicodeEncodeError, TypeError, ValueError, RecursionError):
        return None


@cache
def type_info(schema: type) -> inspect.Type:
    """Return msgspec's description of a type; cached."""
    return inspect.type_info(schema)


def _faults(value: object, schema: inspect.Type, where: str) -> Iterator[Fault]:
    match schema:
        case inspect.StructType():
            yield from _faults_of_struct(value, schema, where)
        case inspect.UnionType():
            yield from _faults_of_union(value, schema, where)
        case inspect.ListType() | inspect.VarTupleType():
            if isinstance(value, list):
                for index, item in enumerate(value):
                    yield from _faults(item, schema.item_type, f"{where}/{index}")
            else:
                yield _wrong(value, schema, where)
        case inspect.DictType():
            if isinstance(value, dict):
                for key, item in value.items():
                    yield from _faults(key, schema.key_type, f"{where}/{key}")
                    yield from _faults(item, schema.value_type, f"{where}/{key}")
            else:
                yield _wrong(value, schema, where)
        case _:
            if not matches_type(value, schema):
                yield _wrong(value, schema, where)


def _faults_of_struct(value: object, schema: inspect.StructType, where: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield _wrong(value, schema, where)
        return
    fields = {field.encode_name: field for field in schema.fields}
    for key in value:
        if key not in fields and key != schema.tag_field:
            yield Fault(f"{where}/{key}", display_text(value[key]), expects("known-key", keys=sorted(fields)))
    for name, field in fields.items():
        if name in value:
            yield from _faults(value[name], field.type, f"{where}/{name}")
        elif field.required:
            yield Fault(f"{where}/{name}", NOTHING, _expected(field.type))


def _faults_of_union(value: object, schema: inspect.UnionType, where: str) -> Iterator[Fault]:
    structs = {item.tag: item for item in schema.types if isinstance(item, inspect.StructType)}
    tag_field = next((item.tag_field for item in structs.values() if item.tag_field), None)
    if tag_field and isinstance(value, dict):
        tag = value.get(tag_field)
        if isinstance(tag, str) and tag in structs:
            yield from _faults(value, structs[tag], where)
        else:
            text = display_text(tag) if tag_field in value else NOTHING
            yield Fault(f"{where}/{tag_field}", text, one_of(sorted(map(str, structs))))
            meant = closest_struct(value, list(structs.values()))
            fields = {field.encode_name: field.type for field in meant.fields}
            for key, item in value.items():  # the tag is a guess, so missing and unknown keys are not reported
                if key in fields and key != tag_field:
                    yield from _faults(item, fields[key], f"{where}/{key}")
        return
    untagged = [item for item in schema.types if isinstance(item, inspect.StructType) and not item.tag_field]
    if isinstance(value, dict) and untagged:
        yield from _faults_of_struct(value, untagged[0], where)
        return
    lists = [item for item in schema.types if isinstance(item, inspect.ListType)]
    objects = [item for item in schema.types if isinstance(item, inspect.DictType)]
    if isinstance(value, list) and lists:
        yield from _faults(value, lists[0], where)
    elif isinstance(value, dict) and objects:
        yield from _faults(value, objects[0], where)
    elif not any(matches_type(value, item) for item in schema.types):
        yield _wrong(value, schema, where)


def matches_type(value: object, schema: inspect.Type) -> bool:
    """Return True if a plain value has a simple type or one of several; always False for lists and objects."""
    match schema:
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
    """Return the most likely struct for an object: by its tag, by a similar tag, or else by its keys."""
    tag_field = structs[0].tag_field
    tagged = {str(item.tag): item for item in structs}
    tag = str(value.get(tag_field, "")) if tag_field else ""
    if similar := get_close_matches(tag, tagged, n=1):
        return tagged[similar[0]]
    return max(structs, key=lambda item: len({field.encode_name for field in item.fields} & value.keys()))


def _wrong(value: object, schema: inspect.Type, where: str) -> Fault:
    expected = _expected(schema)
    if isinstance(schema, inspect.StrType) and isinstance(value, list):
        single = len(value) == 1 and isinstance(value[0], str)
        expected = expects("text-not-list-such-as", text=value[0]) if single else expects("text-not-list")
    elif isinstance(schema, inspect.ListType) and isinstance(schema.item_type, inspect.StrType | inspect.LiteralType):
        expected = expects("list-such-as", example=f"[{value}]") if isinstance(value, str) else expected
    return Fault(where, display_text(value), expected)


_KINDS: Mapping[type[inspect.Type], Expected] = {
    inspect.StrType: expects("text"),
    inspect.IntType: expects("whole-number"),
    inspect.BoolType: expects("true-or-false"),
    inspect.NoneType: expects("nothing"),
    inspect.ListType: expects("list"),
    inspect.DictType: expects("object"),
}


def _expected(schema: Any) -> Expected:
    if isinstance(schema, inspect.LiteralType):
        return one_of(list(schema.values))
    if isinstance(schema, inspect.IntType) and schema.ge is not None:
        return expects("whole-number-from", least=schema.ge)
    if isinstance(schema, inspect.UnionType):
        return either(list(dict.fromkeys(_expected(item) for item in schema.types)))
    if isinstance(schema, inspect.StructType):
        needed = _needed(schema)
        return expects("object-with", members=needed) if needed else expects("object")
    if isinstance(schema, inspect.ListType) and isinstance(schema.item_type, inspect.StructType):
        needed = _needed(schema.item_type)
        return expects("objects-with", members=needed) if needed else expects("list-of-objects")
    return _KINDS.get(type(schema), expects("another-kind"))


def _needed(schema: inspect.StructType) -> list[str]:
    tag = [schema.tag_field] if schema.tag_field else []
    return [*tag, *(field.encode_name for field in schema.fields if field.required)]


TRIALS = (0, 1)
"""Two sets of placeholders. A fault found with both does not come from a placeholder."""

_WORDS, _NUMBERS = ("(one)", "(other)"), (1, 99)


def with_placeholders(value: object, schema: type, trial: int) -> tuple[Any, set[str]]:
    """Return a value with placeholders for what does not fit the type, and the replaced places as JSON pointers.

    Unknown keys are removed. `trial`: one of TRIALS.
    """
    places: set[str] = set()
    return _replace_faulty(value, type_info(schema), "", trial, places), places


def _replace_faulty(value: Any, schema: inspect.Type, where: str, trial: int, places: set[str]) -> Any:
    match schema:
        case inspect.StructType() if isinstance(value, dict):
            return _placeholder_struct(value, schema, where, trial, places)
        case inspect.UnionType() if isinstance(value, dict | list):
            return _placeholder_union(value, schema, where, trial, places)
        case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
            return [
                _replace_faulty(item, schema.item_type, f"{where}/{index}", trial, places)
                for index, item in enumerate(value)
            ]
        case inspect.DictType() if isinstance(value, dict):
            return {
                key: _replace_faulty(item, schema.value_type, f"{where}/{key}", trial, places)
                for key, item in value.items()
                if matches_type(key, schema.key_type)
            }
        case _ if matches_type(value, schema):
            return value
    places.add(where)
    return _placeholder(schema, trial)


def _placeholder_struct(
    value: Mapping[str, Any], schema: inspect.StructType, where: str, trial: int, places: set[str]
) -> dict[str, Any]:
    result: dict[str, Any] = {schema.tag_field: schema.tag} if schema.tag_field else {}
    for field in schema.fields:
        name = field.encode_name
        if name in value:
            result[name] = _replace_faulty(value[name], field.type, f"{where}/{name}", trial, places)
        elif field.required:
            places.add(f"{where}/{name}")
            result[name] = _placeholder(field.type, trial)
    return result


def _placeholder_union(value: Any, schema: inspect.UnionType, where: str, trial: int, places: set[str]) -> Any:
    structs = [item for item in schema.types if isinstance(item, inspect.StructType)]
    if isinstance(value, dict) and structs:
        struct = closest_struct(value, structs)
        if struct.tag_field and value.get(struct.tag_field) != struct.tag:
            places.add(f"{where}/{struct.tag_field}")
        return _placeholder_struct(value, struct, where, trial, places)
    kinds = (inspect.ListType, inspect.VarTupleType) if isinstance(value, list) else (inspect.DictType,)
    for item in schema.types:
        if isinstance(item, kinds):
            return _replace_faulty(value, item, where, trial, places)
    places.add(where)
    return _placeholder(schema, trial)


def _placeholder(schema: inspect.Type, trial: int) -> Any:
    """Return a placeholder. Lists and objects are empty in one trial and filled in the other."""
    match schema:
        case inspect.StrType():
            return _WORDS[trial]
        case inspect.IntType():
            return _NUMBERS[trial]
        case inspect.BoolType():
            return bool(trial)
        case inspect.LiteralType(values=values):
            return values[-trial]
        case inspect.ListType() | inspect.VarTupleType():
            return [_placeholder(schema.item_type, trial)] if trial else []
        case inspect.DictType():
            return _placeholder_dict(schema) if trial else {}
        case inspect.StructType():
            return _placeholder_struct({}, schema, "", trial, set())
        case inspect.UnionType():
            return _placeholder(schema.types[-trial], trial)
    return None


def _placeholder_dict(schema: inspect.DictType) -> dict[Any, Any]:
    """Return an object with all keys and values of a closed set, so that none counts as missing."""
    value = schema.value_type
    values = value.values if isinstance(value, inspect.LiteralType) else (_placeholder(value, TRIALS[1]),)
    if isinstance(schema.key_type, inspect.LiteralType):
        return dict.fromkeys(schema.key_type.values, values[0])
    return {f"{_WORDS[1]} {index}": value for index, value in enumerate(values)}


_UNKNOWN = Tiebreaker(total)


class Row(Protocol):
    """A row of a table over integers. Bounds are inclusive; the last row is open if it has no `most`."""

    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int | None: ...


def faults_of_bands(where: str, bands: Sequence[Row], *, first: int, stops: bool = False) -> Iterator[Fault]:
    """Yield gaps, overlaps, empty rows, and a missing or superfluous end in a table.

    - `first`: required start of the first row.
    - `stops`: True if the table may end; otherwise its last row must be open.
    """
    if not bands:
        yield Fault(where, NOTHING, expects("rows-from", first=first))
    expected: int | None = first
    for index, band in enumerate(bands):
        place = f"{where}/{index}"
        if expected is None:
            yield Fault(place, display_text(msgspec.to_builtins(band)), expects("nothing-after-open-row"))
            return
        if band.least != expected:
            gap = band.least > expected
            expectation = (
                expects("row-without-gap", least=expected) if gap else expects("row-without-overlap", least=expected)
            )
            yield Fault(f"{place}/least", f"{band.least}", expectation)
        if band.most is not None and band.most < band.least:
            yield Fault(f"{place}/most", f"{band.most}", expects("row-end-from", least=band.least))
        expected = None if band.most is None else band.most + 1
    if bands and expected is not None and not stops:
        yield Fault(f"{where}/{len(bands) - 1}/most", f"{expected - 1}", expects("last-row-open"))


def faults_of_clauses(part: object, where: str) -> Iterator[Fault]:
    """Yield clauses given to fields that do not exist, and parts with an empty clause."""
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
                    yield Fault(f"{where}/clauses/{name}", display_text(part.clauses[name]), expected)
        for name in part.__struct_fields__:
            yield from faults_of_clauses(getattr(part, name), f"{where}/{name}")


def faults_of_piece(where: str, name: str, registry: Mapping[str, object]) -> Iterator[Fault]:
    """Yield a fault if a registry does not have a piece."""
    if name not in registry:
        yield Fault(where, display_text(name), one_of(sorted(registry)))


def unused_setting(where: str, value: object, piece: str, users: Sequence[str]) -> Fault:
    """Return the fault of a setting that a piece does not use. `users`: the pieces that do."""
    return Fault(where, display_text(value), expected_unused(piece, users))


def expected_unused(piece: str, users: Sequence[str]) -> Expected:
    """Return the expectation that a setting is absent because a piece does not use it."""
    return expects("unused-by-piece", piece=piece, users=list(users))


def faults_of_criteria(criteria: Sequence[Criterion], place: str, pieces: Collection[str]) -> Iterator[Fault]:
    """Yield invalid or unused settings of ranking criteria, repeated columns, and an empty ranking.

    `pieces`: the known pieces. Settings of unknown pieces cannot be checked.
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
            text = getattr(criterion, field)
            if f"{where}/{field}" in (fault.where for fault in wrong):
                continue
            if not re.fullmatch(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?", text) or Fraction(text) > 1:
                yield Fault(f"{where}/{field}", display_text(text), expects("fraction"))
    columns = [criterion.column for criterion in criteria if criterion.active]
    for column in sorted({column for column in columns if columns.count(column) > 1}):
        yield Fault(place, display_text(column), expects("each-column-once"))
    if not columns:
        yield Fault(place, NOTHING, expects("some-criterion"))


def _unused(criterion: Criterion, where: str) -> Iterator[Fault]:
    """Yield settings that the piece does not read. Their author expects an effect."""
    for field, unset in OWN_SETTINGS.items():
        if getattr(criterion, field) == unset or field in _row(criterion).settings:
            continue
        users = sorted(piece for piece, row in TIEBREAKERS.items() if field in row.settings)
        yield unused_setting(f"{where}/{field}", getattr(criterion, field), criterion.piece, users)
    if criterion.of and _row(criterion).of_nothing:
        yield Fault(f"{where}/of", display_text(criterion.of), expects("made-of-outcomes", piece=criterion.piece))


def _row(criterion: Criterion) -> Tiebreaker:
    """Return the tiebreaker of a criterion; one without settings for a piece that only one format knows."""
    return TIEBREAKERS.get(criterion.piece, _UNKNOWN)
