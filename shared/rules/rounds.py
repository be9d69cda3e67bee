"""How many rounds, how long they last, and when time is called."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.parts import Call, Total
from shared.rules.refusals import RoundsNotFixed
from shared.rules.ruleset import Ruleset


class TimeCall(Struct, frozen=True):
    """A call, and the second of the round at which it is made."""

    name: str
    second: int


def number_of_rounds(ruleset: Ruleset, players: int, tier: str = "") -> int | None:
    """The number of tournament rounds for so many players in the first pairing; None: the organiser sets it.

    Raises RoundsNotFixed below the fewest players, and for a tier that the ruleset does not have.
    Source: AR-RND-1, AR-RND-2, AR-AMB-24.
    """
    if players < ruleset.entry.minimum_players:
        wanted = ruleset.entry.minimum_players
        raise RoundsNotFixed(f"{players} players, at least {wanted} are needed", players=players, minimum=wanted)
    tiers = {known.id: known for known in ruleset.tiers}
    if tier and tier not in tiers:
        raise RoundsNotFixed(f"unknown tier {tier!r}", tiers=list(tiers))
    if tier and tiers[tier].rounds == "organiser":
        return None
    for band in ruleset.rounds.table:
        if band.least <= players and (band.most is None or players <= band.most):
            return band.rounds
    return None


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
