"""Recovery of a service whose database was restored or lost, from the copies of its peers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from shared.log.copies import Outcome, accept_run
from shared.log.event import Recorded, compute_hash
from shared.log.reading import head_of
from shared.messaging import status
from shared.messaging.peers import UpstreamFeed
from shared.service.recovery import recover
from shared.settings import SERVICES
from tests.acting import actor_of
from tests.eventlog.stories import changed
from tests.faults.backup import Backup
from tests.services.engines import ENGINES
from tests.services.house import House
from tests.services.registration.story import FLEET
from tests.services.story import Answer

ANNOUNCED = {"name": "Cup", "ruleset": "star-wars-armada-400", "tier": "casual", "rounds": 3}
NAMES = (f"Player {number}" for number in count(1))


class Home(House):
    """A house in which registration is put back; what an operator and an organiser do there."""

    backup: Backup

    def operator(self, method: str, service: str, address: str, body: object = None) -> Answer:
        club = self.clubs[service]
        return club.ask(method, address, body, token=club.token("operator"))

    def announce(self, **more: str) -> str:
        answer = self.operator("POST", "registration", "/tournaments", {**ANNOUNCED, **more})
        assert answer.status == 201, answer
        return str(answer.body["id"])

    def join(self, tournament: str, key: str = "", name: str = "", **more: object) -> Answer:
        club = self.clubs["registration"]
        headers = {"Idempotency_Key": key} if key else {}
        token = club.token("organiser", tournament)
        body = {"name": name or next(NAMES), **more}
        return club.ask("POST", f"/tournaments/{tournament}/players", body, token=token, **headers)

    def recover(self, **asked: object) -> Answer:
        return self.operator("POST", "registration", "/recover", asked)

    def feed(self) -> bytes:
        return self.operator("GET", "registration", "/log?limit=5000").text

    def save(self) -> None:
        self.end("registration")
        self.backup.take()
        self.begin_anew("registration")

    def put_back(self) -> None:
        self.end("registration")
        self.backup.put_back()
        self.begin_anew("registration")

    def lose(self) -> None:
        self.end("registration")
        self.backup.lose()
        self.begin_anew("registration")


@pytest.fixture(params=ENGINES)
def home(request, tmp_path, monkeypatch) -> Iterator[Home]:
    env = {}
    if request.param == "postgresql":
        create = request.getfixturevalue("postgresql_urls")
        env = {f"{name.upper()}_DATABASE_URL": create() for name in SERVICES}
    monkeypatch.setattr("shared.web.health.KEPT_SECONDS", 0.0)
    monkeypatch.setattr("shared.service.gates.CACHE_SECONDS", 0.0)
    home = Home(tmp_path, env, monkeypatch)
    home.backup = Backup(home.clubs["registration"].settings.database_url, tmp_path)
    yield home
    for name in SERVICES:
        home.end(name)
    home.backup.forget()


def refused(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.code


SQLITE = pytest.mark.parametrize("home", ["sqlite"], indirect=True)
BEHIND = (503, "behind-own-copies")


def test_recovery_restores_everything(home):
    one, two = home.announce(), home.announce()
    home.join(one)
    home.feed()
    home.join(two, "before")
    home.save()  # the last event has no place in the feed yet
    home.join(one)
    first = home.join(two, "after", "Zoe")
    home.announce()
    before = home.feed()
    home.copy()
    home.put_back()
    assert refused(home.join(one)) == BEHIND
    preview = home.operator("POST", "registration", f"/tournaments/{one}/registration/close?preview=true")
    assert refused(preview) == BEHIND
    ready = home.operator("GET", "registration", "/readyz")
    assert (ready.status, ready.body["checks"]["own_copies"]["ok"]) == (503, False)
    home.feed()  # whoever reads it now gives no places that were given before
    answer = home.recover()
    assert answer.status == 200, answer
    assert answer.body == {
        "peers": ["pairing", "scoring"],
        "events": 3,
        "tournaments": 3,
        "feed": 7,
        "guessed": 0,
        "lost": [],
        "lost_rows": [],
    }
    assert home.feed() == before  # byte for byte, signatures too
    again = home.join(two, "after", "Zoe")
    assert (again.status, again.body["events"], again.headers["Idempotent-Replayed"]) == (201, first.events, "true")
    assert home.operator("GET", "registration", "/readyz").body["checks"]["own_copies"]["ok"]
    listed = home.operator("GET", "registration", "/tournaments").body["items"]
    assert {line["id"]: line["players"] for line in listed} | {one: 2, two: 2} == {
        line["id"]: line["players"] for line in listed
    }
    home.copy()
    assert home.join(one).status == 201


@SQLITE
def test_public_answer_names_nothing(home):
    tournament, private = home.announce(), home.announce(visibility="private")
    home.copy()
    home.save()
    home.join(private)
    home.copy()
    home.put_back()
    club = home.clubs["registration"]
    answer = club.ask("POST", f"/tournaments/{tournament}/sign-up", {"name": "Ana"}, Idempotency_Key="k" * 20)
    assert refused(answer) == BEHIND
    assert private not in answer.text.decode()
    assert private in str(home.operator("GET", "registration", "/readyz").body)


def test_erasures_are_repeated_before_data_is_shown(home):
    tournament = home.announce()
    ana = home.join(tournament, contact={"email": "ana@example.org"}).body["players"][0]["id"]
    ben = home.join(tournament, contact={"email": "ben@example.org"}).body["players"][0]["id"]
    home.copy()
    home.save()
    club = home.clubs["registration"]
    token = club.token("organiser", tournament)
    where = f"/tournaments/{tournament}/players/{ana}/personal"
    assert club.ask("DELETE", where, token=token).status == 200
    home.copy()
    home.put_back()
    club = home.clubs["registration"]
    assert refused(club.ask("GET", where, token=token)) == BEHIND
    assert home.recover().status == 200
    assert club.ask("GET", where, token=token).body["data"] == {}
    other = club.ask("GET", where.replace(f"/{ana}/", f"/{ben}/"), token=token)
    assert other.body["data"] == {"email": "ben@example.org"}  # older than the backup, and not erased


@SQLITE
def test_tokens_are_refused_while_revocations_may_be_lost(home):
    tournament = home.announce()
    home.copy()
    home.save()
    club = home.clubs["registration"]
    organiser = club.token("organiser", tournament)
    lent = {"actor": "p1", "player": "p1", "jti": "lent"}
    asked = {"token_id": "lent", "reason": "given away"}
    where = f"/tournaments/{tournament}"
    assert club.ask("POST", f"{where}/tokens/revocations", asked, token=organiser).status == 201
    home.copy()
    home.put_back()
    club = home.clubs["registration"]
    lent_token = club.token("player", tournament, **lent)
    assert refused(club.ask("GET", where, token=lent_token)) == BEHIND
    assert refused(club.ask("GET", where, token=organiser)) == BEHIND  # nobody can tell whether it is one of them
    assert club.ask("GET", where).status == 200
    assert home.operator("GET", "registration", where).status == 200
    assert home.recover().status == 200
    assert refused(club.ask("GET", where, token=lent_token)) == (401, "token-revoked")
    assert club.ask("GET", where, token=organiser).status == 200


@SQLITE
def test_peer_events_of_lost_tournaments_are_copied_at_once(home):
    tournaments = [home.announce() for _ in range(25)]  # more than are asked for in a minute
    for tournament in tournaments:
        home.join(tournament), home.join(tournament)
    home.copy()
    pairing = home.clubs["pairing"]
    for tournament in tournaments:
        token = pairing.token("organiser", tournament)
        assert pairing.ask("POST", f"/tournaments/{tournament}/rounds", {}, token=token).status == 201
    home.lose()
    home.copy("registration")
    waiting = home.operator("GET", "registration", "/readyz").body["checks"]["quarantine"]["detail"]
    assert (waiting["count"], waiting["events"][0]["origin"]) == (50, "early")
    assert home.recover().status == 200
    home.copy("registration")
    assert home.operator("GET", "registration", "/readyz").body["checks"]["quarantine"]["detail"]["count"] == 0
    assert home.clubs["registration"].log(tournaments[-1], "pairing") == pairing.log(tournaments[-1])


def test_repeated_recovery_does_nothing(home):
    tournament = home.announce()
    home.copy()
    before = home.feed()
    for _ in range(2):
        assert home.recover().body == {
            "peers": ["pairing", "scoring"],
            "events": 0,
            "tournaments": 0,
            "feed": 1,
            "guessed": 0,
            "lost": [],
            "lost_rows": [],
        }
    assert home.feed() == before
    assert home.join(tournament).status == 201


def test_lost_roster_is_named_and_can_be_submitted_again(home):
    tournament = home.announce()
    home.join(tournament)
    home.join(tournament)
    club = home.clubs["registration"]
    organiser, place = club.token("organiser", tournament), f"/tournaments/{tournament}/players"
    kept = {"roster": FLEET}
    assert club.ask("POST", f"{place}/p1/roster", kept, token=organiser).status == 201
    home.save()
    club = home.clubs["registration"]
    newer = {"roster": {**FLEET, "faction": "imperial"}}
    for player, body in (("p1", newer), ("p2", kept)):
        assert club.ask("POST", f"{place}/{player}/roster", body, token=organiser).status == 201
    home.copy()
    home.put_back()
    club = home.clubs["registration"]
    assert home.recover().body["lost_rows"] == [f"{tournament}/p1", f"{tournament}/p2"]
    shown = club.ask("GET", f"{place}/p1/roster", token=organiser).body
    assert (shown["status"], shown["roster"]) == ("accepted", {}), "the row of the list before is never shown"
    assert club.ask("POST", f"{place}/p1/roster", newer, token=organiser).status == 201
    assert home.recover().body["lost_rows"] == [f"{tournament}/p2"]
    assert club.ask("GET", f"{place}/p1/roster", token=organiser).body["roster"] == newer["roster"]


def test_interrupted_recovery_continues_and_appends_nothing_meanwhile(home, monkeypatch):
    tournament = home.announce()
    home.join(tournament)
    before = home.feed()
    home.copy()
    home.lose()
    with monkeypatch.context() as patched:
        patched.setattr("shared.service.recovery.rebuild_feed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            recover(home.services["registration"], ())
    answer = home.join(tournament)
    assert refused(answer) == BEHIND
    ready = home.operator("GET", "registration", "/readyz").body["checks"]["own_copies"]["detail"]
    assert ready["registration"] == {"trouble": "is taking back what it lost"}
    assert home.recover().status == 200
    assert home.feed() == before
    assert home.join(tournament).status == 201


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_missing_peer_is_named_and_can_be_left_out(home):
    tournament = home.announce()
    home.copy("pairing")
    home.join(tournament)
    home.copy("scoring")  # holds more than pairing
    home.lose()
    home.away.add("pairing")
    assert refused(home.join(tournament)) == BEHIND  # scoring says so
    answer = home.recover()
    assert refused(answer) == (503, "peer-unavailable")
    assert "pairing" in answer.body["detail"]
    answer = home.recover(without=["pairing"])
    assert (answer.status, answer.body["peers"], answer.body["events"]) == (200, ["scoring"], 2)
    assert home.join(tournament).status == 201


def test_fork_is_reported_and_repaired_on_an_empty_database(home):
    tournament = home.announce()
    home.copy()
    home.save()
    home.join(tournament)
    home.copy()
    home.put_back()
    home.away |= {"pairing", "scoring"}
    assert home.join(tournament).status == 201
    home.away.clear()
    home.services["registration"].own_copies.check()  # as the worker does now and then
    assert refused(home.join(tournament)) == BEHIND
    answer = home.recover()
    assert refused(answer) == (409, "own-log-forked")
    assert answer.places == [f"registration/{tournament}"]
    home.lose()
    assert home.recover().status == 200
    home.copy()
    assert not home.operator("GET", "pairing", "/readyz").body["checks"]["quarantine"]["detail"]["count"]
    assert home.join(tournament).status == 201


def test_disagreeing_peers_are_named_and_one_can_be_chosen(home):
    tournament = home.announce()
    home.copy()
    home.join(tournament)
    home.copy("pairing")
    true = home.clubs["registration"].log(tournament)
    forged = other(true[-1])
    assert accept_run(home.clubs["scoring"].database, [forged]) is Outcome.ACCEPTED
    home.lose()
    answer = home.recover()
    assert refused(answer) == (409, "peers-disagree")
    assert forged.id in answer.body["detail"]
    assert home.recover(without=["scoring"]).status == 200
    assert home.clubs["registration"].log(tournament) == true


def other(event: Recorded) -> Recorded:
    forged = changed(event, actor=actor_of("mallory"))
    return changed(forged, hash=compute_hash(forged))


@SQLITE
def test_peer_with_invalid_answers_counts_as_missing(home, monkeypatch):
    tournament = home.announce()
    home.copy()
    for told in (b"[]\n", b'{"events":"many"}\n', b"\xff\xfe\n", b'{"events":1}\n{"events":1}\n', b""):
        with monkeypatch.context() as patched:
            patched.setattr("shared.messaging.peers.UpstreamFeed.lines", lambda *_, told=told: (told.splitlines(), {}))
            assert home.services["registration"].own_copies.check() == ["pairing", "scoring"]
            assert refused(home.recover()) == (503, "peer-unavailable")
    assert home.join(tournament).status == 201


def test_feed_continues_after_the_position_of_a_subscriber(home):
    tournament = home.announce()
    home.copy()
    home.join(tournament)
    home.feed()  # an integration has read up to 2
    home.lose()
    answer = home.recover(feed=3)
    assert (answer.status, answer.body["feed"], answer.body["guessed"]) == (200, 3, 2)
    assert home.join(tournament).status == 201
    assert [line["feedposition"] for line in home.operator("GET", "registration", "/log?after=3").lines] == [4]


@SQLITE
def test_implausible_feed_position_is_refused(home, monkeypatch):
    tournament = home.announce()
    home.copy()
    home.lose()
    answer = home.recover(feed=2**53)
    assert refused(answer) == (422, "feed-beyond")
    assert answer.faults == [
        {
            "where": "/feed",
            "said": str(2**53),
            "code": "feed-at-most",
            "data": {"most": 100001, "known": 1},
            "expected": "at most 100001: 1 events are known",
            "clause": "",
        },
    ]
    told = (
        b'{"events":1,"last":{"tournament":"%s","position":1,"feed":9007199254740992,"hash":"x"}}' % tournament.encode()
    )
    lines = UpstreamFeed.lines
    with monkeypatch.context() as patched:
        patched.setattr(UpstreamFeed, "lines", lambda *asked: ([told], {}) if asked[2] == "/copies" else lines(*asked))
        assert refused(home.recover()) == (503, "peer-unavailable")
    assert (home.recover().status, home.join(tournament).status) == (200, 201)


def test_replaced_copy_has_no_feed_position_beyond_its_owner(home):
    tournament = home.announce()
    home.copy()
    home.save()
    home.join(tournament)
    home.copy()
    home.put_back()
    assert refused(home.join(tournament)) == BEHIND
    for peer in ("pairing", "scoring"):  # whoever runs it wants yesterday's log
        assert (
            home.operator("POST", peer, "/recopy", {"source": "registration", "tournament": tournament}).status == 200
        )
    home.services["registration"].own_copies.check()
    assert home.join(tournament).status == 201


@SQLITE
def test_only_operators_may_recover(home):
    club = home.clubs["registration"]
    for role in ("organiser", "integration", "service"):
        assert club.ask("POST", "/recover", {}, token=club.token(role)).status == 403
    assert club.ask("POST", "/recover", {}).status == 401
    assert club.ask("POST", "/recover", {}, token=club.token("operator", "t-1")).code == "wrong-tournament"
    for body in ({"without": ["registration"]}, {"without": "pairing"}, {"feed": -1}, {"when": 1}):
        assert refused(home.recover(**body)) == (422, "invalid-request")


@SQLITE
def test_only_services_and_operators_may_read_copies(home):
    club = home.clubs["pairing"]
    for address in ("/copies", "/copies/heads", "/copies/feed"):
        asked = f"{address}?source=registration"
        assert club.ask("GET", asked).status == 401
        assert club.ask("GET", asked, token=club.token("integration")).status == 403
        assert club.ask("GET", asked, token=club.token("operator", "t-1")).code == "wrong-tournament"
        assert club.ask("GET", asked, token=club.token("service")).status == 200
        assert club.ask("GET", f"{address}?source=pairing", token=club.token("service")).status == 422
        assert club.ask("GET", address, token=club.token("service")).status == 422


def test_heads_and_places_come_in_pages(home, monkeypatch):
    monkeypatch.setattr("shared.messaging.peers.PLACES", 2)
    tournaments = [home.announce() for _ in range(5)]
    before = home.feed()
    home.copy()
    home.lose()
    assert home.recover().body["tournaments"] == 5
    assert home.feed() == before
    with home.clubs["registration"].database.reading() as connection:
        assert all(head_of(connection, "registration", tournament).position == 1 for tournament in tournaments)
        assert [said.trouble for said in status.peer_statuses(connection)] == ["", ""]
