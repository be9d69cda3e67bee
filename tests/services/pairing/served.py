"""The service behind Flask's test client, with its own database; a story provides the other services' logs.

Every refusal must be documented for its operation.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from services.pairing.app import build_web
from shared.formats.fold import evolve
from shared.log.copies import accept_run
from shared.log.reading import head_of, log_page
from shared.roles import ISSUED, PLAYER, SERVICE
from shared.service.wiring import WIRED, Service
from shared.settings import load
from tests.databases import migrated, new_sqlite
from tests.found import holds_what_was_found
from tests.issuing import Tokens, member_of, token_of
from tests.services.conftest import logging_as_it_was
from tests.services.pairing.stories import Story

NOWHERE = "http://127.0.0.1:9"
"""Where the other services would be; asked for news, nobody answers."""


class House:
    """A process of the service with a database, for any number of tournaments.

    url: database shared with other processes; empty: a new database.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        env = {
            "MUSTER_DATA": str(folder),
            "PAIRING_DATABASE_URL": url or new_sqlite("pairing"),
            "REGISTRATION_URL": NOWHERE,
            "SCORING_URL": NOWHERE,
            "MUSTER_SEEN_WAIT_MS": "0",
            "MUSTER_RATE_LIMIT": "1000000/minute",
            "MUSTER_LOG_LEVEL": "error",
        }
        settings = load("pairing", env)
        self.env = env
        self.database = migrated(settings.database_url, "pairing")
        with logging_as_it_was():
            self.app = build_web(env, self.database)
        self.openapi: dict[str, Any] = self.app.test_client().get("/openapi.json").json or {}

    def token(self, tournament: str, role: str = "organiser", player: str | None = None) -> str:
        who = {} if role == SERVICE else {"actor": player or "someone"}
        return token_of(self.env, role, tournament, jti=f"{role}-1", player=player, **who)

    def post(self, tournament: str, path: str, body: Any, **headers: str) -> TestResponse:
        """A command of an organiser; headers with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named["Authorization"] = f"Bearer {self.token(tournament)}"
        return self.app.test_client().post(f"/tournaments/{tournament}{path}", json=body, headers=named)


class Pairing:
    """The service, as clients of one tournament see it.

    story: the events so far, synchronised with the database in both directions.
    """

    def __init__(self, house: House, story: Story) -> None:
        self.house, self.story = house, story
        self.app, self.database, self.openapi = house.app, house.database, house.openapi
        self._tokens = Tokens(house.env, lambda tournament: story.state.entries)
        self.copy_from_story()

    def token(self, role: str = "organiser", tournament: str = "", player: str | None = None) -> str:
        """Return a token for a role. The story appoints staff if the role needs it."""
        if role not in ISSUED:
            return self.house.token(tournament or self.story.id, role, player)
        if role == PLAYER:
            return self._tokens.of(role, tournament or self.story.id, player=player or "p1")
        if not member_of(self.story.state.entries, role):
            self.story.staff(f"A {role}", role)
            self.copy_from_story()
        return self._tokens.of(role, tournament or self.story.id)

    def token_of(self, role: str, staff: str) -> str:
        """The token of a member of staff."""
        return self._tokens.of(role, self.story.id, actor=staff)

    def copy_from_story(self) -> None:
        """Copy new events of registration and scoring from the story into the database."""
        for source in ("registration", "scoring"):
            with self.database.reading() as connection:
                known = head_of(connection, source, self.story.id).position
            if news := self.story.logs[source][known:]:
                accept_run(self.database, news)

    def commit(self) -> None:
        """Let the service commit to a secret, as its worker does once the tournament is announced."""
        self.copy_from_story()
        self.app.extensions[WIRED][Service].handle_copies(self.story.id, "registration")
        self.copy_to_story()

    def copy_to_story(self) -> None:
        """Copy new events of pairing from the database into the story."""
        log = self.story.logs["pairing"]
        with self.database.reading() as connection:
            news = log_page(connection, "pairing", self.story.id, len(log), 1_000_000)
        for recorded in news:
            log.append(recorded)
            evolve(self.story.state, recorded)

    def get(self, path: str, *, role: str = "", **headers: str) -> TestResponse:
        return self.send("GET", path, role=role, **headers)

    def post(self, path: str, body: Any = None, *, role: str = "organiser", **headers: str) -> TestResponse:
        return self.send("POST", path, body, role=role, **headers)

    def send(
        self, method: str, path: str, body: Any = None, *, role: str = "organiser", **headers: str
    ) -> TestResponse:
        """Send a request as a role; empty: without a token. headers: with `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if role:
            named.setdefault("Authorization", f"Bearer {self.token(role)}")
        self.copy_from_story()
        data = None if body is None else json.dumps(body)
        kind = None if body is None else "application/json"
        address = f"/tournaments/{self.story.id}{path}"
        answer = self.app.test_client().open(address, method=method, data=data, content_type=kind, headers=named)
        if answer.status_code >= 400:
            code = (answer.json or {})["code"]
            holds_what_was_found((answer.json or {}).get("errors", ()), body)
            assert code in self.documented(method, address), f"{method} {address} does not document {code}"
        self.copy_to_story()
        return answer

    def documented(self, method: str, address: str) -> set[str]:
        """The problem codes that OpenAPI names for an operation."""
        for template, operations in self.openapi["paths"].items():
            pattern = re.sub(r"{\w+}", "[^/]+", template)
            if re.fullmatch(pattern, address.partition("?")[0]) and method.lower() in operations:
                responses = operations[method.lower()]["responses"].values()
                return {code for response in responses for code in response.get("x-problem-codes", ())}
        raise AssertionError(f"no operation {method} {address}")
