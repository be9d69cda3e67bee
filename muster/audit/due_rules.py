"""Rules that act by themselves: none that was due is missing."""

from __future__ import annotations

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs, as_seen
from services.registration.formats import FORMATS
from shared.events.actors import actor_of
from shared.events.command_record import begins_command
from shared.tournament.context import RULE
from shared.tournament.events.registration import PlayerDropped

RACE = 2
"""Commands of one service that may come between what makes a rule due and its act, which is a command of its own."""


def audit_due_rules(logs: Logs, findings: Findings) -> None:
    """Whoever stayed away too often was dropped once (AR-AMB-18, DW-AMB-17). Raises CannotFold."""
    due: dict[str, tuple[DecodedEvent, int]] = {}  # player -> since when registration knew that the rule was due
    acted: set[str] = set()
    commands = 0
    for heard, state in as_seen(logs, "registration"):
        if isinstance(heard.event, PlayerDropped) and actor_of(heard.actor).role == RULE:
            acted.add(heard.event.player)
        if begins_command(heard) and not state.results.concluded:
            format = FORMATS.get(state.entries.format)
            due = {player: due.get(player, (heard, commands)) for player in (format.absent(state) if format else ())}
            commands += 1
    for player, (since, before) in due.items():
        if commands - before > RACE and player not in acted:
            expected = f"a drop of {player}, who stayed away too often, by rule"
            findings.fail("rule", since, f"{commands - before} commands, and none of them drops {player}", expected)
