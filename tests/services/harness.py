"""The decisions of a service without a database: a state, logs, and a caller who may try anything.

The harness checks that refused commands change nothing, that logs have no gaps, and that the state equals the logs
folded from the first event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from shared.formats.fold import decode, encode, fold
from shared.log.event import EMPTY_HEAD, Actor, Event, Head, Recorded
from shared.log.log import Entry, Stamp, chain_events, verify
from shared.refusals import Refusal
from shared.service.commands import entries_of, recorded_entries
from shared.service.handlers import Handler
from shared.tournament.draws import with_draws
from shared.tournament.guards import By, Context, authority_denial, recorded_actor
from shared.tournament.results import RoundClosed
from shared.tournament.rounds import PairingsDrawn, RoundPaired, RoundStarted, RoundWithdrawn, Seat
from shared.tournament.state import Tournament
from shared.web.refusals import Forbidden
from tests.acting import acting
from tests.draws import FixedOracle, oracle_of
from tests.issuing import with_token

NOW = "2026-03-01T10:00:00.000Z"
SOURCES = ("registration", "pairing", "scoring")

Handlers = Mapping[type, Handler]


class Harness:
    """A tournament in one service. source: the service's own log. handlers: its command table."""

    def __init__(self, source: str, handlers: Handlers, tournament: str = "t-1") -> None:
        self.source = source
        self.tournament = tournament
        self.state = Tournament()
        self.logs: dict[str, list[Recorded]] = {name: [] for name in SOURCES}
        self.told: list[Recorded] = []
        self._handlers = handlers

    def head(self, source: str) -> Head:
        """Return the head of a log."""
        log = self.logs[source]
        return Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD

    def say(self, source: str, *events: Event) -> list[Recorded]:
        """Append events to a log and fold them."""
        return self._append(source, entries_of(events), acting(source))

    def _append(self, source: str, entries: Sequence[Entry], actor: Actor) -> list[Recorded]:
        seen = {name: self.head(name).position for name in SOURCES if name != source}
        stamp = Stamp(actor, f"c{len(self.told)}", NOW, seen)
        recorded = chain_events(source, self.tournament, self.head(source), entries, stamp)
        self.logs[source] += recorded
        self.told += recorded
        fold(self.state, recorded)
        return recorded

    def decide(self, command: Any, by: By, oracle: FixedOracle | None = None) -> list[Event]:
        """Return the decision of the service on the current state. Raises its refusals."""
        row = self._handlers[type(command)]
        by = with_token(self.tournament, self.state.entries, by)
        if lack := authority_denial(self.state.entries, by, row.roles, row.by_rule):
            raise Forbidden(lack.detail)
        context = Context(
            by,
            NOW,
            {name: self.head(name) for name in SOURCES},
            self.source,
            oracle or oracle_of(self.state, self.source),
        )
        return list(row.decide(self.state, command, context))

    def run(self, command: Any, by: By) -> list[Event] | Refusal:
        """Decide and append. Return the events, or the refusal, which must change nothing."""
        before = encode(self.state)
        by = with_token(self.tournament, self.state.entries, by)
        try:
            oracle = oracle_of(self.state, self.source)
            events = self.decide(command, by, oracle)
        except Refusal as refusal:
            assert encode(self.state) == before, f"refusing changed the state: {command}"
            return refusal
        assert encode(self.state) == before, f"deciding changed the state: {command}"
        row = self._handlers[type(command)]
        recorded = with_draws(events, oracle, keeps_back=row.drafts)
        entries = recorded_entries(recorded, command, by.authority, row.form)
        self._append(self.source, entries, recorded_actor(self.state, by))
        return events

    def play_on(self, what: str) -> None:
        """Let the other services act if they can: pair, start, close or withdraw a round."""
        rounds, results = self.state.rounds, self.state.results
        latest = rounds.latest()
        closed = latest is None or latest.number in results.closed
        match what:
            case "pair" if closed:
                number = latest.number + 1 if latest else 1
                active = [player.id for player in self.state.entries.active()]
                seats = [
                    Seat(game=f"r{number}g{game}", kind="game" if two else "bye", player_1=one, player_2=two)
                    for game, (one, two) in enumerate(zip(active[::2], [*active[1::2], ""], strict=False), start=1)
                ]
                self.say(
                    "pairing",
                    PairingsDrawn(round=number, page=1, pages=1, pairings=seats),
                    RoundPaired(round=number, stage="swiss", method="random", games=len(seats)),
                )
            case "start" if latest and not closed and not latest.has_started:
                self.say("pairing", RoundStarted(round=latest.number, minutes=1, ends_at=""))
            case "close" if latest and not closed and latest.has_started:
                self.say("scoring", RoundClosed(round=latest.number, games=len(latest.seats)))
            case "take back" if latest and not closed:
                self.say("pairing", RoundWithdrawn(round=latest.number, reason="a mistake"))

    def hold(self) -> None:
        """Check that the logs verify and give the state."""
        for source, log in self.logs.items():
            assert verify(log) == self.head(source)
        for order in permutations(SOURCES):
            assert fold(Tournament(), [event for source in order for event in self.logs[source]]) == self.state
        half = len(self.told) // 2
        snapshot = encode(fold(Tournament(), self.told[:half]))
        assert fold(decode(snapshot), self.told[half:]) == self.state
