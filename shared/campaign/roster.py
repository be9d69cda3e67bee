"""Groups: members, goods, turfs, balances and the open phase; attributes of a member; and what events hold of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Self

from msgspec import Struct

from shared.campaign.dice import Modifier
from shared.campaign.facts import Played
from shared.campaign.tables import Band, Rules
from shared.campaign.words import Attribute, Changes, Rank

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


class Recruit(Struct, frozen=True):
    """Somebody in the pool. roll: the die that brought them."""

    id: str
    rank: Rank
    roll: str


class RecruitPool(Struct, frozen=True, omit_defaults=True):
    """Step 4 as far as it has come. order: groups still to act, the next one first. hired: by that one."""

    recruits: tuple[Recruit, ...]
    order: tuple[str, ...]
    hired: int = 0


class MemberBuilt(Struct, frozen=True, omit_defaults=True):
    """A character as it joins."""

    id: str
    rank: Rank
    name: str = ""
    xp: int = 0
    level: int = 0
    paid: int | None = None

    @classmethod
    def of(cls, member: Member) -> Self:
        """Return what an event holds of a member."""
        return cls(id=member.id, rank=member.rank, name=member.name, xp=member.xp, level=member.level, paid=member.paid)

    @property
    def state(self) -> Member:
        """The member that it is from now on."""
        return Member(id=self.id, rank=self.rank, name=self.name, xp=self.xp, level=self.level, paid=self.paid)


class MemberBefore(MemberBuilt, frozen=True):
    """A character as it was before a game."""

    advances: int = 0
    raised: Changes = {}
    injuries: tuple[str, ...] = ()
    perks: tuple[HeldPerk, ...] = ()
    rads: int = 0
    addictions: tuple[str, ...] = ()
    unfed: int = 0
    unmaintained: int = 0
    away: bool = False
    peak: int = 0
    gained: tuple[str, ...] = ()

    @classmethod
    def of(cls, member: Member) -> Self:
        """Return what an event holds of a member."""
        return cls(
            id=member.id,
            rank=member.rank,
            name=member.name,
            xp=member.xp,
            level=member.level,
            paid=member.paid,
            advances=member.advances,
            raised=member.raised,
            injuries=member.injuries,
            perks=member.perks,
            rads=member.rads,
            addictions=member.addictions,
            unfed=member.unfed,
            unmaintained=member.unmaintained,
            away=member.away,
            peak=member.peak,
            gained=member.gained,
        )

    @property
    def state(self) -> Member:
        """The member that it is from now on."""
        return Member(
            id=self.id,
            rank=self.rank,
            name=self.name,
            xp=self.xp,
            level=self.level,
            advances=self.advances,
            raised=self.raised,
            injuries=self.injuries,
            perks=self.perks,
            rads=self.rads,
            addictions=self.addictions,
            unfed=self.unfed,
            unmaintained=self.unmaintained,
            away=self.away,
            paid=self.paid,
            peak=self.peak,
            gained=self.gained,
        )


class GroupBuilt(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A group as it was built."""

    id: str
    force: str
    items: tuple[Item, ...] = ()
    turfs: tuple[OwnedTurf, ...] = ()
    caps: int = 0
    leader: str = ""
    rating: int = 0
    serial: int = 0
    members: tuple[MemberBuilt, ...] = ()

    @classmethod
    def of(cls, group: Group) -> Self:
        """Return what an event holds of a group."""
        return cls(
            id=group.id,
            force=group.force,
            items=group.items,
            turfs=group.turfs,
            caps=group.caps,
            leader=group.leader,
            rating=group.rating,
            serial=group.serial,
            members=tuple(map(MemberBuilt.of, group.members)),
        )

    @property
    def state(self) -> Group:
        """The group that it is from now on."""
        return Group(
            id=self.id,
            force=self.force,
            members=tuple(member.state for member in self.members),
            items=self.items,
            turfs=self.turfs,
            caps=self.caps,
            leader=self.leader,
            rating=self.rating,
            serial=self.serial,
        )


