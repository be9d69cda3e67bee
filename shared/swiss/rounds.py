"""Rounds: their number, length, scenarios and time calls, and the Berger tables and crosstable of a round robin.

The numbers of the table are read off round 1, however that was paired: the first of its pairs hold 1 and the highest
number, the next 2 and the one below, and so on. So nothing has to be remembered, and a round 1 that staff paired by
hand has a table of its own. Source: FIDE Handbook C.05, annex 1; RR-TAB-1 to RR-TAB-3, RR-DBL-1, RR-DBL-2.
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
"""Purpose of the draw that puts the pairs of a drawn round 1 in order."""


def robin_cycles(ruleset: Ruleset) -> int:
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
    order = sorted(draw_order(seed, PURPOSE, 1, pairs), key=lambda player: pairs[player] is not None)
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


class TimeCall(Struct, frozen=True):
    """A call, and the second of the round at which it is made."""

    name: str
    second: int


def number_of_rounds(ruleset: Ruleset, players: int, tier: str = "") -> int | None:
    """The number of tournament rounds for so many players in the first pairing; None: the organiser sets it.

    The table's rounds are those of one cycle of a round robin.
    Raises RoundsNotFixed below the fewest players, and for a tier that the ruleset does not have.
    Source: AR-RND-1, AR-RND-2, AR-AMB-24, RR-RND-1, RR-DBL-1.
    """
    if players < ruleset.entry.minimum_players:
        wanted = ruleset.entry.minimum_players
        raise RoundsNotFixed(f"{players} players, at least {wanted} are needed", players=players, minimum=wanted)
    tiers = {known.id: known for known in ruleset.tiers}
    if tier and tier not in tiers:
        raise RoundsNotFixed(f"unknown tier {tier!r}", tiers=list(tiers))
    if tier and tiers[tier].rounds == "organiser":
        return None
    band = rounds_band(ruleset, players)
    return band.rounds * max(1, robin_cycles(ruleset)) if band else None


def rounds_band(ruleset: Ruleset, players: int) -> RoundsBand | None:
    """The row of the rounds table for so many players; None where there is none."""
    fits = (band for band in ruleset.rounds.table if band.least <= players and (band.most or players) >= players)
    return next(fits, None)


def suggested_rounds(players: int) -> int:
    """Rounds after which one player at most has won them all; a suggestion, from no rules document. FF-AMB-9."""
    return max(1, (players - 1).bit_length())


class PlannedRound(Struct, frozen=True):
    """A round of the timetable. day: from 1; minutes: how long it is, and the break that follows."""

    round: int
    day: int
    stage: str
    minutes: int
    break_minutes: int


def timetable(ruleset: Ruleset, rounds: int, players: int, *, cut_after: int = 0) -> list[PlannedRound]:
    """Every round of an event with its day, its length and its break.

    rounds: as they are planned; where they are those of the rounds table, its days and its cut hold too.
    cut_after: the last round before an elimination that was made otherwise. Source: AR-RND-3, DW-TIME-1, DW-TIME-2.
    """
    band = rounds_band(ruleset, players)
    followed = band is not None and band.rounds == rounds
    last_swiss = cut_after or (band.cut_after if band and followed and ruleset.cut.bracket != "none" else 0) or rounds
    days = [day for day, count in enumerate(band.days if band and followed else [], start=1) for _ in range(count)]
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
    """The length of a tournament round in minutes; for rulesets that go by the limit of the lists, for that limit.

    Source: AR-TIME-1, DW-TIME-1, DW-AMB-25.
    """
    steps = -(-list_limit // ruleset.clock.per) if ruleset.clock.per else 1
    return ruleset.clock.minutes * steps + ruleset.clock.extra_minutes


def list_limit(ruleset: Ruleset) -> int:
    """The most points of a list; 0 where rosters have no total."""
    return next((check.most for check in ruleset.roster.checks if isinstance(check, Total)), 0)


def time_calls(ruleset: Ruleset, list_limit: int = 0) -> list[TimeCall]:
    """The time calls of a round in order, in whole seconds from its start."""
    length = 60 * round_minutes(ruleset, list_limit)

    def second(call: Call) -> int:
        if call.percent is not None:
            return length * call.percent // 100
        return length - 60 * call.minutes_before_end

    return sorted((TimeCall(call.name, second(call)) for call in ruleset.clock.calls), key=lambda call: call.second)


def hard_stop(ruleset: Ruleset, list_limit: int = 0) -> int | None:
    """The second of the round at which every game ends, whatever is in progress; None: there is no such time."""
    if ruleset.clock.overtime_minutes is None:
        return None
    return 60 * (round_minutes(ruleset, list_limit) + ruleset.clock.overtime_minutes)


SCENARIO = "scenario"
"""The purpose of the draw that gives a round its scenario."""


def scenario_pool(ruleset: Ruleset) -> list[str]:
    """The names of the scenarios that an event is played by: of its pool, or all of the ruleset. FF-SET-4."""
    return ruleset.result.pool or [scenario.name for scenario in ruleset.scenarios]


def scenario_draw(ruleset: Ruleset, played: Iterable[str], *, round: int, seed: str) -> Draw | None:
    """The draw whose first is the scenario of a round: of the pool, those that were played least often so far.

    played: the scenarios of the rounds before, by name. None where the organiser has set no pool, and names each one.
    Source: FF-SET-4.
    """
    pool = ruleset.result.pool
    if not pool:
        return None
    times = Counter(played)
    fewest = min(times[name] for name in pool)
    return make_draw(seed, SCENARIO, round, (name for name in pool if times[name] == fewest))


def faults_of_pool(ruleset: Ruleset) -> Iterator[Fault]:
    """Names in the pool of a pack that none of its scenarios has."""
    known = [scenario.name for scenario in ruleset.scenarios]
    for index, name in enumerate(ruleset.result.pool or ()):
        if name not in known:
            yield Fault(f"/result/pool/{index}", display_text(name), one_of(known) if known else expects("no-pool"))


def advice_on_pool(ruleset: Ruleset) -> Iterator[Fault]:
    """A pool that favours one way of playing: all of its scenarios have one focus. FF-SET-4."""
    focus = {scenario.name: scenario.focus for scenario in ruleset.scenarios if scenario.focus}
    in_pool = {focus[name] for name in scenario_pool(ruleset) if name in focus}
    missing = sorted(set(focus.values()) - in_pool)
    if in_pool and missing:
        expected = expects("scenarios-of-focus", missing=missing)
        yield Fault("/result/pool", ", ".join(sorted(in_pool)), expected, ruleset.result.cites("pool"))
