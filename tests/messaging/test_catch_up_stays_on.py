"""Nothing stops catch-up: neither false claims of messages, nor one bad case, nor a restored owner."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.log import copies
from shared.log.cloudevents import CONTENT_TYPE
from shared.log.copies import open_cases
from shared.log.migrate import upgrade_database
from shared.log.schema import open_database
from shared.messaging import catch_up as copied_source_module
from shared.messaging import inbox as inbox_module
from shared.messaging.catch_up import CatchUp
from shared.messaging.consumer import Consumer
from shared.messaging.errors import OwnerUnavailable, RateLimiter
from shared.messaging.peers import FeedPage
from shared.messaging.publisher import Outgoing, Publisher
from shared.service.gates import event_fault
from tests.eventlog.conftest import ENGINES
from tests.eventlog.stories import changed, copy, log_of, read
from tests.messaging.stage import COPIER, KEYRING, OWNER, Stage, message, running
from tests.waiting import until


@pytest.fixture(params=ENGINES)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    """Return a stage whose copy is on each engine in turn."""
    owner = open_database(f"sqlite:///{tmp_path}/owner.sqlite3")
    url = request.getfixturevalue("postgresql_url") if request.param == "postgresql" else f"sqlite:///{tmp_path}/c.db"
    copy = open_database(url)
    for database in (owner, copy):
        upgrade_database(database)
    yield Stage(owner, copy)
    for database in (owner, copy):
        database.close()


def publish(broker, arrivals):
    publisher = Publisher(broker)
    publisher.publish(
        [Outgoing(broker.topology.exchange, a.address, a.body, str(n), CONTENT_TYPE) for n, a in enumerate(arrivals)]
    )
    publisher.close()


def noted(stage):
    with stage.copy.reading() as connection:
        return {cursor.source: cursor for cursor in copies.cursors(connection)}[OWNER]


def put_back_to(stage, moment):
    """Restore a backup of the owner's database."""
    stage.owner.close()
    file = Path(str(stage.owner.url.database))
    for old in file.parent.glob(f"{file.name}*"):
        old.unlink()
    shutil.copy(moment, file)


def moment_of(stage, tmp_path):
    """Make a backup of the owner's database."""
    with stage.owner.reading() as connection:
        connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    return shutil.copy(str(stage.owner.url.database), tmp_path / "backup")


@pytest.mark.attack("a feed position replayed")
def test_replayed_events_with_false_feed_positions_hide_no_loss(stage, broker):
    known = stage.append("cup", *(f"p{number}" for number in range(30)))
    with broker.connect() as connection, broker.declaring():
        broker.topology.declare(connection.channel(), COPIER, [OWNER])
    inbox = stage.inbox()
    catch_up = CatchUp(inbox, stage.upstream(), every=0.05)
    with running(Consumer(COPIER, broker, inbox, idle_seconds=0.1), catch_up):
        publish(broker, stage.arrivals())
        until(lambda: stage.cursor() == 30)
        publish(broker, [message(known[0], 31 + number) for number in range(1000)])
        until(lambda: depth(broker) == 0)
        stage.append("cup", "lost")  # the broker loses this one
        until(stage.same)
    assert stage.cursor() == 31
    assert noted(stage).behind == 0
    stage.assert_equal()


def depth(broker):
    with broker.connect() as connection:
        return connection.channel().queue_declare(broker.topology.queue_name(COPIER), passive=True).message_count


def test_false_feed_positions_of_new_events_are_discarded(stage):
    """A message may lie about the feed position of a valid event; only the owner's feed counts."""
    stage.append("cup", *"abc")
    log = read(stage.owner, "cup")
    inbox = stage.inbox()
    catch_up = CatchUp(inbox, stage.upstream())
    catch_up.run_once()
    inbox.take([message(event, 3 + place) for place, event in enumerate(log_of("mad", *"vwxyz"), 1)])
    assert stage.heard() == 8
    stage.append("open", "lost")
    catch_up.run_once()
    assert stage.cursor() == stage.heard() == 4
    assert len(read(stage.copy, "open")) == 1
    assert read(stage.copy, "cup") == log


