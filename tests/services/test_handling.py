"""What every service does alike around a decision: whom it asks for news, what it does once, what it never repeats."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from msgspec.structs import replace

from services.registration import app as wiring
from services.registration.players import Entry, JoinPlayers
from shared.log.log import HeadMoved
from shared.service import state as folds
from shared.service.commands import CommandEnvelope
from shared.service.refusals import Busy
from shared.service.state import Repository, Unfoldable
from shared.tournament.guards import By
from tests.services.conftest import logging_as_it_was
from tests.services.registration.story import FLEET, announced
from tests.services.story import Club, same_state


@pytest.fixture(scope="module")
def asked_owners(monkeypatch_module) -> list[tuple[str, str]]:
    """(service, tournament) of every time that a service asked the others for news."""
    asked: list[tuple[str, str]] = []

    def catch_up(service, tournament):
        asked.append((service.settings.service, tournament))

    monkeypatch_module.setattr("shared.service.wiring.Service.catch_up", catch_up)
    return asked


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def registration(asked_owners, new_club) -> Club:
    return new_club("registration")


@pytest.fixture(scope="module")
def scoring(asked_owners, new_club) -> Club:
    return new_club("scoring")


def test_registration_knows_every_tournament_and_asks_nobody(registration, asked_owners):
    for token in ("", registration.token("operator"), registration.token("service")):
        assert registration.ask("GET", "/tournaments/t-none", token=token).code == "tournament-unknown"
    assert registration.tournament("t-none").post("/registration/close").code == "tournament-unknown"
    assert ("registration", "t-none") not in asked_owners


def test_service_asks_the_owner_about_an_unknown_tournament(scoring, asked_owners):
    assert scoring.ask("GET", "/tournaments/t-new/games").code == "tournament-unknown"
    assert asked_owners.count(("scoring", "t-new")) == 1
    assert scoring.tournament("t-new").post("/rounds/1/close").code == "tournament-unknown"
    assert asked_owners.count(("scoring", "t-new")) == 3  # before the decision, and before the refusal


def test_requests_of_services_are_not_passed_on(scoring, asked_owners):
    """Otherwise one address that nobody knows would have the three services ask each other without an end."""
    answer = scoring.ask("GET", "/tournaments/t-nobody/log", token=scoring.token("service"))
    assert answer.code == "tournament-unknown"
    assert ("scoring", "t-nobody") not in asked_owners


def build_web(club: Club):
    """Another process of the same service."""
    with logging_as_it_was():
        return wiring.build_web(club.env)


def overtaken(monkeypatch, service, meanwhile: list) -> None:
    """Let others act just before the service locks a log, one after the other as often as it tries."""
    plain = service.repository.writing

    def writing(*asked):
        if meanwhile:
            meanwhile.pop()()
        return plain(*asked)

    monkeypatch.setattr(service.repository, "writing", writing)


def entering(tournament: str, name: str, key: str = "") -> CommandEnvelope:
    """An order to enter a player."""
    command = JoinPlayers(entries=[Entry(name=name)])
    return CommandEnvelope(
        tournament, command, By("organiser", "organiser"), f"{key}~0" if key else f"{name}-{key}", key
    )


def test_concurrent_repetition_takes_effect_once(registration, monkeypatch):
    """The second finds the first done once it holds the log, and answers as the first: no name is taken."""
    evening = announced(registration)
    fast, slow = wiring.build(registration.env), wiring.build(registration.env)
    order, answers = entering(evening.id, "Ana", key="k"), []
    overtaken(monkeypatch, slow, [lambda: answers.append(fast.handler.run(order))])
    answers.append(slow.handler.run(order))
    assert answers[0].events
    assert answers[0].events == answers[1].events
    assert [answer.is_repeat for answer in answers] == [False, True]
    assert evening.names("active") == ["Ana"]


@pytest.mark.parametrize("slow", [False, True])
def test_overtaken_command_decides_on_the_new_state(registration, monkeypatch, slow):
    """Also a decision that was made before the log was locked."""
    evening = announced(registration, capacity=2)
    evening.join("Ana")
    service = wiring.build(registration.env)
    row = service.handler.handlers[JoinPlayers]
    monkeypatch.setitem(service.handler.handlers, JoinPlayers, replace(row, slow=slow))
    overtaken(monkeypatch, service, [lambda: evening.enter("Ben")])
    receipt = service.handler.run(entering(evening.id, "Cy"))
    assert [event.type for event in receipt.events] == ["PlayerWaitlisted"]
    assert [event.position for event in evening.log] == [1, 2, 3, 4]


def test_slow_decision_is_made_once_before_the_lock(registration, monkeypatch):
    evening = announced(registration)
    service = wiring.build(registration.env)
    row, decided = service.handler.handlers[JoinPlayers], []

    def decide(*asked):
        decided.append("decided")
        return row.decide(*asked)

    monkeypatch.setitem(service.handler.handlers, JoinPlayers, replace(row, slow=True, decide=decide))
    overtaken(monkeypatch, service, [lambda: decided.append("locked")])
    assert service.handler.run(entering(evening.id, "Ana")).events
    assert decided == ["decided", "locked"]


def test_slow_decision_is_valid_after_a_copy_has_moved(registration, monkeypatch):
    """As a decision of another service would: its events say how far it had seen."""
    evening = announced(registration)
    evening.join("Ana")
    service = wiring.build(registration.env)
    row, decided = service.handler.handlers[JoinPlayers], []

    def decide(*asked):
        decided.append(asked)
        return row.decide(*asked)

    monkeypatch.setitem(service.handler.handlers, JoinPlayers, replace(row, slow=True, decide=decide))
    overtaken(monkeypatch, service, [lambda: evening.closed(1)])
    receipt = service.handler.run(entering(evening.id, "Ben"))
    assert len(decided) == 1
    assert msgspec.json.decode(receipt.events[0].seen) == {"pairing": 0, "scoring": 0}
    assert receipt.seen["scoring"] == 2
    assert same_state(registration, evening.id)


def test_slow_decision_that_is_always_overtaken_is_made_under_the_lock(registration, monkeypatch):
    evening = announced(registration, capacity=30)
    service = wiring.build(registration.env)
    row = service.handler.handlers[JoinPlayers]
    monkeypatch.setitem(service.handler.handlers, JoinPlayers, replace(row, slow=True))
    names = [f"Player {number}" for number in range(20)]
    overtaken(monkeypatch, service, [lambda name=name: evening.enter(name) for name in names])
    assert service.handler.run(entering(evening.id, "Ana")).events
    assert len(evening.names("active")) == 5


def test_command_that_is_always_overtaken_is_busy(registration, monkeypatch):
    evening = announced(registration)
    service = wiring.build(registration.env)

    def moved(*_, **__):
        raise HeadMoved

    monkeypatch.setattr(service.handler, "_append", moved)
    with pytest.raises(Busy) as busy:
        service.handler.run(entering(evening.id, "Ana"))
    assert busy.value.data == {"retry_after": 1}


def test_unfoldable_event_is_not_appended(registration, monkeypatch):
    evening = announced(registration)
    service = wiring.build(registration.env)
    whole = folds.evolve

    def evolve(state, event):
        if event.type == "PlayerJoined":
            raise KeyError("an event that cannot be")
        whole(state, event)

    with monkeypatch.context() as patch:
        patch.setattr(folds, "evolve", evolve)
        with pytest.raises(Unfoldable):
            service.handler.run(entering(evening.id, "Ana"))
    assert len(evening.log) == 1
    assert service.handler.run(entering(evening.id, "Ben")).events


def test_concurrent_sign_ups_share_the_last_seats(registration):
    """Two processes of the service, four clients, forty players and thirty seats."""
    evening = announced(registration, capacity=30)
    clients = [build_web(registration).test_client(), registration.client] * 2
    headers = {"Authorization": f"Bearer {evening.token('organiser')}"}

    def enter(number: int) -> int:
        address = f"/tournaments/{evening.id}/players"
        answer = clients[number % 4].post(address, json={"name": f"Player {number}"}, headers=headers)
        return answer.status_code

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(enter, range(40))) == {201}
    assert [event.position for event in evening.log] == list(range(1, 42))
    assert evening.get().body["players"] == {"active": 30, "waiting": 10}
    assert sorted(player["id"] for player in evening.get("/players?limit=50").body["items"]) == sorted(
        f"p{number}" for number in range(1, 41)
    )
    assert same_state(registration, evening.id)


def deep(levels: int) -> list:
    """Lists of upgrades inside one another."""
    return [{"name": "x", "upgrades": deep(levels - 1)}] if levels else []


@pytest.mark.parametrize(
    ("ship", "place"),
    [
        ({"name": "x", "größe": 1}, "/roster/ships/0"),
        ({"name": "x", "hull": 2**53}, "/roster/ships/0/hull"),
        (deep(40)[0], ""),
        (deep(200)[0], ""),
    ],
)
@pytest.mark.parametrize("key", ["", "k"])
def test_value_that_the_log_cannot_store_is_refused(registration, ship, place, key):
    evening = announced(registration)
    evening.join("Ana")
    fleet = {**FLEET, "ships": [ship], "fleet_total": 110}
    headers = {"Idempotency_Key": key} if key else {}
    answer = evening.do("p1", "roster", {"roster": fleet}, **headers)
    assert (answer.status, answer.code) == (422, "invalid-request"), answer
    assert answer.places == [place]


class TestSnapshots:
    """A cache of folded states: it makes a cold start short, and nothing depends on it."""

    @pytest.fixture
    def evening(self, registration):
        evening = announced(registration)
        evening.join("Ana", "Ben", "Cy")
        evening.begin("p1", "p2")
        return evening

    def folded(self, registration, evening, **how):
        """The state as a process that has just started sees it."""
        with Repository(registration.database, registration.sources, **how).now(evening.id) as loaded:
            return loaded.state, loaded.seen

    def saved(self, registration, evening) -> int:
        with registration.database.reading() as connection:
            count = "SELECT count(*) FROM snapshots WHERE tournament = :id"
            return int(connection.value(count, id=evening.id))

    def test_cold_start_continues_from_the_snapshot(self, registration, evening):
        self.folded(registration, evening, snapshot_every=1)
        assert self.saved(registration, evening) == 1
        evening.do("p3", "warnings", {"reason": "late"})
        state, seen = self.folded(registration, evening)
        assert (state, seen) == (registration.folded(evening.id).state, {"registration": 5, "pairing": 3, "scoring": 0})

    @pytest.mark.parametrize(
        "damage",
        [
            "UPDATE snapshots SET state = x'00' WHERE tournament = :id",
            "UPDATE snapshots SET heads = '[]' WHERE tournament = :id",
            "UPDATE snapshots SET code = 'older code' WHERE tournament = :id",
            "DELETE FROM snapshots WHERE tournament = :id",
        ],
    )
    def test_log_is_folded_if_the_snapshot_is_damaged(self, registration, evening, damage):
        self.folded(registration, evening, snapshot_every=1)
        with registration.database.writing() as connection:
            connection.run(damage, id=evening.id)
        assert self.folded(registration, evening)[0] == registration.folded(evening.id).state

    def test_forget_deletes_the_snapshot(self, registration, evening):
        self.folded(registration, evening, snapshot_every=1)
        Repository(registration.database, registration.sources).forget(evening.id)
        assert self.saved(registration, evening) == 0
