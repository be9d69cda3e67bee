"""A large tournament from the doors' opening to its last round, over HTTP, with the time that each step takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from time import monotonic
from uuid import uuid4

import orjson
from msgspec import Struct, field

from bench.crew import Crew
from bench.hall import Looks, Reading, dealt
from bench.load import MOST_FAULTS, Request
from bench.processes import children_of, memory_mb
from deploy.operator import operator
from deploy.stack import Stack
from muster.simulator.director import LONGEST_LIST, Director, player_names, venue_names
from muster.simulator.plausible import results
from shared.formats.pack import shipped_ruleset

RULESET = "star-wars-armada-1.1"
ROUNDS, VENUES = 5, 20
CLIENTS, READERS = 64, 500
STEP = 4
"""Between the ports of two web processes of a service."""


class Step(Struct):
    """seconds: each time that it was done. things: how many players, games or rows it is about, in all of them.

    ms: every single request, where there are many at a time.
    """

    things: int = 0
    seconds: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)


class Evening:
    """One tournament of a stack whose web processes have ports of their own.

    Commands of the tournament go to one process of each service, as an edge would send them; readers to any.
    """

    def __init__(self, stack: Stack, players: int, phones: Crew, audience: Crew) -> None:
        self.stack = stack
        self.players = players
        self.steps: dict[str, Step] = {}
        self.looks = Looks([], [])
        self.games: list[str] = []
        self.closed = 0
        self._phones = phones
        self._audience = audience
        self._facts = results(shipped_ruleset(RULESET), Random(players))
        self.director = Director.announce(
            operator(stack.urls, stack.issuer),
            name="Measured Cup",
            ruleset=RULESET,
            tier="casual",
            rounds=ROUNDS,
            on_purpose=["rounds"],
        )

    def play(self, say: Callable[[str], None]) -> None:
        """All of it. Raises RuntimeError when so many requests failed that this would measure failures."""
        self._open()
        for number in range(1, ROUNDS + 1):
            say(f"large: {self.players:,} players, round {number}")
            self._round(number)

    @contextmanager
    def _timed(self, name: str, things: int) -> Iterator[Step]:
        step, started = self.steps.setdefault(name, Step()), monotonic()
        yield step
        step.seconds.append(monotonic() - started)
        step.things += things

    def _done(self, name: str, things: int, what: Callable[[], object]) -> None:
        """A step that is one request."""
        with self._timed(name, things):
            what()

    def _posted(self, name: str, service: str, asks: Sequence[Request]) -> None:
        """A step that all clients do."""
        port = self.stack.settings(service).port + STEP
        with self._timed(name, len(asks)) as step:
            answered = [
                each for process in self._phones.do(*dealt(asks, port, CLIENTS, len(self._phones))) for each in process
            ]
        faults = [fault for each in answered for fault in each.faults]
        if len(faults) > MOST_FAULTS:
            raise RuntimeError(f"{len(faults)} requests failed, such as {faults[0]}")
        step.ms += [ms for each in answered for ms in each.ms]

    def _open(self) -> None:
        director, venues = self.director, min(VENUES, self.players // 4)
        ids = [director.open_venue(name, -(-self.players // venues) // 2 + 1) for name in venue_names(venues)]
        names = [
            {"name": name, "venue": ids[number % venues]} for number, name in enumerate(player_names(self.players))
        ]
        for start in range(0, self.players, LONGEST_LIST):
            some = names[start : start + LONGEST_LIST]
            self._done("entered", len(some), lambda some=some: director.join(some))  # type: ignore[misc]
        self._posted(
            "checked in",
            "registration",
            [self._ask(player, f"/players/{player}/check-in", {}) for player in director.players],
        )
        director.do("registration", "/registration/close")

    def _round(self, number: int) -> None:
        director = self.director
        self._done("paired", self.players, lambda: director.pair(round=number))
        self._done("published", self.players, lambda: director.do("pairing", f"/rounds/{number}/publication", {}))
        director.start(number)
        games = [game for game in director.open_games(number) if game["kind"] == "game"]
        self.games += [game["id"] for game in games]
        Random(number).shuffle(games)
        with self._watched():
            self._posted(
                "reported",
                "scoring",
                [
                    self._ask(game["player_1"], f"/games/{game['id']}/result", {"facts": self._facts(game)})
                    for game in games
                ],
            )
            self._posted(
                "confirmed",
                "scoring",
                [self._ask(game["player_2"], f"/games/{game['id']}/confirmation", {}) for game in games],
            )
            self._done("closed", self.players, lambda: director.close(number))
        self.closed += 1
        self._done("standings after it, a page", self.players, lambda: director.standings(limit=50))

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Readers look at the first page of standings meanwhile."""
        port, path = self.stack.settings("scoring").port, self.director.path("/standings?limit=50")
        self._audience.do(*[Reading(port, path, READERS // len(self._audience))] * len(self._audience))
        try:
            yield
        finally:
            for looks in self._audience.do(*[None] * len(self._audience)):
                self.looks.ms += looks.ms
                self.looks.faults += looks.faults

    def _ask(self, player: str, rest: str, body: object) -> Request:
        headers = {
            "Authorization": f"Bearer {self.director.players[player].token}",
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid4()),
        }
        return Request("POST", self.director.path(rest), headers, orjson.dumps(body))

    def megabytes(self) -> dict[str, list[float]]:
        """Program -> the most memory that each of its processes has had so far; what they share counts for each."""
        found: dict[str, list[float]] = {}
        for name, pid in self.stack.pids().items():
            children = children_of(pid) if name.endswith(".web") else []
            found[name] = [memory_mb(one, "VmHWM") for one in (children or [str(pid)])]
        found.pop("supervisor", None)
        return found
