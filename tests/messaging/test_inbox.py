"""The inbox: every message gets a disposition, and copies stay correct, whatever arrives in whatever order."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.exc import OperationalError

from shared.log.copies import open_cases
from shared.log.event import Head
from shared.log.log import chain_events
from shared.messaging import inbox as heard_module
from shared.messaging import inbox as inbox_module
from shared.messaging.catch_up import CatchUp
from shared.messaging.envelope import Disposition, InboundMessage, Line, parse_event
from shared.messaging.errors import OwnerUnavailable
from shared.service.gates import event_fault
from tests.acting import actor_of
from tests.eventlog.stories import STAMP, changed, copy, log_of, read, said
from tests.examples import examples
from tests.messaging.stage import KEYRING, OWNER, SIGNERS, message


def cases(stage):
    with stage.copy.reading() as connection:
        return open_cases(connection)


def fates(messages):
    return [arrival.disposition for arrival in messages]


def test_events_in_order_are_copied_with_their_feed_positions(stage):
    stage.append("cup", "anna", "ben")
    stage.append("open", "cleo")
    messages = stage.arrivals()
    stage.inbox().take(messages)
    assert fates(messages) == [Disposition.COPIED] * 3
    stage.assert_equal()
    assert (stage.heard(), stage.cursor()) == (3, 0)  # the cursor is for the owner to move
    assert sorted(stage.accepted) == [("cup", OWNER), ("open", OWNER)]
    assert stage.site.asked == []


def test_a_reordered_batch_needs_no_request(stage):
    stage.append("cup", *"abcde")
    inbox = stage.inbox()
    messages = stage.arrivals()[::-1]
    inbox.take([messages[2], *messages])
    stage.assert_equal()
    assert stage.heard() == 5
    assert stage.site.asked == []


def test_a_duplicate_is_copied_once_without_a_notification(stage):
    stage.append("cup", "anna", "ben")
    inbox = stage.inbox()
    inbox.take(stage.arrivals())
    stage.accepted.clear()
    again = stage.arrivals()
    inbox.take(again)
    assert fates(again) == [Disposition.COPIED] * 2
    assert stage.accepted == []


def test_a_gap_is_filled_from_the_owner(stage):
    stage.append("cup", *"abcde")
    messages = stage.arrivals()[3:]
    stage.inbox().take(messages)
    assert fates(messages) == [Disposition.COPIED] * 2
    stage.assert_equal()
    assert stage.site.asked[0] == "/tournaments/cup/log"
    assert stage.heard() == 0  # feed positions 1 to 3 never came: the catch-up will see them known


def test_a_gap_waits_for_an_unavailable_owner_and_the_cursor_stays(stage):
    stage.append("cup", *"abc")
    stage.append("open", "x")
    stage.site.down = True
    inbox = stage.inbox()
    first, _, third, other = stage.arrivals()
    batch = [first, third, other]
    inbox.take(batch)
    assert fates(batch) == [Disposition.COPIED, Disposition.WAITING, Disposition.COPIED]
    assert stage.heard() == 1
    stage.site.down = False
    CatchUp(inbox, stage.upstream()).run_once()
    stage.assert_equal()
    assert stage.cursor() == 4


@pytest.mark.parametrize(
    "spoil",
    [
        lambda event: changed(event, data='{"player":"mallory"}'),
        lambda event: changed(event, actor=actor_of("mallory")),
        lambda event: changed(event, prev_hash="0" * 64),
        lambda event: changed(event, hash="0" * 64),
        lambda event: changed(event, id="cup.registration.77"),
    ],
)
def test_a_tampered_event_is_refused_and_the_owners_event_is_copied(stage, spoil):
    stage.append("cup", "anna", "ben", "cleo")
    log = read(stage.owner, "cup")
    messages = [message(log[0], 1), message(spoil(log[1]), 2, like=log[1]), message(log[2], 3)]
    stage.inbox().take(messages)
    another = messages[1].event.hash != log[1].hash  # which nobody vouches for
    assert fates(messages) == [
        Disposition.COPIED,
        Disposition.POISON if another else Disposition.TAMPERED,
        Disposition.COPIED,
    ]
    assert messages[1].reason
    stage.assert_equal()
    assert cases(stage) == []  # the copy is past it


def test_a_tampered_event_stays_quarantined_until_the_copy_passes_it(stage):
    stage.append("cup", "anna", "ben")
    stage.site.down = True
    inbox = stage.inbox()
    log = read(stage.owner, "cup")
    inbox.take([message(log[0], 1), message(changed(log[1], data="{}"), 2)])
    (case,) = cases(stage)
    assert (case.tournament, case.position, case.origin) == ("cup", 2, "message")
    stage.site.down = False
    CatchUp(inbox, stage.upstream()).run_once()
    assert cases(stage) == []
    stage.assert_equal()


def test_an_owners_invalid_event_blocks_only_its_log(stage):
    stage.append("cup", *"abcd")
    stage.append("open", "x")
    stage.site.spoil = lambda event: changed(event, data="{}") if event.id == "cup.registration.3" else event
    inbox = stage.inbox()
    catch_up = CatchUp(inbox, stage.upstream())
    catch_up.run_once()
    assert [event.position for event in read(stage.copy, "cup")] == [1, 2]
    assert len(read(stage.copy, "open")) == 1
    (case,) = cases(stage)
    assert (case.position, case.origin) == (3, "owner")
    assert stage.cursor() == 5
    stage.append("cup", "e")
    later = stage.arrivals()[-1:]
    inbox.take(later)
    assert fates(later) == [Disposition.BLOCKED]
    assert len(cases(stage)) == 1

    stage.site.spoil = lambda event: event
    catch_up.request()
    catch_up.run_once()
    stage.assert_equal()
    assert cases(stage) == []


def test_a_fork_that_the_owner_holds_stays_quarantined(stage):
    true = stage.append("cup", "anna")
    forged = chain_events("registration", "cup", Head(1, true[0].hash), said("registration", 1, ["mallory"]), STAMP)
    copy(stage.copy, [*true, *forged])  # somebody who could publish made a chain that links
    stage.append("cup", "ben")
    messages = stage.arrivals()
    stage.inbox().take(messages)
    assert fates(messages) == [Disposition.COPIED, Disposition.TAMPERED]
    assert [case.origin for case in cases(stage)] == ["fork"]
    CatchUp(stage.inbox(), stage.upstream()).run_once()
    assert [case.origin for case in cases(stage)] == ["fork"]


@pytest.mark.parametrize(
    ("body", "address"),
    [
        pytest.param(b"hello", "registration.X.cup", id="no event"),
        pytest.param(b"\xff\xfe\x00", "registration.X.cup", id="no text"),
        pytest.param(None, "registration.PlayerDropped.cup", id="addressed as another type"),
        pytest.param(None, "registration.PlayerJoined.open", id="addressed to another tournament"),
    ],
)
def test_poison_is_recognized(stage, body, address):
    stage.append("cup", "anna")
    (good,) = stage.arrivals()
    bad = InboundMessage(body or good.body, address)
    stage.inbox().take([bad, good])
    assert (bad.disposition, good.disposition) == (Disposition.POISON, Disposition.COPIED)
    assert bad.reason


@pytest.mark.parametrize("source", ["pairing", "scoring", "nobody"])
def test_events_of_a_source_that_is_not_copied_are_refused(stage, source):
    """In particular, the service's own log cannot be extended."""
    arrival = message(log_of("cup", "anna", source=source)[0])
    stage.inbox().take([arrival])
    assert arrival.disposition is Disposition.POISON
    assert read(stage.copy, "cup", source) == []