class GroupBefore(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A group as it was before a game; serial: what it is now, since no number is given twice."""

    id: str
    force: str
    items: tuple[Item, ...] = ()
    turfs: tuple[OwnedTurf, ...] = ()
    caps: int = 0
    leader: str = ""
    rating: int = 0
    serial: int = 0
    members: tuple[MemberBefore, ...] = ()
    clean: int = 0
    radiated: int = 0
    centaurs: int = 0

    @classmethod
    def of(cls, group: Group) -> Self:
        """Return what an event holds of a group."""
        return cls(
            id=group.id,
            force=group.force,
            items=group.items,
            turfs=group.turfs,
            caps=group.caps,
            leader=group.leader,
            rating=group.rating,
            serial=group.serial,
            members=tuple(map(MemberBefore.of, group.members)),
            clean=group.clean,
            radiated=group.radiated,
            centaurs=group.centaurs,
        )

    @property
    def state(self) -> Group:
        """The group that it is from now on."""
        return Group(
            id=self.id,
            force=self.force,
            members=tuple(member.state for member in self.members),
            items=self.items,
            turfs=self.turfs,
            caps=self.caps,
            clean=self.clean,
            radiated=self.radiated,
            centaurs=self.centaurs,
            leader=self.leader,
            rating=self.rating,
            serial=self.serial,
        )


class PhaseBegun(Struct, frozen=True, omit_defaults=True):
    """A post-game phase as it begins; the members are those of the phase."""

    round: int
    step: Step
    played: Played
    injured: tuple[str, ...] = ()
    jail: tuple[str, ...] = ()
    rerolls: int = 0
    rewarded: bool = False
    awarded: bool = False

    @property
    def state(self) -> Phase:
        """The phase that it is from now on."""
        return Phase(
            round=self.round,
            step=self.step,
            played=self.played,
            injured=self.injured,
            jail=self.jail,
            rerolls=self.rerolls,
            rewarded=self.rewarded,
            awarded=self.awarded,
        )


def attribute(rules: Rules, group: Group, member: Member, name: Attribute) -> int:
    """The present value of an attribute; it may fall below 1. FS-INJ-2, FS-RAD-1, FS-PRK-1."""
    return sum(part.value for part in parts_of(rules, group, member, name))


def parts_of(rules: Rules, group: Group, member: Member, name: Attribute) -> list[Modifier]:
    """What the present value of an attribute is made of: the profile first, then whatever changes it."""
    profile = rules.forces[group.force].ranks[member.rank].profile
    found = [Modifier("profile", getattr(profile, name)), Modifier("advancement", member.raised.get(name, 0))]
    hurt = {row.injury: row.changes for row in rules.injuries}
    found += [Modifier(f"injury.{injury}", hurt[injury].get(name, 0)) for injury in member.injuries]
    found.append(Modifier("radiation", band(rules, member.rads).changes.get(name, 0)))
    for item in group.held_by(member.id):
        found.append(Modifier(f"worn.{item.good}", rules.goods[item.good].worn.get(name, 0)))
    return [found[0], *(part for part in found[1:] if part.value)]


def endurance_in_game(rules: Rules, group: Group, member: Member) -> int:
    """Endurance in the next game: one less for each post-game in a row without food. FS-UPK-3."""
    return attribute(rules, group, member, "E") - member.unfed


def band(rules: Rules, rads: int) -> Band:
    """The radiation band of a count of rads. FS-RAD-1."""
    return next(band for band in reversed(rules.core.bands) if band.rads <= rads)


def limbs(rules: Rules, member: Member, limb: str) -> int:
    """How many legs, arms or eyes of a member are crippled. FS-INJ-2, FS-AMB-7."""
    counted = rules.options.attribute_rows_count_as_limbs
    kinds = {row.injury for row in rules.injuries if row.limb == limb or (counted and row.as_limb == limb)}
    return sum(injury in kinds for injury in member.injuries)


def is_blind(rules: Rules, member: Member) -> bool:
    """Whether a member has lost both eyes. FS-INJ-1."""
    return limbs(rules, member, "eye") >= 2


def requirement_met(rules: Rules, group: Group, member: Member, perk: str) -> bool:
    """Whether the attributes of a member meet what a perk requires. FS-PRK-1, FS-AMB-14."""
    now = {name: attribute(rules, group, member, name) for name in rules.advancement.perks[perk].requires}
    if rules.options.perk_requirement == "maximum":
        return all(now[name] <= number for name, number in rules.advancement.perks[perk].requires.items())
    return all(now[name] >= number for name, number in rules.advancement.perks[perk].requires.items())


def awake(rules: Rules, group: Group, member: Member, held: HeldPerk) -> bool:
    """Whether a perk of a member works now. One taken with its requirement waived never sleeps. FS-PRK-2, FS-AMB-15."""
    if held.waived and rules.options.waived_requirement == "usable":
        return True
    return requirement_met(rules, group, member, held.perk)


def has_perk(rules: Rules, group: Group, member: Member, perk: str) -> bool:
    """Whether a member has a perk that works now; the leader's own perk is to be the leader. FS-LDR-2."""
    if rules.advancement.perks[perk].leader_only:
        return member.id == group.leader
    return any(held.perk == perk and awake(rules, group, member, held) for held in member.perks)


def rank_for_gear(rules: Rules, member: Member) -> Rank:
    """The rank that decides what a member may carry and must wear. FS-AMB-51."""
    if rules.options.promotion == "none":
        return member.rank
    labels = [level.rank for level in rules.advancement.levels if level.rank and level.level <= member.level]
    order: Mapping[Rank, int] = {"green": 0, "experienced": 1, "veteran": 2}
    return max([member.rank, *labels], key=lambda rank: order[rank])


def rank_name(rules: Rules, force: str, rank: Rank) -> str:
    """What a rank is called in its force. FS-AMB-25."""
    entry = rules.forces[force].ranks[rank]
    return entry.name if rules.options.rank_names == "profile_table" else entry.allowance_name


def armor_save(rules: Rules, force: str, good: str) -> int:
    """The armor save of a piece of armor in a force; 0 for what is none. FS-AMB-24."""
    saves, chosen = rules.goods[good].armor, rules.options.trench_coat_armor
    if not saves:
        return 0
    if "any" in saves:
        return saves["any"]
    return saves.get(force, min(saves.values())) if chosen == "per_force" else chosen
