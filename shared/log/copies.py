"""Verified copies of foreign logs: acceptance, cursors, feed positions, quarantine and recopies.

Acceptance alone gives order, exactly-once and tamper evidence.

A cursor is the feed position up to which the feed of a source has been read. Only answers of the owner over HTTP move
it, and it moves back when the owner's feed ends before it. The feed positions that messages claim are stored separately
(`heard`): the next request may start there, and they count once the owner confirms that its feed reaches that far.

Copies do not need their positions in the owner's feed. An owner that has lost its database does: it restores its log
from the copies, and its feed with every event at the position that subscribers know.

Events that did not verify are kept in quarantine with the reason until a person has looked at them. Anyone who may
publish can have events refused, so quarantined messages are bounded, and the oldest are dropped. Of an owner's log the
first invalid event is always kept, since no later event can be copied.

A recopy replaces a copy that differs from its owner's log. It is recorded, and the old events are kept. Triggers refuse
to change or remove events with one exception: an event may move to `replaced` while a row of `recopies` says that its
log is being recopied. For the service's own log such a row is allowed only during a recovery, which takes damaged
events back from the peers.
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
    """The result of offering foreign events: appended, already present, or preceded by missing events."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    GAP = "gap"


Verdict = Outcome | BrokenLog
InlineProjection = Callable[[Connection, Sequence[Verdict], Sequence[int]], None]
LogKey = tuple[str, str]


def accept_run(database: Database, events: Sequence[Recorded]) -> Outcome:
    """Append the new events of a consecutive run of one foreign log to its copy; durable on return.

    Return GAP, with nothing written, if events before the run are missing; fetch them from the owner.
    Raises BrokenLog, with nothing written, if the chain is invalid or the copy holds another event at a position
    (a fork).
    """
    verdict = accept_runs(database, [events])[0]
    if isinstance(verdict, BrokenLog):
        raise verdict
    return verdict


def accept_runs(
    database: Database, runs: Sequence[Sequence[Recorded]], inline_projection: InlineProjection | None = None
) -> list[Verdict]:
    """Append several runs of consecutive events in one transaction; durable on return.

    Each run is accepted separately, as by `accept_run`. A BrokenLog is returned instead of raised, and the other runs
    are written. Runs of one log are processed in the given order.
    inline_projection: does further writes in the same transaction. Its arguments are the verdict of each run and the
    number of new events at the end of the run.
    """
    verdicts: list[Verdict] = [_verified(run) for run in runs]
    new = [0] * len(runs)
    # All writers use the same order, so that two of them cannot deadlock.
    order = sorted(range(len(runs)), key=lambda index: (runs[index][0].source, runs[index][0].tournament, index))
    with database.writing() as connection:
        known = _heads(connection, [_key_of(run) for run in runs])
        for index in order:
            if not isinstance(verdicts[index], BrokenLog):
                verdicts[index], new[index] = _append_new(connection, known, runs[index])
        if inline_projection is not None:
            inline_projection(connection, verdicts, new)
    return verdicts


def _verified(run: Sequence[Recorded]) -> Verdict:
    try:
        verify(run, Head(run[0].position - 1, run[0].prev_hash))
    except BrokenLog as broken:
        return broken
    return Outcome.GAP


def _append_new(connection: Connection, known: dict[LogKey, Head], run: Sequence[Recorded]) -> tuple[Verdict, int]:
    """Append the new events of a run. Return the verdict and the number of new events."""
    place = _key_of(run)
    head = known.get(place, EMPTY_HEAD)
    while True:
        if run[0].position > head.position + 1:
            return Outcome.GAP, 0
        present = [event for event in run if event.position <= head.position]
        new = run[len(present) :]
        try:
            # If the first and the last hash match, a verified chain cannot differ between them.
            for event in (present[0], present[-1]) if present else ():
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
        head = known[place] = head_of(connection, *place)  # another process appended first


def _key_of(run: Sequence[Recorded]) -> LogKey:
    return run[0].source, run[0].tournament


def _heads(connection: Connection, places: Sequence[LogKey]) -> dict[LogKey, Head]:
    known = heads_of_tournaments(connection, sorted({tournament for _, tournament in places}))
    return {(source, tournament): head for tournament, heads in known.items() for source, head in heads.items()}


