"""The ruleset of a season, and the values of its rules: members, tournaments with results, rows of the table."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from shared.rules.model import Outcome, Status, Value
from shared.rules.parts import AnyRuleset, Part, Setting
from shared.rules.tiebreakers import Criterion

Ties = Literal["all", "none", "staff"]
"""Whether those who share the last place are all in, all out, or named by the staff."""


class PlaceBand(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table of places; bounds inclusive, the last may be open and has no `most`. Other places bring 0."""

    least: int
    points: int
    most: int | None = None


class FieldClass(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of places of tournaments with so many players; bounds inclusive, the last has no `most`."""

    least: int
    places: list[PlaceBand]
    most: int | None = None


class PlacePoints(Part, frozen=True, tag_field="scheme", tag="by_place"):
    """Points by the place in a tournament.

    fields: a table of places for each size of field, from 1 player on. shared: what those get who share a place: the
    points of that place, of the last place they take up together, or the mean of all of these.
    places: in the whole field, or among the members of the season who count in that tournament.
    participation: points of everybody who played, on top.
    """

    fields: list[FieldClass]
    shared: Literal["first", "last", "mean"] = "first"
    places: Literal["field", "members"] = "field"
    participation: int = 0


class GameWorth(Part, frozen=True):
    """What one game, or one session, of a tournament is worth; forfeit: to the side that did not play."""

    win: int
    draw: int
    loss: int
    bye: int
    forfeit: int = 0


class ResultPoints(Part, frozen=True, tag_field="scheme", tag="by_result"):
    """Points by the results of the games of a tournament. formats: what differs for tournaments of a format."""

    games: GameWorth
    formats: dict[str, GameWorth] = {}
    participation: int = 0


class ScorePoints(Part, frozen=True, tag_field="scheme", tag="as_scored"):
    """The points that the tournament itself gave. participation: points of everybody who played, on top."""

    participation: int = 0


SeasonPoints = PlacePoints | ResultPoints | ScorePoints


class Weights(Part, frozen=True):
    """What the points of a tournament are multiplied by, in per cent: by its tier, 100 for all other tiers.

    by_hand: whether an organiser may give a tournament a weight of its own when it is gathered.
    """

    tiers: dict[str, int] = {}
    by_hand: bool = False


class Counting(Part, frozen=True):
    """What counts of a member's results.

    best: so many of the best, 0: all. best_per_cent: so many of a hundred of the tournaments, rounded up; 0: all;
    of both, the fewer. of: tournaments that are planned, 0: open. minimum: tournaments to attend; below: where
    who attended fewer is listed. dropped_out: whether a tournament that a player left early counts.
    before_joining: whether tournaments count that were played before a player joined the season. games: the games
    that tiebreakers look at. after_end: whether a correction that comes after the season has ended still moves
    ranks, or is only told.
    """

    best: int = 0
    best_per_cent: int = 0
    of: int = 0
    minimum: int = 0
    below: Literal["ranked", "last"] = "last"
    dropped_out: bool = True
    before_joining: bool = True
    games: Literal["every", "counted"] = "every"
    after_end: Literal["counts", "told"] = "told"


class Ranking(Part, frozen=True):
    """The order of the members: criteria in order, higher first. Those whom none separates share a rank."""

    criteria: list[Criterion]


class Eligibility(Part, frozen=True):
    """Who may be promoted and invited to the final. Empty lists: everybody.

    minimum: tournaments attended. disqualified: whether a member who was disqualified in a tournament is out of it.
    """

    minimum: int = 0
    venues: list[str] = []
    clubs: list[str] = []
    divisions: list[str] = []
    disqualified: Literal["out", "stays"] = "out"


class Division(Part, frozen=True):
    """A division. up, down: how many go to the one above and below. size: the most members, 0: open."""

    name: str
    up: int = 0
    down: int = 0
    size: int = 0


class Divisions(Part, frozen=True):
    """The divisions, the highest first; none, or not used: the season is one. ties: at the line of promotion or
    relegation.

    entry: where a new member begins. inactive: what becomes of who attended fewer tournaments than the minimum.
    """

    divisions: list[Division] = []
    used: bool = True
    ties: Ties = "staff"
    entry: Literal["lowest", "highest"] = "lowest"
    inactive: Literal["as_ranked", "down", "stays"] = "as_ranked"


class Final(Part, frozen=True):
    """The cut to a final. to: players invited, 0: no final. per: of the season, or of each division.

    ties: at the line of the cut. minimum: tournaments attended. replaced: whether the next one comes for who declines.
    """

    to: int = 0
    per: Literal["season", "division"] = "season"
    ties: Ties = "staff"
    minimum: int = 0
    replaced: bool = True


class Rating(Part, frozen=True):
    """A rating beside the points, from the games of members against each other.

    initial: of who has none. period: so many tournaments, in order, are rated together; 0: the whole season.
    k: Elo's factor. deviation, volatility, tau: of Glicko-2, the latter two as decimals. idle: whether the deviation
    of who does not play in a period widens.
    """

    system: Literal["none", "elo", "glicko2"] = "none"
    initial: int = 1500
    period: int = 1
    k: int = 20
    deviation: int = 350
    volatility: str = "0.06"
    tau: str = "0.5"
    idle: Literal["widens", "stays"] = "widens"


class SeasonRuleset(AnyRuleset, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides how a season is scored, ranked and ended. chosen: options, already applied."""

    format: Literal["season"]
    points: SeasonPoints
    weights: Weights
    counting: Counting
    ranking: Ranking
    eligibility: Eligibility
    divisions: Divisions
    final: Final
    rating: Rating
    chosen: dict[str, Setting] = {}

    @property
    def columns(self) -> list[str]:
        """The names of the values shown in the table, in order."""
        return [rule.column for rule in self.ranking.criteria if rule.shown and rule.active]

    @property
    def division_names(self) -> list[str]:
        """The divisions that are used, the highest first; empty where the season is one."""
        return [division.name for division in self.divisions.divisions if self.divisions.used]


# msgspec works a type out at its first use, and 0.22 crashes where several threads are the first: so one is, here.
msgspec.json.Decoder(SeasonRuleset)


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
