"""How many rounds, how long they last, and when time is called."""

from __future__ import annotations

from msgspec import Struct

from shared.formats.swiss.rules.clock import Call
from shared.formats.swiss.rules.roster_parts import Total
from shared.formats.swiss.rules.round_robin import cycles_of
from shared.formats.swiss.rules.ruleset import Ruleset
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
