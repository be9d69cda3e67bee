"""Pages of the feed: what one reader sees behind a cursor, in order."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from services.scoring.feed.cursors import Read
from services.scoring.feed.places import ALL, Place, end_of
from services.scoring.feed.views import ResultLine
from services.scoring.feed.visible import Sight
from shared.log.database import Connection
from shared.log.event import Recorded, size_of
from shared.log.reading import ENVELOPE, PAGE_BYTES
from shared.service.views import intact

TOGETHER = 200
"""Places read at once."""
LOOKED_AT = 5000
"""Places that one answer looks at, however few of them its reader sees: the next answer goes on behind them."""


class Item(msgspec.Struct, frozen=True):
    """An event as it is shown. read: how far its reader has read with it.

    result: a game that it is about, for a reader of results.
    """

    event: Recorded
    read: Read
    result: ResultLine | None = None

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        if self.result is not None:
            return len(self.result.json)
        return size_of(self.event.data) + size_of(self.event.command) + ENVELOPE


class FeedPage(msgspec.Struct, frozen=True):
    """items: in order. read: how far their reader has read now. more: there are places behind it already."""

    items: list[Item]
    read: Read
    more: bool


def page_after(connection: Connection, sight: Sight, read: Read, limit: int, most: int = PAGE_BYTES) -> FeedPage:
    """What a reader sees behind `read`: at most `limit` events, and about `most` bytes."""
    end = end_of(connection)
    items: list[Item] = []
    used = 0
    for item in _shown(connection, sight, read, end):
        if isinstance(item, Item):
            used += item.size
            if items and (len(items) == limit or used > most):
                return FeedPage(items, read, True)
            items.append(item)
            read = item.read
        else:
            read = item
            if len(items) == limit:
                break
    return FeedPage(items, read, read.place.feed < end.feed)


def _shown(connection: Connection, sight: Sight, read: Read, end: Place) -> Iterator[Item | Read]:
    """Events that are shown; and, behind those of a place, that everything up to there is read.

    end: the last place that there was before anything was read.
    """
    feed = read.place.feed
    if read.opened != ALL and sight.results is not None:
        feed -= 1  # not all games of its event are read
    looked_at = 0
    while looked_at < LOOKED_AT:
        columns = ("f.mark", *Recorded.__struct_fields__)
        rows = connection.placed("public_feed", "", columns, after=feed, limit=TOGETHER, tournament=sight.tournament)
        if not rows:
            if end.feed > feed:
                yield Read(end)
            return
        for feed, mark, *of_event in rows:
            place = Place(feed, mark)
            (event,) = intact([Recorded(*of_event)])
            if sight.results is not None:
                begun = read.opened if place == read.place else ALL
                yield from _results_at(connection, sight, place, event, begun)
            elif sight.is_there(connection, event.tournament) and sight.asks_for(event):
                yield Item(event, Read(place))
            yield Read(place)
        looked_at += len(rows)


def _results_at(connection: Connection, sight: Sight, place: Place, event: Recorded, begun: int) -> Iterator[Item]:
    """What is shown at one place to a reader of results. begun: the number of the last game that is read; ALL: none."""
    found = sight.results_at(connection, place, event)
    for number, line in enumerate(found):
        if number > begun:
            yield Item(event, Read(place, number if number + 1 < len(found) else ALL), result=line)