def test_a_loss_before_a_confirmed_position_is_found_by_counting(stage):
    """Two valid events arrive with each other's feed positions, and a third one between them is lost."""
    first, *_ = stage.append("cup", "a")
    stage.append("open", "lost")
    third, *_ = stage.append("league", "c")
    inbox = stage.inbox()
    inbox.take([message(first, 1), message(third, 2)])  # the place of the lost one
    stage.append("more", "d")
    (fourth,) = read(stage.owner, "more")
    inbox.take([message(fourth, 3)])
    catch_up = CatchUp(inbox, stage.upstream())
    catch_up.run_once()
    catch_up.run_once()
    stage.assert_equal()
    assert stage.cursor() == 4


def test_a_refused_event_of_an_unknown_tournament_blocks_nothing(stage):
    """Its owner always answers 404. Counting, rewinding and other cases continue."""
    unknown = changed(log_of("nobody-knows", "x")[0], data="{}")
    inbox = stage.inbox()
    stage.site.missing.add("nobody-knows")
    stage.site.down = True
    inbox.take([message(unknown, 1)])
    stage.append("cup", *"abc")
    log = read(stage.owner, "cup")
    inbox.take([message(changed(log[0], data="{}"), 1)])
    stage.site.down = False
    with stage.copy.writing() as connection:
        copies.move_cursor(connection, OWNER, 2)  # something was passed that is not here
    catch_up = CatchUp(inbox, stage.upstream())
    for _ in range(2):
        catch_up.run_once()
    stage.assert_equal()
    assert stage.cursor() == 3
    with stage.copy.reading() as connection:
        assert [case.tournament for case in open_cases(connection)] == ["nobody-knows"]


def test_requests_for_cases_have_a_budget_and_backoff(stage, monkeypatch):
    inbox = stage.inbox()
    stage.site.down = True
    for number in range(50):
        stage.site.missing.add(f"mad-{number:02}")
        inbox.take([message(changed(log_of(f"mad-{number:02}", "x")[0], data="{}"), 1)])
    stage.site.down = False
    monkeypatch.setattr("shared.messaging.catch_up.COMPARED_SECONDS", 0.0)
    monkeypatch.setattr(copied_source_module, "ASKED_A_MINUTE", 7)
    catch_up = CatchUp(inbox, stage.upstream())
    stage.site.asked.clear()
    for _ in range(5):
        catch_up.run_once()
    assert sum(path.startswith("/tournaments/mad-") for path in stage.site.asked) == 7
    assert stage.site.asked.count("/log") == 5


def test_every_case_is_requested_eventually(stage):
    class Case:
        source, origin = OWNER, "message"

        def __init__(self, tournament):
            self.tournament = tournament

    cases = [Case(f"t{number}") for number in range(45)]
    due = copied_source_module.CopiedSource(OWNER, stage.copy)
    asked = due.logs_to_request(cases)
    assert len(asked) == copied_source_module.ASKED_A_MINUTE
    due._allowance = RateLimiter(copied_source_module.ASKED_A_MINUTE)  # a minute later
    again = due.logs_to_request(cases)
    assert not set(asked) & set(again)
    due._allowance = RateLimiter(copied_source_module.ASKED_A_MINUTE)
    rest = due.logs_to_request(cases)
    assert {*asked, *again, *rest} == {case.tournament for case in cases}
    assert copied_source_module.CopiedSource("scoring", stage.copy).logs_to_request(cases) == []


@pytest.mark.attack("an owner put back in time")
def test_a_restored_owner_is_reported_and_followed(stage, tmp_path, monkeypatch):
    monkeypatch.setattr("shared.messaging.catch_up.COMPARED_SECONDS", 0.0)
    stage.append("cup", *"abc")
    backup = moment_of(stage, tmp_path)
    stage.append("cup", "d")
    stage.append("open", *"xy")
    catch_up = CatchUp(stage.inbox(), stage.upstream())
    catch_up.run_once()
    assert (stage.cursor(), noted(stage).trouble) == (6, "")
    put_back_to(stage, backup)
    catch_up.run_once()
    catch_up.run_once()
    found = noted(stage)
    assert (found.feed, found.owner_end) == (3, 3)
    assert "6 of its events are copied here, its feed ends at 3" in found.trouble
    stage.append("cup", "another d")
    stage.append("late", *"uvw")
    catch_up.run_once()
    assert len(read(stage.copy, "late")) == 3  # what does not contradict the copy is copied
    with stage.copy.reading() as connection:
        assert [(case.tournament, case.origin) for case in open_cases(connection)] == [("cup", "fork")]
    assert stage.cursor() == 7
    stage.append("late", "x")
    stage.site.asked.clear()
    catch_up.run_once()
    assert len(read(stage.copy, "late")) == 4
    assert stage.site.asked.count("/log") <= 2  # it is not read from its beginning over and over


