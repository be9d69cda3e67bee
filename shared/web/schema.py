"""marshmallow's schemas, derived from the structs of `shared/shapes.py`: nobody writes a shape twice.

`schema_of(RuleResult, without=("game",))` loads what a body says besides its address; `schema_of(GameView)` documents
an answer and hands it on as it was made. Routes take `deferred(…)` of the same: importing them derives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from marshmallow import Schema as MarshmallowSchema
from marshmallow import ValidationError, fields, validate
from msgspec import NODEFAULT, UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo

from shared import shapes
from shared.refusals import Expected
from shared.web import fields as door
from shared.web.schemas import (
    JSON_TYPES,
    ONE_AT_A_TIME,
    Answering,
    Deferred,
    Joined,
    Loading,
    NamedBeside,
    NumberOrList,
    OneOfTypes,
    Tagged,
    capitalised,
    worked_out,
)

Field = fields.Field[Any]
Opened = Mapping[str, Any]
"""Name of an open object -> the type whose shape it has at a door: a struct, several with a tag, or `NamedBeside`."""

NOTHING_OPEN: Opened = MappingProxyType({})
ANSWERED: Mapping[Any, type[Field]] = MappingProxyType(
    {int: fields.Integer, str: fields.String, bool: fields.Boolean, float: fields.Float, date: fields.Date}
)
IN_A_BODY: Mapping[Any, type[Field]] = MappingProxyType(
    {int: door.WholeNumber, str: fields.String, bool: door.Flag, date: door.Day}
)
IN_A_QUERY: Mapping[Any, type[Field]] = MappingProxyType(
    {int: door.QueryNumber, str: fields.String, bool: fields.Boolean, date: door.Day}
)


def schema_of(
    kind: type[Struct], without: Collection[str] = (), opened: Opened = NOTHING_OPEN
) -> type[MarshmallowSchema]:
    """The schema of a struct. without: members that the address gives. opened: what each `Open` object is at this door.

    Raises TypeError for a member of a type that no shape has, KeyError for an open object that is not opened.
    """
    with ONE_AT_A_TIME:  # two threads that asked at once would have two schemas of one name
        names = _open_in_struct(kind)
        return _schema(kind, frozenset(without), tuple((name, of) for name, of in opened.items() if name in names))


def deferred(kind: type[Struct], without: Collection[str] = (), opened: Opened = NOTHING_OPEN) -> Deferred:
    """The schema that `schema_of` derives, made when it is first needed."""
    return Deferred(lambda: schema_of(kind, without, opened))


@cache
def _open_in_struct(kind: type[Struct]) -> frozenset[str]:
    """The names of the open objects in a struct, at any depth: one without is of the same shape at every door."""
    return _open_in(*(info.type for info in msgspec.structs.fields(kind)))


def _open_in(*wanted: Any) -> frozenset[str]:
    names: set[str] = set()
    for kinds, notes in map(_apart, wanted):
        names.update(note.name for note in notes if isinstance(note, shapes.Open))
        for kind in kinds:
            names |= _open_in_struct(kind) if _is_struct(kind) else _open_in(*get_args(kind))
    return frozenset(names)


@cache
def _schema(
    kind: type[Struct], without: frozenset[str], opened: tuple[tuple[str, Any], ...]
) -> type[MarshmallowSchema]:
    base = Answering if issubclass(kind, shapes.View) else Loading
    members: dict[str, Any] = {"__doc__": kind.__doc__, "__module__": kind.__module__}
    if tag := kind.__struct_config__.tag_field:
        members[tag] = door.Choice(str(kind.__struct_config__.tag), required=True)
    if base is Loading and not without:
        members["makes"] = kind
    worked_out(kind)
    if (wrong := getattr(kind, "wrong", shapes.Shape.wrong)) is not shapes.Shape.wrong:
        base, members["wrong"] = Joined, staticmethod(wrong)
    derivation = _Derivation(kind, dict(opened))
    for info in msgspec.structs.fields(kind):
        if info.name not in without:
            members[info.name] = derivation.member(info)
            if isinstance(beside := derivation.opens(info), NamedBeside):
                members |= {"tag": beside.by, "variants": derivation.variants(info, beside, without)}
    return type(kind.__name__ + ("Body" if without else ""), (base,), members)


class _Derivation(Struct, frozen=True):
    """From the members of `kind` to fields."""

    kind: type[Struct]
    opened: Opened

    def member(self, info: FieldInfo) -> Field:
        options: dict[str, Any] = {"required": info.required}
        if info.encode_name != info.name:
            options |= {"data_key": info.encode_name, "attribute": info.encode_name}
        if issubclass(self.kind, shapes.View):
            options["required"] = UnsetType not in _apart(info.type)[0]
        elif info.default_factory is not NODEFAULT:
            options["load_default"] = info.default_factory
        elif info.default is not NODEFAULT and info.default is not UNSET:
            options["load_default"] = list if info.default == () else info.default
        return self.field(info.type, **options)

    def opens(self, info: FieldInfo) -> Any:
        """What the door has in the place of an open object; None for any other member."""
        names = [note.name for note in _apart(info.type)[1] if isinstance(note, shapes.Open)]
        return self.opened[names[0]] if names else None

    def variants(
        self, info: FieldInfo, beside: NamedBeside, without: Collection[str]
    ) -> Mapping[str, type[MarshmallowSchema]]:
        """A schema of the whole for each name: this one, with the open object as that name has it."""
        found: dict[str, type[MarshmallowSchema]] = {}
        for name, kind in beside.shapes.items():
            empty = all(not field.required for field in msgspec.structs.fields(kind))
            options: dict[str, Any] = {"load_default": dict} if empty else {"required": True}
            members = {one.name: self.member(one) for one in msgspec.structs.fields(self.kind)}
            members |= {beside.by: door.Choice(name, required=True), info.name: self.field(kind, **options)}
            for left_out in without:
                del members[left_out]
            title = self.kind.__name__ + name.title().replace("_", "")
            found[name] = type(title, (Loading,), {**members, "__module__": self.kind.__module__})
        return found

    def field(self, wanted: Any, said: Mapping[str, Any] = MappingProxyType({}), **options: Any) -> Field:
        kinds, notes = _apart(wanted)
        if NoneType in kinds:
            options["allow_none"] = True
        metadata = {**_metadata(notes), **said}
        if rules := [rule for note in notes if (rule := _rule(note))]:
            options["validate"] = rules
        for note in notes:
            if isinstance(note, shapes.Open) and not isinstance(self.opened[note.name], NamedBeside):
                return self.field(self.opened[note.name], **options, said=metadata)
        plain = [kind for kind in kinds if kind not in (NoneType, UnsetType)]
        if len(plain) == 1:
            return self._plain(plain[0], notes, {**options, "metadata": metadata})
        if all(_is_struct(kind) for kind in plain):
            tag = plain[0].__struct_config__.tag_field
            schemas = {str(kind.__struct_config__.tag): self._schema(kind)() for kind in plain}
            return Tagged(tag, schemas, **options, metadata=metadata)
        if len(plain) == 2 and plain[0] is int and get_origin(plain[1]) is list:
            number, several = (self.field(part) for part in get_args(wanted))
            options.pop("validate", None)  # what is asked of the one is not asked of the other
            return NumberOrList(number, several, **options, metadata=dict(said))
        if any(kind not in JSON_TYPES for kind in plain):
            raise TypeError(f"{self.kind.__name__}: {wanted} is no type of a shape")
        return OneOfTypes(plain, **options, metadata=metadata)

    def _plain(self, kind: Any, notes: Sequence[object], options: dict[str, Any]) -> Field:
        inner = get_args(kind)
        match get_origin(kind) or kind:
            case origin if origin is Literal:
                return door.Choice(*inner, **options)
            case origin if origin in (list, tuple, Sequence):
                return fields.List(self.field(inner[0]), **options)
            case origin if origin in (dict, Mapping):
                keys, values = (None if part is Any else self.field(part) for part in inner)
                return fields.Dict(keys=keys, values=values, **options)
        if kind is Any:
            return fields.Raw(**options)
        if _is_struct(kind):
            return fields.Nested(self._schema(kind), **options)
        answered, query = issubclass(self.kind, shapes.View), issubclass(self.kind, shapes.Query)
        plain = ANSWERED if answered else IN_A_QUERY if query else IN_A_BODY
        for note in () if answered else notes:
            match note:
                case shapes.Text():
                    return door.Text(note.maximum, minimum=note.minimum, **options)
                case shapes.Name():
                    return door.Name(maximum=note.maximum, **options)
                case shapes.Identifier():
                    return door.Identifier(**options)
                case shapes.Email():
                    return fields.Email(**options)
                case shapes.Whole():
                    number = door.QueryNumber if query else door.WholeNumber
                    return number(note.minimum, note.maximum, text=note.text, **options)
        if kind not in plain:
            raise TypeError(f"{self.kind.__name__}: {kind} is no type of a shape")
        return plain[kind](**options)

    def _schema(self, kind: type[Struct]) -> type[MarshmallowSchema]:
        return schema_of(kind, opened=self.opened)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _apart(wanted: Any) -> tuple[list[Any], list[Any]]:
    """The types that a member may be of, and what is said of it beside them; what is said last is said of the whole."""
    if get_origin(wanted) is Annotated:
        inner, *notes = get_args(wanted)
        kinds, more = _apart(inner)
        return kinds, [*more, *notes]
    if get_origin(wanted) in (Union, UnionType):
        parts = [_apart(part) for part in get_args(wanted)]
        return [kind for kinds, _ in parts for kind in kinds], [note for _, notes in parts for note in notes]
    return [wanted], []


def _metadata(notes: Sequence[object]) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for note in notes:
        match note:
            case str():
                metadata["description"] = note
            case shapes.Pattern():
                metadata["description"] = capitalised(str(note.expected))
                metadata["pattern"] = f"^{note.pattern}$"
            case shapes.Personal():
                metadata |= door.PERSONAL
            case shapes.Documented():
                metadata |= note.more
    return metadata


def _rule(note: object) -> Any:
    """What marshmallow asks of a value beside its type; None for what is said in another way."""
    match note:
        case shapes.Size():
            same = note.minimum == note.maximum
            return validate.Length(equal=note.maximum) if same else validate.Length(note.minimum, note.maximum)
        case shapes.OneOf():
            return validate.OneOf(note.words)
        case shapes.Pattern():
            return _checking(lambda text: None if re.fullmatch(note.pattern, text) else note.expected)
        case shapes.Check():
            return _checking(note.expected)
    return None


def _checking(expected: Callable[[Any], Expected | None]) -> Any:
    def rule(value: Any) -> None:
        if right := expected(value):
            raise ValidationError([right])

    return rule
