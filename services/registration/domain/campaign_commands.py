"""What registration can be asked to do about a campaign."""

from __future__ import annotations

from services.registration.domain.commands import Command
from shared.rules.campaign.group import Submission
from shared.rules.campaign.rolling import Told


class SubmitGroup(Command, frozen=True, kw_only=True):
    """The group of a campaign that a player leads."""

    player: str
    submission: Submission


class RollTurfs(Command, frozen=True, kw_only=True):
    """rolls: one for each starting turf, told or left to the service."""

    player: str
    rolls: tuple[Told, ...]
