"""Readers of the feed: what they see and ask for, their cursors, the pages and lines they get.

`<mark><reader>`, and behind it `~3` if of the games of one event (`view=results`) three more than the first were read.

The mark is a digest of all that stands in the feed up to its place. So a cursor of another installation, of a feed that
was lost with scoring's database, or of places that a recopy took back, is one that this feed never gave out: it is
refused, and nobody goes on from it past something that they have not read. It tells nobody how many events there are
that they do not see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from services.scoring.feed.places import ALL, Place, end_of, place_of
from services.scoring.feed.results import TELLS_RESULTS, ResultLine, Results
from services.scoring.season_index import gathered_by
from shared.formats.fold import CATALOGUE, read_event
from shared.log.cloudevents import to_wire
from shared.log.database import Connection
from shared.log.event import Recorded, size_of
from shared.log.reading import ENVELOPE, PAGE_BYTES
from shared.refusals import Expected, Fault, Refusal, expects, shown
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
    """The feed did not give out this cursor, or has taken back the place that it is of."""

    code = "feed-cursor-unknown"


class CursorOfAnotherReader(Refusal):
    """The cursor was given to somebody who sees other events: with another token, or without one."""

    code = "feed-cursor-of-another"


class Reader(msgspec.Struct, frozen=True):
    """Who reads, as far as it decides what they see. tournament: the one that they read alone; "*": all; empty: the
    public ones.

    types, venue: what the token is for, where it is for some events alone. watches: reads the installation's own log.
    results: reads games instead of events.
    organiser: reads the tournaments that this organiser announced as staff do, and of others what everybody reads;
    empty for other readers.
    """

    tournament: str = ""
    watches: bool = False
    types: tuple[str, ...] = ()
    venue: str = ""
    results: bool = False
    organiser: str = ""

    @property
    def digest(self) -> str:
        """Eight digits that stand in this reader's cursors: one who sees other events cannot go on from them."""
        members = msgspec.to_builtins(self)
        del members["results"]  # the view changes nothing of what somebody may see
        if not self.organiser:
            del members["organiser"]
        return sha256(msgspec.json.encode(members)).hexdigest()[:8]


def reader_of(who: Caller | None, *, results: bool = False) -> Reader:
    """Return the reader that a caller is. who: None without a token. results: reads games instead of events."""
    if who is None:
        return Reader(results=results)
    return Reader(
        who.tournament,
        who.tournament == EVERY_TOURNAMENT and who.role in (OPERATOR, SERVICE),
        tuple(sorted(who.types)),
        who.venue or "",
        results,
        who.actor if who.role == ORGANISER and who.tournament == EVERY_TOURNAMENT else "",
    )


class Tournaments:
    """What never changes of tournaments, looked up once in a process."""

    def __init__(self) -> None:
        self._announced: dict[str, TournamentAnnounced] = {}

    def is_public(self, connection: Connection, tournament: str) -> bool:
        """Whether everybody sees a tournament."""
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
            row = connection.one(sql, tournament=tournament)
            event = read_event(*row) if row else None
            if not isinstance(event, TournamentAnnounced):
                return None
            self._announced[tournament] = msgspec.structs.replace(event, ruleset={})
        return self._announced[tournament]


class Sight:
    """What one reader sees, for as long as one answer is made.

    tournament: the one that they ask for; empty for all that they see. wanted: of what they see, the events that they
    ask for; None for all. venues: results are of games at all of them, or at none. results: makes them; needed for a
    reader of results alone.
    """

    def __init__(
        self,
        reader: Reader,
        tournaments: Tournaments,
        tournament: str = "",
        wanted: Callable[[Recorded], bool] | None = None,
        venues: tuple[str, ...] = (),
        results: Results | None = None,
    ) -> None:
        self.reader = reader
        self.results = results if reader.results else None
        self._venues = venues
        self.tournament = tournament or ("" if reader.tournament == EVERY_TOURNAMENT else reader.tournament)
        self._tournaments = tournaments
        self._wanted = wanted

    def asks_for(self, event: Recorded) -> bool:
        """Whether an event is one of those that they ask for."""
        return self._wanted is None or self._wanted(event)

    def results_at(self, connection: Connection, place: Place, event: Recorded) -> list[ResultLine]:
        """Return the games that an event is about, as far as they are asked for."""
        if self.results is None or not self.is_there(connection, event.tournament) or not self.asks_for(event):
            return []
        lines = self.results.at(connection, place, event)
        return [line for line in lines if not line.venue or all(line.venue == venue for venue in self._venues)]

    def is_there(self, connection: Connection, tournament: str) -> bool:
        """Whether there is such a tournament for the reader."""
        if tournament == INSTALLATION:
            return self.reader.watches
        if self.reader.tournament and self._counts(connection, tournament):
            return self.reader.tournament in (tournament, EVERY_TOURNAMENT)
        return self._tournaments.is_public(connection, tournament)

    def _counts(self, connection: Connection, tournament: str) -> bool:
        """Whether the reader's token counts in a tournament: an organiser's does in those that they announced."""
        organiser = self.reader.organiser
        return not organiser or self._tournaments.is_announced_by(connection, tournament, organiser)


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


def expected_types(said: str) -> Expected | None:
    """Return what would be right in place of a list of types; None for one that is."""
    unknown = [name for name in said.split(",") if name not in CATALOGUE] if said else []
    return expects("types-of-events", unknown=shown(unknown[0])) if unknown else None


class TournamentEventsQuery(Query, frozen=True, kw_only=True):
    """Query of the events of one tournament.

    view: `events` as the services recorded them, or `results`: the state of each game after an event.
    """

    after: Annotated[
        str,
        "Return only what follows this cursor: the `feedcursor` of an event or the value of Muster-Feed-Cursor. Empty: "
        "from the beginning. `now`: only new events.",
    ] = ""
    types: Annotated[str, Check(expected_types), "Event types to include, separated by commas. Empty: all types."] = ""
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
        selected = super().filter
        return msgspec.structs.replace(selected, tournament=self.tournament or "", season=self.season or "")


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


def sight_of(
    reader: Reader,
    filter: EventFilter,
    caller: Caller | None,
    tournaments: Tournaments,
    repository: Repository,
    results: Results,
    types: Collection[str] = (),
) -> Sight:
    """Return the events that a reader sees and that match a filter, for one answer.

    caller: the reader's token, which may limit event types and the venue. types: a further limit; empty: none.
    """
    venues = tuple(venue for venue in (filter.venue, venue_limit(caller)) if venue)
    type_limits = [caller.types if caller is not None else (), filter.types, types]
    if reader.results:
        type_limits.append(TELLS_RESULTS)
    conditions = [event_filter(limit, "", repository) for limit in type_limits]
    if not reader.results:  # a result is selected by the venue of its game, not by that of the event
        conditions += [event_filter((), venue, repository) for venue in venues]
    if filter.season:
        with repository.now(filter.season) as loaded:
            counted = {filter.season, *gathered_by(loaded.state)}
        conditions.append(lambda event: event.tournament in counted)
    required = [condition for condition in conditions if condition is not None]
    matches = (lambda event: all(holds(event) for holds in required)) if required else None
    return Sight(reader, tournaments, filter.tournament, matches, venues, results)


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
            (event,) = require_intact([Recorded(*of_event)])
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
