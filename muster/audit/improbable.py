"""Marks of results that more likely were mistyped, compared with what the rules find improbable in them."""

from __future__ import annotations

from collections.abc import Collection

from muster.audit.findings import Findings
from muster.audit.misfit import misfit
from muster.audit.replay import CannotFold, DecodedEvent, Logs, as_seen
from shared.formats.by_format import improbable_facts
from shared.refusals import Fault
from shared.tournament.events.scoring import ResultCorrected, ResultDisputed, ResultReported, ResultRuled
from shared.tournament.state import Tournament

UNMARKED = frozenset({(kind, 1) for kind in ("ResultReported", "ResultDisputed", "ResultRuled", "ResultCorrected")})
"""Types and versions of events in which nobody could stand by what was improbable."""

Told = ResultReported | ResultDisputed | ResultRuled | ResultCorrected


def audit_improbable(logs: Logs, findings: Findings) -> None:
    """Replay scoring's log, and look again at the facts of every result that was told."""
    try:
        for heard, state in as_seen(logs, "scoring"):
            if isinstance(heard.event, Told) and (heard.type, heard.version) not in UNMARKED:
                _compare(heard, heard.event, state, findings)
    except CannotFold as stopped:
        findings.fail("fold", stopped.event, str(stopped), "something possible; nothing behind it was recomputed")


def _compare(heard: DecodedEvent, event: Told, state: Tournament, findings: Findings) -> None:
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


def _right(event: Told, found: list[Fault], state: Tournament) -> Collection[bool]:
    """The marks that the event may have.

    A correction in a campaign may come too late to be looked at, as nothing but the league moves; it keeps the mark.
    """
    known = state.results.results.get(event.game)
    if state.entries.format == "campaign" and isinstance(event, ResultCorrected) and known is not None:
        return {bool(found), known.improbable}
    return {bool(found)}
