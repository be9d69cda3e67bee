"""Derived schemas: bases of them, fields for members of several shapes or types, and when they are worked out.

That is when somebody first needs one, by one thread: a process that starts waits for none. msgspec works a type out at
its first use, and 0.22 crashes where a second thread comes meanwhile. So whoever converts while requests are answered
does it by `convert`, and schemas of marshmallow are made behind the same lock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from marshmallow import Schema as MarshmallowSchema
from marshmallow import ValidationError, fields, validates_schema
from msgspec import Struct
from msgspec.structs import asdict

from shared.refusals import Expected, either, expects, one_of
from shared.shapes import View
from shared.web import fields as door

JSON_TYPES: Mapping[type, tuple[str, Expected]] = MappingProxyType(
    {
        int: ("integer", expects("whole-number")),
        str: ("string", expects("text")),
        bool: ("boolean", expects("true-or-false")),
    }
)
"""Type -> its name in JSON Schema, and what is expected of a value of it."""


class Loading(door.Schema):
    """A derived shape of what comes in. It loads to JSON values; whoever reads a body makes the struct of them.

    makes: that struct; None for a part of one. tag, variants: the member that names which of several this one is, and
    the schema of each, where OpenAPI shows them apart.
    """

    makes: type[Struct] | None = None
    tag: str = ""
    variants: Mapping[str, type[MarshmallowSchema]] = MappingProxyType({})


class Joined(Loading):
    """One whose members have to fit each other. wrong: as of `Shape`."""

    @validates_schema
    def _beside_each_other(self, said: Mapping[str, Any], **_: object) -> None:
        if wrong := self.wrong(said):
            raise ValidationError({name: [expected] for name, expected in wrong.items()})

    @staticmethod
    def wrong(said: Mapping[str, Any]) -> Mapping[str, Expected]:
        raise NotImplementedError


class Answering(door.Answer):
    """A derived shape of an answer: a struct is written as msgspec writes it, without members that are UNSET."""

    def dump(self, obj: Any, *, many: bool | None = None) -> Any:
        return msgspec.to_builtins(obj, str_keys=True)


class NamedBeside:
    """What an open object may be where a member beside it, `by`, names which: name -> the struct of it.

    OpenAPI shows the object around it with a schema for each name. Loading leaves the open object as it came: whoever
    decides looks at it.
    """

    def __init__(self, by: str, shapes: Mapping[str, type[Struct]]) -> None:
        self.by, self.shapes = by, shapes


class Tagged(fields.Field[Any]):
    """One of several structs: a member, tag, names which."""

    def __init__(self, tag: str, schemas: Mapping[str, MarshmallowSchema], **options: Any) -> None:
        super().__init__(**options)
        self.tag, self.schemas = tag, schemas
        self.expected = expects("tagged-object", tag=tag, values=one_of(list(schemas)))

    def schema_for(self, said: object) -> MarshmallowSchema | None:
        """The shape that an object says it has; None where it says none of them."""
        named = said.get(self.tag) if isinstance(said, Mapping) else None
        return self.schemas.get(named) if isinstance(named, str) else None

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if not isinstance(value, dict):
            raise ValidationError([self.expected])
        schema = self.schema_for(value)
        if schema is None:
            raise ValidationError({self.tag: [one_of(list(self.schemas))]})
        return schema.load(value)


class OneOfTypes(fields.Raw):
    """A value of one of several plain types, which are no less strict for being several."""

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
    """A whole number that stands for a list, or the list itself."""

    def __init__(self, number: fields.Field[Any], several: fields.Field[Any], **options: Any) -> None:
        super().__init__(**options)
        self.number, self.several = number, several
        self.expected = expects("number-or-list", number=getattr(number, "expected", expects("whole-number")))

    def part_for(self, said: object) -> fields.Field[Any]:
        """Which of the two a value is to be."""
        return self.several if isinstance(said, list) else self.number

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **options: Any) -> Any:
        if isinstance(value, list):
            return self.several.deserialize(value)
        try:
            return self.number.deserialize(value)
        except ValidationError:
            raise ValidationError([self.expected]) from None


Made = TypeVar("Made")
Shown = TypeVar("Shown", bound=View)

ONE_AT_A_TIME = RLock()
"""Held by whoever works out what a type is made of."""

_worked_out: set[object] = set()


def worked_out(kind: type[Made]) -> type[Made]:
    """The same type, known to msgspec from now on: every thread may use it."""
    if kind not in _worked_out:
        with ONE_AT_A_TIME:
            msgspec.json.Decoder(kind)
            _worked_out.add(kind)
    return kind


def convert(value: Any, kind: type[Made], *, from_attributes: bool = False) -> Made:
    """As `msgspec.convert`, also where several threads are the first. Raises msgspec.ValidationError."""
    return msgspec.convert(value, worked_out(kind), from_attributes=from_attributes)


def shown_as(kind: type[Shown], made: Struct, **more: Any) -> Shown:
    """The view of a struct that has members of its names; parts of it likewise. more: members beside those.

    Raises msgspec.ValidationError where the two do not fit.
    """
    return convert({**asdict(made), **more}, kind, from_attributes=True)


def capitalised(sentence: str) -> str:
    """Return a sentence with a capital at its start."""
    return sentence[:1].upper() + sentence[1:]


class Deferred:
    """A schema of marshmallow that is made when a request, or the documentation, first asks for it."""

    def __init__(self, make: Callable[[], type[MarshmallowSchema]]) -> None:
        """make: called once, for the class. Raises nothing itself; what is wrong with a shape is raised by `schema`."""
        self._make = make
        self._made: MarshmallowSchema | None = None

    @property
    def schema(self) -> MarshmallowSchema:
        """The schema. Raises TypeError for a member of a type that no shape has, as `schema_of` does."""
        if self._made is None:
            with ONE_AT_A_TIME:
                if self._made is None:
                    self._made = self._make()()
        return self._made

    def dump(self, shown: Any) -> Any:
        """What a view returned as it is answered; flask-smorest asks an answer's schema for it."""
        return self.schema.dump(shown)

    def __deepcopy__(self, memo: object) -> Deferred:
        """The same: flask-smorest copies what it knows of a view at every decorator."""
        return self
