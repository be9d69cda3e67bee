"""Events that scoring owns of a season: results as taken from the tournaments, standings, divisions, the final."""

from __future__ import annotations

from shared.log.event import Actor, Event, Part
from shared.tournament.placings import ResultRow


class LogEnd(Part, frozen=True, kw_only=True):
    """Where a log of a tournament ended when its results were taken."""

    source: str
    position: int
    hash: str


class ChangedBy(Part, frozen=True, kw_only=True):
    """An event of a tournament that changed its results after they had been taken."""

    id: str
    type: str
    time: str
    actor: Actor
    reason: str = ""


class SeasonResultsTaken(Event, frozen=True, kw_only=True):
    """A page of a tournament's results as the season counts them from now on, in place of those taken before.

    reason: "concluded", or "corrected" where they were taken before. heads and causes are on the first page.
    told: the season is over and its standings stand; the results are only told.
    """

    tournament: str
    reason: str
    page: int
    pages: int
    rows: list[ResultRow]
    heads: list[LogEnd] = []
    causes: list[ChangedBy] = []
    told: bool = False


class RatingShown(Part, frozen=True, kw_only=True):
    """A rating as decimals; games: those it was made from."""

    rating: str
    games: int
    deviation: str = ""
    volatility: str = ""


class ResultCounted(Part, frozen=True, kw_only=True):
    """What a tournament brought to a row. order: its place among the others. points: exact, as "p/q" or whole.

    reason: why it does not count, empty where it does. field: players. weight: per cent.
    """

    tournament: str
    entry: str
    order: int
    points: int | str
    place: int = 0
    field: int = 0
    weight: int = 100
    reason: str = ""


class SeasonRowRecorded(Part, frozen=True, kw_only=True):
    """A line of the standings. rank: from 1 in its division, shared by equals; overall: among all. values: exact.

    was: the rank in the standings recorded before, where it was another one; 0: there was none.
    """

    rank: int
    overall: int
    player: str
    points: int | str
    division: str = ""
    values: dict[str, int | str] = {}
    tied: bool = False
    attended: int = 0
    results: list[ResultCounted] = []
    listed_last: bool = False
    barred: list[str] = []
    status: str = "active"
    rating: RatingShown | None = None
    was: int | None = None


class StandingsCause(Part, frozen=True, kw_only=True):
    """A tournament whose results moved the standings, and why they were taken."""

    tournament: str
    reason: str


class SeasonStandingsRecorded(Event, frozen=True, kw_only=True):
    """A page of the standings of a season as computed. number: counts them from 1.

    causes: tournaments whose results are other ones than in the standings before. registration: how far its log was
    read, so that what changed about tournaments and players stands between this position and the one before. Both
    are on the first page.
    """

    number: int
    page: int
    pages: int
    rows: list[SeasonRowRecorded]
    causes: list[StandingsCause] = []
    registration: int = 0


class DivisionMove(Part, frozen=True, kw_only=True):
    """Somebody who begins the next season in another division. rank: in the one that they leave.

    reason: promoted, relegated, or inactive.
    """

    player: str
    division: str
    to: str
    rank: int
    reason: str
    clause: str = ""


class DivisionsDecided(Event, frozen=True, kw_only=True):
    """Who goes up and down at the end of the season, all of them. named: whom staff named in ties at a line."""

    moves: list[DivisionMove]
    named: list[str] = []


class FinalCutMade(Event, frozen=True, kw_only=True):
    """Who is invited to the final, in the order of their seeds.

    standings: the number of those it was made from. named: whom staff named in ties at the line.
    """

    invited: list[str]
    standings: int
    named: list[str] = []


class InvitationAccepted(Event, frozen=True, kw_only=True):
    """Somebody who was invited will play the final."""

    player: str


class InvitationDeclined(Event, frozen=True, kw_only=True):
    """Somebody who was invited will not play the final; `replaced_by` is invited instead, if there is anybody.

    named: whom staff named in a tie for that place.
    """

    player: str
    replaced_by: str = ""
    reason: str = ""
    named: list[str] = []


OF_SCORING = (
    SeasonResultsTaken,
    SeasonStandingsRecorded,
    DivisionsDecided,
    FinalCutMade,
    InvitationAccepted,
    InvitationDeclined,
)
