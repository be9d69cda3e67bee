"""A group as it lives through a campaign: members, goods, turfs, balances, and the post-game phase it is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from shared.formats.campaign.rules.reported import Played
from shared.formats.campaign.rules.words import Changes, Rank

Step = Literal["1", "1b", "2", "3", "4", "5", "6", "7", "8", "9"]
Activity = Literal["scavenged", "visited_turf", "traded", "accompanied", "searched", "built", "saw_doctor"]


class Item(Struct, frozen=True, omit_defaults=True):
    """One good that a group owns. holder: a member, or nobody for the stash. paid: caps, where it was bought.

    found: it was not bought, which matters to grenades (FS-AMB-45).
    """

    id: str
    good: str
    holder: str = ""
    paid: int | None = None
    found: bool = False


class HeldPerk(Struct, frozen=True, omit_defaults=True):
    """A perk of a member. waived: it was taken without meeting its requirement."""

    perk: str
    waived: bool = False


class Member(Struct, frozen=True, omit_defaults=True):
    """A character on the roster.

    level: the highest reached. advances: advancement rolls owed. unfed, unmaintained: post-games in a row.
    away: in jail until the next game is over. paid: caps, for a recruit. peak: the most experience it ever had, where
    that is more than now. gained: attributes and perks by advancements, in their order.
    """

    id: str
    rank: Rank
    name: str = ""
    xp: int = 0
    level: int = 0
    advances: int = 0
    raised: Changes = {}
    injuries: tuple[str, ...] = ()
    perks: tuple[HeldPerk, ...] = ()
    rads: int = 0
    addictions: tuple[str, ...] = ()
    unfed: int = 0
    unmaintained: int = 0
    away: bool = False
    paid: int | None = None
    peak: int = 0
    gained: tuple[str, ...] = ()


class OwnedTurf(Struct, frozen=True):
    """A turf that a group holds; the same kind may be held twice."""

    id: str
    turf: str


class OpenRoll(Struct, frozen=True):
    """A result and the roll that gave it. again: it cannot stand and is rolled again; final: it was a re-roll."""

    member: str
    result: str
    roll: str
    again: bool = False
    final: bool = False


class OpenFind(Struct, frozen=True, omit_defaults=True):
    """What a member found by a die that it may still move. good: the pistol it named before; free: by a reward."""

    member: str
    roll: str
    face: int
    good: str = ""
    free: bool = False


class Quote(Struct, frozen=True):
    """A price that waits for yes or no. seller: who sells; nobody when the group buys."""

    line: str
    price: int
    seller: str = ""


class Visit(Struct, frozen=True, omit_defaults=True):
    """The leader at a merchant. bought: purchases so far. closed: lines that are no longer open.

    totals: of leader and merchant, where one opposed roll serves the whole visit. mood: Charisma from what was taken.
    """

    merchant: str
    companions: tuple[str, ...] = ()
    bought: int = 0
    closed: tuple[str, ...] = ()
    quote: Quote | None = None
    totals: tuple[int, int] | None = None
    mood: int = 0


class Phase(Struct, frozen=True, omit_defaults=True):
    """The post-game phase of one group, as far as it has come.

    injured: members who still have to roll; open_injuries, open_advances: results that wait for their owner;
    suffered: injuries that were settled. rerolls: of injuries, left. home: what the vault gives. jail: members whose
    Luck has still to be checked. rewarded: the reward of the objective was claimed. acted: member -> what it did.
    encounters: members who met something; drawn: member -> its card, where the service drew it. open_finds: dice that
    their owner may still move (FS-SCV-2). extra_finds: scavenging rolls by reward. sated: members whom flesh feeds.
    paid: food and maintenance are settled. attempted: sets of parts tried. leaders, drawings: leaders appointed and
    cards drawn so far. pot: members in the order of their lots, the first two of whom fight for the pot.
    """

    round: int
    step: Step
    played: Played
    injured: tuple[str, ...] = ()
    jail: tuple[str, ...] = ()
    open_injuries: tuple[OpenRoll, ...] = ()
    suffered: tuple[OpenRoll, ...] = ()
    rerolls: int = 0
    home: str = ""
    rewarded: bool = False
    turf_gained: bool = False
    awarded: bool = False
    open_advances: tuple[OpenRoll, ...] = ()
    acted: dict[str, tuple[Activity, ...]] = {}
    visited: tuple[str, ...] = ()
    encounters: tuple[str, ...] = ()
    drawn: dict[str, str] = {}
    extra_finds: int = 0
    ate_own: bool = False
    feasted: bool = False
    sated: int = 0
    half_maintenance: bool = False
    paid: bool = False
    visit: Visit | None = None
    merchant_sought: bool = False
    searches: int = 0
    attempted: tuple[str, ...] = ()
    doctor: bool = False
    open_finds: tuple[OpenFind, ...] = ()
    leaders: int = 0
    drawings: int = 0
    pot: tuple[str, ...] = ()


class Group(Struct, frozen=True, omit_defaults=True):
    """A group. caps, clean, radiated: balances, never below 0. serial: the last number given to a member or item.

    rating: as it was last made final.
    """

    id: str
    force: str
    members: tuple[Member, ...] = ()
    items: tuple[Item, ...] = ()
    turfs: tuple[OwnedTurf, ...] = ()
    caps: int = 0
    clean: int = 0
    radiated: int = 0
    centaurs: int = 0
    leader: str = ""
    rating: int = 0
    serial: int = 0
    phase: Phase | None = None

    def member(self, id: str) -> Member | None:
        """The member with this id, if it is on the roster."""
        return next((member for member in self.members if member.id == id), None)

    def item(self, id: str) -> Item | None:
        """The item with this id, if the group owns it."""
        return next((item for item in self.items if item.id == id), None)

    def held_by(self, member: str) -> Iterator[Item]:
        """What a member carries and wears."""
        return (item for item in self.items if item.holder == member)

    def count(self, good: str) -> int:
        """How many of a good the group owns."""
        return sum(item.good == good for item in self.items)

    @property
    def ids(self) -> Sequence[str]:
        """The members' ids in roster order."""
        return [member.id for member in self.members]
