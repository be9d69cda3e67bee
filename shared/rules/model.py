"""What the rules speak of: entrants, pairings, reported facts, scores, games, draws. Frozen, and plain JSON.

Values are exact: in JSON whole numbers stay numbers, fractions become decimal strings. No binary floats anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct

Value = int | Fraction
"""A value in the standings: whole, or an exact fraction (mean schedules). Never a float."""

Side = Literal[1, 2]
Winner = Literal[1, 2, "draw"]
Outcome = Literal["win", "draw", "loss"]
Status = Literal["active", "dropped", "disqualified"]
PairingKind = Literal["game", "bye", "spare"]
FactsKind = Literal["game", "bye", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit"]
GivenBye = Literal["awarded", "requested"]
"""A bye that does not come from the pairing: won before the start, or asked for by the player."""

GIVEN: Mapping[str, GivenBye] = {"awarded": "awarded", "requested": "requested"}
"""The kinds of such byes, by the word that a request or a file has for them."""

KINDS: Mapping[str, GivenBye] = {f"{name}_bye": given for name, given in GIVEN.items()}
"""The same as kinds of a pairing."""

PLAYED: frozenset[FactsKind] = frozenset({"game", "spare"})
"""The kinds of facts in which two players sat down with each other."""

NOBODY_WON: frozenset[FactsKind] = frozenset({"double_no_show", "double_forfeit"})
"""The kinds of facts after which both sides have lost."""

End = Literal["rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession"]
PLACES = 6


class Entrant(Struct, frozen=True, omit_defaults=True):
    """Somebody who entered the tournament.

    player: the id used in every other value and in draws. dropped_after: the last round played, with `dropped`.
    joined_round: the first round this player may be paired in (a late entry has 2 or more).
    """

    player: str
    name: str = ""
    status: Status = "active"
    dropped_after: int | None = None
    faction: str = ""
    venue: str = ""
    club: str = ""
    joined_round: int = 1

    def plays(self, round: int) -> bool:
        """Whether this entrant is to be paired in tournament round `round`."""
        if self.status == "dropped":
            return self.joined_round <= round <= (self.dropped_after or 0)
        return self.status == "active" and self.joined_round <= round


class Pairing(Struct, frozen=True, omit_defaults=True):
    """Who meets whom, and why. A bye has no player_2; in a `spare` pairing player_2 is the spare player.

    bye: how a bye was come by that is none of the pairing. sides: of a game of three or more groups, every side with
    its groups, player_1 and player_2 being the first of the first two; empty for a game of two.
    """

    kind: PairingKind
    player_1: str
    player_2: str | None = None
    reason: str = ""
    rematch: bool = False
    bye: GivenBye | None = None
    sides: tuple[tuple[str, ...], ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        if self.sides:
            return tuple(player for side in self.sides for player in side)
        return (self.player_1,) if self.player_2 is None else (self.player_1, self.player_2)


class Facts(Struct, frozen=True, omit_defaults=True, gc=False):
    """What was reported of a game; which of it a ruleset asks for stands in its result form.

    points_*: the score in the game's own unit (fleet points, scenario points, break points), whole.
    destroyed_*, objective_*: the two parts that add up to the score, where a ruleset has them.
    second_player: the side without the initiative. conceded_by: the side that conceded, forfeits or did not come.
    board: what stood on the table at the end, where the ruleset can make the score of it.
    bye: how a bye was come by that is none of the pairing.
    """

    kind: FactsKind = "game"
    points_1: int | None = None
    points_2: int | None = None
    winner: Winner | None = None
    end: End | None = None
    second_player: Side | None = None
    conceded_by: Side | None = None
    destroyed_1: int | None = None
    destroyed_2: int | None = None
    objective_1: int | None = None
    objective_2: int | None = None
    scenario: str = ""
    extra: dict[str, int] = {}
    board: dict[str, Any] = {}
    bye: GivenBye | None = None


class Score(Struct, frozen=True, omit_defaults=True, gc=False):
    """What a ruleset makes of the facts: an outcome and named whole values for each side.

    The second side of a bye has neither.
    """

    outcome_1: Outcome
    outcome_2: Outcome | None = None
    values_1: dict[str, int] = {}
    values_2: dict[str, int] = {}


class Game(Struct, frozen=True, omit_defaults=True, gc=False):
    """A pairing with its facts and score. kind says who sat down; facts.kind says how it went."""

    round: int
    table: int | None
    kind: PairingKind
    player_1: str
    player_2: str | None
    facts: Facts
    score: Score


class Draw(Struct, frozen=True):
    """A recorded draw: `group` (sorted by id) was put into `order` by `draw.recorded_draw` with these inputs."""

    purpose: str
    round: int
    seed: str
    group: tuple[str, ...]
    order: tuple[str, ...]


def as_json(value: Value | None) -> int | str:
    """A whole number, or the decimal string of a fraction; an empty text where there is no value.

    Fractions that do not end within PLACES decimals are rounded half to even there; zeros at the end are left out.
    The exact fraction is what is compared when players are ranked, and what an explanation shows.
    """
    if value is None:
        return ""
    if value.denominator == 1:
        return value.numerator
    scaled = round(value * 10**PLACES)
    sign, digits = "-" if scaled < 0 else "", str(abs(scaled)).rjust(PLACES + 1, "0")
    whole, decimals = digits[:-PLACES], digits[-PLACES:].rstrip("0")
    return f"{sign}{whole}.{decimals}" if decimals else sign + whole


def exact(value: Value) -> str:
    """The value without rounding: `7`, `44/9`."""
    return str(value)


def as_text(value: Value) -> int | str:
    """A value without floats: whole, or "p/q"."""
    return int(value) if Fraction(value).denominator == 1 else f"{Fraction(value)}"


def as_value(text: int | str) -> Value:
    """The value that `as_text` wrote."""
    return text if isinstance(text, int) else Fraction(text)
