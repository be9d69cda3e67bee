"""Events about the groups and members of a campaign: who is in them, injuries, experience, perks and rads.

`evolve` applies them. Each event names the rule clause that it follows from and, if dice decided it, the roll
(FS-AUD-2). What members do and find after a game is in `post_game_outcomes.py`.
"""

from __future__ import annotations

from typing import Literal

from shared.campaign.roster import GroupBefore, GroupBuilt, MemberBefore, MemberBuilt, OwnedTurf, PhaseBegun, Step
from shared.campaign.words import Attribute, CampaignEvent


class GroupAccepted(CampaignEvent, frozen=True):
    """A submitted list is legal, and the group was built from it (FS-GRP-1 to FS-GRP-13).

    - `accepted`: the group as built.
    """

    accepted: GroupBuilt


class GroupEntered(CampaignEvent, frozen=True):
    """A group entered the campaign with its turfs, leader and rating (FS-SVC-1).

    - `entered`: the group as built.
    """

    entered: GroupBuilt


class GroupRestored(CampaignEvent, frozen=True):
    """A game was voided, and the group was restored to its state before that game (FS-REP-5).

    - `restored`: the group as it was before the game.
    - `reason`: why the game was voided.
    """

    restored: GroupBefore
    reason: str


class TurfGained(CampaignEvent, frozen=True):
    """The group gained a turf (FS-TRF-1).

    - `turf`: the turf and its id in the group.
    - `clause`: the clause that gives the turf.
    - `roll`: id of the roll that found it; empty if no dice decided.
    - `ruling`: the reason of the ruling that entered it; empty if none did.
    """

    turf: OwnedTurf
    clause: str
    roll: str = ""
    ruling: str = ""


class TurfLost(CampaignEvent, frozen=True):
    """The group lost a turf to another group, or by a ruling (FS-AMB-33, FS-REP-5).

    - `turf`: id of the turf.
    - `clause`: the clause that takes it.
    - `ruling`: the reason of the ruling that entered it; empty if none did.
    """

    turf: str
    clause: str
    ruling: str = ""


class MemberCorrected(CampaignEvent, frozen=True):
    """A ruling corrected a member, added one, or brought one back (FS-REP-5).

    - `member`: the member from now on.
    - `entry`: the kind of the correction, as in the ledger entry.
    - `subject`: the injury, attribute, perk, rank or amount of rads; empty if the member came back.
    - `reason`: why.
    - `clause`: the clause behind the correction.
    """

    member: MemberBefore
    entry: str
    subject: str
    reason: str
    clause: str


class LeaderAppointed(CampaignEvent, frozen=True):
    """A member became the leader of the group (FS-LDR-1, FS-LDR-2).

    - `member`: id of the new leader.
    - `clause`: the clause that requires the appointment.
    - `drawn`: ids of the members with equal Charisma, in the order drawn by lot; empty if no lots were drawn.
    """

    member: str
    clause: str
    drawn: tuple[str, ...] = ()


class MemberJoined(CampaignEvent, frozen=True):
    """A member joined the group (FS-REC-4, FS-GAM-10, FS-REP-3, FS-SPC-4).

    - `member`: the new member.
    - `reason`: `recruit`, `objective`, `successor` or `freed slave`.
    - `clause`: the clause that brings the member.
    - `roll`: id of the roll that brought the member; empty if no dice decided.
    """

    member: MemberBuilt
    reason: str
    clause: str
    roll: str = ""


class MemberRemoved(CampaignEvent, frozen=True):
    """A member left the group for good (FS-PGP-6).

    - `member`: id of the member.
    - `reason`: `dead` by the injury table; `radiation` or `terrain` killed it; `starved`; `eaten`; `escaped` after a
      cannibal fight; `sent_away` or `killed_by_own` because it was blind; `ruled` out.
    - `equipment`: `lost`, or moved to the `stash`.
    - `clause`: the clause that removes the member.
    - `roll`: id of the roll that decided it; empty if no dice did.
    - `ruling`: the reason of the ruling that entered it; empty if none did.
    """

    member: str
    reason: Literal[
        "dead", "radiation", "terrain", "starved", "eaten", "escaped", "sent_away", "killed_by_own", "ruled"
    ]
    equipment: Literal["lost", "stash"]
    clause: str
    roll: str = ""
    ruling: str = ""


