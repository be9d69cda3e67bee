"""Rosters that were opened: each is legal by the ruleset under which it was handed in.

Before that the log has digests alone, and registration's word for it. That a value fits its digest is part of the
decision that opened it (`OpenRosters`).
"""

from __future__ import annotations

from datetime import date
from typing import Any

from msgspec import Struct

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs, as_seen
from shared.refusals import expects
from shared.swiss.games import ruleset_of
from shared.swiss.roster import check_roster
from shared.swiss.ruleset import Ruleset
from shared.tournament.registration import RostersOpened, RosterSubmitted
from shared.tournament.state import Tournament


class _HandedIn(Struct):
    """A roster that registration took without showing it. sealed: the fields that are not open yet.

    ruleset, first_day: as they were when it was handed in.
    """

    event: DecodedEvent
    roster: dict[str, Any]
    sealed: set[str]
    ruleset: Ruleset
    first_day: date | None


def audit_opened_rosters(logs: Logs, findings: Findings) -> None:
    """Check every roster that is open as a whole. Raises CannotFold."""
    known: dict[str, _HandedIn] = {}
    for heard, state in as_seen(logs, "registration"):
        match heard.event:
            case RosterSubmitted() as submitted:
                known.pop(submitted.player, None)
                if submitted.sealed:
                    known[submitted.player] = _handed_in(heard, submitted, state)
            case RostersOpened() as event:
                for opened in event.rosters:
                    if one := known.get(opened.player):
                        one.roster |= opened.roster
                        one.sealed -= opened.salts.keys()
                        if not one.sealed:
                            _check(one, findings)


def _handed_in(heard: DecodedEvent, submitted: RosterSubmitted, state: Tournament) -> _HandedIn:
    starts_on = state.entries.starts_on
    first_day = date.fromisoformat(starts_on) if starts_on else None
    ruleset = ruleset_of(state.entries)
    return _HandedIn(heard, dict(submitted.roster), set(submitted.sealed), ruleset, first_day)


def _check(one: _HandedIn, findings: Findings) -> None:
    for fault in check_roster(one.ruleset, one.roster, one.first_day):
        expected = expects("roster-by-clause", right=fault.expected, clause=fault.clause)
        findings.fail("roster", one.event, f"a roster with {fault.where}: {fault.said}", expected)
