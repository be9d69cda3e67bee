"""Events about what members do and find after a game: visits, encounters, goods, food, recruits and merchants.

`evolve` applies them. Each event names the rule clause that it follows from and, if dice decided it, the roll
(FS-AUD-2). Every change of a balance is an event of its own (FS-PGP-3).
"""

from __future__ import annotations

from typing import Literal

from shared.campaign.roster import Activity, Item
from shared.campaign.words import CampaignEvent, Food, Rank


class NothingFound(CampaignEvent, frozen=True):
    """A visit to a turf found nothing (FS-TRF-2).

    - `member`: id of the visitor.
    - `clause`: the clause that asked for the roll.
    - `roll`: id of the roll.
    """

    member: str
    clause: str
    roll: str


class MemberActed(CampaignEvent, frozen=True):
    """A member used one of its activities of this post-game phase (FS-PGP-4).

    - `member`: id of the member.
    - `activity`: what the member did.
    - `target`: id of the turf, key of the merchant or key of the weapon; empty if the activity has none.
    - `roll`: id of the roll of the activity; empty if it has none.
    """

    member: str
    activity: Activity
    target: str = ""
    roll: str = ""


class ScavengingOpened(CampaignEvent, frozen=True):
    """A member rolled for scavenging and may still shift the result (FS-SCV-2).

    - `member`: id of the member.
    - `roll`: id of the roll.
    - `face`: the face rolled.
    - `good`: key of the pistol that the member named before the roll; empty if none.
    - `free`: true if the roll was a reward and did not use the member's activity.
    """

    member: str
    roll: str
    face: int
    good: str = ""
    free: bool = False


class ScavengingRolled(CampaignEvent, frozen=True):
    """The scavenging result of a member is settled (FS-SCV-1).

    - `member`: id of the member.
    - `finds`: kind of find in the scavenging table.
    - `roll`: id of the roll.
    - `free`: true if the roll was a reward and did not use the member's activity.
    - `shift`: by how many faces the owner moved the result (FS-SCV-2).
    """

    member: str
    finds: str
    roll: str
    free: bool = False
    shift: int = 0


class UpkeepPaid(CampaignEvent, frozen=True):
    """The group settled food and maintenance (FS-UPK-1)."""


class EncounterMet(CampaignEvent, frozen=True):
    """A scavenging member ran into an encounter, which is played at the table (FS-SCV-1).

    - `member`: id of the member.
    - `roll`: id of the scavenging roll.
    """

    member: str
    roll: str


class EncounterDrawn(CampaignEvent, frozen=True):
    """The service drew the encounter card of a scavenging member (FS-ENC-4, FS-DICE-4).

    - `member`: id of the member.
    - `met`: key of the card.
    """

    member: str
    met: str


