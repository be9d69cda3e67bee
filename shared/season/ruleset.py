"""The ruleset of a season, and the values of its rules: members, tournaments with results, rows of the table."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from shared.rules.model import Outcome, Status, Value
from shared.rules.parts import AnyRuleset, Part, Setting
from shared.rules.tiebreakers import Criterion

Ties = Literal["all", "none", "staff"]
"""Whether members who share the last place are all in, all out, or named by staff."""


class PlaceBand(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a table of places. Bounds are inclusive; the last may be open. Other places give 0 points."""

    least: int
    points: int
    most: int | None = None


class FieldClass(Struct, frozen=True, forbid_unknown_fields=True):
    """The table of places for a range of field sizes. Bounds are inclusive; the last has no `most`."""

    least: int
    places: list[PlaceBand]
    most: int | None = None


class PlacePoints(Part, frozen=True, tag_field="scheme", tag="by_place"):
    """Points by place in a tournament.

    fields: table of places for each range of field sizes, from 1 player.
    shared: points of members who share a place: those of that place, of the last place they take up, or the mean.
    places: places in the whole field, or among the members of the season whose results count.
    participation: additional points for each participant.
    """

    fields: list[FieldClass]
    shared: Literal["first", "last", "mean"] = "first"
    places: Literal["field", "members"] = "field"
    participation: int = 0


class GameWorth(Part, frozen=True):
    """Points of one game or session. forfeit: points of the side that did not play."""

    win: int
    draw: int
    loss: int
    bye: int
    forfeit: int = 0


class ResultPoints(Part, frozen=True, tag_field="scheme", tag="by_result"):
    """Points by results of games. formats: exceptions for tournaments of a format."""

    games: GameWorth
    formats: dict[str, GameWorth] = {}
    participation: int = 0


class ScorePoints(Part, frozen=True, tag_field="scheme", tag="as_scored"):
    """Points as given by the tournament itself. participation: additional points for each participant."""

    participation: int = 0


SeasonPoints = PlacePoints | ResultPoints | ScorePoints


class Weights(Part, frozen=True):
    """Factors of a tournament's points, in per cent: by tier, 100 for other tiers.

    by_hand: organisers may set the weight of a tournament when they gather it.
    """

    tiers: dict[str, int] = {}
    by_hand: bool = False


class Counting(Part, frozen=True):
    """Rules about the results that count.

    best: number of best results that count; 0 for all.
    best_per_cent: per cent of the tournaments that count, rounded up; 0 for all. If both are set, the smaller number
        applies.
    of: number of planned tournaments; 0 if open.
    minimum: tournaments to attend.
    below: place in the list of members who attended fewer.
    dropped_out: a tournament that a player left early counts.
    before_joining: tournaments before a player joined the season count.
    games: the games that tiebreakers consider.
    after_end: whether a correction after the end of the season changes ranks or is for information only.
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
    """The order of members: criteria in order, higher values first. Members equal in all share a rank."""

    criteria: list[Criterion]


class Eligibility(Part, frozen=True):
    """Members who may be promoted and invited to the final. Empty lists admit all.

    minimum: tournaments to attend.
    disqualified: whether a member disqualified in a tournament is excluded.
    """

    minimum: int = 0
    venues: list[str] = []
    clubs: list[str] = []
    divisions: list[str] = []
    disqualified: Literal["out", "stays"] = "out"


class Division(Part, frozen=True):
    """A division. up, down: members who move to the division above and below. size: maximum size; 0 if open."""

    name: str
    up: int = 0
    down: int = 0
    size: int = 0


class Divisions(Part, frozen=True):
    """The divisions, highest first; without divisions, or if unused, the season is one.

    ties: rule for ties at a line of promotion or relegation.
    entry: division of a new member.
    inactive: rule for members who attended fewer tournaments than the minimum.
    """

    divisions: list[Division] = []
    used: bool = True
    ties: Ties = "staff"
    entry: Literal["lowest", "highest"] = "lowest"
    inactive: Literal["as_ranked", "down", "stays"] = "as_ranked"


class Final(Part, frozen=True):
    """The cut to a final.

    to: number of players; 0 for no final.
    per: for the whole season or for each division.
    ties: rule for ties at the line.
    minimum: tournaments to attend.
    replaced: the next member is invited if one declines.
    """

    to: int = 0
    per: Literal["season", "division"] = "season"
    ties: Ties = "staff"
    minimum: int = 0
    replaced: bool = True


class Rating(Part, frozen=True):
    """A rating from the games between members.

    initial: rating of a new member.
    period: number of tournaments rated together, in order; 0 for the whole season.
    k: factor of Elo.
    deviation, volatility, tau: parameters of Glicko-2; the last two are decimals.
    idle: whether the deviation of a member grows in a period without games.
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
    """The rules by which a season is scored, ranked and ended. chosen: the options that were applied."""

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
        """The divisions in use, highest first; empty without divisions."""
        return [division.name for division in self.divisions.divisions if self.divisions.used]


