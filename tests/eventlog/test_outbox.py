"""Outbox and feed: one order over all tournaments without gaps, and no late commit is skipped."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.log import lease, outbox
from shared.log.log import HeadMoved
from shared.log.reading import feed_page
from tests.appending import append
from tests.eventlog.conftest import POSTGRESQL
from tests.eventlog.stories import STAMP, add, head, joined
from tests.examples import examples
from tests.waiting import PATIENCE


def sequence(database, limit=1000):
    with database.writing() as connection:
        return outbox.assign_feed_positions(connection, limit)


def feed(database, after=0, limit=10_000):
    with database.reading() as connection:
        return [
            (feed, event.tournament, event.position)
            for feed, event in feed_page(connection, "registration", after, limit)
        ]


def test_committed_events_get_the_next_positions(database):
    add(database, "cup", "anna", "ben")
    add(database, "open", "cleo")
    add(database, "cup", "dora")
    assert feed(database) == []
    assert sequence(database) == 4
    assert feed(database) == [(1, "cup", 1), (2, "cup", 2), (3, "open", 1), (4, "cup", 3)]
    assert sequence(database) == 0


def test_a_limit_takes_the_oldest_first(database):
    add(database, "cup", *"abcde")
    assert [sequence(database, 2) for _ in range(4)] == [2, 2, 1, 0]
    assert feed(database) == [(number, "cup", number) for number in range(1, 6)]


@pytest.mark.parametrize("empty_url", POSTGRESQL, indirect=True)  # SQLite has one writer: nobody can commit late
def test_a_late_commit_gets_a_later_position_and_is_not_skipped(database):
    """Feeds that number inserts fail here: a reader passes the number of an open transaction."""
    opened, finish = threading.Event(), threading.Event()

    def late():
        def also(connection, events):
            opened.set()
            finish.wait(PATIENCE)

        append(database, "registration", "late", head(database, "late"), joined("slow"), STAMP, also)

    thread = threading.Thread(target=late)
    thread.start()
    opened.wait(PATIENCE)
    add(database, "cup", "quick")
    assert sequence(database) == 1
    assert feed(database) == [(1, "cup", 1)]
    finish.set()
    thread.join()
    assert sequence(database) == 1
    assert feed(database, after=1) == [(2, "late", 1)]


def test_concurrent_sequencers_leave_no_gap_and_skip_no_event(database):
    done = threading.Event()

    def appender(name):
        for number in range(40):
            while True:
                try:
                    add(database, f"t{number % 5}", f"{name}{number}")
                    break
                except HeadMoved:
                    continue

    def sequencer():
        while not done.is_set():
            sequence(database, 3)

    appenders = [threading.Thread(target=appender, args=(name,)) for name in "ab"]
    sequencers = [threading.Thread(target=sequencer) for _ in range(3)]
    for thread in (*appenders, *sequencers):
        thread.start()
    for thread in appenders:
        thread.join()
    done.set()
    for thread in sequencers:
        thread.join()
    while sequence(database):
        pass
    rows = feed(database)
    assert [row[0] for row in rows] == list(range(1, 81))
    for name in range(5):
        assert [position for _, tournament, position in rows if tournament == f"t{name}"] == list(range(1, 17))


def test_the_relays_cursor_never_moves_back(database):
    add(database, "cup", *"abcde")
    sequence(database)
    with database.writing() as connection:
        outbox.mark_published(connection, 3)
        outbox.mark_published(connection, 2)
    with database.reading() as connection:
        assert [feed for feed, _ in outbox.unpublished_events(connection, "registration", 10)] == [4, 5]
        assert [feed for feed, _ in outbox.unpublished_events(connection, "registration", 1)] == [4]
    add(database, "cup", "f")
    with database.reading() as connection:
        assert outbox.count_unpublished(connection) == 3


def test_readers_of_the_feed_need_no_relay(database):
    add(database, "cup", *"abc")
    page, end = outbox.feed_after(database, "registration", 1, 1)
    assert ([feed for feed, _ in page], end) == ([2], 3)
    assert outbox.feed_after(database, "registration", 3, 10) == ([], 3)
    assert outbox.feed_after(database, "registration", 99, 10) == ([], 3)


def test_a_rolled_back_append_leaves_no_gap(database):
    def also(connection, events):
        raise RuntimeError

    add(database, "cup", "anna")
    with pytest.raises(RuntimeError):
        append(database, "registration", "cup", head(database, "cup"), joined("ben"), STAMP, also)
    add(database, "cup", "cleo")
    sequence(database)
    assert feed(database) == [(1, "cup", 1), (2, "cup", 2)]


@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(1, 4), st.booleans()), max_size=12))
def test_the_feed_always_counts_all_events(database, steps):
    for tournament, number, then_sequence in steps:
        add(database, tournament, *(str(player) for player in range(number)))
        if then_sequence:
            sequence(database, 3)
    while sequence(database):
        pass
    rows = feed(database)
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    for name in "abc":
        positions = [position for _, tournament, position in rows if tournament == name]
        assert positions == list(range(1, len(positions) + 1))
    with database.reading() as connection:
        assert connection.value("SELECT count(*) FROM events") == len(rows)


def test_only_one_of_two_relays_leads(database):
    first = lease.acquire(database, "a", ttl=60_000)
    assert first is not None
    assert lease.acquire(database, "b", ttl=60_000) is None
    lease.release(database, first)
    second = lease.acquire(database, "b", ttl=60_000)
    assert second == first + 1


def test_only_one_of_many_candidates_leads(database):
    start, tokens = threading.Barrier(6), []

    def candidate(name):
        start.wait()
        tokens.append(lease.acquire(database, name, ttl=60_000))

    threads = [threading.Thread(target=candidate, args=(str(name),)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(token for token in tokens if token is not None) == [1]


def test_a_replaced_leader_cannot_write(database):
    add(database, "cup", "anna")
    sequence(database)
    asleep = lease.acquire(database, "a", ttl=-1)
    assert asleep is not None
    awake = lease.acquire(database, "b", ttl=60_000)
    assert awake is not None

    def mark_asleep():
        with database.writing() as connection:
            outbox.mark_published(connection, 1)
            lease.renew(connection, asleep, 60_000)

    with pytest.raises(lease.LeaseLost):
        mark_asleep()
    with database.reading() as connection:
        assert outbox.count_unpublished(connection) == 1
    with database.writing() as connection:
        lease.renew(connection, awake, 60_000)
        outbox.mark_published(connection, 1)
    with database.reading() as connection:
        assert outbox.count_unpublished(connection) == 0
    lease.release(database, asleep)
    assert lease.acquire(database, "c", ttl=60_000) is None


def test_an_expired_leader_without_a_successor_continues(database):
    token = lease.acquire(database, "a", ttl=-1)
    assert token is not None
    with database.writing() as connection:
        lease.renew(connection, token, 60_000)
    assert lease.acquire(database, "b", ttl=60_000) is None
