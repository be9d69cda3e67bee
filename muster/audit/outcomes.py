"""What single events state about people, compared with what follows from the logs: who left when, who went on, who won.

How many go on to elimination may be an organiser's decision, and cannot be computed; who they are can.
"""

from __future__ import annotations

from collections.abc import Sequence

from muster.audit.findings import Findings
from muster.audit.misfit import misfit
from muster.audit.replay import CannotFold, DecodedEvent, Logs, as_seen
from shared.events.recorded import GENESIS
from shared.formats.swiss.places import standings_of_round
from shared.formats.swiss.ranking import as_rows
from shared.tournament.events.pairing import CutMade, DrawMade
from shared.tournament.events.registration import PlayerDisqualified, PlayerDropped
from shared.tournament.events.scoring import ResultCorrected, TournamentConcluded
from shared.tournament.final_results import first_of, winner_of_first
from shared.tournament.state import Tournament


def audit_outcomes(logs: Logs, findings: Findings) -> None:
    """Replay each log as its owner saw the others, and compare what it states with what follows.

    After which round players dropped or were disqualified; the seeds of a cut; the winner, with the draw.
    """
    for audit in (_leaving, _cuts, _winners):
        try:
            audit(logs, findings)
        except CannotFold as stopped:
            findings.fail("fold", stopped.event, str(stopped), "something possible; nothing behind it was recomputed")


def _leaving(logs: Logs, findings: Findings) -> None:
    for heard, state in as_seen(logs, "registration"):
        event = heard.event
        if isinstance(event, PlayerDropped | PlayerDisqualified):
            closed = state.results.rounds_closed()
            if event.after_round != closed:
                said = f"{event.player} left after round {event.after_round}"
                findings.fail("leaving", heard, said, f"after round {closed}, the last one closed then")


def _cuts(logs: Logs, findings: Findings) -> None:
    for heard, state in as_seen(logs, "pairing"):
        if isinstance(heard.event, CutMade):
            _cut(heard, heard.event, state, findings)


def _cut(heard: DecodedEvent, event: CutMade, state: Tournament, findings: Findings) -> None:
    """The first of the standings recorded last, without those who have left, in that order. DW-CUT-1."""
    latest = state.rounds.latest()
    number = latest.number if latest else 0
    recorded = state.results.recorded.get(number)
    if event.after_round != number or recorded is None:
        findings.fail("cut", heard, f"a cut after round {event.after_round}", f"one after round {number}, once closed")
        return
    if event.made_from != recorded.position:
        findings.fail("cut", heard, f"made from scoring {event.made_from}", f"scoring {recorded.position}")
    players = state.entries.players
    ranked = [row.player for row in recorded.rows if row.player in players and players[row.player].status == "active"]
    due = ranked[: len(event.seeds)]
    for place, (found, right) in enumerate(zip(event.seeds, due, strict=False), start=1):
        if found != right:
            findings.fail("cut", heard, f"seed {place} is {found}", f"{right}, by the standings of round {number}")
            return
    if len(event.seeds) > len(due):
        findings.fail("cut", heard, f"{len(event.seeds)} seeds", f"{len(due)} at most, who are still there")


def _winners(logs: Logs, findings: Findings) -> None:
    command, seed = "", GENESIS
    correction: DecodedEvent | None = None
    ended = None
    for heard, state in as_seen(logs, "scoring"):
        ended = state
        if heard.command_id != command:
            refuse_stale_winner(correction, state, findings)
            command, correction = heard.command_id, None
            seed = heard.prev_hash if heard.position > 1 else GENESIS
        if isinstance(heard.event, ResultCorrected) and state.results.concluded:
            correction = heard
        elif isinstance(heard.event, TournamentConcluded):
            _winner(heard, heard.event, state, seed, findings)
    if ended is not None:
        refuse_stale_winner(correction, ended, findings)


def _winner(heard: DecodedEvent, event: TournamentConcluded, state: Tournament, seed: str, findings: Findings) -> None:
    """The first of the final standings, and these as they follow from the results. AR-TB-5, AR-AMB-15, AR-AMB-16."""
    number = max(state.results.closed, default=0)
    recorded = state.results.recorded.get(number)
    if event.rounds != number or recorded is None:
        findings.fail("winner", heard, f"concluded after {event.rounds} rounds", f"{number}, as are closed")
        return
    try:
        final = as_rows(standings_of_round(state, number, recorded.seed))
    except Exception as error:  # facts or a ruleset that the rules cannot work with
        findings.fail("winner", heard, misfit(error, event), "results that can be ranked")
        return
    wrong_before = any(failure.code == "standings" for failure in findings.failures)  # told of where they stand
    if final != recorded.rows and not wrong_before:
        findings.fail("winner", heard, f"concluded with standings of round {number} left behind", "those recorded anew")
    winner, draws = winner_of_first(first_of(final), number, seed)
    findings.counts["winners"] += 1
    if event.winner != winner:
        findings.fail("winner", heard, f"winner {event.winner or 'nobody'}", winner or "nobody")
    elif event.draws != draws:
        findings.fail("draw", heard, _draws_told(event.draws), _draws_told(draws))


def refuse_stale_winner(correction: DecodedEvent | None, state: Tournament, findings: Findings) -> None:
    """After a correction the winner still stands first, or another was named with it."""
    recorded = state.results.recorded.get(max(state.results.closed, default=0))
    if correction is None or recorded is None:
        return
    first = first_of(recorded.rows) or [""]
    if state.results.winner not in first:
        said = f"a correction that leaves {state.results.winner or 'nobody'} the winner"
        findings.fail("winner", correction, said, f"{' or '.join(first) or 'nobody'}, who stands first now")


def _draws_told(draws: Sequence[DrawMade]) -> str:
    return "; ".join(f"draw {draw.purpose} of {', '.join(draw.order[:8])}" for draw in draws) or "no draw"
