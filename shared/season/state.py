"""Scoring's part of a season: results taken, standings, divisions and the final, with their events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.log.event import Actor, Event, Part, StoredEvent
from shared.tournament.format import ResultRow
from shared.tournament.state import FormatState, Slice


class LogEnd(Part, frozen=True, kw_only=True):
    """The end of a log of a tournament when its results were taken.

    - `source`: the service that owns the log.
    - `position`: position of the last event read.
    - `hash`: hash of that event.
    """

    source: str
    position: int
    hash: str


class ChangedBy(Part, frozen=True, kw_only=True):
    """An event of a tournament that changed its results after they had been taken.

    - `id`: id of the event.
    - `type`: type of the event.
    - `time`: when it was appended.
    - `actor`: who acted.
    - `reason`: the reason given in the event.
    """

    id: str
    type: str
    time: str
    actor: Actor
    reason: str = ""


class SeasonResultsTaken(Event, frozen=True, kw_only=True):
    """The season took over the results of a tournament, replacing any taken before. One event is one page.

    - `tournament`: id of the tournament.
    - `reason`: `concluded`, or `corrected` if its results were taken before.
    - `page`: number of the page, from 1.
    - `pages`: number of pages.
    - `rows`: results on this page.
    - `heads`: on the first page, the end of each log that was read.
    - `causes`: on the first page, the events that changed the results since they were last taken.
    - `told`: true if the season had ended: the results are for information and change no standings.
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
    """A rating, as decimals in text.

    - `rating`: the rating.
    - `games`: number of rated games.
    - `deviation`: Glicko-2 deviation; empty for Elo.
    - `volatility`: Glicko-2 volatility; empty for Elo.
    """

    rating: str
    games: int
    deviation: str = ""
    volatility: str = ""


class ResultCounted(Part, frozen=True, kw_only=True):
    """The result of one tournament in a row of the standings.

    - `tournament`: id of the tournament.
    - `entry`: id of the player in the tournament.
    - `order`: place of the tournament in the order of the season, from 1.
    - `points`: weighted points, exact: a whole number, or "p/q".
    - `place`: the place that the points are for; 0 if there is none.
    - `field`: number of players.
    - `weight`: weight in per cent.
    - `reason`: why the result does not count; empty if it counts.
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
    """A row of the standings.

    - `rank`: rank in the division, from 1; equal members share it.
    - `overall`: rank among all members, from 1.
    - `player`: id of the player of the season.
    - `points`: points of the results that count, exact: a whole number, or "p/q".
    - `division`: name of the division; empty if the season has none.
    - `values`: column of the ruleset -> value, exact.
    - `tied`: true if another member shares the rank.
    - `attended`: number of tournaments attended.
    - `results`: every result, in the order of the tournaments.
    - `listed_last`: true if it comes after the ranked members: too few tournaments attended, or disqualified.
    - `barred`: reasons why the member is not eligible; empty if it is.
    - `status`: `active`, `dropped` or `disqualified`.
    - `rating`: the rating; absent if the season has none.
    - `was`: the rank in the previous standings, if it differs; 0 if there was none.
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
    """A tournament whose results changed the standings.

    - `tournament`: id of the tournament.
    - `reason`: why its results were taken.
    """

    tournament: str
    reason: str


class SeasonStandingsRecorded(Event, frozen=True, kw_only=True):
    """Standings of a season were recorded. One event is one page.

    - `number`: number of the standings, from 1.
    - `page`: number of the page, from 1.
    - `pages`: number of pages.
    - `rows`: rows on this page.
    - `causes`: on the first page, the tournaments whose results changed since the previous standings.
    - `registration`: on the first page, the position up to which registration's log was read. Changes of tournaments
      and players are between this position and that of the previous standings.
    """

    number: int
    page: int
    pages: int
    rows: list[SeasonRowRecorded]
    causes: list[StandingsCause] = []
    registration: int = 0


class DivisionMove(Part, frozen=True, kw_only=True):
    """A move of a player to another division at the end of the season.

    - `player`: id of the player.
    - `division`: the division that the player leaves.
    - `to`: the division that the player enters.
    - `rank`: rank in the division left.
    - `reason`: `promoted`, `relegated` or `inactive`.
    - `clause`: the clause behind the move.
    """

    player: str
    division: str
    to: str
    rank: int
    reason: str
    clause: str = ""


class DivisionsDecided(Event, frozen=True, kw_only=True):
    """Promotion and relegation at the end of the season were decided.

    - `moves`: every move between divisions.
    - `named`: ids of the players whom staff named to break ties.
    """

    moves: list[DivisionMove]
    named: list[str] = []


class FinalCutMade(Event, frozen=True, kw_only=True):
    """Players were invited to the final.

    - `invited`: ids of the players, in the order of their seeds.
    - `standings`: number of the standings that the cut is based on.
    - `named`: ids of the players whom staff named to break ties.
    """

    invited: list[str]
    standings: int
    named: list[str] = []


