"""Round robin: everybody meets everybody by the Berger tables, and the crosstable of what came of it.

The numbers of the table are read off round 1, however that was paired: the first of its pairs hold 1 and the highest
number, the next 2 and the one below, and so on. So nothing has to be remembered, and a round 1 that staff paired by
hand has a table of its own. Source: FIDE Handbook C.05, annex 1; RR-TAB-1 to RR-TAB-3, RR-DBL-1, RR-DBL-2.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from shared.formats.swiss.rules import registries
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.rules.draw import recorded_draw
from shared.rules.model import Game, Pairing, as_json
from shared.rules.refusals import RoundsNotFixed

PURPOSE = "numbers"
"""Purpose of the draw that puts the pairs of a drawn round 1 in order."""


def cycles_of(ruleset: Ruleset) -> int:
    """How often everybody meets everybody under a ruleset; 0 where it is no round robin."""
    return registries.PAIRING_POLICIES[ruleset.pairing.stages[-1].policy].cycles


def berger_table(size: int, cycles: int = 1) -> list[list[tuple[int, int]]]:
    """Every round of the table for an even number of players: pairs of numbers, the first side first.

    Two cycles: the second exchanges the sides of the first, whose last two rounds change places, so that nobody has
    one side three times in a row. Source: RR-TAB-1, RR-TAB-3, RR-DBL-1, RR-DBL-2.
    """
    around, table = size - 1, []
    for round in range(around):
        first = round * (size // 2) % around
        pairs = [(first + 1, size) if round % 2 == 0 else (size, first + 1)]
        pairs += [((first + step) % around + 1, (first - step) % around + 1) for step in range(1, size // 2)]
        table.append(pairs)
    if cycles == 1:
        return table
    return [*table[:-2], *reversed(table[-2:]), *([(two, one) for one, two in pairs] for pairs in table)]


def pairings_by_table(
    ruleset: Ruleset, games: Sequence[Game], playing: Collection[str], *, round: int, cycles: int
) -> Iterator[Pairing]:
    """The pairings of a tournament round by the table, byes last: who would meet nobody, or somebody who left.

    games: of all rounds before, those of players who left among them. playing: who is to be paired.
    Raises RoundsNotFixed beyond the last round of the table, and for players who were not in round 1.
    Source: RR-TAB-1, RR-TAB-2, RR-NUM-1, RR-RND-1, RR-OUT-1, RR-AMB-4.
    """
    numbers, size = numbers_of(games, playing)
    players = {number: player for player, number in numbers.items()}
    if unknown := sorted(set(playing) - numbers.keys()):
        raise RoundsNotFixed(
            f"{', '.join(unknown)} of round {round} had no place in round 1, so the table has no number for them",
            players=unknown,
        )
    table = berger_table(size, cycles)
    if round > len(table):
        raise RoundsNotFixed(
            f"round {round} is beyond the table: {len(numbers)} players meet in {len(table)} rounds", rounds=len(table)
        )
    met = [{game.player_1, game.player_2} for game in games if game.facts.kind in ruleset.played]
    byes: list[Pairing] = []
    for one, two in table[round - 1]:
        first, second = players.get(one, ""), players.get(two, "")
        if first in playing and second in playing:
            again = met.count({first, second}) > (round >= size)
            reason = f"numbers {one} and {two} of the table" + "; they have met before their turn" * again
            yield Pairing("game", first, second, reason, again)
        elif first in playing:
            byes.append(_bye(first, one, second, two))
        elif second in playing:
            byes.append(_bye(second, two, first, one))
    yield from byes


def _bye(player: str, number: int, absent: str, other: int) -> Pairing:
    gone = f"number {other}, {absent}, who does not play" if absent else "nobody"
    return Pairing("bye", player, reason=f"number {number} of the table meets {gone}")


def numbers_of(games: Iterable[Game], playing: Collection[str]) -> tuple[dict[str, int], int]:
    """The number of every player of round 1 in the table, those included who have left; and the highest number.

    Where round 1 is, or is still to be, that of the table by seed, the numbers follow the ids (p2 before p10). Else its
    pairs are put in order by a draw whose seed is who met whom in it. Who had the bye meets the highest number, which
    is nobody. Source: RR-NUM-1, RR-NUM-2, RR-TAB-2.
    """
    pairs = {game.player_1: game.player_2 for game in games if game.round == 1}
    seeds = sorted({*pairs, *filter(None, pairs.values())} or playing, key=_by_seed)
    size = 2 * len(pairs) or len(seeds) + len(seeds) % 2
    places = [*seeds, *[None] * (size - len(seeds))]
    by_seed = dict(zip(seeds, reversed(places[size // 2 :]), strict=False))
    if pairs in ({}, by_seed):
        return {player: number for number, player in enumerate(seeds, start=1)}, size
    seed = " ".join(sorted(f"{one}-{two or ''}" for one, two in pairs.items()))
    order = sorted(recorded_draw(seed, PURPOSE, 1, pairs), key=lambda player: pairs[player] is not None)
    numbers = {player: number for number, player in enumerate(order, start=1)}
    return numbers | {two: size + 1 - numbers[one] for one, two in pairs.items() if two is not None}, size


def _by_seed(player: str) -> tuple[list[int | str], str]:
    """Ids in the order of the numbers in them."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", player))], player


Crosstable = Mapping[str, Mapping[str, list[int | str]]]
"""Player -> opponent -> what the player scored in each of their games, in the order of the rounds, as it is shown."""


def crosstable(ruleset: Ruleset, players: Iterable[str], games: Iterable[Game], *, round: int) -> Crosstable:
    """Who of the players scored what against whom until a round, in the value that ranks first.

    A game that one side forfeited is there with what it is worth; a bye is not. Source: RR-DOC-1.
    """
    main = ruleset.standings.criteria[0]
    cells: dict[str, dict[str, list[int | str]]] = {player: {} for player in players}
    for game in sorted(games, key=lambda game: game.round):
        if game.player_2 is None or game.round > round:
            continue
        sides = (game.player_1, game.player_2, game.score.values_1), (game.player_2, game.player_1, game.score.values_2)
        for player, opponent, values in sides:
            if player in cells:
                worth = as_json(Fraction(values.get(main.of, 0), main.divisor))
                cells[player].setdefault(opponent, []).append(worth)
    return cells