class MemberIncarcerated(CampaignEvent, frozen=True):
    """A member was taken to jail and misses the next game (FS-INJ-5).

    - `member`: id of the member.
    - `roll`: id of the failed Luck check.
    """

    member: str
    roll: str


class JailEscaped(CampaignEvent, frozen=True):
    """A member passed its Luck check and avoided jail (FS-INJ-5).

    - `member`: id of the member.
    - `roll`: id of the Luck check.
    """

    member: str
    roll: str


class MemberReturned(CampaignEvent, frozen=True):
    """A member returned from jail (FS-INJ-5).

    - `member`: id of the member.
    """

    member: str


class PostGameOpened(CampaignEvent, frozen=True):
    """The post-game phase of a group began (FS-RND-1).

    - `phase`: the phase as it begins, with the game that it follows.
    """

    phase: PhaseBegun


class StepClosed(CampaignEvent, frozen=True):
    """A step of the post-game phase was closed (FS-PGP-1).

    - `step`: the closed step.
    - `next`: the step that is open now; absent after the last step.
    - `reason`: why staff closed it for an absent player; empty if they did not.
    - `announced`: the time from which the league had announced this; empty if staff did not close it.
    """

    step: Step
    next: Step | None = None
    reason: str = ""
    announced: str = ""


class InjuryRolled(CampaignEvent, frozen=True):
    """An injury was rolled for a member (FS-INJ-1, FS-INJ-2).

    - `member`: id of the member.
    - `injury`: key of the result in the injury table.
    - `roll`: id of the roll.
    - `again`: true if the result is impossible for this member and must be rolled again.
    - `final`: true if this was a re-roll, so it cannot be re-rolled.
    """

    member: str
    injury: str
    roll: str
    again: bool = False
    final: bool = False


class InjurySuffered(CampaignEvent, frozen=True):
    """An injury became permanent (FS-INJ-1).

    - `member`: id of the member.
    - `injury`: key of the injury in the injury table.
    - `roll`: id of the injury roll.
    """

    member: str
    injury: str
    roll: str


class FullyRecovered(CampaignEvent, frozen=True):
    """A member rolled an injury and recovered fully (FS-INJ-1).

    - `member`: id of the member.
    - `roll`: id of the injury roll.
    """

    member: str
    roll: str


class InjuryHealed(CampaignEvent, frozen=True):
    """An injury was healed (FS-DOC-1, FS-ITM-1, FS-GAM-10, FS-INJ-3).

    - `member`: id of the member.
    - `injury`: key of the injury in the injury table.
    - `clause`: the clause that heals it.
    """

    member: str
    injury: str
    clause: str


class RerollUsed(CampaignEvent, frozen=True):
    """A re-roll was spent on an injury; the earlier result no longer counts (FS-INJ-3).

    - `member`: id of the injured member.
    """

    member: str


class RerollGained(CampaignEvent, frozen=True):
    """The group gained injury re-rolls for this phase (FS-INJ-3, FS-AMB-32).

    - `number`: how many re-rolls.
    """

    number: int


class CleanHomeChosen(CampaignEvent, frozen=True):
    """The group chose the benefit of its vault for this phase (FS-SPC-3).

    - `choice`: `medical_lab` (an injury re-roll), `restaurant` (free meals) or `radaway` (rads removed from a member).
    - `member`: id of the member who gets the RadAway; empty for the other choices.
    """

    choice: Literal["medical_lab", "restaurant", "radaway"]
    member: str = ""


class RewardClaimed(CampaignEvent, frozen=True):
    """The group claimed the reward of its objective (FS-GAM-10).

    - `objective`: key of the objective.
    - `roll`: id of the roll that set the amount; empty if no dice did.
    - `half_maintenance`: true if maintenance of this phase costs half.
    - `finds`: number of free scavenging rolls in step 3.
    - `drawn`: ids of the members who could get the reward, in the order drawn by lot; empty if no lots were drawn.
    """

    objective: str
    roll: str = ""
    half_maintenance: bool = False
    finds: int = 0
    drawn: tuple[str, ...] = ()


