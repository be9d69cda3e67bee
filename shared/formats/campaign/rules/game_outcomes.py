"""What happens to a group before and in a game, as far as the campaign keeps it."""

from __future__ import annotations

from shared.formats.campaign.rules.words import CampaignEvent


class RosterMustered(CampaignEvent, frozen=True):
    """Who is fielded, and in which game. FS-GAM-1."""

    fielded: tuple[str, ...]
    game: str = ""


class WeaponJamRolled(CampaignEvent, frozen=True):
    """Whether a ranged weapon works in this game. FS-GAM-3."""

    item: str
    jammed: bool
    roll: str


class EvilJudged(CampaignEvent, frozen=True):
    """Whether the rival counts as evil in this game. FS-GAM-4."""

    rival: str
    evil: bool
    roll: str


class GameEnded(CampaignEvent, frozen=True):
    """The die that ended a game, in its last turn. FS-GAM-8."""

    turn: int
    roll: str


class ObjectiveRolled(CampaignEvent, frozen=True):
    """The objective of a group in this game. FS-GAM-5."""

    objective: str
    roll: str
