"""The order of the feed on both engines."""

from __future__ import annotations

import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.scoring.feed.places import (
    LOGS_BEHIND,
    UnplacedEvent,
    find_place,
    give_places,
    last_place,
    mark_after,
    next_in_order,
)
from shared.log.copies import recopy
from shared.log.event import EMPTY_HEAD, Head
from shared.log.log import Stamp, chain_events
from shared.settings import SERVICES
from tests.acting import acting
from tests.databases import migrated, new_sqlite, short_lived_sqlite
from tests.eventlog.stories import copy, said
from tests.examples import examples
from tests.services.engines import ENGINES

TIME = "2026-03-07T09:30:00.000Z"
CUP, OPEN = "t-cup", "t-open"


@pytest.fixture(params=ENGINES)
def database(request):
    url = new_sqlite("scoring") if request.param == "sqlite" else request.getfixturevalue("postgresql_url")
    database = migrated(url, "scoring")
    yield database
    database.close()


def history(turns, seed=0):
    """Return events of three services in order. Each has seen a random part of the others."""
    dice = random.Random(seed)
    heads: dict[tuple[str, str], Head] = {}
    told = []
    for tournament, source in turns:
        head = heads.get((source, tournament), EMPTY_HEAD)
        others = {other: heads[other, tournament].position for other in SERVICES if (other, tournament) in heads}
        seen = {other: dice.randint(0, position) for other, position in others.items() if other != source}
        stamp = Stamp(acting("organiser"), f"c{len(told)}", TIME, seen)
        (event,) = chain_events(source, tournament, head, said(source, head.position, ["ana"]), stamp)
        heads[source, tournament] = Head(event.position, event.hash)
        told.append((event, seen))
    return told


def arriving(told, seed):
    """Return the events in a possible order of arrival: each log in order, interleaved randomly."""
    dice, logs = random.Random(seed), {}
    for event, _ in told:
        logs.setdefault((event.source, event.tournament), []).append(event)
    while logs:
        log = dice.choice(sorted(logs))
        yield logs[log].pop(0)
        if not logs[log]:
            del logs[log]


def feed(database):
    with database.reading() as connection:
        rows = connection.rows("SELECT feed, source, tournament, position FROM public_feed ORDER BY feed")
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    return [row[1:4] for row in rows]


def holds(database, told):
    """Return True if each event has one place, after everything that it had seen."""
    places = {event: number for number, event in enumerate(feed(database))}
    assert len(places) == len(feed(database)) == len(told)
    for event, seen in told:
        here = places[event.source, event.tournament, event.position]
        seen = {**seen, event.source: event.position - 1}
        assert all(places[other, event.tournament, at] < here for other, at in seen.items() if at)


TURNS = st.lists(st.tuples(st.sampled_from([CUP, OPEN]), st.sampled_from(SERVICES)), max_size=25)


def tell(database, told, seed):
    """Copy events and give places in between. Check that places do not change."""
    dice, known = random.Random(seed), []
    for event in arriving(told, seed):
        copy(database, [event])
        if dice.random() < 0.4:
            give_places(database, SERVICES)
            assert feed(database)[: len(known)] == known
            known = feed(database)
    give_places(database, SERVICES)
    assert feed(database)[: len(known)] == known


@settings(max_examples=examples(150), deadline=None)
@given(TURNS, st.integers(0, 10**6))
def test_the_order_respects_what_authors_had_seen(turns, seed):
    told = history(turns, seed)
    with short_lived_sqlite("scoring") as database:
        tell(database, told, seed)
        holds(database, told)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_is_the_same_on_every_engine(database, seed):
    dice = random.Random(seed)
    told = history([(dice.choice([CUP, OPEN]), dice.choice(SERVICES)) for _ in range(60)], seed)
    tell(database, told, seed)
    holds(database, told)


