"""Readers of the feed get each visible event once, wherever and whenever they read."""

from __future__ import annotations

import random
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st

from services.scoring.feed.places import give_places
from services.scoring.feed.readers import Announcements, Reader, Selection, decode_cursor, encode_cursor, read_page
from shared.log.database import EVENT_COLUMNS, Database
from shared.log.event import canonical_json
from shared.log.log import Entry, Stamp, chain_events
from shared.log.reading import head_of, heads_of
from shared.settings import SERVICES
from tests.acting import acting
from tests.databases import short_lived_sqlite
from tests.eventlog.stories import copy
from tests.examples import examples

PUBLIC, PRIVATE = "t-public", "t-private"
TYPES = {
    "registration": ["PlayerJoined", "RosterSubmitted"],
    "pairing": ["RoundPaired", "RoundStarted", "TableMoved"],
    "scoring": ["StandingsRecorded", "RoundClosed"],
}
NOBODY, STAFF = Reader(), Reader(PRIVATE)
EVERYBODY, INTEGRATION = Reader("*", watches=True), Reader("*")
PLAYER = Reader(PRIVATE)


class Story:
    """A scoring database that receives random events of its peers."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.known = Announcements()
        self.numbers = count()
        for tournament, visibility in ((PUBLIC, "public"), (PRIVATE, "private")):
            announced = {"format": "swiss", "name": "Cup", "ruleset": {}, "visibility": visibility}
            self.tell(tournament, "registration", Entry("TournamentAnnounced", 2, canonical_json(announced)))

    def tell(self, tournament: str, source: str, entry: Entry) -> None:
        with self.database.reading() as connection:
            head = head_of(connection, source, tournament)
            seen = {other: end.position for other, end in heads_of(connection, tournament).items() if other != source}
        stamp = Stamp(acting("organiser"), f"c{next(self.numbers)}", "2026-03-07T09:30:00.000Z", seen)
        copy(self.database, chain_events(source, tournament, head, [entry], stamp))

    def read(self, reader: Reader, cursor: str, limit: int) -> tuple[list[tuple[str, str]], str, bool]:
        """Return (id, cursor) pairs after a cursor, the next cursor, and whether there is more."""
        give_places(self.database, SERVICES)
        with self.database.reading() as connection:
            page = read_page(
                connection, Selection(reader, self.known), decode_cursor(connection, cursor, reader), limit
            )
        items = [(item.event.id, encode_cursor(item.cursor, reader)) for item in page.items]
        return items, encode_cursor(page.cursor, reader), page.has_more

    def whole(self, reader: Reader, cursor: str = "", limit: int = 500) -> list[tuple[str, str]]:
        """Return everything after a cursor, read in pages."""
        found, more = [], True
        while more:
            items, cursor, more = self.read(reader, cursor, limit)
            found += items
        return found

    def visible(self, reader: Reader) -> set[str]:
        """Return the ids of the events that a reader may see now."""
        return {
            event[3]
            for event in self._events()
            if (reader.tournament in ("*", event[1]) if reader.tournament else event[1] == PUBLIC)
        }

    def _events(self):
        with self.database.reading() as connection:
            return connection.rows(f"SELECT {EVENT_COLUMNS} FROM events")


@settings(max_examples=examples(120), deadline=None)
@given(st.integers(0, 10**9), st.integers(1, 30))
def test_each_reader_gets_each_event_once(seed, length):
    with short_lived_sqlite("scoring") as database:
        follow(random.Random(seed), Story(database), length)


def follow(dice, story, length):
    readers = {reader: ("", []) for reader in (NOBODY, PLAYER, STAFF, EVERYBODY, INTEGRATION)}
    for _ in range(length):
        source = dice.choice(SERVICES)
        entry = Entry(dice.choice(TYPES[source]), 1, canonical_json({"n": dice.randint(0, 9)}))
        story.tell(dice.choice([PUBLIC, PRIVATE]), source, entry)
        for reader, (cursor, told) in readers.items():
            if dice.random() < 0.3:
                items, cursor, _ = story.read(reader, cursor, dice.randint(1, 4))
                readers[reader] = cursor, told + items
    for reader, (cursor, told) in readers.items():
        followed = told + story.whole(reader, cursor, dice.randint(1, 5))
        ids = [id for id, _ in followed]
        assert len(ids) == len(set(ids))
        assert set(ids) == story.visible(reader)
        assert followed == story.whole(reader), "who comes later is told the same"
        for index, (_, at) in enumerate(followed):
            assert story.whole(reader, at, 3) == followed[index + 1 :]
