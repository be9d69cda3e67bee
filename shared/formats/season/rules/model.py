"""What the rules of a season speak of: members, tournaments gathered with their results, and the table made of them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.model import Outcome, Status, Value

GameKind = Literal["game", "bye", "forfeit"]
"""`forfeit`: one side did not play, for whatever reason; only a `game` is rated and tells who beat whom."""

Left = Literal["", "not_best", "absent", "dropped_out", "disqualified", "before_joining", "other_division", "twice"]
"""Why a result does not count; empty: it counts.

`not_best`: not among the best n. `twice`: the member has a better result of the same tournament, by another entry.
"""

Barred = Literal["left", "disqualified", "too_few", "venue", "club", "division"]
"""Why a member is not eligible. `left`: dropped from the season. `too_few`: tournaments attended."""


class Entered(Struct, frozen=True, gc=False):
    """An entry of a tournament: the player of that tournament that a member of the season is."""

    tournament: str
    entry: str


class Member(Struct, frozen=True):
    """A player of the season with all entries that are theirs; merged identities are one member.

    division: empty where the season has none. joined: the `order` of the first tournament after joining, 0: from the
    start.
    """

    player: str
    entries: tuple[Entered, ...] = ()
    division: str = ""
    venue: str = ""
    club: str = ""
    status: Status = "active"
    joined: int = 0


class GamePlayed(Struct, frozen=True, gc=False):
    """One game of an entry, as this side saw it; a session of a co-operative event is a game without an opponent.

    opponent: the other entry, empty where there was none. score, against: points of that game in the tournament's own
    measure.
    """

    outcome: Outcome
    opponent: str = ""
    kind: GameKind = "game"
    score: int = 0
    against: int = 0


class Result(Struct, frozen=True):
    """What one entry reached in a tournament. place: from 1, shared by equals; 0: not placed. score: its own points.

    attended: whether a game was played, a bye taken or the player checked in.
    """

    entry: str
    place: int
    score: int = 0
    games: tuple[GamePlayed, ...] = ()
    status: Status = "active"
    attended: bool = True


class Gathered(Struct, frozen=True):
    """A tournament of the season with the results of all its entries, claimed by members or not.

    order: when it counts as played, from 1, each once. weight: per cent, given by hand (see Weights.by_hand).
    division: whose members it is for, empty: all. field: players, 0: as many as attended.
    """

    tournament: str
    order: int
    results: tuple[Result, ...] = ()
    format: str = "swiss"
    tier: str = ""
    weight: int | None = None
    division: str = ""
    field: int = 0


class Counted(Struct, frozen=True):
    """A result of a member as the season takes it.

    place: that the points are of (see PlacePoints.places). field: players. points: weighted. weight: per cent.
    reason: why it does not count.
    """

    tournament: str
    order: int
    entry: str
    place: int
    field: int
    points: Value
    weight: int
    reason: Left


class Rated(Struct, frozen=True):
    """A rating as it is shown and recorded: decimals with two places, the volatility with six; games: rated ones.

    deviation, volatility: of Glicko-2 alone, otherwise empty.
    """

    rating: str
    games: int
    deviation: str = ""
    volatility: str = ""


class SeasonRow(Struct, frozen=True):
    """A member's place. rank: from 1 in the division, shared by equals; overall: among all. values: by column, all.

    compared: the values by which the rank was found, one for each criterion until nobody was equal.
    results: all, in the order of the tournaments. attended: tournaments. listed_last: too few attended to be ranked
    with the others. barred: why the member is not eligible.
    """

    rank: int
    overall: int
    player: str
    division: str
    points: Value
    values: dict[str, Value]
    tied: bool
    attended: int
    results: tuple[Counted, ...]
    compared: tuple[Value, ...] = ()
    listed_last: bool = False
    barred: tuple[Barred, ...] = ()
    status: Status = "active"
    rating: Rated | None = None

    @property
    def eligible(self) -> bool:
        """Whether the member may be promoted and invited."""
        return not self.barred


class SeasonTable(Struct, frozen=True):
    """The ranked whole: rows of one division after the other, the highest first. tournaments: how many there are."""

    columns: tuple[str, ...]
    rows: tuple[SeasonRow, ...]
    tournaments: int

    def row(self, player: str) -> SeasonRow | None:
        """The row of a member; None for who is none."""
        return next((row for row in self.rows if row.player == player), None)
