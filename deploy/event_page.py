"""`python -m deploy.event_page`: docs/events.md, made from the catalogue."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect as types

from shared.events.upcasting import UPCASTS
from shared.formats.catalogue import CATALOGUE, OWNERS, EventType

HEAD = """# Every event

Made from the catalogue (`shared/formats/catalogue.py`) by `make docs`; a test holds this page to it. Each event has
exactly one owner, the only service that appends it. Members that stand at their default are left out of the data.

## The envelope

An event travels as a CloudEvent 1.0 in structured JSON (`application/cloudevents+json`), on RabbitMQ with the routing
key `<source>.<EventType>.<tournament>` on the exchange `muster.events`, and over HTTP one a line.

| attribute | means |
|---|---|
| `id` | `<tournament>.<source>.<position>`; unique for ever |
| `source` | the service that owns the event |
| `type` | the event's type, one of those below |
| `subject`, `tournament` | the tournament's id |
| `time` | when it was appended: RFC 3339, UTC, milliseconds |
| `dataschema`, `schemaversion` | which version of the type `data` is written in |
| `position` | 1, 2, 3 … in the log of this source and tournament, without gaps |
| `actor` | who did it, in which role, through whose link: see below |
| `commandid` | which command appended it: `<key>~<digest>` (without a token, a digest as the key), or a random id |
| `seen` | canonical JSON: how far the appender had read the other logs |
| `prevhash`, `hash` | the chain: SHA-256 over `prevhash`, the envelope and a digest of what the event holds |
| `command` | canonical JSON on the first event of a command: what was asked for, see below |
| `salt` | 32 random hex digits, so that nobody guesses what a hidden event holds |
| `content` | of a hidden event, in the place of `data`, `command` and `salt`: their digest |
| `feedposition` | in feeds and messages: the one order over all tournaments of a source |
| `data` | what happened, as below |

The hash is the lower-case hex SHA-256 of the text of `prevhash` followed by the RFC 8785 canonical JSON of an object
with the members `actor`, `command_id`, `content`, `id`, `position`, `seen` (an object), `source`, `time`, `tournament`,
`type` and `version`. The first event's `prevhash` is 64 zeros. `content` is the lower-case hex SHA-256 of `salt`,
`data` and `command` (empty where there is none) with a line feed between each two.

A hidden event is shown as its envelope with `content`: the chain can be checked, and what the event holds cannot be
read. It is hidden for some callers only, and for a time: [lists](http.md) that players have not shown yet.

## The command

The first event of every command carries the command itself, hashed with the event. `muster verify` reads it, decides it
again on the state that the service had seen, and compares what follows with what stands in the log.

| member | means |
|---|---|
| `type`, `version` | which command, and the version of its shape |
| `decision` | the version of what decides it; it rises when the same state and command give something else |
| `by` | who asked, beside the actor line: `role`, `player`, `venue`, `token` (its id); of a rule `clause` and `cause` |
| `data` | the members of the command as it was decided on; personal values stand as `true`, keys and tokens never |
| `same` | members that the event's own `data` has under the same name with the same value; they are not written twice |
| `rows`, `repeats` | of a command that is a list: the rows of this event, and what of its one row the event repeats |

A further event of the same command has a `command` only where it carries rows of a list.

The actor line is read by people as it stands. Its parts are parted by `, `: the name; the role, and the venue of who
acts at one venue only; and, where a player's link was used that somebody else was handed, whose hands it went through.
In names `%`, `,` and control characters are percent-encoded. A name that is its role stands alone; `rule` is a rule
that acted by itself.

| line | says |
|---|---|
| `organiser` | the name is the role |
| `s2, referee of v1` | s2, a referee who was appointed for the venue v1 |
| `p1, player` | the player p1, with a link that nobody else was handed |
| `p1, player, entered by s2` | the same, with the link that s2 got by entering them |
| `p1, player, by a link of s2` | the same, with a link that s2 asked for |
"""


def page() -> str:
    """The whole page in Markdown."""
    return "\n".join([HEAD, *_owners()]) + "\n"


def _owners() -> Iterator[str]:
    for owner, schemas in OWNERS.items():
        yield f"## {owner}\n"
        for schema in schemas:
            yield from _event(CATALOGUE[schema.__name__])
    yield "## Parts\n"
    for part in _parts():
        yield f"### {part.__name__}\n"
        yield _text(part)
        yield from _members(types.type_info(part))


def _event(event: EventType) -> Iterator[str]:
    yield f"### {event.name}\n"
    yield f"Version {event.version}. {_text(event.schema)}"
    for number, step in enumerate(UPCASTS.get(event.name, ()), start=1):
        yield f"An event of version {number} is read as: {inspect.getdoc(step)}\n"
    yield from _members(types.type_info(event.schema))


def _members(info: types.Type) -> Iterator[str]:
    if not isinstance(info, types.StructType) or not info.fields:
        return
    yield "| member | type | default |"
    yield "|---|---|---|"
    for member in info.fields:
        yield f"| `{member.name}` | {_type(member.type)} | {_default(member)} |"
    yield ""


def _type(info: types.Type) -> str:
    match info:
        case types.StructType(cls=part):
            return f"[{part.__name__}](#{part.__name__.lower()})"
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            return f"list of {_type(item)}"
        case types.TupleType(item_types=items):
            return "list of " + ", ".join(_type(item) for item in items)
        case types.LiteralType(values=values):
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case types.DictType(value_type=value):
            return f"object of {_type(value)}"
        case types.UnionType(types=members):
            return " or ".join(_type(member) for member in members if not isinstance(member, types.NoneType))
    words = {types.StrType: "text", types.IntType: "whole number", types.BoolType: "truth value"}
    return words.get(type(info), "any value")


def _default(member: types.Field) -> str:
    if member.required:
        return "must be there"
    value = member.default_factory() if member.default is msgspec.NODEFAULT else member.default
    return "absent" if value is None else f"`{msgspec.json.encode(value).decode()}`"


def _text(thing: type[Any]) -> str:
    return (inspect.getdoc(thing) or "") + "\n"


def _parts() -> list[type[Any]]:
    found: dict[str, type[Any]] = {}

    def walk(info: types.Type) -> None:
        match info:
            case types.StructType(cls=cls, fields=fields):
                if cls.__name__ not in CATALOGUE:
                    found[cls.__name__] = cls
                for field in fields:
                    walk(field.type)
            case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
                walk(item)
            case types.TupleType(item_types=items):
                for item in items:
                    walk(item)
            case types.DictType(value_type=value):
                walk(value)
            case types.UnionType(types=members):
                for member in members:
                    walk(member)

    for event in CATALOGUE.values():
        walk(types.type_info(event.schema))
    return [found[name] for name in sorted(found)]


if __name__ == "__main__":
    print(page(), end="")
