"""The parts of a ruleset, as a pack writes them: numbers and names of pieces, each with the clause it comes from.

What a game is worth stands in `game_parts`, what a list must keep to in `roster_parts`.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

from msgspec import Struct

Setting = int | bool | str
"""What an option of the simple kinds puts into a ruleset."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part with its source: `clause` holds for every field that `clauses` does not name."""

    clause: str
    clauses: dict[str, str] = {}

    def cites(self, field: str) -> str:
        """The clause that the field (or rule) of this part comes from."""
        return self.clauses.get(field, self.clause)

    def citable(self) -> frozenset[str]:
        """The names that `clauses` may speak of."""
        return frozenset(self.__struct_fields__)


class Document(Part, frozen=True):
    """The rules document. date: ISO 8601."""

    name: str
    version: str
    date: str


class Tier(Part, frozen=True):
    """A level of play. rounds: by the table, or set by the organiser. list_due: no first game without a list.

    list_due_for: who has none is not paired, or is paired and does not begin. kept_apart: players may ask not to meet
    each other in round 1.
    """

    id: str
    rounds: Literal["table", "organiser"]
    list_due: bool
    judge_may_play: bool
    kept_apart: bool = False
    list_due_for: Literal["pairing", "start"] = "pairing"


class Entry(Part, frozen=True):
    """Who may enter: fewest players, and what a late entry gets (`none`: nobody enters once round 1 is paired)."""

    minimum_players: int
    late: Literal["none", "zero_points"]


class Stage(Part, frozen=True):
    """The pairing policy from tournament round `from_round` on."""

    from_round: int
    policy: str


class PairingRules(Part, frozen=True):
    """Who meets whom."""

    stages: list[Stage]


class RoundsBand(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the rounds table: players (inclusive, the last may be open), rounds, days, cut size and cut round."""

    least: int
    rounds: int
    most: int | None = None
    days: list[int] = []
    cut_to: int = 0
    cut_after: int = 0


class Rounds(Part, frozen=True):
    """The number of tournament rounds. outside: what holds for player counts that no row has."""

    table: list[RoundsBand]
    outside: Literal["never", "organiser"]

    def citable(self) -> frozenset[str]:
        """The fields of the table's rows, too."""
        return frozenset((*self.__struct_fields__, *RoundsBand.__struct_fields__))


class Cut(Part, frozen=True):
    """The elimination stage. bracket `none`: final standings decide."""

    bracket: Literal["none", "seeded", "random", "reseed"]


class Tables(Part, frozen=True):
    """order: the top pairing gets the lowest table, or a recorded draw says who does. avoid_repeats: a player gets a
    new table when one is free."""

    order: Literal["top_first", "random"]
    avoid_repeats: bool


class Spare(Part, frozen=True):
    """Whom the spare player meets: the last in the standings, or whoever the first to drop would have met."""

    mode: Literal["last_ranked", "first_drop"] = "last_ranked"


Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Legality(Part, frozen=True):
    """delay_days: from a release until it is legal; list_due_days: from a list's due day to the first day of play.

    weekdays: kind of release -> the day of the week on which such releases come out.
    """

    delay_days: int
    list_due_days: int
    weekdays: dict[str, Weekday] = {}

    def lists_due(self, first_day: date) -> date:
        """Return the last day for lists, as advised; they are locked later. FF-REG-2, FF-AMB-22."""
        return first_day - timedelta(days=self.list_due_days)

    def released_by(self, first_day: date) -> date:
        """Return the last day of release of what is legal on the first day of play. FF-ROS-14, FF-AMB-5."""
        return first_day - timedelta(days=self.delay_days)


class Option(Part, frozen=True, kw_only=True):
    """Something an organiser may set.

    kind: `choice` puts what `choices` says for the word given, `flag` true or false, `whole` the number (or what
    `choices` says for a word), `bands` a margin table, `rounds` a table of rounds and cuts, `points` a number for each
    word given, `words` some of the choices in an order. default: what holds otherwise (a word, a number or a flag;
    nothing where the pack's own table or no value holds). sets: JSON pointers into the ruleset. until: when it is
    fixed. needs: options that must be set together with this one; needs_above: only where this one is a number above
    that.
    """

    key: str
    name: str
    kind: Literal["choice", "flag", "whole", "bands", "rounds", "points", "words"]
    default: Setting | None = None
    until: Literal["announcement", "round_1", "any"]
    sets: list[str]
    choices: dict[str, Setting] = {}
    least: int = 0
    most: int | None = None
    needs: list[str] = []
    needs_above: int = -1
