"""How many rounds, how long they last, when time is called; which scenarios of the event's pool they are played by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from shared.formats.swiss.rules.event_parts import Call
from shared.formats.swiss.rules.roster_parts import Total
from shared.formats.swiss.rules.round_robin import cycles_of
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault, as_said, expects, one_of
from shared.rules.draw import make_draw
from shared.rules.model import Draw
from shared.rules.parts import RoundsBand
from shared.rules.refusals import RoundsNotFixed


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
    band = band_of(ruleset, players)
    return band.rounds * max(1, cycles_of(ruleset)) if band else None


def band_of(ruleset: Ruleset, players: int) -> RoundsBand | None:
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
    band = band_of(ruleset, players)
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


def pool_of(ruleset: Ruleset) -> list[str]:
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
            yield Fault(f"/result/pool/{index}", as_said(name), one_of(known) if known else expects("no-pool"))


def advice_on_pool(ruleset: Ruleset) -> Iterator[Fault]:
    """A pool that favours one way of playing: all of its scenarios have one focus. FF-SET-4."""
    focus = {scenario.name: scenario.focus for scenario in ruleset.scenarios if scenario.focus}
    in_pool = {focus[name] for name in pool_of(ruleset) if name in focus}
    missing = sorted(set(focus.values()) - in_pool)
    if in_pool and missing:
        expected = expects("scenarios-of-focus", missing=missing)
        yield Fault("/result/pool", ", ".join(sorted(in_pool)), expected, ruleset.result.cites("pool"))
