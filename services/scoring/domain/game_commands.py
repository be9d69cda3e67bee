"""What one side of a campaign's game can ask before it. group: of which side; empty for a player's own.

roll: as it lay on the table; without dice the service rolls.
"""

from __future__ import annotations

from services.scoring.domain.commands import Command
from shared.rules.campaign.rolling import SERVICE, Told


class MusterGroup(Command, frozen=True, kw_only=True):
    """fielded: the members who play."""

    game: str
    group: str = ""
    fielded: list[str]


class RollJams(Command, frozen=True, kw_only=True):
    """item: the weapon; empty for all whose dice are still due, which the service rolls."""

    game: str
    group: str = ""
    item: str = ""
    roll: Told = SERVICE


class JudgeEvil(Command, frozen=True, kw_only=True):
    """group: the one that judges its rival."""

    game: str
    group: str = ""
    roll: Told = SERVICE


class RollObjective(Command, frozen=True, kw_only=True):
    game: str
    group: str = ""
    roll: Told = SERVICE
