"""The record of a command: the whole command, on its first event. Pure.

    {"by":{"token":"t-1.s2.1772877601000"},"data":{"facts":{…},"game":"r1g1","reason":"Misread"},"decision":1,
     "type":"CorrectResult","version":1}

`data` holds the members of the command as the decision saw them. Members at their default are absent, and personal
values are `true`. The events of a command are consecutive and share its id; only the first one has the record. See
decision 0043 for the alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import FieldInfo

from shared.log.event import Recorded, canonical_json
from shared.shapes import Personal

PERSONAL_PLACEHOLDER = "kept apart"
"""Replaces a personal text when a command is read from its record; the record only says that there was one."""


def public_values(thing: Any) -> Any:
    """Return built-in values of structs, lists and objects without default members; personal values become `true`."""
    return _public(thing, msgspec.to_builtins(thing))


def _public(thing: Any, plain: Any) -> Any:
    if isinstance(thing, msgspec.Struct):
        for field, personal in _fields(type(thing)):
            value = getattr(thing, field.name)
            if field.encode_name not in plain:  # unset, or omitted by the struct itself
                continue
            if value == _default(field):
                del plain[field.encode_name]
            elif personal:
                plain[field.encode_name] = True
            elif isinstance(value, msgspec.Struct | list | tuple):
                plain[field.encode_name] = _public(value, plain[field.encode_name])
        return plain
    if isinstance(thing, list | tuple):
        return [_public(member, plain[index]) for index, member in enumerate(thing)]
    return plain


def fill_personal_values(kind: Any, plain: Any) -> Any:
    """Replace every personal `true` by a placeholder text, so that the values can be converted to `kind`."""
    kind = _bare(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(plain, dict):
        members = dict(plain)
        for field, personal in _fields(kind):
            if field.encode_name in members:
                value = members[field.encode_name]
                members[field.encode_name] = (
                    PERSONAL_PLACEHOLDER if personal else fill_personal_values(field.type, value)
                )
        return members
    if get_origin(kind) is list and isinstance(plain, list):
        (inner,) = get_args(kind)
        return [fill_personal_values(inner, member) for member in plain]
    return plain


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[FieldInfo, bool], ...]:
    """Return the fields of a struct, each with True if its value is personal."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((field, _is_personal(hints[field.name])) for field in msgspec.structs.fields(kind))


def _is_personal(hint: Any) -> bool:
    return any(isinstance(note, Personal) for note in getattr(hint, "__metadata__", ()))


def _bare(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _default(field: FieldInfo) -> Any:
    return field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default


Data = dict[str, Any]
Step = Callable[[Data], Data]
"""Converts the members of one version of a command to the next version."""


class UnreadableCommand(ValueError):
    """A record with an unknown version or an invalid form."""


class Authority(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The authority of a command, in addition to the actor of its events.

    token: the id of the token. clause, cause: for a rule that acts automatically, its clause and the id of the event
    that triggered it.
    """

    token: str = ""
    clause: str = ""
    cause: str = ""


class CommandRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded command. version: the version of its shape. decision: the version of the decision function."""

    type: str
    version: int
    decision: int
    by: Authority
    data: Data


class CommandForm(msgspec.Struct, frozen=True):
    """The way a command is recorded.

    older: upcasts from version 1 of its shape to 2, 2 to 3 … decision: the version of the decision function; it
    increases when the same state and command give a different result. open_part: removes from a command the values that
    no log may hold and those that its events hold already (takes the command and the data of its events). whole:
    restores such a command from its events.
    """

    older: Sequence[Step] = ()
    decision: int = 1
    open_part: Callable[[Any, Sequence[Data]], Any] | None = None
    whole: Callable[[Any, Sequence[Recorded]], Any] | None = None

    @property
    def version(self) -> int:
        """The current version of the shape."""
        return len(self.older) + 1


def encode_record(command: msgspec.Struct, by: Authority, form: CommandForm, events: Sequence[Data]) -> str:
    """Return the record of a command as canonical JSON. events: the data of its events. Raises NotCanonical."""
    data = public_values(form.open_part(command, events) if form.open_part else command)
    return canonical_json(CommandRecord(type(command).__name__, form.version, form.decision, by, data))


def begins_command(event: Recorded) -> bool:
    """Return True if an event is the first of a command."""
    return bool(event.command)


def read_record(event: Recorded) -> CommandRecord:
    """Return the record on the first event of a command. Raises NoCommand."""
    try:
        return msgspec.json.decode(event.command, type=CommandRecord)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise UnreadableCommand(f"no record of a command: {error}") from error


def read_command(record: CommandRecord, kind: type[Any], form: CommandForm, events: Sequence[Recorded]) -> Any:
    """Return the command that was decided, upcast to the current version, with placeholders for personal values.

    events: all events of the command. Raises UnreadableCommand.
    """
    if not 1 <= record.version <= form.version:
        raise UnreadableCommand(f"{record.type}, version {record.version}; known up to {form.version}")
    try:
        data = record.data
        for step in form.older[record.version - 1 :]:
            data = step(data)
        command = msgspec.convert(fill_personal_values(kind, data), kind)
        return form.whole(command, events) if form.whole else command
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableCommand(f"{record.type}, version {record.version}: {error}") from error
