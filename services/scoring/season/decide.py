"""Decisions about a season: results taken from its tournaments, and the standings that follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

from services.scoring.season.commands import Found, TakeResults
from shared.events.base import Event
from shared.formats.season.end import end_of
from shared.formats.season.entries import SEASON_ENTRIES
from shared.formats.season.ranking import rows_recorded, same_standings, table_of
from shared.formats.season.ruleset import season_of
from shared.formats.season.scoring_events import (
    SeasonResultsTaken,
    SeasonRowRecorded,
    SeasonStandingsRecorded,
    StandingsCause,
)
from shared.formats.season.state import SEASON, Taken
from shared.tournament.context import Context
from shared.tournament.events.pairing import PAGE
from shared.tournament.final_results import ResultRow
from shared.tournament.guards import announced
from shared.tournament.state import Tournament

Row = TypeVar("Row", ResultRow, SeasonRowRecorded)

MOST_BYTES = 200_000
"""Of the rows on one page, so that no event is larger than 256 KB."""

CONCLUDED, CORRECTED = "concluded", "corrected"


def take(state: Tournament, command: TakeResults, context: Context) -> Sequence[Event]:
    """Results that are other ones than those taken before, and the standings where they move by them.

    After the end of the season results are still taken; whether the standings follow, the ruleset says.
    """
    if announced(state).status == "cancelled":
        return []
    told = stands(state)
    events: list[Event] = []
    causes: list[StandingsCause] = []
    taken = dict(SEASON.of(state).taken)
    for found in command.found:
        if _is_news(state, found):
            why = CORRECTED if _known(state, found.tournament) else CONCLUDED
            events += _taken(found, why, told=told)
            causes.append(StandingsCause(tournament=found.tournament, why=why))
            taken[found.tournament] = Taken(found.tournament, why, found.rows, found.heads, found.because)
    if told:
        return events
    after = SEASON.replaced(state, msgspec.structs.replace(SEASON.of(state), taken=taken))
    return [*events, *_followed(after, causes, context)]


def _taken(found: Found, why: str, *, told: bool) -> list[Event]:
    """The results of one tournament, page by page."""
    heads = [found.heads[source] for source in sorted(found.heads)]
    return [
        SeasonResultsTaken(
            tournament=found.tournament,
            why=why,
            page=number,
            pages=pages,
            rows=rows,
            heads=heads if number == 1 else [],
            because=found.because if number == 1 else [],
            told=told,
        )
        for number, pages, rows in in_pages(found.rows)
    ]


def stands(state: Tournament) -> bool:
    """Whether the season is over, and its standings stand whatever is corrected."""
    return state.results.concluded and season_of(state.entries).counting.after_end == "told"


def _followed(state: Tournament, causes: Sequence[StandingsCause], context: Context) -> list[Event]:
    """The standings where they move; after the end also divisions and the title."""
    recorded: list[Event] = [*standings_anew(state, causes, context)]
    if recorded and state.results.concluded:
        recorded += end_of(state, SEASON.of(state).moves_named, context.seed, early=state.results.early)
    return recorded


def _known(state: Tournament, tournament: str) -> Taken | None:
    """The results of a tournament as they were taken, or told, last."""
    return SEASON.of(state).told.get(tournament) or SEASON.of(state).taken.get(tournament)


def _is_news(state: Tournament, found: Found) -> bool:
    """Whether results are of a tournament that counts, no older than those taken, and other ones."""
    known = _known(state, found.tournament)
    if found.tournament not in SEASON_ENTRIES.of(state).gathered:
        return False
    if known is None:
        return bool(found.rows)
    older = any(
        found.heads[source].position < end.position for source, end in known.heads.items() if source in found.heads
    )
    return not older and known.rows != found.rows


def standings_anew(
    state: Tournament, causes: Sequence[StandingsCause], context: Context
) -> list[SeasonStandingsRecorded]:
    """The standings, where they are other ones than those recorded last."""
    recorded = SEASON.of(state).table
    if recorded is None and not SEASON.of(state).taken:
        return []
    rows = rows_recorded(table_of(state), recorded)
    if recorded is not None and same_standings(rows, recorded.rows):
        return []
    return [
        SeasonStandingsRecorded(
            number=recorded.number + 1 if recorded else 1,
            page=number,
            pages=pages,
            rows=page,
            causes=list(causes) if number == 1 else [],
            registration=context.heads["registration"].position if number == 1 else 0,
        )
        for number, pages, page in in_pages(rows)
    ]


def in_pages(rows: Sequence[Row]) -> Iterator[tuple[int, int, list[Row]]]:
    """Rows in pages of at most 500, each small enough for an event: number, how many, rows. One page for none."""
    pages: list[list[Row]] = [[]]
    size = 0
    for row in rows:
        length = len(msgspec.json.encode(row))
        if pages[-1] and (len(pages[-1]) == PAGE or size + length > MOST_BYTES):
            pages.append([])
            size = 0
        pages[-1].append(row)
        size += length
    for number, page in enumerate(pages, start=1):
        yield number, len(pages), page