def test_an_owners_feed_may_only_contain_its_own_events(stage):
    arrival = InboundMessage(stage_line := message(log_of("cup", "anna")[0], 1).body)
    assert stage_line
    inbox = inbox_module.Inbox(stage.copy, ["registration", "scoring"], KEYRING, event_fault, stage.upstream().fetch)
    inbox.take([arrival], "scoring")
    assert arrival.disposition is Disposition.POISON


def test_a_database_outage_sets_no_disposition(stage, monkeypatch):
    stage.append("cup", "anna", "ben")
    inbox = stage.inbox()

    def away(*_):
        raise OperationalError("statement", {}, Exception("away"))

    messages = stage.arrivals()
    with monkeypatch.context() as patch:
        patch.setattr(heard_module, "note_claimed", away)
        with pytest.raises(OperationalError):
            inbox.take(messages)
    assert stage.copied() == 0
    inbox.take(messages)
    stage.assert_equal()
    assert stage.heard() == 2


def test_a_failing_on_accepted_does_no_harm(stage):
    def fail(tournament, source):
        raise RuntimeError("a fault of theirs")

    stage.append("cup", "anna")
    messages = stage.arrivals()
    inbox_module.Inbox(stage.copy, [OWNER], KEYRING, event_fault, stage.upstream().fetch, fail).take(messages)
    assert fates(messages) == [Disposition.COPIED]


