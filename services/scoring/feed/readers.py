"""Reading the feed: readers, event selection, cursors, pages and their encodings.

A cursor is `<mark><reader digest>`. A cursor of `view=results` that stops between two games of one event ends in
`~<index of the last game read>`.

The mark is a digest of the whole feed up to that place. A cursor of another installation, of a lost database or of
places that a recopy took back therefore has an unknown mark. It is refused, so no reader skips events unknowingly. A
mark does not reveal how many hidden events precede it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from services.scoring.feed.places import ALL_GAMES, Place, find_place, last_place
from services.scoring.feed.results import RESULT_EVENTS, ResultLine, ResultLines
from services.scoring.season_index import gathered_by
from shared.formats.fold import CATALOGUE, read_event
from shared.log.cloudevents import to_wire
from shared.log.database import Connection
from shared.log.event import Recorded, byte_length
from shared.log.reading import ENVELOPE_BYTES, PAGE_BYTES
from shared.refusals import Expected, Fault, Refusal, expects, to_short_json
from shared.roles import EVERY_TOURNAMENT, OPERATOR, ORGANISER, SERVICE
from shared.service.state import Repository
from shared.service.views import require_intact
from shared.service.visibility import event_filter, venue_limit
from shared.service.wiring import gateway
from shared.shapes import Check, Id, Query
from shared.tournament.games import RESULT, result_dataschema
from shared.tournament.guards import require_venue
from shared.tournament.registration import INSTALLATION, TournamentAnnounced
from shared.tournament.webhooks import EventFilter
from shared.web.refusals import InvalidCursor, InvalidRequest, WrongTournament
from shared.web.tokens import Caller


class CursorUnknown(Refusal):
    """The cursor is not from this feed, or a recopy took its place back."""

    code = "feed-cursor-unknown"


class CursorOfAnotherReader(Refusal):
    """The cursor belongs to a reader who sees other events: one with another token, or with none."""

    code = "feed-cursor-of-another"


class Reader(msgspec.Struct, frozen=True):
    """The properties of a caller that decide which events are visible.

    tournament: the only tournament that the token covers; "*": all tournaments; empty: public tournaments only.
    watches: may read the log of the installation. types, venue: the limits of the token; empty: none. results: reads
    games instead of events. organiser: reads the tournaments announced by this organiser as staff, and all others as
    the public; empty for other readers.
    """

    tournament: str = ""
    watches: bool = False
    types: tuple[str, ...] = ()
    venue: str = ""
    results: bool = False
    organiser: str = ""

    @property
    def digest(self) -> str:
        """The eight hex digits that bind a cursor to readers who see the same events."""
        members = msgspec.to_builtins(self)
        del members["results"]  # the view does not change what is visible
        if not self.organiser:
            del members["organiser"]
        return sha256(msgspec.json.encode(members)).hexdigest()[:8]


def feed_reader(caller: Caller | None, *, results: bool = False) -> Reader:
    """Return the reader for a caller. caller: None without a token. results: read games instead of events."""
    if caller is None:
        return Reader(results=results)
    covers_all = caller.tournament == EVERY_TOURNAMENT
    return Reader(
        caller.tournament,
        covers_all and caller.role in (OPERATOR, SERVICE),
        tuple(sorted(caller.types)),
        caller.venue or "",
        results,
        caller.actor if covers_all and caller.role == ORGANISER else "",
    )


class Announcements:
    """A cache of announcements of tournaments, which never change."""

    def __init__(self) -> None:
        self._announced: dict[str, TournamentAnnounced] = {}

    def is_public(self, connection: Connection, tournament: str) -> bool:
        """Return True if everyone may see the tournament."""
        announced = self._announcement(connection, tournament)
        return announced is not None and announced.visibility == "public"

    def is_announced_by(self, connection: Connection, tournament: str, organiser: str) -> bool:
        """Return True if this organiser announced the tournament."""
        announced = self._announcement(connection, tournament)
        return announced is not None and announced.organiser == organiser

    def _announcement(self, connection: Connection, tournament: str) -> TournamentAnnounced | None:
        if tournament not in self._announced:
            sql = """SELECT type, version, data FROM events
                WHERE source = 'registration' AND tournament = :tournament AND position = 1"""
            row = connection.first(sql, tournament=tournament)
            event = read_event(*row) if row else None
            if not isinstance(event, TournamentAnnounced):
                return None
            self._announced[tournament] = msgspec.structs.replace(event, ruleset={})
        return self._announced[tournament]


Condition = Callable[[Recorded], bool]


class Selection:
    """The events of the feed that one answer contains: those that the reader may see and asked for.

    tournament: the requested one; empty: all visible ones. condition: the request's condition; None: none. venues: a
    result is selected if its game is at all of them, or at no venue. result_lines: required for readers of results.
    """

    def __init__(
        self,
        reader: Reader,
        announcements: Announcements,
        tournament: str = "",
        condition: Condition | None = None,
        venues: tuple[str, ...] = (),
        result_lines: ResultLines | None = None,
    ) -> None:
        self.reader = reader
        self.result_lines = result_lines if reader.results else None
        self.tournament = tournament or ("" if reader.tournament == EVERY_TOURNAMENT else reader.tournament)
        self._announcements = announcements
        self._condition = condition
        self._venues = venues

    def includes(self, connection: Connection, event: Recorded) -> bool:
        """Return True if the reader may see the event and asked for it."""
        return self.can_see(connection, event.tournament) and (self._condition is None or self._condition(event))

    def results_at(self, connection: Connection, place: Place, event: Recorded) -> list[ResultLine]:
        """Return the selected games that an event is about."""
        if self.result_lines is None or not self.includes(connection, event):
            return []
        lines = self.result_lines.at(connection, place, event)
        return [line for line in lines if not line.venue or all(line.venue == venue for venue in self._venues)]

    def can_see(self, connection: Connection, tournament: str) -> bool:
        """Return True if the tournament is visible to the reader."""
        if tournament == INSTALLATION:
            return self.reader.watches
        if self.reader.tournament and self._token_applies(connection, tournament):
            return self.reader.tournament in (tournament, EVERY_TOURNAMENT)
        return self._announcements.is_public(connection, tournament)

    def _token_applies(self, connection: Connection, tournament: str) -> bool:
        """Return True unless the token is an organiser's and another organiser announced the tournament."""
        organiser = self.reader.organiser
        return not organiser or self._announcements.is_announced_by(connection, tournament, organiser)


