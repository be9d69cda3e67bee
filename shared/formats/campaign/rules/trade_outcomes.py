"""What the decisions of recruiting, trading, building and the doctor say happened to a group."""

from __future__ import annotations

from typing import Literal

from shared.formats.campaign.rules.words import CampaignEvent, Rank


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
