"""A load of commands under which things go wrong, and a memory of what every caller was told.

    with Load(stack) as load:
        load.more(20)                      # so many results have come in since
        stack.kill("scoring", wait=False)
        load.over()                        # the fault ends here, and how long it takes to get over it is measured
        load.more(20)                      # as many afterwards
    check(stack, load)                     # tests.faults.holds

Directors run small tournaments one after another, all three services taking part; in each round several phones
report and confirm at once. Every command carries a key and is repeated until it is answered.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Any, Self

import httpx

from deploy.stack import Stack, operator
from muster.simulator.director import Director, Facts
from muster.simulator.results_by_chance import results
from muster_client import Muster
from shared.formats.packs import shipped_ruleset
from tests import http, outcomes
from tests.faults.recovery import Recovery
from tests.waiting import PATIENCE

ROUNDS = 3
RULESET = "star-wars-armada-400"
RULES = {"ruleset": RULESET, "tier": "casual", "rounds": ROUNDS}
PACE = 0.05
"""Seconds that a phone is busy with other things before each report, so that the machine is, too."""
EXPECTED = frozenset({200, 201, 503})
"""What a client may be told while something goes wrong."""
LASTING = 7 * 86_400
"""Seconds for which a token is good, so that it still is where somebody sets the clock."""
SENT = "muster.sent"
"""Where a request remembers when it was sent."""


@dataclass(frozen=True)
class Done:
    """A command as it was sent, and the first answer that its caller got."""

    request: httpx.Request
    service: str
    answer: dict[str, Any]

    @property
    def events(self) -> list[dict[str, Any]]:
        """What the caller was told to have been appended."""
        events: list[dict[str, Any]] = self.answer["events"]
        return events


class Watched(httpx.HTTPTransport):
    """Connections whose failures are counted, by the name of the error."""

    def __init__(self, failures: Counter[str]) -> None:
        super().__init__()
        self._failures = failures

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        try:
            return super().handle_request(request)
        except httpx.TransportError as error:
            closed = "without sending a response" in str(error)
            self._failures["ClosedUnanswered" if closed else type(error).__name__] += 1
            raise


class Ledger:
    """What was answered: key -> command; and how often each status."""

    def __init__(self, urls: dict[str, str]) -> None:
        self.done: dict[str, Done] = {}
        self.statuses: Counter[int] = Counter()
        self.unavailable: Counter[str] = Counter()
        """Codes of the problems that were told as 503."""
        self.broken: Counter[str] = Counter()
        """What kept requests from being answered whole: names of httpx's errors, and two of ours.

        ClosedUnanswered: a connection was closed before the first byte of an answer; CutAnswer: after it.
        """
        self.sent = 0.0
        """When the youngest of the acknowledged commands was sent: time.monotonic()."""
        self._services = {httpx.URL(url).port: name for name, url in urls.items()}
        self.changed = threading.Condition()

    def watch(self, client: Muster) -> Muster:
        """Note everything that this client is told, and all who share its connections."""
        connection = client.connection
        connection.http = http.Client(
            timeout=connection.http.timeout,
            transport=Watched(self.broken),
            event_hooks={"request": [self._send], "response": [self._hear]},
        )
        return client

    def unexpected(self) -> dict[int, int]:
        """Statuses that nobody should have been answered with, and how often they were."""
        return {status: times for status, times in self.statuses.items() if status not in EXPECTED}

    def results(self) -> int:
        """How many reports of results were acknowledged."""
        return sum(event["type"] == "ResultReported" for done in list(self.done.values()) for event in done.events)

    def _send(self, request: httpx.Request) -> None:
        request.extensions[SENT] = time.monotonic()

    def _hear(self, response: httpx.Response) -> None:
        try:
            response.read()
        except httpx.TransportError:
            self.broken["CutAnswer"] += 1
            raise
        request = response.request
        key = request.headers.get("Idempotency-Key")
        with self.changed:
            self.statuses[response.status_code] += 1
            if response.status_code == 503:
                self.unavailable[str(response.json().get("code"))] += 1
            if key and response.status_code == 201:
                self.sent = max(self.sent, request.extensions[SENT])
                self.done.setdefault(key, Done(request, self._services[request.url.port], response.json()))
            self.changed.notify_all()


def engines_of(stack: Stack) -> str:
    """Database and broker of a stack, as people call them."""
    settings = stack.settings("scoring")
    database = "SQLite" if settings.sqlite else "PostgreSQL"
    return f"{database}, {'RabbitMQ' if settings.broker_url.startswith('amqp') else 'folder'}"


def at_a_pace(facts: Facts) -> Facts:
    """The same facts, a moment later."""

    def later(game: Mapping[str, Any]) -> Mapping[str, Any]:
        time.sleep(PACE)  # noqa: TID251 - the pace of the load
        return facts(game)

    return later


class Load:
    """Directors at work in threads of their own until the block ends. players: of each tournament."""

    def __init__(self, stack: Stack, *, directors: int = 2, players: int = 16) -> None:
        self.stack = stack
        self.ledger = Ledger(stack.urls)
        self.tournaments: list[Director] = []
        self.random = Random(1)
        self._players = players
        self._stop = threading.Event()
        self._failed: list[BaseException] = []
        self._recoveries: list[Recovery] = []
        outcomes.current().engines = engines_of(stack)
        self._threads = [
            threading.Thread(target=self._guard, args=(number,), name=f"director-{number}")
            for number in range(directors)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for recovery in self._recoveries:
            recovery.wait(0.0 if error else PATIENCE)  # while the load still sends what its clock waits for
        self._stop.set()
        for thread in self._threads:
            thread.join()
        row = outcomes.current()
        row.acknowledged += len(self.ledger.done)
        row.count(unexpected=sum(self.ledger.unexpected().values()))
        for recovery in self._recoveries:
            row.recovered(recovery.answers, recovery.agrees)
        if error is None and self._failed:
            raise self._failed[0]

    def more(self, results: int) -> None:
        """Wait until so many results more have been acknowledged. Raises what made a director give up."""
        deadline = time.monotonic() + PATIENCE
        wanted = self.ledger.results() + results
        while self.ledger.results() < wanted:
            if self._failed:
                raise self._failed[0]
            assert time.monotonic() < deadline, f"no {results} results within {PATIENCE:g} s\n{self.stack.output()}"
            with self.ledger.changed:
                self.ledger.changed.wait(0.1)

    def over(self) -> None:
        """A fault ends now: measure from here how long it takes until commands are answered, and until copies agree."""
        self._recoveries.append(Recovery(self.stack, lambda ended: self.ledger.sent > ended))

    def _guard(self, number: int) -> None:
        random = Random(number)
        try:
            while not self._stop.is_set():
                self._tournament(random)
        except BaseException as error:
            self._failed.append(error)

    def _tournament(self, random: Random) -> None:
        """One tournament; left where it is, after a whole round, when the load ends."""
        director = self.announce()
        self.tournaments.append(director)
        battle = at_a_pace(results(shipped_ruleset(RULESET), random))
        for _ in range(ROUNDS):
            round = director.pair()
            director.start(round)
            director.play(round, battle)
            director.close(round)
            if self._stop.is_set():
                return
        director.do("scoring", "/conclusion", {})

    def announce(self, **more: Any) -> Director:
        """A tournament with its players entered, everybody's answers noted.

        more: further members of the announcement.
        """
        host = self.ledger.watch(operator(self.stack.urls, self.stack.issuer, LASTING))
        director = Director.announce(host, name="Under load", **RULES, **more)
        director.join({"name": f"Player {number}"} for number in range(1, self._players + 1))
        return director


def one_round(load: Load) -> Director:
    """A tournament of the load at rest after a round, each of its results still open to correction."""
    director = load.announce()
    load.tournaments.append(director)
    director.pair()
    director.do("pairing", "/rounds/1/start", {})
    director.play(1, results(shipped_ruleset(RULESET), load.random))
    return director
