"""Words about results and dice of a campaign: each by somebody whose word counts; and what rests on one word."""

from __future__ import annotations

from typing import Any

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs, as_seen, whole
from shared.events.actors import actor_of
from shared.formats.campaign.ruleset import campaign_of
from shared.formats.campaign.table_dice import OF_DICE, DiceConfirmed, DiceDisputed, DiceRuled
from shared.formats.campaign.vouched_dice import second_word, standing_of, standings_of_dice, teller, told_dice
from shared.roles import REFEREE_UP
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


MARKED = ("unconfirmed", "disputed", "rejected")
"""What is counted: nothing fails by it, since the campaign goes on."""


def audit_dice(logs: Logs, findings: Findings) -> None:
    """Every word is about a die that was told, by somebody whose word counts; then the marks that are left."""
    for heard, state in as_seen(logs, "scoring"):
        if isinstance(heard.event, OF_DICE):
            _word_about_dice(heard, state, findings)
    state = whole(logs)
    for _, standing in standings_of_dice(state, lambda round: _asked(state, round)):
        findings.counts[standing] += standing in MARKED


def _word_about_dice(heard: DecodedEvent, state: Tournament, findings: Findings) -> None:
    event, actor, known = heard.event, actor_of(heard.actor), told_dice(state)
    assert isinstance(event, DiceConfirmed | DiceDisputed | DiceRuled)
    member = state.entries.staff.get(actor.name)
    for roll in event.rolls:
        die = known.get(roll)
        if die is None:
            findings.fail("roll", heard, f"a word about {roll}", "a roll that was told before (FS-AUD-1)")
            continue
        own = member is not None and member.player != "" and member.player == teller(state, die)
        staff = actor.role in REFEREE_UP and not own and not isinstance(event, DiceDisputed)
        named = actor.name == second_word(state, die) and not isinstance(event, DiceRuled)
        if not staff and not named:
            wanted = second_word(state, die) or "nobody"
            findings.fail("people", heard, f"{roll}: a word of {actor.name}", f"of {wanted}, or of staff (FS-AUD-1)")
        standing = standing_of(state, die, _asked(state, die.round))
        if standing in ("upheld", "rejected") and not isinstance(event, DiceRuled):
            findings.fail("people", heard, f"{roll}, which is {standing}", "a ruling of staff (FS-AUD-1)")


def _asked(state: Tournament, round: int) -> bool:
    return campaign_of(state.entries, round).options.witness == "confirms"
