"""Which of the events that arrived their sources vouch for: one signature is checked for as many as it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from shared.messaging.inbound_messages import InboundMessage, event_of
from shared.messaging.vouching import Keyring, feed_digest, feed_statement, log_statement


def unvouched(keyring: Keyring, messages: Sequence[InboundMessage]) -> list[tuple[InboundMessage, str]]:
    """The arrivals that nobody vouches for, each with the reason. All of them were read as events."""
    placed = [message for message in messages if message.feed is not None]
    found = [
        (message, fault) for message in messages if message.feed is None and (fault := _log_fault(keyring, message))
    ]
    for stretch in _stretches(placed):
        # The last whose signature is good stands for all before it; those behind it have nobody to stand for them.
        while stretch and (fault := _feed_fault(keyring, *stretch[-1])):
            found.append((stretch.pop()[0], fault))
    return found


def _stretches(messages: Sequence[InboundMessage]) -> list[list[tuple[InboundMessage, str]]]:
    """Arrivals with their digests, in stretches of a feed in which each begins with the digest of the one before."""
    stretches: list[list[tuple[InboundMessage, str]]] = []
    for message in sorted(messages, key=lambda a: (event_of(a).source, a.feed or 0)):
        event, feed = event_of(message), message.feed or 0
        digest = feed_digest(message.before, feed, event.tournament, event.position, event.hash)
        last, end = stretches[-1][-1] if stretches else (None, "")
        follows = last is not None and event_of(last).source == event.source and last.feed == feed - 1
        if follows and message.before == end:
            stretches[-1].append((message, digest))
        else:
            stretches.append([(message, digest)])
    return stretches


def _feed_fault(keyring: Keyring, message: InboundMessage, digest: str) -> str:
    source = event_of(message).source
    return keyring.fault(source, feed_statement(source, message.feed or 0, digest), message.signature)


def _log_fault(keyring: Keyring, message: InboundMessage) -> str:
    event = event_of(message)
    return keyring.fault(event.source, log_statement(event), message.signature)
