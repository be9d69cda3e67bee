"""Newer code has written into a service's own log, beside a process of this code, as in a rolling upgrade: this one
refuses what concerns that tournament, as a whole, says why, and goes on as soon as it can read what was written."""

from __future__ import annotations

import pytest

from services.registration import app as wiring
from shared.log.event import canonical_json
from shared.log.log import Entry, Stamp, verify
from shared.log.reading import head_of
from shared.log.schema import open_database
from shared.service import state as repository
from shared.web.refusals import LogUnreadable
from tests.acting import acting
from tests.appending import append
from tests.services.engines import ENGINES, club_on
from tests.services.registration.story import announced

STAMP = Stamp(acting("organiser"), "newer-code", "2026-03-07T09:30:00.000Z", {})
NEWER = [
    pytest.param(Entry("PlayerJoined", 99, canonical_json({"name": "Dee", "nick": "D", "player": "p9"})), id="version"),
    pytest.param(Entry("PlayerKnighted", 1, canonical_json({"player": "p1"})), id="type"),
    # A field that came without a version of its own is a mistake of the newer code; it is not passed over either.
    pytest.param(Entry("PlayerWarned", 1, canonical_json({"player": "p1", "reason": "late", "x": 1})), id="field"),
]


@pytest.fixture(params=ENGINES)
def evening(request, new_club, monkeypatch):
    monkeypatch.setattr("shared.web.health.KEPT_SECONDS", 0.0)
    evening = announced(club_on(request.param, "registration", new_club, request), sign_up="open")
    evening.join("Ana", "Ben")
    return evening


def newer_code_appends(evening, entry):
    """Another process on the same database, of a version that knows more."""
    beside = open_database(evening.club.settings.database_url)
    with beside.reading() as connection:
        head = head_of(connection, "registration", evening.id)
    events = append(beside, "registration", evening.id, head, [entry], STAMP)
    beside.close()
    return events[0]


def quarantine(evening):
    club = evening.club
    answer = club.ask("GET", "/readyz", token=club.token("operator"))
    return answer.status, answer.body["status"], answer.body["checks"]["quarantine"]["detail"]["events"]


@pytest.mark.parametrize("entry", NEWER)
def test_affected_tournament_is_refused_and_others_continue(evening, entry, monkeypatch):
    other = announced(evening.club)
    written = newer_code_appends(evening, entry)
    for ask in (
        lambda: evening.enter("Dee"),  # decided on what this process knew, which has moved
        lambda: evening.enter("Dee"),
        lambda: evening.do("p1", "check-in", {}),
        lambda: evening.post("/sign-up", {"name": "Guest"}, by="nobody"),
        lambda: evening.get(""),
        lambda: evening.get("/players"),
        lambda: evening.get("/log"),
    ):
        answer = ask()
        assert (answer.status, answer.code, answer.data["event"]) == (503, "log-unreadable", written.id)
    assert evening.log[-1] == written
    status, word, (case,) = quarantine(evening)
    assert (status, word) == (200, "degraded")
    assert (case["origin"], case["tournament"], case["position"]) == ("fold", evening.id, written.position)
    assert case["advice"] == "upgrade every process of registration to the version that wrote it"

    # Everybody else's evening goes on; lists over all tournaments, too, and the feed hands on what it need not read.
    assert other.join("Eli", "Fay")
    assert {evening.id, other.id} <= {line["id"] for line in evening.club.ask("GET", "/tournaments").body["items"]}
    assert evening.club.ask("GET", "/log", token=evening.club.token("service")).status == 200

    # Upgraded: what was refused works, in order, and nothing of it was lost or half done.
    whole = repository.evolve

    def known(state, told):
        if told.hash != written.hash:
            whole(state, told)

    monkeypatch.setattr(repository, "evolve", known)
    assert evening.enter("Dee").status == 201
    verify(evening.log)
    assert evening.names("active") == ["Ana", "Ben", "Dee"]
    assert quarantine(evening)[2] == []


def test_half_folded_state_is_discarded(evening):
    """Known events stand before and behind the unknown one: no snapshot and no memory holds a part of them."""
    service = wiring.build(evening.club.env)
    service.repository._snapshot_every = 1
    with service.repository.now(evening.id):
        pass
    newer_code_appends(evening, Entry("PlayerWarned", 1, canonical_json({"player": "p1", "reason": "late"})))
    newer_code_appends(evening, NEWER[1].values[0])
    newer_code_appends(evening, Entry("PlayerWarned", 1, canonical_json({"player": "p2", "reason": "late"})))
    for _ in range(3):
        with pytest.raises(LogUnreadable), service.repository.now(evening.id):
            raise AssertionError("nobody sees a state that is half folded")
    saved = service.repository._snapshots.load(evening.id)
    assert saved is not None
    assert saved[1]["registration"].position == evening.length - 3
    service.database.close()
