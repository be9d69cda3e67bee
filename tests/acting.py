"""Actors of events that tests append themselves."""

from __future__ import annotations

import re

from shared.log.event import ROLES, Actor, Recorded, actor_json, actor_text, read_actor

_BY_NUMBER = {"p": "player", "s": "referee"}


def acting(name: str) -> Actor:
    """Return an actor by name: `p1` is a player, `s1` a referee, `guest` a guest; any other name is an organiser's."""
    numbered = re.fullmatch(r"(?:t-[^ ]*\.)?([ps])[1-9][0-9]*", name)
    if numbered:
        return Actor(name, _BY_NUMBER[numbered[1]])
    return Actor(name, name if name in ROLES else "organiser")


def actor_of(name: str) -> str:
    """Return the text of `acting(name)` in an event."""
    return actor_json(acting(name))


def text_of(event: Recorded) -> str:
    """Return the actor of an event as a line."""
    return actor_text(read_actor(event.actor))
