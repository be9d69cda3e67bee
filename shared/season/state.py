"""The slice of scoring in a season: results taken, standings, divisions and the final, with their events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.log.event import Actor, Event, Part, StoredEvent
from shared.tournament.format import ResultRow
from shared.tournament.state import FormatState, Slice


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


SCORING_EVENTS = (
    SeasonResultsTaken,
    SeasonStandingsRecorded,
    DivisionsDecided,
    FinalCutMade,
    InvitationAccepted,
    InvitationDeclined,
)


INVITED, ACCEPTED, DECLINED = "invited", "accepted", "declined"


class Taken(Struct, gc=False):
    """Results of a tournament as taken last. heads: source -> where its log ended then. position: of the last page."""

    tournament: str
    reason: str
    rows: list[ResultRow]
    heads: dict[str, LogEnd]
    causes: list[ChangedBy]
    position: int = 0
    time: str = ""


class Table(Struct, gc=False):
    """Standings as recorded last. registration: how far its log was read for them."""

    number: int
    rows: list[SeasonRowRecorded]
    registration: int
    causes: list[StandingsCause]
    position: int = 0
    time: str = ""


class Final(Struct, gc=False):
    """The players of the final. answers: player -> invited, accepted or declined, in the order of their invitation.

    instead: who is invited in place of whom.
    """

    answers: dict[str, str]
    standings: int
    named: list[str]
    instead: dict[str, str] = field(default_factory=dict)


class Season(FormatState):
    """The fold. told: results that came after the end of a season whose standings stand. coming_*: not whole yet."""

    taken: dict[str, Taken] = field(default_factory=dict)
    told: dict[str, Taken] = field(default_factory=dict)
    coming_results: Taken | None = None
    table: Table | None = None
    coming_table: Table | None = None
    moves: list[DivisionMove] = field(default_factory=list)
    moves_named: list[str] = field(default_factory=list)
    final: Final | None = None

    @property
    def has_results(self) -> bool:
        """Whether results of a tournament are taken."""
        return bool(self.taken)


SEASON = Slice("season", Season)


def _results(season: Season, event: SeasonResultsTaken, told: StoredEvent) -> None:
    """A copy may hold the first pages and not yet the last: what was taken before counts until all are there."""
    if event.page == 1:
        heads = {end.source: end for end in event.heads}
        season.coming_results = Taken(event.tournament, event.reason, [], heads, list(event.causes))
    coming = season.coming_results
    if coming is None:
        raise KeyError(f"page {event.page} of results without their first")
    coming.rows.extend(event.rows)
    coming.position, coming.time = told.position, told.time
    if event.page == event.pages:
        (season.told if event.told else season.taken)[event.tournament] = coming
        season.coming_results = None


def _standings(season: Season, event: SeasonStandingsRecorded, told: StoredEvent) -> None:
    if event.page == 1:
        season.coming_table = Table(event.number, [], event.registration, list(event.causes))
    coming = season.coming_table
    if coming is None:
        raise KeyError(f"page {event.page} of standings without their first")
    coming.rows.extend(event.rows)
    coming.position, coming.time = told.position, told.time
    if event.page == event.pages:
        season.table, season.coming_table = coming, None


def _divisions(season: Season, event: DivisionsDecided, told: StoredEvent) -> None:
    season.moves, season.moves_named = list(event.moves), list(event.named)


def _cut(season: Season, event: FinalCutMade, told: StoredEvent) -> None:
    answers = dict.fromkeys(event.invited, INVITED)
    season.final = Final(answers, event.standings, list(event.named))


def _final(season: Season) -> Final:
    if season.final is None:
        raise KeyError("an answer to an invitation that nobody made")
    return season.final


def _accepted(season: Season, event: InvitationAccepted, told: StoredEvent) -> None:
    _final(season).answers[event.player] = ACCEPTED


def _declined(season: Season, event: InvitationDeclined, told: StoredEvent) -> None:
    final = _final(season)
    final.answers[event.player] = DECLINED
    final.named += event.named
    if event.replaced_by:
        final.answers[event.replaced_by] = INVITED
        final.instead[event.replaced_by] = event.player


EVOLVE: Mapping[type, Callable[[Season, Any, StoredEvent], None]] = MappingProxyType(
    {
        SeasonResultsTaken: _results,
        SeasonStandingsRecorded: _standings,
        DivisionsDecided: _divisions,
        FinalCutMade: _cut,
        InvitationAccepted: _accepted,
        InvitationDeclined: _declined,
    }
)
"""Event -> what it changes."""
