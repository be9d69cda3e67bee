"""What scoring's log says of a season: results as taken, standings as recorded, divisions, who is in the final."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field

from shared.formats.season import scoring_events as events
from shared.log.event import StoredEvent
from shared.tournament.placings import ResultRow
from shared.tournament.state import OfFormat, Slice

INVITED, ACCEPTED, DECLINED = "invited", "accepted", "declined"


class Taken(Struct, gc=False):
    """Results of a tournament as taken last. heads: source -> where its log ended then. position: of the last page."""

    tournament: str
    reason: str
    rows: list[ResultRow]
    heads: dict[str, events.LogEnd]
    causes: list[events.ChangedBy]
    position: int = 0
    time: str = ""


class Table(Struct, gc=False):
    """Standings as recorded last. registration: how far its log was read for them."""

    number: int
    rows: list[events.SeasonRowRecorded]
    registration: int
    causes: list[events.StandingsCause]
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


class Season(OfFormat):
    """The fold. told: results that came after the end of a season whose standings stand. coming_*: not whole yet."""

    taken: dict[str, Taken] = field(default_factory=dict)
    told: dict[str, Taken] = field(default_factory=dict)
    coming_results: Taken | None = None
    table: Table | None = None
    coming_table: Table | None = None
    moves: list[events.DivisionMove] = field(default_factory=list)
    moves_named: list[str] = field(default_factory=list)
    final: Final | None = None

    @property
    def has_results(self) -> bool:
        """Whether results of a tournament are taken."""
        return bool(self.taken)


SEASON = Slice("season", Season)


def _results(season: Season, event: events.SeasonResultsTaken, told: StoredEvent) -> None:
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


def _standings(season: Season, event: events.SeasonStandingsRecorded, told: StoredEvent) -> None:
    if event.page == 1:
        season.coming_table = Table(event.number, [], event.registration, list(event.causes))
    coming = season.coming_table
    if coming is None:
        raise KeyError(f"page {event.page} of standings without their first")
    coming.rows.extend(event.rows)
    coming.position, coming.time = told.position, told.time
    if event.page == event.pages:
        season.table, season.coming_table = coming, None


def _divisions(season: Season, event: events.DivisionsDecided, told: StoredEvent) -> None:
    season.moves, season.moves_named = list(event.moves), list(event.named)


def _cut(season: Season, event: events.FinalCutMade, told: StoredEvent) -> None:
    answers = dict.fromkeys(event.invited, INVITED)
    season.final = Final(answers, event.standings, list(event.named))


def _final(season: Season) -> Final:
    if season.final is None:
        raise KeyError("an answer to an invitation that nobody made")
    return season.final


def _accepted(season: Season, event: events.InvitationAccepted, told: StoredEvent) -> None:
    _final(season).answers[event.player] = ACCEPTED


def _declined(season: Season, event: events.InvitationDeclined, told: StoredEvent) -> None:
    final = _final(season)
    final.answers[event.player] = DECLINED
    final.named += event.named
    if event.replaced_by:
        final.answers[event.replaced_by] = INVITED
        final.instead[event.replaced_by] = event.player


EVOLVE: Mapping[type, Callable[[Season, Any, StoredEvent], None]] = MappingProxyType(
    {
        events.SeasonResultsTaken: _results,
        events.SeasonStandingsRecorded: _standings,
        events.DivisionsDecided: _divisions,
        events.FinalCutMade: _cut,
        events.InvitationAccepted: _accepted,
        events.InvitationDeclined: _declined,
    }
)
"""Event -> what it changes."""
