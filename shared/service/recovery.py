"""Recovery: restore lost events of the own log from the peers' verified copies. Recopy: replace a copy of a log.

A recovery restores each log event by event, checking the hash chain, and sets damaged events aside. It then restores
the feed, with every event at the position that subscribers know, and rebuilds everything computed from the logs. An
interrupted recovery continues when it is requested again. Until it has finished, the service appends nothing.

A recopy replaces the copy of one log by its owner's log, and rebuilds everything computed from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

from msgspec import Struct

from shared.log.copies import (
    CopyMoved,
    FeedPlace,
    LogPosition,
    Recopied,
    count_copied,
    open_cases,
    rebuild_feed,
    recopy,
    rewind_cursor,
)
from shared.log.event import EMPTY_HEAD, Head, Recorded, parse_seen
from shared.log.log import BrokenLog, repair_log, verify
from shared.log.outbox import FeedFault, feed_end, feed_fault
from shared.log.reading import contains_head, feed_hashes, head_of, whole_log
from shared.logs import get_logger
from shared.messaging import status
from shared.messaging.errors import InvalidOwnerAnswer, LogUnknown, OwnerUnavailable
from shared.messaging.inbox import EARLY
from shared.messaging.peers import Peers
from shared.refusals import Fault, expects
from shared.service.rebuild import ReadModel, rebuild
from shared.service.refusals import Busy, FeedBeyond, OwnerAway, OwnLogForked, PeerAway, PeersDisagree
from shared.service.wiring import Service
from shared.shapes import View

FAULTS = 50
"""Most logs that an answer names."""
LOST = 100_000
"""Most events that may be lost for good: the feed may end at most this far beyond all known events."""

Heads = Mapping[str, Head]

_log = get_logger("muster.handling")


class Recovered(View, frozen=True):
    """The result of a recovery."""

    peers: Annotated[Sequence[str], "The peers that were asked."]
    events: Annotated[int, "Recovered events of all tournaments."]
    tournaments: Annotated[int, "Tournaments whose log recovered events."]
    feed: Annotated[int, "The last position of the feed."]
    guessed: Annotated[int, "Feed positions whose event no peer knew."]
    lost: Annotated[Sequence[str], "Damaged events that no peer holds. Their logs are unchanged."]
    lost_rows: Annotated[Sequence[str], "Private rows that are lost: these players have to submit their rosters again."]


def recover(
    service: Service,
    read_models: Sequence[ReadModel],
    *,
    without: Collection[str] = (),
    feed: int = 0,
    actor: str = "operator",
) -> Recovered:
    """Restore events of the own log that this database has lost, or holds damaged, from the copies of the peers.

    without: peers that are not asked. feed: a feed position that a subscriber has read up to, if no peer knows it.
    actor: recorded with the damaged events that are set aside.
    Raises PeerAway, PeersDisagree, OwnLogForked, FeedBeyond and Busy; events restored before that stay.
    """
    upstream = service.upstream()
    try:
        return _Recovery(service, Peers(service.sources[0], upstream), without, actor).run(read_models, feed)
    except OwnerUnavailable as error:
        raise PeerAway(f"What was taken back so far stays: {error}") from error
    finally:
        upstream.close()


class _Recovery:
    def __init__(self, service: Service, peers: Peers, without: Collection[str], actor: str) -> None:
        self._service = service
        self._database = service.database
        self._own = service.sources[0]
        self._peers = peers
        self._without = [name for name in service.sources[1:] if name in without]
        self._names = [name for name in service.sources[1:] if name not in without]
        self._actor = actor
        self._forked: list[Fault] = []
        self._lost: list[str] = []

    def run(self, read_models: Sequence[ReadModel], feed: int) -> Recovered:
        """Restore the logs, then the feed, then everything that is computed from them."""
        held = {name: self._peers.heads(name) for name in self._names}
        lasts = {name: last.feed for name in self._names if (last := self._peers.held(name).last)}
        damaged, fault = self._damaged_logs(), self._feed_fault()
        if self._is_complete() and not damaged and fault is None and feed <= self._feed_end():
            return Recovered(self._names, 0, 0, self._feed_end(), 0, [], self._service.find_lost_rows())
        with self._database.writing() as connection:
            status.record_peer_status(connection, self._own, "is taking back what it lost")
        repaired = {tournament: self._repair(tournament, held) for tournament in damaged}
        unrepaired = {tournament for tournament, events in repaired.items() if events is None}
        self._set_strays_aside()
        tournaments = sorted({tournament for heads in held.values() for tournament in heads} | repaired.keys())
        restored = [
            (repaired.get(tournament) or 0)
            + self._restore(tournament, {name: heads.get(tournament, EMPTY_HEAD) for name, heads in held.items()})
            for tournament in tournaments
            if tournament not in unrepaired
        ]
        if self._forked:
            raise OwnLogForked("This database holds other events than the peers.", self._forked[:FAULTS])
        self._require_plausible(feed, lasts)
        kept = self._feed_kept()
        if fault is not None:
            kept = min(kept, max(0, fault.feed - 1))
        end = max(feed, self._feed_end(), *lasts.values())
        laid = rebuild_feed(self._database, self._own, kept, self._places(kept), end)
        for tournament in tournaments:
            self._service.repository.forget(tournament)
        rebuild(self._service, read_models)
        with self._database.writing() as connection:
            # Peers' events about tournaments whose announcement was lost were not copied: read them again.
            for source in {case.source for case in open_cases(connection) if case.origin == EARLY}:
                rewind_cursor(connection, source)
            sql = "UPDATE relay SET published = :end WHERE name = 'relay' AND published > :end"
            connection.run(sql, end=laid.end)
            status.remove_peer_status(connection, self._own)
            for name in self._without:
                status.remove_peer_status(connection, name)
        self._service.own_copies.check()
        for tournament in tournaments:
            for source in self._service.sources[1:]:
                self._service.handle_copies(tournament, source)
        self._service.commit_notifier.notify()
        rows = self._service.find_lost_rows()
        count, logs = sum(restored), sum(map(bool, restored))
        recovered = Recovered(self._names, count, logs, laid.end, laid.guessed, self._lost, rows)
        _log.warning("a log was taken back", source=self._own, events=count, feed=laid.end, peers=self._names)
        return recovered

    def _is_complete(self) -> bool:
        """Return True if no peer that was asked is ahead of the own log."""
        silent = [name for name in self._service.own_copies.check() if name in self._names]
        if silent:
            raise OwnerUnavailable(f"{silent[0]} does not answer")
        findings = self._service.own_copies.findings()
        return not any(finding.trouble for finding in findings if finding.peer not in self._without)

    def _damaged_logs(self) -> list[str]:
        """Return the tournaments whose own log is damaged, including stray rows without a log."""
        with self._database.reading() as connection:
            sql = """SELECT tournament FROM heads WHERE source = :own
                UNION SELECT tournament FROM events WHERE source = :own ORDER BY tournament"""
            tournaments = connection.rows(sql, own=self._own)
        return [tournament for (tournament,) in tournaments if self._is_damaged(tournament)]

    def _is_damaged(self, tournament: str) -> bool:
        with self._database.reading() as connection:
            before = head_of(connection, self._own, tournament)
            log = whole_log(connection, self._own, tournament)
            after = head_of(connection, self._own, tournament)  # another process may have appended meanwhile
        try:
            end = verify(log)
        except BrokenLog:
            return True
        return end not in (before, after) and not before.position < end.position < after.position

    def _repair(self, tournament: str, held: Mapping[str, Heads]) -> int | None:
        """Reassemble a damaged log, on record. Return the number of events from peers, None if it is impossible."""
        copies = [self._copy_of(name, tournament) for name, heads in held.items() if tournament in heads]
        with self._database.reading() as connection:
            log, head = whole_log(connection, self._own, tournament), head_of(connection, self._own, tournament)
            # A head without events whose hash belongs to another log: the row's tournament id is corrupt.
            in_another_log = "SELECT count(*) FROM events WHERE source = :own AND hash = :hash"
            if not log and not any(copies) and connection.value(in_another_log, own=self._own, hash=head.hash):
                head = EMPTY_HEAD
        repaired = repair_log((self._own, tournament), log, head, copies)
        if repaired.forked is not None:
            self._note_fork(tournament, repaired.forked.position, list(self._names))
            return None
        if repaired.lost is not None:
            self._lost.append(repaired.lost.id)
            return None
        self._set_aside(self._own, tournament, repaired.events)
        return repaired.taken

    def _set_aside(self, source: str, tournament: str, events: Sequence[Recorded]) -> None:
        try:
            done = recopy(
                self._database,
                source,
                tournament,
                events,
                actor=self._actor,
                reason="recover: events were damaged",
                time=self._service.clock(),
            )
        except CopyMoved as error:
            raise Busy("Another request is restoring this log at the moment.", retry_after=5) from error
        _log.warning("a damaged log was mended", source=source, tournament=tournament, kept=done.kept, record=done.id)

    def _set_strays_aside(self) -> None:
        """Set aside rows whose source is no service: the source is corrupt."""
        with self._database.reading() as connection:
            rows = connection.rows("SELECT DISTINCT source, tournament FROM events ORDER BY source, tournament")
        for source, tournament in rows:
            if source not in self._service.sources:
                self._set_aside(source, tournament, [])

    def _copy_of(self, peer: str, tournament: str) -> list[Recorded]:
        """Return a peer's copy of the own log, including damaged events."""
        copy: list[Recorded] = []
        while page := self._peers.events(peer, tournament, copy[-1].position if copy else 0):
            if copy and page[0].position <= copy[-1].position:
                raise InvalidOwnerAnswer(f"{peer} does not go on after {copy[-1].position} of {tournament}")
            copy += page
        return copy

    def _feed_fault(self) -> FeedFault | None:
        with self._database.writing() as connection:
            return feed_fault(connection, self._own)

    def _restore(self, tournament: str, held: Heads) -> int:
        """Restore one log from the peer that holds most of it. Return the number of events restored."""
        with self._database.reading() as connection:
            head = head_of(connection, self._own, tournament)
            for name, end in held.items():
                if end.position <= head.position and not contains_head(connection, self._own, tournament, end):
                    self._note_fork(tournament, end.position, [name])
                    return 0
        best = max(held, key=lambda name: held[name].position)
        begun = head.position
        while head.position < held[best].position:
            page = self._peers.events(best, tournament, head.position)
            if not page or (page[0].source, page[0].tournament) != (self._own, tournament):
                raise InvalidOwnerAnswer(
                    f"{best} does not go on after {head.position} of {tournament}, as it said it would"
                )
            if page[0].position == head.position + 1 and page[0].prev_hash != head.hash:
                self._note_fork(tournament, head.position, [best])
                break
            try:
                end = verify(page, head)
            except BrokenLog as broken:
                raise InvalidOwnerAnswer(f"{best} holds what is no log: {broken}") from broken
            for event in page:
                for name, other in held.items():
                    if event.position == other.position and event.hash != other.hash:
                        raise PeersDisagree(f"{best} and {name} hold different events as {event.id}.")
            with self._database.writing() as connection:
                if not connection.extend(head, page, own=False):
                    raise Busy("Another request is restoring this log at the moment.", retry_after=5)
                if self._service.on_recovered is not None:
                    self._service.on_recovered(connection, page)
            head = end
        return head.position - begun

    def _note_fork(self, tournament: str, position: int, peers: Sequence[str]) -> None:
        expected = expects("events-of-peers", peers=list(peers), position=position)
        self._forked.append(Fault(f"{self._own}/{tournament}", str(position), expected))

    def _require_plausible(self, feed: int, lasts: Mapping[str, int]) -> None:
        """Refuse a feed end far beyond the number of events: the feed has one position per event."""
        with self._database.reading() as connection:
            known = count_copied(connection, self._own)
        for name, last in lasts.items():
            if last > known + LOST:
                raise InvalidOwnerAnswer(f"{name} says that the feed goes on to {last}, where {known} events are known")
        if feed > known + LOST:
            expected = expects("feed-at-most", most=known + LOST, known=known)
            raise FeedBeyond("The feed cannot have been that long.", [Fault("/feed", str(feed), expected)])

    def _feed_end(self) -> int:
        with self._database.reading() as connection:
            return feed_end(connection)

    def _feed_kept(self) -> int:
        """Return the last position up to which the own feed agrees with the peers."""
        low, high = 0, self._feed_end()
        if self._is_known(high):
            return high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if self._is_known(middle) else (low, middle)
        return low

    def _is_known(self, feed: int) -> bool:
        """Return True if no peer knows a different event at this position."""
        with self._database.reading() as connection:
            own = [row[:3] for row in feed_hashes(connection, self._own, feed, feed + 1)]
        for name in self._names:
            places = self._peers.places(name, feed - 1, 1) if feed else []
            if places and places[0].feed == feed and own != [(feed, places[0].tournament, places[0].position)]:
                return False
        return True

    def _places(self, kept: int) -> dict[int, LogPosition]:
        """Return the event at each feed position after `kept`, as far as any peer knows it."""
        known: dict[int, FeedPlace] = {}
        for name in self._names:
            for place in self._peers.all_places(name, kept):
                if known.setdefault(place.feed, place) != place:
                    raise PeersDisagree(
                        f"{' and '.join(self._names)} know different events at {place.feed} in the feed."
                    )
        return {feed: (place.tournament, place.position) for feed, place in known.items()}


