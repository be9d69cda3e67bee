"""A log as its owner holds it: asked for page by page, and nothing of a page believed that is not vouched for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from shared.eventlog.verify import Broken, verify
from shared.events.recorded import GENESIS, Head, Recorded
from shared.messaging.errors import OwnerWrong
from shared.messaging.inbound_messages import printable
from shared.messaging.upstream_feed import PAGE
from shared.messaging.vouching import Keyring, log_statement
from shared.messaging.wire import Line


class Fetch(Protocol):
    """The next lines of a log behind a position, from its owner. Raises OwnerUnavailable."""

    def __call__(self, source: str, tournament: str, after: int, limit: int = PAGE) -> list[Line]: ...


class UpstreamLog:
    """Asks owners for their logs.

    fetch: asks. keyring: says what they vouch for. fault_of: why an event that is vouched for must not be copied.
    """

    def __init__(self, fetch: Fetch, keyring: Keyring, fault_of: Callable[[Recorded], Broken | None]) -> None:
        self._fetch = fetch
        self._keyring = keyring
        self._fault_of = fault_of

    def page(self, source: str, tournament: str, after: int) -> tuple[list[Recorded], Broken | None]:
        """What may be copied of the next events behind a position, and what was found wrong or too new behind that.

        Both are empty at the end of the log. Raises OwnerUnavailable, as OwnerWrong for what is not vouched for.
        """
        lines = self._fetch(source, tournament, after)
        if not lines:
            return [], None
        first = lines[0].event
        if (first.source, first.tournament, first.position) != (source, tournament, after + 1):
            raise OwnerWrong(f"{source} answered for {tournament} behind {after} with {printable(first.id)}")
        return self._looked_at([line.event for line in lines], lines[-1].signature)

    def whole(self, source: str, tournament: str) -> tuple[list[Recorded], Broken | None]:
        """The owner's log from its first event on, as far as it may be copied, and what ends it before its end.

        Raises OwnerUnavailable, as LogUnknown where the owner has no such log.
        """
        log: list[Recorded] = []
        while True:
            events, refused = self.page(source, tournament, len(log))
            if events and events[0].prev_hash != (log[-1].hash if log else GENESIS):
                raise OwnerWrong(f"{source} answered for {tournament} behind {len(log)} with {printable(events[0].id)}")
            log += events
            if refused is not None or not events:
                return log, refused

    def hash_at(self, source: str, tournament: str, position: int) -> str | None:
        """The hash of the owner's event at a position, whether vouched for or not; None where its log has none."""
        lines = self._fetch(source, tournament, position - 1)
        return lines[0].event.hash if lines else None

    def _looked_at(self, events: list[Recorded], signature: str) -> tuple[list[Recorded], Broken | None]:
        try:
            verify(events, Head(events[0].position - 1, events[0].prev_hash))
        except Broken as broken:
            # The last signature stands for nothing before the break, so the owner is asked for that much alone.
            sound = next(index for index, event in enumerate(events) if event is broken.event)
            return (self._vouched_part(events[:sound]) if sound else []), broken
        if fault := self._keyring.fault(events[-1].source, log_statement(events[-1]), signature):
            raise OwnerWrong(f"{events[0].source} answered for {events[0].tournament} with events {fault}")
        for index, event in enumerate(events):
            if (refused := self._fault_of(event)) is not None:
                return events[:index], refused
        return events, None

    def _vouched_part(self, events: list[Recorded]) -> list[Recorded]:
        first = events[0]
        lines = self._fetch(first.source, first.tournament, first.position - 1, len(events))
        if [line.event for line in lines] != events:
            raise OwnerWrong(f"{first.source} answered for {first.tournament} in two ways")
        return self._looked_at(events, lines[-1].signature)[0]
