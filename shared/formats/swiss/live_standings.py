"""The standings of a tournament that goes on, kept up with its state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from shared.formats.swiss.games import game_of
from shared.formats.swiss.ranking import draws_that_stand, standings_after
from shared.formats.swiss.rules.kept_standings import KeptStandings
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import Standings
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.model import Game
from shared.tournament.entries import PLAYING
from shared.tournament.events.pairing import Seat
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


class LiveStandings:
    """Standings of one tournament, each time as its state is then; the same as `standings_after` gives.

    The results, and the pairings of rounds, that were changed since the last time are counted again: they bear the
    position of the event that changed them. Everybody is ranked from the beginning where something else is another
    one: the round, the seed, the draws that stand, or who is there.
    """

    def __init__(self) -> None:
        self._frame: object = None
        self._kept: KeptStandings | None = None
        self._statuses: tuple[int, dict[str, Any]] = 0, {}
        self._ruleset: Ruleset | None = None
        self._last = 0
        self._told: set[str] = set()
        self._rounds: dict[int, int] = {}
        self._seats: dict[str, tuple[Round, Seat]] = {}

    def after(self, state: Tournament, number: int, seed: str) -> Standings:
        """The standings after Swiss round `number`; ties drawn from the seed."""
        ruleset = ruleset_of(state.entries)
        if ruleset.drop.games != "count":  # a game can decide whether others count, in a field of a few players
            return standings_after(state, number, seed)
        statuses = self._statuses_in(state)
        frame = (number, seed, statuses, *_drawn_so_far(state))
        if self._kept is None or frame != self._frame or ruleset is not self._ruleset:
            self._frame, self._ruleset = frame, ruleset
            self._last, self._told, self._rounds, self._seats = 0, set(), {}, {}
            found = self._changed(state, ruleset, number)
            counted = {id: game for id, game in found.items() if game is not None}
            kept = draws_that_stand(state, number)
            self._kept = KeptStandings(ruleset, statuses, counted, round=number, seed=seed, kept=kept)
        else:
            self._kept.put(self._changed(state, ruleset, number))
        return self._kept.standings()

    def _statuses_in(self, state: Tournament) -> dict[str, Any]:
        """Player -> status of everybody who plays or did; looked at again where registration has said something."""
        said, known = state.growth["registration"].events, self._statuses
        if known[0] != said:
            everybody = state.entries.players.values()
            known = self._statuses = said, {one.id: one.status for one in everybody if one.status in PLAYING}
        return known[1]

    def _changed(self, state: Tournament, ruleset: Ruleset, until: int) -> dict[str, Game | None]:
        """Game -> as it counts now, of every game that may count otherwise than before."""
        touched = {*self._games_paired_anew(state, until), *self._results_changed(state)}
        places = {game: self._seats.get(game) for game in touched}
        return {game: game_of(state, ruleset, *place) if place else None for game, place in places.items()}

    def _results_changed(self, state: Tournament) -> Iterator[str]:
        results = state.results.results
        news = takewhile(lambda result: result.changed > self._last, reversed(results.values()))
        told = [result.game for result in news]
        self._last = results[told[0]].changed if told else self._last
        self._told.update(told)
        yield from told
        if len(self._told) != len(results):
            gone = self._told.difference(results)
            self._told -= gone
            yield from gone

    def _games_paired_anew(self, state: Tournament, until: int) -> Iterator[str]:
        paired = state.rounds.rounds.items()
        rounds = {n: round for n, round in paired if n <= until and round.stage == "swiss" and not round.draft}
        changed = [n for n, round in rounds.items() if self._rounds.get(n) != round.changed]
        if not changed and len(rounds) == len(self._rounds):
            return
        before, self._seats = self._seats, {s.game: (r, s) for r in rounds.values() for s in r.seats.values()}
        self._rounds = {n: round.changed for n, round in rounds.items()}
        yield from before.keys() - self._seats.keys()
        for game, place in self._seats.items():
            known = before.get(game)
            if known is None or known[0] is not place[0] or known[1] is not place[1]:
                yield game


def _drawn_so_far(state: Tournament) -> tuple[object, ...]:
    """What the draws that stand are made of."""
    results = state.results
    standings = {number: results.standings_changed_at(number) for number in results.closed}
    return standings, {number: [coin.order for coin in coins] for number, coins in results.coins.items()}
