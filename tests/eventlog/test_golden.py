"""The hash of one event, written down: whoever changes how events are hashed changes what every log is worth."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
import rfc8785

from shared.eventlog.append import Entry, Stamp, chained
from shared.eventlog.verify import verify
from shared.events.canonical import canonical
from shared.events.cloudevents import NotAnEvent, from_line, from_wire, to_wire
from shared.events.recorded import EMPTY, Head, Hidden, hash_of, hidden

STAMP = Stamp(
    actor='Zoë "Z" O\'Neil', command_id="key-1~0123456789abcdef", time="2026-03-07T09:30:00.000Z", seen={"pairing": 4}
)
DATA = {"player": "p-17", "name": "Łukasz \U0001f3b2", "points": [0, -3, 9007199254740991], "late": False, "club": None}


COMMAND = {"by": {"role": "referee"}, "data": {}, "decision": 1, "same": ["name"], "type": "Join", "version": 1}
SALT = "00112233445566778899aabbccddeeff"


def test_the_hash_of_an_event_is_what_it_always_was():
    first, second = chained(
        "registration",
        "spring-cup",
        EMPTY,
        [Entry("PlayerJoined", 2, canonical(DATA), canonical(COMMAND)), Entry("Closed", 1, "{}")],
        STAMP,
        lambda: SALT,
    )
    assert first.prev_hash == "0" * 64
    assert first.hash == "e733e8a04d139b7e610c34f8bdb7c6d9a88e95a92ca18e54125dc449724df871"
    assert second.prev_hash == first.hash
    assert second.hash == "62ea50016ef2d68ad00e1c40775842ef26e96efdf10f47c19cfa8b5f09b0623c"


def test_anybody_can_compute_it_with_a_library_and_sha256():
    (event,) = chained(
        "registration",
        "spring-cup",
        Head(6, "ab" * 32),
        [Entry("PlayerJoined", 2, canonical(DATA), canonical(COMMAND))],
        STAMP,
        lambda: SALT,
    )
    held = b"\n".join([SALT.encode(), rfc8785.dumps(DATA), rfc8785.dumps(COMMAND)])
    plain: dict[str, Any] = {
        "actor": STAMP.actor,
        "command_id": STAMP.command_id,
        "content": hashlib.sha256(held).hexdigest(),
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
    assert hash_of(from_wire(to_wire(event))) == event.hash


def test_an_event_that_is_hidden_holds_the_chain_together():
    first, second = chained(
        "registration", "spring-cup", EMPTY, [Entry("Closed", 1, "{}"), Entry("Closed", 1, "{}")], STAMP
    )
    shown = from_line(to_wire(hidden(first)))
    assert isinstance(shown, Hidden)
    assert verify([shown, second]) == Head(2, second.hash)
    with pytest.raises(NotAnEvent, match="hidden"):
        from_wire(to_wire(shown))
