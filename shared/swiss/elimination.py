"""The elimination stage, computed from games: the cut, the bracket, advancing players, and final places.

Source: DW-CUT-1 to DW-CUT-6, DW-AMB-4, DW-AMB-5, DW-AMB-11, DW-AMB-12.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.model import (
    BracketDecided,
    Draw,
    Entrant,
    Game,
    Pairing,
    RoundIncomplete,
    Score,
    draw_order,
    make_draw,
)
from shared.swiss.pairing import PairedRound
from shared.swiss.ruleset import Ruleset
from shared.swiss.standings import Row, Standings, rank


class CutPlaces(Struct, frozen=True):
    """The cut: number of players who advance, and the round after which it is made. Without places there is no cut."""

    places: int
    after_round: int


def cut_places(ruleset: Ruleset, players: int) -> CutPlaces:
    """Return the cut for a number of players in the first pairing (DW-RND-1, DW-CUT-1)."""
    if ruleset.cut.bracket != "none":
        for band in ruleset.rounds.table:
            if band.least <= players and (band.most is None or players <= band.most):
                return CutPlaces(band.cut_to, band.cut_after)
    return CutPlaces(0, 0)


def bracket_seeds(size: int) -> list[tuple[int, int]]:
    """Return the first pairings of a bracket as pairs of seeds. High meets low, and the best meet last.

    Neighbouring pairs feed the same game of the next round. Of 4: 1-4, 2-3; of 8: 1-8, 4-5, 2-7, 3-6. Raise ValueError
    unless `size` is a power of two, 2 or more.
    Source: DW-AMB-4.
    """
    if size < 2 or size & (size - 1):
        raise ValueError(f"a bracket has 2, 4, 8 … places, not {size}")
    seeds = [1]
    while len(seeds) < size:
        places = 2 * len(seeds) + 1
        seeds = [seed for high in seeds for seed in (high, places - high)]
    return list(zip(seeds[::2], seeds[1::2], strict=True))


def first_bracket_pairs(ruleset: Ruleset, players: Sequence[str], *, round: int, seed: str) -> list[tuple[str, str]]:
    """Return the first elimination pairings of players given in the order of the standings.

    Players are seeded high against low, or drawn if the ruleset's bracket is `random`. If the number of players is not
    a power of two, the best have no opponent: the second name of their pair is empty. Source: DW-AMB-4.
    """
    ordered = list(players)
    if ruleset.cut.bracket == "random":
        ordered = draw_order(seed, "bracket", round, ordered)
    size = 1 << max(1, (len(ordered) - 1).bit_length())
    ordered += [""] * (size - len(ordered))
    return [(ordered[one - 1], ordered[two - 1]) for one, two in bracket_seeds(size)]


BRACKET_TIE = "bracket-tie"
"""Purpose of the draw between two players whom no criterion separates."""


class Elimination(Struct, frozen=True):
    """An elimination stage that is due or has begun.

    - `swiss`: standings at the cut.
    - `seeds`: all players in the bracket, in order of the cut.
    - `order`: places of the bracket; neighbours meet. An empty name is a walkover.
    - `out`: round in which a player was eliminated; for a player who left, the next round.
    - `waiting`: players in the stage without a result in the last round.
    - `draws`: draws of the last round.
    """

    swiss: Standings
    seeds: list[str]
    order: list[str]
    out: dict[str, int]
    waiting: list[str]
    draws: list[Draw]


def elimination_stage(
    ruleset: Ruleset,
    entrants: Iterable[Entrant],
    games: Iterable[Game],
    *,
    seed: str,
    coins: Sequence[Draw] = (),
    playing: Collection[tuple[int, tuple[str, ...]]] = (),
) -> Elimination | None:
    """Return the elimination stage that the ruleset has for the players of round 1.

    - `coins`: as for `rank`.
    - `playing`: round and players of games in progress.

    Return None before the cut, without a cut, or if more players continue than the cut allows: then the organiser did
    not make it.
    """
    entrants, games = list(entrants), list(games)
    if not games:
        return None
    first_round = [_players(game) for game in games if game.round == 1]
    first_round += [list(players) for round, players in playing if round == 1]
    cut = cut_places(ruleset, sum(map(len, first_round)))
    after, last = cut.after_round, max(game.round for game in games)
    first = [_players(game) for game in games if game.round == after + 1]
    first += [list(players) for round, players in playing if round == after + 1]
    inside = {player for players in first for player in players}
    if any(round <= after for round, _ in playing):
        return None
    if not cut.places or last < after or len(inside) > cut.places:
        return None
    then = [replace(entrant, status="active") if entrant.player in inside else entrant for entrant in entrants]
    if not first:
        inside = {entrant.player for entrant in entrants if entrant.plays(after + 1)}
    ranked = rank(ruleset, then, games, round=after, seed=seed, coins=coins)
    listed = [row.player for row in ranked.rows if row.player in inside]
    seeds = listed[: cut.places]
    order = list(chain.from_iterable(first_bracket_pairs(ruleset, seeds, round=after + 1, seed=seed)))
    if first:
        met = sorted(first, key=lambda players: min(map(order.index, players)))
        order = [player for players in met for player in (*players, "")[:2]]
    stayed = {round: {entrant.player for entrant in entrants if entrant.plays(round)} for round in range(last + 2)}
    out, draws = _eliminated(ruleset, games, seeds, stayed, after, seed)
    alive = [player for player in seeds if player not in out]
    if not stayed[last + 1].isdisjoint(alive):  # otherwise the last remaining player has won, even after leaving
        out |= dict.fromkeys((player for player in alive if player not in stayed[last + 1]), last + 1)
    now = {player for game in games if game.round == last for player in _players(game)}
    waiting = [player for player in alive if first and player not in now and player not in out]
    swiss = rank(ruleset, entrants, games, round=after, seed=seed, coins=coins)
    return Elimination(swiss, seeds, order, out, waiting, draws)


def bracket_standings(stage: Elimination, round: int) -> Standings:
    """Return the standings after a round, the last with games: those of the cut, or the places of the bracket."""
    if round == stage.swiss.round:
        return stage.swiss
    return rank_by_round_reached(stage.swiss, dict.fromkeys(stage.seeds, round + 2) | stage.out, round, stage.draws)


def pair_elimination(
    ruleset: Ruleset, stage: Elimination, entrants: Iterable[Entrant], *, round: int, seed: str
) -> PairedRound:
    """Pair an elimination round. Opponents of players who left get a walkover.

    Raise BracketDecided if one player is left, RoundIncomplete if games of the previous round have no result.
    """
    playing = {entrant.player for entrant in entrants if entrant.plays(round)}
    alive = {player for player in stage.seeds if player in playing and player not in stage.out}
    if stage.waiting:
        raise RoundIncomplete(f"round {round - 1} has no result of {', '.join(stage.waiting)}", players=stage.waiting)
    if len(alive) < 2:
        raise BracketDecided("the elimination has its winner", winner=next(iter(alive), ""))
    past = round - stage.swiss.round - 1
    places: dict[int, list[str]] = {}
    if past and ruleset.cut.bracket == "reseed":
        remaining = [player for player in stage.seeds if player in alive]
        pairs = first_bracket_pairs(ruleset, remaining, round=round, seed=seed)
        places = {place: [player for player in pair if player] for place, pair in enumerate(pairs)}
    else:
        for place, player in enumerate(stage.order):
            if player in alive:
                places.setdefault(place >> past + 1, []).append(player)
    drawn = not past and ruleset.cut.bracket == "random"
    draws = (make_draw(seed, "bracket", round, stage.seeds),) if drawn else ()
    number = {player: place for place, player in enumerate(stage.seeds, start=1)}
    pairings = [
        Pairing("game", one, two, f"bracket: number {number[one]} of the cut against number {number[two]}")
        for one, two in (pair for pair in places.values() if len(pair) == 2)
    ]
    passes = [Pairing("bye", pair[0], reason="walkover") for pair in places.values() if len(pair) == 1]
    return PairedRound(round, (*pairings, *passes), draws)


def rank_by_round_reached(swiss: Standings, reached: Mapping[str, int], round: int, draws: Iterable[Draw]) -> Standings:
    """Rank the players in the bracket first, then by the round reached; equal players and all others as at the cut.

    `reached`: for each player of the bracket the round of elimination, or a round after the last. Players listed last
    after a disqualification stay last. Source: DW-AMB-12.
    """
    rows = sorted(swiss.rows, key=lambda row: (row.status == "disqualified", -reached.get(row.player, 0), row.rank))
    level = [(reached.get(row.player, 0), *row.values.values()) for row in rows]
    placed: list[Row] = []
    for place, row in enumerate(rows):
        shared = place > 0 and rows[place - 1].rank == row.rank and level[place - 1] == level[place]
        is_level = (level[place] == level[other] for other in (place - 1, place + 1) if 0 <= other < len(rows))
        tied = row.tied and (row.player not in reached or any(is_level))
        placed.append(replace(row, rank=placed[-1].rank if shared else place + 1, tied=tied))
    return Standings(round, swiss.columns, tuple(placed), (*swiss.draws, *draws))


def tie_winner(ruleset: Ruleset, games: Sequence[Game], number: int, players: Sequence[str]) -> str:
    """Return which of two players wins a tied game; empty if nothing separates them.

    The second value of the standings (break points) decides: first that of round `number`, then with earlier rounds
    added one by one. Byes add nothing. Source: DW-CUT-4, DW-CUT-5, DW-AMB-5.
    """
    totals = [rule.of for rule in ruleset.standings.criteria if rule.piece == "total" and rule.active]
    value = totals[min(1, len(totals) - 1)]
    one, two = players
    ahead = 0
    for round in range(number, 0, -1):
        ahead += _earned(games, round, one, value) - _earned(games, round, two, value)
        if ahead:
            return one if ahead > 0 else two
    return ""


def _earned(games: Iterable[Game], round: int, player: str, value: str) -> int:
    return sum(
        (game.score.values_1 if game.player_1 == player else game.score.values_2).get(value, 0)
        for game in games
        if game.round == round and game.kind != "bye" and player in (game.player_1, game.player_2)
    )


def _players(game: Game) -> list[str]:
    return [player for player in (game.player_1, game.player_2) if player]


def _eliminated(
    ruleset: Ruleset,
    games: Sequence[Game],
    seeds: Sequence[str],
    stayed: Mapping[int, Set[str]],
    after: int,
    seed: str,
) -> tuple[dict[str, int], list[Draw]]:
    """Return the round in which each player was eliminated, and the draws of the last round.

    Players are eliminated by a game or by leaving.
    """
    out: dict[str, int] = {}
    draws: list[Draw] = []
    for round in range(after + 1, 1 + max(game.round for game in games)):
        advancing, lost, draws = [], set(seeds) - stayed[round], []
        for game in (game for game in games if game.round == round):
            winner, drawn = _winner(ruleset, games, game, seed)
            advancing.append(winner)
            lost.update(_players(game))
            draws += drawn
        out |= {player: round for player in seeds if player in lost and player not in advancing and player not in out}
    return out, draws


def game_winner(score: Score, players: Sequence[str]) -> str | None:
    """Return the winner of a game by its score; empty if both lost, None for a tie (DW-CUT-3, DW-CUT-4)."""
    if len(players) == 1 or score.outcome_1 == "win":
        return players[0]
    if score.outcome_2 == "win":
        return players[1]
    return None if score.outcome_1 == "draw" else ""


def _winner(ruleset: Ruleset, games: Sequence[Game], game: Game, seed: str) -> tuple[str, list[Draw]]:
    """Return the player who advances from a game of the bracket (empty if both lost), and the draws made for it."""
    players = _players(game)
    winner = game_winner(game.score, players)
    if winner is not None:
        return winner, []
    if ahead := tie_winner(ruleset, games, game.round, players):
        return ahead, []
    draw = make_draw(seed, BRACKET_TIE, game.round, players)
    return draw.order[0], [draw]
