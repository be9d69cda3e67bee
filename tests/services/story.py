"""A service over HTTP, with the copied logs of the other services.

    club                                          a service with a real database
    evening = club.tournament("t-1")              one tournament in it
    evening.post("/players", {...})               as the organiser, unless `by` names another caller
    evening.say("pairing", RoundPaired(...))      append an event of another service to its copy

Every refusal must be documented by its operation and must not change the log.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from shared import roles
from shared.log.copies import Outcome, accept_run
from shared.log.database import Database
from shared.log.event import Event, Recorded
from shared.log.log import Stamp, chain_events
from shared.log.reading import head_of, log_page
from shared.service.app import DATABASE
from shared.service.commands import entries_of
from shared.service.state import LoadedAggregate, Repository
from shared.settings import Settings
from shared.tournament.people import Entries
from shared.tournament.registration import StaffAppointed
from shared.tournament.results import RoundClosed, StandingsRecorded, TournamentConcluded
from shared.tournament.rounds import PairingsDrawn, RoundPaired, RoundStarted, Seat
from tests.acting import acting
from tests.found import as_json, holds_what_was_found
from tests.issuing import Tokens, member_of

NOBODY = "nobody"
"""For `by`: no token at all."""

ISSUED = 1_700_000_000
"""When the tokens of these stories were issued, in seconds since 1970."""

Json = dict[str, Any]


class Answer:
    """An answer. code: of a problem, else empty. types: of the appended events."""

    def __init__(self, status: int, headers: Mapping[str, str], text: bytes) -> None:
        self.status = status
        self.headers = headers
        self.text = text
        kind = headers.get("Content-Type", "")
        self.body: Any = json.loads(text) if kind in ("application/json", "application/problem+json") else None
        self.code: str = self.body.get("code", "") if status >= 400 else ""

    @property
    def events(self) -> list[Json]:
        return list(self.body["events"])

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    @property
    def data(self) -> Json:
        return dict(self.body.get("data", {}))

    @property
    def faults(self) -> list[Json]:
        return list(self.body.get("errors", []))

    @property
    def lines(self) -> list[Json]:
        """The lines of an answer in newline-delimited JSON."""
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def places(self) -> list[str]:
        """The places of the faults."""
        return [fault["where"] for fault in self.faults]

    def __repr__(self) -> str:
        return f"<{self.status} {self.text.decode()}>"


_DOCUMENTED: dict[str, Json] = {}


def _operations(service: str, client: FlaskClient) -> Json:
    """Return the documented operations of a service by operationId. The document is cached: no setting affects it."""
    if service not in _DOCUMENTED:
        _DOCUMENTED[service] = {
            operation["operationId"]: operation
            for methods in client.get("/openapi.json").get_json()["paths"].values()
            for method, operation in methods.items()
            if method != "parameters"
        }
    return _DOCUMENTED[service]


class Club:
    """A service: its web application, its database, and the operations that have succeeded so far."""

    def __init__(self, app: Flask, settings: Settings, sources: tuple[str, ...], env: Mapping[str, str]) -> None:
        self.app = app
        self.settings = settings
        self.env = env
        self.sources = sources
        self.database: Database = app.extensions[DATABASE]
        self._repository = Repository(self.database, sources)
        self._tokens = Tokens(env, self.entries)
        self.client: FlaskClient = app.test_client()
        self.operations = _operations(settings.service, self.client)
        self.done: set[str] = set()
        self._addresses = app.url_map.bind("localhost")

    @property
    def file(self) -> Path:
        """The file of the SQLite database."""
        return Path(str(self.database.url.database))

    def tournament(self, id: str) -> Tournament:
        """Return a tournament by its id, whether it exists or not."""
        return Tournament(self, id)

    def token(self, role: str, tournament: str = "*", **claims: Any) -> str:
        """Return a token. claims: such as `actor`, `player` and `jti`."""
        return self._tokens.of(role, tournament, **{"iat": ISSUED, **claims})

    def entries(self, tournament: str) -> Entries:
        """Return the entries of a tournament, as far as registration's log is copied."""
        with self._repository.now(tournament) as loaded:
            return loaded.state.entries

    def ask(self, method: str, address: str, body: Any = None, *, token: str = "", **headers: str) -> Answer:
        """Send a request. body: JSON, or raw bytes. headers: `If_Match` is the header If-Match."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            given["Authorization"] = f"Bearer {token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            given = {"Content-Type": "application/json", **given}
        response = self.client.open(address, method=method, headers=given, data=body)
        answer = Answer(response.status_code, response.headers, response.get_data())
        if answer.code and body:
            holds_what_was_found(answer.faults, as_json(body))
        self._compare(method, address.partition("?")[0], answer)
        return answer

    def deciders(self, operation: str, ruleset: str) -> list[str]:
        """Return the roles that OpenAPI documents for an operation under a ruleset."""
        said = self.operations[operation]["x-decided-by"]
        return sorted(said["rulesets"].get(ruleset, said["otherwise"]))

    def folded(self, tournament: str) -> LoadedAggregate:
        """Return the state folded from the first event of every log."""
        return Repository(self.database, self.sources).cold(tournament)

    def log(self, tournament: str, source: str = "") -> list[Recorded]:
        """Return a whole log of a tournament. source: the default is the own log."""
        with self.database.reading() as connection:
            return log_page(connection, source or self.sources[0], tournament, 0, 100_000)

    def _compare(self, method: str, path: str, answer: Answer) -> None:
        """Note a successful operation; check that a refusal is documented."""
        endpoint, _ = self._addresses.match(path, method=method)
        operation = endpoint.rpartition(".")[2]
        if answer.status < 400 or (operation == "readyz" and not answer.code):
            self.done.add(operation)
            return
        documented = self.operations[operation]["responses"].get(str(answer.status), {}).get("x-problem-codes", [])
        assert answer.code in documented, f"{operation} does not document {answer}"


class Tournament:
    """A tournament in a service. by: a role, `p7` for a player's own token, NOBODY, or a token."""

    def __init__(self, club: Club, id: str) -> None:
        self.club = club
        self.id = id

    def __call__(self, method: str, rest: str, body: Any = None, by: str = "organiser", **headers: str) -> Answer:
        token = self.token(by)
        before = self.length
        answer = self.club.ask(method, f"/tournaments/{self.id}{rest}", body, token=token, **headers)
        if method == "GET" or answer.status >= 400:
            assert self.length == before, f"appended all the same: {answer}"
        return answer

    def get(self, rest: str = "", by: str = "organiser", **headers: str) -> Answer:
        return self("GET", rest, None, by, **headers)

    def post(self, rest: str, body: Any = None, by: str = "organiser", **headers: str) -> Answer:
        return self("POST", rest, body, by, **headers)

    def delete(self, rest: str, by: str = "organiser", **headers: str) -> Answer:
        return self("DELETE", rest, None, by, **headers)

    def token(self, by: str) -> str:
        """Return a token of a role or of a player. A role that the log gives is appointed first."""
        if by in roles.ISSUED - {roles.PLAYER}:
            self._appoint(by)
        if by in roles.ROLES and by != roles.PLAYER:
            return self.club.token(by, self.id)
        if by.startswith("p") and by[1:].isdigit():
            return self.club.token(roles.PLAYER, self.id, player=by)
        return "" if by == NOBODY else by

    def _appoint(self, role: str) -> None:
        entries = self.club.entries(self.id)
        if not entries.status or member_of(entries, role):
            return
        name = f"A {role}"
        if self.club.sources[0] == "registration":
            answer = self.post("/staff", {"name": name, "role": role})
            assert answer.status == 201, answer
        else:
            self.say("registration", StaffAppointed(staff=f"s{len(entries.staff) + 1}", name=name, role=role))

    @property
    def state(self):
        """The state, folded from the logs."""
        return self.club.folded(self.id).state

    @property
    def log(self) -> list[Recorded]:
        """The service's own log."""
        return self.club.log(self.id)

    @property
    def length(self) -> int:
        """The number of events in the service's own log."""
        with self.club.database.reading() as connection:
            return head_of(connection, self.club.sources[0], self.id).position

    def say(self, source: str, *events: Event, time: str = "2026-03-01T10:00:00.000Z") -> list[Recorded]:
        """Append events to the log of another service, as copied here."""
        with self.club.database.reading() as connection:
            head = head_of(connection, source, self.id)
        entries = entries_of(events)
        recorded = chain_events(
            source, self.id, head, entries, Stamp(acting(source), f"{source}-{head.position}", time, {})
        )
        assert accept_run(self.club.database, recorded) is Outcome.ACCEPTED
        return recorded

    # Events of pairing and scoring that the other services use.

    def paired(self, round: int, *games: tuple[str, ...], scenario: str = "") -> None:
        """Append a paired round. games: two players each, or one for a bye; a member of staff is the spare player."""
        seats = [seat_of(round, number, players) for number, players in enumerate(games, start=1)]
        self.paired_as(round, *seats, scenario=scenario)

    def paired_as(self, round: int, *seats: Seat, scenario: str = "") -> None:
        """Append a paired round with these seats."""
        self.say(
            "pairing",
            PairingsDrawn(round=round, page=1, pages=1, pairings=list(seats)),
            RoundPaired(
                round=round,
                stage="swiss",
                method="random",
                games=len(seats),
                seed="0" * 64,
                made_from=self.state.results.closed.get(round - 1, 0),
                scenario=scenario,
            ),
        )

    def started(self, round: int, *held: str) -> None:
        """Append the start of a round. held: players whose games wait for their rosters."""
        ends_at = "2026-03-01T12:00:00.000Z"
        self.say("pairing", RoundStarted(round=round, minutes=120, ends_at=ends_at, held=list(held)))

    def closed(self, round: int) -> None:
        """Append the closing of a round, with empty standings."""
        self.say("scoring", StandingsRecorded(round=round, page=1, pages=1, rows=[]), RoundClosed(round=round, games=0))

    def concluded(self, time: str = "2026-03-01T10:00:00.000Z") -> None:
        """Append the end of the tournament."""
        self.say("scoring", TournamentConcluded(winner="p1", rounds=1), time=time)


def seat_of(round: int, number: int, players: tuple[str, ...]) -> Seat:
    """Return a pairing: at table 1 for the first game, without a table for a bye."""
    game = f"r{round}g{number}"
    if len(players) == 1:
        return Seat(game=game, kind="bye", player_1=players[0])
    kind = "spare" if players[1].startswith("s") else "game"
    return Seat(game=game, kind=kind, player_1=players[0], player_2=players[1], venue="v1", table=number)


def same_state(club: Club, tournament: str) -> bool:
    """Return True if the served state equals the logs folded from the first event."""
    served = Repository(club.database, club.sources)
    with served.now(tournament) as loaded:
        return bool(loaded.state == club.folded(tournament).state)
