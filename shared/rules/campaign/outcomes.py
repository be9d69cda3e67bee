"""What the decisions of a campaign say happened to a group. A decision gives a list of these; `evolve` applies them.

Each names the clause that it follows from and, where dice decided, the roll. A roll that nothing names and an outcome
that lacks its roll are both faults: FS-AUD-2.
"""

from __future__ import annotations

from typing import Literal

from shared.rules.campaign.roster import Activity, Group, Item, Member, OwnedTurf, Phase, Step
from shared.rules.campaign.words import Attribute, Food, Outcome


class GroupAccepted(Outcome, frozen=True):
    """A group entered the campaign, with everything it bought. FS-GRP-13."""

    group: Group


class TurfGained(Outcome, frozen=True):
    """A turf came to the group. FS-TRF-1."""

    turf: OwnedTurf
    clause: str
    roll: str = ""


class TurfLost(Outcome, frozen=True):
    """A turf went to another group. FS-AMB-33."""

    turf: str
    clause: str


class LeaderAppointed(Outcome, frozen=True):
    """The group has a leader. drawn: equals, in the order of a recorded draw. FS-LDR-1, FS-LDR-2."""

    member: str
    clause: str
    drawn: tuple[str, ...] = ()


class MemberJoined(Outcome, frozen=True):
    """Somebody joined. FS-REC-4, FS-GAM-10, FS-REP-3, FS-SPC-4."""

    member: Member
    reason: str
    clause: str
    roll: str = ""


class MemberRemoved(Outcome, frozen=True):
    """Somebody left for good; their equipment is lost or goes to the stash. FS-PGP-6."""

    member: str
    why: Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "fled", "sent_away", "killed_by_own"]
    equipment: Literal["lost", "stash"]
    clause: str
    roll: str = ""


class MemberIncarcerated(Outcome, frozen=True):
    """A member was taken to jail and misses the next game. FS-INJ-5."""

    member: str
    roll: str


class JailEscaped(Outcome, frozen=True):
    """A member's Luck kept it out of jail. FS-INJ-5."""

    member: str
    roll: str


class MemberReturned(Outcome, frozen=True):
    """A member is back from jail. FS-INJ-5."""

    member: str


class PostGameOpened(Outcome, frozen=True):
    """The post-game phase of a group began. FS-RND-1."""

    phase: Phase


class StepClosed(Outcome, frozen=True):
    """A step is over; `next` is open, or nothing after the last. FS-PGP-1."""

    step: Step
    next: Step | None = None


class InjuryRolled(Outcome, frozen=True):
    """An injury was rolled. again: it cannot be had and is rolled again. FS-INJ-1, FS-INJ-2."""

    member: str
    injury: str
    roll: str
    again: bool = False


class InjurySuffered(Outcome, frozen=True):
    """An injury stands. FS-INJ-1."""

    member: str
    injury: str
    roll: str


class FullyRecovered(Outcome, frozen=True):
    """No injury came of it. FS-INJ-1."""

    member: str
    roll: str


class InjuryHealed(Outcome, frozen=True):
    """An injury is gone. FS-DOC-1, FS-ITM-1, FS-GAM-10, FS-INJ-3."""

    member: str
    injury: str
    clause: str


class RerollUsed(Outcome, frozen=True):
    """An injury is to be rolled again. FS-INJ-3."""

    member: str


class CleanHomeChosen(Outcome, frozen=True):
    """What the vault gives this time. FS-SPC-3."""

    choice: Literal["medical_lab", "restaurant", "radaway"]
    member: str = ""


class RewardClaimed(Outcome, frozen=True):
    """The reward of an objective was claimed. FS-GAM-10."""

    objective: str
    roll: str = ""


class ExperienceChanged(Outcome, frozen=True):
    """Experience won or lost, and why. FS-XP-1, FS-XP-3."""

    member: str
    amount: int
    reason: str
    clause: str


class LevelReached(Outcome, frozen=True):
    """A level was reached for the first time, or in `undo` lost; each gives one advancement. FS-XP-5."""

    member: str
    level: int
    advances: int = 1


class ExperienceAwarded(Outcome, frozen=True):
    """All experience of the game was given. FS-XP-1."""


class AdvancementRolled(Outcome, frozen=True):
    """An advancement was rolled. again: it would go beyond a maximum and is rolled again. FS-ADV-1, FS-ADV-2."""

    member: str
    gains: str
    roll: str
    again: bool = False


class CharacteristicRaised(Outcome, frozen=True):
    """An attribute grew by one. FS-ADV-1."""

    member: str
    attribute: Attribute
    roll: str


class PerkChosen(Outcome, frozen=True):
    """A perk was chosen. FS-PRK-1."""

    member: str
    perk: str
    roll: str
    waived: bool = False


class RadsChanged(Outcome, frozen=True):
    """Rads gained or lost. FS-RAD-1."""

    member: str
    amount: int
    reason: str
    clause: str


class AddictionRolled(Outcome, frozen=True):
    """A dose was taken and its check rolled. FS-ADD-1."""

    member: str
    drug: str
    addicted: bool
    roll: str


class AddictionsCured(Outcome, frozen=True):
    """A member is addicted to nothing. FS-DOC-1."""

    member: str


class MemberActed(Outcome, frozen=True):
    """What a member does in this post-game. target: a turf, a merchant. FS-PGP-4."""

    member: str
    activity: Activity
    target: str = ""
    roll: str = ""


class EncounterMet(Outcome, frozen=True):
    """Scavenging met creatures; the table plays it. FS-SCV-1."""

    member: str
    roll: str


class EncounterResolved(Outcome, frozen=True):
    """How the encounter went. FS-SCV-1."""

    member: str
    ending: Literal["creatures_killed", "member_killed", "escaped"]


class CapsMoved(Outcome, frozen=True):
    """Caps came in or, below 0, went out. FS-PGP-3."""

    amount: int
    reason: str
    clause: str
    roll: str = ""


class FoodMoved(Outcome, frozen=True):
    """Food of one kind came in or, below 0, went out. FS-PGP-3."""

    food: Food
    amount: int
    reason: str
    clause: str
    roll: str = ""


class ItemGained(Outcome, frozen=True):
    """An item came to the stash or to a member. FS-PGP-3."""

    item: Item
    reason: str
    clause: str
    roll: str = ""


class ItemLost(Outcome, frozen=True):
    """An item is gone. FS-PGP-3."""

    item: str
    reason: str
    clause: str
    roll: str = ""


class ItemMoved(Outcome, frozen=True):
    """An item went to another holder, or to the stash. FS-PGP-7."""

    item: str
    holder: str = ""


class MemberFed(Outcome, frozen=True):
    """A member ate: at somebody's table, or from stock. FS-UPK-1, FS-UPK-6."""

    member: str
    by: str


class MemberWentHungry(Outcome, frozen=True):
    """A member ate nothing. FS-UPK-3."""

    member: str


class EquipmentMaintained(Outcome, frozen=True):
    """A member's equipment was maintained. FS-UPK-4."""

    member: str


class EquipmentNeglected(Outcome, frozen=True):
    """A member's equipment was not maintained. FS-UPK-4."""

    member: str


class GroupRatingFinalised(Outcome, frozen=True):
    """The group's rating, which is published and pairs the next round. FS-RAT-3."""

    rating: int
