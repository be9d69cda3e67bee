"""The three services in one process, each on a database of its own; they ask one another without a network.

muster = Muster(folder)
evening = muster.evening()                     a tournament in the middle of round 2
evening.ask("POST", "scoring", "/results", {…})
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from functools import cache, partial
from http.client import CREATED
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock
from urllib.parse import unquote_to_bytes

import httpx
from flask import Flask, Response, request

from services.registration.swiss_sealed_rosters import RosterOpener
from shared import roles
from shared.log.copies import Outcome, accept_run
from shared.log.database import Database
from shared.log.reading import head_of, log_page
from shared.messaging.peers import UpstreamFeed
from shared.service.state import Repository
from shared.service.wiring import WIRED, Service
from shared.settings import SERVICES, load
from shared.tournament.people import Entries
from tests.databases import migrated, new_sqlite
from tests.found import as_json, holds_what_was_found
from tests.issuing import Tokens, member_of
from tests.services.conftest import logging_as_it_was
from tests.services.story import Answer

ARMADA = "star-wars-armada-1.1"
ISSUED = 1_700_000_000
"""When the tokens of these tests were issued, in seconds since 1970."""
WHOLE_LOG = 1_000_000
MANY = int(os.environ.get("MUSTER_FUZZ", "1"))
"""How many times as many requests as usual: `MUSTER_FUZZ=20 make test ARGS=tests/fuzz`."""

Json = dict[str, Any]


def answered(app: Flask, asking: httpx.Request) -> httpx.Response:
    """What an application answers, without a network."""

    def asked(environ: dict[str, Any], start: Any) -> Any:
        # httpx writes the path as text, where WSGI has its bytes.
        environ["PATH_INFO"] = unquote_to_bytes(asking.url.raw_path.partition(b"?")[0]).decode("latin-1")
        environ["wsgi.multithread"] = False  # the answer is taken whole, so that no stream can stay open
        return app(environ, start)

    return httpx.WSGITransport(app=asked).handle_request(asking)


class Neighbours(httpx.BaseTransport):
    """The way from one service to another: `http://pairing/…` goes to the application of that name."""

    def __init__(self, apps: Mapping[str, Flask]) -> None:
        self._apps = apps

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return answered(self._apps[request.url.host], request)


class Muster:
    """Registration, pairing and scoring, built by their own wiring; they set up logging as they do.

    folder: of their data. more: of the environment; it may name databases other than new ones.
    """

    def __init__(self, folder: Path, **more: str) -> None:
        self.apps: dict[str, Flask] = {}
        self.databases: dict[str, Database] = {}
        env = {
            "MUSTER_DATA": str(folder),
            "MUSTER_SEEN_WAIT_MS": "0",
            "MUSTER_RATE_LIMIT": "1000000/minute",
            "MUSTER_LOG_LEVEL": "error",
            **{f"{name.upper()}_URL": f"http://{name}" for name in SERVICES},
            **more,
        }
        self.env = env
        self._tokens = Tokens(env, self.entries)
        neighbours = Neighbours(self.apps)

        def upstream(service: Service, *_: object) -> UpstreamFeed:
            service.upstream = partial(upstream, service)
            return UpstreamFeed(
                {name: service.settings.urls[name] for name in service.sources[1:]}, service._headers, neighbours
            )

        for name in SERVICES:
            env[f"{name.upper()}_DATABASE_URL"] = more.get(f"{name.upper()}_DATABASE_URL") or new_sqlite(name)
            self.databases[name] = migrated(load(name, env).database_url, name)
            with mock.patch.object(Service, "upstream", upstream):
                self.apps[name] = wired(name)(env, self.databases[name])
        self.apps["pairing"].after_request(self._after_pairing)
        self._repository = Repository(self.databases["registration"], SERVICES)
        self.clients = {name: app.test_client() for name, app in self.apps.items()}

    def _after_pairing(self, response: Response) -> Response:
        """Let registration react to a round that begins, as its worker would: it opens rosters."""
        if request.path.endswith("/start") and response.status_code == CREATED and "preview" not in request.args:
            self.copy((request.view_args or {})["tournament"])
        return response

    def entries(self, tournament: str) -> Entries:
        """What registration's log says of a tournament."""
        with self._repository.now(tournament) as loaded:
            return loaded.state.entries

    def token(self, role: str, tournament: str = roles.EVERY_TOURNAMENT, **claims: Any) -> str:
        """A token of somebody; `actor`, `player`, `jti` and `exp` may be given."""
        return self._tokens.of(role, tournament, **{"iat": ISSUED, **claims})

    def ask(self, method: str, service: str, address: str, body: Any = None, token: str = "", **headers: str) -> Answer:
        """Ask a service. body: JSON, or bytes as they are. headers: `If_Match` is the header If-Match."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            given["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            given.setdefault("Content-Type", "application/json")
        response = self.clients[service].open(address, method=method, headers=given, data=body)
        answer = Answer(response.status_code, dict(response.headers), response.get_data())
        if answer.code and body:
            holds_what_was_found(answer.faults, as_json(body))
        return answer

    def heads(self, tournament: str) -> dict[str, int]:
        """Where each service's own log of a tournament ends."""
        found = {}
        for name, database in self.databases.items():
            with database.reading() as connection:
                found[name] = head_of(connection, name, tournament).position
        return found

    @property
    def length(self) -> dict[str, int]:
        """How many events each service has appended, of all tournaments."""
        found = {}
        for name, database in self.databases.items():
            with database.reading() as connection:
                found[name] = connection.value("SELECT count(*) FROM events WHERE source = :own", own=name)
        return found

    def copy(self, tournament: str) -> None:
        """Bring every service's copies of a tournament up to date, as the workers would.

        They commit to secrets and open lists, too.
        """
        self._copy(tournament)
        before = self.heads(tournament)
        for name in self.databases:
            service_of(self, name)._keep_draws(tournament)
        RosterOpener(service_of(self, "registration")).open_due(tournament)
        if self.heads(tournament) != before:
            self._copy(tournament)

    def _copy(self, tournament: str) -> None:
        for owner, database in self.databases.items():
            with database.reading() as connection:
                end = head_of(connection, owner, tournament).position
            for other in (other for name, other in self.databases.items() if name != owner):
                with other.reading() as connection:
                    known = head_of(connection, owner, tournament).position
                if known < end:
                    with database.reading() as connection:
                        news = log_page(connection, owner, tournament, known, WHOLE_LOG)
                    assert accept_run(other, news) is Outcome.ACCEPTED

    def announce(self, **members: Any) -> Evening:
        """A tournament that nobody has joined yet; members of the announcement by name."""
        body = {"name": "Club night", "ruleset": ARMADA, "rounds": 3, **members}
        answer = self.ask("POST", "registration", "/tournaments", body, self.token("operator"))
        assert answer.status == 201, answer
        return Evening(self, answer.body["id"])

    def evening(self, until: str = "middle", **members: Any) -> Evening:
        """A tournament with something of everything; members of the announcement by name.

        Thirteen players and two who wait (p14, p15), two halls, staff s1 to s3. until: `before` nothing is paired;
        `between` round 1 is closed, and an award given; `middle` in round 2 one game has a result, one was reported
        by a player, the others are open, and somebody has a bye.
        """
        evening = self.announce(**{"capacity": 13, **members})
        for hall, tables in (("Hall", 8), ("Attic", 3)):
            evening.do("registration", "/venues", {"name": hall, "tables": tables})
        for role in ("head_referee", "referee", "spare"):
            evening.do("registration", "/staff", {"name": role.title(), "role": role})
        players = [{"name": f"Player {n}", "venue": "v1", "contact": {"phone": str(n)}} for n in range(1, 16)]
        evening.do("registration", "/players/list", {"players": players})
        if until == "before":
            return evening
        evening.round(1)
        for seat in evening.games(1):
            evening.report(seat["id"])
        evening.do("scoring", "/rounds/1/close")
        evening.do("scoring", "/awards", {"name": "Best painted", "player": "p1"})
        if until == "between":
            return evening
        evening.round(2)
        one, two, *_ = evening.games(2)
        evening.report(one["id"])
        evening.report(two["id"], by=two["player_1"])
        return evening


