"""Events: their common members, canonical bytes and hash, actors, and upcasts of older versions. Pure.

The data of an event are RFC 8785 canonical JSON: no floats, and whole numbers that JSON readers keep. So is its actor,
whose members at their default are absent:

    {"actor":"organiser","role":"organiser"}
    {"actor":"s2","role":"referee","venue":"v1"}
    {"actor":"p1","role":"player","via":{"by":"s2","how":"link"}}

Stored events are never rewritten; data of an older version are read as today's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, get_args

import msgspec
import orjson
from msgspec import Struct

from shared.refusals import Expected, Refusal, expects
from shared.roles import LINK, Role, Via


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A structured member of an event."""


class Answer(Part, frozen=True, kw_only=True):
    """The answer to a question that a command drew.

    number: the number of the secret that gave the answer. value: 64 hex digits. changes: changes of the participants
    (`+p7` joined, `-p3` left) and of the ruleset since staff first saw a result of the answer.
    """

    question: str
    number: int
    value: str
    changes: list[str] = []


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A complete statement in the past tense; its class name is its type on the wire.

    Members hold strings, integers, booleans, lists and objects. A member at its default is left out.

    answers: the answers that were drawn for the command, on its first event.
    ends_secret: the event reveals the secret that answers questions, and a new secret replaces it.
    ends_draws: the event reveals the secret, and no secret follows.
    """

    ends_secret: ClassVar[bool] = False
    ends_draws: ClassVar[bool] = False

    answers: list[Answer] = []


StoredEvent = Any
"""The row of an event, as folding sees it: `position`, `type`, `time`, `actor`."""

LARGEST_NUMBER = 2**53 - 1
"""Larger integers lose precision in JSON readers that use binary floats (RFC 8785, 3.2.2.3)."""

MAX_NESTING = 64
"""Maximum depth of nested lists and objects; deeper values overflow the stack of some readers."""

MAX_FOUND_LENGTH = 140
"""Characters of an invalid value that a fault repeats."""


class NotCanonical(ValueError):
    """A value that an event cannot hold: a float, a huge integer, an invalid string, a key that is not ASCII.

    where: a JSON pointer. found: the value there, shortened. expected: a valid value.
    """

    def __init__(self, where: str, problem: str, found: object, expected: Expected) -> None:
        super().__init__(f"{where or '/'}: {problem}")
        self.where = where
        self.found = ascii(found)[:MAX_FOUND_LENGTH]
        self.expected = expected


def canonical_json(value: Any) -> str:
    """Return the canonical JSON (RFC 8785) of strings, integers, booleans, null, lists, objects and structs.

    Keys must be ASCII, where byte order equals the UTF-16 order that RFC 8785 requires. Raises NotCanonical.
    """
    plain = msgspec.to_builtins(value)
    _check(plain, "", MAX_NESTING)
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS).decode()


def is_canonical(text: str) -> bool:
    """Return True if a JSON text is its own canonical form."""
    try:
        return orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS) == text.encode()
    except (ValueError, TypeError):
        return False


def _check(value: Any, where: str, levels: int) -> None:
    kind = type(value)
    if kind is str:
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise NotCanonical(where, "half a surrogate pair in a string", value, expects("whole-characters"))
    elif kind is int:
        if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
            raise NotCanonical(where, f"{value} is beyond 2^53 - 1", value, expects("exact-number"))
    elif kind is dict or kind is list or kind is tuple:
        if not levels:
            right = expects("nesting-at-most", most=MAX_NESTING)
            raise NotCanonical(where, f"lists and objects more than {MAX_NESTING} deep", value, right)
        if kind is not dict:
            for index, member in enumerate(value):
                _check(member, f"{where}/{index}", levels - 1)
            return
        for key, member in value.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonical(where, f"key {key!r} is not an ASCII string", key, expects("ascii-name"))
            _check(member, f"{where}/{key}", levels - 1)
    elif kind is not bool and value is not None:
        what = f"{kind.__name__} {value!r}; events hold no such values"
        raise NotCanonical(where, what, value, expects("value-of-event"))


GUEST: Final = "guest"
"""The name and the role of a caller without a token."""

ROLES: frozenset[str] = frozenset(get_args(Role))
"""Every role of an actor."""

ACTOR_CACHE_SIZE = 20_000
"""Decoded actors that a process keeps; every event of an actor repeats the same text."""

FREE_NAME = expects("free-name")
"""The expectation of a name that `is_free_name` accepts."""

_NUMBERED = re.compile(r"(t-[^ ]*\.)?[ps][1-9][0-9]*")


class NotAnActor(ValueError):
    """A text that is not the canonical JSON of an actor."""


def is_free_name(name: str) -> bool:
    """Return True if a name cannot be read as that of a role, a player or a member of staff."""
    return name not in ROLES and not _NUMBERED.fullmatch(name)


class Actor(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The person, rule or service that acted.

    actor: an id or a name. venue: the id of the only venue where they may act; empty for every venue.
    via: only for a player whose link another person received.
    """

    actor: Annotated[str, msgspec.Meta(min_length=1)]
    role: Role
    venue: str = ""
    via: Via | None = None


