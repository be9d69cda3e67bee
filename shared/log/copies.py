"""Copies of foreign logs: accepted, read up to a cursor, placed in their owner's feed, put aside, replaced.

Accepting is the one rule that gives order, exactly-once and tamper evidence.

A cursor says up to which feed position the feed of a source has been read; nothing behind it is read again. It is moved
by what the owner itself said over HTTP and by nothing else, and goes back when the owner's feed ends before it. What
messages say of feed positions stands beside it (`heard`): it tells where the next question may begin, and counts once
the owner has confirmed that its feed goes so far.

Copies need their places in the owner's feed for nothing. Their owner does, when it has lost its database: its log comes
back from them, and by this its feed, with every event where subscribers counted it, as far as anybody knows.

Events that did not verify are in quarantine, with the reason, until somebody has looked at them. Anybody who may
publish can have events refused, so what messages brought is bounded, and the oldest make room. What an owner itself
said is kept: of each log the first event that does not hold, since nothing behind it can be copied.

A copy that differs from its owner's log is replaced by it (a recopy), on record; what stood there is kept aside. Events
are never changed or removed, and the database refuses it. Its triggers allow one exception: an event may move to
`replaced` while a row of `recopies` says that this log is being copied again. For the service's own log such a row may
be written only during a recovery, which takes a damaged event back from the peers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec

from shared import metrics
from shared.log.database import EVENT_COLUMNS, Connection, Database
from shared.log.event import EMPTY_HEAD, Head, Recorded
from shared.log.log import BrokenLog, verify
from shared.log.outbox import mark_published
from shared.log.reading import hash_at, head_of, heads_of_tournaments, whole_log


class Outcome(StrEnum):
    """What became of a foreign event: it is the copy's new end, was known already, or something before it misses."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    GAP = "gap"


Verdict = Outcome | BrokenLog
InlineProjection = Callable[[Connection, Sequence[Verdict], Sequence[int]], None]
LogKey = tuple[str, str]


def accept_run(database: Database, events: Sequence[Recorded]) -> Outcome:
    """Copy consecutive events of one foreign log, as far as they are new; durable on return.

    GAP: the first one lies beyond the copy's end, nothing was written; fetch what misses from the owner.
    Raises Broken when an event's hash, link or order does not hold, or when a known position carries another hash
    than the copy does (a fork): then nothing of the batch is written.
    """
    verdict = accept_runs(database, [events])[0]
    if isinstance(verdict, BrokenLog):
        raise verdict
    return verdict


def accept_runs(
    database: Database, runs: Sequence[Sequence[Recorded]], also: InlineProjection | None = None
) -> list[Verdict]:
    """Copy several runs of consecutive events in one transaction; durable on return.

    Each run is judged by itself, as `accept` does; a Broken one is returned instead of raised, and the others are
    written all the same. Runs of one log are taken in the order given.
    also: more to write in the same transaction, told what became of each run, and how many events at its end are new.
    """
    verdicts: list[Verdict] = [_verified(run) for run in runs]
    new = [0] * len(runs)
    # In one order everywhere: two writers that meet wait for each other, and never both.
    order = sorted(range(len(runs)), key=lambda index: (runs[index][0].source, runs[index][0].tournament, index))
    with database.writing() as connection:
        known = _heads(connection, [_key_of(run) for run in runs])
        for index in order:
            if not isinstance(verdicts[index], BrokenLog):
                verdicts[index], new[index] = _take(connection, known, runs[index])
        if also is not None:
            also(connection, verdicts, new)
    return verdicts


def _verified(run: Sequence[Recorded]) -> Verdict:
    try:
        verify(run, Head(run[0].position - 1, run[0].prev_hash))
    except BrokenLog as broken:
        return broken
    return Outcome.GAP


def _take(connection: Connection, known: dict[LogKey, Head], run: Sequence[Recorded]) -> tuple[Verdict, int]:
    """Copy what is new of a run; returns what became of it, and how many of its events are new."""
    place = _key_of(run)
    head = known.get(place, EMPTY_HEAD)
    while True:
        if run[0].position > head.position + 1:
            return Outcome.GAP, 0
        behind = [event for event in run if event.position <= head.position]
        new = run[len(behind) :]
        try:
            # Between two hashes that the copy holds as well, a verified chain has no room for another event.
            for event in (behind[0], behind[-1]) if behind else ():
                _require_same(connection, event)
            if new and new[0].prev_hash != head.hash:
                raise BrokenLog(new[0], f"prev_hash is {new[0].prev_hash}, the copy ends with {head.hash}")
        except BrokenLog as broken:
            return broken, 0
        if not new:
            return Outcome.DUPLICATE, 0
        if connection.extend(head, new, own=False):
            known[place] = Head(new[-1].position, new[-1].hash)
            return Outcome.ACCEPTED, len(new)
        head = known[place] = head_of(connection, *place)  # another process was faster


