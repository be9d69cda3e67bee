"""Places in the public feed: the one order over the events of all services.

`public_feed` numbers the events of every source without gaps and holds a mark for each place. `public_feed_logs` holds
the position up to which each log is in the feed. The one row of `public_feed_recopies` holds the last recopy that the
feed has handled; whoever gives places locks it.

An event gets its place after its commit, as soon as it and everything that its author had seen are in this database.
The worker gives places at intervals, and readers do before they read. A place is permanent with one exception: a recopy
replaces events of a copied log. Places from the first replaced event on are then given again, and cursors that point
there become invalid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby

import msgspec

from shared.log.database import Connection, Database
from shared.log.event import parse_seen

BEGINNING = "0" * 32
"""The mark of an empty feed."""


class UnplacedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event without a place. seen: source -> the position that its author had read."""

    source: str
    position: int
    time: str
    hash: str
    seen: Mapping[str, int]


def next_in_order(waiting: Iterable[UnplacedEvent], placed: Mapping[str, int]) -> list[UnplacedEvent]:
    """Return the events of a tournament that can get a place now, in their order.

    waiting: in the order of each log. placed: source -> position up to which its log has places. An event that had seen
    more than that keeps waiting, and so does the rest of its log. Sources that are not in `placed` are ignored: their
    events are never copied here. If several events could be next, the one with the earliest time is.
    """
    logs: dict[str, list[UnplacedEvent]] = {}
    for event in waiting:
        logs.setdefault(event.source, []).append(event)
    ends, ordered = dict(placed), []
    next_index = dict.fromkeys(logs, 0)
    while ready := [
        log[next_index[source]]
        for source, log in logs.items()
        if next_index[source] < len(log) and _is_ready(log[next_index[source]], ends)
    ]:
        event = min(ready, key=lambda event: (event.time, event.source))
        next_index[event.source] += 1
        ends[event.source] = event.position
        ordered.append(event)
    return ordered


def mark_after(mark: str, hash: str) -> str:
    """Return the mark of the next place: a digest of the previous mark and the event's hash.

    It identifies the contents and the order of the feed up to there.
    """
    return sha256(f"{mark}{hash}".encode()).hexdigest()[:32]


def _is_ready(event: UnplacedEvent, ends: Mapping[str, int]) -> bool:
    return all(
        position <= ends.get(source, position) for source, position in event.seen.items() if source != event.source
    )


ALL_GAMES = -1
"""In a cursor: every game of the event at this place was read."""
_BATCH_SIZE = 1000
"""Events of one log that are read at once, and the approximate number of places given in one transaction."""
LOGS_BEHIND = """SELECT h.source, h.tournament, coalesce(l.position, 0) FROM heads h
    LEFT JOIN public_feed_logs l ON l.source = h.source AND l.tournament = h.tournament
    WHERE coalesce(l.position, 0) < h.position ORDER BY h.tournament, h.source"""
"""The logs with events that have no place, and the position up to which each is in the feed."""

_TABLES_WITH_PLACES = ("webhooks",)
"""Tables with a cursor (`feed`, `opened`) that moves back if its place is removed."""
_INSERT_PLACE = """INSERT INTO public_feed (feed, source, tournament, position, mark)
    VALUES (:feed, :source, :tournament, :position, :mark) ON CONFLICT DO NOTHING"""
_UPSERT_LOG_END = """INSERT INTO public_feed_logs (source, tournament, position)
    VALUES (:source, :tournament, :position)
    ON CONFLICT (source, tournament) DO UPDATE SET position = excluded.position"""
_HANDLED_RECOPY = "SELECT recopy FROM public_feed_recopies WHERE one = 1"


class Place(msgspec.Struct, frozen=True):
    """A place in the feed: its position, from 1, and its mark. The default is the beginning."""

    feed: int = 0
    mark: str = BEGINNING


def give_places(database: Database, sources: Sequence[str]) -> None:
    """Give places to all events that can have one. sources: the services whose logs are in this database."""
    while True:
        with database.reading() as connection:
            if not connection.rows(LOGS_BEHIND) and not _new_recopies(connection, handled_recopy(connection)):
                return
        with database.writing() as connection:
            _lock_feed(connection)
            _handle_recopies(connection)
            if not _give_batch(connection, sources):
                return


def last_place(connection: Connection) -> Place:
    """Return the last place of the feed, or the beginning if the feed is empty."""
    row = connection.first("SELECT feed, mark FROM public_feed ORDER BY feed DESC LIMIT 1")
    return Place(*row) if row else Place()


def place_at(connection: Connection, feed: int) -> Place:
    """Return the place at a position of the feed. Without such a place, its mark is that of the beginning."""
    mark = connection.value("SELECT mark FROM public_feed WHERE feed = :feed", feed=feed)
    return Place(feed, BEGINNING if mark is None else mark)


def feed_position(connection: Connection, source: str, tournament: str, position: int) -> int | None:
    """Return the position of an event in the feed, or None if it has no place."""
    sql = "SELECT feed FROM public_feed WHERE source = :source AND tournament = :tournament AND position = :position"
    feed: int | None = connection.value(sql, source=source, tournament=tournament, position=position)
    return feed


def find_place(connection: Connection, mark: str) -> Place | None:
    """Return the place with a mark, or None."""
    if mark == BEGINNING:
        return Place()
    row = connection.first("SELECT feed, mark FROM public_feed WHERE mark = :mark", mark=mark)
    return Place(*row) if row else None


