"""The clock of a ruleset: how long a round is, what is called when, what ends when, and what else a day needs."""

from __future__ import annotations

from typing import Literal

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
