"""Cursors of the feed: everything up to here was read.

`<mark><reader>`, and behind it `~3` if of the games of one event (`view=results`) three more than the first were read.

The mark is a digest of all that stands in the feed up to its place. So a cursor of another installation, of a feed that
was lost with scoring's database, or of places that a recopy took back, is one that this feed never gave out: it is
refused, and nobody goes on from it past something that they have not read. It tells nobody how many events there are
that they do not see.
"""

from __future__ import annotations

import re

import msgspec

from services.scoring.feed.places import ALL, Place, place_of
from services.scoring.feed.refusals import CursorOfAnotherReader, CursorUnknown
from services.scoring.feed.visible import Reader
from shared.log.database import Connection
from shared.refusals import Fault, expects
from shared.web.refusals import InvalidCursor

CURSOR = re.compile(r"([0-9a-f]{32})([0-9a-f]{8})(?:~(0|[1-9][0-9]{0,8}))?")


class Read(msgspec.Struct, frozen=True):
    """How far somebody has read. opened: for a reader of results, of the games of the event there so many after the
    first; ALL mostly.
    """

    place: Place
    opened: int = ALL


def cursor_of(read: Read, reader: Reader) -> str:
    """The text of a cursor."""
    within = "" if read.opened == ALL else f"~{read.opened}"
    return read.place.mark + reader.digest + within


def read_cursor(connection: Connection, cursor: str, reader: Reader, where: str = "/after") -> Read:
    """How far the reader has read. cursor: empty for nothing. where: it was said.

    Raises InvalidCursor for what is no cursor at all, CursorOfAnotherReader for that of somebody who sees other
    events, CursorUnknown for one that this feed has not given out.
    """
    if not cursor:
        return Read(Place())
    found = CURSOR.fullmatch(cursor)
    if found is None:
        fault = Fault(where, cursor[:140], expects("feed-cursor"))
        raise InvalidCursor(f"`{where.lstrip('/')}` is not a cursor of this feed.", [fault])
    place = place_of(connection, found[1])
    if place is None:
        fault = Fault(where, cursor, expects("known-feed-cursor"))
        raise CursorUnknown("This feed has no such place, or no longer has it.", [fault])
    if found[2] != reader.digest:
        fault = Fault(where, cursor, expects("own-feed-cursor"))
        raise CursorOfAnotherReader("The cursor was given to somebody who sees other events.", [fault])
    return Read(place, int(found[3])) if found[3] is not None and reader.results else Read(place)
