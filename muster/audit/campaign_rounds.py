"""Rounds of a campaign computed again: who meets whom, the table, the end of each, the winner. FS-RND, FS-LGE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from muster.audit.findings import Findings, misfit
from muster.audit.outcomes import refuse_stale_winner
from muster.audit.replay import CannotFold, DecodedEvent, Logs, as_seen
from muster.audit.standings import Pages, compare_page
from shared.events.recorded import GENESIS
from shared.formats.campaign.league import as_rows, table_after, waiting
from shared.formats.campaign.league_pairing import pairings_of
from shared.formats.campaign.rules.pairing import FEWEST_IN_SIDES
from shared.formats.campaign.ruleset import campaign_of
from shared.tournament.events.pairing import PairingAmended, PairingsDrawn, RoundPaired, Seat
from shared.tournament.events.scoring import ResultCorrected, RoundClosed, StandingsRecorded, TournamentConcluded
from shared.tournament.final_results import first_of, winner_of_first
from shared.tournament.state import Tournament


def audit_rounds(logs: Logs, findings: Findings) -> None:
    """Compare every round that was not paired by hand, every table and the winner with what follows from the logs."""
    for part in (_paired, _tables):
        try:
            part(logs, findings)
        except CannotFold as stopped:
            findings.fail("fold", stopped.event, str(stopped), "something possible; nothing behind it was recomputed")


def _paired(logs: Logs, findings: Findings) -> None:
    pages = 0
    for heard, state in as_seen(logs, "pairing"):
        event = heard.event
        if isinstance(event, PairingsDrawn):
            pages += 1
            if event.page != pages:
                findings.fail("pairing", heard, f"page {event.page}", f"page {pages}")
            _sides(heard, event.pairings, findings)
        elif isinstance(event, PairingAmended):
            _sides(heard, event.pairings, findings)
        elif isinstance(event, RoundPaired):
            pages = 0
            try:
                _round(heard, event, state, findings)
            except Exception as error:  # a table or a ruleset that the rules cannot work with
                said = f"round {event.round}: {misfit(error, event)}"
                findings.fail("pairing", heard, said, "a round that can be paired (FS-RND-2)")


def _round(heard: DecodedEvent, event: RoundPaired, state: Tournament, findings: Findings) -> None:
    """A round as the rules pair it, each venue for itself where it was; everybody has a game, a bye or a reason."""
    seats = state.rounds.drawn
    if event.games != len(seats):
        findings.fail("pairing", heard, f"round {event.round} of {event.games} games", f"{len(seats)}, as on its pages")
    recorded = state.results.recorded.get(event.round - 1)
    made_from = recorded.position if recorded else 0
    if event.made_from != made_from:
        found = f"round {event.round} made from scoring {event.made_from}"
        findings.fail("pairing", heard, found, f"scoring {made_from}")
    known = {player for seat in seats for player in seat.players}
    known.update(player for players in event.left_out.values() for player in players)
    if forgotten := [player.id for player in state.entries.active() if player.id not in known]:
        said = f"round {event.round} without {', '.join(forgotten[:8])}"
        findings.fail("pairing", heard, said, "a game, a bye or a reason for everybody (FS-RND-2)")
    if event.method == "manual":
        findings.counts["by hand"] += 1
        return
    right: dict[str, str] = {}
    for pairing in pairings_of(state, event.round, _parts(state, seats)):
        right |= _meets(pairing.sides or tuple((player,) for player in pairing.players))
    findings.counts["pairings"] += 1
    found_ = _met(seats)
    if wrong := [id for id in sorted(found_.keys() | right.keys()) if found_.get(id) != right.get(id)]:
        first = wrong[0]
        more = f" ({len(wrong)} groups differ)" if len(wrong) > 1 else ""
        clause = "FS-RND-3" if "bye" in (found_.get(first), right.get(first)) else "FS-RND-2"
        if any(" and " in told.get(first, "") for told in (found_, right)):
            clause = "FS-RND-5"
        said = f"round {event.round}: {first} meets {found_.get(first, 'nobody')}"
        findings.fail("pairing", heard, said, f"{first} meets {right.get(first, 'nobody')}{more} ({clause})")


def _parts(state: Tournament, seats: Iterable[Seat]) -> list[set[str]]:
    """The groups that were paired among themselves: of one venue each, or all."""
    parts: dict[str, set[str]] = {}
    for seat in seats:
        venue = seat.venue if state.entries.pairing_scope == "venue" else ""
        parts.setdefault(venue, set()).update(seat.players)
    return list(parts.values())


def _met(seats: Iterable[Seat]) -> dict[str, str]:
    met: dict[str, str] = {}
    for seat in seats:
        met |= _meets(seat.sides or [[player] for player in seat.players])
    return met


def _meets(sides: Sequence[Sequence[str]]) -> dict[str, str]:
    """Group -> the rivals that it meets in a game, in words; one alone has a bye."""
    return {
        group: " and ".join(rival for other in sides if other is not side for rival in other) or "bye"
        for side in sides
        for group in side
    }


def _sides(heard: DecodedEvent, seats: Iterable[Seat], findings: Findings) -> None:
    """A game that has sides has two or more, of three groups or more, each once; it is known by the first two."""
    for seat in seats:
        again = [group for group, times in Counter(seat.players).items() if times > 1]
        known = [side[0] for side in seat.sides[:2] if side] == [seat.player_1, seat.player_2]
        possible = seat.kind == "game" and all(seat.sides) and len(seat.players) >= FEWEST_IN_SIDES
        if seat.sides and (again or not known or not possible):
            said = f"{seat.game} of {' against '.join(' and '.join(side) or 'nobody' for side in seat.sides)}"
            findings.fail("pairing", heard, said, "two sides or more, of three groups or more, each once (FS-RND-5)")


class _Command(Struct):
    """One command of scoring. seed: the hash of what the log held before it. pages: of a table that is on its way.

    unclosed: rounds with a table that are open yet. correction: of a result; stale: closed rounds that it left behind.
    """

    id: str = ""
    seed: str = GENESIS
    pages: Pages | None = None
    unclosed: dict[int, DecodedEvent] = field(default_factory=dict)
    correction: DecodedEvent | None = None
    stale: set[int] = field(default_factory=set)

    def finish(self, state: Tournament, findings: Findings) -> None:
        """Refuse what a whole command would not have left undone. state: after it."""
        if self.pages is not None and self.pages.page != self.pages.pages:
            said = f"round {self.pages.round} ends with page {self.pages.page}"
            findings.fail("standings", self.pages.last, said, f"{self.pages.pages} pages")
        for round, heard in self.unclosed.items():
            findings.fail("closing", heard, f"standings of round {round}, which is open", "its closing just after")
        if self.correction is not None and self.stale:
            rounds = ", ".join(map(str, sorted(self.stale)))
            said = "a correction that leaves standings as they were"
            findings.fail("standings", self.correction, said, f"those of round {rounds} anew (FS-LGE-3)")
        if state.results.concluded:
            refuse_stale_winner(self.correction, state, findings)


def _tables(logs: Logs, findings: Findings) -> None:
    """The league table of each round, page by page; that a round is closed with it, and over; the winner."""
    command, ended = _Command(), Tournament()
    for heard, state in as_seen(logs, "scoring"):
        ended = state
        if heard.command_id != command.id:
            command.finish(state, findings)
            command = _Command(heard.command_id, heard.prev_hash if heard.position > 1 else GENESIS)
        event = heard.event
        if isinstance(event, StandingsRecorded):
            command.pages = _standings(heard, event, state, command, findings)
            command.stale.discard(event.round)
            if event.round not in state.results.closed:
                command.unclosed.setdefault(event.round, heard)
        elif isinstance(event, RoundClosed):
            if command.unclosed.pop(event.round, None) is None:
                said = f"round {event.round} closed without standings"
                findings.fail("closing", heard, said, "its standings just before (FS-LGE-3)")
            _closed(heard, event, state, findings)
        elif isinstance(event, ResultCorrected):
            command.correction = heard
            command.stale = {number for number in state.results.closed if number >= event.round}
        elif isinstance(event, TournamentConcluded):
            _winner(heard, event, state, command.seed, findings)
    command.finish(ended, findings)


def _standings(
    heard: DecodedEvent, event: StandingsRecorded, state: Tournament, command: _Command, findings: Findings
) -> Pages | None:
    if event.seed != command.seed:
        said = f"round {event.round}: seed {event.seed or 'not there'}"
        findings.fail("seed", heard, said, f"{command.seed}, the hash before this command")
    pages = command.pages
    if event.page == 1 or pages is None:
        findings.counts["standings"] += 1
        try:
            rows = as_rows(table_after(state, event.round))
        except Exception as error:  # facts or a ruleset that the rules cannot work with
            said = f"round {event.round}: {misfit(error, event)}"
            findings.fail("standings", heard, said, "results that can be ranked (FS-LGE-2)")
            return None
        pages = Pages(event.round, event.pages, rows, heard)
    compare_page(pages, heard, event, findings)
    return pages


def _closed(heard: DecodedEvent, event: RoundClosed, state: Tournament, findings: Findings) -> None:
    """Every game of a round binds, and every group that plays has closed step 9. FS-RND-1, FS-LGE-3."""
    round = state.rounds.rounds.get(event.round)
    if round is None:
        findings.fail("closing", heard, f"round {event.round} closed", "a round that scoring had seen paired")
        return
    if event.games != len(round.seats):
        findings.fail("closing", heard, f"round {event.round} with {event.games} games", f"{len(round.seats)} games")
    if late := waiting(state, event.round):
        said = f"round {event.round} closed before {', '.join(late[:8])}"
        findings.fail("closing", heard, said, "step 9 of every group closed (FS-RND-1)")


def _winner(heard: DecodedEvent, event: TournamentConcluded, state: Tournament, seed: str, findings: Findings) -> None:
    """The first of the last standings, as recorded; by a draw where several share the place. FS-LGE-2, FS-LGE-3."""
    number = max(state.results.closed, default=0)
    recorded = state.results.recorded.get(number)
    if event.rounds != number or recorded is None:
        findings.fail("winner", heard, f"concluded after {event.rounds} rounds", f"{number}, as are closed")
        return
    planned = campaign_of(state.entries, number).options.rounds
    if number < planned and not event.early:
        findings.fail("winner", heard, f"concluded after {number} rounds", f"{planned}, or a reason (FS-LGE-3)")
    winner, draws = winner_of_first(first_of(recorded.rows), number, seed)
    findings.counts["winners"] += 1
    if event.winner != winner:
        findings.fail("winner", heard, f"winner {event.winner or 'nobody'}", f"{winner or 'nobody'} (FS-LGE-2)")
    elif event.draws != draws:
        findings.fail("draw", heard, f"{len(event.draws)} draws for the title", f"{len(draws)}, by seed {seed[:8]}…")
