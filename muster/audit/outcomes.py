"""What single events state, compared with what follows from the logs.

Who left when, who went on, who won; which results are marked as improbable; which parts of a roster are sealed.

How many go on to elimination may be an organiser's decision, and cannot be computed; who they are can. What is behind
a digest no log tells, so whether that part was legal is not computed here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_decided, as_seen
from shared.formats.by_format import improbable_facts
from shared.formats.swiss.places import standings_of_round
from shared.formats.swiss.ranking import as_rows
from shared.formats.swiss.rules.openness import sealed_fields
from shared.formats.swiss.ruleset import ruleset_of
from shared.refusals import Fault
from shared.tournament.events.pairing import CutMade, DrawMade
from shared.tournament.events.registration import PlayerDisqualified, PlayerDropped, RosterSubmitted
from shared.tournament.events.scoring import (
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultRuled,
    TournamentConcluded,
)
from shared.tournament.final_results import first_of, winner_of_first
from shared.tournament.state import Tournament


def audit_leaving(logs: Logs, findings: Findings) -> None:
    """After which round players dropped or were disqualified."""
    for heard, state in as_seen(logs, "registration"):
        event = heard.event
        if isinstance(event, PlayerDropped | PlayerDisqualified):
            closed = state.results.rounds_closed()
            if event.after_round != closed:
                said = f"{event.player} left after round {event.after_round}"
                findings.fail("leaving", heard, said, f"after round {closed}, the last one closed then")


def audit_cuts(logs: Logs, findings: Findings) -> None:
    """The seeds of a cut."""
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


def audit_winners(logs: Logs, findings: Findings) -> None:
    """The winner, with the draw; that a correction did not leave behind another one."""
    command = ""
    correction: DecodedEvent | None = None
    ended = None
    for heard, state, seed in as_decided(logs, "scoring"):
        ended = state
        if heard.command_id != command:
            refuse_stale_winner(correction, state, findings)
            command, correction = heard.command_id, None
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


UNMARKED = frozenset({(kind, 1) for kind in ("ResultReported", "ResultDisputed", "ResultRuled", "ResultCorrected")})
"""Types and versions of events in which nobody could stand by what was improbable."""

ResultEvent = ResultReported | ResultDisputed | ResultRuled | ResultCorrected


def audit_improbable(logs: Logs, findings: Findings) -> None:
    """Replay scoring's log, and look again at the facts of every result that was told."""
    for heard, state in as_seen(logs, "scoring"):
        if isinstance(heard.event, ResultEvent) and (heard.type, heard.version) not in UNMARKED:
            _compare(heard, heard.event, state, findings)


def _compare(heard: DecodedEvent, event: ResultEvent, state: Tournament, findings: Findings) -> None:
    try:
        found = [] if event.facts is None else improbable_facts(state, event.facts)
    except Exception as error:  # facts that the rules cannot look at
        findings.fail("improbable", heard, misfit(error, event), "facts that can be")
        return
    if event.improbable in _right(event, found, state):
        return
    if event.improbable:
        findings.fail("improbable", heard, f"{event.game} marked as improbable", "no mark: it is probable")
    else:
        why = "; ".join(f"{fault.where} {fault.said}, where a game brings {fault.expected}" for fault in found)
        findings.fail("improbable", heard, f"{event.game} not marked as improbable", f"a mark, for {why}")


def _right(event: ResultEvent, found: list[Fault], state: Tournament) -> Collection[bool]:
    """The marks that the event may have.

    A correction in a campaign may come too late to be looked at, as nothing but the league moves; it keeps the mark.
    """
    known = state.results.results.get(event.game)
    if state.entries.format == "campaign" and isinstance(event, ResultCorrected) and known is not None:
        return {bool(found), known.improbable}
    return {bool(found)}


DIGEST = re.compile(r"[0-9a-f]{64}")


def audit_rosters(logs: Logs, findings: Findings) -> None:
    """Replay registration's log, and compare which fields of each roster are sealed with what the ruleset hides."""
    for heard, state in as_seen(logs, "registration"):
        event = heard.event
        if not isinstance(event, RosterSubmitted):
            continue
        hidden = sealed_fields(ruleset_of(state.entries).roster)
        for field in hidden:
            if field in event.roster:
                findings.fail("roster", heard, f"{field} in clear", "its digest alone")
            if not DIGEST.fullmatch(event.sealed.get(field, "")):
                said = f"{field}: {event.sealed.get(field, 'no digest')}"
                findings.fail("roster", heard, said, "a digest, 64 hexadecimal digits")
        for field in sorted(set(event.sealed) - set(hidden)):
            findings.fail("roster", heard, f"a digest of {field}", "the field in clear, as the ruleset opens it")
