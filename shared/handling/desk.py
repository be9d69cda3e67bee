"""The way of one command: state as of now, decide, append; again on the newer state when somebody was faster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from shared import metrics
from shared.events.actors import actor_of, line_of
from shared.events.base import Event
from shared.events.canonical import NotCanonical, canonical
from shared.events.catalogue import CATALOGUE
from shared.events.recorded import Head, Recorded
from shared.handling.context import By, Context
from shared.handling.folds import Folded, Folds
from shared.handling.quotas import need_room
from shared.handling.refusals import Busy
from shared.handling.venues import Venues, keep_to_venue, own_venue
from shared.http.conditional import etag
from shared.http.idempotency import key_of
from shared.http.refusals import IdempotencyKeyReused, InvalidRequest, PreconditionFailed
from shared.log.append import Entry, HeadMoved, Stamp, append, chained
from shared.log.database import Database
from shared.log.read import events_of_command
from shared.refusals import Fault, Refusal
from shared.state.tournament import Tournament, evolve

ATTEMPTS = 50
"""How often a command is decided anew when others append first; each failure means somebody else succeeded."""

Decide = Callable[[Tournament, Any, Context], Sequence[Event]]
Version = Callable[[Tournament, Any], int]
Also = Callable[[Connection, Sequence[Recorded]], None]


class Projection(Struct, frozen=True):
    """A read model written in the transaction of the events: on which types it looks, and how it is written."""

    types: frozenset[str]
    write: Also


class Order(Struct, frozen=True):
    """A command on its way: what is wanted, by whom, under which id.

    key: of an idempotent request, empty when the caller gave none. command_id: as recorded.
    version: position in the own log up to which the caller knows the resource (from If-Match), or None.
    also: more to write with the events.
    admit: raises when the state says that the caller may not act here (a revoked token).
    other_ids: under which the same request may stand in the log, from before the token keys were exchanged.
    """

    tournament: str
    command: Any
    by: By
    command_id: str
    key: str = ""
    version: int | None = None
    also: Also | None = None
    admit: Callable[[Tournament], None] | None = None
    other_ids: Sequence[str] = ()


class Receipt(Struct, frozen=True):
    """What a command did. events: as recorded, now or when it first came; none when it changed nothing.

    again: whether it was done before, by a request with the same key, and is only told again.
    venues: id -> what people call it, for actor lines; a venue keeps its name.
    """

    events: Sequence[Recorded]
    seen: Mapping[str, int]
    again: bool = False
    venues: Mapping[str, str] = {}


class Desk:
    """One service's way of handling commands.

    decisions: command type -> decide. versions: command type -> the position of the last event that touched the
    resource, for those where two people edit one thing; any other command that comes with a version is done only when
    nothing at all was appended since. clock: the time as events have it.
    projection: a read model that moves with the log.
    venues: command type -> the venues it is about, for those that staff of another venue may not do.
    after: called when something was appended (it wakes the relay).
    may_append: raises while nothing may be appended to any log.
    """

    def __init__(
        self,
        source: str,
        database: Database,
        folds: Folds,
        decisions: Mapping[type, Decide],
        clock: Callable[[], str],
        after: Callable[[], None],
        versions: Mapping[type, Version] | None = None,
        projection: Projection | None = None,
        venues: Mapping[type, Venues] | None = None,
        may_append: Callable[[], None] = lambda: None,
    ) -> None:
        self.source = source
        self.database = database
        self.folds = folds
        self._decisions = decisions
        self._clock = clock
        self._after = after
        self._versions = versions or {}
        self._projection = projection
        self._venues = venues or {}
        self._may_append = may_append

    def now(self) -> str:
        """The time as events have it."""
        return self._clock()

    def run(self, order: Order) -> Receipt:
        """Decide and append. Raises what the decision refuses, PreconditionFailed, IdempotencyKeyReused, Busy, and what
        `may_append` does.
        """
        self._may_append()
        # The append looks for the key it is given; one that the log has in another form is looked for before.
        rekeyed = any(key_of(id) != order.key for id in order.other_ids)
        for attempt in range(ATTEMPTS):
            state = self.folds.now if attempt or rekeyed else self.folds.presumably
            with state(order.tournament) as folded:
                # The append itself refuses a key that was there before; so it is looked for only when there is a doubt.
                if (attempt or rekeyed) and (earlier := self._earlier(order, folded)):
                    return Receipt(earlier, folded.seen, True, venues_of(folded.state))
                try:
                    entries = self._admitted(order, folded, self._decide(order, folded))
                except Refusal:
                    if folded.unsure:
                        continue
                    if earlier := self._earlier(order, folded):
                        return Receipt(earlier, folded.seen, True, venues_of(folded.state))
                    raise
                if not entries and folded.unsure:
                    continue
                if not entries:
                    earlier = self._earlier(order, folded)
                    return Receipt(earlier, folded.seen, bool(earlier), venues_of(folded.state))
                try:
                    recorded = append(
                        self.database,
                        self.source,
                        order.tournament,
                        folded.heads[self.source],
                        entries,
                        self._stamp(order, folded),
                        self._beside(order, entries),
                        nothing_newer=self._copies(folded) if folded.unsure else None,
                    )
                except HeadMoved:
                    metrics.DECIDE_RETRIES.labels(self.source).inc()
                    continue
                folded.take(recorded)
                receipt = Receipt(recorded, folded.seen, venues=venues_of(folded.state))
            self._after()
            return receipt
        raise Busy(f"{ATTEMPTS} others were faster; nothing was appended.", retry_after=1)

    def preview(self, order: Order) -> tuple[Folded, Tournament, list[Event]]:
        """What the command would append, and the state that would follow; nothing is appended.

        Returns the state as it is, a state of its own as it would be, and the events. Raises as `run` does.
        """
        with self.folds.now(order.tournament) as folded:
            events = list(self._decide(order, folded))
            after = folded.state.copy()
            entries = self._admitted(order, folded, events)
            head = folded.heads[self.source]
            for recorded in chained(self.source, order.tournament, head, entries, self._stamp(order, folded)):
                evolve(after, recorded)
            before = Folded(folded.state.copy(), dict(folded.heads))
        return before, after, events

    def _decide(self, order: Order, folded: Folded) -> Sequence[Event]:
        if order.admit is not None:
            order.admit(folded.state)
        kind = type(order.command)
        if kind in self._venues:
            keep_to_venue(folded.state, order.by, self._venues[kind](folded.state, order.command))
        if order.version is not None:
            head = folded.heads[self.source].position
            touched = self._versions[kind](folded.state, order.command) if kind in self._versions else head
            if not touched <= order.version <= head:
                raise PreconditionFailed("Somebody changed this since you read it.", etag=etag(self.source, head))
        context = Context(order.by, self._clock(), dict(folded.heads), self.source)
        return self._decisions[kind](folded.state, order.command, context)

    def _admitted(self, order: Order, folded: Folded, events: Sequence[Event]) -> list[Entry]:
        """The events as the log takes them. Raises InvalidRequest, QuotaReached and SignUpsPaused."""
        entries = entries_of(events)
        need_room(folded.state, self.source, order.by, self._clock(), entries)
        return entries

    def _beside(self, order: Order, entries: Sequence[Entry]) -> Also | None:
        projection = self._projection
        if projection is None or not any(entry.type in projection.types for entry in entries):
            return order.also

        def write(connection: Connection, recorded: Sequence[Recorded]) -> None:
            projection.write(connection, recorded)
            if order.also is not None:
                order.also(connection, recorded)

        return write

    def _copies(self, folded: Folded) -> dict[str, Head]:
        return {source: head for source, head in folded.heads.items() if source != self.source}

    def _stamp(self, order: Order, folded: Folded) -> Stamp:
        seen = {source: head.position for source, head in folded.heads.items() if source != self.source}
        return Stamp(order.by.line(own_venue(folded.state, order.by)), order.command_id, self._clock(), seen)

    def _earlier(self, order: Order, folded: Folded) -> list[Recorded]:
        """What this command appended when it came before. Raises as `admit` does, and IdempotencyKeyReused."""
        if not order.key:
            return []
        if order.admit is not None:
            order.admit(folded.state)
        ids = (order.command_id, *order.other_ids)
        found: list[Recorded] = []
        with self.database.reading() as connection:
            for key in dict.fromkeys(key_of(id) or "" for id in ids):
                found = found or events_of_command(connection, self.source, order.tournament, key)
        if found and found[0].command_id not in ids:
            said = "with another request, or before the token keys of this installation were exchanged"
            raise IdempotencyKeyReused(f"This Idempotency-Key came before, {said}.", key=order.key)
        return found


def entry_of(event: Event) -> Entry:
    """An event as the log takes it: its catalogue version, its canonical data. Raises NotCanonical."""
    name = type(event).__name__
    return Entry(name, CATALOGUE[name].version, canonical(event))


def entries_of(events: Sequence[Event]) -> list[Entry]:
    """Events as the log takes them. Raises InvalidRequest when they hold what no event can."""
    try:
        return [entry_of(event) for event in events]
    except NotCanonical as found:
        expected = "text, whole numbers up to 2^53 - 1, lists and objects with names in ASCII"
        raise InvalidRequest("The log cannot hold this.", [Fault(found.where, found.said, expected)]) from found


def venues_of(state: Tournament) -> dict[str, str]:
    """What people call the venues of a tournament, by id."""
    return {venue.id: venue.name for venue in state.entries.venues.values()}


def told(recorded: Recorded, venues: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A recorded event as answers show it. venues: what people call them, for the actor line."""
    by = actor_of(recorded.actor)
    return {
        "id": recorded.id,
        "source": recorded.source,
        "type": recorded.type,
        "position": recorded.position,
        "time": recorded.time,
        "actor": line_of(by, venues),
        "by": {name: value for name in by.__struct_fields__ if (value := getattr(by, name))},
        "data": msgspec.json.decode(recorded.data),
    }
