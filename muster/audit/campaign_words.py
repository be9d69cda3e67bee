"""Words about results of a campaign: each by somebody who sat in the game; a report is confirmed by another side."""

from __future__ import annotations

from typing import Any

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs, as_seen
from shared.events.actors import actor_of
from shared.tournament.events.pairing import Seat
from shared.tournament.events.scoring import ResultConfirmed, ResultDisputed, ResultReported, RulingAppealed
from shared.tournament.state import Tournament

WORDS = (ResultReported, ResultConfirmed, ResultDisputed, RulingAppealed)
CLAUSE = "FS-REP-5"


def audit_words(logs: Logs, findings: Findings) -> None:
    """Whose word each is, by the place in the pairing that it names; 0 is the staff's."""
    for heard, state in as_seen(logs, "scoring"):
        event: Any = heard.event
        if isinstance(event, WORDS):
            round = state.rounds.rounds.get(event.round)
            seat = round.seats.get(event.game) if round else None
            if seat is None:
                findings.fail("people", heard, f"a word about {event.game}", f"a game of round {event.round}")
            elif event.side:
                _word(heard, event, seat, state, findings)


def _word(heard: DecodedEvent, event: Any, seat: Seat, state: Tournament, findings: Findings) -> None:
    players, actor = seat.players, actor_of(heard.actor)
    if event.side > len(players):
        findings.fail("people", heard, f"side {event.side} of {event.game}", f"1 to {len(players)} ({CLAUSE})")
        return
    who = players[event.side - 1]
    if actor.role == "player" and actor.name != who:
        findings.fail("people", heard, f"the word of {who}, said by {actor.name}", f"{who} ({CLAUSE})")
    known = state.results.results.get(event.game)
    if isinstance(event, ResultConfirmed) and known is not None and known.side:
        reporter = players[known.side - 1]
        if who in (reporter, *seat.allies_of(reporter)):
            said = f"{event.game}, reported by {reporter}, confirmed by {who}"
            wanted = f"one of {', '.join(seat.rivals_of(reporter))}, or staff ({CLAUSE})"
            findings.fail("people", heard, said, wanted)
