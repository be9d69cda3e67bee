"""Cached states: they follow the log, and are discarded if they could be wrong."""

from __future__ import annotations

import msgspec
import pytest
from prometheus_client import CollectorRegistry, Gauge

from services.registration import app as wiring
from shared import metrics
from shared.formats.fold import encode
from shared.log import log as verifying
from shared.log.event import Head
from shared.log.reading import new_events
from shared.log.schema import open_database
from shared.metrics import REGISTRY
from shared.refusals import Refusal
from shared.service import fsck as scrubbing
from shared.service import state as folds
from shared.service.commands import CommandEnvelope
from shared.service.fsck import Scrub
from shared.service.state import Gap, LoadedAggregate
from shared.tournament.guards import By
from shared.tournament.state import Tournament
from shared.web.refusals import LogUnreadable
from tests.services.registration.story import announced
from tests.services.test_handling import entering


@pytest.fixture(scope="module")
def registration(new_club):
    return new_club("registration")


@pytest.fixture
def evening(registration):
    evening = announced(registration)
    evening.join("Ana", "Ben", "Cy")
    return evening


@pytest.fixture
def service(registration):
    return wiring.build(registration.env)


def everything(service, tournament):
    """All events of a tournament, as folding reads them."""
    empty = dict.fromkeys(service.sources, Head())
    with service.database.reading() as connection:
        return new_events(connection, tournament, empty), empty


@pytest.mark.parametrize("spoil", [lambda told: told[1:], lambda told: told[::-1], lambda told: [*told[:2], *told[3:]]])
def test_log_with_a_gap_is_not_folded(service, evening, spoil):
    told, empty = everything(service, evening.id)
    loaded = LoadedAggregate(Tournament(), empty)
    with pytest.raises(Gap, match="registration position"):
        loaded.take(spoil(told))
    assert encode(loaded.state) == encode(Tournament())
    assert loaded.heads == dict.fromkeys(service.sources, Head())
    loaded.take(told)
    assert loaded.seen["registration"] == len(told)


def test_appended_events_are_in_the_cached_state(service, evening):
    service.handler.run(entering(evening.id, "Dee"))
    slot = service.repository.slot(evening.id)
    assert "Dee" in {player.name for player in slot.loaded.state.entries.players.values()}
    assert encode(slot.loaded.state) == encode(service.repository.cold(evening.id).state)
    assert slot.loaded.heads == service.repository.cold(evening.id).heads


def test_half_folded_state_is_rebuilt(service, evening, monkeypatch):
    with service.repository.now(evening.id):
        pass
    whole, taken = folds.evolve, []

    def half(state, told):
        taken.append(told)
        if len(taken) > 1:
            raise KeyError("an event that cannot be")
        whole(state, told)

    evening.join("Dee", "Eli")
    with monkeypatch.context() as patch:
        patch.setattr(folds, "evolve", half)
        for _ in range(2):
            with pytest.raises(LogUnreadable), service.repository.now(evening.id):
                raise AssertionError("nobody sees a state that is half folded")
    with service.repository.now(evening.id) as loaded:
        assert encode(loaded.state) == encode(service.repository.cold(evening.id).state)
        assert len(loaded.state.entries.players) == 5


def test_snapshot_is_written_after_a_number_of_events(registration, evening):
    service = wiring.build(registration.env)
    service.repository._snapshot_every = 3
    for name in ("Dee", "Eli", "Fay", "Gus"):
        service.handler.run(
            CommandEnvelope(evening.id, entering(evening.id, name).command, By("organiser", "organiser"), name)
        )
    saved = service.repository._snapshots.load(evening.id)
    assert saved is not None
    assert saved[1]["registration"].position >= 5


@pytest.mark.parametrize("position", [2, 1000])
def test_snapshot_ahead_of_the_log_is_not_used(registration, evening, position):
    """As after a restore: the log was put back, or is another one."""
    service = wiring.build(registration.env)
    service.repository._snapshots.save(evening.id, Tournament(), {"registration": Head(position, "f" * 64)})
    with service.repository.now(evening.id) as loaded:
        assert encode(loaded.state) == encode(service.repository.cold(evening.id).state)
        assert loaded.seen["registration"] == len(evening.log)


