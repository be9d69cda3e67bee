"""Every recorded standing computed again, from what scoring had seen when it recorded it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field

from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_decided, rounds_recorded
from shared.formats.swiss.places import standings_anew
from shared.formats.swiss.ranking import as_draws, as_rows
from shared.formats.swiss.rules.standings import Standings
from shared.tournament.events.pairing import DrawMade
from shared.tournament.events.scoring import ResultCorrected, RoundClosed, StandingRow, StandingsRecorded
from shared.tournament.state import Tournament


class Pages(Struct):
    """Standings on their way, page by page. rows: as computed; done: rows compared so far; last: the page before."""

    round: int
    pages: int
    rows: Sequence[StandingRow]
    last: DecodedEvent
    page: int = 0
    done: int = 0


class _Command(Struct):
    """One command of scoring. seed: the hash of what the log held before it.

    rounds: those whose standings it records, and computed: what they should be, or why they cannot be.
    stale: closed rounds whose standings a correction left behind; unclosed: rounds with standings that are open yet.
    """

    seed: str
    id: str
    rounds: Sequence[int] = ()
    computed: Mapping[int, Standings | str] = field(default_factory=dict)
    pages: Pages | None = None
    correction: DecodedEvent | None = None
    stale: set[int] = field(default_factory=set)
    unclosed: dict[int, DecodedEvent] = field(default_factory=dict)

    def finish_pages(self, findings: Findings) -> None:
        """Refuse standings that lack a page."""
        if self.pages is not None and self.pages.page != self.pages.pages:
            said = f"round {self.pages.round} ends with page {self.pages.page}"
            findings.fail("standings", self.pages.last, said, f"{self.pages.pages} pages")
        self.pages = None

    def finish(self, findings: Findings) -> None:
        """Refuse what a whole command would not have left undone."""
        self.finish_pages(findings)
        if self.correction is not None and self.stale:
            rounds = ", ".join(map(str, sorted(self.stale)))
            said = "a correction that leaves standings as they were"
            findings.fail("standings", self.correction, said, f"those of round {rounds} anew")
        for round, heard in self.unclosed.items():
            findings.fail("closing", heard, f"standings of round {round}, which is open", "its closing just after")


def audit_standings(logs: Logs, findings: Findings) -> None:
    """Replay scoring's log, and compare what it recorded with what follows from the logs.

    Rows, ranks, values, ties and draws; the seed of every draw; that a round was closed with its standings and
    without open games; that a correction recorded every closed round behind it anew.
    """
    command = _Command("", "")
    recording = rounds_recorded(logs)
    for heard, state, seed in as_decided(logs, "scoring"):
        if heard.command_id != command.id:
            command.finish(findings)
            command = _Command(seed, heard.command_id, recording.get(heard.command_id, ()))
        event = heard.event
        if isinstance(event, StandingsRecorded):
            _recorded(command, heard, event, state, findings)
        elif isinstance(event, RoundClosed):
            _closed(command, heard, event, state, findings)
        elif isinstance(event, ResultCorrected):
            command.correction = heard
            command.stale = {number for number in state.results.closed if number >= event.round}
    command.finish(findings)


def _recorded(
    command: _Command, heard: DecodedEvent, event: StandingsRecorded, state: Tournament, findings: Findings
) -> None:
    if event.seed != command.seed:
        said = f"round {event.round}: seed {event.seed}"
        findings.fail("seed", heard, said, f"{command.seed}, the hash before this command")
    if event.page == 1:
        command.finish_pages(findings)
        if not command.computed:  # those of a correction build on one another
            command.computed = _again(state, command.rounds, command.seed)
        command.pages = _begun(command, heard, event, findings)
        command.stale.discard(event.round)
        if event.round not in state.results.closed:
            command.unclosed[event.round] = heard
    elif event.draws:
        findings.fail("draw", heard, f"page {event.page} holds draws", "draws on the first page alone")
    if command.pages is not None:
        compare_page(command.pages, heard, event, findings)


def _again(state: Tournament, rounds: Collection[int], seed: str) -> Mapping[int, Standings | str]:
    try:
        return standings_anew(state, rounds, seed)
    except Exception as error:  # facts or a ruleset that the rules cannot work with
        return dict.fromkeys(rounds, misfit(error))


def _begun(command: _Command, heard: DecodedEvent, event: StandingsRecorded, findings: Findings) -> Pages | None:
    standings = command.computed[event.round]
    if isinstance(standings, str):
        findings.fail("standings", heard, f"round {event.round}: {standings}", "results that can be ranked")
        return None
    draws = as_draws(standings)
    findings.counts["standings"] += 1
    findings.counts["draws"] += len(draws)
    if event.draws != draws and event.seed == command.seed:
        findings.fail("draw", heard, *_draws_told(event.draws, draws))
    return Pages(event.round, event.pages, as_rows(standings), heard)


def compare_page(pages: Pages, heard: DecodedEvent, event: StandingsRecorded, findings: Findings) -> None:
    pages.page += 1
    pages.last = heard
    if (event.round, event.page, event.pages) != (pages.round, pages.page, pages.pages) or pages.page > pages.pages:
        said = f"round {event.round}, page {event.page} of {event.pages}"
        findings.fail("standings", heard, said, f"round {pages.round}, page {pages.page} of {pages.pages}")
    due = pages.rows[pages.done : pages.done + len(event.rows)]
    pages.done += len(event.rows)
    wrong = [index for index, row in enumerate(event.rows) if index >= len(due) or row != due[index]]
    if wrong:
        right = _row(due[wrong[0]]) if wrong[0] < len(due) else f"{len(pages.rows)} rows"
        more = f" ({len(wrong)} rows differ)" if len(wrong) > 1 else ""
        findings.fail("standings", heard, f"round {event.round}: {_row(event.rows[wrong[0]])}", right + more)
    elif pages.page == pages.pages and pages.done < len(pages.rows):
        right = f"{len(pages.rows)}; next: {_row(pages.rows[pages.done])}"
        findings.fail("standings", heard, f"round {event.round}: {pages.done} rows", right)


def _closed(command: _Command, heard: DecodedEvent, event: RoundClosed, state: Tournament, findings: Findings) -> None:
    if event.round not in command.unclosed:
        findings.fail("closing", heard, f"round {event.round} closed without standings", "its standings just before")
    command.unclosed.pop(event.round, None)
    round = state.rounds.rounds.get(event.round)
    if round is None:
        findings.fail("closing", heard, f"round {event.round} closed", "a round that scoring had seen paired")
        return
    if event.games != len(round.seats):
        findings.fail("closing", heard, f"round {event.round} with {event.games} games", f"{len(round.seats)} games")
    if waiting := state.open_games(event.round):
        said = f"round {event.round} closed with {len(waiting)} open games"
        findings.fail("closing", heard, said, "a binding result for every game")


def _row(row: StandingRow) -> str:
    values = ", ".join(f"{name} {value}" for name, value in row.values.items())
    marks = (["tied"] if row.tied else []) + ([row.status] if row.status != "active" else [])
    return ", ".join([f"rank {row.rank} {row.player}", *([values] if values else []), *marks])


def _draws_told(found: Sequence[DrawMade], right: Sequence[DrawMade]) -> tuple[str, str]:
    """The first draw that differs, found and expected."""
    for one, two in zip(found, right, strict=False):
        if one != two:
            return draw_told(one), draw_told(two)
    if len(found) > len(right):
        return draw_told(found[len(right)]), f"{len(right)} draws"
    return f"{len(found)} draws", f"{len(right)}; next: {draw_told(right[len(found)])}"


def draw_told(draw: DrawMade) -> str:
    """A draw in a line; of a long one the beginning."""
    order = ", ".join(draw.order[:8]) + (", …" if len(draw.order) > 8 else "")
    return f"draw {draw.purpose} of round {draw.round} by seed {draw.seed[:8]}…: {order}"
