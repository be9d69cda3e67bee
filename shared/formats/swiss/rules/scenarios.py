"""The pool of an event: which scenarios its rounds are played by, and which of them a draw gives to a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault
from shared.rules.draw import make_draw
from shared.rules.model import Draw

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
            yield Fault(f"/result/pool/{index}", repr(name), "one of " + ", ".join(known) if known else "no pool")


def advice_on_pool(ruleset: Ruleset) -> Iterator[Fault]:
    """A pool that favours one way of playing: all of its scenarios have one focus. FF-SET-4."""
    focus = {scenario.name: scenario.focus for scenario in ruleset.scenarios if scenario.focus}
    in_pool = {focus[name] for name in pool_of(ruleset) if name in focus}
    missing = sorted(set(focus.values()) - in_pool)
    if in_pool and missing:
        said = f"only {' and '.join(sorted(in_pool))} scenarios in the pool"
        yield Fault("/result/pool", said, f"some {' and some '.join(missing)} ones, too", ruleset.result.cites("pool"))