def _require_same(connection: Connection, event: Recorded) -> None:
    stored = hash_at(connection, event.source, event.tournament, event.position)
    if stored != event.hash:
        raise BrokenLog(event, f"this position holds {stored} already, the event carries {event.hash}")


_NEW_CURSOR = {"feed": 0, "owner_end": 0, "checked": 0, "heard": 0, "trouble": ""}
_NOTE_CURSOR = """INSERT INTO cursors (source, feed, owner_end, checked, heard, trouble)
    VALUES (:source, :feed, :owner_end, :checked, :heard, :trouble) ON CONFLICT (source) DO UPDATE SET """


class Cursor(msgspec.Struct, frozen=True):
    """The state of reading one source's feed.

    feed: position up to which the feed is read. owner_end: the end of the owner's feed when it was last asked.
    checked: the time of that request (Unix ms; 0: never). trouble: the problem that catch-up last found with the copies
    of this source; empty if there is none.
    """

    source: str
    feed: int
    owner_end: int
    checked: int
    trouble: str = ""

    @property
    def behind(self) -> int:
        """The number of uncopied events in the owner's feed when the owner was last asked."""
        return max(0, self.owner_end - self.feed)


def cursor_of(connection: Connection, source: str) -> int:
    """Return the feed position up to which events of `source` are copied or quarantined; 0 at first."""
    return cursor_and_claimed(connection, source)[0]


def cursor_and_claimed(connection: Connection, source: str) -> tuple[int, int]:
    """Return the cursor of `source`, and the feed position up to which the messages are said to be complete."""
    row = connection.first("SELECT feed, heard FROM cursors WHERE source = :source", source=source)
    feed, claimed = row or (0, 0)
    return feed, max(feed, claimed)


def move_cursor(connection: Connection, source: str, feed: int) -> None:
    """Move the cursor forward to `feed`, up to which the owner's events are copied or quarantined."""
    _note_cursor(connection, source, "feed = excluded.feed WHERE cursors.feed < excluded.feed", feed=feed)


def note_claimed(connection: Connection, source: str, feed: int) -> None:
    """Store `feed`, up to which the messages are said to be complete, in the transaction of their copies."""
    _note_cursor(connection, source, "heard = excluded.heard WHERE cursors.heard < excluded.heard", heard=feed)


def reset_claimed(connection: Connection, source: str) -> None:
    """Discard the feed positions that messages claimed, because the owner has not assigned them."""
    connection.run("UPDATE cursors SET heard = 0 WHERE source = :source", source=source)


def rewind_cursor(connection: Connection, source: str, feed: int = 0) -> None:
    """Move the cursor back to `feed`, so that the owner's feed is read again; known events count as duplicates."""
    reset_claimed(connection, source)
    connection.run("UPDATE cursors SET feed = :feed WHERE source = :source AND feed > :feed", source=source, feed=feed)


def note_trouble(connection: Connection, source: str, trouble: str) -> None:
    """Store the problem with the copies of `source`; empty if there is none."""
    _note_cursor(connection, source, "trouble = excluded.trouble", trouble=trouble)


def note_owner_end(connection: Connection, source: str, end: int) -> None:
    """Store the current end of the owner's feed."""
    now = int(time.time() * 1000)
    _note_cursor(
        connection, source, "owner_end = excluded.owner_end, checked = excluded.checked", owner_end=end, checked=now
    )


def cursors(connection: Connection) -> list[Cursor]:
    """Return all cursors, ordered by source."""
    rows = connection.rows("SELECT source, feed, owner_end, checked, trouble FROM cursors ORDER BY source")
    return [Cursor(*row) for row in rows]


def count_copied(connection: Connection, source: str) -> int:
    """Return the number of events of `source` in this database."""
    return int(connection.value("SELECT coalesce(sum(position), 0) FROM heads WHERE source = :source", source=source))


def _note_cursor(connection: Connection, source: str, change: str, **values: int | str) -> None:
    """Insert a cursor with these values, or change the existing one."""
    connection.run(_NOTE_CURSOR + change, source=source, **(_NEW_CURSOR | values))


