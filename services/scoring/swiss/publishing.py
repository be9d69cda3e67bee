"""Standings that are held back: the decisions that record and show them, now or at a time set.

The time is a private row of scoring, so that no log tells of it before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from services.scoring.tournament.commands import CancelStandingsPublication, PublishDueStandings, PublishStandings
from services.scoring.tournament.refusals import RoundNotClosed, StandingsAlreadyPublished
from services.scoring.tournament.rounds import pages_of
from services.scoring.tournament.state import running
from shared.log.event import Actor, Event
from shared.swiss.ranking import standings_held_back
from shared.tournament.guards import STANDINGS, Context, recorded_actor
from shared.tournament.results import Recorded
from shared.tournament.rounds import need_due, time_to_come
from shared.tournament.state import PrivateRow, Tournament

ROW = ("standings", "publication")
"""Kind and id of the row: a tournament has one time of publication."""


class StandingsPublication(Struct, frozen=True):
    """A time at which standings are published. set_by: by whom it was set.

    base: `Results.published` when it was set. A time with another base is superseded, or came back with an older
    database, and counts for nothing.
    """

    publish_at: str
    set_by: Actor
    base: int


def publication_of(state: Tournament) -> StandingsPublication | None:
    """Return the time at which standings that are held back are published, if one is set."""
    found, results = state.private.body(*ROW), state.results
    if not isinstance(found, StandingsPublication) or found.base != results.published or results.concluded:
        return None
    return found


def with_publication(state: Tournament) -> Tournament:
    """Return the state in which results have the time set; the state itself if there is none."""
    found = publication_of(state)
    return replace(state, results=replace(state.results, publish_at=found.publish_at)) if found else state


def complete(state: Tournament, command: PublishDueStandings) -> PublishDueStandings:
    """Return the command with the time that it acts upon, so that it can be decided from the log alone."""
    found = publication_of(state)
    return replace(command, at=found.publish_at, set_by=found.set_by) if found else command


def holds_back(state: Tournament) -> bool:
    """Return True if the standings of a round that is closed now are held back."""
    return STANDINGS in state.entries.on_purpose and not state.results.concluded


def publish(state: Tournament, command: PublishStandings, context: Context) -> Sequence[Event | PrivateRow]:
    """Record the standings of every closed round; or set the time at which that happens.

    Raises RoundNotClosed, StandingsAlreadyPublished, PublicationPast.
    """
    _need_held_back(state)
    if command.at is None:
        return _published(state)
    at, known = time_to_come(command.at, context.now), publication_of(state)
    if known and at == known.publish_at:
        return []
    return [_row(StandingsPublication(at, recorded_actor(state, context.by), state.results.published))]


def cancel(state: Tournament, command: CancelStandingsPublication, context: Context) -> Sequence[PrivateRow]:
    """Cancel the time that is set. Raises RoundNotClosed, StandingsAlreadyPublished."""
    _need_held_back(state)
    return [_row(None)] if publication_of(state) else []


def publish_due(state: Tournament, command: PublishDueStandings, context: Context) -> Sequence[Event | PrivateRow]:
    """Record standings whose time has come. Raises RoundNotClosed, StandingsAlreadyPublished, PublicationNotDue."""
    _need_held_back(state)
    need_due(command.at, context.now, "The standings are")
    return _published(state)


def _need_held_back(state: Tournament) -> None:
    """Raises RoundNotClosed, StandingsAlreadyPublished where no standings are held back."""
    running(state)
    last = state.results.rounds_closed()
    if not last:
        raise RoundNotClosed("No round is closed yet.", round=1)
    if not state.results.held_back:
        raise StandingsAlreadyPublished(f"The standings after round {last} are published.", round=last)


def _published(state: Tournament) -> list[Event | PrivateRow]:
    row = [_row(None)] if publication_of(state) else []
    return [*recorded(standings_held_back(state)), *row]


def recorded(held_back: Mapping[int, Recorded]) -> list[Event]:
    """Return the events that record standings that were held back; none where none were."""
    return [page for standings in held_back.values() for page in pages_of(standings)]


def _row(publication: StandingsPublication | None) -> PrivateRow:
    return PrivateRow(*ROW, publication, publication.publish_at if publication else "")