def test_events_of_other_processes_are_folded_before_a_decision(registration, evening):
    """The news of another process are folded under the lock, before the decision."""
    mine, other = wiring.build(registration.env), wiring.build(registration.env)
    for name in ("Dee", "Eli"):
        mine.handler.run(entering(evening.id, name))
    other.handler.run(entering(evening.id, "Fay"))
    mine.handler.run(entering(evening.id, "Gus"))
    with pytest.raises(Refusal, match="the same name"):
        mine.handler.run(entering(evening.id, "Fay"))
    assert [event.position for event in evening.log] == list(range(1, len(evening.log) + 1))
    assert evening.names("active") == ["Ana", "Ben", "Cy", "Dee", "Eli", "Fay", "Gus"]


def test_new_copy_repeats_the_decision(registration, evening):
    service = wiring.build(registration.env)
    for name in ("Dee", "Eli"):
        service.handler.run(entering(evening.id, name))
    evening.closed(1)
    receipt = service.handler.run(entering(evening.id, "Fay"))
    assert msgspec.json.decode(receipt.events[0].seen) == {"pairing": 0, "scoring": 2}


def test_cache_and_fold_metrics(service, evening):
    def measured(name, **labels):
        return REGISTRY.get_sample_value(name, {"source": "registration", **labels}) or 0

    begun, folded = measured("muster_states_begun_total", begun="log"), measured("muster_folded_events_total")
    told, _ = everything(service, evening.id)
    for _ in range(2):  # the second time there is nothing to do
        with service.repository.now(evening.id):
            pass
    assert measured("muster_states_begun_total", begun="log") == begun + 1
    assert measured("muster_folded_events_total") == folded + len(told)
    assert measured("muster_cached_tournaments") == 1


def test_connection_metrics(monkeypatch, tmp_path):
    """Of one database alone: others in this process lend and take back theirs meanwhile."""
    registry = CollectorRegistry()
    counts = Gauge("muster_database_connections", "x", ["state"], registry=registry)
    monkeypatch.setattr(metrics, "CONNECTIONS", counts)
    monkeypatch.setattr(
        metrics, "CONNECTIONS_LIMIT", Gauge("muster_database_connections_limit", "x", registry=registry)
    )
    database = open_database(f"sqlite:///{tmp_path}/own.sqlite3")

    def connections(state):
        return registry.get_sample_value("muster_database_connections", {"state": state})

    assert registry.get_sample_value("muster_database_connections_limit") >= 16
    with database.reading(), database.reading():
        assert (connections("in_use"), connections("open")) == (2, 2)
    assert (connections("in_use"), connections("open")) == (0, 2)
    database.close()
    assert connections("open") == 0


def test_folding_verifies_each_event_once(service, evening, monkeypatch):
    """The cost of verification: one hash an event, and one statement at a cold start."""
    told, _ = everything(service, evening.id)
    hashed, asked = [], []
    compute_hash, heads_of = verifying.compute_hash, folds.heads_of
    monkeypatch.setattr(verifying, "compute_hash", lambda event: hashed.append(event.id) or compute_hash(event))
    monkeypatch.setattr(folds, "heads_of", lambda *of: asked.append(of) or heads_of(*of))
    for _ in range(2):  # the second time there is nothing to do
        with service.repository.now(evening.id):
            pass
    assert (hashed, len(asked)) == ([event.id for event in told], 1)


def test_scrub_resumes_where_it_stopped(service, evening, monkeypatch):
    read = []
    page = scrubbing.log_page
    monkeypatch.setattr(scrubbing, "log_page", lambda *of: read.append(page(*of)) or read[-1])
    scrub = Scrub(service.database)
    with service.database.reading() as connection:
        events, logs = (connection.value(f"SELECT count(*) FROM {table}") for table in ("events", "heads"))
    turns = 0
    while scrub._logs or not turns:
        before = sum(map(len, read))
        assert scrub.turn(2) == []
        assert sum(map(len, read)) - before <= 2
        turns += 1
    assert sum(map(len, read)) == events
    assert turns >= events / 2 - logs
    assert scrub.turn(2) == []  # nothing more before the next round
    assert sum(map(len, read)) == events
