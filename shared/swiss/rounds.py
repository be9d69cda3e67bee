"""Rounds: number, length, scenarios and time calls; Berger tables and crosstable of a round robin.

The numbers of the table follow from round 1, however it was paired: its first pair has 1 and the highest number, the
next has 2 and the one below, and so on. So nothing needs to be stored, and a round 1 that staff paired by hand has a
table too. Source: FIDE Handbook C.05, annex 1; RR-TAB-1 to RR-TAB-3, RR-DBL-1, RR-DBL-2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from shared.refusals import Fault, display_text, expects, one_of
from shared.rules.model import Draw, Game, Pairing, RoundsNotFixed, as_json, draw_order, make_draw
from shared.rules.parts import RoundsBand
from shared.swiss import registries
from shared.swiss.game_parts import Call
from shared.swiss.roster_parts import Total
from shared.swiss.ruleset import Ruleset

PURPOSE = "numbers"
"""Purpose of the draw that orders the pairs of a drawn round 1."""


def robin_cycles(ruleset: Ruleset) -> int:
    """Return the number of cycles of a round robin; 0 for other policies."""
    return registries.PAIRING_POLICIES[ruleset.pairing.stages[-1].policy].cycles


def berger_table(size: int, cycles: int = 1) -> list[list[tuple[int, int]]]:
    """Return every round of the Berger table for an even number of players: pairs of numbers, first side first.

    With two cycles, the second swaps the sides of the first, and the last two rounds of the first are swapped. So no
    one has the same side three times in a row. Source: RR-TAB-1, RR-TAB-3, RR-DBL-1, RR-DBL-2.
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
    """Yield the pairings of a round by the table, byes last.

    Players without an opponent, or with one who left, have byes.

    - `games`: games of all earlier rounds, including those of players who left.
    - `playing`: players to pair.

    Raise RoundsNotFixed beyond the last round of the table, and for players who were not in round 1.
    Source: RR-TAB-1, RR-TAB-2, RR-NUM-1, RR-RND-1, RR-OUT-1, RR-AMB-4.
    """
    numbers, size = table_numbers(games, playing)
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


