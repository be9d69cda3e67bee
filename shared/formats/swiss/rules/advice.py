"""What a document recommends of an event as a whole, and warns of where it is otherwise. Nothing of it is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from shared.refusals import Fault
from shared.rules.parts import Part


class Recommendation(Part, frozen=True):
    """A number of the event that had better be within bounds.

    of: the most points of a list, the players of the event, or the minutes that the organiser adds to a round.
    least, most: inclusive; most 0: no bound. power_of, multiple_of: what the number had better be. lists_above: only
    where lists may have more points than this. says: what to expect, for a person.
    """

    of: Literal["list_limit", "players", "extra_minutes"]
    says: str
    least: int = 0
    most: int = 0
    multiple_of: int = 1
    power_of: int = 0
    lists_above: int = -1


def advice_on_event(
    rules: Iterable[Recommendation], *, list_limit: int, players: int, extra_minutes: int
) -> Iterator[Fault]:
    """What is otherwise than recommended, each with its clause. players: 0 while they are not known."""
    values = {"list_limit": list_limit, "players": players, "extra_minutes": extra_minutes}
    for index, rule in enumerate(rules):
        value = values[rule.of]
        if list_limit > rule.lists_above and (rule.of != "players" or players) and not _kept(rule, value):
            yield Fault(f"/advice/{index}", f"{value} {_UNITS[rule.of]}", rule.says, rule.clause)


def _kept(rule: Recommendation, value: int) -> bool:
    inside = rule.least <= value and (not rule.most or value <= rule.most)
    return inside and value % rule.multiple_of == 0 and (not rule.power_of or _is_power(value, rule.power_of))


def _is_power(value: int, base: int) -> bool:
    while value > 1 and value % base == 0:
        value //= base
    return value == 1


_UNITS = {"list_limit": "points in a list", "players": "players", "extra_minutes": "extra minutes a round"}