def _key_of(run: Sequence[Recorded]) -> LogKey:
    return run[0].source, run[0].tournament


def _heads(connection: Connection, places: Sequence[LogKey]) -> dict[LogKey, Head]:
    found = heads_of_tournaments(connection, sorted({tournament for _, tournament in places}))
    return {(source, tournament): head for tournament, heads in found.items() for source, head in heads.items()}


def _require_same(connection: Connection, event: Recorded) -> None:
    stored = hash_at(connection, event.source, event.tournament, event.position)
    if stored != event.hash:
        raise BrokenLog(event, f"this position holds {stored} already, the event carries {event.hash}")


_NEW_CURSOR = {"feed": 0, "owner_end": 0, "checked": 0, "heard": 0, "trouble": ""}
_NOTE_CURSOR = """INSERT INTO cursors (source, feed, owner_end, checked, heard, trouble)
    VALUES (:source, :feed, :owner_end, :checked, :heard, :trouble) ON CONFLICT (source) DO UPDATE SET """


class Cursor(msgspec.Struct, frozen=True):
    """feed: read up to here. owner_end: where the owner's feed ended when asked, at `checked` (Unix ms; 0: never).

    trouble: what is wrong with the copies of this source, as catch-up last found it; empty when nothing is.
    """

    source: str
    feed: int
    owner_end: int
    checked: int
    trouble: str = ""

    @property
    def behind(self) -> int:
        """How many events of the owner's feed were not copied when the owner was last asked."""
        return max(0, self.owner_end - self.feed)


def cursor_of(connection: Connection, source: str) -> int:
    """The feed position up to which everything of `source` is copied (or put aside); 0 at first."""
    return cursor_and_claimed(connection, source)[0]


def cursor_and_claimed(connection: Connection, source: str) -> tuple[int, int]:
    """The cursor of `source`, and the feed position up to which messages claim to have brought everything."""
    row = connection.first("SELECT feed, heard FROM cursors WHERE source = :source", source=source)
    feed, heard = row or (0, 0)
    return feed, max(feed, heard)


def move_cursor(connection: Connection, source: str, feed: int) -> None:
    """The owner has shown its feed up to `feed`, and what was in it is copied or put aside; never moves back."""
    _note_cursor(connection, source, "feed = excluded.feed WHERE cursors.feed < excluded.feed", feed=feed)


def note_claimed(connection: Connection, source: str, feed: int) -> None:
    """Messages claim to have brought everything up to `feed`. Stands in the transaction of their copies."""
    _note_cursor(connection, source, "heard = excluded.heard WHERE cursors.heard < excluded.heard", heard=feed)


def reset_claimed(connection: Connection, source: str) -> None:
    """Messages claimed feed positions that the owner has not given: only what the owner says counts again."""
    connection.run("UPDATE cursors SET heard = 0 WHERE source = :source", source=source)


def rewind_cursor(connection: Connection, source: str, feed: int = 0) -> None:
    """Read the owner's feed from behind `feed` again; what is known already is recognised as duplicate."""
    reset_claimed(connection, source)
    connection.run("UPDATE cursors SET feed = :feed WHERE source = :source AND feed > :feed", source=source, feed=feed)


def note_trouble(connection: Connection, source: str, trouble: str) -> None:
    """Remember what is wrong with the copies of `source`, for whoever asks; empty: nothing."""
    _note_cursor(connection, source, "trouble = excluded.trouble", trouble=trouble)


def note_owner_end(connection: Connection, source: str, end: int) -> None:
    """Remember where the owner's feed ended just now."""
    now = int(time.time() * 1000)
    _note_cursor(
        connection, source, "owner_end = excluded.owner_end, checked = excluded.checked", owner_end=end, checked=now
    )


def cursors(connection: Connection) -> list[Cursor]:
    """All cursors, by source."""
    rows = connection.rows("SELECT source, feed, owner_end, checked, trouble FROM cursors ORDER BY source")
    return [Cursor(*row) for row in rows]


