"""Catch-up: events that no message brought are found."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy.exc import OperationalError

from shared import metrics
from shared.log import copies
from shared.messaging import catch_up as catch_up_module
from shared.messaging import inbox as heard_module
from shared.messaging import inbox as inbox_module
from shared.messaging.catch_up import CatchUp
from shared.messaging.peers import FeedPage
from shared.service.gates import event_fault
from tests.eventlog.stories import read
from tests.messaging.stage import KEYRING, OWNER, PowerCut, running
from tests.waiting import until


@pytest.fixture
def catching_up(stage):
    return CatchUp(stage.inbox(), stage.upstream(), every=0.05)


def test_a_lost_last_message_is_found(stage):
    inbox = stage.inbox()
    stage.append("cup", "anna", "ben")
    inbox.take(stage.arrivals()[:1])  # the second was lost, and nothing comes after it
    catching_up = CatchUp(inbox, stage.upstream())
    catching_up.run_once()
    stage.assert_equal()
    assert stage.cursor() == 2


def test_it_needs_no_relay_and_no_broker(stage, catching_up):
    with running(catching_up):
        for number in range(10):
            stage.append(f"t{number % 3}", str(number))
        until(stage.same)
    stage.assert_equal()


def test_without_new_events_a_pass_is_one_empty_request(stage, catching_up):
    stage.append("cup", "anna")
    catching_up.run_once()
    stage.site.asked.clear()
    catching_up.run_once()
    assert stage.site.asked == ["/log"]


def test_events_from_messages_are_not_read_again(stage):
    inbox = stage.inbox()
    stage.append("cup", *"abcdef")
    log = stage.arrivals()
    inbox.take(log[:3])
    inbox.take(log[4:])  # one lost in the middle of the feed
    catching_up = CatchUp(inbox, stage.upstream())
    catching_up.run_once()
    assert stage.cursor() == 6
    stage.site.asked.clear()
    catching_up.run_once()
    assert stage.site.asked == ["/log"]


def test_a_new_copy_of_many_logs_comes_page_by_page(stage, catching_up, monkeypatch):
    for number in range(30):
        stage.append(f"t{number}", "anna", "ben", "cleo")
    monkeypatch.setattr(catch_up_module, "PAGE", 7)
    catching_up.run_once()
    stage.assert_equal()
    assert stage.site.asked == ["/log"] * 13


def test_an_unavailable_owner_does_not_delay_the_others(stage, tmp_path):
    inbox = inbox_module.Inbox(stage.copy, ["aaa", OWNER], KEYRING, event_fault, stage.upstream().fetch)
    upstream = stage.upstream()
    upstream._bases = {OWNER: "http://owner", "aaa": "http://owner"}
    genuine = upstream.feed

    def feed(source, after, limit):
        stage.site.down = source == "aaa"
        return genuine(source, after, limit)

    upstream.feed = feed
    stage.append("cup", "anna")
    catching_up = CatchUp(inbox, upstream)
    catching_up.run_once()
    stage.assert_equal()
    assert "503" in catching_up.lag()["aaa"].error
    assert catching_up.lag()["aaa"].checked is None
    assert catching_up.lag()[OWNER].error == ""


def test_the_lag_is_the_number_of_missing_events(stage, catching_up):
    stage.append("cup", *"abc")
    assert catching_up.lag()[OWNER].error == "not asked yet"
    stage.site.down = False
    catching_up.run_once()
    lag = catching_up.lag()[OWNER]
    assert (lag.behind, lag.error) == (0, "")
    assert lag.checked is not None
    assert lag.checked < 30
    with stage.copy.reading() as connection:
        (cursor,) = copies.cursors(connection)
    assert (cursor.feed, cursor.owner_end, cursor.behind) == (3, 3, 0)
    assert metrics.REPLICATION_LAG.labels(OWNER)._value.get() == 0


def test_a_waiting_log_counts_as_lag(stage, catching_up, monkeypatch):
    stage.append("cup", *"abc")
    page = stage.upstream().feed(OWNER, 0, 10)
    broken = FeedPage(page.lines[1:], page.end)  # an owner that leaves the first event out of its feed
    monkeypatch.setattr(catching_up._upstream, "feed", lambda *_: broken)
    monkeypatch.setattr(catching_up._inbox.logs, "_fetch", lambda *_: [])
    catching_up.run_once()
    assert catching_up.lag()[OWNER].behind == 3
    assert stage.cursor() == 0


def test_a_feed_that_ends_earlier_is_reported_and_copies_are_kept(stage, catching_up):
    """The owner was restored from an old backup, so its feed differs."""
    stage.append("cup", *"abc")
    catching_up.run_once()
    with stage.copy.writing() as connection:
        copies.move_cursor(connection, OWNER, 9)
    catching_up.run_once()
    assert "ends at 3, 9 was read before" in catching_up.lag()[OWNER].error
    assert len(read(stage.copy, "cup")) == 3
    assert stage.cursor() == 3  # and what it says from now on is read


def test_a_cursor_that_passed_missing_events_moves_back(stage, catching_up):
    stage.append("cup", *"abc")
    with stage.copy.writing() as connection:
        copies.move_cursor(connection, OWNER, 2)
    catching_up.run_once()
    stage.assert_equal()
    assert stage.cursor() == 3


def test_a_requested_pass_starts_at_once(stage):
    catching_up = CatchUp(stage.inbox(), stage.upstream(), every=3600.0)
    with running(catching_up):
        until(lambda: stage.site.asked == ["/log"])
        stage.append("cup", "anna")
        catching_up.request()
        until(stage.same)


def test_a_feed_with_foreign_lines_is_rejected(stage, catching_up, monkeypatch):
    stage.append("cup", "anna")
    monkeypatch.setattr(catching_up._upstream, "feed", lambda *_: FeedPage([b"{}"], 1))
    catching_up.run_once()
    assert "something else" in catching_up.lag()[OWNER].error
    assert stage.cursor() == 0


def test_a_feed_without_progress_is_not_requested_forever(stage, catching_up, monkeypatch):
    stage.append("cup", "anna", "ben")
    page = catching_up._upstream.feed(OWNER, 0, 1)
    catching_up._inbox.take(stage.arrivals()[:1])
    monkeypatch.setattr(catching_up._upstream, "feed", lambda *_: FeedPage(page.lines, 2))
    catching_up.run_once()
    assert "does not go on" in catching_up.lag()[OWNER].error


def test_a_database_outage_is_retried(stage, catching_up, monkeypatch):
    away = threading.Event()
    away.set()
    genuine, tries = copies.cursor_of, []

    def cursor_of(*arguments):
        tries.append(1)
        if away.is_set():
            raise OperationalError("statement", {}, Exception("away"))
        return genuine(*arguments)

    monkeypatch.setattr(copies, "cursor_of", cursor_of)
    stage.append("cup", "anna")
    with running(catching_up):
        until(lambda: len(tries) > 1, "it tries again")
        away.clear()
        until(lambda: stage.copied() == 1)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["feed", "take", "accept_runs", "move_cursor", "note_owner_end"])
def test_after_a_crash_at_any_step_the_next_pass_finishes(stage, monkeypatch, step, when):
    stage.append("cup", *"abc")
    stage.append("open", "x")
    dying = CatchUp(stage.inbox(), stage.upstream())
    with monkeypatch.context() as patch:
        place = {"feed": dying._upstream, "take": dying._inbox, "accept_runs": heard_module}.get(step, copies)
        genuine = getattr(place, step)

        def cut(*arguments):
            if when == "after":
                genuine(*arguments)
            raise PowerCut

        patch.setattr(place, step, cut)
        with pytest.raises(PowerCut):
            dying.run_once()
    CatchUp(stage.inbox(), stage.upstream()).run_once()
    stage.assert_equal()
    assert stage.cursor() == 4
