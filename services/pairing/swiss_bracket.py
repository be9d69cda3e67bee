"""Elimination rounds: pairing from the cut and the winners, and the bracket as a tree.

When a correction changes who advances into a paired round, `follow` pairs that place again and keeps the others.

The number in a game's id is its place in the bracket: neighbouring places feed the same game of the next round.
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
    games_with_reports,
    player_data,
    seed_of,
)
from services.pairing.plans import Plan, PlannedPairing
from services.pairing.seating import finished_tables, number_games, seat_pairings, tables_in_use
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
    """Bring a round of the bracket in line with corrected results."""

    round: int


Pair = tuple[str, str]


class Bracket(Struct, frozen=True):
    """The pairs of a round in bracket order (an empty id is an empty place), and the draws that were made."""

    pairs: list[Pair]
    draws: list[Draw]

    @property
    def survivors(self) -> list[str]:
        """The players still in the bracket, in bracket order."""
        return [player for pair in self.pairs for player in pair if player]


def pair_bracket(state: Tournament, number: int, context: Context) -> Bracket:
    """Return the pairs of an elimination round.

    Raises RoundHasAbsentPlayers before the first round if a player of the cut has left: their seat must be given up
    first, and goes to the next in the standings. Raises AllRoundsPlayed if one player is left.
    Source: DW-CUT-2, DW-CUT-3, DW-AMB-4, DW-AMB-11.
    """
    ruleset, seed = ruleset_of(state.entries), seed_of(state, number, context)
    if number == state.rounds.cut_after + 1:
        return _first_round(state, ruleset, number, seed)
    if not are_standings_current(state, number - 1):
        raise RoundNotClosed(f"The standings after round {number - 1} are being recorded.", round=number - 1, games=[])
    winners = _winners(state, number - 1)
    remaining = [player for player in winners if player]
    if len(remaining) < 2:
        raise AllRoundsPlayed("The bracket has its winner.", winner=remaining[0] if remaining else "")
    if ruleset.cut.bracket == "reseed":
        remaining.sort(key=state.rounds.cut.index)
        return Bracket(first_bracket_pairs(ruleset, remaining, round=number, seed=seed), [])
    winners += [""] * (len(winners) % 2)
    return Bracket(list(zip(winners[::2], winners[1::2], strict=True)), [])


def plan_bracket(state: Tournament, bracket: Bracket) -> Plan:
    """Return the plan of a bracket round. A player without an opponent has a walkover."""
    pairings = []
    for slot, (first, second) in enumerate(bracket.pairs, start=1):
        if first and second:
            reason = _reason(state, first, second)
            pairings.append(PlannedPairing(kind="game", player_1=first, player_2=second, reason=reason, slot=slot))
        elif first or second:
            pairings.append(PlannedPairing(kind="bye", player_1=first or second, reason="walkover", table=0, slot=slot))
    method = ruleset_of(state.entries).cut.bracket
    return Plan(stage="elimination", method=method, pairings=pairings, draws=bracket.draws)


def _reason(state: Tournament, first: str, second: str) -> str:
    """Return the recorded reason of a pairing, with the seeds that `GET /cut` shows."""
    seeds = state.rounds.cut
    return f"bracket: number {seeds.index(first) + 1} of the cut against number {seeds.index(second) + 1}"


def _first_round(state: Tournament, ruleset: Ruleset, number: int, seed: str) -> Bracket:
    players, given_up = state.entries.players, state.rounds.given_up
    seeds = [player for player in state.rounds.cut if given_up.get(player) != ""]
    absent = [player_data(players[player]) for player in seeds if players[player].status != "active"]
    if absent:
        raise RoundHasAbsentPlayers("Some players of the cut have left; give up their seats first.", players=absent)
    if len(seeds) < 2:
        raise AllRoundsPlayed("The bracket has its winner.", winner=seeds[0] if seeds else "")
    if order := ["" if given_up.get(player) == "" else player for player in state.rounds.bracket]:
        return Bracket(list(zip(order[::2], order[1::2], strict=True)), [])
    draws = [make_draw(seed, "bracket", number, seeds)] if ruleset.cut.bracket == "random" else []
    return Bracket(first_bracket_pairs(ruleset, seeds, round=number, seed=seed), draws)


def _winners(state: Tournament, number: int) -> list[str]:
    """Return the winner of each place of a bracket round; empty if there is none, or they have left since."""
    return ["" if player and has_left_bracket(state, player) else player for player in advancing_players(state, number)]


def follow(state: Tournament, command: FollowBracket, context: Context) -> Sequence[Event]:
    """Pair the places of a bracket round again whose players should no longer be there; keep the others.

    The service issues this command after scoring recorded a correction. Rounds paired by hand are left alone; they are
    refused when they start. Raises the refusals of `current_round`, and GameHasResult. Source: DW-CUT-3, DW-AMB-20.
    """
    round = current_round(state, command.round)
    misled = misplaced_players(state, round)
    if not misled or round.method == "manual" or not are_standings_current(state, round.number - 1):
        return []
    affected = {place.game for place in misled}
    reported = [game for game in games_with_reports(state, round) if game in affected]
    if reported:
        raise GameHasResult("Games that would change have results already.", games=reported)
    if ruleset_of(state.entries).cut.bracket == "reseed" and not games_with_reports(state, round):
        return amend_places(state, round, _reseeded(state, round), MOVED_ON)
    replacements = {place.player: place.goes_on for place in misled}
    return replace_players(state, round, replacements, MOVED_ON)


MOVED_ON = "another player goes on"
"""The reason on record when a place of the bracket is paired again after a correction."""


def replace_players(state: Tournament, round: Round, replacements: Mapping[str, str], reason: str) -> list[Event]:
    """Return the events that replace players of a bracket round.

    replacements: leaving player -> arriving player, or empty; the opponent then has a walkover.
    """
    pairs: dict[int, Pair] = {}
    for seat in round.seats.values():
        players = [replacements.get(player, player) for player in seat.players]
        arrived = [
            player
            for player, former in zip(players, seat.players, strict=True)
            if player and (former not in replacements or not has_left_bracket(state, player))
        ]
        first, second, *_ = [*arrived, "", ""]
        pairs[place_of(seat)] = first, second
    return amend_places(state, round, pairs, reason)


def amend_places(state: Tournament, round: Round, pairs: Mapping[int, Pair], reason: str) -> list[Event]:
    """Return the events that change the pairs of a bracket round.

    A game between the same players stays; other games get new ids, and the table of the game formerly in their place.
    If no player is left, the round is withdrawn. pairs: by place.
    """
    new_pairs = {place: frozenset(pair) - {""} for place, pair in pairs.items() if any(pair)}
    if not new_pairs:
        return [RoundWithdrawn(round=round.number, reason=reason)]
    kept = {place_of(seat) for seat in round.seats.values() if new_pairs.get(place_of(seat)) == frozenset(seat.players)}
    replaced = {place_of(seat): seat for seat in round.seats.values() if place_of(seat) not in kept}
    changed = [place for place in new_pairs if place not in kept]
    bracket = Bracket([pairs[place] for place in changed], [])
    pairings = [
        _at_table(replace(pairing, slot=place), replaced.get(place))
        for place, pairing in zip(changed, plan_bracket(state, bracket).pairings, strict=True)
    ]
    removed = [seat.game for seat in replaced.values()]
    taken = list(tables_in_use(state, round, excluding=removed))
    avoid = ruleset_of(state.entries).tables.avoid_repeats
    seated = seat_pairings(state, pairings, taken, avoid_repeats=avoid, finished=finished_tables(state, round))
    # Game ids depend on the number of withdrawals; raise it so that the new games get unused ids.
    withdrawn = {**state.rounds.withdrawn, round.number: state.rounds.withdrawn.get(round.number, 0) + 1}
    renumbered = replace(state, rounds=replace(state.rounds, withdrawn=withdrawn))
    seats = number_games(renumbered, round.number, seated)
    if not seats and not removed:
        return []
    return [PairingAmended(round=round.number, pairings=seats, reason=reason, removed=removed)]


def _at_table(pairing: PlannedPairing, seat: Seat | None) -> PlannedPairing:
    """Return the pairing at the table of the game that it replaces, if both need one."""
    if pairing.kind == "bye" or seat is None or not seat.table:
        return pairing
    return replace(pairing, venue=seat.venue, table=seat.table, wave=seat.wave)


def _reseeded(state: Tournament, round: Round) -> dict[int, Pair]:
    """Return the reseeded pairs by place. A pair that already meets keeps its place."""
    remaining = sorted(filter(None, _winners(state, round.number - 1)), key=state.rounds.cut.index)
    pairs = first_bracket_pairs(ruleset_of(state.entries), remaining, round=round.number, seed=round.seed)
    current = {frozenset(seat.players): place_of(seat) for seat in round.seats.values()}
    places = {pair: current[frozenset(pair) - {""}] for pair in pairs if frozenset(pair) - {""} in current}
    free = (place for place in range(1, 2 * len(pairs) + 1) if place not in places.values())
    return {places[pair] if pair in places else next(free): pair for pair in pairs}


NO_PLAYERS: Pair = ("", "")


class BracketSide(View, frozen=True, kw_only=True):
    """One side of a bracket game."""

    player: Annotated[str, "Empty: not known yet, or no player."]
    name: str
    seed: Annotated[int, "The seed in the cut, from 1; 0: no player is known."]
    comes_from: Annotated[
        str, "The place of the game whose winner plays here; empty in the first round and in reseeded brackets."
    ]


class BracketGame(View, frozen=True, kw_only=True):
    """A game of the bracket, paired or future."""

    place: Annotated[str, "`2.1` is the first game of the second round of the bracket."]
    leads_to: Annotated[str, "The place where the winner plays next; empty for the final and in reseeded brackets."]
    round: Annotated[int, "The round of the tournament."]
    id: Annotated[str, "The id of the game; empty until it is paired, and if it is not played."]
    status: Annotated[GameStatus | UnsetType, "Left out until the game is paired."] = UNSET
    winner: Annotated[str, "The player who advances; empty while that is open, and if no player does."]
    sides: Annotated[list[BracketSide], "Always two."]


class BracketView(View, frozen=True, kw_only=True):
    """All games of the bracket, from the first round to the final."""

    bracket: Annotated[str, "`seeded`, `random` or `reseed`; `none`: the ruleset has no elimination stage."]
    size: Annotated[int, "Places in the first round: 2, 4, 8, …; 0: no cut has been made."]
    winner: Annotated[str, "The winner of the bracket; empty until it is decided."]
    items: list[BracketGame]


def bracket_view(state: Tournament) -> BracketView:
    """Return the bracket of the cut; without games if no cut has been made."""
    kind = ruleset_of(state.entries).cut.bracket
    games = list(_games(state, kind)) if state.rounds.cut else []
    size, last = (len(games) + 1, games[-1].winner) if games else (0, "")
    final = games[-1].round if games else 0
    being_played = final in state.rounds.rounds and final not in state.results.closed
    winner = last if being_played else bracket_winner(state)
    return BracketView(bracket=kind, size=size, winner=winner, items=games)


def _games(state: Tournament, kind: str) -> Iterator[BracketGame]:
    """Yield all games, round by round, from the cut to the final. Source: DW-CUT-2, DW-AMB-4."""
    pairs = _first_pairs(state, kind)
    rounds, previous = len(pairs).bit_length(), list[str]()
    for depth in range(1, rounds + 1):
        number, winners = state.rounds.cut_after + depth, list[str]()
        seats = _seats(state, number)
        for place, pair in enumerate(pairs, start=1):
            seat = seats.get(place)
            sides = (seat.player_1, seat.player_2) if seat else NO_PLAYERS if seats else pair
            winner = advancing_player(state, number, seat) if seat else ""
            winners.append(winner)
            has_path = kind != "reseed"
            yield BracketGame(
                place=f"{depth}.{place}",
                leads_to=f"{depth + 1}.{(place + 1) // 2}" if depth < rounds and has_path else "",
                round=number,
                id=seat.game if seat else "",
                status=game_status(state, seat) if seat else UNSET,
                winner=winner,
                sides=[
                    _side(state, player, f"{depth - 1}.{feeder}" if depth > 1 and has_path else "")
                    for player, feeder in zip(sides, _feeders(place, sides, previous), strict=True)
                ],
            )
        previous = winners
        remaining = [player if player and not has_left_bracket(state, player) else "" for player in winners]
        next_pairs = list(zip(remaining[::2], remaining[1::2], strict=False))
        pairs = [NO_PLAYERS] * len(next_pairs) if kind == "reseed" else next_pairs


def _feeders(place: int, sides: Pair, previous: Sequence[str]) -> tuple[int, int]:
    """Return the places of the previous round that feed the two sides of a place.

    previous: the winner of each place of the previous round.
    """
    first, second = 2 * place - 1, 2 * place
    second_winner = previous[second - 1] if second <= len(previous) else ""
    return (second, first) if second_winner and second_winner == sides[0] else (first, second)


def _first_pairs(state: Tournament, kind: str) -> Sequence[Pair]:
    """Return the pairs of the first round, as paired or as they will be; empty places if a draw will decide them."""
    number = state.rounds.cut_after + 1
    if seats := _seats(state, number):
        return [(seats[place].player_1, seats[place].player_2) for place in sorted(seats)]
    if order := ["" if state.rounds.given_up.get(player) == "" else player for player in state.rounds.bracket]:
        return list(zip(order[::2], order[1::2], strict=True))
    seeds = [player for player in state.rounds.cut if state.rounds.given_up.get(player) != ""]
    if len(seeds) < 2:
        return []
    if kind == "random":
        return [NO_PLAYERS] * ((1 << (len(seeds) - 1).bit_length()) // 2)
    return first_bracket_pairs(ruleset_of(state.entries), seeds, round=number, seed="")


def _seats(state: Tournament, number: int) -> dict[int, Seat]:
    """Return place in the bracket -> game of an elimination round; empty before it is paired."""
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