def count_copied(connection: Connection, source: str) -> int:
    """How many events of `source` this database holds."""
    return int(connection.value("SELECT coalesce(sum(position), 0) FROM heads WHERE source = :source", source=source))


def _note_cursor(connection: Connection, source: str, change: str, **values: int | str) -> None:
    """Begin a cursor with these values, or change the one that is there."""
    connection.run(_NOTE_CURSOR + change, source=source, **(_NEW_CURSOR | values))


_PLACE_COLUMNS = ("tournament", "position", "hash")


class FeedPlace(msgspec.Struct, frozen=True, gc=False):
    """An event of one source in its feed. hash: of the event."""

    feed: int
    tournament: str
    position: int
    hash: str


def note_places(connection: Connection, source: str, places: Iterable[tuple[int, str, int]]) -> None:
    """Remember feed position, tournament and position of copied events; what is known already stays as it was."""
    rows = [
        {"source": source, "feed": feed, "tournament": tournament, "position": position}
        for feed, tournament, position in places
    ]
    connection.run_many(
        """INSERT INTO copied_feed (source, feed, tournament, position)
            VALUES (:source, :feed, :tournament, :position) ON CONFLICT DO NOTHING""",
        rows,
    )


def last_place(connection: Connection, source: str) -> FeedPlace | None:
    """The event furthest in the feed of `source` whose copy is held here; None where there is none."""
    rows = connection.placed("copied_feed", source, _PLACE_COLUMNS, after=0, limit=1, last=True)
    return FeedPlace(*rows[0]) if rows else None


def places_after(connection: Connection, source: str, after: int, limit: int) -> list[FeedPlace]:
    """At most `limit` copied events behind a feed position of `source`, in the order of its feed."""
    return [
        FeedPlace(*row) for row in connection.placed("copied_feed", source, _PLACE_COLUMNS, after=after, limit=limit)
    ]


def forget_places(connection: Connection, source: str, tournament: str, kept: int) -> None:
    """Events of a log behind position `kept` are no longer copied here."""
    sql = "DELETE FROM copied_feed WHERE source = :source AND tournament = :tournament AND position > :kept"
    connection.run(sql, source=source, tournament=tournament, kept=kept)


LogPosition = tuple[str, int]
"""Tournament and position."""


class RebuiltFeed(msgspec.Struct, frozen=True):
    """end: of the feed. guessed: positions that nobody knew the event of. waiting: events that get the next ones."""

    end: int
    guessed: int
    waiting: int


def rebuild_feed(
    database: Database, source: str, kept: int, places: Mapping[int, LogPosition], end: int
) -> RebuiltFeed:
    """Give the own events behind feed position `kept` the positions that subscribers know them by, up to `end`.

    places: feed position -> the event there. A position that is not among them, or whose event is lost, gets an event
    that has none; where there is none left, the one before it once more, since a feed has no gaps. What is left then
    waits for the relay. Positions up to `end` count as published.
    """
    with database.writing() as connection:
        connection.lock_rows("SELECT name FROM relay WHERE name = 'relay'")
        connection.run("DELETE FROM feed WHERE feed > :kept", kept=kept)
        own = _own_events(connection, source)
        rows_of_feed = connection.rows("SELECT feed, tournament, position FROM feed")
        laid: dict[LogPosition, int] = {(tournament, position): feed for feed, tournament, position in rows_of_feed}
        known = {feed: event for feed, event in places.items() if event in own and event not in laid and feed <= end}
        placed = laid.keys() | set(known.values())
        left = iter([event for event in own if event not in placed])
        before = next((event for event, feed in laid.items() if feed == kept), None)
        rows = list(_feed_rows(before, kept, end, known, left))
        connection.run_many(
            "INSERT INTO feed (feed, tournament, position) VALUES (:feed, :tournament, :position)",
            [{"feed": feed, "tournament": event[0], "position": event[1]} for feed, event in rows],
        )
        waiting = [{"tournament": tournament, "position": position} for tournament, position in left]
        connection.run("DELETE FROM outbox")
        connection.run_many(
            "INSERT INTO outbox (tournament, position, cause) VALUES (:tournament, :position, '')", waiting
        )
        mark_published(connection, kept + len(rows))
    return RebuiltFeed(kept + len(rows), sum(feed not in known for feed, _ in rows), len(waiting))


