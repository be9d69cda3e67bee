"""What the decisions of a campaign say happened to a group. A decision gives a list of these; `evolve` applies them.

Each names the clause that it follows from and, where dice decided, the roll. A roll that nothing names and an outcome
that lacks its roll are both faults: FS-AUD-2.
"""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.payloads import GroupBefore, GroupBuilt, MemberBuilt, PhaseBegun
from shared.formats.campaign.rules.roster import OwnedTurf, Step
from shared.formats.campaign.rules.words import Attribute, CampaignEvent


class GroupAccepted(CampaignEvent, frozen=True):
    """A list is legal: the group as it is built from it. FS-GRP-1 to FS-GRP-13."""

    accepted: GroupBuilt


class GroupEntered(CampaignEvent, frozen=True):
    """A group takes its place in the campaign as it was built, with its turfs, leader and rating. FS-SVC-1."""

    entered: GroupBuilt


class GroupRestored(CampaignEvent, frozen=True):
    """What a game brought about is void: the group as it was before it. FS-REP-5."""

    restored: GroupBefore
    reason: str


class TurfGained(CampaignEvent, frozen=True):
    """A turf came to the group. FS-TRF-1."""

    turf: OwnedTurf
    clause: str
    roll: str = ""


class TurfLost(CampaignEvent, frozen=True):
    """A turf went to another group. FS-AMB-33."""

    turf: str
    clause: str


class LeaderAppointed(CampaignEvent, frozen=True):
    """The group has a leader. drawn: equals, in the order of their lots. FS-LDR-1, FS-LDR-2."""

    member: str
    clause: str
    drawn: tuple[str, ...] = ()


class MemberJoined(CampaignEvent, frozen=True):
    """Somebody joined. FS-REC-4, FS-GAM-10, FS-REP-3, FS-SPC-4."""

    member: MemberBuilt
    reason: str
    clause: str
    roll: str = ""


class MemberRemoved(CampaignEvent, frozen=True):
    """Somebody left for good; their equipment is lost or goes to the stash. FS-PGP-6."""

    member: str
    reason: Literal["dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own"]
    equipment: Literal["lost", "stash"]
    clause: str
    roll: str = ""


class MemberIncarcerated(CampaignEvent, frozen=True):
    """A member was taken to jail and misses the next game. FS-INJ-5."""

    member: str
    roll: str


class JailEscaped(CampaignEvent, frozen=True):
    """A member's Luck kept it out of jail. FS-INJ-5."""

    member: str
    roll: str


class MemberReturned(CampaignEvent, frozen=True):
    """A member is back from jail. FS-INJ-5."""

    member: str


class PostGameOpened(CampaignEvent, frozen=True):
    """The post-game phase of a group began. FS-RND-1."""

    phase: PhaseBegun


class StepClosed(CampaignEvent, frozen=True):
    """A step is over; `next` is open, or nothing after the last. FS-PGP-1."""

    step: Step
    next: Step | None = None


class InjuryRolled(CampaignEvent, frozen=True):
    """An injury was rolled. again: it cannot be had and is rolled again; final: it is a re-roll. FS-INJ-1, FS-INJ-2."""

    member: str
    injury: str
    roll: str
    again: bool = False
    final: bool = False


class InjurySuffered(CampaignEvent, frozen=True):
    """An injury stands. FS-INJ-1."""

    member: str
    injury: str
    roll: str


class FullyRecovered(CampaignEvent, frozen=True):
    """No injury came of it. FS-INJ-1."""

    member: str
    roll: str


class InjuryHealed(CampaignEvent, frozen=True):
    """An injury is gone. FS-DOC-1, FS-ITM-1, FS-GAM-10, FS-INJ-3."""

    member: str
    injury: str
    clause: str


class RerollUsed(CampaignEvent, frozen=True):
    """An injury is to be rolled again; one that stood already is taken back. FS-INJ-3."""

    member: str


class RerollGained(CampaignEvent, frozen=True):
    """Injuries of this phase may be rolled again so many times more. FS-INJ-3, FS-AMB-32."""

    number: int


class CleanHomeChosen(CampaignEvent, frozen=True):
    """What the vault gives this time. FS-SPC-3."""

    choice: Literal["medical_lab", "restaurant", "radaway"]
    member: str = ""


class RewardClaimed(CampaignEvent, frozen=True):
    """The reward of an objective was claimed; some of it acts in step 3. FS-GAM-10.

    drawn: members in the order of their lots, where the reward goes to a random one.
    """

    objective: str
    roll: str = ""
    half_maintenance: bool = False
    finds: int = 0
    drawn: tuple[str, ...] = ()


class RewardForgone(CampaignEvent, frozen=True):
    """The reward of an objective was won and not taken. reason: empty by its owner's word, or as nobody can take it.

    Source: FS-GAM-10.
    """

    objective: str
    reason: Literal["", "impossible"] = ""


class ExperienceChanged(CampaignEvent, frozen=True):
    """Experience won or lost, and why. FS-XP-1, FS-XP-3.

    deeds: what a ruling enters, by the names of the table. unearned: it was never earned, and goes. FS-REP-5.
    """

    member: str
    amount: int
    reason: str
    clause: str
    deeds: dict[str, int] = {}
    unearned: bool = False


class LevelReached(CampaignEvent, frozen=True):
    """A level was reached for the first time, or in `undo` lost; each gives one advancement. FS-XP-5."""

    member: str
    level: int
    advances: int = 1


class LevelsTakenBack(CampaignEvent, frozen=True):
    """Levels that experience reached which was never earned are gone, with their advancements. FS-XP-5, FS-REP-5.

    level: the one that is left. owed: advancements that were not rolled. gains: attributes and perks that go, the last
    one first. waiting: a roll that waited for a choice goes with them.
    """

    member: str
    level: int
    owed: int = 0
    gains: tuple[str, ...] = ()
    waiting: bool = False


class ExperienceAwarded(CampaignEvent, frozen=True):
    """All experience of the game was given. FS-XP-1."""


class AdvancementRolled(CampaignEvent, frozen=True):
    """An advancement was rolled. again: it would go beyond a maximum and is rolled again. FS-ADV-1, FS-ADV-2."""

    member: str
    gains: str
    roll: str
    again: bool = False


class CharacteristicRaised(CampaignEvent, frozen=True):
    """An attribute grew by one. FS-ADV-1."""

    member: str
    attribute: Attribute
    roll: str


class PerkChosen(CampaignEvent, frozen=True):
    """A perk was chosen. FS-PRK-1."""

    member: str
    perk: str
    roll: str
    waived: bool = False


class RadsChanged(CampaignEvent, frozen=True):
    """Rads gained or lost. FS-RAD-1."""

    member: str
    amount: int
    reason: str
    clause: str


class AddictionRolled(CampaignEvent, frozen=True):
    """A dose was taken and its check rolled. FS-ADD-1."""

    member: str
    drug: str
    addicted: bool
    roll: str


class AddictionsCured(CampaignEvent, frozen=True):
    """A member is addicted to nothing. FS-DOC-1."""

    member: str


class InjuryDue(CampaignEvent, frozen=True):
    """A member has to roll an injury after the game. FS-INJ-1."""

    member: str
    clause: str


class GroupRatingFinalised(CampaignEvent, frozen=True):
    """The group's rating, which is published and pairs the next round. FS-RAT-3."""

    rating: int
