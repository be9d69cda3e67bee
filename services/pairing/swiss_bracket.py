"""Elimination rounds: paired from the cut and from winners, and the bracket as a tree.

A round that is paired follows the bracket: when a correction lets another player advance, `follow` pairs that
player's place again, and the other places stay.

The number in a game's id is its place in the bracket: neighbours feed the same game of the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from services.pairing.guards import (
    AllRoundsPlayed,
    GameHasResult,
    RoundHasAbsentPlayers,
    RoundNotClosed,
    current_round,
    games_begun,
    named,
    seed_of,
)
from services.pairing.plans import Draft, Plan
from services.pairing.seating import numbered, seated, tables_in_use, tables_over
from shared.log.event import Event
from shared.rules.model import Draw, make_draw
from shared.shapes import Command, View
from shared.swiss.elimination import first_bracket_pairs
from shared.swiss.games import ruleset_of
from shared.swiss.ranking import (
    advancing_player,
    advancing_players,
    are_standings_current,
    bracket_winner,
    has_left_bracket,
    misplaced_players,
)
from shared.swiss.ruleset import Ruleset
from shared.tournament.games import GameStatus, game_status
from shared.tournament.guards import Context
from shared.tournament.rounds import PairingAmended, Round, RoundWithdrawn, Seat, place_of
from shared.tournament.state import Tournament


class FollowBracket(Command, frozen=True, kw_only=True):
    """A round of the bracket, after a correction by which another player goes on."""

    round: int


Pair = tuple[str, str]


class Bracket(Struct, frozen=True):
    """The pairs of a round in the order of the bracket; a place without a player is empty. draws: that were made."""

    pairs: list[Pair]
    draws: list[Draw]

    @property
    def survivors(self) -> list[str]:
        """Everybody who is still in it, in the order of the bracket."""
        return [player for pair in self.pairs for player in pair if player]


def bracket(state: Tournament, number: int, context: Context) -> Bracket:
    """Who meets whom in elimination round `number`.

    Raises RoundHasAbsentPlayers before the first round when somebody in the cut has left: their seat goes to the
    next in the standings (POST /cut/given-up). Raises AllRoundsPlayed when one player is left.
    Source: DW-CUT-2, DW-CUT-3, DW-AMB-4, DW-AMB-11.
    """
    ruleset, seed = ruleset_of(state.entries), seed_of(state, number, context)
    if number == state.rounds.cut_after + 1:
        return _first(state, ruleset, number, seed)
    if not are_standings_current(state, number - 1):
        raise RoundNotClosed(f"The standings after round {number - 1} are being recorded.", round=number - 1, games=[])
    winners = _winners(state, number - 1)
    left = [player for player in winners if player]
    if len(left) < 2:
        raise AllRoundsPlayed("The bracket has its winner.", winner=left[0] if left else "")
    if ruleset.cut.bracket == "reseed":
        left.sort(key=state.rounds.cut.index)
        return Bracket(first_bracket_pairs(ruleset, left, round=number, seed=seed), [])
    winners += [""] * (len(winners) % 2)
    return Bracket(list(zip(winners[::2], winners[1::2], strict=True)), [])


def paired(state: Tournament, bracket: Bracket) -> Plan:
    """The round that a bracket makes: whoever has no opponent goes on without a game."""
    drafts = []
    for slot, (one, two) in enumerate(bracket.pairs, start=1):
        if one and two:
            drafts.append(Draft(kind="game", player_1=one, player_2=two, reason=_reason(state, one, two), slot=slot))
        elif one or two:
            drafts.append(Draft(kind="bye", player_1=one or two, reason="walkover", table=0, slot=slot))
    method = ruleset_of(state.entries).cut.bracket
    return Plan(stage="elimination", method=method, drafts=drafts, draws=bracket.draws)


def _reason(state: Tournament, one: str, two: str) -> str:
    """Why two meet: by their numbers in the cut, as `GET /cut` shows them."""
    seeds = state.rounds.cut
    return f"bracket: number {seeds.index(one) + 1} of the cut against number {seeds.index(two) + 1}"


def _first(state: Tournament, ruleset: Ruleset, number: int, seed: str) -> Bracket:
    players, given_up = state.entries.players, state.rounds.given_up
    seeds = [player for player in state.rounds.cut if given_up.get(player) != ""]
    absent = [named(players[player]) for player in seeds if players[player].status != "active"]
    if absent:
        raise RoundHasAbsentPlayers("Some players of the cut have left; give up their seats first.", players=absent)
    if len(seeds) < 2:
        raise AllRoundsPlayed("The bracket has its winner.", winner=seeds[0] if seeds else "")
    if order := ["" if given_up.get(player) == "" else player for player in state.rounds.bracket]:
        return Bracket(list(zip(order[::2], order[1::2], strict=True)), [])
    draws = [make_draw(seed, "bracket", number, seeds)] if ruleset.cut.bracket == "random" else []
    return Bracket(first_bracket_pairs(ruleset, seeds, round=number, seed=seed), draws)


def _winners(state: Tournament, number: int) -> list[str]:
    """Return who goes on from each place of a bracket round; empty where no one does, or the winner has left since."""
    return ["" if player and has_left_bracket(state, player) else player for player in advancing_players(state, number)]


def follow(state: Tournament, command: FollowBracket, context: Context) -> Sequence[Event]:
    """Pair the places of a bracket round again whose players the bracket no longer leads there; the others stay.

    Only a rule gives this, after scoring recorded a correction. Rounds that were paired by hand stay as they are, and
    are refused at their start instead. Raises as `current_round`, GameHasResult. Source: DW-CUT-3, DW-AMB-20.
    """
    round = current_round(state, command.round)
    misled = misplaced_players(state, round)
    if not misled or round.method == "manual" or not are_standings_current(state, round.number - 1):
        return []
    begun = [game for game in games_begun(state, round) if game in {one.game for one in misled}]
    if begun:
        raise GameHasResult("Games that would change have results already.", games=begun)
    if ruleset_of(state.entries).cut.bracket == "reseed" and not games_begun(state, round):
        return placed_again(state, round, _reseeded(state, round), MOVED_ON)
    comes = {one.player: one.goes_on for one in misled}
    return replaced(state, round, comes, MOVED_ON)


MOVED_ON = "another player goes on"
"""Why a place of the bracket is paired again after a correction."""


def replaced(state: Tournament, round: Round, comes: Mapping[str, str], reason: str) -> list[Event]:
    """Return the change by which players of a bracket round leave their places to others.

    comes: player who leaves -> player who comes, empty for no one; the opponent then goes on without a game.
    """
    pairs: dict[int, Pair] = {}
    for seat in round.seats.values():
        sits = [_comes(state, comes[player]) if player in comes else player for player in seat.players]
        one, two, *_ = [*filter(None, sits), "", ""]
        pairs[place_of(seat)] = one, two
    return placed_again(state, round, pairs, reason)


def _comes(state: Tournament, player: str) -> str:
    return player if player and not has_left_bracket(state, player) else ""


def placed_again(state: Tournament, round: Round, pairs: Mapping[int, Pair], reason: str) -> list[Event]:
    """Return the change to other pairs of a bracket round; who still meets whom keeps the game, another one is new.

    pairs: by their place. A new game takes the table of the one that was in its place. A round in which no one is left
    is taken back.
    """
    wanted = {place: frozenset(pair) - {""} for place, pair in pairs.items() if any(pair)}
    if not wanted:
        return [RoundWithdrawn(round=round.number, reason=reason)]
    stays = {seat.game for seat in round.seats.values() if wanted.get(place_of(seat)) == frozenset(seat.players)}
    gone = {place_of(seat): seat for seat in round.seats.values() if seat.game not in stays}
    kept = {place_of(round.seats[game]) for game in stays}
    changed = [place for place in wanted if place not in kept]
    bracket = Bracket([pairs[place] for place in changed], [])
    drafts = [
        replace(draft, slot=place) if draft.kind == "bye" else _at_table(replace(draft, slot=place), gone.get(place))
        for place, draft in zip(changed, paired(state, bracket).drafts, strict=True)
    ]
    again = replace(
        state.rounds,
        withdrawn={**state.rounds.withdrawn, round.number: state.rounds.withdrawn.get(round.number, 0) + 1},
    )
    taken = list(tables_in_use(state, round, besides={seat.game for seat in gone.values()}))
    avoid = ruleset_of(state.entries).tables.avoid_repeats
    placed = seated(state, drafts, taken, avoid_repeats=avoid, over=tables_over(state, round))
    seats = numbered(replace(state, rounds=again), round.number, placed)
    removed = [seat.game for seat in gone.values()]
    if not seats and not removed:
        return []
    return [PairingAmended(round=round.number, pairings=seats, reason=reason, removed=removed)]


def _at_table(draft: Draft, seat: Seat | None) -> Draft:
    """Return a draft at the table of a game that is played no more; without one, a table is still to be found."""
    if seat is None or not seat.table:
        return draft
    return replace(draft, venue=seat.venue, table=seat.table, wave=seat.wave)


def _reseeded(state: Tournament, round: Round) -> dict[int, Pair]:
    """Return the pairs of a round that is seeded again; a pair that is paired already keeps its place."""
    left = sorted(filter(None, _winners(state, round.number - 1)), key=state.rounds.cut.index)
    pairs = first_bracket_pairs(ruleset_of(state.entries), left, round=round.number, seed=round.seed)
    now = {frozenset(seat.players): place_of(seat) for seat in round.seats.values()}
    places = {pair: now[frozenset(pair) - {""}] for pair in pairs if frozenset(pair) - {""} in now}
    free = (place for place in range(1, 2 * len(pairs) + 1) if place not in places.values())
    return {places[pair] if pair in places else next(free): pair for pair in pairs}


NOBODY = ("", "")


class BracketSide(View, frozen=True, kw_only=True):
    """Who plays on one side of a game of the bracket."""

    player: Annotated[str, "Empty: not known yet, or nobody."]
    name: str
    seed: Annotated[int, "In the cut, from 1; 0: nobody is known."]
    comes_from: Annotated[str, "The place of the game that they have won; empty in the first round, and if reseeded."]


class BracketGame(View, frozen=True, kw_only=True):
    """A game of the bracket, paired or to come."""

    place: Annotated[str, "`2.1` is the first game of the second round of the bracket."]
    leads_to: Annotated[str, "The place that the winner goes on to; empty for the final, and where it is reseeded."]
    round: Annotated[int, "The round of the tournament."]
    id: Annotated[str, "The id of the game; empty while it is not paired, and where nobody plays."]
    status: Annotated[GameStatus | UnsetType, "Left out while it is not paired."] = UNSET
    winner: Annotated[str, "Who goes on; empty while that is open, and where nobody does."]
    sides: Annotated[list[BracketSide], "Two."]


class BracketView(View, frozen=True, kw_only=True):
    """Every game of the bracket, the first round first."""

    bracket: Annotated[str, "seeded, random or reseed; none: there is no such stage."]
    size: Annotated[int, "Places of the first round: 2, 4, 8 …; 0: no cut is made."]
    winner: Annotated[str, "The winner of the bracket; empty while it is open."]
    items: list[BracketGame]


def bracket_view(state: Tournament) -> BracketView:
    """The bracket of the cut that was made; with no games before there is one."""
    kind = ruleset_of(state.entries).cut.bracket
    games = list(_games(state, kind)) if state.rounds.cut else []
    size, last = (len(games) + 1, games[-1].winner) if games else (0, "")
    final = games[-1].round if games else 0
    being_played = final in state.rounds.rounds and final not in state.results.closed
    winner = last if being_played else bracket_winner(state)
    return BracketView(bracket=kind, size=size, winner=winner, items=games)


def _games(state: Tournament, kind: str) -> Iterator[BracketGame]:
    """Round after round, from who is in the cut to the final. Source: DW-CUT-2, DW-AMB-4."""
    pairs = _first_pairs(state, kind)
    rounds, before = len(pairs).bit_length(), list[str]()
    for depth in range(1, rounds + 1):
        number, winners = state.rounds.cut_after + depth, list[str]()
        seats = _seats(state, number)
        for place, known in enumerate(pairs, start=1):
            seat = seats.get(place)
            sides = (seat.player_1, seat.player_2) if seat else NOBODY if seats else known
            winner = advancing_player(state, number, seat) if seat else ""
            winners.append(winner)
            tells = kind != "reseed"
            yield BracketGame(
                place=f"{depth}.{place}",
                leads_to=f"{depth + 1}.{(place + 1) // 2}" if depth < rounds and tells else "",
                round=number,
                id=seat.game if seat else "",
                status=game_status(state, seat) if seat else UNSET,
                winner=winner,
                sides=[
                    _side(state, player, f"{depth - 1}.{feeding}" if depth > 1 and tells else "")
                    for player, feeding in zip(sides, _feeding(place, sides, before), strict=True)
                ],
            )
        before = winners
        there = [player if player and not has_left_bracket(state, player) else "" for player in winners]
        follow = list(zip(there[::2], there[1::2], strict=False))
        pairs = [NOBODY] * len(follow) if kind == "reseed" else follow


def _feeding(place: int, sides: tuple[str, str], before: Sequence[str]) -> tuple[int, int]:
    """Return the places from which the sides of a place come: where a player has won, that one.

    before: who has won each place of the round before.
    """
    one, two = 2 * place - 1, 2 * place
    won_there = before[two - 1] if two <= len(before) else ""
    return (two, one) if won_there and won_there == sides[0] else (one, two)


def _first_pairs(state: Tournament, kind: str) -> Sequence[tuple[str, str]]:
    """Who meets in the first round, as paired or as it will be; in a draw that is not made nobody is known."""
    number = state.rounds.cut_after + 1
    if seats := _seats(state, number):
        return [(seats[place].player_1, seats[place].player_2) for place in sorted(seats)]
    if order := ["" if state.rounds.given_up.get(player) == "" else player for player in state.rounds.bracket]:
        return list(zip(order[::2], order[1::2], strict=True))
    seeds = [player for player in state.rounds.cut if state.rounds.given_up.get(player) != ""]
    if len(seeds) < 2:
        return []
    if kind == "random":
        return [NOBODY] * ((1 << (len(seeds) - 1).bit_length()) // 2)
    return first_bracket_pairs(ruleset_of(state.entries), seeds, round=number, seed="")


def _seats(state: Tournament, number: int) -> dict[int, Seat]:
    """Place in the bracket -> the game of an elimination round; none before it is paired."""
    round = state.rounds.rounds.get(number)
    return {place_of(seat): seat for seat in round.seats.values()} if round and round.stage == "elimination" else {}


def _side(state: Tournament, player: str, comes_from: str) -> BracketSide:
    cut = state.rounds.cut
    return BracketSide(
        player=player,
        name=state.entries.name_of(player) if player else "",
        seed=cut.index(player) + 1 if player in cut else 0,
        comes_from=comes_from,
    )