_PLACE_COLUMNS = ("tournament", "position", "hash")


class FeedPlace(msgspec.Struct, frozen=True, gc=False):
    """An event at its position in its owner's feed."""

    feed: int
    tournament: str
    position: int
    hash: str


def note_places(connection: Connection, source: str, places: Iterable[tuple[int, str, int]]) -> None:
    """Store (feed position, tournament, position) of copied events; existing rows stay unchanged."""
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
    """Return the copied event with the highest feed position of `source`, or None."""
    rows = connection.feed_rows("copied_feed", source, _PLACE_COLUMNS, after=0, limit=1, last=True)
    return FeedPlace(*rows[0]) if rows else None


def places_after(connection: Connection, source: str, after: int, limit: int) -> list[FeedPlace]:
    """Return at most `limit` copied events after a feed position of `source`, in feed order."""
    return [
        FeedPlace(*row) for row in connection.feed_rows("copied_feed", source, _PLACE_COLUMNS, after=after, limit=limit)
    ]


def forget_places(connection: Connection, source: str, tournament: str, kept: int) -> None:
    """Remove the feed positions of a log's events after position `kept`."""
    sql = "DELETE FROM copied_feed WHERE source = :source AND tournament = :tournament AND position > :kept"
    connection.run(sql, source=source, tournament=tournament, kept=kept)


LogPosition = tuple[str, int]
"""Tournament and position."""


class RebuiltFeed(msgspec.Struct, frozen=True):
    """The result of rebuilding a feed.

    end: its last position. guessed: number of positions whose event no peer knew. waiting: number of events that the
    relay will append to the feed.
    """

    end: int
    guessed: int
    waiting: int


def rebuild_feed(
    database: Database, source: str, kept: int, places: Mapping[int, LogPosition], end: int
) -> RebuiltFeed:
    """Rebuild the own feed after position `kept` up to `end` with the positions that subscribers know.

    places: feed position -> event. A position without a known event gets an event without a position. If there is none
    left, it repeats the previous event, since a feed has no gaps. The remaining events go to the outbox. Positions up
    to `end` count as published.
    """
    with database.writing() as connection:
        connection.lock_rows("SELECT name FROM relay WHERE name = 'relay'")
        connection.run("DELETE FROM feed WHERE feed > :kept", kept=kept)
        own = _own_events(connection, source)
        rows_of_feed = connection.rows("SELECT feed, tournament, position FROM feed")
        in_feed: dict[LogPosition, int] = {(tournament, position): feed for feed, tournament, position in rows_of_feed}
        known = {feed: event for feed, event in places.items() if event in own and event not in in_feed and feed <= end}
        placed = in_feed.keys() | set(known.values())
        unplaced = iter([event for event in own if event not in placed])
        previous = next((event for event, feed in in_feed.items() if feed == kept), None)
        rows = list(_feed_rows(previous, kept, end, known, unplaced))
        connection.run_many(
            "INSERT INTO feed (feed, tournament, position) VALUES (:feed, :tournament, :position)",
            [{"feed": feed, "tournament": event[0], "position": event[1]} for feed, event in rows],
        )
        waiting = [{"tournament": tournament, "position": position} for tournament, position in unplaced]
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
    previous: LogPosition | None,
    kept: int,
    end: int,
    known: Mapping[int, LogPosition],
    unplaced: Iterator[LogPosition],
) -> Iterator[tuple[int, LogPosition]]:
    for feed in range(kept + 1, end + 1):
        event = known.get(feed) or next(unplaced, None) or previous
        if event is None:
            return  # there are no events
        previous = event
        yield feed, event


MESSAGES_KEPT = 100
"""Maximum number of quarantined messages of each source."""
KEPT_BYTES = 16 * 1024
"""Maximum bytes that are kept of a quarantined event."""
LONGEST_REASON = 500
_PUT_CASE = """INSERT INTO quarantine (source, tournament, position, reason, origin, body, time)
    VALUES (:source, :tournament, :position, :reason, :origin, :body, :time)"""
_CASES_OF_LOG = "FROM quarantine WHERE source = :source AND tournament = :tournament"
FORK, FOLD, DAMAGED = "fork", "fold", "damaged"
STORED_ORIGINS = (FORK, FOLD, DAMAGED)
"""Origins of cases about events in this database; cases of other origins wait for an event."""


