"""Page limits by number of events and by bytes; pages are never empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.log import outbox, reading
from shared.log.log import Entry, Stamp
from shared.log.reading import head_of
from tests.acting import acting
from tests.appending import append

SIZES = st.lists(st.integers(0, 3_000_000), max_size=12)


@given(SIZES, st.integers(1, 5_000_000))
def test_pages_exceed_their_limit_by_at_most_one_event(sizes, most):
    rows = list(enumerate(sizes, start=1))
    after, seen = 0, 0
    while after < len(rows):
        last = reading.last_position_within(iter(rows[after:]), after, most)
        assert last > after
        used = sum(size + reading.ENVELOPE_BYTES for _, size in rows[after:last])
        assert used <= most or last == after + 1
        after, seen = last, seen + 1
    assert reading.last_position_within(iter([]), after, most) == after
    assert seen <= len(rows)


LARGE = '{"text":"%s"}' % ("é" * 120_000)
FIT = reading.PAGE_BYTES // (len(LARGE.encode()) + reading.ENVELOPE_BYTES)
"""How many events of this size, in bytes and not in letters, a page takes."""


@pytest.fixture
def long_log(database):
    for number in range(20):
        with database.reading() as connection:
            head = head_of(connection, "registration", "t-1")
        stamp = Stamp(acting("ann"), f"c{number}", "2026-03-01T10:00:00.000Z", {})
        append(database, "registration", "t-1", head, [Entry("Told", 1, LARGE)], stamp)
    return database


def test_pages_of_a_log_and_its_feed_end_at_the_same_events(long_log):
    assert 1 < FIT < 20
    outbox.feed_after(long_log, "registration", 0, 0)
    with long_log.reading() as connection:
        ends = [reading.log_page_end(connection, "registration", "t-1", after, 100) for after in (0, FIT, 20)]
        assert ends == [FIT, 20, 20]
        assert [reading.feed_page_end(connection, "registration", after, 100) for after in (0, FIT, 20)] == ends
        assert reading.log_page_end(connection, "registration", "t-1", 2, 1) == 3
        assert reading.log_page_end(connection, "registration", "t-nowhere", 0, 9) == 0
