"""What may be asked of scoring about a campaign: before a game, after it, of dice, and by ruling.

group: whose it is; of a game, empty for a player's own. roll: as it lay on the table; without dice the service rolls.
"""

from __future__ import annotations

from typing import Any

from shared.formats.campaign.rules.dice_source import SERVICE, RollTold
from shared.formats.campaign.rules.ruled import LedgerEntry
from shared.shapes import Command


class Choose(Command, frozen=True, kw_only=True):
    """A choice of the open step. does, of: as the rules of choices have them; service: it rolls the dice."""

    group: str
    does: str
    of: dict[str, Any]
    rolls: list[RollTold] = []
    service: bool = False


class CloseStep(Command, frozen=True, kw_only=True):
    """The end of a step. absent: by the staff, for a player who is not there (FS-PGP-5)."""

    group: str
    step: str
    absent: bool = False


class RollOfGroup(RollTold, frozen=True, kw_only=True):
    """The die of one group."""

    group: str


class OpenRecruits(Command, frozen=True, kw_only=True):
    """rolls: one each of some groups; the service rolls for every other group."""

    rolls: list[RollOfGroup] = []


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


class EnterLedger(Command, frozen=True, kw_only=True):
    """Explicit entries for what a ruling changes; all of them or none. FS-REP-5."""

    group: str
    entries: list[LedgerEntry]


class ConfirmDice(Command, frozen=True, kw_only=True):
    """rolls: their ids; empty for all that wait for the player who asks."""

    rolls: list[str] = []


class DisputeDice(Command, frozen=True, kw_only=True):
    """They did not fall like this."""

    rolls: list[str]
    reason: str


class RuleDice(Command, frozen=True, kw_only=True):
    """stands: whether they count as told."""

    rolls: list[str]
    stands: bool
    reason: str
