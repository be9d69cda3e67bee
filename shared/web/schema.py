"""marshmallow schemas, derived from the structs of `shared/shapes.py`, so that each shape is written once.

`schema_of(RuleResult, without=("game",))` validates a body without the members that the address names.
`schema_of(GameView)` documents an answer. Routes take `deferred(…)` with the same arguments, which creates the schema
at its first use, so that startup does not wait for it.

msgspec also analyses a type at its first use, and version 0.22 crashes if a second thread does so at the same time. So
requests convert with `convert`, and schemas are created under the same lock.

Each field has an `expected` value, used in faults and in OpenAPI. Fields are stricter than marshmallow's: `1.0`, `"1"`
and `true` are not integers, and `"yes"` is not a boolean.

Names of every script, including right-to-left scripts and emoji, are kept (in NFC). Refused are characters that cannot
be displayed or that change how the surrounding text is displayed: control characters, line breaks in a name, direction
overrides and isolates, lone surrogates, and text without any visible character. Names are also checked by
`shared.names.name_fault`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import cache
from threading import RLock
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from marshmallow import EXCLUDE, RAISE, ValidationError, fields, validate, validates_schema
from marshmallow import Schema as MarshmallowSchema
from msgspec import NODEFAULT, UNSET, Struct, UnsetType
from msgspec.structs import FieldInfo

from shared import shapes
from shared.names import code_point, name_fault
from shared.refusals import Expected, either, expects, one_of
from shared.shapes import IDENTIFIER, YEARS

DIRECTION_CONTROLS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
BLANK_LETTERS = frozenset(map(chr, (0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)))
"""Letters and symbols that are invisible."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp"})
_BROKEN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_LONGEST_RAW = 20
"""A text longer than this multiple of the limit is refused before normalisation."""


class TextFault(ValueError):
    """An invalid text. fault: describes the fault."""

    def __init__(self, fault: Expected) -> None:
        super().__init__(str(fault))
        self.fault = fault


def clean_line(text: str, maximum: int, minimum: int = 1) -> str:
    """Return a text of one line in NFC, without surrounding white space.

    minimum, maximum: length of the result in code points. Raises TextFault.
    """
    if text.isascii() and text.isprintable():
        kept = text.strip()
        return _check_length(kept, maximum, minimum)
    kept = _check_length(_normalise(text, maximum, ""), maximum, minimum)
    if fault := name_fault(kept):
        raise TextFault(fault)
    return kept


def clean_text(text: str, maximum: int, minimum: int = 0) -> str:
    """Return a text of several lines, with `\\n` as line end and with tabs, otherwise as `clean_line`."""
    return _check_length(_normalise(text.replace("\r\n", "\n").replace("\r", "\n"), maximum, "\n\t"), maximum, minimum)


def _normalise(text: str, maximum: int, allowed: str) -> str:
    if len(text) > maximum * _LONGEST_RAW:
        raise TextFault(expects("characters-found", count=len(text)))
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise TextFault(expects("half-character"))
    kept = unicodedata.normalize("NFC", text).strip()
    seen = False
    for character in kept:
        if character in DIRECTION_CONTROLS:
            raise TextFault(expects("direction-character", character=code_point(character)))
        category = unicodedata.category(character)
        if character in "\r\n" and character not in allowed:
            raise TextFault(expects("line-break"))
        if category in _BROKEN and character not in allowed:
            raise TextFault(expects("control-character", character=code_point(character)))
        seen = seen or (category not in _UNSEEN and character not in BLANK_LETTERS)
    if kept and not seen:
        raise TextFault(expects("nothing-visible"))
    return kept


def _check_length(kept: str, maximum: int, minimum: int) -> str:
    if not minimum <= len(kept) <= maximum:
        raise TextFault(expects("characters-found", count=len(kept)) if kept else expects("empty-text"))
    return kept


LARGEST = 2**53 - 1
"""Largest integer that every JSON parser represents exactly."""

PERSONAL = MappingProxyType({"x-personal": True})
"""Metadata of a field whose value is never stored in an event, a command id or a log line; shown in OpenAPI."""

_IDENTIFIER = re.compile(IDENTIFIER)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
DIGITS = r"[1-9][0-9]{0,15}"
_DIGITS = re.compile(DIGITS)
_QUERY_NUMBER = re.compile(r"-?\d{1,16}", re.ASCII)