def _own_events(connection: Connection, source: str) -> dict[LogPosition, None]:
    sql = "SELECT tournament, position FROM events WHERE source = :source ORDER BY time, tournament, position"
    return dict.fromkeys(connection.rows(sql, source=source))


def _feed_rows(
    before: LogPosition | None, kept: int, end: int, known: Mapping[int, LogPosition], left: Iterator[LogPosition]
) -> Iterator[tuple[int, LogPosition]]:
    for feed in range(kept + 1, end + 1):
        event = known.get(feed) or next(left, None) or before
        if event is None:
            return  # nothing at all is known
        before = event
        yield feed, event


MESSAGES_KEPT = 100
"""Refused events of each source that came by messages."""
KEPT_BYTES = 16 * 1024
"""Of each event, as it arrived."""
LONGEST_REASON = 500
_PUT_CASE = """INSERT INTO quarantine (source, tournament, position, reason, origin, body, time)
    VALUES (:source, :tournament, :position, :reason, :origin, :body, :time)"""
_CASES_OF_LOG = "FROM quarantine WHERE source = :source AND tournament = :tournament"
FORK, FOLD, DAMAGED = "fork", "fold", "damaged"
STORED_ORIGINS = (FORK, FOLD, DAMAGED)
"""Origins of cases about an event that this database holds; the others wait for one that it does not hold yet."""


class Case(msgspec.Struct, frozen=True):
    """A refused event that still matters: which, why, where it came from, since when (RFC 3339).

    origin: `message` (the broker brought it), `owner` (the owner's log holds it), `newer` and `early` (true, and to be
    copied after an upgrade, or behind the announcement of its tournament), `fork` (the owner's log holds it at a
    position for which the copy holds another event: only a new copy can heal that), `fold` (this database holds it, and
    no state can be made from it), or `damaged` (this database holds it, and it is not the event that was recorded).
    """

    source: str
    tournament: str
    position: int
    reason: str
    origin: str
    time: str


def quarantine_event(database: Database, event: Recorded, reason: str, origin: str, body: bytes) -> bool:
    """Keep a refused event with its reason; returns False when the same was kept before, or an earlier one of its log
    that its owner holds.

    origin: as in Case. body: the event as it arrived; its beginning is kept.
    """
    return _keep_case(database, (event.source, event.tournament, event.position), reason, origin, body)


def quarantine_unreadable(
    database: Database, source: str, tournament: str, position: int, reason: str, origin: str = FOLD
) -> bool:
    """Note that a log of this database is unreadable at a position; return False if that was noted before.

    origin: FOLD or DAMAGED.
    """
    return _keep_case(database, (source, tournament, position), reason, origin, b"")


