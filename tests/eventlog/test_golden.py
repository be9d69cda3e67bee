"""The recorded hash of one event: a change of hashing would invalidate every log."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
import rfc8785
from msgspec.structs import replace

from shared.log.cloudevents import NotAnEvent, from_wire, to_wire
from shared.log.event import EMPTY_HEAD, Actor, Head, canonical_json, compute_hash
from shared.log.log import Entry, Stamp, chain_events
from shared.roles import Via

ACTOR = Actor('Zoë "Z" O\'Neil', "player", via=Via("link", "s2"))
STAMP = Stamp(ACTOR, command_id="key-1~0123456789abcdef", time="2026-03-07T09:30:00.000Z", seen={"pairing": 4})
DATA = {"player": "p-17", "name": "Łukasz \U0001f3b2", "points": [0, -3, 9007199254740991], "late": False, "club": None}


COMMAND = {"by": {"token": "t-1.s2.1"}, "data": {}, "decision": 1, "type": "Join", "version": 1}


def test_the_hash_of_an_event_never_changes():
    first, second = chain_events(
        "registration",
        "spring-cup",
        EMPTY_HEAD,
        [Entry("PlayerJoined", 2, canonical_json(DATA), canonical_json(COMMAND)), Entry("Closed", 1, "{}")],
        STAMP,
    )
    assert first.prev_hash == "0" * 64
    assert first.hash == "5153de5f7c9ab16db911e8767c7e6378149f5db7bb2d9d3ac350e1cb7853c9bb"
    assert second.prev_hash == first.hash
    assert second.hash == "b0c263522ad692e8ebb80333efa2f96caffabedf4bb5c36167d4d330f7aef4bb"


def test_the_hash_can_be_computed_with_a_library_and_sha256():
    (event,) = chain_events(
        "registration",
        "spring-cup",
        Head(6, "ab" * 32),
        [Entry("PlayerJoined", 2, canonical_json(DATA), canonical_json(COMMAND))],
        STAMP,
    )
    plain: dict[str, Any] = {
        "actor": {"actor": ACTOR.actor, "role": "player", "via": {"how": "link", "by": "s2"}},
        "command": COMMAND,
        "command_id": STAMP.command_id,
        "data": DATA,
        "id": "spring-cup.registration.7",
        "position": 7,
        "seen": {"pairing": 4},
        "source": "registration",
        "time": STAMP.time,
        "tournament": "spring-cup",
        "type": "PlayerJoined",
        "version": 2,
    }
    assert event.hash == hashlib.sha256(("ab" * 32).encode() + rfc8785.dumps(plain)).hexdigest()
    assert from_wire(to_wire(event)) == event
    assert compute_hash(from_wire(to_wire(event))) == event.hash


def test_an_event_from_before_0_1_0_is_refused_with_the_reason():
    (event,) = chain_events("registration", "spring-cup", EMPTY_HEAD, [Entry("Closed", 1, "{}")], STAMP)
    with pytest.raises(NotAnEvent, match=r"a version before 0\.1\.0"):
        from_wire(to_wire(replace(event, actor="organiser")))
