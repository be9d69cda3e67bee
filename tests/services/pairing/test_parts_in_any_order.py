"""Venues go on in any order, and the end is that of a run in step with the same results."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.pairing.handlers import HANDLERS
from services.pairing.rounds import PairRound
from services.pairing.swiss_clocks import StartRound
from services.scoring.handlers import HANDLERS as SCORING
from services.scoring.results import CorrectResult
from services.scoring.rounds import CloseRound, SetPartAside
from shared.log.event import Event
from shared.tournament import registration
from shared.tournament.draws import SeededDraws
from shared.tournament.guards import By, Context
from tests.services.pairing.stories import ARMADA, FACTS, Story

ROUNDS = 4
PLAYERS = {"v1": 7, "v2": 6, "v3": 9}


class Run:
    """A tournament of three venues, whose draws depend on the question alone."""

    def __init__(self) -> None:
        self.story = Story("t-order", tier="casual", pairing_scope="venue", rounds=ROUNDS)
        for venue, players in PLAYERS.items():
            self.story.venue(venue.upper(), tables=6)
            self.story.join(players, venue=venue)

    def pairing(self, command: Any) -> list[Event]:
        return self._decide("pairing", HANDLERS, command)

    def scoring(self, command: Any) -> list[Event]:
        return self._decide("scoring", SCORING, command)

    def _decide(self, source: str, handlers: Any, command: Any) -> list[Event]:
        story = self.story
        context = Context(By("someone", "organiser"), story.now, story.heads, source, SeededDraws("any order"))
        events = list(handlers[type(command)].decide(story.state, command, context))
        story._append_events(source, events)
        return events

    def report(self, number: int, venue: str = "") -> None:
        """Report the games of a round at a venue. Who wins follows from the players alone."""
        for seat in self.story.seats(number):
            if seat.kind == "bye" or venue not in ("", seat.venue):
                continue
            low = min(seat.players)
            side = 1 if (seat.player_1 == low) == (sum(map(ord, "".join(sorted(seat.players)))) % 3 > 0) else 2
            self.story.win(seat.game, side)

    def correct(self, number: int, venue: str) -> None:
        """The other side has won the first game of a venue."""
        seat = min(
            (seat for seat in self.story.seats(number) if seat.venue == venue and seat.kind == "game"),
            key=lambda seat: sorted(seat.players),
        )
        result = self.story.state.results.results[seat.game]
        facts = {**FACTS[ARMADA][0], "points_1": result.facts["points_2"], "points_2": result.facts["points_1"]}
        self.scoring(CorrectResult(game=seat.game, facts=facts, reason="the slip says otherwise"))

    def move(self, player: str, venue: str) -> None:
        self.story.registration(registration.PlayerMoved(player=player, venue=venue))

    def drop(self, player: str, after: int) -> None:
        self.story.registration(registration.PlayerDropped(player=player, after_round=after))

    def winner(self, game: str) -> int:
        """Return the side that has won a game; 0 for a bye."""
        result = self.story.state.results.results.get(game)
        return 0 if result is None else 1 if result.facts["points_1"] > result.facts["points_2"] else 2

    def outcome(self) -> dict[str, Any]:
        """Return everything that must not depend on the order: pairings with tables, results, standings."""
        state = self.story.state
        seats = {
            number: sorted(
                (seat.venue, seat.table, seat.kind, *seat.players, self.winner(seat.game))
                for seat in round.seats.values()
            )
            for number, round in state.rounds.rounds.items()
        }
        recorded = state.results.recorded
        values = {number: {row.player: row.values for row in recorded[number].rows} for number in recorded}
        return {"seats": seats, "values": values, "last": recorded[ROUNDS].rows, "closed": sorted(state.results.closed)}


def after_round(run: Run, number: int, venue: str) -> None:
    """Between two rounds p1 moves from v1 to v2, a result of v2 is corrected, and p20 leaves v3."""
    if number == 2 and venue == "v1":
        run.move("p1", "v2")
    if number == 2 and venue == "v2":
        run.correct(1, "v2")
    if number == 2 and venue == "v3":
        run.drop("p20", 2)


@cache
def in_step() -> dict[str, Any]:
    run = Run()
    for number in range(1, ROUNDS + 1):
        run.pairing(PairRound())
        run.pairing(StartRound(round=number))
        run.report(number)
        run.scoring(CloseRound(round=number))
        for venue in PLAYERS:
            after_round(run, number, venue)
    return run.outcome()


def steps(run: Run, venue: str) -> list[tuple[int, str, Callable[[], Any]]]:
    """Return what a venue does, in order: (round, name, action)."""
    found: list[tuple[int, str, Callable[[], Any]]] = []
    for number in range(1, ROUNDS + 1):
        found += [
            (number, "pair", lambda number=number: run.pairing(PairRound(venue=venue, round=number))),
            (number, "start", lambda number=number: run.pairing(StartRound(round=number, venue=venue))),
            (number, "report", lambda number=number: run.report(number, venue)),
            (number, "close", lambda number=number: run.scoring(CloseRound(round=number, venue=venue))),
            (number, "after", lambda number=number: after_round(run, number, venue)),
        ]
    return found


def play(order: Callable[[list[str]], str], aside: bool) -> dict[str, Any]:
    """Play all venues; `order` selects the next of those that can go on.

    The new venue of p1 pairs round 3 after the move: the two runs are only the same tournament if it does. aside: v3 is
    set aside in round 3 before its games are reported, and counted at the end.
    """
    run = Run()
    todo = {venue: steps(run, venue) for venue in PLAYERS}
    while any(todo.values()):
        moved = not any((number, name) == (2, "after") for number, name, _ in todo["v1"])
        ready = [
            venue for venue, left in todo.items() if left and (venue != "v2" or moved or left[0][:2] != (3, "pair"))
        ]
        if aside and len(ready) > 1:
            ready = [venue for venue in ready if venue != "v3" or todo[venue][0][:2] != (3, "report")]
        venue = order(ready)
        number, name, act = todo[venue].pop(0)
        act()
        if aside and (venue, number, name) == ("v3", 3, "start"):
            run.scoring(SetPartAside(round=3, venue="v3", reason="no network"))
    return run.outcome()


@settings(max_examples=25, deadline=None)
@given(data=st.data(), aside=st.booleans())
def test_any_order_of_parts_ends_as_in_step(data, aside):
    outcome, expected = play(lambda ready: data.draw(st.sampled_from(ready)), aside), in_step()
    assert outcome["seats"] == expected["seats"]
    assert outcome["values"] == expected["values"]
    assert outcome["last"] == expected["last"]
    assert outcome["closed"] == expected["closed"] == list(range(1, ROUNDS + 1))
