"""Copies: in whatever order and however often foreign events arrive, a copy is a prefix of its owner's log."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.log.copies import Outcome, accept_run, accept_runs
from shared.log.event import Head, compute_hash
from shared.log.log import BrokenLog, verify
from tests.acting import actor_of
from tests.eventlog.stories import add, changed, copy, head, log_of, read
from tests.examples import examples

LOG = log_of("cup", "anna", "ben", "cleo", "dora", "emil", "finn")
FORK = log_of("cup", "anna", "ben", "cleo", "somebody else", "emil", "finn", "gus")


def test_a_copy_grows_event_by_event(database):
    for event in LOG:
        assert copy(database, [event]) is Outcome.ACCEPTED
    assert read(database, "cup") == LOG
    assert head(database, "cup") == Head(6, LOG[-1].hash)


def test_copies_are_not_published_again(database):
    copy(database, LOG)
    with database.reading() as connection:
        assert connection.value("SELECT count(*) FROM outbox") == 0


def test_a_duplicate_changes_nothing(database):
    copy(database, LOG[:4])
    for again in (LOG[:4], LOG[3:4], LOG[0:1], LOG[1:3]):
        assert copy(database, again) is Outcome.DUPLICATE
    assert read(database, "cup") == LOG[:4]


def test_the_unknown_rest_of_a_run_is_copied(database):
    copy(database, LOG[:3])
    assert copy(database, LOG[1:5]) is Outcome.ACCEPTED
    assert read(database, "cup") == LOG[:5]


def test_nothing_is_copied_after_a_gap(database):
    assert copy(database, LOG[1:]) is Outcome.GAP
    copy(database, LOG[:2])
    assert copy(database, LOG[3:]) is Outcome.GAP
    assert read(database, "cup") == LOG[:2]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("data", '{"player":"mallory"}'),
        ("actor", actor_of("somebody else")),
        ("time", "2026-03-07T09:30:00.001Z"),
        ("seen", '{"pairing":9}'),
        ("type", "PlayerDropped"),
        ("version", 2),
        ("command_id", "c2"),
        ("id", "cup.registration.99"),
        ("source", "scoring"),
        ("tournament", "open"),
        ("position", 4),
        ("prev_hash", "f" * 64),
        ("hash", "f" * 64),
    ],
)
def test_an_event_changed_in_any_member_is_refused(database, member, value):
    copy(database, LOG[:2])
    with pytest.raises(BrokenLog):
        copy(database, [changed(LOG[2], **{member: value})])
    assert read(database, "cup") == LOG[:2]


def test_a_changed_event_with_a_valid_hash_must_still_link(database):
    copy(database, LOG[:2])
    forged = changed(LOG[2], prev_hash="0" * 64)
    with pytest.raises(BrokenLog, match="prev_hash"):
        copy(database, [changed(forged, hash=compute_hash(forged))])


def test_an_event_with_a_wrong_id_is_refused(database):
    forged = changed(LOG[0], id="cup.registration.2")
    with pytest.raises(BrokenLog, match="its id is"):
        copy(database, [changed(forged, hash=compute_hash(forged))])


def test_a_run_with_events_of_two_logs_is_refused(database):
    forged = changed(LOG[1], tournament="open", id="open.registration.2")
    with pytest.raises(BrokenLog, match="is in the log of"):
        copy(database, [LOG[0], changed(forged, hash=compute_hash(forged))])
    assert read(database, "cup") == []


def test_a_fork_is_detected_at_every_position(database):
    copy(database, LOG[:5])
    for run in (FORK[3:4], FORK[4:5], FORK[3:], FORK[5:], FORK):
        with pytest.raises(BrokenLog) as broken:
            copy(database, run)
        assert broken.value.event in FORK
    assert read(database, "cup") == LOG[:5]


def test_nothing_of_a_broken_run_is_copied(database):
    with pytest.raises(BrokenLog) as broken:
        copy(database, [*LOG[:3], changed(LOG[3], data="{}"), *LOG[4:]])
    assert broken.value.event.position == 4
    assert read(database, "cup") == []


def test_runs_of_several_logs_are_judged_separately_in_one_transaction(database):
    other, third = log_of("open", "x", "y", "z"), log_of("cup", "u", source="scoring")
    copy(database, other[:1])
    seen = []
    verdicts = accept_runs(
        database,
        [LOG[:2], other, [changed(third[0], data="{}")], LOG[2:4], LOG[5:], other[:1]],
        lambda connection, verdicts, new: seen.append((list(verdicts), list(new))),
    )
    assert [str(verdict) for verdict in verdicts if not isinstance(verdict, BrokenLog)] == [
        "accepted",
        "accepted",
        "accepted",
        "gap",
        "duplicate",
    ]
    assert isinstance(verdicts[2], BrokenLog)
    assert seen == [(verdicts, [2, 2, 0, 2, 0, 0])]  # of `other` one was here before
    assert (len(read(database, "cup")), len(read(database, "open"))) == (4, 3)


def test_a_failing_inline_projection_rolls_back_the_copies(database):
    def also(connection, verdicts, new):
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        accept_runs(database, [LOG[:2]], also)
    assert read(database, "cup") == []


def test_concurrent_writers_make_one_copy(database):
    logs = [log_of(f"t{number}", *(str(player) for player in range(8))) for number in range(12)]
    start = threading.Barrier(3)
    faults = []

    def copier(order):
        start.wait()
        try:
            for position in range(8):
                accept_runs(database, [log[position : position + 1] for log in logs[::order]])
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=copier, args=(order,)) for order in (1, -1, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert [read(database, f"t{number}") for number in range(12)] == logs


def test_an_own_log_and_a_copy_are_independent(database):
    add(database, "cup", "own", source="pairing")
    copy(database, LOG)
    assert verify(read(database, "cup", "pairing")).position == 1
    assert verify(read(database, "cup")).position == 6


@pytest.fixture
def tournament_names():
    counter = iter(range(1_000_000))
    return lambda: f"t{next(counter)}"


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_order_of_deliveries_with_duplicates_gives_the_same_copy(database, tournament_names, data):
    """Like a consumer: fetch missing events after a gap, then continue."""
    log = log_of(tournament_names(), *"abcdefg")
    deliveries = data.draw(st.lists(st.integers(0, len(log) - 1), max_size=20).map(lambda extra: [*extra, *range(7)]))
    deliveries = data.draw(st.permutations(deliveries))
    for index in deliveries:
        if copy(database, [log[index]]) is Outcome.GAP:
            held = head(database, log[0].tournament).position
            assert copy(database, log[held : index + 1]) is Outcome.ACCEPTED
    assert read(database, log[0].tournament) == log


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_deliveries_leave_a_prefix_of_the_log(database, tournament_names, data):
    """Deliver runs of any length, some of them changed, without fetching missing events."""
    log = log_of(tournament_names(), *"abcdefg")
    for _ in range(data.draw(st.integers(0, 12))):
        first = data.draw(st.integers(0, 6))
        run = log[first : data.draw(st.integers(first + 1, 7))]
        if data.draw(st.booleans()):
            spoiled = data.draw(st.integers(0, len(run) - 1))
            run = [*run[:spoiled], changed(run[spoiled], data='{"player":"mallory"}'), *run[spoiled + 1 :]]
            with pytest.raises(BrokenLog):
                accept_run(database, run)
        else:
            accept_run(database, run)
        held = read(database, log[0].tournament)
        assert held == log[: len(held)]
        assert verify(held) == head(database, log[0].tournament)