def table_numbers(games: Iterable[Game], playing: Collection[str]) -> tuple[dict[str, int], int]:
    """Return the table number of every player of round 1, including those who left, and the highest number.

    If round 1 is paired by seed, or not yet paired, numbers follow the ids (p2 before p10). Otherwise its pairs are
    ordered by a draw seeded with its pairings. The player with the bye meets the highest number, which is no one.
    Source: RR-NUM-1, RR-NUM-2, RR-TAB-2.
    """
    pairs = {game.player_1: game.player_2 for game in games if game.round == 1}
    seeds = sorted({*pairs, *filter(None, pairs.values())} or playing, key=_by_seed)
    size = 2 * len(pairs) or len(seeds) + len(seeds) % 2
    places = [*seeds, *[None] * (size - len(seeds))]
    by_seed = dict(zip(seeds, reversed(places[size // 2 :]), strict=False))
    if pairs in ({}, by_seed):
        return {player: number for number, player in enumerate(seeds, start=1)}, size
    seed = " ".join(sorted(f"{one}-{two or ''}" for one, two in pairs.items()))
    order = sorted(draw_order(seed, PURPOSE, 1, pairs), key=lambda player: pairs[player] is not None)
    numbers = {player: number for number, player in enumerate(order, start=1)}
    return numbers | {two: size + 1 - numbers[one] for one, two in pairs.items() if two is not None}, size


def _by_seed(player: str) -> tuple[list[int | str], str]:
    """Return a sort key for ids in the order of the numbers in them."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"(\d+)", player))], player


Crosstable = Mapping[str, Mapping[str, list[int | str]]]
"""Player -> opponent -> the player's scores in their games, in round order, as shown."""


def crosstable(ruleset: Ruleset, players: Iterable[str], games: Iterable[Game], *, round: int) -> Crosstable:
    """Return the crosstable of a round, in the value that ranks first.

    Forfeited games are included with their value; byes are not. Source: RR-DOC-1.
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


class TimeCall(Struct, frozen=True):
    """A time call, and the second of the round at which it is made."""

    name: str
    second: int


def number_of_rounds(ruleset: Ruleset, players: int, tier: str = "") -> int | None:
    """Return the number of rounds for a number of players in the first pairing; None if the organiser sets it.

    The table's rounds are those of one cycle of a round robin. Raise RoundsNotFixed below the minimum number of
    players, and for an unknown tier.
    Source: AR-RND-1, AR-RND-2, AR-AMB-24, RR-RND-1, RR-DBL-1.
    """
    if players < ruleset.entry.minimum_players:
        minimum = ruleset.entry.minimum_players
        raise RoundsNotFixed(f"{players} players, at least {minimum} are needed", players=players, minimum=minimum)
    tiers = {known.id: known for known in ruleset.tiers}
    if tier and tier not in tiers:
        raise RoundsNotFixed(f"unknown tier {tier!r}", tiers=list(tiers))
    if tier and tiers[tier].rounds == "organiser":
        return None
    band = rounds_band(ruleset, players)
    return band.rounds * max(1, robin_cycles(ruleset)) if band else None


def rounds_band(ruleset: Ruleset, players: int) -> RoundsBand | None:
    """Return the row of the rounds table for a number of players; None if there is none."""
    fits = (band for band in ruleset.rounds.table if band.least <= players and (band.most or players) >= players)
    return next(fits, None)


def suggested_rounds(players: int) -> int:
    """Return the rounds after which at most one player has won all games. A suggestion, from no document (FF-AMB-9)."""
    return max(1, (players - 1).bit_length())


class PlannedRound(Struct, frozen=True):
    """A round of the timetable.

    - `day`: from 1.
    - `minutes`, `break_minutes`: length of the round, and of the break after it.
    """

    round: int
    day: int
    stage: str
    minutes: int
    break_minutes: int


def timetable(ruleset: Ruleset, rounds: int, players: int, *, cut_after: int = 0) -> list[PlannedRound]:
    """Return every round of an event with its day, length and break.

    - `rounds`: planned rounds. If they are those of the rounds table, its days and cut apply.
    - `cut_after`: last round before a cut that was made otherwise.

    Source: AR-RND-3, DW-TIME-1, DW-TIME-2.
    """
    band = rounds_band(ruleset, players)
    uses_table = band is not None and band.rounds == rounds
    last_swiss = cut_after or (band.cut_after if band and uses_table and ruleset.cut.bracket != "none" else 0) or rounds
    days = [day for day, count in enumerate(band.days if band and uses_table else [], start=1) for _ in range(count)]
    minutes = round_minutes(ruleset, list_limit(ruleset))
    return [
        PlannedRound(
            number,
            days[number - 1] if days else 1,
            "swiss" if number <= last_swiss else "elimination",
            minutes,
            ruleset.clock.break_minutes,
        )
        for number in range(1, rounds + 1)
    ]


def round_minutes(ruleset: Ruleset, list_limit: int = 0) -> int:
    """Return the length of a round in minutes. Some rulesets base it on the roster limit.

    Source: AR-TIME-1, DW-TIME-1, DW-AMB-25.
    """
    steps = -(-list_limit // ruleset.clock.per) if ruleset.clock.per else 1
    return ruleset.clock.minutes * steps + ruleset.clock.extra_minutes


def list_limit(ruleset: Ruleset) -> int:
    """Return the maximum points of a roster; 0 if rosters have no total."""
    return next((check.most for check in ruleset.roster.checks if isinstance(check, Total)), 0)


def time_calls(ruleset: Ruleset, list_limit: int = 0) -> list[TimeCall]:
    """Return the time calls of a round in order, in seconds from its start."""
    length = 60 * round_minutes(ruleset, list_limit)

    def second(call: Call) -> int:
        if call.percent is not None:
            return length * call.percent // 100
        return length - 60 * call.minutes_before_end

    return sorted((TimeCall(call.name, second(call)) for call in ruleset.clock.calls), key=lambda call: call.second)


def hard_stop(ruleset: Ruleset, list_limit: int = 0) -> int | None:
    """Return the second of the round at which every game ends, finished or not; None if there is no hard stop."""
    if ruleset.clock.overtime_minutes is None:
        return None
    return 60 * (round_minutes(ruleset, list_limit) + ruleset.clock.overtime_minutes)


SCENARIO = "scenario"
"""Purpose of the draw of a round's scenario."""


def scenario_pool(ruleset: Ruleset) -> list[str]:
    """Return the names of the scenarios used at an event: its pool, or all of the ruleset (FF-SET-4)."""
    return ruleset.result.pool or [scenario.name for scenario in ruleset.scenarios]


def scenario_draw(ruleset: Ruleset, played: Iterable[str], *, round: int, seed: str) -> Draw | None:
    """Return the draw of a round's scenario, from those of the pool that were played least often.

    `played`: scenarios of earlier rounds. None if the organiser set no pool and names each scenario. Source: FF-SET-4.
    """
    pool = ruleset.result.pool
    if not pool:
        return None
    times = Counter(played)
    fewest = min(times[name] for name in pool)
    return make_draw(seed, SCENARIO, round, (name for name in pool if times[name] == fewest))


def faults_of_pool(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield faults of pool names that no scenario has."""
    known = [scenario.name for scenario in ruleset.scenarios]
    for index, name in enumerate(ruleset.result.pool or ()):
        if name not in known:
            yield Fault(f"/result/pool/{index}", display_text(name), one_of(known) if known else expects("no-pool"))


def advice_on_pool(ruleset: Ruleset) -> Iterator[Fault]:
    """Yield a fault if all scenarios of the pool favour one way of playing (FF-SET-4)."""
    focus = {scenario.name: scenario.focus for scenario in ruleset.scenarios if scenario.focus}
    in_pool = {focus[name] for name in scenario_pool(ruleset) if name in focus}
    missing = sorted(set(focus.values()) - in_pool)
    if in_pool and missing:
        expected = expects("scenarios-of-focus", missing=missing)
        yield Fault("/result/pool", ", ".join(sorted(in_pool)), expected, ruleset.result.cites("pool"))
