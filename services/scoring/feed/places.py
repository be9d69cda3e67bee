"""Events get their place in the public feed, once: when they and all that their appender had seen are here.

Whoever holds the lock may give places: the worker does, now and then, and so does whoever reads. A place is given
after the commit of the event and never taken back, with one exception: where a copy is made anew (a recopy), the events
that were there are gone, and everything from the first of them on gets its place anew. Cursors from there on are of a
feed that is no more, and are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from services.scoring.feed.order import BEGINNING, Waiting, mark_after, next_in_order
from services.scoring.tables import PUBLIC_FEED, PUBLIC_FEED_FOLLOWERS, PUBLIC_FEED_LOGS, PUBLIC_FEED_RECOPIES
from shared.eventlog.database import Connection, Database
from shared.eventlog.tables import EVENTS, RECOPIES
from shared.events.recorded import seen_of

ALL = -1
"""Of what a place opens, everything is read; and so it is where a place opens nothing."""
AT_ONCE = 1000
"""Events, about, that get their place in one transaction; and those of one log that are looked at."""
UNPLACED = """SELECT h.source, h.tournament, coalesce(l.position, 0) FROM heads h
    LEFT JOIN public_feed_logs l ON l.source = h.source AND l.tournament = h.tournament
    WHERE coalesce(l.position, 0) < h.position ORDER BY h.tournament, h.source"""
"""The logs that go further than the feed, and the position up to which the feed has them."""


class Place(msgspec.Struct, frozen=True):
    """Where something stands in the feed: position and mark."""

    feed: int = 0
    mark: str = BEGINNING


def give_places(database: Database, sources: Sequence[str]) -> None:
    """Give a place to everything that can have one. sources: whose logs are in this database."""
    while True:
        with database.reading() as connection:
            if not connection.rows(UNPLACED) and not _recopied(connection, _mended(connection)):
                return
        with database.writing() as connection:
            _lock(connection)
            _mend(connection)
            if not _give(connection, sources):
                return


def end_of(connection: Connection) -> Place:
    """The last place that was given; BEGINNING where none was."""
    rows = connection.find(PUBLIC_FEED, columns=("feed", "mark"), order=("-feed",), limit=1)
    return Place(*rows[0]) if rows else Place()


def place_of(connection: Connection, mark: str) -> Place | None:
    """The place with a mark; None where there is none."""
    if mark == BEGINNING:
        return Place()
    rows = connection.find(PUBLIC_FEED, {"mark": mark}, columns=("feed", "mark"), limit=1)
    return Place(*rows[0]) if rows else None


def damaged_places(connection: Connection) -> list[tuple[str, str]]:
    """Return the first place of the feed that is not what was given, and the logs whose end in the feed is wrong."""
    if _recopied(connection, _mended(connection)):
        return []  # places are about to be given again
    first, ends = _sound(connection)
    if first <= end_of(connection).feed:
        return [(str(first), "the mark of the place does not follow from the events up to here")]
    held = {(source, tournament): end for source, tournament, end in connection.find(PUBLIC_FEED_LOGS)}
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
    connection.remove(PUBLIC_FEED_LOGS)
    rows = [{"source": source, "tournament": id, "position": end} for (source, id), end in ends.items()]
    connection.add(PUBLIC_FEED_LOGS, rows)


def _sound(connection: Connection) -> tuple[int, dict[tuple[str, str], int]]:
    """Return the first place that does not follow, or the one behind the end, and where each log ends before it."""
    columns, before = ("source", "tournament", "position", "hash"), Place()
    ends: dict[tuple[str, str], int] = {}
    while rows := connection.placed("public_feed", "", columns, after=before.feed, limit=AT_ONCE):
        marks = dict(
            connection.find(PUBLIC_FEED, {"feed >": before.feed, "feed <=": rows[-1][0]}, columns=("feed", "mark"))
        )
        for feed, source, tournament, position, hash in rows:
            mark = mark_after(before.mark, hash)
            if feed != before.feed + 1 or marks[feed] != mark:
                return before.feed + 1, ends
            before = Place(feed, mark)
            ends[source, tournament] = position
    return before.feed + 1, ends


def _give(connection: Connection, sources: Sequence[str]) -> int:
    """Give places to about AT_ONCE events; returns to how many."""
    end, rows = end_of(connection), []
    feed, mark = end.feed, end.mark
    for tournament, behind in groupby(connection.rows(UNPLACED), key=lambda log: log[1]):
        held = connection.find(PUBLIC_FEED_LOGS, {"tournament": tournament}, columns=("source", "position"))
        placed = {**dict.fromkeys(sources, 0), **dict(held)}
        waiting = [event for source, _, after in behind for event in _waiting(connection, source, tournament, after)]
        ordered = next_in_order(waiting, placed)
        for event in ordered:
            feed, mark = feed + 1, mark_after(mark, event.hash)
            place = {"source": event.source, "tournament": tournament, "position": event.position}
            rows.append({"feed": feed, **place, "mark": mark})
        for source, position in {event.source: event.position for event in ordered}.items():
            connection.put(PUBLIC_FEED_LOGS, {"source": source, "tournament": tournament, "position": position})
        if len(rows) >= AT_ONCE:
            break
    connection.add(PUBLIC_FEED, rows)
    return len(rows)


def _waiting(connection: Connection, source: str, tournament: str, after: int) -> Iterator[Waiting]:
    where = {"source": source, "tournament": tournament, "position >": after}
    columns = ("position", "time", "hash", "seen")
    for position, time, hash, seen in connection.find(
        EVENTS, where, columns=columns, order=("position",), limit=AT_ONCE
    ):
        yield Waiting(source, position, time, hash, seen_of(seen))


def _lock(connection: Connection) -> None:
    if not connection.find(PUBLIC_FEED_RECOPIES, {"one": 1}, lock=True):  # an engine without migrations
        connection.add(PUBLIC_FEED_RECOPIES, [{"one": 1, "recopy": 0}])


def _mended(connection: Connection) -> int:
    rows = connection.find(PUBLIC_FEED_RECOPIES, {"one": 1}, columns=("recopy",))
    return int(rows[0][0]) if rows else 0


def _recopied(connection: Connection, since: int) -> list[tuple[int, str, str, int]]:
    """Recopies behind that number: number, source, tournament, and up to which position the copy stayed as it was."""
    wanted = ("id", "source", "tournament", "kept")
    rows = connection.find(RECOPIES, {"id >": since, "under_way": 0}, columns=wanted, order=("id",))
    return [(id, source, tournament, kept) for id, source, tournament, kept in rows]


def _mend(connection: Connection) -> None:
    """Take back the places from the first event on that a recopy has replaced."""
    recopies = _recopied(connection, _mended(connection))
    if not recopies:
        return
    firsts = []
    for _, source, tournament, kept in recopies:
        where = {"source": source, "tournament": tournament, "position >": kept}
        firsts += connection.find(PUBLIC_FEED, where, columns=("feed",), order=("feed",), limit=1)
    if firsts:
        _cut(connection, min(feed for (feed,) in firsts))
    connection.put(PUBLIC_FEED_RECOPIES, {"one": 1, "recopy": recopies[-1][0]})


def _cut(connection: Connection, first: int) -> None:
    """Take back the places from `first` on."""
    behind = {"feed >=": first}
    rows = connection.find(PUBLIC_FEED, behind, columns=("source", "tournament", "position"), order=("-feed",))
    for source, tournament, position in {row[:2]: row for row in rows}.values():  # of each log the first that goes
        log = {"source": source, "tournament": tournament}
        connection.change(PUBLIC_FEED_LOGS, log, {"position": position - 1})
    connection.remove(PUBLIC_FEED, behind)
    for followers in PUBLIC_FEED_FOLLOWERS:
        connection.change(followers, behind, {"feed": first - 1, "opened": ALL})
