"""Events of the feed as their reader gets them: CloudEvents, each with its cursor; in a page, or in a stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import orjson

from services.scoring.feed.cursors import cursor_of
from services.scoring.feed.filters import Filter
from services.scoring.feed.pages import FeedPage
from services.scoring.feed.result_lines import Results
from services.scoring.feed.views import TELLS_RESULTS
from services.scoring.feed.visible import Reader, Sight, Tournaments
from shared.log.cloudevents import to_wire
from shared.service.state import Repository
from shared.tournament.games import RESULT, result_dataschema

RESULTS = "results"
"""The view that tells of games instead of events."""


class Line(msgspec.Struct, frozen=True):
    """cursor: behind it. type: of the CloudEvent. json: the CloudEvent, in one line without its end."""

    cursor: str
    type: str
    json: bytes


def lines_of(page: FeedPage, reader: Reader, at: str) -> Iterator[Line]:
    """Return the CloudEvents of a page.

    at: the address of scoring, where shapes of events are shown.
    """
    for item in page.items:
        type, cursor = item.event.type, cursor_of(item.read, reader)
        if item.result is not None:
            type, line, schema = RESULT, item.result.json, result_dataschema(at)
        else:
            line, schema = to_wire(item.event, at), ""
        yield Line(cursor, type, placed(line, cursor, schema))


def placed(line: bytes, cursor: str, dataschema: str = "") -> bytes:
    """Return a CloudEvent with its place in the feed. dataschema: of a result, whose line does not name it."""
    place = {"feedcursor": cursor, **({"dataschema": dataschema} if dataschema else {})}
    return orjson.dumps(place)[:-1] + b"," + line[1:]


def sight_of(
    reader: Reader, asked: Filter, tournaments: Tournaments, repository: Repository, results: Results
) -> Sight:
    """Return what a reader sees of what they asked for, for one answer."""
    wanted = asked.wanted(repository, TELLS_RESULTS if reader.results else ())
    return Sight(reader, tournaments, asked.tournament, wanted, asked.venues, results)


# A stream: server-sent events, as the HTML standard has them (9.2). A block with an id and without data is no event to
# a browser, and still moves the place from which it comes back.
MEDIA_TYPE = "text/event-stream"
LAST_EVENT_ID = "Last-Event-ID"
"""Header in which a client that comes back sends the id of what it had last."""
PROBLEM = "problem"
"""Type of the event behind which the stream ends, and the client has to do something first."""
HEARTBEAT = b":\n\n"
"""A comment."""


def stream_beginning(cursor: str, retry: int) -> bytes:
    """How a stream begins. cursor: where. retry: milliseconds until a client comes back that has lost it."""
    return f"retry: {retry}\n".encode() + stream_place(cursor)


def stream_place(cursor: str) -> bytes:
    """That all up to there is read: a comment for whoever counts silence, and an id."""
    return f":\nid: {cursor}\n\n".encode()


def stream_events(lines: Iterable[Line]) -> bytes:
    """Events, one after the other. Their JSON has no line breaks, as `data` must not."""
    return b"".join(f"id: {line.cursor}\nevent: {line.type}\ndata: ".encode() + line.json + b"\n\n" for line in lines)


def stream_problem(members: dict[str, object]) -> bytes:
    """Why the stream ends. members: of the problem. It has no id: the place of the client stays where it is."""
    return f"event: {PROBLEM}\ndata: ".encode() + orjson.dumps(members) + b"\n\n"
