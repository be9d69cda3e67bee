"""Places in the public feed: an event gets one when it and all that its appender had seen are here.

`public_feed` is the one order over the events of every source, without gaps, with the mark of everything up to each
place. `public_feed_logs` has the position up to which each log is in it. The one row of `public_feed_recopies` has the
last recopy for which the feed was mended; places are given under its lock.

Whoever holds the lock may give places: the worker does, now and then, and so does whoever reads. A place is given
after the commit of the event and never taken back, with one exception: where a copy is made anew (a recopy), the events
that were there are gone, and everything from the first of them on gets its place anew. Cursors from there on are of a
feed that is no more, and are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby

import msgspec

from shared.log.database import Connection, Database
from shared.log.event import seen_of

BEGINNING = "0" * 32
"""The mark before the first event."""


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """An event of one tournament that has no place yet. seen: source -> position that its appender had read."""

    source: str
    position: int
    time: str
    hash: str
    seen: Mapping[str, int]


def next_in_order(waiting: Iterable[Waiting], placed: Mapping[str, int]) -> list[Waiting]:
    """Those of a tournament's waiting events that can have their place now, in order.

    waiting: of each source in the order of its log. placed: source -> position up to which its log has places; an event
    that had seen more than that waits on, and what follows it in its log with it. What somebody had seen of a source
    that is not named there is passed over, since it never comes here.
    Of events that could both be next, the one that was appended earlier by its owner's clock is.
    """
    logs: dict[str, list[Waiting]] = {}
    for event in waiting:
        logs.setdefault(event.source, []).append(event)
    ends, found = dict(placed), []
    begun = dict.fromkeys(logs, 0)
    while ready := [
        log[begun[source]]
        for source, log in logs.items()
        if begun[source] < len(log) and _ready(log[begun[source]], ends)
    ]:
        event = min(ready, key=lambda event: (event.time, event.source))
        begun[event.source] += 1
        ends[event.source] = event.position
        found.append(event)
    return found


def mark_after(mark: str, hash: str) -> str:
    """The mark of a place: a digest of the mark before it and of the event there.

    So it stands for everything in the feed up to here, in this order, and for no other feed.
    """
    return sha256(f"{mark}{hash}".encode()).hexdigest()[:32]


def _ready(event: Waiting, ends: Mapping[str, int]) -> bool:
    others = ((source, position) for source, position in event.seen.items() if source != event.source)
    return all(position <= ends.get(source, position) for source, position in others)


ALL = -1
"""Of what a place opens, everything is read; and so it is where a place opens nothing."""
AT_ONCE = 1000
"""Events, about, that get their place in one transaction; and those of one log that are looked at."""
UNPLACED = """SELECT h.source, h.tournament, coalesce(l.position, 0) FROM heads h
    LEFT JOIN public_feed_logs l ON l.source = h.source AND l.tournament = h.tournament
    WHERE coalesce(l.position, 0) < h.position ORDER BY h.tournament, h.source"""
"""The logs that go further than the feed, and the position up to which the feed has them."""


_FOLLOWERS = ("webhooks",)
"""Tables whose rows are at a place of the feed (`feed`, `opened`): they go back if it is taken back."""
_INSERT = """INSERT INTO public_feed (feed, source, tournament, position, mark)
    VALUES (:feed, :source, :tournament, :position, :mark) ON CONFLICT DO NOTHING"""
_PUT_LOG = """INSERT INTO public_feed_logs (source, tournament, position) VALUES (:source, :tournament, :position)
    ON CONFLICT (source, tournament) DO UPDATE SET position = excluded.position"""
_MENDED = "SELECT recopy FROM public_feed_recopies WHERE one = 1"


class Place(msgspec.Struct, frozen=True):
    """Where something stands in the feed: position and mark."""

    feed: int = 0
    mark: str = BEGINNING


def give_places(database: Database, sources: Sequence[str]) -> None:
    """Give a place to everything that can have one. sources: whose logs are in this database."""
    while True:
        with database.reading() as connection:
            if not connection.rows(UNPLACED) and not _recopied(connection, mended_for(connection)):
                return
        with database.writing() as connection:
            _lock(connection)
            _mend(connection)
            if not _give(connection, sources):
                return


def end_of(connection: Connection) -> Place:
    """The last place that was given; BEGINNING where none was."""
    row = connection.one("SELECT feed, mark FROM public_feed ORDER BY feed DESC LIMIT 1")
    return Place(*row) if row else Place()


def place_at(connection: Connection, feed: int) -> Place:
    """The place at a position of the feed, with the mark of the beginning if there is none."""
    mark = connection.value("SELECT mark FROM public_feed WHERE feed = :feed", feed=feed)
    return Place(feed, BEGINNING if mark is None else mark)


def feed_position(connection: Connection, source: str, tournament: str, position: int) -> int | None:
    """Where in the feed an event is; None if it has no place."""
    sql = "SELECT feed FROM public_feed WHERE source = :source AND tournament = :tournament AND position = :position"
    feed: int | None = connection.value(sql, source=source, tournament=tournament, position=position)
    return feed


def place_of(connection: Connection, mark: str) -> Place | None:
    """The place with a mark; None where there is none."""
    if mark == BEGINNING:
        return Place()
    row = connection.one("SELECT feed, mark FROM public_feed WHERE mark = :mark", mark=mark)
    return Place(*row) if row else None


def damaged_places(connection: Connection) -> list[tuple[str, str]]:
    """Return the first place of the feed that is not what was given, and the logs whose end in the feed is wrong."""
    if _recopied(connection, mended_for(connection)):
        return []  # places are about to be given again
    first, ends = _sound(connection)
    if first <= end_of(connection).feed:
        return [(str(first), "the mark of the place does not follow from the events up to here")]
    logs = connection.rows("SELECT source, tournament, position FROM public_feed_logs")
    held = {(source, tournament): end for source, tournament, end in logs}
    wrong = sorted(held.items() ^ ends.items())
    return [
        (f"{source} {tournament}", f"the feed does not end at position {end} of it")
        for (source, tournament), end in wrong
    ]


def give_places_again(connection: Connection) -> None:
    """Take back the places from the first damaged one on. The same events get them again, in the same order."""
    _lock(connection)
    first, ends = _sound(connection)
    _cut(connection, first)
    connection.run("DELETE FROM public_feed_logs")
    rows = [{"source": source, "tournament": id, "position": end} for (source, id), end in ends.items()]
    connection.run_many(_PUT_LOG, rows)


def _sound(connection: Connection) -> tuple[int, dict[tuple[str, str], int]]:
    """Return the first place that does not follow, or the one behind the end, and where each log ends before it."""
    columns, before = ("f.mark", "source", "tournament", "position", "hash"), Place()
    ends: dict[tuple[str, str], int] = {}
    while rows := connection.placed("public_feed", "", columns, after=before.feed, limit=AT_ONCE):
        for feed, given, source, tournament, position, hash in rows:
            mark = mark_after(before.mark, hash)
            if feed != before.feed + 1 or given != mark:
                return before.feed + 1, ends
            before = Place(feed, mark)
            ends[source, tournament] = position
    return before.feed + 1, ends


def _give(connection: Connection, sources: Sequence[str]) -> int:
    """Give places to about AT_ONCE events; returns to how many."""
    end, rows = end_of(connection), []
    feed, mark = end.feed, end.mark
    for tournament, behind in groupby(connection.rows(UNPLACED), key=lambda log: log[1]):
        sql = "SELECT source, position FROM public_feed_logs WHERE tournament = :tournament"
        held = connection.rows(sql, tournament=tournament)
        placed = {**dict.fromkeys(sources, 0), **dict(held)}
        waiting = [event for source, _, after in behind for event in _waiting(connection, source, tournament, after)]
        ordered = next_in_order(waiting, placed)
        for event in ordered:
            feed, mark = feed + 1, mark_after(mark, event.hash)
            place = {"source": event.source, "tournament": tournament, "position": event.position}
            rows.append({"feed": feed, **place, "mark": mark})
        for source, position in {event.source: event.position for event in ordered}.items():
            connection.run(_PUT_LOG, source=source, tournament=tournament, position=position)
        if len(rows) >= AT_ONCE:
            break
    connection.run_many(_INSERT, rows)
    return len(rows)


def _waiting(connection: Connection, source: str, tournament: str, after: int) -> Iterator[Waiting]:
    sql = """SELECT position, time, hash, seen FROM events
        WHERE source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit"""
    rows = connection.rows(sql, source=source, tournament=tournament, after=after, limit=AT_ONCE)
    for position, time, hash, seen in rows:
        yield Waiting(source, position, time, hash, seen_of(seen))


def _lock(connection: Connection) -> None:
    connection.locked(_MENDED)


def mended_for(connection: Connection) -> int:
    """The number of the last recopy for which the feed was mended."""
    recopy: int = connection.value(_MENDED)
    return recopy


def _recopied(connection: Connection, since: int) -> list[tuple[int, str, str, int]]:
    """Recopies behind that number: number, source, tournament, and up to which position the copy stayed as it was."""
    sql = "SELECT id, source, tournament, kept FROM recopies WHERE id > :since AND under_way = 0 ORDER BY id"
    return [(id, source, tournament, kept) for id, source, tournament, kept in connection.rows(sql, since=since)]


def _mend(connection: Connection) -> None:
    """Take back the places from the first event on that a recopy has replaced."""
    recopies = _recopied(connection, mended_for(connection))
    if not recopies:
        return
    firsts = []
    for _, source, tournament, kept in recopies:
        sql = "SELECT feed FROM public_feed WHERE source = :source AND tournament = :id AND position > :kept"
        firsts += connection.rows(f"{sql} ORDER BY feed LIMIT 1", source=source, id=tournament, kept=kept)
    if firsts:
        _cut(connection, min(feed for (feed,) in firsts))
    connection.run("UPDATE public_feed_recopies SET recopy = :last WHERE one = 1", last=recopies[-1][0])


def _cut(connection: Connection, first: int) -> None:
    """Take back the places from `first` on."""
    sql = """SELECT source, tournament, min(position) - 1 FROM public_feed
        WHERE feed >= :first GROUP BY source, tournament"""
    ends = [
        {"source": source, "tournament": tournament, "position": position}
        for source, tournament, position in connection.rows(sql, first=first)
    ]
    connection.run_many(_PUT_LOG, ends)
    connection.run("DELETE FROM public_feed WHERE feed >= :first", first=first)
    for table in _FOLLOWERS:
        sql = f"UPDATE {table} SET feed = :before, opened = :all WHERE feed >= :first"
        connection.run(sql, first=first, before=first - 1, all=ALL)