class EncounterResolved(CampaignEvent, frozen=True):
    """An encounter while scavenging was resolved (FS-SCV-1, FS-ENC-4, FS-ENC-5).

    - `member`: id of the member.
    - `ending`: how it ended.
    - `met`: key of the card; empty if the member escaped or was killed and wounded nothing.
    - `number`: creatures met, or searches made of a place.
    - `wounds`: wounds caused to the creatures.
    - `kills`: creatures killed.
    - `lost`: slaves who died because no one reached their collar.
    - `down`: true if an exploding slave took the member to 0 wounds.
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
    """A member searched a place. Events about the find follow (FS-ENC-2, FS-ENC-3).

    - `member`: id of the member.
    - `at`: key of the card of the place.
    - `roll`: id of the roll.
    """

    member: str
    at: str
    roll: str


class SlavesAppeared(CampaignEvent, frozen=True):
    """The number of slaves in an encounter was rolled (FS-ENC-1).

    - `member`: id of the member who met them.
    - `number`: how many slaves.
    - `roll`: id of the roll.
    """

    member: str
    number: int
    roll: str


class CollarTried(CampaignEvent, frozen=True):
    """A member tried to remove a slave's collar. A freed slave joins if the group has room (FS-ENC-1).

    - `member`: id of the member.
    - `freed`: true if the check succeeded.
    - `roll`: id of the check.
    """

    member: str
    freed: bool
    roll: str


class CapsMoved(CampaignEvent, frozen=True):
    """The group gained or paid caps (FS-PGP-3).

    - `amount`: caps; below 0 for a payment.
    - `reason`: what they were for.
    - `clause`: the clause behind the entry.
    - `roll`: id of the roll that set the amount; empty if no dice did.
    """

    amount: int
    reason: str
    clause: str
    roll: str = ""


class FoodMoved(CampaignEvent, frozen=True):
    """The group gained or used food (FS-PGP-3).

    - `food`: the kind of food.
    - `amount`: units of food; below 0 for food used.
    - `reason`: what it was for.
    - `clause`: the clause behind the entry.
    - `roll`: id of the roll that set the amount; empty if no dice did.
    """

    food: Food
    amount: int
    reason: str
    clause: str
    roll: str = ""


class ItemGained(CampaignEvent, frozen=True):
    """The group gained an item (FS-PGP-3).

    - `item`: the item; its `holder` is empty in the stash.
    - `reason`: how the group got it.
    - `clause`: the clause behind the entry.
    - `roll`: id of the roll that decided it; empty if no dice did.
    """

    item: Item
    reason: str
    clause: str
    roll: str = ""


class ItemLost(CampaignEvent, frozen=True):
    """The group lost an item (FS-PGP-3).

    - `item`: id of the item.
    - `reason`: how it was lost.
    - `clause`: the clause behind the entry.
    - `roll`: id of the roll that decided it; empty if no dice did.
    """

    item: str
    reason: str
    clause: str
    roll: str = ""


class ItemMoved(CampaignEvent, frozen=True):
    """An item was given to a member or put into the stash (FS-PGP-7).

    - `item`: id of the item.
    - `holder`: id of the member who carries it now; empty for the stash.
    """

    item: str
    holder: str = ""


class MemberFed(CampaignEvent, frozen=True):
    """A member was fed (FS-UPK-1, FS-UPK-6).

    - `member`: id of the member.
    - `by`: `table` (a mart, the vault or flesh), or the stock of `clean` or `radiated` food.
    """

    member: str
    by: str


class MemberWentHungry(CampaignEvent, frozen=True):
    """A member went without food (FS-UPK-3).

    - `member`: id of the member.
    """

    member: str


class EquipmentMaintained(CampaignEvent, frozen=True):
    """The equipment of a member was maintained (FS-UPK-4).

    - `member`: id of the member.
    """

    member: str


class EquipmentNeglected(CampaignEvent, frozen=True):
    """The equipment of a member was not maintained (FS-UPK-4).

    - `member`: id of the member.
    """

    member: str


class RecruitPoolRolled(CampaignEvent, frozen=True):
    """The recruits of the round were rolled (FS-REC-1).

    - `ranks`: rank of each recruit.
    - `rolls`: id of the roll of each recruit, in the same order.
    """

    ranks: tuple[Rank, ...]
    rolls: tuple[str, ...]


class RecruitOrderSet(CampaignEvent, frozen=True):
    """The order in which the groups hire was set (FS-REC-2).

    - `order`: group ids; the first hires first.
    - `drawn`: all group ids in the order drawn by lot, which breaks ties between equal ratings.
    """

    order: tuple[str, ...]
    drawn: tuple[str, ...]


class RecruitTurnPassed(CampaignEvent, frozen=True):
    """The group ended its hiring turn of this round (FS-REC-2).

    - `reason`: why staff ended it for an absent player; empty if they did not.
    - `announced`: the time from which the league had announced this; empty if staff did not end it.
    """

    reason: str = ""
    announced: str = ""


class MerchantSought(CampaignEvent, frozen=True):
    """The leader went to a merchant (FS-BAR-1, FS-BAR-2).

    - `merchant`: key of the merchant.
    - `companions`: ids of the members who went along.
    - `found`: true if the merchant was found.
    - `roll`: id of the roll that looked for a caravan; empty for the merchant who is always found.
    """

    merchant: str
    companions: tuple[str, ...] = ()
    found: bool = True
    roll: str = ""


class PriceQuoted(CampaignEvent, frozen=True):
    """A price was set for an item that the group may buy or sell (FS-BAR-3, FS-SEL-1).

    - `line`: key of the good to buy, or id of the item to sell.
    - `price`: the price in caps.
    - `rolls`: ids of the rolls that set it.
    - `totals`: total of the group's leader or seller, and total of the merchant.
    - `seller`: id of the member who sells; empty if the group buys.
    """

    line: str
    price: int
    rolls: tuple[str, ...]
    totals: tuple[int, int]
    seller: str = ""


class OfferDeclined(CampaignEvent, frozen=True):
    """The group declined the quoted price (FS-BAR-4).

    - `line`: key of the good, or id of the item.
    """

    line: str


class OfferTaken(CampaignEvent, frozen=True):
    """The group accepted the quoted price (FS-BAR-4).

    - `line`: key of the good, or id of the item.
    """

    line: str


class MoodChanged(CampaignEvent, frozen=True):
    """The leader took a drug that changes Charisma for this visit to a merchant (FS-BAR-3, FS-ITM-2).

    - `charisma`: the change in points.
    """

    charisma: int


class BuildingSearched(CampaignEvent, frozen=True):
    """A pair of members searched a building (FS-SPC-5).

    - `searchers`: ids of the members.
    - `finds`: key of the item found, or the kind of find.
    - `roll`: id of the roll.
    """

    searchers: tuple[str, ...]
    finds: str
    roll: str


class CentaurJoined(CampaignEvent, frozen=True):
    """A Centaur joined the camp (FS-SPC-5).

    - `roll`: id of the roll that found it.
    """

    roll: str


class MembersSated(CampaignEvent, frozen=True):
    """Flesh feeds members, who need no other food in this phase (FS-SPC-1, FS-SPC-2, FS-AMB-50).

    - `number`: how many members are fed.
    - `flesh`: `own` member, `enemy` or `blind` member.
    - `clause`: the clause that allows it.
    """

    number: int
    flesh: Literal["own", "enemy", "blind"]
    clause: str


class FightersDrawn(CampaignEvent, frozen=True):
    """Lots decided which of several members worth equally little take part in the cannibal fight (FS-SPC-1, FS-DICE-4).

    - `order`: member ids in the order drawn; the first two fight.
    """

    order: tuple[str, ...]


class CannibalFightResolved(CampaignEvent, frozen=True):
    """A cannibal fight was decided (FS-SPC-1).

    - `victim`: id of the member who was to be eaten.
    - `fighter`: id of its opponent.
    - `won`: true if the opponent won.
    """

    victim: str
    fighter: str
    won: bool


class BuildAttempted(CampaignEvent, frozen=True):
    """A member tried to build a custom weapon (FS-BLD-1, FS-BLD-2).

    - `member`: id of the member.
    - `parts`: id of the set of parts.
    - `result`: `built`, or what became of the parts after a failure: `kept` or `destroyed`.
    - `roll`: id of the check.
    """

    member: str
    parts: str
    result: Literal["built", "kept", "destroyed"]
    roll: str


class DoctorVisited(CampaignEvent, frozen=True):
    """A member was treated by the doctor (FS-DOC-1).

    - `member`: id of the member.
    - `treatment`: key of the treatment.
    """

    member: str
    treatment: str