class Schema(MarshmallowSchema):
    """A schema of a request: unknown members are refused, and all faults are reported together.

    The docstring of a schema is its description in OpenAPI.
    """

    class Meta:
        unknown = RAISE


class Answer(Schema):
    """A schema of an answer. It may gain members later; clients ignore unknown members."""

    class Meta:
        unknown = EXCLUDE


class Name(fields.String):
    """A name: one visible line of at most `maximum` characters."""

    def __init__(self, *, maximum: int = 100, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = 1, maximum
        self.expected = expects("name-length", most=maximum)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError([self.expected])
        try:
            return clean_line(value, self.maximum)
        except TextFault as error:
            raise ValidationError([expects("readable-text", text=self.expected, fault=error.fault)]) from None


class Text(fields.String):
    """Text of several lines, `minimum` to `maximum` characters."""

    def __init__(self, maximum: int, *, minimum: int = 0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum = minimum, maximum
        self.expected = expects("text-length", least=minimum, most=maximum)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError([self.expected])
        try:
            return clean_text(value, self.maximum, self.minimum)
        except TextFault as error:
            raise ValidationError([expects("readable-text", text=self.expected, fault=error.fault)]) from None


class Identifier(fields.String):
    """An id: 1 to 64 letters, digits, `_` and `-`, beginning with a letter or a digit."""

    expected = expects("id")
    pattern = f"^{IDENTIFIER}$"
    minimum, maximum = 1, 64

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and _IDENTIFIER.fullmatch(value):
            return value
        raise ValidationError([self.expected])


class WholeNumber(fields.Integer):
    """An integer from `minimum` to `maximum` (inclusive), as a JSON number without a fraction.

    text: its digits as a string are also accepted.
    """

    def __init__(self, minimum: int = -LARGEST, maximum: int = LARGEST, *, text: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.minimum, self.maximum, self.text = minimum, maximum, text
        within = expects("whole-number-range", least=minimum, most=maximum)
        self.expected = expects("whole-number") if (minimum, maximum) == (-LARGEST, LARGEST) else within

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if self.text and isinstance(value, str) and _DIGITS.fullmatch(value):
            value = int(value)
        if type(value) is int and self.minimum <= value <= self.maximum:
            return value
        raise ValidationError([self.expected])


class QueryNumber(WholeNumber):
    """An integer in a query, where every value is text."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, str) and _QUERY_NUMBER.fullmatch(value):
            value = int(value)
        return super()._deserialize(value, attr, data, **kwargs)


class Flag(fields.Boolean):
    """A JSON boolean."""

    expected = expects("true-or-false")

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if type(value) is bool:
            return value
        raise ValidationError([self.expected])


class Choice(fields.String):
    """One of several fixed strings."""

    def __init__(self, *words: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.words = words
        self.expected = one_of(words)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        raise ValidationError([self.expected])


class Day(fields.Date):
    """A calendar day, RFC 3339 full-date; loads to `datetime.date`."""

    expected = expects("day-within", first_year=YEARS[0], last_year=YEARS[-1])

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> date:
        try:
            if isinstance(value, str) and _DAY.fullmatch(value) and (day := date.fromisoformat(value)).year in YEARS:
                return day
        except ValueError:
            pass
        raise ValidationError([self.expected])


JSON_TYPES: Mapping[type, tuple[str, Expected]] = MappingProxyType(
    {
        int: ("integer", expects("whole-number")),
        str: ("string", expects("text")),
        bool: ("boolean", expects("true-or-false")),
    }
)
"""Type -> its name in JSON Schema, and the expected value."""


class Loading(Schema):
    """A derived schema of a request. It loads to JSON values, which `body.load` converts to a struct.

    makes: the struct; None for a nested schema. tag, variants: for OpenAPI, the member that selects a variant, and the
    schema of each variant.
    """

    makes: type[Struct] | None = None
    tag: str = ""
    variants: Mapping[str, type[MarshmallowSchema]] = MappingProxyType({})


class Joined(Loading):
    """A derived schema with a check across members. wrong: as for `Shape`."""

    @validates_schema
    def _check_members(self, members: Mapping[str, Any], **_: object) -> None:
        if wrong := self.wrong(members):
            raise ValidationError({name: [expected] for name, expected in wrong.items()})

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        raise NotImplementedError


class Answering(Answer):
    """An answer schema derived from a Struct. msgspec serialises the Struct and omits members that are UNSET."""

    def dump(self, obj: Any, *, many: bool | None = None) -> Any:
        return msgspec.to_builtins(obj, str_keys=True)


class NamedVariants:
    """The variants of an open object, selected by another member, `by`. shapes: value of that member -> struct.

    OpenAPI shows a schema of the enclosing object for each variant. Loading does not validate the open object; the
    decision does.
    """

    def __init__(self, by: str, shapes: Mapping[str, type[Struct]]) -> None:
        self.by, self.shapes = by, shapes


class Tagged(fields.Field[Any]):
    """One of several structs: a member, tag, names which."""

    def __init__(self, tag: str, schemas: Mapping[str, MarshmallowSchema], **options: Any) -> None:
        super().__init__(**options)
        self.tag, self.schemas = tag, schemas
        self.expected = expects("tagged-object", tag=tag, values=one_of(list(schemas)))

    def schema_for(self, value: object) -> MarshmallowSchema | None:
        """Return the schema that the tag of an object selects, None if it selects none."""
        name = value.get(self.tag) if isinstance(value, Mapping) else None
        return self.schemas.get(name) if isinstance(name, str) else None

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError([self.expected])
        schema = self.schema_for(value)
        if schema is None:
            raise ValidationError({self.tag: [one_of(list(self.schemas))]})
        return schema.load(value)


class OneOfTypes(fields.Raw):
    """A value of one of several plain types, each as strict as the field of that type."""

    def __init__(self, kinds: Sequence[type], **options: Any) -> None:
        names = [JSON_TYPES[kind][0] for kind in kinds]
        super().__init__(**{**options, "metadata": {"type": names, **options["metadata"]}})
        self.kinds = kinds
        self.expected = either([JSON_TYPES[kind][1] for kind in kinds])

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if type(value) in self.kinds:
            return value
        raise ValidationError([self.expected])


class NumberOrList(fields.Field[Any]):
    """An integer that abbreviates a list, or the list itself."""

    def __init__(self, number: fields.Field[Any], several: fields.Field[Any], **options: Any) -> None:
        super().__init__(**options)
        self.number, self.several = number, several
        self.expected = expects("number-or-list", number=getattr(number, "expected", expects("whole-number")))

    def part_for(self, value: object) -> fields.Field[Any]:
        """Return the field that applies to a value."""
        return self.several if isinstance(value, list) else self.number

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if isinstance(value, list):
            return self.several.deserialize(value)
        try:
            return self.number.deserialize(value)
        except ValidationError:
            raise ValidationError([self.expected]) from None


Made = TypeVar("Made")

ANALYSIS_LOCK = RLock()
"""Held while a type is analysed or a schema is created."""

_prepared: set[object] = set()


def prepare(kind: type[Made]) -> type[Made]:
    """Return the type after msgspec has analysed it, so that any thread may use it."""
    if kind not in _prepared:
        with ANALYSIS_LOCK:
            msgspec.json.Decoder(kind)
            _prepared.add(kind)
    return kind


def convert(value: Any, kind: type[Made]) -> Made:
    """Convert a value like `msgspec.convert`, but thread-safe at first use. Raises msgspec.ValidationError."""
    return msgspec.convert(value, prepare(kind))


def capitalise(sentence: str) -> str:
    """Return a sentence with its first letter capitalised."""
    return sentence[:1].upper() + sentence[1:]


class Deferred:
    """A marshmallow schema that is created at its first use."""

    def __init__(self, make: Callable[[], type[MarshmallowSchema]]) -> None:
        """Defer making a schema. make: returns the class of the schema; called once. `schema` raises its exceptions."""
        self._make = make
        self._made: MarshmallowSchema | None = None

    @property
    def schema(self) -> MarshmallowSchema:
        """The schema. Raises the exceptions of `schema_of`."""
        if self._made is None:
            with ANALYSIS_LOCK:
                if self._made is None:
                    self._made = self._make()()
        return self._made

    def dump(self, value: Any) -> Any:
        """Serialise the return value of a view, for flask-smorest."""
        return self.schema.dump(value)

    def __deepcopy__(self, memo: object) -> Deferred:
        """Return self: flask-smorest deep-copies view metadata in every decorator, and this object is immutable."""
        return self


Field = fields.Field[Any]
OpenTypes = Mapping[str, Any]
"""Name of an open object -> its type in an operation: a struct, a tagged union of structs, or `NamedVariants`."""

NO_OPEN_TYPES: OpenTypes = MappingProxyType({})
ANSWERED: Mapping[Any, type[Field]] = MappingProxyType(
    {int: fields.Integer, str: fields.String, bool: fields.Boolean, float: fields.Float, date: fields.Date}
)
IN_A_BODY: Mapping[Any, type[Field]] = MappingProxyType({int: WholeNumber, str: fields.String, bool: Flag, date: Day})
IN_A_QUERY: Mapping[Any, type[Field]] = MappingProxyType(
    {int: QueryNumber, str: fields.String, bool: fields.Boolean, date: Day}
)


def schema_of(
    kind: type[Struct], without: Collection[str] = (), opened: OpenTypes = NO_OPEN_TYPES
) -> type[MarshmallowSchema]:
    """Return the schema of a struct.

    without: members that the address names. opened: the types of its `Open` objects.
    Raises TypeError for a member of an unsupported type, KeyError for an open object without a type.
    """
    with ANALYSIS_LOCK:  # otherwise two threads could create two schemas of the same name
        names = _open_in_struct(kind)
        return _schema(kind, frozenset(without), tuple((name, of) for name, of in opened.items() if name in names))


def deferred(kind: type[Struct], without: Collection[str] = (), opened: OpenTypes = NO_OPEN_TYPES) -> Deferred:
    """Return the schema of a struct as `schema_of` does, created at its first use."""
    return Deferred(lambda: schema_of(kind, without, opened))


@cache
def _open_in_struct(kind: type[Struct]) -> frozenset[str]:
    """Return the names of the open objects in a struct, at any depth. Without any, all operations share its schema."""
    return _open_in(*(info.type for info in msgspec.structs.fields(kind)))


def _open_in(*annotations: Any) -> frozenset[str]:
    names: set[str] = set()
    for kinds, notes in map(_split, annotations):
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
        members[tag] = Choice(str(kind.__struct_config__.tag), required=True)
    if base is Loading and not without:
        members["makes"] = kind
    prepare(kind)
    if (wrong := getattr(kind, "wrong", shapes.Shape.wrong)) is not shapes.Shape.wrong:
        base, members["wrong"] = Joined, staticmethod(wrong)
    derivation = _Derivation(kind, dict(opened))
    for info in msgspec.structs.fields(kind):
        if info.name not in without:
            members[info.name] = derivation.member(info)
            if isinstance(beside := derivation.opens(info), NamedVariants):
                members |= {"tag": beside.by, "variants": derivation.variants(info, beside, without)}
    return type(kind.__name__ + ("Body" if without else ""), (base,), members)


class _Derivation(Struct, frozen=True):
    """Converts the members of a struct to marshmallow fields."""

    kind: type[Struct]
    opened: OpenTypes

    def member(self, info: FieldInfo) -> Field:
        options: dict[str, Any] = {"required": info.required}
        if info.encode_name != info.name:
            options |= {"data_key": info.encode_name, "attribute": info.encode_name}
        if issubclass(self.kind, shapes.View):
            options["required"] = UnsetType not in _split(info.type)[0]
        elif info.default_factory is not NODEFAULT:
            options["load_default"] = info.default_factory
        elif info.default is not NODEFAULT and info.default is not UNSET:
            options["load_default"] = list if info.default == () else info.default
        return self.field(info.type, **options)

    def opens(self, info: FieldInfo) -> Any:
        """Return the type of an open object in this operation; None for any other member."""
        names = [note.name for note in _split(info.type)[1] if isinstance(note, shapes.Open)]
        return self.opened[names[0]] if names else None

    def variants(
        self, info: FieldInfo, beside: NamedVariants, without: Collection[str]
    ) -> Mapping[str, type[MarshmallowSchema]]:
        """Return a schema of the struct for each variant of its open object."""
        schemas: dict[str, type[MarshmallowSchema]] = {}
        for name, kind in beside.shapes.items():
            empty = all(not field.required for field in msgspec.structs.fields(kind))
            options: dict[str, Any] = {"load_default": dict} if empty else {"required": True}
            members = {one.name: self.member(one) for one in msgspec.structs.fields(self.kind)}
            members |= {beside.by: Choice(name, required=True), info.name: self.field(kind, **options)}
            for left_out in without:
                del members[left_out]
            title = self.kind.__name__ + name.title().replace("_", "")
            schemas[name] = type(title, (Loading,), {**members, "__module__": self.kind.__module__})
        return schemas

    def field(self, annotation: Any, outer: Mapping[str, Any] = MappingProxyType({}), **options: Any) -> Field:
        """Return the field of an annotation. outer: metadata of an enclosing annotation, which takes precedence."""
        kinds, notes = _split(annotation)
        if NoneType in kinds:
            options["allow_none"] = True
        metadata = {**_metadata(notes), **outer}
        if rules := [rule for note in notes if (rule := _rule(note))]:
            options["validate"] = rules
        for note in notes:
            if isinstance(note, shapes.Open) and not isinstance(self.opened[note.name], NamedVariants):
                return self.field(self.opened[note.name], **options, outer=metadata)
        plain = [kind for kind in kinds if kind not in (NoneType, UnsetType)]
        if len(plain) == 1:
            return self._plain(plain[0], notes, {**options, "metadata": metadata})
        if all(_is_struct(kind) for kind in plain):
            tag = plain[0].__struct_config__.tag_field
            schemas = {str(kind.__struct_config__.tag): self._schema(kind)() for kind in plain}
            return Tagged(tag, schemas, **options, metadata=metadata)
        if len(plain) == 2 and plain[0] is int and get_origin(plain[1]) is list:
            number, several = (self.field(part) for part in get_args(annotation))
            options.pop("validate", None)  # a rule for one of the two does not apply to the other
            return NumberOrList(number, several, **options, metadata=dict(outer))
        if any(kind not in JSON_TYPES for kind in plain):
            raise TypeError(f"{self.kind.__name__}: {annotation} is no type of a shape")
        return OneOfTypes(plain, **options, metadata=metadata)

    def _plain(self, kind: Any, notes: Sequence[object], options: dict[str, Any]) -> Field:
        inner = get_args(kind)
        match get_origin(kind) or kind:
            case origin if origin is Literal:
                return Choice(*inner, **options)
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
                    return Text(note.maximum, minimum=note.minimum, **options)
                case shapes.Name():
                    return Name(maximum=note.maximum, **options)
                case shapes.Identifier():
                    return Identifier(**options)
                case shapes.Email():
                    return fields.Email(**options)
                case shapes.Whole():
                    number = QueryNumber if query else WholeNumber
                    return number(note.minimum, note.maximum, text=note.text, **options)
        if kind not in plain:
            raise TypeError(f"{self.kind.__name__}: {kind} is no type of a shape")
        return plain[kind](**options)

    def _schema(self, kind: type[Struct]) -> type[MarshmallowSchema]:
        return schema_of(kind, opened=self.opened)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _split(annotation: Any) -> tuple[list[Any], list[Any]]:
    """Return the types of an annotation and its notes. Notes on the whole come last, so they take precedence."""
    if get_origin(annotation) is Annotated:
        inner, *notes = get_args(annotation)
        kinds, inner_notes = _split(inner)
        return kinds, [*inner_notes, *notes]
    if get_origin(annotation) in (Union, UnionType):
        parts = [_split(part) for part in get_args(annotation)]
        return [kind for kinds, _ in parts for kind in kinds], [note for _, notes in parts for note in notes]
    return [annotation], []


def _metadata(notes: Sequence[object]) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for note in notes:
        match note:
            case str():
                metadata["description"] = note
            case shapes.Pattern():
                metadata["description"] = capitalise(str(note.expected))
                metadata["pattern"] = f"^{note.pattern}$"
            case shapes.Personal():
                metadata |= PERSONAL
            case shapes.Documented():
                metadata |= note.more
    return metadata


def _rule(note: object) -> Any:
    """Return the marshmallow validator of a note, None if it has none."""
    match note:
        case shapes.Size():
            same = note.minimum == note.maximum
            return validate.Length(equal=note.maximum) if same else validate.Length(note.minimum, note.maximum)
        case shapes.OneOf():
            return validate.OneOf(note.words)
        case shapes.Pattern():
            return _validator(lambda text: None if re.fullmatch(note.pattern, text) else note.expected)
        case shapes.Check():
            return _validator(note.expected)
    return None


def _validator(expected: Callable[[Any], Expected | None]) -> Any:
    def rule(value: Any) -> None:
        if fault := expected(value):
            raise ValidationError([fault])

    return rule
