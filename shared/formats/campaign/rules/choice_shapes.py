"""What is said with a choice of the post-game phase, beside its dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from shared.formats.campaign.rules.words import Food


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The choice says it all."""


class OfMember(Struct, frozen=True, forbid_unknown_fields=True):
    """A member, by id."""

    member: str


class OfItem(Struct, frozen=True, forbid_unknown_fields=True):
    """An item of the group, by id."""

    item: str


class OfGood(Struct, frozen=True, forbid_unknown_fields=True):
    """A good, by its key in the tables."""

    good: str


class OfTurf(Struct, frozen=True, forbid_unknown_fields=True):
    """A turf, by id; of a rival as GROUP/TURF where several groups were rivals."""

    turf: str


class OfInjury(Struct, frozen=True, forbid_unknown_fields=True):
    """A member whose injury waits. injury: which it is, said for the reader alone."""

    member: str
    injury: str = ""


class Home(Struct, frozen=True, forbid_unknown_fields=True):
    """What the vault gives; member: who has the shot."""

    choice: Literal["medical_lab", "restaurant", "radaway"]
    member: str = ""


class Dismissal(Struct, frozen=True, forbid_unknown_fields=True):
    """A blind member, and how it goes."""

    member: str
    how: Literal["kill", "send_away"]


class Reward(Struct, frozen=True, forbid_unknown_fields=True):
    """What the owner chooses with a reward. objective, reward: which it is, said for the reader alone."""

    member: str = ""
    injury: str = ""
    good: str = ""
    objective: str = ""
    reward: str = ""


class Perk(Struct, frozen=True, forbid_unknown_fields=True):
    """A perk for a member."""

    member: str
    perk: str


class Raise(Struct, frozen=True, forbid_unknown_fields=True):
    """An attribute of a member that grows instead of one at its maximum."""

    member: str
    attribute: str


class Scavenging(Struct, frozen=True, forbid_unknown_fields=True):
    """Who scavenges. good: which pistol. free: the roll that a reward gives."""

    member: str
    good: str = ""
    free: bool = False


class Shift(Struct, frozen=True, forbid_unknown_fields=True):
    """An Explorer whose die is known, and by how much it moves; 0 leaves it as it lies. FS-SCV-2."""

    member: str
    shift: int = 0


class Visiting(Struct, frozen=True, forbid_unknown_fields=True):
    """Who visits which turf. choice, good: declared before rolling."""

    member: str
    turf: str
    choice: str = ""
    good: str = ""


class Spending(Struct, frozen=True, forbid_unknown_fields=True):
    """An item that was kept at a turf, and what becomes of it."""

    item: str
    choice: Literal["sell", "build"]


class Fight(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won the fight for the pot."""

    winner: str


class FoodSold(Struct, frozen=True, forbid_unknown_fields=True):
    """Surplus food."""

    food: Food
    amount: int


class Upkeeping(Struct, frozen=True, forbid_unknown_fields=True):
    """How a group eats, as `upkeep.Upkeep`; said with nothing: in the easiest way."""

    guests: tuple[str, ...] = ()
    radiated: Mapping[str, int] = {}
    hungry: tuple[str, ...] = ()
    neglected: tuple[str, ...] = ()
    centaurs_radiated: int = 0
    centaurs_hungry: int = 0


class Merchants(Struct, frozen=True, forbid_unknown_fields=True):
    """A merchant, and who goes with the leader."""

    merchant: str
    companions: tuple[str, ...] = ()


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the merchant's goods."""

    line: str


class Sale(Struct, frozen=True, forbid_unknown_fields=True):
    """An item to sell. seller: the leader where it says nobody."""

    item: str
    seller: str = ""


class Offer(Struct, frozen=True, forbid_unknown_fields=True):
    """The price that waits. line, price: which it is, said for the reader alone."""

    line: str = ""
    price: str = ""


class Search(Struct, frozen=True, forbid_unknown_fields=True):
    """Who searches a building."""

    searchers: tuple[str, ...]


class Building(Struct, frozen=True, forbid_unknown_fields=True):
    """Who builds, from which set of parts."""

    member: str
    parts: str


class Treating(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is treated, how, and of which injury."""

    member: str
    treatment: str
    injury: str = ""


class Bag(Struct, frozen=True, forbid_unknown_fields=True):
    """A Doctor's Bag, for an injury of a member."""

    item: str
    member: str
    injury: str


class Dose(Struct, frozen=True, forbid_unknown_fields=True):
    """An item for a member."""

    item: str
    member: str


class Moving(Struct, frozen=True, forbid_unknown_fields=True):
    """An item goes to a member; to the stash where it says nobody."""

    item: str
    holder: str = ""


class OrganiserEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Caps and goods by the organiser's own rules."""

    reason: str
    caps: int = 0
    goods: tuple[str, ...] = ()
