"""From the folded state to what the rules ask for: entrants, and games with facts and score."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import get_args

from shared.formats.swiss.rules.given_byes import fault_of_number
from shared.formats.swiss.rules.round_robin import Crosstable, crosstable, cycles_of
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.formats.swiss.rules.scoring import bye_score, in_round
from shared.formats.swiss.rules.standings import Standings
from shared.formats.swiss.ruleset import ruleset_of, scored
from shared.refusals import Fault
from shared.rules.model import Entrant, Facts, Game, GivenBye, Score
from shared.tournament.entries import PLAYING, Player
from shared.tournament.events.pairing import Seat
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

BYES = {given: Facts(kind="bye", bye=given) for given in get_args(GivenBye)} | {"": Facts(kind="bye")}
"""How a bye was come by -> its facts."""


def entrants_of(state: Tournament) -> list[Entrant]:
    """Everybody who has or had a seat, as the rules know them."""
    return [_entrant(state, player) for player in state.entries.players.values() if player.status in PLAYING]


def _entrant(state: Tournament, player: Player) -> Entrant:
    return Entrant(
        player=player.id,
        name=player.name,
        status=player.status,  # type: ignore[arg-type]
        dropped_after=player.after_round if player.status == "dropped" else None,
        faction=player.faction,
        venue=player.venue,
        club=player.club,
    )


def games_of(state: Tournament, until: int, *, stage: str = "") -> list[Game]:
    """Games of rounds 1 to `until` that count: byes, and every game with a binding result.

    stage: only rounds of this stage ("swiss" or "elimination"); empty: all.
    """
    ruleset = ruleset_of(state.entries)
    games = (game_of(state, ruleset, round, seat) for round, seat in _seats(state, until, stage))
    return [game for game in games if game is not None]


def game_of(state: Tournament, ruleset: Ruleset, round: Round, seat: Seat) -> Game | None:
    """A pairing as it counts: a bye, or a game with a binding result; None as long as it has none."""
    if seat.kind == "bye":
        return bye_of(ruleset, round, seat)
    result = state.results.results.get(seat.game)
    if result is None or not result.binds:
        return None
    return _game(ruleset, round.number, seat, *scored(state.entries, result.facts))


def games_around(state: Tournament, group: Collection[str], games: Iterable[Game]) -> list[Game]:
    """The games of those who are paired together, and of those who were among them and have left."""
    entries = state.entries
    venues = {entries.players[player].venue for player in group}
    among = {
        player.id
        for player in entries.players.values()
        if player.status != "active" and (entries.pairing_scope != "venue" or player.venue in venues)
    }
    among.update(group)
    return [game for game in games if game.player_1 in among or game.player_2 in among]


def crosstable_of(state: Tournament, standings: Standings) -> Crosstable:
    """Who scored what against whom, line by line as in the standings; empty where it is no round robin."""
    ruleset = ruleset_of(state.entries)
    if not cycles_of(ruleset):
        return {}
    players, last = [row.player for row in standings.rows], standings.round
    return crosstable(ruleset, players, games_of(state, last), round=last)


def _seats(state: Tournament, until: int, stage: str) -> Iterator[tuple[Round, Seat]]:
    for number, round in state.rounds.rounds.items():
        if number <= until and stage in ("", round.stage) and not round.draft:
            for seat in round.seats.values():
                yield round, seat


def bye_of(ruleset: Ruleset, round: Round, seat: Seat) -> Game:
    """A bye, with what it is worth by how it was come by."""
    facts = BYES[seat.bye]
    return _game(ruleset, round.number, seat, facts, bye_score(ruleset, round.scenario, facts.bye))


def _game(ruleset: Ruleset, round: int, seat: Seat, facts: Facts, score: Score) -> Game:
    counted = in_round(ruleset, score, round, facts)
    return Game(round, seat.table or None, seat.kind, seat.player_1, seat.player_2 or None, facts, counted)  # type: ignore[arg-type]


def fault_of_one_more(
    state: Tournament, ruleset: Ruleset, player: str, given: GivenBye, where: str, *, besides: int = 0
) -> Fault | None:
    """What is wrong where a player gets one more bye of a kind; None where nothing is.

    besides: the round in which it would be, where that is paired already; what stands there now does not count.
    """
    had = sum(
        seat.player_1 == player and seat.bye == given
        for round in state.rounds.rounds.values()
        if round.number != besides
        for seat in round.seats.values()
    )
    return fault_of_number(ruleset, given, had, f"{given}, for {player}", where)
