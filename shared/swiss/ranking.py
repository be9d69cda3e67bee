"""Standings of a folded tournament: computed from results, or as scoring recorded them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from shared.formats.swiss.games import game_of, games_of
from shared.formats.swiss.rules.placing import Row
from shared.formats.swiss.rules.rounds import number_of_rounds
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.standings import Ranking, Standings, counts_each_game
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.model import Draw, Game, Status, as_text, as_value
from shared.tournament.entries import PLAYING
from shared.tournament.events.pairing import DrawMade, Seat
from shared.tournament.events.scoring import StandingRow
from shared.tournament.results import Recorded
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def standings_after(state: Tournament, round: int, seed: str | None) -> Standings:
    """Return the standings after a Swiss round, from the results that bind now; ties drawn from the seed."""
    games = games_of(state, round, stage="swiss")
    return _ranking(state, round, seed, statuses_of(state), dict(enumerate(games))).standings()


def statuses_of(state: Tournament) -> dict[str, Status]:
    """Return the status of everybody who plays or did."""
    everybody = state.entries.players.values()
    return {one.id: one.status for one in everybody if one.status in PLAYING}  # type: ignore[misc]


def _ranking(
    state: Tournament, number: int, seed: str | None, statuses: Mapping[str, Status], games: Mapping[Any, Game]
) -> Ranking:
    kept = draws_that_stand(state, number)
    return Ranking(ruleset_of(state.entries), statuses, games, round=number, seed=seed, kept=kept)


class LiveStandings:
    """Standings of one tournament, each time as its state is then.

    The results, and the pairings of rounds, that were changed since the last time are counted again: they bear the
    position of the event that changed them. Everybody is ranked from the beginning where something else has changed:
    the round, the seed, the draws that stand, or who is there.
    """

    def __init__(self) -> None:
        self._frame: object = None
        self._ranking: Ranking | None = None
        self._statuses: tuple[int, Mapping[str, Status]] = 0, {}
        self._ruleset: Ruleset | None = None
        self._last = 0
        self._told: set[str] = set()
        self._rounds: dict[int, int] = {}
        self._seats: dict[str, tuple[Round, Seat]] = {}

    def after(self, state: Tournament, number: int, seed: str | None) -> Standings:
        """Return the standings after Swiss round `number`; ties drawn from the seed."""
        ruleset = ruleset_of(state.entries)
        statuses = self._statuses_in(state)
        frame = (number, seed, statuses, *_drawn_so_far(state))
        known = self._ranking if ruleset is self._ruleset and frame == self._frame else None
        if known is not None and counts_each_game(ruleset):
            known.put(self._changed(state, ruleset, number))
            return known.standings()
        self._frame, self._ruleset = frame, ruleset
        self._last, self._told, self._rounds, self._seats = 0, set(), {}, {}
        found = self._changed(state, ruleset, number)
        counted = {id: game for id, game in found.items() if game is not None}
        self._ranking = _ranking(state, number, seed, statuses, counted)
        return self._ranking.standings()

    def _statuses_in(self, state: Tournament) -> Mapping[str, Status]:
        """The statuses, looked at again where registration has said something."""
        said, known = state.growth["registration"].events, self._statuses
        if known[0] != said:
            known = self._statuses = said, statuses_of(state)
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


def draws_that_stand(state: Tournament, round: int) -> list[Draw]:
    """Coins that staff entered for this round, and its other draws; those of before too where they are kept."""
    results = state.results
    if ruleset_of(state.entries).standings.reuse_draws:
        made = _draws_made(state, round)
        rounds = [number for number in sorted({*made, *results.coins}) if number <= round]
    else:
        made = {number: one.draws for number, one in results.recorded.items()}
        rounds = [round] if round in results.coins else []
    draws = [coin for number in reversed(rounds) for coin in results.coins.get(number, ())]
    draws += [draw for number in rounds for draw in made.get(number, ())]
    return [Draw(draw.purpose, draw.round, draw.seed, tuple(sorted(draw.order)), tuple(draw.order)) for draw in draws]


def _draws_made(state: Tournament, until: int) -> dict[int, list[DrawMade]]:
    """Return the draws of each round, as recorded; those of earlier standings that are held back are made again."""
    results = state.results
    recorded = dict(results.recorded)
    for number in sorted(results.held_back):
        if number < until and number not in recorded:
            known = replace(state, results=replace(results, recorded=recorded, held_back={}))
            seed = results.held_back[number].seed
            recorded[number] = Recorded(number, [], seed, as_draws(standings_after(known, number, seed)))
    return {number: one.draws for number, one in recorded.items()}


def recorded_standings(state: Tournament, round: int) -> Standings | None:
    """The standings after a round as scoring recorded them last; None when the round is not closed."""
    recorded = state.results.recorded.get(round)
    if recorded is None:
        return None
    columns = ruleset_of(state.entries).columns
    rows = tuple(
        Row(
            row.rank,
            row.player,
            {name: as_value(row.values[name]) for name in columns if name in row.values},
            row.tied,
            row.status,  # type: ignore[arg-type]
        )
        for row in recorded.rows
    )
    return Standings(round, tuple(columns), rows, ())


def planned_rounds(state: Tournament) -> int | None:
    """How many rounds are to be played: as the organiser fixed it, else by the players of the first pairing.

    None when nobody has fixed it. Source: AR-SET-4, AR-RND-1, AR-AMB-24.
    """
    entries = state.entries
    if entries.rounds is not None:
        return entries.rounds
    first = state.rounds.rounds.get(1)
    players = sum(len(seat.players) for seat in first.seats.values()) if first is not None else entries.seated()
    return number_of_rounds(ruleset_of(entries), players, entries.tier)


def as_rows(standings: Standings) -> list[StandingRow]:
    """Standings as events hold them: fractions that are not whole as "p/q"."""
    return [
        StandingRow(
            rank=row.rank,
            player=row.player,
            values={name: as_text(row.values[name]) for name in standings.columns if name in row.values},
            tied=row.tied,
            status=row.status,
        )
        for row in standings.rows
    ]


def as_draws(standings: Standings) -> list[DrawMade]:
    """The draws behind standings as events hold them."""
    return [
        DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
        for draw in standings.draws
    ]
