"""Parts of a pack about the event as a whole: its clock; what a document recommends, of which nothing is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from shared.refusals import Expected, Fault, expects
from shared.rules.parts import Part


class Call(Part, frozen=True):
    """A time call, `minutes_before_end` of the round, or at `percent` of it. mandatory: no later one goes before it."""

    name: str
    minutes_before_end: int = 0
    percent: int | None = None
    mandatory: bool = False


class ChessClock(Part, frozen=True):
    """A clock on the table that runs in a player's own turns, and stands while points are counted.

    use: whether there are any; where they are only allowed, both players have to agree. minutes_each: of a player;
    set_up_minutes: of a round, for setting up and clearing. at_zero: what a player may do whose clock has run out.
    """

    minutes_each: int
    set_up_minutes: int
    use: Literal["none", "allowed", "required"] = "none"
    at_zero: Literal["referee_decides", "no_further_turn"] = "referee_decides"


class Slot(Part, frozen=True):
    """Time of the day that is no round, such as a meal. least, most: minutes, where the document has them."""

    name: str
    least: int = 0
    most: int = 0


class Clock(Part, frozen=True):
    """Times. minutes: a tournament round; per: for each begun `per` points of the list limit (0: flat).

    game_rounds: the most a game has. at_time: what is still finished when time is called. overtime_minutes: how
    long that may take (none: no hard stop). extra_minutes: what the organiser adds to every round.
    """

    minutes: int
    game_rounds: int
    at_time: Literal["finish_game_round", "finish_turn", "stop_now"]
    calls: list[Call]
    per: int = 0
    overtime_minutes: int | None = None
    break_minutes: int = 0
    extra_minutes: int = 0
    early_set_up: bool = False
    chess_clock: ChessClock | None = None
    slots: list[Slot] = []


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
            yield Fault(f"/advice/{index}", f"{value}", _recommended(rule), rule.clause)


def _kept(rule: Recommendation, value: int) -> bool:
    inside = rule.least <= value and (not rule.most or value <= rule.most)
    return inside and value % rule.multiple_of == 0 and (not rule.power_of or _is_power(value, rule.power_of))


def _is_power(value: int, base: int) -> bool:
    while value > 1 and base > 1 and value % base == 0:
        value //= base
    return value == 1


def _recommended(rule: Recommendation) -> Expected:
    """Return the expectation of a number as the document recommends it, in the words of the pack."""
    match rule.of:
        case "list_limit":
            return expects("list-limit-as-recommended", says=rule.says)
        case "players":
            return expects("players-as-recommended", says=rule.says)
    return expects("extra-minutes-as-recommended", says=rule.says)
