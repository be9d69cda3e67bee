"""What scavenging, turf, upkeep and the ledger say happened to a group: the entries of every balance. FS-PGP-3."""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.roster import Activity, Item
from shared.formats.campaign.rules.words import CampaignEvent, Food


class NothingFound(CampaignEvent, frozen=True):
    """Dice that found nothing. FS-TRF-2."""

    member: str
    clause: str
    roll: str


class MemberActed(CampaignEvent, frozen=True):
    """What a member does in this post-game. target: a turf, a merchant. FS-PGP-4."""

    member: str
    activity: Activity
    target: str = ""
    roll: str = ""


class ScavengingOpened(CampaignEvent, frozen=True):
    """The die of a member who may still move it; good, free: as the member said before it. FS-SCV-2."""

    member: str
    roll: str
    face: int
    good: str = ""
    free: bool = False


class ScavengingRolled(CampaignEvent, frozen=True):
    """What a member found; `free` was a reward and no activity of its own. FS-SCV-1.

    shift: by how much its owner moved the die, once that was known. FS-SCV-2.
    """

    member: str
    finds: str
    roll: str
    free: bool = False
    shift: int = 0


class UpkeepPaid(CampaignEvent, frozen=True):
    """Food and maintenance of the whole group are settled. FS-UPK-1."""


class EncounterMet(CampaignEvent, frozen=True):
    """Scavenging met creatures; the table plays it. FS-SCV-1."""

    member: str
    roll: str


class EncounterDrawn(CampaignEvent, frozen=True):
    """Which card the service drew for a scavenger's encounter. FS-ENC-4, FS-DICE-4."""

    member: str
    met: str


class EncounterResolved(CampaignEvent, frozen=True):
    """How the encounter went. FS-SCV-1, FS-ENC-4, FS-ENC-5.

    met: which card, and number: how many of it were met. wounds, kills: caused to creatures. lost: slaves whose collar
    nobody came to; down: whether the member was taken to 0 wounds by one that exploded.
    """

    member: str
    ending: Literal["creatures_killed", "member_killed", "escaped", "searched", "slaves_met"]
    met: str = ""
    number: int = 0
    wounds: int = 0
    kills: int = 0
    lost: int = 0
    down: bool = False


class PlaceSearched(CampaignEvent, frozen=True):
    """A Dead Scavenger or an Enclave Outpost was searched; what was found follows. FS-ENC-2, FS-ENC-3."""

    member: str
    at: str
    roll: str


class SlavesAppeared(CampaignEvent, frozen=True):
    """How many slaves a scavenger met. FS-ENC-1."""

    member: str
    number: int
    roll: str


class CollarTried(CampaignEvent, frozen=True):
    """Whether a member took a collar off; whoever is free then joins, where the group has room. FS-ENC-1."""

    member: str
    freed: bool
    roll: str


class CapsMoved(CampaignEvent, frozen=True):
    """Caps came in or, below 0, went out. FS-PGP-3."""

    amount: int
    reason: str
    clause: str
    roll: str = ""


class FoodMoved(CampaignEvent, frozen=True):
    """Food of one kind came in or, below 0, went out. FS-PGP-3."""

    food: Food
    amount: int
    reason: str
    clause: str
    roll: str = ""


class ItemGained(CampaignEvent, frozen=True):
    """An item came to the stash or to a member. FS-PGP-3."""

    item: Item
    reason: str
    clause: str
    roll: str = ""


class ItemLost(CampaignEvent, frozen=True):
    """An item is gone. FS-PGP-3."""

    item: str
    reason: str
    clause: str
    roll: str = ""


class ItemMoved(CampaignEvent, frozen=True):
    """An item went to another holder, or to the stash. FS-PGP-7."""

    item: str
    holder: str = ""


class MemberFed(CampaignEvent, frozen=True):
    """A member ate: at somebody's table, or from stock. FS-UPK-1, FS-UPK-6."""

    member: str
    by: str


class MemberWentHungry(CampaignEvent, frozen=True):
    """A member ate nothing. FS-UPK-3."""

    member: str


class EquipmentMaintained(CampaignEvent, frozen=True):
    """A member's equipment was maintained. FS-UPK-4."""

    member: str


class EquipmentNeglected(CampaignEvent, frozen=True):
    """A member's equipment was not maintained. FS-UPK-4."""

    member: str