_CURSOR = re.compile(r"([0-9a-f]{32})([0-9a-f]{8})(?:~(0|[1-9][0-9]{0,8}))?")


class Cursor(msgspec.Struct, frozen=True):
    """A reader's position in the feed.

    last_game: for readers of results, the index of the last game read of the event at this place; ALL_GAMES: all.
    """

    place: Place
    last_game: int = ALL_GAMES


def encode_cursor(cursor: Cursor, reader: Reader) -> str:
    """Return a cursor as text, bound to its reader."""
    suffix = "" if cursor.last_game == ALL_GAMES else f"~{cursor.last_game}"
    return cursor.place.mark + reader.digest + suffix


def decode_cursor(connection: Connection, text: str, reader: Reader, pointer: str = "/after") -> Cursor:
    """Return the cursor that a request names; empty text is the beginning of the feed.

    pointer: the member that faults point to. Raises InvalidCursor (malformed), CursorUnknown (not given out by this
    feed), CursorOfAnotherReader (given to a reader who sees other events).
    """
    if not text:
        return Cursor(Place())
    match = _CURSOR.fullmatch(text)
    if match is None:
        fault = Fault(pointer, text[:140], expects("feed-cursor"))
        raise InvalidCursor(f"`{pointer.lstrip('/')}` is not a cursor of this feed.", [fault])
    place = find_place(connection, match[1])
    if place is None:
        fault = Fault(pointer, text, expects("known-feed-cursor"))
        raise CursorUnknown("This feed has no such place, or no longer has it.", [fault])
    if match[2] != reader.digest:
        fault = Fault(pointer, text, expects("own-feed-cursor"))
        raise CursorOfAnotherReader("The cursor was given to somebody who sees other events.", [fault])
    return Cursor(place, int(match[3])) if match[3] is not None and reader.results else Cursor(place)


def _expected_types(types: str) -> Expected | None:
    unknown = [name for name in types.split(",") if name not in CATALOGUE] if types else []
    return expects("types-of-events", unknown=to_short_json(unknown[0])) if unknown else None


class TournamentEventsQuery(Query, frozen=True, kw_only=True):
    """Query of the events of one tournament.

    view: `events` as the services recorded them, or `results`: the state of each game after an event.
    """

    after: Annotated[
        str,
        "Return only what follows this cursor: the `feedcursor` of an event or the value of Muster-Feed-Cursor. Empty: "
        "from the beginning. `now`: only new events.",
    ] = ""
    types: Annotated[str, Check(_expected_types), "Event types to include, separated by commas. Empty: all types."] = ""
    venue: Annotated[Id | UnsetType, "Include events at this venue, and events that belong to no venue."] = UNSET
    view: Literal["events", "results"] = "events"

    @property
    def filter(self) -> EventFilter:
        """The conditions of the query."""
        return EventFilter(types=self.types.split(",") if self.types else [], venue=self.venue or "")


