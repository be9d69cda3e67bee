"""`python -m deploy.event_page` (`make docs`): docs/reference/events.md, written from the catalogue of events."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
from msgspec import inspect as types

from shared.formats.fold import CATALOGUE, OWNERS, EventType
from shared.log.event import UPCASTS, Event

HEAD = """# Every event

This page is generated. It lists every event that Muster's logs can contain, for people who write a client or check a
log. The [glossary](../glossary.md) explains the words, [messaging](messaging.md) says how to receive events, and the
[HTTP guide](http/README.md) how to read a log.

Each event has exactly one owner: the service that appends it. The events of each service follow below, and after them
the [parts](#parts) that events have in common. An event leaves out members that have their default value.

The first event of a command that drew something has one more member, whatever its type: `answers`, a list of
[Answer](#answer) ([draws](../concepts.md#draws)).

`make docs` writes this page from the catalogue of events (`shared/formats/fold.py`), and a test fails if it is
out of date.

## The envelope

An event travels as a CloudEvent 1.0 in structured JSON (`application/cloudevents+json`). On RabbitMQ, it is published
to the exchange `muster.events` with the routing key `<source>.<EventType>.<tournament>`. Over HTTP, each line is one
event. These are its attributes:

| attribute | what it is |
|---|---|
| `id` | `<tournament>.<source>.<position>`. It is never used again |
| `source` | The service that owns the event: `registration`, `pairing` or `scoring` |
| `type` | The type of the event, one of those below |
| `subject`, `tournament` | The id of the tournament |
| `time` | When it was appended: RFC 3339, UTC, milliseconds |
| `schemaversion` | The version of the type in which `data` is written |
| `dataschema` | The address of its [JSON Schema](messaging.md#generate-code); in an exported file, only its name |
| `position` | 1, 2, 3 … in the log of this source and tournament, without gaps |
| `actor` | Who acted, in which role, and through whose link: [the actor](#the-actor), as canonical JSON |
| `commandid` | Which command appended it: `<key>~<digest>` of its `Idempotency-Key`, or a random id |
| `seen` | How far the service had read the other logs, as canonical JSON |
| `prevhash`, `hash` | The chain of hashes: SHA-256 over `prevhash` and the event |
| `command` | On the first event of a command: [the command](#the-command), as canonical JSON |
| `feedposition` | In feeds and messages: the place in the one order over all tournaments of a source |
| `feedbefore` | In feeds and messages: the feed's digest before it |
| `signature` | The [signature](messaging.md) of the source, over the feed or the log up to here, where there is one |
| `data` | What happened. Its members are listed below for each type |

In `commandid`, a digest takes the place of the key if the command came without a token.

**How the hash is made.** Take the text of `prevhash`, followed by the RFC 8785 canonical JSON of an object with the
members `actor` (an object), `command` (an object; only on the first event of a command), `command_id`, `data` (an
object), `id`, `position`, `seen` (an object), `source`, `time`, `tournament`, `type` and `version`. `hash` is the
lower-case hex SHA-256 of this text. The `prevhash` of the first event is 64 zeros.

## The command

The first event of every command carries the whole command, and the hash covers it. The other events of a command follow
it in the log with the same `commandid`, and have no `command`. `muster verify` reads the command, makes the decision
again from the state that the service had seen, and compares the resulting events with those in the log.

| member | what it is |
|---|---|
| `type`, `version` | The command, and the version of its shape |
| `decision` | The version of the code that decides it; it rises when the same state and command have a new result |
| `by` | What allowed it, in addition to the actor: `token` (its id). For a rule: `clause`, `cause` |
| `data` | The members of the command as it was decided, without defaults |

In `data`, personal values are replaced by `true`. Keys and tokens are never included. `cause` is the id of the event
that made the rule due. A command has at most 4 MB, the data of an event 256 KB. `TakeResults` of a season has empty
`data`: its events have the results that it took.

## The actor

`actor` is an object. CloudEvents attributes hold no objects, so it travels as canonical JSON inside a string, as `seen`
and `command` do. Members that do not apply are absent.

| member | what it is |
|---|---|
| `actor` | The id of a player or of a member of staff, or the name in the token; `guest` without a token |
| `role` | The role that they acted in. `rule`: a rule acted automatically |
| `venue` | The id of the only venue where they act; absent if they act at every venue |
| `via` | If another person received the player's link: `by` (that person), and `how`: `link` or `entry` |

| actor | what it says |
|---|---|
| `{"actor":"organiser","role":"organiser"}` | A token without a name of its own: the name is the role |
| `{"actor":"s2","role":"referee","venue":"v1"}` | s2, a referee who was appointed for the venue v1 |
| `{"actor":"p1","role":"player"}` | p1, with a link that no one else received |
| `{"actor":"p1","role":"player","via":{"by":"s2","how":"entry"}}` | p1, with the link that s2 got by entering them |
| `{"actor":"p1","role":"player","via":{"by":"s2","how":"link"}}` | p1, with a link that s2 requested |

Answers have the same object in `actor`, and a line for people in `actor_text`: `s2, referee of Hall B`.
"""

OF_ALL = Event.__struct_fields__
"""Members that every event may have, which are not listed for each."""


def page() -> str:
    """Return the page in Markdown."""
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
    yield from _members(types.type_info(event.schema), leaving_out=OF_ALL)


def _members(info: types.Type, leaving_out: Collection[str] = ()) -> Iterator[str]:
    if not isinstance(info, types.StructType):
        return
    fields = [field for field in info.fields if field.name not in leaving_out]
    if not fields:
        return
    yield "| member | type | default |"
    yield "|---|---|---|"
    for member in fields:
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
