"""What registration can be asked to do about a campaign."""

from __future__ import annotations

from typing import Any

from services.registration.tournament.commands import Command
from shared.formats.campaign.rules.dice_source import RollTold
from shared.formats.campaign.rules.group import Submission


class SubmitGroup(Command, frozen=True, kw_only=True):
    """The group of a campaign that a player leads."""

    player: str
    submission: Submission


class RollTurfs(Command, frozen=True, kw_only=True):
    """rolls: one for each starting turf, told or left to the service."""

    player: str
    rolls: tuple[RollTold, ...]


class MoveRuleset(Command, frozen=True, kw_only=True):
    """ruleset: the whole pack with the options in force. given: the member of the request that it came from."""

    from_round: int
    ruleset: dict[str, Any]
    given: str
    reason: str