@cache
def documents() -> Mapping[str, Json]:
    """The OpenAPI document of each service, which needs no database."""
    with TemporaryDirectory() as folder, logging_as_it_was():
        apps = {name: wired(name)({"MUSTER_DATA": folder}) for name in SERVICES}
        return {name: json.loads(app.test_client().get("/openapi.json").get_data()) for name, app in apps.items()}


def wired(service: str) -> Callable[[Mapping[str, str], Database], Flask]:
    """What builds a service's web application from an environment."""
    build: Callable[[Mapping[str, str], Database], Flask] = import_module(f"services.{service}.app").build_web
    return build


class Evening:
    """One tournament."""

    def __init__(self, muster: Muster, id: str) -> None:
        self.muster = muster
        self.id = id

    def token(self, by: str) -> str:
        """The token of a role here, of a player by their id, or none for the empty string."""
        if by.startswith("p") and by[1:].isdigit():
            return self.muster.token(roles.PLAYER, self.id, player=by)
        if by in roles.ISSUED and not member_of(self.muster.entries(self.id), by):
            self.do("registration", "/staff", {"name": f"A {by}", "role": by})
        return self.muster.token(by, self.id) if by in roles.ROLES else by

    def ask(
        self, method: str, service: str, rest: str, body: Any = None, by: str = "organiser", **headers: str
    ) -> Answer:
        """Ask a service about this tournament, as somebody."""
        return self.muster.ask(method, service, f"/tournaments/{self.id}{rest}", body, self.token(by), **headers)

    def do(self, service: str, rest: str, body: Any = None, by: str = "organiser", **headers: str) -> Answer:
        """A command that is not refused; the others hear of it."""
        answer = self.ask("POST", service, rest, body, by, **headers)
        assert answer.status in (200, 201), answer
        self.muster.copy(self.id)
        return answer

    def round(self, number: int, **body: Any) -> None:
        """Pair the next round and start its clock."""
        assert self.do("pairing", "/rounds", body or None).body["id"] == str(number)
        self.do("pairing", f"/rounds/{number}/start")

    def games(self, round: int) -> list[Json]:
        """The games of a round, without byes, as scoring shows them."""
        items = self.ask("GET", "scoring", f"/games?round={round}&limit=500").body["items"]
        return [item for item in items if item["kind"] != "bye"]

    def report(self, game: str, by: str = "organiser", **facts: Any) -> Answer:
        """Report a result."""
        return self.do("scoring", f"/games/{game}/result", {"facts": facts or {"points_1": 100, "points_2": 50}}, by)

    @property
    def heads(self) -> dict[str, int]:
        """Where the three logs end."""
        return self.muster.heads(self.id)


def service_of(muster: Muster, name: str) -> Service:
    """A service as it runs."""
    found: Service = muster.apps[name].extensions[WIRED][Service]
    return found
