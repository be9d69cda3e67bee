"""The rankings of a co-operative event made again, from what the log held before each was published."""

from __future__ import annotations

from muster.audit.findings import Findings
from muster.audit.misfit import misfit
from muster.audit.replay import DecodedEvent
from shared.formats.coop.at_tables import ranking_after
from shared.formats.coop.scoring_events import CoopRankingPublished
from shared.tournament.state import Tournament


class Rankings:
    """Rankings as they are published page by page, each computed again from what the log held before it."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._pages: list[CoopRankingPublished] = []
        self._last: DecodedEvent | None = None

    def take(self, heard: DecodedEvent, event: CoopRankingPublished, state: Tournament) -> None:
        """One more page; with the last one the whole is compared. AB-RNK-1 to AB-RNK-8."""
        due = (self._pages[-1].round, self._pages[-1].page + 1, self._pages[-1].pages) if self._pages else None
        if (event.round, event.page, event.pages) != (due or (event.round, 1, event.pages)):
            number = f"round {due[0]}, page {due[1]} of {due[2]}" if due else f"round {event.round}, page 1"
            said_of = f"round {event.round}, page {event.page} of {event.pages}"
            self._findings.fail("ranking", heard, said_of, number)
        self._pages.append(event)
        self._last = heard
        if event.page == event.pages:
            self._compare(heard, event.round, state)
            self._pages = []

    def end(self) -> None:
        """A command is over: a ranking of which pages are missing is none."""
        if self._pages and self._last is not None:
            last = self._pages[-1]
            told = f"round {last.round}: page {last.page} of {last.pages} is the last"
            self._findings.fail("ranking", self._last, told, f"{last.pages} pages")
        self._pages = []

    def _compare(self, heard: DecodedEvent, round: int, state: Tournament) -> None:
        self._findings.counts["rankings"] += 1
        try:
            due = ranking_after(state, round)
        except Exception as error:  # sessions that the rules cannot rank
            told = f"round {round}: {misfit(error)}"
            self._findings.fail("ranking", heard, told, "sessions to rank")
            return
        tables = [row for page in self._pages for row in page.tables]
        survivors = [row for page in self._pages for row in page.survivors]
        for found, right in zip([*tables, *survivors, None], [*due.tables, *due.survivors, None], strict=False):
            if found != right:
                self._findings.fail("ranking", heard, f"round {round}: {found}", f"{right}")
                return