def actor_json(actor: Actor) -> str:
    """Return the canonical JSON of an actor without the members of subclasses. Raises NotCanonical."""
    return canonical_json(Actor(actor.actor, actor.role, actor.venue, actor.via))


@lru_cache(ACTOR_CACHE_SIZE)
def read_actor(text: str) -> Actor:
    """Return the actor of an event from its text. Raises NotAnActor, also for JSON that is not canonical."""
    try:
        actor = msgspec.json.decode(text, type=Actor)
        written = actor_json(actor)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise NotAnActor(f"actor: {error}") from error
    if written != text:
        raise NotAnActor("actor: not canonical JSON, or a member at its default")
    return actor


def actor_text(actor: Actor, venues: Mapping[str, str] | None = None) -> str:
    """Return an actor as a line in English: `s2, referee of Hall B`. venues: id -> name."""
    role = actor.role.replace("_", " ")
    parts = [actor.actor]
    if actor.venue:
        parts.append(f"{role} of {(venues or {}).get(actor.venue, actor.venue)}")
    elif actor.role != actor.actor:
        parts.append(role)
    if actor.via:
        parts.append(f"by a link of {actor.via.by}" if actor.via.how == LINK else f"entered by {actor.via.by}")
    return ", ".join(parts)


def shared_link_holder(first: Actor, second: Actor) -> str:
    """Return the person who received the links of both actors and requested at least one; empty if there is none.

    A person who enters a whole field receives all its links, so two links that came with entries prove nothing.
    """
    if first.via is None or second.via is None or first.via.by != second.via.by:
        return ""
    return first.via.by if LINK in (first.via.how, second.via.how) else ""


GENESIS = "0" * 64
"""`prev_hash` of the first event of every log."""
LARGEST_EVENT = 256 * 1024
"""Maximum bytes of an event's canonical data; larger values are split into pages that are appended together."""
LARGEST_COMMAND = 4 * 1024 * 1024
"""Maximum bytes of the command on its first event. Commands have no pages: publishing a round of 5,000 pairings takes
one megabyte. Larger commands could exceed RabbitMQ's default message limit of 16 MiB.
"""


class EventTooLarge(Refusal):
    """An event would exceed 256 KB, or its command 4 MB; the request holds more than one statement should."""

    code = "event-too-large"


