"""What may be asked of scoring in the post-game phase of a campaign."""

from __future__ import annotations

from typing import Any

from services.scoring.tournament.commands import Command
from shared.formats.campaign.rules.dice_source import RollTold


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
