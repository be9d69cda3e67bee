"""Mend a damaged log: put it together again from its own intact events and from those that peers hold."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.eventlog.verify import Place
from shared.events.recorded import GENESIS, Head, Recorded, event_id, hash_of


class Mended(Struct, frozen=True):
    """A log as it was recorded, as far as that is known.

    taken: events that come from peers. lost: the first event that is damaged or missing here and that no peer holds.
    forked: an intact event of the log whose place the peers' events take. Where one of the two is set, `events` is not
    the whole log.
    """

    events: Sequence[Recorded]
    taken: int
    lost: Place | None = None
    forked: Recorded | None = None


def is_intact(event: Recorded) -> bool:
    """Return True if an event is what was recorded: its members give its hash and its id."""
    return hash_of(event) == event.hash and event.id == event_id(event.source, event.tournament, event.position)


def mend(log: tuple[str, str], own: Sequence[Recorded], head: Head, copies: Sequence[Sequence[Recorded]]) -> Mended:
    """Put a log together up to its head. The own event at a position goes before those of the copies.

    log: source and tournament. own: all rows of the log, damaged ones too. head: as its row says, damaged or not.
    copies: the log as peers hold it. An event is taken where it is intact and follows the one before.
    """
    kept = {event.position: event for event in own if is_intact(event)}
    candidates = [kept, *({event.position: event for event in copy if is_intact(event)} for copy in copies)]
    chain: list[Recorded] = []
    while True:
        previous, position = (chain[-1].hash if chain else GENESIS), len(chain) + 1
        at = [events[position] for events in candidates if position in events]
        follows = next((event for event in at if event.prev_hash == previous), None)
        if follows is None:
            break
        chain.append(follows)
    hashes = [GENESIS, *(event.hash for event in chain)]
    last = max(kept, default=0)
    end = hashes.index(head.hash) if head.hash in hashes else head.position
    end = max(end, last)
    if end > len(chain):
        return Mended(chain, 0, lost=Place(*log, len(chain) + 1))
    recorded = {head.hash, *(event.hash for event in own if event.position == end)}
    if end and chain[end - 1].hash not in recorded:
        return Mended(chain, 0, lost=Place(*log, end))  # a peer holds another event there
    chain = chain[:end]
    forked = next((event for event in kept.values() if chain[event.position - 1] != event), None)
    taken = sum(event.position not in kept for event in chain)
    return Mended(chain, taken, forked=forked)
