"""The actor of an event: who acted, in which role, at which venue, and through whose link. Pure.

    {"actor":"organiser","role":"organiser"}
    {"actor":"s2","role":"referee","venue":"v1"}
    {"actor":"p1","role":"player","via":{"by":"s2","how":"link"}}

An event holds it as canonical JSON, which the hash covers. Members at their default are absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Final, get_args

import msgspec
from msgspec import Struct

from shared.events.canonical import canonical
from shared.refusals import expects
from shared.roles import LINK, Role, Via

GUEST: Final = "guest"
"""The name and the role of a caller without a token."""

ROLES: frozenset[str] = frozenset(get_args(Role))
"""Every role that an actor can have."""

REMEMBERED = 20_000
"""Actors that a process keeps decoded: the same text comes with every event of an actor."""

NOT_FREE = expects("free-name")
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
    return canonical(Actor(actor.actor, actor.role, actor.venue, actor.via))


@lru_cache(REMEMBERED)
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