def damaged_places(connection: Connection) -> list[tuple[str, str]]:
    """Return the first damaged place, or the logs whose end is recorded wrongly; each with an explanation."""
    if _new_recopies(connection, handled_recopy(connection)):
        return []  # the places are replaced soon
    first, ends = _verify(connection)
    if first <= last_place(connection).feed:
        return [(str(first), "the mark of the place does not follow from the events up to here")]
    logs = connection.rows("SELECT source, tournament, position FROM public_feed_logs")
    recorded = {(source, tournament): end for source, tournament, end in logs}
    wrong = sorted(recorded.items() ^ ends.items())
    return [
        (f"{source} {tournament}", f"the feed does not end at position {end} of it")
        for (source, tournament), end in wrong
    ]


def give_places_again(connection: Connection) -> None:
    """Remove all places from the first damaged one on. The same events then get them again, in the same order."""
    _lock_feed(connection)
    first, ends = _verify(connection)
    _remove_from(connection, first)
    connection.run("DELETE FROM public_feed_logs")
    rows = [{"source": source, "tournament": id, "position": end} for (source, id), end in ends.items()]
    connection.run_many(_UPSERT_LOG_END, rows)


def _verify(connection: Connection) -> tuple[int, dict[tuple[str, str], int]]:
    """Return the first damaged position (or the one after the end), and where each log ends before it."""
    columns, previous = ("f.mark", "source", "tournament", "position", "hash"), Place()
    ends: dict[tuple[str, str], int] = {}
    while rows := connection.feed_rows("public_feed", "", columns, after=previous.feed, limit=_BATCH_SIZE):
        for feed, recorded_mark, source, tournament, position, hash in rows:
            mark = mark_after(previous.mark, hash)
            if feed != previous.feed + 1 or recorded_mark != mark:
                return previous.feed + 1, ends
            previous = Place(feed, mark)
            ends[source, tournament] = position
    return previous.feed + 1, ends


def _give_batch(connection: Connection, sources: Sequence[str]) -> int:
    """Give places to about _BATCH_SIZE events. Return their number."""
    end, rows = last_place(connection), []
    feed, mark = end.feed, end.mark
    for tournament, logs in groupby(connection.rows(LOGS_BEHIND), key=lambda log: log[1]):
        sql = "SELECT source, position FROM public_feed_logs WHERE tournament = :tournament"
        ends = connection.rows(sql, tournament=tournament)
        placed = {**dict.fromkeys(sources, 0), **dict(ends)}
        waiting = [
            event for source, _, after in logs for event in _waiting_events(connection, source, tournament, after)
        ]
        ordered = next_in_order(waiting, placed)
        for event in ordered:
            feed, mark = feed + 1, mark_after(mark, event.hash)
            place = {"source": event.source, "tournament": tournament, "position": event.position}
            rows.append({"feed": feed, **place, "mark": mark})
        for source, position in {event.source: event.position for event in ordered}.items():
            connection.run(_UPSERT_LOG_END, source=source, tournament=tournament, position=position)
        if len(rows) >= _BATCH_SIZE:
            break
    connection.run_many(_INSERT_PLACE, rows)
    return len(rows)


def _waiting_events(connection: Connection, source: str, tournament: str, after: int) -> Iterator[UnplacedEvent]:
    sql = """SELECT position, time, hash, seen FROM events
        WHERE source = :source AND tournament = :tournament AND position > :after ORDER BY position LIMIT :limit"""
    rows = connection.rows(sql, source=source, tournament=tournament, after=after, limit=_BATCH_SIZE)
    for position, time, hash, seen in rows:
        yield UnplacedEvent(source, position, time, hash, parse_seen(seen))


def _lock_feed(connection: Connection) -> None:
    connection.lock_rows(_HANDLED_RECOPY)


def handled_recopy(connection: Connection) -> int:
    """Return the number of the last recopy that the feed has handled."""
    recopy: int = connection.value(_HANDLED_RECOPY)
    return recopy


def _new_recopies(connection: Connection, since: int) -> list[tuple[int, str, str, int]]:
    """Return the recopies after number `since`: number, source, tournament, and the last position that was kept."""
    sql = "SELECT id, source, tournament, kept FROM recopies WHERE id > :since AND under_way = 0 ORDER BY id"
    return [(id, source, tournament, kept) for id, source, tournament, kept in connection.rows(sql, since=since)]


def _handle_recopies(connection: Connection) -> None:
    """Remove the places from the first event on that a recopy has replaced."""
    recopies = _new_recopies(connection, handled_recopy(connection))
    if not recopies:
        return
    replaced = []
    for _, source, tournament, kept in recopies:
        sql = "SELECT feed FROM public_feed WHERE source = :source AND tournament = :id AND position > :kept"
        replaced += connection.rows(f"{sql} ORDER BY feed LIMIT 1", source=source, id=tournament, kept=kept)
    if replaced:
        _remove_from(connection, min(feed for (feed,) in replaced))
    connection.run("UPDATE public_feed_recopies SET recopy = :last WHERE one = 1", last=recopies[-1][0])


def _remove_from(connection: Connection, first: int) -> None:
    sql = """SELECT source, tournament, min(position) - 1 FROM public_feed
        WHERE feed >= :first GROUP BY source, tournament"""
    ends = [
        {"source": source, "tournament": tournament, "position": position}
        for source, tournament, position in connection.rows(sql, first=first)
    ]
    connection.run_many(_UPSERT_LOG_END, ends)
    connection.run("DELETE FROM public_feed WHERE feed >= :first", first=first)
    for table in _TABLES_WITH_PLACES:
        sql = f"UPDATE {table} SET feed = :before, opened = :all WHERE feed >= :first"
        connection.run(sql, first=first, before=first - 1, all=ALL_GAMES)
