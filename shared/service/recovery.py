"""Recovery: a service takes back from its peers' verified copies what its own database has lost; recopy, the other way.

Log by log, event by event, each following the hash before it, events that are damaged here in place of those that are
set aside; then its feed, with every event at the position by which subscribers know it; then everything that is made
from logs. Whatever is cut off half-way is gone on with by asking for it again: until it has come to its end nothing is
appended.

Recopy makes the copy of one log anew from its owner, with everything that this service had made from the old one.
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
"""Logs that an answer names at most."""
LOST = 100_000
"""Events that may be lost for good at most: so far beyond all known events may the feed's end lie."""

Heads = Mapping[str, Head]

_log = get_logger("muster.handling")


class Recovery(View, frozen=True):
    """What was taken back from the peers."""

    peers: Annotated[Sequence[str], "Who was asked."]
    events: Annotated[int, "That came back, of all tournaments."]
    tournaments: Annotated[int, "Whose log got events back."]
    feed: Annotated[int, "Where the feed ends now."]
    guessed: Annotated[int, "Feed positions of which no peer knew the event."]
    lost: Annotated[Sequence[str], "Events that are damaged here and that no peer holds. Their logs stay as they are."]
    lost_rows: Annotated[
        Sequence[str], "Rows beside the log that are gone: the rosters of these players, to be handed in again."
    ]


