"""Which of the events that arrived their sources vouch for: one signature is checked for as many as it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from shared.messaging.arrivals import Arrival, event_of
from shared.messaging.vouching import Keyring, feed_digest, feed_statement, log_statement


def unvouched(keyring: Keyring, arrivals: Sequence[Arrival]) -> list[tuple[Arrival, str]]:
    """The arrivals that nobody vouches for, each with the reason. All of them were read as events."""
    placed = [arrival for arrival in arrivals if arrival.feed is not None]
    found = [
        (arrival, fault) for arrival in arrivals if arrival.feed is None and (fault := _log_fault(keyring, arrival))
    ]
    for stretch in _stretches(placed):
        # The last whose signature is good stands for all before it; those behind it have nobody to stand for them.
        while stretch and (fault := _feed_fault(keyring, *stretch[-1])):
            found.append((stretch.pop()[0], fault))
    return found


def _stretches(arrivals: Sequence[Arrival]) -> list[list[tuple[Arrival, str]]]:
    """Arrivals with their digests, in stretches of a feed in which each begins with the digest of the one before."""
    stretches: list[list[tuple[Arrival, str]]] = []
    for arrival in sorted(arrivals, key=lambda a: (event_of(a).source, a.feed or 0)):
        event, feed = event_of(arrival), arrival.feed or 0
        digest = feed_digest(arrival.before, feed, event.tournament, event.position, event.hash)
        last, end = stretches[-1][-1] if stretches else (None, "")
        follows = last is not None and event_of(last).source == event.source and last.feed == feed - 1
        if follows and arrival.before == end:
            stretches[-1].append((arrival, digest))
        else:
            stretches.append([(arrival, digest)])
    return stretches


def _feed_fault(keyring: Keyring, arrival: Arrival, digest: str) -> str:
    source = event_of(arrival).source
    return keyring.fault(source, feed_statement(source, arrival.feed or 0, digest), arrival.signature)


def _log_fault(keyring: Keyring, arrival: Arrival) -> str:
    event = event_of(arrival)
    return keyring.fault(event.source, log_statement(event), arrival.signature)