class EventsQuery(TournamentEventsQuery, frozen=True, kw_only=True):
    """Query of the events of all tournaments."""

    tournament: Annotated[Id | UnsetType, "Include only this tournament."] = UNSET
    season: Annotated[Id | UnsetType, "Include only this season and the tournaments that it currently counts."] = UNSET

    @property
    def filter(self) -> EventFilter:
        """The conditions of the query."""
        filter = super().filter
        return msgspec.structs.replace(filter, tournament=self.tournament or "", season=self.season or "")


def check_filter(filter: EventFilter, caller: Caller | None) -> None:
    """Raise a refusal if a filter names something that the caller cannot select by.

    Raises UnknownTournament (tournament or season unknown to the caller), WrongTournament (the token is for another
    tournament), TokenRevoked, TokenExpired, UnknownVenue, InvalidRequest (venue without tournament, or `season` is not
    a season).
    """
    own = caller.tournament if caller is not None and caller.tournament != EVERY_TOURNAMENT else ""
    tournament = filter.tournament or own
    if own and tournament != own:
        with gateway.reading(tournament):
            detail = f"The token is for the tournament {own}, and this is {tournament}."
            raise WrongTournament(detail, tournament=own)
    if tournament:
        with gateway.reading(tournament) as loaded:
            require_venue(loaded.state.entries, filter.venue)
    elif filter.venue:
        fault = Fault("/venue", filter.venue, expects("nothing-without", member="tournament"))
        raise InvalidRequest("A venue belongs to a tournament.", [fault])
    if filter.season:
        with gateway.reading(filter.season) as loaded:
            if loaded.state.entries.format != "season":
                fault = Fault("/season", filter.season, expects("season"))
                raise InvalidRequest("This tournament is not a season.", [fault])


def select_events(
    reader: Reader,
    filter: EventFilter,
    caller: Caller | None,
    announcements: Announcements,
    repository: Repository,
    result_lines: ResultLines,
    types: Collection[str] = (),
) -> Selection:
    """Return the events that a reader may see and that match a filter, for one answer.

    caller: the reader's token, which may limit event types and the venue. types: a further limit; empty: none.
    """
    venues = tuple(venue for venue in (filter.venue, venue_limit(caller)) if venue)
    type_limits = [caller.types if caller is not None else (), filter.types, types]
    if reader.results:
        type_limits.append(RESULT_EVENTS)
    conditions = [event_filter(limit, "", repository) for limit in type_limits]
    if not reader.results:  # a result is selected by the venue of its game, not by that of the event
        conditions += [event_filter((), venue, repository) for venue in venues]
    if filter.season:
        with repository.now(filter.season) as loaded:
            counted = {filter.season, *gathered_by(loaded.state)}
        conditions.append(lambda event: event.tournament in counted)
    required = [condition for condition in conditions if condition is not None]
    condition = (lambda event: all(holds(event) for holds in required)) if required else None
    return Selection(reader, announcements, filter.tournament, condition, venues, result_lines)


_BATCH_SIZE = 200
"""Places read by one query."""
_MAX_PLACES = 5000
"""Places that one page examines, however few events it selects. The next page continues after them."""


class FeedItem(msgspec.Struct, frozen=True):
    """An event on a page. cursor: the position after it. result: for readers of results, a game that it is about."""

    event: Recorded
    cursor: Cursor
    result: ResultLine | None = None

    @property
    def size(self) -> int:
        """The approximate size of the encoded item in bytes."""
        if self.result is not None:
            return len(self.result.json)
        return byte_length(self.event.data) + byte_length(self.event.command) + ENVELOPE_BYTES


class FeedPage(msgspec.Struct, frozen=True):
    """A page of the feed. cursor: the position after it. has_more: the feed already continues after this page."""

    items: list[FeedItem]
    cursor: Cursor
    has_more: bool


def read_page(
    connection: Connection, selection: Selection, cursor: Cursor, limit: int, max_bytes: int = PAGE_BYTES
) -> FeedPage:
    """Return the selected events after a cursor: at most `limit` events and about `max_bytes` bytes."""
    end = last_place(connection)
    items: list[FeedItem] = []
    size = 0
    for step in _scan(connection, selection, cursor, end):
        if isinstance(step, FeedItem):
            size += step.size
            if items and (len(items) == limit or size > max_bytes):
                return FeedPage(items, cursor, True)
            items.append(step)
            cursor = step.cursor
        else:
            cursor = step
            if len(items) == limit:
                break
    return FeedPage(items, cursor, cursor.place.feed < end.feed)


