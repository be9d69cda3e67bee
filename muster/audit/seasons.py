"""A season beside its tournaments: what it took is what their logs gave, as far as these are at hand."""

from __future__ import annotations

from collections.abc import Mapping

from muster.audit.findings import Findings
from muster.audit.replay import CannotFold, DecodedEvent, Logs, take
from shared.formats.by_format import results_of
from shared.formats.season.scoring_events import SeasonResultsTaken
from shared.tournament.final_results import ResultRow
from shared.tournament.state import Tournament

Pages = list[tuple[DecodedEvent, SeasonResultsTaken]]


def audit_taken(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Compare every result that a season took with its tournament's logs, as they were then.

    tournaments: id -> its logs. What was taken of others is counted as not compared.
    """
    pages: Pages = []
    for heard in season.get("scoring", ()):
        if not isinstance(heard.event, SeasonResultsTaken):
            continue
        if heard.event.page == 1:
            pages = []
        pages.append((heard, heard.event))
        if heard.event.page == heard.event.pages:
            _compare(pages, tournaments, findings)


def _compare(pages: Pages, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    first, taken = pages[0]
    logs = tournaments.get(taken.tournament)
    if logs is None:
        findings.counts["tournaments not at hand"] += 1
        return
    findings.counts["results compared"] += 1
    for end in taken.heads:
        log = logs.get(end.source, ())
        there = next((heard.hash for heard in log if heard.position == end.position), "no such event")
        if there != end.hash:
            said = f"{taken.tournament} as of {end.source} {end.position}, {end.hash}"
            findings.fail("results", first, said, f"{there}, in the log of that tournament")
            return
    rows = [row for _, page in pages for row in page.rows]
    try:
        due = results_of(_as_of(logs, {end.source: end.position for end in taken.heads}))
    except CannotFold as stopped:
        findings.fail("results", first, f"results of {taken.tournament}", f"none: {stopped}")
        return
    for found, right in zip([*rows, None], [*due, None], strict=False):
        if found != right:
            findings.fail("results", first, f"{taken.tournament}: {_told(found)}", _told(right))
            return


def _as_of(logs: Logs, ends: Mapping[str, int]) -> Tournament:
    state = Tournament()
    for source in ("registration", "pairing", "scoring"):
        for heard in logs.get(source, ()):
            if heard.position <= ends.get(source, 0):
                take(state, heard)
    return state


def _told(row: ResultRow | None) -> str:
    return f"{row}"[:300] if row is not None else "nothing more"
