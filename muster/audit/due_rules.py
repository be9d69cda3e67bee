"""Rules that act by themselves: none that was due is missing."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from muster.audit.findings import Findings
from muster.audit.replay import DecodedEvent, Logs, as_seen
from services.registration.formats import FORMATS
from shared.events.actors import actor_of
from shared.events.command_record import begins_command
from shared.tournament.context import RULE
from shared.tournament.events.registration import PlayerDropped
from shared.tournament.state import Tournament

RACE = 2
"""Commands of one service that may come between what makes a rule due and its act, which is a command of its own."""


class Due(Struct):
    """Since when registration knew that a rule was due, and how many commands it has taken since."""

    since: DecodedEvent
    commands: int = 0


def audit_due_rules(logs: Logs, findings: Findings) -> None:
    """Whoever stayed away too often was dropped once (AR-AMB-18, DW-AMB-17). Raises CannotFold."""
    due: dict[str, Due] = {}
    acted: set[str] = set()
    for heard, state in as_seen(logs, "registration"):
        if isinstance(heard.event, PlayerDropped) and actor_of(heard.actor).role == RULE:
            acted.add(heard.event.player)
        if not begins_command(heard) or state.results.concluded:
            continue
        due = {player: due.get(player) or Due(heard) for player in _absent(state)}
        for one in due.values():
            one.commands += 1
    for player, one in due.items():
        if one.commands > RACE and player not in acted:
            expected = f"a drop of {player}, who stayed away too often, by rule"
            findings.fail("rule", one.since, f"{one.commands} commands, and none of them drops {player}", expected)


def _absent(state: Tournament) -> Iterable[str]:
    format = FORMATS.get(state.entries.format)
    return format.absent(state) if format is not None else ()