def test_an_alternating_feed_end_does_not_cause_full_reads_each_time(stage, monkeypatch):
    for number in range(12):
        stage.append(f"t{number}", "a")
    catch_up = CatchUp(stage.inbox(), stage.upstream())
    catch_up.run_once()
    genuine = catch_up._upstream.feed
    pages, ends = [], [12, 5]

    def feed(source, after, limit):
        page = genuine(source, after, limit)
        end = ends[len(pages) // 2 % 2]
        pages.append(len(page.lines))
        return FeedPage([line for number, line in enumerate(page.lines, after + 1) if number <= end], end)

    monkeypatch.setattr(catch_up._upstream, "feed", feed)
    monkeypatch.setattr(copied_source_module, "FIRST_SECONDS", 3600.0)
    for _ in range(40):
        catch_up.run_once()
    assert sum(pages) < 12 * 40
    stage.assert_equal()


def test_a_failing_source_is_reported_and_the_others_are_read(stage, monkeypatch):
    inbox = inbox_module.Inbox(stage.copy, ["aaa", OWNER], KEYRING, event_fault, stage.upstream().fetch)
    upstream = stage.upstream()
    genuine = upstream.feed

    def feed(source, after, limit):
        if source == "aaa":
            raise ZeroDivisionError("a fault of ours")
        return genuine(source, after, limit)

    upstream.feed = feed  # type: ignore[method-assign]
    stage.append("cup", "anna")
    catch_up = CatchUp(inbox, upstream)
    catch_up.run_once()
    stage.assert_equal()
    with stage.copy.reading() as connection:
        found = {cursor.source: cursor.trouble for cursor in copies.cursors(connection)}
    assert found == {"aaa": "ZeroDivisionError in catch-up; the log says where", OWNER: ""}


def test_a_failing_after_pass_hook_does_no_harm(stage):
    def fail():
        raise RuntimeError("a fault of theirs")

    catch_up = CatchUp(stage.inbox(), stage.upstream(), after_pass=fail)
    stage.append("cup", "anna")
    catch_up.run_once()
    catch_up.run_once()
    stage.assert_equal()
    assert "RuntimeError" in catch_up.trouble


def test_events_that_only_a_copy_has_are_reported(stage):
    copy(stage.copy, log_of("cup", "mallory"))
    CatchUp(stage.inbox(), stage.upstream()).run_once()
    assert "1 of its events are copied here, its feed ends at 0" in noted(stage).trouble


def test_a_problem_stored_by_a_killed_process_is_cleared(stage):
    with stage.copy.writing() as connection:
        copies.note_trouble(connection, OWNER, "it did not answer")
    CatchUp(stage.inbox(), stage.upstream()).run_once()
    assert noted(stage).trouble == ""


def test_a_starting_owner_is_not_logged(stage, monkeypatch, said):
    source = copied_source_module.CopiedSource(OWNER, stage.copy)
    monkeypatch.setattr("shared.logs._kinds", {})  # other tests of this process may have had all lines of a minute

    def failed(at: float) -> None:
        monkeypatch.setattr(copied_source_module.time, "monotonic", lambda: at)
        source.failed(OwnerUnavailable("does not answer"))

    for second in (100.0, 101.0, 129.0):
        failed(second)
    assert said == []
    for second in (131.0, 140.0):
        failed(second)
    assert [line["event"] for line in said] == ["cannot ask the owner"]
    source.succeeded()
    failed(150.0)
    assert len(said) == 1