def _scan(connection: Connection, selection: Selection, cursor: Cursor, end: Place) -> Iterator[FeedItem | Cursor]:
    """Yield the selected items at each place, then the cursor after that place.

    end: the last place that existed before the scan.
    """
    feed = cursor.place.feed
    if cursor.last_game != ALL_GAMES and selection.result_lines is not None:
        feed -= 1  # some games of the event there are still unread
    examined = 0
    columns = ("f.mark", *Recorded.__struct_fields__)
    while examined < _MAX_PLACES:
        rows = connection.feed_rows(
            "public_feed", "", columns, after=feed, limit=_BATCH_SIZE, tournament=selection.tournament
        )
        if not rows:
            if end.feed > feed:
                yield Cursor(end)
            return
        for feed, mark, *event_columns in rows:
            place = Place(feed, mark)
            (event,) = require_intact([Recorded(*event_columns)])
            if selection.result_lines is not None:
                last_game = cursor.last_game if place == cursor.place else ALL_GAMES
                yield from _results_after(connection, selection, place, event, last_game)
            elif selection.includes(connection, event):
                yield FeedItem(event, Cursor(place))
            yield Cursor(place)
        examined += len(rows)


def _results_after(
    connection: Connection, selection: Selection, place: Place, event: Recorded, last_game: int
) -> Iterator[FeedItem]:
    lines = selection.results_at(connection, place, event)
    for index, line in enumerate(lines):
        if index > last_game:
            yield FeedItem(event, Cursor(place, index if index + 1 < len(lines) else ALL_GAMES), result=line)


RESULTS = "results"
"""The view that shows games instead of events."""


class FeedLine(msgspec.Struct, frozen=True):
    """An encoded event. cursor: the position after it. type: its CloudEvent type. json: the CloudEvent on one line."""

    cursor: str
    type: str
    json: bytes


def encode_page(page: FeedPage, reader: Reader, base_url: str) -> Iterator[FeedLine]:
    """Yield the CloudEvents of a page. base_url: the address of scoring, where event schemas are served."""
    for item in page.items:
        type, cursor = item.event.type, encode_cursor(item.cursor, reader)
        if item.result is not None:
            type, line, schema = RESULT, item.result.json, result_dataschema(base_url)
        else:
            line, schema = to_wire(item.event, base_url), ""
        yield FeedLine(cursor, type, with_cursor(line, cursor, schema))


def with_cursor(line: bytes, cursor: str, dataschema: str = "") -> bytes:
    """Return a CloudEvent with `feedcursor`, and with `dataschema` if one is given."""
    attributes = {"feedcursor": cursor, **({"dataschema": dataschema} if dataschema else {})}
    return orjson.dumps(attributes)[:-1] + b"," + line[1:]


# Server-sent events (HTML standard, 9.2). Browsers dispatch nothing for a block with an id and no data, but they
# remember the id and resume from there.
MEDIA_TYPE = "text/event-stream"
LAST_EVENT_ID = "Last-Event-ID"
"""The header in which a reconnecting client sends the last id that it received."""
PROBLEM = "problem"
"""The type of the last event of a stream that a client must not simply reopen."""
HEARTBEAT = b":\n\n"
"""A comment."""


def stream_start(cursor: str, retry_ms: int) -> bytes:
    """Return the first block of a stream: the reconnection delay and the starting cursor."""
    return f"retry: {retry_ms}\n".encode() + stream_cursor(cursor)


def stream_cursor(cursor: str) -> bytes:
    """Return a block that moves the client's cursor without an event. Its comment also serves as a heartbeat."""
    return f":\nid: {cursor}\n\n".encode()


def stream_events(lines: Iterable[FeedLine]) -> bytes:
    """Return the blocks of events. Encoded events contain no line breaks, as `data` requires."""
    return b"".join(f"id: {line.cursor}\nevent: {line.type}\ndata: ".encode() + line.json + b"\n\n" for line in lines)


def stream_problem(members: dict[str, object]) -> bytes:
    """Return the block that ends a stream with a problem. It has no id, so the client keeps its cursor."""
    return f"event: {PROBLEM}\ndata: ".encode() + orjson.dumps(members) + b"\n\n"