def _keep_case(database: Database, place: tuple[str, str, int], reason: str, origin: str, body: bytes) -> bool:
    source, tournament, position = place
    row = {
        "source": source,
        "tournament": tournament,
        "position": position,
        "reason": reason[:LONGEST_REASON],
        "origin": origin,
        "body": body[:KEPT_BYTES],
        "time": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    with database.writing() as connection:
        if _is_case_kept(connection, row):
            return False
        connection.run(_PUT_CASE, **row)
        if origin == "message":
            metrics.QUARANTINE_DROPPED.labels(source).inc(_make_room(connection, source))
    return True


def _is_case_kept(connection: Connection, row: Mapping[str, Any]) -> bool:
    """Whether the same was kept, or an earlier event of its log that its owner holds and the copy has not passed."""
    if row["origin"] == "message":
        same = f"SELECT id {_CASES_OF_LOG} AND origin = :origin AND position = :position AND reason = :reason"
        return connection.first(same, **row) is not None
    passed = -1 if row["origin"] in STORED_ORIGINS else head_of(connection, row["source"], row["tournament"]).position
    earlier = f"SELECT id {_CASES_OF_LOG} AND origin = :origin AND position > :passed AND position <= :position"
    return connection.first(earlier, passed=passed, **row) is not None


def _make_room(connection: Connection, source: str) -> int:
    """Forget the oldest of what messages brought, beyond what is kept; returns how many."""
    brought = "FROM quarantine WHERE source = :source AND origin = 'message'"
    return connection.run(
        f"DELETE {brought} AND id <= (SELECT id {brought} ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        source=source,
        kept=MESSAGES_KEPT,
    )


def close_cases(connection: Connection, source: str, tournament: str, origins: Sequence[str] = ()) -> int:
    """Forget the cases of a log, all of them or those of some origins; returns how many there were."""
    sql = f"DELETE {_CASES_OF_LOG}" + (" AND origin IN (:origins)" if origins else "")
    return connection.run(sql, source=source, tournament=tournament, origins=list(origins))


def open_cases(connection: Connection) -> list[Case]:
    """The refused events that the copies have not moved past, oldest first."""
    rows = connection.rows("SELECT source, tournament, position, reason, origin, time FROM quarantine ORDER BY id")
    cases = [Case(*row) for row in rows]
    heads = heads_of_tournaments(connection, sorted({case.tournament for case in cases}))
    return [
        case
        for case in cases
        if case.origin in STORED_ORIGINS
        or case.position > heads.get(case.tournament, {}).get(case.source, EMPTY_HEAD).position
    ]


_OF_LOG = "source = :source AND tournament = :tournament"
_RECORD_RECOPY = """INSERT INTO recopies (source, tournament, actor, reason, time, old_position, old_hash, kept,
    new_position, new_hash, under_way)
    VALUES (:source, :tournament, :actor, :reason, :time, :old_position, :old_hash, :kept, :new_position, :new_hash, 1)
    RETURNING id"""


class CopyMoved(Exception):
    """Somebody else wrote to the copy at the same moment; nothing was replaced."""


class Recopied(msgspec.Struct, frozen=True):
    """id: of the record. old, new: where the copy ended, and ends. kept: events from the first on that were the same.

    replaced: events that were set aside. cases: of quarantine, that this has closed.
    """

    id: int
    old: Head
    new: Head
    kept: int
    replaced: int
    cases: int


def recopy(
    database: Database, source: str, tournament: str, events: Sequence[Recorded], *, actor: str, reason: str, time: str
) -> Recopied:
    """Make a log equal to `events`: a copy to its owner's log as far as it may be copied, or the own log as mended.

    One transaction: the record, the events set aside, the new ones, the head; snapshots and cases of quarantine go.
    Raises Broken for events that are no log, Overtaken, and the database's error for the own log outside a recovery.
    """
    new = verify(events)
    log = {"source": source, "tournament": tournament}
    with database.writing() as connection:
        connection.lock_rows(f"SELECT position FROM heads WHERE {_OF_LOG}", **log)
        old = head_of(connection, source, tournament)
        held = whole_log(connection, source, tournament)
        kept = _count_same(held, events)
        head = Head(kept, events[kept - 1].hash) if kept else EMPTY_HEAD
        id = connection.value(
            _RECORD_RECOPY,
            **log,
            actor=actor,
            reason=reason,
            time=time,
            old_position=old.position,
            old_hash=old.hash,
            kept=kept,
            new_position=new.position,
            new_hash=new.hash,
        )
        if (len(held), old) != (kept, head):
            behind = f"FROM events WHERE {_OF_LOG} AND position > :kept"
            set_aside = f"INSERT INTO replaced (recopy, {EVENT_COLUMNS}) SELECT :id, {EVENT_COLUMNS} {behind}"
            connection.run(set_aside, **log, kept=kept, id=id)
            connection.run(f"DELETE {behind}", **log, kept=kept)
            if kept:
                move = f"UPDATE heads SET position = :position, hash = :hash WHERE {_OF_LOG}"
                connection.run(move, **log, position=kept, hash=head.hash)
            else:
                connection.run(f"DELETE FROM heads WHERE {_OF_LOG}", **log)
            forget_places(connection, source, tournament, kept)
        if (rest := events[kept:]) and not connection.extend(head, rest, own=False):
            raise CopyMoved(f"the copy of {source} {tournament}")
        connection.run("DELETE FROM snapshots WHERE tournament = :tournament", tournament=tournament)
        cases = close_cases(connection, source, tournament)
        connection.run("UPDATE recopies SET under_way = 0 WHERE id = :id", id=id)
    return Recopied(id, old, new, kept, len(held) - kept, cases)


def last_recopy(connection: Connection, tournament: str) -> int:
    """The number of the last recopy of any log of a tournament; 0 when there was none."""
    sql = "SELECT coalesce(max(id), 0) FROM recopies WHERE tournament = :tournament"
    last: int = connection.value(sql, tournament=tournament)
    return last


def _count_same(held: Sequence[Recorded], events: Sequence[Recorded]) -> int:
    """How many events from the first on are the same in both."""
    number = 0
    for one, other in zip(held, events, strict=False):
        if one != other:
            break
        number += 1
    return number
