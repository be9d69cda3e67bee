"""Standings of a folded tournament: computed or recorded, places in the bracket, and consistency of the bracket.

Scoring owns the results and decides winners. Pairing calls the same functions on its copy of scoring's log.
Source: DW-CUT-2 to DW-CUT-6, DW-AMB-5, DW-AMB-11, DW-AMB-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shared.refusals import Refusal
from shared.rules.model import Draw, Game, Status, as_text, as_value, make_draw
from shared.swiss.elimination import BRACKET_TIE, game_winner, rank_by_round_reached, tie_winner
from shared.swiss.games import counted_game, counted_games, entrants_of, ruleset_of, score_facts
from shared.swiss.rounds import number_of_rounds
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import Ranking, Row, Standings, counts_each_game
from shared.tournament.format import first_placed
from shared.tournament.parts import players_of_first_round
from shared.tournament.people import PLAYING
from shared.tournament.results import Recorded, StandingRow
from shared.tournament.rounds import DrawMade, Round, Seat, place_of
from shared.tournament.state import Tournament


def swiss_standings(state: Tournament, round: int, seed: str | None) -> Standings:
    """Return the standings after a Swiss round, from the results that count now; ties drawn from the seed."""
    games = counted_games(state, round, stage="swiss")
    return _ranking(state, round, seed, player_statuses(state), dict(enumerate(games))).standings()


def player_statuses(state: Tournament) -> dict[str, Status]:
    """Return the status of every player who has or had a seat."""
    players = state.entries.players.values()
    return {player.id: player.status for player in players if player.status in PLAYING}  # type: ignore[misc]


def _ranking(
    state: Tournament, number: int, seed: str | None, statuses: Mapping[str, Status], games: Mapping[Any, Game]
) -> Ranking:
    kept = draws_in_force(state, number)
    return Ranking(ruleset_of(state.entries), statuses, games, round=number, seed=seed, kept=kept)


class LiveStandings:
    """Incremental standings of one tournament.

    Only results and pairings that changed since the last call are counted again; they have the position of the event
    that changed them. The ranking restarts if anything else changed: the round, the seed, the draws in force, or the
    players.
    """

    def __init__(self) -> None:
        self._frame: object = None
        self._ranking: Ranking | None = None
        self._statuses: tuple[int, Mapping[str, Status]] = 0, {}
        self._ruleset: Ruleset | None = None
        self._last = 0
        self._counted: set[str] = set()
        self._rounds: dict[int, int] = {}
        self._seats: dict[str, tuple[Round, Seat]] = {}

    def after(self, state: Tournament, number: int, seed: str | None) -> Standings:
        """Return the standings after Swiss round `number`; ties drawn from the seed."""
        ruleset = ruleset_of(state.entries)
        statuses = self._statuses_in(state)
        frame = (number, seed, statuses, *_draws_key(state))
        known = self._ranking if ruleset is self._ruleset and frame == self._frame else None
        if known is not None and counts_each_game(ruleset):
            known.put(self._changed(state, ruleset, number))
            return known.standings()
        self._frame, self._ruleset = frame, ruleset
        self._last, self._counted, self._rounds, self._seats = 0, set(), {}, {}
        games = self._changed(state, ruleset, number)
        counted = {id: game for id, game in games.items() if game is not None}
        self._ranking = _ranking(state, number, seed, statuses, counted)
        return self._ranking.standings()

    def _statuses_in(self, state: Tournament) -> Mapping[str, Status]:
        """Return the statuses, computed again if registration has appended events."""
        events, known = state.usage["registration"].events, self._statuses
        if known[0] != events:
            known = self._statuses = events, player_statuses(state)
        return known[1]

    def _changed(self, state: Tournament, ruleset: Ruleset, until: int) -> dict[str, Game | None]:
        """Return each game that may count differently than before, as it counts now."""
        touched = {*self._pairings_changed(state, until), *self._results_changed(state)}
        places = {game: self._seats.get(game) for game in touched}
        return {game: counted_game(state, ruleset, *place) if place else None for game, place in places.items()}

    def _results_changed(self, state: Tournament) -> Iterator[str]:
        results = state.results.results
        news = takewhile(lambda result: result.changed > self._last, reversed(results.values()))
        changed = [result.game for result in news]
        self._last = results[changed[0]].changed if changed else self._last
        self._counted.update(changed)
        yield from changed
        if len(self._counted) != len(results):
            removed = self._counted.difference(results)
            self._counted -= removed
            yield from removed

    def _pairings_changed(self, state: Tournament, until: int) -> Iterator[str]:
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


def _draws_key(state: Tournament) -> tuple[object, ...]:
    """Return a key that changes if the draws in force change."""
    results = state.results
    standings = {number: results.standings_changed_at(number) for number in results.closed}
    return standings, {number: [coin.order for coin in coins] for number, coins in results.coins.items()}


def draws_in_force(state: Tournament, round: int) -> list[Draw]:
    """Return the coins entered by staff and the draws for a round; with those of earlier rounds if they are reused."""
    results = state.results
    if ruleset_of(state.entries).standings.reuse_draws:
        drawn = _draws_made(state, round)
        rounds = [number for number in sorted({*drawn, *results.coins}) if number <= round]
    else:
        drawn = {number: recorded.draws for number, recorded in results.recorded.items()}
        rounds = [round] if round in results.coins else []
    draws = [coin for number in reversed(rounds) for coin in results.coins.get(number, ())]
    draws += [draw for number in rounds for draw in drawn.get(number, ())]
    return [Draw(draw.purpose, draw.round, draw.seed, tuple(sorted(draw.order)), tuple(draw.order)) for draw in draws]


def _draws_made(state: Tournament, until: int) -> dict[int, list[DrawMade]]:
    """Return the recorded draws of each round. Draws of earlier unpublished standings are computed."""
    results = state.results
    recorded = dict(results.recorded)
    for number in sorted(results.held_back):
        if number < until and number not in recorded:
            known = replace(state, results=replace(results, recorded=recorded, held_back={}))
            seed = results.held_back[number].seed
            recorded[number] = Recorded(number, [], seed, as_draws(swiss_standings(known, number, seed)))
    return {number: recorded_standings.draws for number, recorded_standings in recorded.items()}


def recorded_standings(state: Tournament, round: int) -> Standings | None:
    """Return the standings of a closed round as recorded last; None if there are none."""
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
    """Return the planned number of rounds: set by the organiser, or derived from the number of players in round 1.

    None if the ruleset gives no number. Source: AR-SET-4, AR-RND-1, AR-AMB-24.
    """
    entries = state.entries
    if entries.rounds is not None:
        return entries.rounds
    return number_of_rounds(ruleset_of(entries), players_of_first_round(state), entries.tier)


def as_rows(standings: Standings) -> list[StandingRow]:
    """Return standings as events contain them, with fractions as `"p/q"`."""
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
    """Return the draws of standings as events contain them."""
    return [
        DrawMade(purpose=draw.purpose, round=draw.round, order=list(draw.order), seed=draw.seed)
        for draw in standings.draws
    ]


def standings_of_round(
    state: Tournament,
    number: int,
    seed: str | None,
    after_swiss: Callable[[Tournament, int, str | None], Standings] = swiss_standings,
) -> Standings:
    """Return the standings after a round, from the results that count now. Without a seed, tied players share a rank.

    `after_swiss` computes those after a Swiss round; callers with incremental standings pass their own.
    """
    round = state.rounds.rounds.get(number)
    if round is None or round.stage != "elimination":
        return after_swiss(state, number, seed)
    cut_after = state.rounds.cut_after
    return _places(state, number, seed, after_swiss(state, cut_after, state.results.seed_of(cut_after) or seed))


def recompute_standings(state: Tournament, seeds: Mapping[int, str]) -> dict[int, Recorded]:
    """Return the standings of several closed rounds, each based on the new ones before it.

    `seeds`: round -> the seed of its ties.
    """
    recorded: dict[int, Recorded] = {}
    for number, seed in sorted(seeds.items()):
        standings = standings_of_round(with_recorded_standings(state, recorded), number, seed)
        recorded[number] = Recorded(number, as_rows(standings), seed, as_draws(standings))
    return recorded


def unpublished_standings(state: Tournament) -> dict[int, Recorded]:
    """Return the standings that are held back, as they will be recorded."""
    return recompute_standings(state, {number: held.seed for number, held in state.results.held_back.items()})


def with_recorded_standings(state: Tournament, recorded: Mapping[int, Recorded]) -> Tournament:
    """Return the state with other recorded standings of some rounds."""
    if not recorded:
        return state
    return replace(state, results=replace(state.results, recorded={**state.results.recorded, **recorded}))


def closed_standings(state: Tournament, number: int) -> Standings | None:
    """Return the standings of a closed round, recorded or (while unpublished) computed; None if it is not closed."""
    held = state.results.held_back.get(number)
    return standings_of_round(state, number, held.seed) if held else recorded_standings(state, number)


def is_bracket_decided(state: Tournament, number: int, seed: str) -> bool:
    """Return True if fewer than two players remain after elimination round `number` (DW-CUT-6)."""
    round = state.rounds.rounds.get(number)
    if round is None or round.stage != "elimination":
        return False
    reached, _ = _reached(state, number, seed)
    return sum(last > number + 1 for last in reached.values()) < 2


def _places(state: Tournament, number: int, seed: str | None, swiss: Standings) -> Standings:
    """Return the places in the bracket: remaining players, then by round reached, and all others as at the cut."""
    reached, draws = _reached(state, number, seed)
    return rank_by_round_reached(swiss, reached, number, draws)


def _reached(state: Tournament, number: int, seed: str | None) -> tuple[dict[str, int], list[Draw]]:
    """Return the round in which each player of the bracket was eliminated, and the draws of round `number`.

    Players who remain have a round that is not played. Players are eliminated by a game or by leaving before it.
    """
    reached = dict.fromkeys(state.rounds.cut, number + 2)
    draws: list[Draw] = []
    for elimination in range(state.rounds.cut_after + 1, number + 1):
        advancing: list[str] = []
        for seat in state.rounds.rounds[elimination].seats.values():
            winner, draw = decide_bracket_game(state, elimination, seat, seed)
            if draw and not draw.seed:  # the tie is drawn when the round is closed
                advancing += seat.players
                continue
            draws += [draw] if draw and elimination == number else []
            advancing.append(winner)
        reached |= {player: elimination for player in _remaining(reached, number) if player not in advancing}
    alive = _remaining(reached, number)
    stayed = _stayed(state, number).intersection(alive)
    if stayed:  # otherwise the last remaining player has won, even after leaving
        reached |= {player: number + 1 for player in alive if player not in stayed}
    return reached, draws


def _remaining(reached: Mapping[str, int], number: int) -> list[str]:
    return [player for player, round in reached.items() if round > number]


def _stayed(state: Tournament, number: int) -> set[str]:
    """Return the players who may be paired in the bracket after round `number`."""
    given_up = {player for player, promoted in state.rounds.given_up.items() if not promoted}
    return {entrant.player for entrant in entrants_of(state) if entrant.plays(number + 1)} - given_up


def decide_bracket_game(state: Tournament, number: int, seat: Seat, seed: str | None) -> tuple[str, Draw | None]:
    """Return the player who advances from an elimination game, and the draw that decided it, if any.

    The player is empty if neither came or the result does not count. In a tie, the higher second value of the standings
    (break points) of that game advances, then with earlier rounds added one by one, then a recorded draw decides.
    Source: DW-CUT-4, DW-CUT-5, DW-AMB-5.
    """
    if seat.kind == "bye":
        return seat.player_1, None
    result = state.results.results.get(seat.game)
    if result is None or not result.binds:
        return "", None
    _, score = score_facts(state.entries, result.facts)
    winner = game_winner(score, seat.players)
    return _break_tie(state, number, seat, seed) if winner is None else (winner, None)


def _break_tie(state: Tournament, number: int, seat: Seat, seed: str | None) -> tuple[str, Draw | None]:
    if ahead := tie_winner(ruleset_of(state.entries), counted_games(state, number), number, seat.players):
        return ahead, None
    held = state.results.held_back.get(number)
    draw = _drawn_before(state, number, seat)
    draw = draw or make_draw(held.seed if held else seed or "", BRACKET_TIE, number, seat.players)
    return draw.order[0], draw


def _drawn_before(state: Tournament, number: int, seat: Seat) -> Draw | None:
    """Return the recorded draw of this game. It stays in force even if the standings are recorded again."""
    recorded = state.results.recorded.get(number)
    for draw in recorded.draws if recorded else ():
        if draw.purpose == BRACKET_TIE and set(draw.order) == set(seat.players):
            return Draw(draw.purpose, draw.round, draw.seed, tuple(sorted(draw.order)), tuple(draw.order))
    return None


ELIMINATION = "elimination"


class BracketMovedOn(Refusal):
    """A player of the game has not won the game that leads to it; data: `round`, `games`, `players`."""

    code = "bracket-moved-on"


class MisplacedPlayer(Struct, frozen=True):
    """A player in a game of the bracket who has not won the game before it.

    `goes_on`: winner of that game; empty if no one won.
    """

    round: int
    game: str
    player: str
    goes_on: str


def advancing_player(state: Tournament, number: int, seat: Seat) -> str:
    """Return the player who advances from a game of elimination round `number`.

    Empty if the result does not count, neither player came, or a draw that is not recorded yet decides.
    """
    winner, draw = decide_bracket_game(state, number, seat, "")
    return winner if draw is None or draw.seed else ""


def advancing_players(state: Tournament, number: int) -> list[str]:
    """Return the player who advances from each place of elimination round `number`; empty if no one does."""
    places = {place_of(seat): seat for seat in state.rounds.rounds[number].seats.values()}
    return [
        advancing_player(state, number, places[place]) if place in places else ""
        for place in range(1, max(places, default=0) + 1)
    ]


def has_left_bracket(state: Tournament, player: str) -> bool:
    """Return True if a player of the bracket gave up the seat or no longer takes part."""
    return state.rounds.given_up.get(player) == "" or state.entries.players[player].status != "active"


def misplaced_players(state: Tournament, round: Round) -> list[MisplacedPlayer]:
    """Return the players of a bracket round who did not win the game that leads to it; none in its first round."""
    before = state.rounds.rounds.get(round.number - 1)
    if round.stage != ELIMINATION or before is None or before.stage != ELIMINATION:
        return []
    winners = {
        player: advancing_player(state, before.number, seat)
        for seat in before.seats.values()
        for player in seat.players
    }
    return [
        MisplacedPlayer(round.number, seat.game, player, winners.get(player, ""))
        for seat in round.seats.values()
        for player in seat.players
        if winners.get(player) != player
    ]


def refuse_misplaced_players(state: Tournament, round: Round, game: str = "") -> None:
    """Raise BracketMovedOn if a round, or one game of it, has players who did not win the game that leads to it."""
    misplaced = [player for player in misplaced_players(state, round) if game in ("", player.game)]
    if misplaced:
        described = " and ".join(_describe(state, player) for player in misplaced)
        raise BracketMovedOn(
            f"{described}. Pairing pairs such a game again as soon as it has"
            f" read the result, unless the round was paired by hand: POST …/rounds/{round.number}/repairing, or"
            " …/withdrawal once it has started.",
            round=round.number,
            games=list(dict.fromkeys(player.game for player in misplaced)),
            players=[player.player for player in misplaced],
        )


def _describe(state: Tournament, misplaced: MisplacedPlayer) -> str:
    name = state.entries.name_of
    winner = f"; {name(misplaced.goes_on)} has" if misplaced.goes_on else ""
    return f"{name(misplaced.player)} plays {misplaced.game} and has not won the game that leads to it{winner}"


def bracket_rounds(state: Tournament) -> Iterator[Round]:
    """Yield the paired rounds of the bracket in order."""
    for _, round in sorted(state.rounds.rounds.items()):
        if round.stage == ELIMINATION:
            yield round


def are_standings_current(state: Tournament, number: int) -> bool:
    """Return True if the standings of a closed round include every result up to it.

    A copy of scoring's log may end between a correction and the standings recorded after it.
    """
    results = state.results
    if number not in results.closed or number in results.held_back:
        return number in results.held_back
    last = results.standings_changed_at(number)
    return all(result.changed <= last for result in results.results.values() if result.round <= number)


def bracket_winner(state: Tournament) -> str:
    """Return the winner of the bracket; empty while it is undecided."""
    if state.results.concluded:
        return state.results.winner
    last = max((round.number for round in bracket_rounds(state)), default=0)
    seed = state.results.seed_of(last)
    if last not in state.results.closed or not seed or not is_bracket_decided(state, last, seed):
        return ""
    first = first_placed(as_rows(standings_of_round(state, last, seed)))
    return first[0] if len(first) == 1 else ""
