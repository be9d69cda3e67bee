"""Events of the feed as their reader gets them: CloudEvents, each with its cursor."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import orjson

from services.scoring.feed.cursors import cursor_of
from services.scoring.feed.filters import Filter
from services.scoring.feed.pages import FeedPage
from services.scoring.feed.views import ABOUT_GAMES, RESULT, Replay, result_line
from services.scoring.feed.visible import Reader, Sight, Tournaments
from shared.application.repository import Repository
from shared.events.cloudevents import to_wire

RESULTS = "results"
"""The view that tells of games instead of events."""


class Line(msgspec.Struct, frozen=True):
    """cursor: behind it. type: of the CloudEvent. json: the CloudEvent, in one line without its end."""

    cursor: str
    type: str
    json: bytes


def lines_of(page: FeedPage, reader: Reader, view: str, replay: Replay, at: str) -> Iterator[Line]:
    """The CloudEvents of a page, each with the id of the event that opened it where one did.

    at: the address of scoring, where shapes of events are shown.
    """
    for item in page.items:
        type, cursor = item.event.type, cursor_of(item.read, reader)
        if view != RESULTS:
            line = to_wire(item.event, at)
        elif result := replay.result(item.event):
            type, line = RESULT, result_line(item.event, result)
        else:
            continue
        yield Line(cursor, type, placed(line, cursor, item.opener))


def placed(line: bytes, cursor: str, opener: str) -> bytes:
    """A CloudEvent with its place in the feed. opener: the id of the event that opened it; empty for none."""
    place = {"feedcursor": cursor, **({"openedby": opener} if opener else {})}
    return orjson.dumps(place)[:-1] + b"," + line[1:]


def sight_of(reader: Reader, asked: Filter, view: str, tournaments: Tournaments, repository: Repository) -> Sight:
    """What a reader sees of what they asked for, for one answer."""
    wanted = asked.wanted(repository, ABOUT_GAMES if view == RESULTS else ())
    return Sight(reader, tournaments, asked.tournament, wanted)