class Case(msgspec.Struct, frozen=True):
    """A quarantined event. time: since when (RFC 3339).

    origin: one of
    `message`: a message of the broker; `owner`: the owner's log; `newer`: valid, needs an upgrade; `early`: valid,
    needs the announcement of its tournament; `fork`: the copy holds another event at this position, which only a recopy
    can repair; `fold`: an event in this database that cannot be folded; `damaged`: an event in this database that has
    changed since it was recorded.
    """

    source: str
    tournament: str
    position: int
    reason: str
    origin: str
    time: str


def quarantine_event(database: Database, event: Recorded, reason: str, origin: str, body: bytes) -> bool:
    """Quarantine a refused event. Return False if it or an earlier event of the owner's log is quarantined already.

    origin: see Case. body: the event as it arrived; only its beginning is kept.
    """
    return _keep_case(database, (event.source, event.tournament, event.position), reason, origin, body)


def quarantine_unreadable(
    database: Database, source: str, tournament: str, position: int, reason: str, origin: str = FOLD
) -> bool:
    """Record that a log in this database is unreadable at a position. Return False if that is recorded already.

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
    """Return True if the same case exists, or one of an earlier event that the copy has not passed."""
    if row["origin"] == "message":
        same = f"SELECT id {_CASES_OF_LOG} AND origin = :origin AND position = :position AND reason = :reason"
        return connection.first(same, **row) is not None
    passed = -1 if row["origin"] in STORED_ORIGINS else head_of(connection, row["source"], row["tournament"]).position
    earlier = f"SELECT id {_CASES_OF_LOG} AND origin = :origin AND position > :passed AND position <= :position"
    return connection.first(earlier, passed=passed, **row) is not None


def _make_room(connection: Connection, source: str) -> int:
    """Delete the oldest quarantined messages above the limit. Return their number."""
    messages = "FROM quarantine WHERE source = :source AND origin = 'message'"
    return connection.run(
        f"DELETE {messages} AND id <= (SELECT id {messages} ORDER BY id DESC LIMIT 1 OFFSET :kept)",
        source=source,
        kept=MESSAGES_KEPT,
    )


def close_cases(connection: Connection, source: str, tournament: str, origins: Sequence[str] = ()) -> int:
    """Delete the cases of a log, all or those of some origins. Return their number."""
    sql = f"DELETE {_CASES_OF_LOG}" + (" AND origin IN (:origins)" if origins else "")
    return connection.run(sql, source=source, tournament=tournament, origins=list(origins))


def open_cases(connection: Connection) -> list[Case]:
    """Return the cases that the copies have not passed, oldest first."""
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
    """Another writer changed the copy at the same time; nothing was replaced."""


class Recopied(msgspec.Struct, frozen=True):
    """The result of a recopy.

    id: the id of its record. old, new: the heads before and after. kept: number of leading events that were equal.
    replaced: number of events moved to `replaced`. cases: number of closed quarantine cases.
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
    """Make a log equal to `events`: a copy to its owner's log, or the own log to its repaired form.

    One transaction writes the record, moves old events to `replaced`, appends the new ones, and deletes snapshots and
    quarantine cases. Raises BrokenLog for an invalid chain, CopyMoved, and the database's error for the own log outside
    a recovery.
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
            replaced = f"FROM events WHERE {_OF_LOG} AND position > :kept"
            move = f"INSERT INTO replaced (recopy, {EVENT_COLUMNS}) SELECT :id, {EVENT_COLUMNS} {replaced}"
            connection.run(move, **log, kept=kept, id=id)
            connection.run(f"DELETE {replaced}", **log, kept=kept)
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
    """Return the id of the last recopy of any log of a tournament; 0 if there was none."""
    sql = "SELECT coalesce(max(id), 0) FROM recopies WHERE tournament = :tournament"
    last: int = connection.value(sql, tournament=tournament)
    return last


def _count_same(held: Sequence[Recorded], events: Sequence[Recorded]) -> int:
    number = 0
    for old, new in zip(held, events, strict=False):
        if old != new:
            break
        number += 1
    return number