def test_an_answer_for_another_position_is_rejected(stage):
    stage.append("cup", *"abc")
    log = read(stage.owner, "cup")
    copy(stage.copy, log[:1])
    for answer in (log[2:], log[:1], log, log_of("open", "x")):
        lines = [Line(event, signature=SIGNERS[OWNER].log(event)) for event in answer]
        inbox = inbox_module.Inbox(stage.copy, [OWNER], KEYRING, event_fault, lambda *_, lines=lines: lines)
        with pytest.raises(OwnerUnavailable):
            inbox.backfill(OWNER, "cup")
    assert read(stage.copy, "cup") == log[:1]
    assert read(stage.copy, "open") == []


def test_an_unavailable_owner_is_asked_once_per_batch(stage):
    for number in range(20):
        stage.append(f"t{number}", "anna", "ben")
    stage.site.down = True
    gaps = [arrival for arrival in stage.arrivals() if b'"position":2' in arrival.body]
    stage.inbox().take(gaps)
    assert fates(gaps) == [Disposition.WAITING] * 20
    assert len(stage.site.asked) == 1


def test_a_long_gap_is_left_to_catch_up(stage, monkeypatch):
    stage.append("cup", *(str(number) for number in range(12)))
    upstream = stage.upstream()
    monkeypatch.setattr("shared.messaging.peers.PAGE", 3)
    monkeypatch.setattr(inbox_module, "HEALING_SECONDS", 0.0)
    inbox = inbox_module.Inbox(stage.copy, [OWNER], KEYRING, event_fault, upstream.fetch)
    last = stage.arrivals()[-1:]
    inbox.take(last)
    assert fates(last) == [Disposition.WAITING]
    CatchUp(inbox, upstream).run_once()
    stage.assert_equal()


def test_the_valid_beginning_of_an_answer_is_copied(stage):
    stage.append("cup", *"abcd")
    stage.site.spoil = lambda event: changed(event, data="{}") if event.position == 3 else event
    assert not stage.inbox().backfill(OWNER, "cup")
    assert [event.position for event in read(stage.copy, "cup")] == [1, 2]


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_deliveries_and_catch_up_give_the_owners_logs(new_stage, data):
    """Lose, duplicate, reorder and change messages in batches of any size; the copies equal the logs."""
    stage = new_stage()
    for tournament in data.draw(st.lists(st.sampled_from(["cup", "open", "league"]), min_size=1, max_size=4)):
        stage.append(tournament, *data.draw(st.text("abc", min_size=1, max_size=4)))
    log = stage.arrivals()
    inbox = stage.inbox()
    for _ in range(data.draw(st.integers(0, 5))):
        batch = [
            InboundMessage(log[index].body, log[index].address)
            for index in data.draw(st.lists(st.integers(0, len(log) - 1), max_size=12))
        ]
        for arrival in batch:
            if data.draw(st.integers(0, 9)) == 0:
                arrival.body = arrival.body.replace(b"organiser-1", b"mallory")
        stage.site.down = data.draw(st.booleans())
        inbox.take(batch)
        known = stage.heard()
        with stage.copy.reading() as connection:
            held = set(connection.rows("SELECT tournament, position FROM events"))
        for arrival in log[:known]:  # what is heard never passes what is not copied
            event = parse_event(arrival.body)[0]
            assert (event.tournament, event.position) in held
    stage.site.down = False
    CatchUp(inbox, stage.upstream()).run_once()
    stage.assert_equal()
    assert stage.cursor() == len(log)


def test_two_signed_events_at_one_position_are_a_fork(stage):
    """A restored service appends another event at a position that its peers hold."""
    first = message(log_of("cup", "mallory")[0], 1)
    inbox = stage.inbox()
    inbox.take([first])
    assert first.disposition is Disposition.COPIED
    stage.append("cup", "anna")
    genuine = stage.arrivals()
    inbox.take(genuine)
    assert fates(genuine) == [Disposition.TAMPERED]
    assert [case.origin for case in cases(stage)] == ["fork"]
