"""Group commit: commands that wait for a tournament get the same answers as single commands."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.registration import app as wiring
from services.registration.check_in import CheckIn, CheckOut
from services.registration.players import AmendPlayer
from shared import tracing
from shared.refusals import Refusal
from shared.service.commands import CommandEnvelope, CommandHandler, CommandResult
from shared.tournament.guards import By, UnknownTournament
from shared.web.refusals import IdempotencyKeyReused
from tests.examples import examples
from tests.services.conftest import logging_as_it_was
from tests.services.engines import ENGINES, club_on
from tests.services.registration.story import announced
from tests.services.story import same_state
from tests.waiting import until

PLAYERS = [f"p{number}" for number in range(1, 5)]
BEGUN = 6
"""Events of registration before anything is tried: a tournament, a venue, four players."""


@pytest.fixture(scope="module", params=ENGINES)
def club(request, new_club):
    return club_on(request.param, "registration", new_club, request)


@pytest.fixture(scope="module")
def service(club):
    return another(club)


def another(club):
    """Another process of the service on the same database."""
    with logging_as_it_was():
        return wiring.build(club.env, club.database)


def evening_of(club):
    evening = announced(club)
    evening.venue()
    evening.join("Ana", "Ben", "Cy", "Dora")
    return evening


def asked(tournament: str, command, key: str = "", said: str = "0") -> CommandEnvelope:
    id = f"{key}~{said}" if key else f"random-{time.monotonic_ns()}"
    return CommandEnvelope(tournament, command, By("organiser", "organiser"), id, key)


def together(handler: CommandHandler, envelopes: Sequence[CommandEnvelope]) -> list[CommandResult | Exception]:
    """Run commands that queue in this order while the tournament is locked. Return their results."""
    came: list[CommandResult | Exception | None] = [None] * len(envelopes)

    def run(index: int) -> None:
        try:
            with tracing.caused_by(tracing.cause_of_request(f"request-{index}", None)):
                came[index] = handler.run(envelopes[index])
        except Exception as error:
            came[index] = error

    threads = []
    slot = handler.repository.slot(envelopes[0].tournament)
    with slot.lock:
        for index in range(len(envelopes)):
            threads.append(threading.Thread(target=run, args=(index,)))
            threads[-1].start()
            until(partial(waits_or_is_over, slot, threads), pause=0.001)
    for thread in threads:
        thread.join()
    return came


def waits_or_is_over(slot, threads) -> bool:
    return len(slot.queue) >= len(threads) or not threads[-1].is_alive()


@contextmanager
def counted(database, monkeypatch):
    """Yield a list that collects the number of events of each committed transaction."""
    transactions: list[int] = []
    plain = type(database).locking_log

    @contextmanager
    def locking_log(self, *what):
        with plain(self, *what) as held:
            extend = held.connection.extend

            def extended(head, events, **more):
                transactions.append(len(events))
                return extend(head, events, **more)

            held.connection.extend = extended
            yield held

    with monkeypatch.context() as patch:
        patch.setattr(type(database), "locking_log", locking_log)
        yield transactions


def told(outcome):
    """Return a result without the parts that differ between tournaments."""
    if isinstance(outcome, Exception):
        return type(outcome).__name__
    return [(event.type, event.data, event.command_id) for event in outcome.events], outcome.is_repeat


def test_waiting_commands_are_written_in_one_transaction(club, service, monkeypatch):
    evening = evening_of(club)
    with counted(club.database, monkeypatch) as transactions:
        came = together(service.handler, [asked(evening.id, CheckIn(player=player)) for player in PLAYERS])
    assert [outcome for outcome in came if isinstance(outcome, Exception)] == []
    assert transactions == [4]
    assert [outcome.events[0].position for outcome in came] == [7, 8, 9, 10]
    assert [outcome.seen["registration"] for outcome in came] == [7, 8, 9, 10]
    asked_for = zip(PLAYERS, came, strict=True)
    assert all(f'"player":"{player}"' in outcome.events[0].data for player, outcome in asked_for)
    assert len({outcome.events[0].command_id for outcome in came}) == 4
    assert same_state(club, evening.id)


def test_refusal_affects_only_its_own_command(club, service):
    evening = evening_of(club)
    orders = [CheckIn(player="p1"), CheckIn(player="p9"), CheckIn(player="p2"), CheckOut(player="p8")]
    came = together(service.handler, [asked(evening.id, order) for order in orders])
    assert [isinstance(outcome, Refusal) for outcome in came] == [False, True, False, True]
    assert [evening.player(player)["checked_in"] for player in PLAYERS] == [True, True, False, False]


def test_each_command_sees_the_commands_before_it(club, service):
    evening = evening_of(club)
    orders = [CheckIn(player="p1"), CheckOut(player="p1"), CheckOut(player="p1"), CheckIn(player="p1")]
    came = together(service.handler, [asked(evening.id, order) for order in orders])
    types = ["PlayerCheckedIn"], ["PlayerCheckedOut"], [], ["PlayerCheckedIn"]
    assert [[event.type for event in outcome.events] for outcome in came] == list(types)


def test_repeated_key_takes_effect_once_within_a_transaction(club, service):
    evening = evening_of(club)
    first = asked(evening.id, CheckIn(player="p1"), "k")
    done = service.handler.run(first)
    orders = [first, asked(evening.id, CheckIn(player="p2"), "l"), asked(evening.id, CheckIn(player="p2"), "l")]
    orders += [asked(evening.id, CheckIn(player="p3"), "k", "1"), asked(evening.id, CheckIn(player="p4"), "m")]
    came = together(service.handler, orders)
    assert came[0].is_repeat
    assert came[0].events == done.events
    assert not came[1].is_repeat
    assert came[2].is_repeat
    assert came[1].events == came[2].events
    assert isinstance(came[3], IdempotencyKeyReused)
    assert came[4].events
    assert [evening.player(player)["checked_in"] for player in PLAYERS] == [True, True, False, True]


def test_events_of_another_process_are_seen(club, service):
    evening = evening_of(club)
    with service.repository.now(evening.id):
        pass
    another(club).handler.run(asked(evening.id, CheckIn(player="p1")))
    came = together(
        service.handler, [asked(evening.id, CheckOut(player="p1")), asked(evening.id, CheckIn(player="p2"))]
    )
    assert [event.type for outcome in came for event in outcome.events] == ["PlayerCheckedOut", "PlayerCheckedIn"]


def test_outbox_names_the_request_of_each_event(club, service):
    evening = evening_of(club)
    together(service.handler, [asked(evening.id, CheckIn(player=player)) for player in PLAYERS])
    with club.database.reading() as connection:
        sql = "SELECT cause FROM outbox WHERE tournament = :id AND position > :begun ORDER BY position"
        rows = connection.rows(sql, id=evening.id, begun=BEGUN)
    assert [row[0].partition(" ")[0] for row in rows] == [f"request-{index}" for index in range(4)]


def test_failed_commit_fails_every_command(club, service, monkeypatch):
    evening = evening_of(club)
    plain = type(club.database).locking_log

    @contextmanager
    def failing(self, *what):
        with plain(self, *what) as held:
            extend = held.connection.extend
            held.connection.extend = lambda *events, last, **more: extend(*events, **more)  # committed at the end
            yield held
            raise OSError("no space left on device")

    orders = [asked(evening.id, CheckIn(player="p1"), "a"), asked(evening.id, CheckOut(player="p9"), "b")]
    with monkeypatch.context() as patch:
        patch.setattr(type(club.database), "locking_log", failing)
        came = together(service.handler, orders)
    assert [type(outcome) for outcome in came] == [OSError, OSError]
    assert len(evening.log) == BEGUN
    came = together(service.handler, orders)
    assert [isinstance(outcome, Refusal) for outcome in came] == [False, True]
    assert came[0].events[0].position == BEGUN + 1
    assert same_state(club, evening.id)


def test_exception_in_a_decision_affects_only_its_command(club, service, monkeypatch):
    evening = evening_of(club)
    row = service.handler.handlers[CheckOut]

    def stumbling(*_):
        raise ZeroDivisionError

    monkeypatch.setitem(service.handler.handlers, CheckOut, type(row)(stumbling, row.roles))
    orders = [CheckIn(player="p1"), CheckOut(player="p1"), CheckIn(player="p2")]
    came = together(service.handler, [asked(evening.id, order) for order in orders])
    assert [type(outcome) for outcome in came] == [CommandResult, ZeroDivisionError, CommandResult]


def test_unknown_tournament_is_refused_for_each_command(club, service):
    came = together(service.handler, [asked("t-nowhere", CheckIn(player=player)) for player in PLAYERS[:2]])
    assert [type(outcome) for outcome in came] == [UnknownTournament] * 2


ORDERS = st.one_of(
    st.builds(CheckIn, player=st.sampled_from([*PLAYERS, "p9"])),
    st.builds(CheckOut, player=st.sampled_from(PLAYERS)),
    st.builds(AmendPlayer, player=st.sampled_from(PLAYERS), club=st.sampled_from(["Greens", "Reds", "Blues"])),
)
KEYS = st.sampled_from(["", "a", "b", "c"])


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(orders=st.lists(st.tuples(ORDERS, KEYS), min_size=2, max_size=8))
def test_batch_gives_the_same_results_as_single_commands(club, service, orders):
    """Those with a key that came before are answered behind the others of their turn, and do nothing."""
    one, other = evening_of(club), evening_of(club)
    said = [(command, key, sha256(repr(command).encode()).hexdigest()[:16]) for command, key in orders]
    came = together(service.handler, [asked(one.id, command, key, text) for command, key, text in said])
    fresh = another(club)
    first = [not key or key not in [k for _, k in orders[:index]] for index, (_, key) in enumerate(orders)]
    expected: list[object] = [None] * len(orders)
    for index in sorted(range(len(orders)), key=lambda index: (not first[index], index)):
        command, key, text = said[index]
        (expected[index],) = together(fresh.handler, [asked(other.id, command, key, text)])
    without_random = [repr(told(outcome)).partition("random")[0] for outcome in came]
    assert without_random == [repr(told(outcome)).partition("random")[0] for outcome in expected]
    assert [(e.type, e.data) for e in one.log[BEGUN:]] == [(e.type, e.data) for e in other.log[BEGUN:]]
    assert same_state(club, one.id)