def test_an_event_that_saw_a_missing_one_waits_alone(database):
    told = history([(CUP, "registration"), (OPEN, "registration"), (OPEN, "pairing")])
    (first,) = chain_events(
        "registration", CUP, EMPTY_HEAD, said("registration", 0, ["ana"]), Stamp(acting("a"), "c", TIME, {})
    )
    (later,) = chain_events(
        "pairing", CUP, EMPTY_HEAD, said("pairing", 0, ["sam"]), Stamp(acting("a"), "c", TIME, {"registration": 1})
    )
    copy(database, [later])
    for event, _ in told[1:]:
        copy(database, [event])
    give_places(database, SERVICES)
    assert {tournament for _, tournament, _ in feed(database)} == {OPEN}
    copy(database, [first])
    give_places(database, SERVICES)
    assert feed(database)[-2:] == [("registration", CUP, 1), ("pairing", CUP, 1)]


def test_concurrent_callers_give_each_place_once(database):
    told = history([(CUP, source) for source in SERVICES] * 20)
    for event, _ in told:
        copy(database, [event])
    threads = [threading.Thread(target=give_places, args=(database, SERVICES)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    holds(database, told)


def test_a_mark_depends_on_all_earlier_events(database):
    told = history([(CUP, "registration")] * 3)
    for event, _ in told:
        copy(database, [event])
    give_places(database, SERVICES)
    mark = "0" * 32
    with database.reading() as connection:
        assert find_place(connection, mark).feed == 0
        for number, (event, _) in enumerate(told, start=1):
            mark = mark_after(mark, event.hash)
            assert find_place(connection, mark).feed == number
        assert last_place(connection) == find_place(connection, mark)
        assert find_place(connection, "f" * 32) is None


def test_a_recopy_removes_places_from_the_first_replaced_event_on(database):
    told = history([(CUP, "registration")] * 3 + [(OPEN, "registration")] * 2)
    for event, _ in told:
        copy(database, [event])
        give_places(database, SERVICES)
    with database.reading() as connection:
        before = dict(connection.rows("SELECT feed, mark FROM public_feed"))
    true = [event for event, _ in told[:2]]
    stamp = Stamp(acting("organiser"), "other", TIME, {})
    true += chain_events("registration", CUP, Head(2, true[-1].hash), said("registration", 2, ["eve", "fay"]), stamp)
    recopy(database, "registration", CUP, true, actor="operator", reason="forged", time=TIME)
    give_places(database, SERVICES)
    places = feed(database)
    assert sorted(places) == sorted(
        [("registration", CUP, n) for n in (1, 2, 3, 4)] + [("registration", OPEN, n) for n in (1, 2)]
    )
    with database.reading() as connection:
        for number, mark in before.items():
            found = find_place(connection, mark)
            assert (found and found.feed) == (number if number <= 2 else None)
        logs = connection.rows("SELECT source, tournament, position FROM public_feed_logs ORDER BY tournament")
        assert logs == [("registration", CUP, 4), ("registration", OPEN, 2)]
    give_places(database, SERVICES)
    assert feed(database) == places, "a recopy counts once"


def test_the_earlier_of_two_ready_events_is_next():
    late = UnplacedEvent("pairing", 1, "2026-03-07T09:30:00.002Z", "", {})
    early = UnplacedEvent("scoring", 1, "2026-03-07T09:30:00.001Z", "", {"scoring": 9, "elsewhere": 4})
    assert next_in_order([late, early], dict.fromkeys(SERVICES, 0)) == [early, late]


def test_the_feed_is_read_by_tournament_and_source(database):
    dice = random.Random(1)
    told = history([(dice.choice([CUP, OPEN]), dice.choice(SERVICES)) for _ in range(20)])
    tell(database, told, 1)
    places = feed(database)
    with database.reading() as connection:
        for tournament, source in (("", ""), (CUP, ""), ("", "pairing"), (OPEN, "scoring")):
            wanted = [
                (number, *place)
                for number, place in enumerate(places, start=1)
                if tournament in ("", place[1]) and source in ("", place[0])
            ]
            columns = ("source", "tournament", "position")
            found = connection.feed_rows("public_feed", source, columns, after=3, limit=7, tournament=tournament)
            assert found == [row for row in wanted if row[0] > 3][:7]
        assert connection.rows(LOGS_BEHIND) == []
    copy(
        database,
        chain_events("pairing", "t-new", EMPTY_HEAD, said("pairing", 0, ["sam"]), Stamp(acting("a"), "c", TIME, {})),
    )
    with database.reading() as connection:
        assert connection.rows(LOGS_BEHIND) == [("pairing", "t-new", 0)]
