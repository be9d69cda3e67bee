"""What one side of a campaign's game can ask before it. group: of which side; empty for a player's own.

roll: as it lay on the table; without dice the service rolls.
"""

from __future__ import annotations

from services.scoring.tournament.commands import Command
from shared.formats.campaign.rules.dice_source import SERVICE, RollTold


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
    roll: RollTold = SERVICE


class JudgeEvil(Command, frozen=True, kw_only=True):
    """group: the one that judges. rival: whom; empty for the first that is still to be judged."""

    game: str
    group: str = ""
    rival: str = ""
    roll: RollTold = SERVICE


class RollObjective(Command, frozen=True, kw_only=True):
    game: str
    group: str = ""
    roll: RollTold = SERVICE