# Build the decoder at import: msgspec 0.22 crashes if several threads use a type for the first time at once.
msgspec.json.Decoder(SeasonRuleset)


GameKind = Literal["game", "bye", "forfeit"]
"""A `forfeit` was not played by one side. Only a `game` is rated and counts as a win over an opponent."""

ExclusionReason = Literal[
    "", "not_best", "absent", "dropped_out", "disqualified", "before_joining", "other_division", "twice"
]
"""Why a result does not count; empty if it counts.

`not_best`: not among the best n. `twice`: the member has a better result in the same tournament, from another entry.
"""

IneligibilityReason = Literal["left", "disqualified", "too_few", "venue", "club", "division"]
"""Why a member is not eligible. `left`: dropped from the season. `too_few`: attended too few tournaments."""


class Entered(Struct, frozen=True, gc=False):
    """A member's entry in a tournament."""

    tournament: str
    entry: str


class Member(Struct, frozen=True):
    """A player of the season with all its entries. Merged identities are one member.

    division: empty if the season has none.
    joined: order of the first tournament after joining; 0 if a member from the start.
    """

    player: str
    entries: tuple[Entered, ...] = ()
    division: str = ""
    venue: str = ""
    club: str = ""
    status: Status = "active"
    joined: int = 0


class GamePlayed(Struct, frozen=True, gc=False):
    """A game from the point of view of one entry. A session of a co-op event is a game without an opponent.

    opponent: the other entry; empty if there is none.
    score, against: points of the game in the tournament's own measure.
    """

    outcome: Outcome
    opponent: str = ""
    kind: GameKind = "game"
    score: int = 0
    against: int = 0


class Result(Struct, frozen=True):
    """The result of an entry in a tournament.

    place: from 1, shared by equals; 0 if not placed.
    score: points in the tournament's own measure.
    attended: the player played a game, had a bye or checked in.
    """

    entry: str
    place: int
    score: int = 0
    games: tuple[GamePlayed, ...] = ()
    status: Status = "active"
    attended: bool = True


class TournamentResults(Struct, frozen=True):
    """A tournament of the season with the results of all its entries, claimed or not.

    order: its place in the order of the season, from 1.
    weight: per cent, if set by hand (see `Weights.by_hand`).
    division: the division whose members it is for; empty for all.
    field: number of players; 0 for the number who attended.
    """

    tournament: str
    order: int
    results: tuple[Result, ...] = ()
    format: str = "swiss"
    tier: str = ""
    weight: int | None = None
    division: str = ""
    field: int = 0


class CountedResult(Struct, frozen=True):
    """A result of a member with its points.

    place: the place that the points are for (see `PlacePoints.places`).
    field: number of players.
    points: weighted points. weight: per cent.
    reason: why it does not count.
    """

    tournament: str
    order: int
    entry: str
    place: int
    field: int
    points: Value
    weight: int
    reason: ExclusionReason


class ShownRating(Struct, frozen=True):
    """A rating as shown and recorded: decimals with two places, the volatility with six.

    games: number of rated games.
    deviation, volatility: for Glicko-2; empty for Elo.
    """

    rating: str
    games: int
    deviation: str = ""
    volatility: str = ""


class SeasonRow(Struct, frozen=True):
    """A row of the table.

    rank: from 1 in the division, shared by equals. overall: rank among all members.
    values: column -> value.
    compared: values that decided the rank, one for each criterion until no one was equal.
    results: every result, in the order of the tournaments.
    attended: number of tournaments attended.
    listed_last: attended too few tournaments to be ranked with the others.
    barred: reasons why the member is not eligible.
    """

    rank: int
    overall: int
    player: str
    division: str
    points: Value
    values: dict[str, Value]
    tied: bool
    attended: int
    results: tuple[CountedResult, ...]
    compared: tuple[Value, ...] = ()
    listed_last: bool = False
    barred: tuple[IneligibilityReason, ...] = ()
    status: Status = "active"
    rating: ShownRating | None = None

    @property
    def eligible(self) -> bool:
        """True if the member may be promoted and invited."""
        return not self.barred


class SeasonTable(Struct, frozen=True):
    """The ranked table: rows division by division, highest first. tournaments: number of tournaments."""

    columns: tuple[str, ...]
    rows: tuple[SeasonRow, ...]
    tournaments: int

    def row(self, player: str) -> SeasonRow | None:
        """Return the row of a member, or None if there is none."""
        return next((row for row in self.rows if row.player == player), None)