class InvitationAccepted(Event, frozen=True, kw_only=True):
    """A player accepted the invitation to the final.

    - `player`: id of the player.
    """

    player: str


class InvitationDeclined(Event, frozen=True, kw_only=True):
    """A player declined the invitation to the final.

    - `player`: id of the player.
    - `replaced_by`: id of the player invited instead; empty if there is none.
    - `reason`: why the player declined.
    - `named`: ids of the players whom staff named to break a tie for that place.
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


class TakenResults(Struct, gc=False):
    """The results of a tournament as last taken.

    heads: source -> the end of its log at that time.
    position: position of the last page.
    """

    tournament: str
    reason: str
    rows: list[ResultRow]
    heads: dict[str, LogEnd]
    causes: list[ChangedBy]
    position: int = 0
    time: str = ""


class RecordedTable(Struct, gc=False):
    """The standings as last recorded. registration: position up to which registration's log was read."""

    number: int
    rows: list[SeasonRowRecorded]
    registration: int
    causes: list[StandingsCause]
    position: int = 0
    time: str = ""


class Final(Struct, gc=False):
    """The players of the final.

    answers: player -> `invited`, `accepted` or `declined`, in the order of invitation.
    instead: player -> the player who declined before.
    """

    answers: dict[str, str]
    standings: int
    named: list[str]
    instead: dict[str, str] = field(default_factory=dict)


class Season(FormatState):
    """State of scoring's log of a season.

    told: results that arrived after the end of a season whose standings do not change.
    coming_results, coming_table: pages received so far of an incomplete record.
    """

    taken: dict[str, TakenResults] = field(default_factory=dict)
    told: dict[str, TakenResults] = field(default_factory=dict)
    coming_results: TakenResults | None = None
    table: RecordedTable | None = None
    coming_table: RecordedTable | None = None
    moves: list[DivisionMove] = field(default_factory=list)
    moves_named: list[str] = field(default_factory=list)
    final: Final | None = None

    @property
    def has_results(self) -> bool:
        """True if results of a tournament were taken."""
        return bool(self.taken)


SEASON = Slice("season", Season)


def _take_results(season: Season, event: SeasonResultsTaken, stored: StoredEvent) -> None:
    """Collect the pages. A copy may lack the last pages; the earlier results count until all have arrived."""
    if event.page == 1:
        heads = {end.source: end for end in event.heads}
        season.coming_results = TakenResults(event.tournament, event.reason, [], heads, list(event.causes))
    coming = season.coming_results
    if coming is None:
        raise KeyError(f"page {event.page} of results without their first")
    coming.rows.extend(event.rows)
    coming.position, coming.time = stored.position, stored.time
    if event.page == event.pages:
        (season.told if event.told else season.taken)[event.tournament] = coming
        season.coming_results = None


def _record_standings(season: Season, event: SeasonStandingsRecorded, stored: StoredEvent) -> None:
    if event.page == 1:
        season.coming_table = RecordedTable(event.number, [], event.registration, list(event.causes))
    coming = season.coming_table
    if coming is None:
        raise KeyError(f"page {event.page} of standings without their first")
    coming.rows.extend(event.rows)
    coming.position, coming.time = stored.position, stored.time
    if event.page == event.pages:
        season.table, season.coming_table = coming, None


def _decide_divisions(season: Season, event: DivisionsDecided, stored: StoredEvent) -> None:
    season.moves, season.moves_named = list(event.moves), list(event.named)


def _make_cut(season: Season, event: FinalCutMade, stored: StoredEvent) -> None:
    answers = dict.fromkeys(event.invited, INVITED)
    season.final = Final(answers, event.standings, list(event.named))


def _final_of(season: Season) -> Final:
    if season.final is None:
        raise KeyError("an answer to an invitation that nobody made")
    return season.final


def _accept(season: Season, event: InvitationAccepted, stored: StoredEvent) -> None:
    _final_of(season).answers[event.player] = ACCEPTED


def _decline(season: Season, event: InvitationDeclined, stored: StoredEvent) -> None:
    final = _final_of(season)
    final.answers[event.player] = DECLINED
    final.named += event.named
    if event.replaced_by:
        final.answers[event.replaced_by] = INVITED
        final.instead[event.replaced_by] = event.player


EVOLVE: Mapping[type, Callable[[Season, Any, StoredEvent], None]] = MappingProxyType(
    {
        SeasonResultsTaken: _take_results,
        SeasonStandingsRecorded: _record_standings,
        DivisionsDecided: _decide_divisions,
        FinalCutMade: _make_cut,
        InvitationAccepted: _accept,
        InvitationDeclined: _decline,
    }
)
"""Event -> its change of the state."""