def recover(
    service: Service,
    read_models: Sequence[ReadModel],
    *,
    without: Collection[str] = (),
    feed: int = 0,
    actor: str = "operator",
) -> Recovery:
    """Take back from the peers what they hold of the own log and this database does not, or not undamaged.

    actor: who asked for it, for the record of the events that are set aside.

    without: peers that are not asked. feed: a feed position that a subscriber has read up to, beyond what peers know.
    Raises PeerAway, PeersDisagree, OwnLogForked, FeedBeyond and Busy; what was taken back before stays.
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

    def run(self, read_models: Sequence[ReadModel], feed: int) -> Recovery:
        held = {name: self._peers.heads(name) for name in self._names}
        lasts = {name: last.feed for name in self._names if (last := self._peers.held(name).last)}
        damaged, fault = self._damaged_logs(), self._feed_fault()
        if self._misses_nothing() and not damaged and fault is None and feed <= self._feed_end():
            return Recovery(self._names, 0, 0, self._feed_end(), 0, [], self._service.find_lost_rows())
        with self._database.writing() as connection:
            status.record_peer_status(connection, self._own, "is taking back what it lost")
        mended = {tournament: self._mend(tournament, held) for tournament in damaged}
        unmended = {tournament for tournament, events in mended.items() if events is None}
        self._set_strays_aside()
        tournaments = sorted({tournament for heads in held.values() for tournament in heads} | mended.keys())
        taken = [
            (mended.get(tournament) or 0)
            + self._take_back(tournament, {name: heads.get(tournament, EMPTY_HEAD) for name, heads in held.items()})
            for tournament in tournaments
            if tournament not in unmended
        ]
        if self._forked:
            raise OwnLogForked("This database holds other events than the peers.", self._forked[:FAULTS])
        self._must_be_plausible(feed, lasts)
        kept = self._feed_kept()
        if fault is not None:
            kept = min(kept, max(0, fault.feed - 1))
        end = max(feed, self._feed_end(), *lasts.values())
        laid = rebuild_feed(self._database, self._own, kept, self._places(kept), end)
        for tournament in tournaments:
            self._service.repository.forget(tournament)
        rebuild(self._service, read_models)
        with self._database.writing() as connection:
            # What the peers said of tournaments whose announcement was lost was not copied: it is read once more.
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
        self._service.commit_notifier.ring()
        rows = self._service.find_lost_rows()
        done = Recovery(self._names, sum(taken), sum(map(bool, taken)), laid.end, laid.guessed, self._lost, rows)
        _log.warning("a log was taken back", source=self._own, events=done.events, feed=done.feed, peers=self._names)
        return done

    def _misses_nothing(self) -> bool:
        silent = [name for name in self._service.own_copies.check() if name in self._names]
        if silent:
            raise OwnerUnavailable(f"{silent[0]} does not answer")
        return not any(said.trouble for said in self._service.own_copies.findings() if said.peer not in self._without)

    def _damaged_logs(self) -> list[str]:
        """The tournaments whose own log is not what was recorded, and those of stray rows without a log."""
        with self._database.reading() as connection:
            sql = """SELECT tournament FROM heads WHERE source = :own
                UNION SELECT tournament FROM events WHERE source = :own ORDER BY tournament"""
            tournaments = connection.rows(sql, own=self._own)
        return [tournament for (tournament,) in tournaments if self._is_damaged(tournament)]

    def _is_damaged(self, tournament: str) -> bool:
        with self._database.reading() as connection:
            before = head_of(connection, self._own, tournament)
            log = whole_log(connection, self._own, tournament)
            after = head_of(connection, self._own, tournament)  # others may have appended meanwhile
        try:
            end = verify(log)
        except BrokenLog:
            return True
        return end not in (before, after) and not before.position < end.position < after.position

    def _mend(self, tournament: str, held: Mapping[str, Heads]) -> int | None:
        """Put a damaged log together again, on record; return how many events came from peers, None if it stays."""
        copies = [self._copy_of(name, tournament) for name, heads in held.items() if tournament in heads]
        with self._database.reading() as connection:
            log, head = whole_log(connection, self._own, tournament), head_of(connection, self._own, tournament)
            # The head of a log that nobody knows, with the hash of another log's event: a row whose name has rotted.
            elsewhere = "SELECT count(*) FROM events WHERE source = :own AND hash = :hash"
            if not log and not any(copies) and connection.value(elsewhere, own=self._own, hash=head.hash):
                head = EMPTY_HEAD
        mended = repair_log((self._own, tournament), log, head, copies)
        if mended.forked is not None:
            self._fork(tournament, mended.forked.position, list(self._names))
            return None
        if mended.lost is not None:
            self._lost.append(mended.lost.id)
            return None
        self._set_aside(self._own, tournament, mended.events)
        return mended.taken

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
            raise Busy("Somebody else is taking this log back at the moment.", retry_after=5) from error
        _log.warning("a damaged log was mended", source=source, tournament=tournament, kept=done.kept, record=done.id)

    def _set_strays_aside(self) -> None:
        """Set rows aside that name a service that there is not: their source has rotted."""
        with self._database.reading() as connection:
            rows = connection.rows("SELECT DISTINCT source, tournament FROM events ORDER BY source, tournament")
        for source, tournament in rows:
            if source not in self._service.sources:
                self._set_aside(source, tournament, [])

    def _copy_of(self, peer: str, tournament: str) -> list[Recorded]:
        """A peer's copy of the own log, damaged events too."""
        copy: list[Recorded] = []
        while page := self._peers.events(peer, tournament, copy[-1].position if copy else 0):
            if copy and page[0].position <= copy[-1].position:
                raise InvalidOwnerAnswer(f"{peer} does not go on after {copy[-1].position} of {tournament}")
            copy += page
        return copy

    def _feed_fault(self) -> FeedFault | None:
        with self._database.writing() as connection:
            return feed_fault(connection, self._own)

    def _take_back(self, tournament: str, held: Heads) -> int:
        """Take back one log from whoever holds most of it; returns how many events came."""
        with self._database.reading() as connection:
            head = head_of(connection, self._own, tournament)
            for name, end in held.items():
                if end.position <= head.position and not contains_head(connection, self._own, tournament, end):
                    self._fork(tournament, end.position, [name])
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
                self._fork(tournament, head.position, [best])
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
                    raise Busy("Somebody else is taking this log back at the moment.", retry_after=5)
                if self._service.on_recovered is not None:
                    self._service.on_recovered(connection, page)
            head = end
        return head.position - begun

    def _fork(self, tournament: str, position: int, peers: Sequence[str]) -> None:
        right = expects("events-of-peers", peers=list(peers), position=position)
        self._forked.append(Fault(f"{self._own}/{tournament}", str(position), right))

    def _must_be_plausible(self, feed: int, lasts: Mapping[str, int]) -> None:
        """A feed has one position an event: an end far beyond the events is a slip, or a lie."""
        with self._database.reading() as connection:
            known = count_copied(connection, self._own)
        for name, last in lasts.items():
            if last > known + LOST:
                raise InvalidOwnerAnswer(f"{name} says that the feed goes on to {last}, where {known} events are known")
        if feed > known + LOST:
            right = expects("feed-at-most", most=known + LOST, known=known)
            raise FeedBeyond("The feed cannot have been that long.", [Fault("/feed", str(feed), right)])

    def _feed_end(self) -> int:
        with self._database.reading() as connection:
            return feed_end(connection)

    def _feed_kept(self) -> int:
        """How far the own feed is what the peers know of it."""
        low, high = 0, self._feed_end()
        if self._is_known(high):
            return high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if self._is_known(middle) else (low, middle)
        return low

    def _is_known(self, feed: int) -> bool:
        """Whether no peer knows another event at this position."""
        with self._database.reading() as connection:
            own = [row[:3] for row in feed_hashes(connection, self._own, feed, feed + 1)]
        for name in self._names:
            found = self._peers.places(name, feed - 1, 1) if feed else []
            if found and found[0].feed == feed and own != [(feed, found[0].tournament, found[0].position)]:
                return False
        return True

    def _places(self, kept: int) -> dict[int, LogPosition]:
        """Feed position -> event, as any peer knows it."""
        found: dict[int, FeedPlace] = {}
        for name in self._names:
            for place in self._peers.all_places(name, kept):
                if found.setdefault(place.feed, place) != place:
                    raise PeersDisagree(
                        f"{' and '.join(self._names)} know different events at {place.feed} in the feed."
                    )
        return {feed: (place.tournament, place.position) for feed, place in found.items()}


LISTED = 100
"""Events that an answer names at most."""


class CopiedAnew(Struct, frozen=True):
    """What a recopy did. decided: own events that were decided on what was replaced; they stay.

    refused: why the owner's log was not copied to its end; empty where it was.
    """

    recopied: Recopied
    decided: Sequence[str]
    refused: str


def recopy_log(
    service: Service, read_models: Sequence[ReadModel], source: str, tournament: str, *, actor: str, reason: str
) -> CopiedAnew:
    """Replace the copy of a log by what its owner vouches for now, on record, and make anew what was made from it.

    Raises OwnerAway where the owner does not answer with a log that it vouches for, and Busy.
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
        inbox.backfill(source, tournament)  # what the owner has appended meanwhile, and what is refused of its log
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
    """Ids of own events whose decision had read more of the other log than was kept."""
    own = service.sources[0]
    with service.database.reading() as connection:
        log = whole_log(connection, own, tournament)
    return [event.id for event in log if parse_seen(event.seen).get(source, 0) > kept]
