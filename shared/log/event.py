"""Events: what all have in common, their canonical bytes and hash, who acted, and older versions. Pure.

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
    """A part of an event that has several members of its own."""


class Answer(Part, frozen=True, kw_only=True):
    """The answer to a question that a command drew.

    number: of the secret that gave it. value: 64 hex digits. changes: of who takes part and of the ruleset, since
    staff saw first what the answer would make: `+p7` came, `-p3` left.
    """

    question: str
    number: int
    value: str
    changes: list[str] = []


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A complete statement in the past tense; its class name is its type on the wire.

    Members hold strings, whole numbers, booleans, lists and objects. A member at its default is left out.
    answers: on the first event of a command, the answers that were drawn for it.
    ends_secret: the secret that answers questions is revealed with it, and a new one takes its place. ends_draws: it is
    revealed with it, and no new one follows.
    """

    ends_secret: ClassVar[bool] = False
    ends_draws: ClassVar[bool] = False

    answers: list[Answer] = []


StoredEvent = Any
"""What folding is handed of the row that an event came in: `position`, `type`, `time`, `actor`."""


LARGEST_NUMBER = 2**53 - 1
"""Whole numbers beyond this change their value in readers that hold numbers as binary floats (RFC 8785, 3.2.2.3)."""


MAX_NESTING = 64
"""Lists and objects inside one another; what is deeper overflows the stack of some reader."""


MAX_FOUND_LENGTH = 140
"""Characters of a value that is said back."""


class NotCanonical(ValueError):
    """A value that has no place in an event: a float, a huge number, a broken string, a key beyond ASCII.

    where: a JSON pointer. found: the value there, in short. expected: what would be right.
    """

    def __init__(self, where: str, what: str, found: object, expected: Expected) -> None:
        """what: is wrong, for the message."""
        super().__init__(f"{where or '/'}: {what}")
        self.where = where
        self.found = ascii(found)[:MAX_FOUND_LENGTH]
        self.expected = expected


def canonical_json(value: Any) -> str:
    """The canonical JSON text of strings, whole numbers, booleans, null, lists and objects (structs count as such).

    Keys are kept to ASCII, where the UTF-16 order that RFC 8785 asks for and the byte order are the same.
    Raises NotCanonical, naming what was found.
    """
    plain = msgspec.to_builtins(value)
    _check(plain, "", MAX_NESTING)
    return orjson.dumps(plain, option=orjson.OPT_SORT_KEYS).decode()


def is_canonical(text: str) -> bool:
    """Whether a JSON text is its own canonical form."""
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
"""Every role that an actor can have."""

ACTOR_CACHE_SIZE = 20_000
"""Actors that a process keeps decoded: the same text comes with every event of an actor."""

FREE_NAME = expects("free-name")
"""What `is_free_name` expects of a name."""

_NUMBERED = re.compile(r"(t-[^ ]*\.)?[ps][1-9][0-9]*")


class NotAnActor(ValueError):
    """A text that is not the canonical JSON of an actor."""


def is_free_name(name: str) -> bool:
    """Return True if a name cannot be read as that of a role, a player or a member of staff."""
    return name not in ROLES and not _NUMBERED.fullmatch(name)


class Actor(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who acted. actor: an id or a name. venue: the id of the only venue where they act, empty for every venue.

    via: only for a player whose link somebody else received.
    """

    actor: Annotated[str, msgspec.Meta(min_length=1)]
    role: Role
    venue: str = ""
    via: Via | None = None


def actor_json(actor: Actor) -> str:
    """Return the text of an actor in an event, without what a subclass adds. Raises NotCanonical."""
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


def shared_link_holder(one: Actor, other: Actor) -> str:
    """Return who received the links of both actors and requested at least one of them; empty if no one did.

    Somebody who enters a whole field receives every link of it. That both players of a game have such links is no sign
    of anything.
    """
    if one.via is None or other.via is None or one.via.by != other.via.by:
        return ""
    return one.via.by if LINK in (one.via.how, other.via.how) else ""


GENESIS = "0" * 64
"""`prev_hash` of the first event of every log."""
LARGEST_EVENT = 256 * 1024
"""Bytes of canonical data that one event may hold; larger things are pages, appended together."""
LARGEST_COMMAND = 4 * 1024 * 1024
"""Bytes of a command on its first event. A command is one statement and has no pages: a round of 5,000 pairings that is
published has a megabyte. A message with more could pass the 16 MiB that RabbitMQ takes by default.
"""


class EventTooLarge(Refusal):
    """An event would exceed 256 KB, or its command 4 MB; the request holds more than one statement should."""

    code = "event-too-large"


def byte_length(text: str) -> int:
    """Bytes of a text of an event."""
    return len(text) if text.isascii() else len(text.encode())


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """One event of a log; never changed once appended.

    position: 1, 2, 3 … in its `(source, tournament)` without gaps. time: RFC 3339, UTC, milliseconds.
    actor, seen, data: canonical JSON as text, exactly what was hashed (actor: `Actor`). prev_hash, hash: 64
    lower-case hex digits. command: on the first event of a command, what was asked for, as canonical JSON
    (`command_record.py`); else empty.
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
    """How far a log reaches: its last position and hash; position 0 with the genesis hash when empty."""

    position: int = 0
    hash: str = GENESIS


EMPTY_HEAD = Head()


_seen = msgspec.json.Decoder(dict[str, int])


def parse_seen(text: str) -> dict[str, int]:
    """What `seen` of an event says: source -> position. Raises msgspec.MsgspecError where it says something else."""
    return _seen.decode(text)


def event_id(source: str, tournament: str, position: int) -> str:
    """The id of the event at a place; unique because a place holds one event for ever."""
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

    The object is put together from its members in RFC 8785 order; `actor`, `command`, `data` and `seen` are canonical
    already. An event without a command has no such member.
    """
    if not _plain(command_id + id + source + time + tournament + type):
        command_id, id, source, time, tournament, type = map(_escaped, (command_id, id, source, time, tournament, type))
    asked = f'"command":{command},' if command else ""
    text = (
        f'{prev_hash}{{"actor":{actor},{asked}"command_id":"{command_id}","data":{data},"id":"{id}",'
        f'"position":{position},"seen":{seen},"source":"{source}","time":"{time}","tournament":"{tournament}",'
        f'"type":"{type}","version":{version}}}'
    )
    return sha256(text.encode()).hexdigest()


def compute_hash(event: Recorded) -> str:
    """The hash that an event's own members give; equal to `event.hash` unless something was changed."""
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


def _plain(text: str) -> bool:
    """Whether RFC 8785 writes a text as it is: printable ASCII without quotes and backslashes."""
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _escaped(text: str) -> str:
    """A text as RFC 8785 writes it between quotes."""
    return orjson.dumps(text)[1:-1].decode()


Data = dict[str, Any]


def venue_tables_by_number(data: Data) -> Data:
    """VenueOpened 1 -> 2: a count of tables becomes the tables 1, 2, 3 …, none of them marked accessible."""
    return {**data, "tables": [{"table": number} for number in range(1, data.get("tables", 0) + 1)]}


class AddedMembers:
    """A version that only gained members, whose defaults say what was meant before there were any."""

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
"""Type -> steps from version 1 to 2, 2 to 3 …; an event's version is one more than its number of steps."""


def upcast(type: str, version: int, data: Data) -> Data:
    """The data of `version` as the present version words it."""
    for step in UPCASTS[type][version - 1 :]:
        data = step(data)
    return data
