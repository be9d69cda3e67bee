"""Outcomes: everything that the decisions of a campaign say happened to a group. `evolve` applies them.

Each names the clause that it follows from and, where dice decided, the roll. A roll that nothing names and an outcome
that lacks its roll are both faults: FS-AUD-2.
Entries of balances, from scavenging, turf, upkeep and the ledger: FS-PGP-3.
"""

from __future__ import annotations

from typing import Literal

from shared.campaign.roster import Activity, GroupBefore, GroupBuilt, Item, MemberBuilt, OwnedTurf, PhaseBegun, Step
from shared.campaign.words import Attribute, CampaignEvent, Food, Rank


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


class RecruitPoolRolled(CampaignEvent, frozen=True):
    """Who can be hired in this round: ranks, with the roll that brought each. FS-REC-1."""

    ranks: tuple[Rank, ...]
    rolls: tuple[str, ...]


class RecruitOrderSet(CampaignEvent, frozen=True):
    """Who hires first. drawn: all groups in the order of their lots, which puts equals in order. FS-REC-2."""

    order: tuple[str, ...]
    drawn: tuple[str, ...]


class RecruitTurnPassed(CampaignEvent, frozen=True):
    """The group hires nobody more in this round. FS-REC-2."""


class MerchantSought(CampaignEvent, frozen=True):
    """The leader went to a merchant, and found one or did not. FS-BAR-1, FS-BAR-2."""

    merchant: str
    companions: tuple[str, ...] = ()
    found: bool = True
    roll: str = ""


class PriceQuoted(CampaignEvent, frozen=True):
    """A price for a line, or for an item that the group sells. FS-BAR-3, FS-SEL-1.

    totals: of the leader or seller, and of the merchant.
    """

    line: str
    price: int
    rolls: tuple[str, ...]
    totals: tuple[int, int]
    seller: str = ""


class OfferDeclined(CampaignEvent, frozen=True):
    """The price was not taken. FS-BAR-4."""

    line: str


class OfferTaken(CampaignEvent, frozen=True):
    """The price was taken. FS-BAR-4."""

    line: str


class MoodChanged(CampaignEvent, frozen=True):
    """The leader took something before trading, which moves Charisma for this visit. FS-BAR-3, FS-ITM-2."""

    charisma: int


class BuildingSearched(CampaignEvent, frozen=True):
    """A pair of searchers found something. FS-SPC-5."""

    searchers: tuple[str, ...]
    finds: str
    roll: str


class CentaurJoined(CampaignEvent, frozen=True):
    """A Centaur was led to the camp. FS-SPC-5."""

    roll: str


class MembersSated(CampaignEvent, frozen=True):
    """So many members are fed by flesh, and owe no food. FS-SPC-1, FS-SPC-2, FS-AMB-50."""

    number: int
    flesh: Literal["own", "enemy", "blind"]
    clause: str


class FightersDrawn(CampaignEvent, frozen=True):
    """Who fights for the pot: the first two of several who are worth equally little. FS-SPC-1, FS-DICE-4.

    order: all of them, in the order of their lots.
    """

    order: tuple[str, ...]


class CannibalFightResolved(CampaignEvent, frozen=True):
    """Who fought whom for the pot, and who won. FS-SPC-1."""

    victim: str
    fighter: str
    won: bool


class BuildAttempted(CampaignEvent, frozen=True):
    """A member tried to build. FS-BLD-1, FS-BLD-2."""

    member: str
    parts: str
    result: Literal["built", "kept", "destroyed"]
    roll: str


class DoctorVisited(CampaignEvent, frozen=True):
    """A member was treated. FS-DOC-1."""

    member: str
    treatment: str
