"""The rounds of a co-operative event: what an operator entered, who sits together, how tables rank; made again."""

from __future__ import annotations

from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_decided, as_seen
from shared.formats.coop.at_tables import ranking_after, seats_of
from shared.formats.coop.entries import COOP, OperatorDataPinned
from shared.formats.coop.rules.data import read_data
from shared.formats.coop.scoring_events import CoopRankingPublished
from shared.formats.coop.seating import SessionRoundOpened, TableSeated
from shared.refusals import Refusal
from shared.tournament.state import Tournament


def audit_data(logs: Logs, findings: Findings) -> None:
    """What the operator entered holds together, and made-up data stand in rehearsals alone. AB-OPS-1, AB-OPS-2."""
    for heard, state in as_seen(logs, "registration"):
        event = heard.event
        if not isinstance(event, OperatorDataPinned):
            continue
        due = len(COOP.of(state).data) + 1
        if event.version != due:
            findings.fail("data", heard, f"version {event.version}", f"version {due}")
        try:
            found = read_data(event.data)
        except Refusal as refusal:
            findings.fail("data", heard, refusal.detail, "data that a table can be played by")
            continue
        if found.placeholder and not state.entries.rehearsal:
            findings.fail("data", heard, "made-up data in an event that counts", "data of the game (AB-OPS-2)")


def audit_seatings(logs: Logs, findings: Findings) -> None:
    """Who sits together, drawn again. AB-SVC-2."""
    due: list[list[str]] = []
    for heard, state, seed in as_decided(logs, "pairing"):
        event = heard.event
        if isinstance(event, SessionRoundOpened):
            due = []
            if event.method == "manual":
                findings.counts["by hand"] += 1
                continue
            if event.seed != seed:
                findings.fail("seed", heard, f"seed {event.seed}", f"{seed}, the hash before this command")
            try:
                places = seats_of(state, event.round, event.seed)
            except Exception as error:  # data that nobody can be seated by
                findings.fail("seating", heard, misfit(error, event), "a round that can be seated")
                continue
            due = [survivors for _, survivors in places.tables]
            findings.counts["seatings"] += 1
            if (event.tables, event.waiting) != (len(due), places.waiting):
                told = f"{event.tables} tables, {', '.join(event.waiting) or 'nobody'} waiting"
                right = f"{len(due)} tables, {', '.join(places.waiting) or 'nobody'} waiting"
                findings.fail("seating", heard, told, right)
        elif isinstance(event, TableSeated) and due:
            right_ones = due.pop(0)
            if event.survivors != right_ones:
                findings.fail("seating", heard, ", ".join(event.survivors), ", ".join(right_ones))


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