def byte_length(text: str) -> int:
    """Return the length of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One event of a log; never changed once appended.

    position: 1, 2, 3 … in its `(source, tournament)`, without gaps. time: RFC 3339, UTC, milliseconds.
    actor, seen, data: canonical JSON, exactly as hashed (actor: `Actor`). prev_hash, hash: 64 lower-case hex digits.
    command: the recorded command (`command_record.py`) as canonical JSON, on its first event; else empty.
    """

    source: str
    tournament: str
    position: int
    id: str
    type: str
    version: int
    time: str
    actor: str
    command_id: str
    seen: str
    prev_hash: str
    hash: str
    data: str
    command: str = ""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The last position and hash of a log; position 0 and the genesis hash if it is empty."""

    position: int = 0
    hash: str = GENESIS


EMPTY_HEAD = Head()


_seen = msgspec.json.Decoder(dict[str, int])


def parse_seen(text: str) -> dict[str, int]:
    """Return `seen` of an event as source -> position. Raises msgspec.MsgspecError."""
    return _seen.decode(text)


def event_id(source: str, tournament: str, position: int) -> str:
    """Return the id of the event at a position. Ids are unique, since a position holds one event forever."""
    return f"{tournament}.{source}.{position}"


def chain_hash(
    prev_hash: str,
    source: str,
    tournament: str,
    position: int,
    id: str,
    type: str,
    version: int,
    time: str,
    actor: str,
    command_id: str,
    seen: str,
    data: str,
    command: str,
) -> str:
    """Return the SHA-256 of the previous hash and the canonical JSON of the event, in hex.

    `actor`, `command`, `data` and `seen` are canonical JSON already, so the object is joined in RFC 8785 order.
    An event without a command has no member `command`.
    """
    if not _needs_no_escape(command_id + id + source + time + tournament + type):
        command_id, id, source, time, tournament, type = map(_escape, (command_id, id, source, time, tournament, type))
    command_member = f'"command":{command},' if command else ""
    text = (
        f'{prev_hash}{{"actor":{actor},{command_member}"command_id":"{command_id}","data":{data},"id":"{id}",'
        f'"position":{position},"seen":{seen},"source":"{source}","time":"{time}","tournament":"{tournament}",'
        f'"type":"{type}","version":{version}}}'
    )
    return sha256(text.encode()).hexdigest()


def compute_hash(event: Recorded) -> str:
    """Return the hash of an event's members; it equals `event.hash` unless the event was changed."""
    return chain_hash(
        event.prev_hash,
        event.source,
        event.tournament,
        event.position,
        event.id,
        event.type,
        event.version,
        event.time,
        event.actor,
        event.command_id,
        event.seen,
        event.data,
        event.command,
    )


def _needs_no_escape(text: str) -> bool:
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _escape(text: str) -> str:
    return orjson.dumps(text)[1:-1].decode()


Data = dict[str, Any]


def venue_tables_by_number(data: Data) -> Data:
    """Upcast VenueOpened 1 to 2: a count of tables becomes the tables 1, 2, 3 …, none of them accessible."""
    return {**data, "tables": [{"table": number} for number in range(1, data.get("tables", 0) + 1)]}


class AddedMembers:
    """A version that only added members; their defaults give the meaning of older events."""

    def __init__(self, *members: str) -> None:
        self.members = members

    def __call__(self, data: Data) -> Data:
        return data


UPCASTS: Mapping[str, tuple[Callable[[Data], Data], ...]] = MappingProxyType(
    {
        "CoopRankingPublished": (AddedMembers("page", "pages"),),
        "PlayerAmended": (AddedMembers("external_id"),),
        "PlayerJoined": (AddedMembers("external_id"),),
        "PlayerWaitlisted": (AddedMembers("external_id"),),
        "ResultCorrected": (AddedMembers("improbable"),),
        "ResultDisputed": (AddedMembers("improbable"),),
        "ResultReported": (AddedMembers("improbable"),),
        "ResultRuled": (AddedMembers("improbable"),),
        "TournamentAnnounced": (AddedMembers("rehearsal"),),
        "VenueOpened": (venue_tables_by_number,),
    }
)
"""Type -> upcasts from version 1 to 2, 2 to 3 …; the current version is one more than the number of upcasts."""


def upcast(type: str, version: int, data: Data) -> Data:
    """Return data of an older version in the form of the current version."""
    for step in UPCASTS[type][version - 1 :]:
        data = step(data)
    return data