class RewardForgone(CampaignEvent, frozen=True):
    """The group won the reward of its objective and did not take it (FS-GAM-10).

    - `objective`: key of the objective.
    - `reason`: `impossible` if the group could not take it in any way; empty if its owner declined.
    """

    objective: str
    reason: Literal["", "impossible"] = ""


class ExperienceChanged(CampaignEvent, frozen=True):
    """A member gained or lost experience (FS-XP-1, FS-XP-3).

    - `member`: id of the member.
    - `amount`: experience points; below 0 for a loss.
    - `reason`: the deed or rule behind the change, such as `wound` or `objective`.
    - `clause`: the clause that gives or takes it.
    - `deeds`: deed -> count, if a ruling entered them.
    - `unearned`: true if a ruling removes experience that was never earned (FS-REP-5).
    """

    member: str
    amount: int
    reason: str
    clause: str
    deeds: dict[str, int] = {}
    unearned: bool = False


class LevelReached(CampaignEvent, frozen=True):
    """A member reached a level for the first time, or lost levels under `fs.xp.loss=undo_level` (FS-XP-5).

    - `member`: id of the member.
    - `level`: the level of the member from now on.
    - `advances`: advancement rolls that it gains.
    """

    member: str
    level: int
    advances: int = 1


class LevelsTakenBack(CampaignEvent, frozen=True):
    """A ruling took back levels that unearned experience had reached, with their advancements (FS-XP-5, FS-REP-5).

    - `member`: id of the member.
    - `level`: the level of the member from now on.
    - `owed`: number of advancement rolls removed that were not made yet.
    - `gains`: attributes and perks removed, the latest first.
    - `waiting`: true if an advancement roll that waited for a choice was removed as well.
    """

    member: str
    level: int
    owed: int = 0
    gains: tuple[str, ...] = ()
    waiting: bool = False


class ExperienceAwarded(CampaignEvent, frozen=True):
    """All experience for the game was awarded (FS-XP-1)."""


class AdvancementRolled(CampaignEvent, frozen=True):
    """An advancement was rolled for a member (FS-ADV-1, FS-ADV-2).

    - `member`: id of the member.
    - `gains`: the attribute to raise, `perk`, `perk_any` (a perk without its requirement) or `other` (another
      attribute).
    - `roll`: id of the roll.
    - `again`: true if the result is impossible for this member and must be rolled again.
    """

    member: str
    gains: str
    roll: str
    again: bool = False


class CharacteristicRaised(CampaignEvent, frozen=True):
    """An attribute of a member rose by one (FS-ADV-1).

    - `member`: id of the member.
    - `attribute`: the attribute.
    - `roll`: id of the advancement roll.
    """

    member: str
    attribute: Attribute
    roll: str


class PerkChosen(CampaignEvent, frozen=True):
    """A member gained a perk (FS-PRK-1).

    - `member`: id of the member.
    - `perk`: key of the perk.
    - `roll`: id of the advancement roll.
    - `waived`: true if the member does not meet the requirement of the perk.
    """

    member: str
    perk: str
    roll: str
    waived: bool = False


class RadsChanged(CampaignEvent, frozen=True):
    """A member gained or lost rads (FS-RAD-1).

    - `member`: id of the member.
    - `amount`: rads; below 0 for a loss.
    - `reason`: where they came from or what removed them.
    - `clause`: the clause that gives or takes them.
    """

    member: str
    amount: int
    reason: str
    clause: str


class AddictionRolled(CampaignEvent, frozen=True):
    """A member took a drug and rolled its addiction check (FS-ADD-1).

    - `member`: id of the member.
    - `drug`: key of the drug.
    - `addicted`: true if the check failed.
    - `roll`: id of the roll.
    """

    member: str
    drug: str
    addicted: bool
    roll: str


class AddictionsCured(CampaignEvent, frozen=True):
    """All addictions of a member were cured (FS-DOC-1).

    - `member`: id of the member.
    """

    member: str


class InjuryDue(CampaignEvent, frozen=True):
    """A member must roll an injury after the game (FS-INJ-1).

    - `member`: id of the member.
    - `clause`: the clause that requires the roll.
    """

    member: str
    clause: str


class GroupRatingFinalised(CampaignEvent, frozen=True):
    """The rating of a group became final. It is published and used to pair the next round (FS-RAT-3).

    - `rating`: the group rating in points.
    """

    rating: int
