"""What was asked for, as the first event of a command carries it. Pure.

    {"by":{"token":"t-1.s2.1772877601000"},"data":{"reason":"Misread"},"decision":1,"same":["facts","game"],"type":"CorrectResult","version":1}

`data` holds members as they were decided on; those that the event has by the same name and value are named in `same`.
A command of many rows has them spread over its events, in order: each event behind the first carries its share alone.
Decision 0043 says what was weighed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import FieldInfo

from shared.events.canonical import canonical
from shared.events.recorded import Recorded
from shared.shapes import Personal

KEPT_APART = "kept apart"
"""What a personal text is read as from a record, which says of it alone that it was there."""


def public_values(thing: Any) -> Any:
    """Plain values of structs, lists and objects, without members at their defaults; personal ones are `true`."""
    return _public(thing, msgspec.to_builtins(thing))


def _public(thing: Any, plain: Any) -> Any:
    if isinstance(thing, msgspec.Struct):
        for field, personal in _fields(type(thing)):
            value = getattr(thing, field.name)
            if field.encode_name not in plain:  # unset, or left out at its default by the struct itself
                continue
            if value == _default(field):
                del plain[field.encode_name]
            elif personal:
                plain[field.encode_name] = True
            elif isinstance(value, msgspec.Struct | list | tuple):
                plain[field.encode_name] = _public(value, plain[field.encode_name])
        return plain
    if isinstance(thing, list | tuple):
        return [_public(one, plain[index]) for index, one in enumerate(thing)]
    return plain


def with_stand_ins(kind: Any, plain: Any) -> Any:
    """Plain values with a text in the place of every personal `true`, so that `kind` can be made of them."""
    kind = _bare(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(plain, dict):
        members = dict(plain)
        for field, personal in _fields(kind):
            if field.encode_name in members:
                value = members[field.encode_name]
                members[field.encode_name] = KEPT_APART if personal else with_stand_ins(field.type, value)
        return members
    if get_origin(kind) is list and isinstance(plain, list):
        (inner,) = get_args(kind)
        return [with_stand_ins(inner, one) for one in plain]
    return plain


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[FieldInfo, bool], ...]:
    """The fields of a struct, each with whether its value is personal."""
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
"""Members of an older version of a command -> those of the next one."""


class NoCommand(ValueError):
    """A record that cannot be read: of an unknown version, or of another form."""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Rows of a command that stand on one event. repeats: members of the one row here that the event has, too."""

    rows: list[Any]
    repeats: list[str] = []


class Authority(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What allows a command, beside the actor of its events.

    token: the id of the token that was used. clause, cause: of a rule that acts by itself, where it is written and the
    id of the event that made it due.
    """

    token: str = ""
    clause: str = ""
    cause: str = ""


class CommandRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What stands in a log. version: of the command's shape.

    decision: the version of what decides it. events: how many came of it. same: members that the event has, too. rows,
    repeats: as of `Share`.
    """

    type: str
    version: int
    decision: int
    by: Authority
    data: Data
    events: int = 1
    same: list[str] = []
    rows: list[Any] = []
    repeats: list[str] = []


class CommandForm(msgspec.Struct, frozen=True):
    """How a command stands on record. rows: the member that is spread over its events; empty for none.

    older: steps from version 1 of its shape to 2, 2 to 3 … decision: the version of what decides it; it rises where
    the same state and command give something else than before. open_part: the command without what no log may hold,
    made from the command and the data of its events. whole: such a command with what its events hold of the rest.
    """

    rows: str = ""
    older: Sequence[Step] = ()
    decision: int = 1
    open_part: Callable[[Any, Sequence[Data]], Any] | None = None
    whole: Callable[[Any, Sequence[Recorded]], Any] | None = None

    @property
    def version(self) -> int:
        """The version of the shape that is written today."""
        return len(self.older) + 1


def recorded_texts(command: msgspec.Struct, by: Authority, form: CommandForm, events: Sequence[Data]) -> list[str]:
    """What stands on each event of a command, as canonical JSON; empty for nothing.

    events: the data of each, at least one. Raises NotCanonical.
    """
    data = public_values(form.open_part(command, events) if form.open_part else command)
    rows = data.pop(form.rows, []) if form.rows else []
    same = _repeated(data, events[0])
    share = -(-len(rows) // len(events))
    shares = [_share(rows[index * share : (index + 1) * share], event) for index, event in enumerate(events)]
    first, *others = shares
    name = type(command).__name__
    record = CommandRecord(name, form.version, form.decision, by, data, len(events), same, first.rows, first.repeats)
    return [canonical(record), *(canonical(other) if other.rows else "" for other in others)]


def _share(rows: list[Any], event: Data) -> Share:
    repeats = _repeated(rows[0], event) if len(rows) == 1 and isinstance(rows[0], dict) else []
    return Share(rows, repeats)


def _repeated(members: Data, event: Data) -> list[str]:
    """Take away what the event has, too; returns the names of it."""
    same = sorted(name for name, value in members.items() if name in event and event[name] == value)
    for name in same:
        del members[name]
    return same


def begins_command(event: Recorded) -> bool:
    """Whether an event is the first of a command."""
    return event.command.startswith('{"by":')


def read_record(event: Recorded) -> CommandRecord:
    """The record on the first event of a command. Raises NoCommand."""
    record: CommandRecord = _decoded(event.command, CommandRecord)
    return record


def read_share(event: Recorded) -> Share:
    """What another event of a command carries of its rows. Raises NoCommand."""
    share: Share = _decoded(event.command, Share)
    return share


def read_command(record: CommandRecord, kind: type[Any], form: CommandForm, events: Sequence[Recorded]) -> Any:
    """The command as it was decided on, but for what is personal. events: all that came of it. Raises NoCommand.

    An older version is brought up to today's.
    """
    if not 1 <= record.version <= form.version:
        raise NoCommand(f"{record.type}, version {record.version}; known up to {form.version}")
    first = _decoded(events[0].data, Data)
    try:
        data = {**record.data, **{name: first[name] for name in record.same}}
        rows = _rows(Share(record.rows, record.repeats), first)
        for event in events[1:]:
            if event.command:
                rows += _rows(read_share(event), _decoded(event.data, Data))
        if rows:
            data[form.rows] = rows
        for step in form.older[record.version - 1 :]:
            data = step(data)
        command = msgspec.convert(with_stand_ins(kind, data), kind)
        return form.whole(command, events) if form.whole else command
    except (msgspec.MsgspecError, KeyError, TypeError, AttributeError) as error:
        raise NoCommand(f"{record.type}, version {record.version}: {error}") from error


def _rows(share: Share, event: Data) -> list[Any]:
    if not share.repeats:
        return [*share.rows]
    if len(share.rows) != 1:
        raise NoCommand(f"{len(share.rows)} rows with members that the event repeats; one has them")
    (row,) = share.rows
    return [{**row, **{name: event[name] for name in share.repeats}}]


def _decoded(text: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise NoCommand(f"no record of a command: {error}") from error