LISTED = 100
"""Most events that an answer names."""


class CopiedAnew(Struct, frozen=True):
    """The result of a recopy. decided: own events whose decision depended on replaced events; they stay.

    refused: why the owner's log was not copied to its end; empty if it was.
    """

    recopied: Recopied
    decided: Sequence[str]
    refused: str


def recopy_log(
    service: Service, read_models: Sequence[ReadModel], source: str, tournament: str, *, actor: str, reason: str
) -> CopiedAnew:
    """Replace the copy of a log by its owner's current, signed log, on record. Rebuild everything computed from it.

    Raises OwnerAway if the owner does not answer with a signed log, and Busy.
    """
    upstream = service.upstream()
    inbox = service.inbox(upstream)
    try:
        events, refused = inbox.logs.whole(source, tournament)
    except LogUnknown:
        events, refused = [], None
    except OwnerUnavailable as error:
        raise OwnerAway(f"Nothing was replaced: {error}") from error
    try:
        done = recopy(service.database, source, tournament, events, actor=actor, reason=reason, time=service.clock())
    except CopyMoved as error:
        raise Busy("The copy was written to at the same moment; nothing was replaced.", retry_after=1) from error
    _log.warning(
        "a copy was made anew",
        source=source,
        tournament=tournament,
        actor=actor,
        reason=reason,
        old=done.old.position,
        new=done.new.position,
        kept=done.kept,
    )
    service.repository.forget(tournament)
    try:
        inbox.backfill(source, tournament)  # events appended meanwhile, and the reason for any refused event
    except OwnerUnavailable as error:
        _log.warning("the copy may miss its last events", source=source, tournament=tournament, error=str(error))
        with service.database.writing() as connection:
            rewind_cursor(connection, source)
    finally:
        upstream.close()
    rebuild(service, read_models, only=tournament)
    service.handle_copies(tournament, source)
    decided = _decided_on(service, source, tournament, done.kept) if done.replaced else []
    return CopiedAnew(done, decided, refused.reason if refused else "")


def _decided_on(service: Service, source: str, tournament: str, kept: int) -> list[str]:
    """Return the ids of own events whose decision had read replaced events of the other log."""
    own = service.sources[0]
    with service.database.reading() as connection:
        log = whole_log(connection, own, tournament)
    return [event.id for event in log if parse_seen(event.seen).get(source, 0) > kept]
