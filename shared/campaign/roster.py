"""Groups as state and as recorded in events, and the attributes of their members."""

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
    """A good that a group owns.

    - `id`: id in the group.
    - `good`: key of the good.
    - `holder`: id of the member who carries it; empty for the stash.
    - `paid`: price in caps; absent if it was not bought.
    - `found`: true if it was not bought, which matters for grenades (FS-AMB-45).
    """

    id: str
    good: str
    holder: str = ""
    paid: int | None = None
    found: bool = False


class HeldPerk(Struct, frozen=True, omit_defaults=True):
    """A perk of a member.

    - `perk`: key of the perk.
    - `waived`: true if it was taken without meeting its requirement.
    """

    perk: str
    waived: bool = False


class Member(Struct, frozen=True, omit_defaults=True):
    """A character on the roster.

    level: the highest level reached.
    advances: advancement rolls owed.
    unfed, unmaintained: post-game phases in a row without food or maintenance.
    away: in jail until the next game is over.
    paid: price in caps, for a recruit.
    peak: the most experience it ever had, if that is more than now.
    gained: attributes and perks gained by advancements, in order.
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
    """A turf that a group holds. A group may hold the same kind twice.

    - `id`: id in the group.
    - `turf`: key of the turf.
    """

    id: str
    turf: str


class OpenRoll(Struct, frozen=True):
    """A result that waits for its owner, and the roll that gave it.

    again: it is impossible and must be rolled again.
    final: it was a re-roll.
    """

    member: str
    result: str
    roll: str
    again: bool = False
    final: bool = False


class OpenFind(Struct, frozen=True, omit_defaults=True):
    """A scavenging result that its member may still shift.

    good: key of the pistol named before the roll.
    free: the roll was a reward.
    """

    member: str
    roll: str
    face: int
    good: str = ""
    free: bool = False


class Quote(Struct, frozen=True):
    """A price that waits for an answer. seller: the member who sells; empty if the group buys."""

    line: str
    price: int
    seller: str = ""


class Visit(Struct, frozen=True, omit_defaults=True):
    """A visit of the leader to a merchant.

    bought: purchases so far.
    closed: goods and items that can no longer be traded.
    totals: totals of leader and merchant, if one opposed roll counts for the whole visit.
    mood: change of Charisma by a drug.
    """

    merchant: str
    companions: tuple[str, ...] = ()
    bought: int = 0
    closed: tuple[str, ...] = ()
    quote: Quote | None = None
    totals: tuple[int, int] | None = None
    mood: int = 0


class Phase(Struct, frozen=True, omit_defaults=True):
    """The state of a group's post-game phase.

    injured: members who must still roll an injury.
    jail: members whose Luck must still be checked.
    open_injuries, open_advances: results that wait for their owner.
    suffered: settled injury results.
    rerolls: injury re-rolls that remain.
    home: the chosen benefit of the vault.
    rewarded: the reward of the objective is settled.
    awarded: experience was awarded.
    acted: member -> its activities.
    visited: ids of the turfs visited.
    encounters: members who met an encounter; drawn: member -> card, if the service drew it.
    extra_finds: free scavenging rolls that remain.
    sated: members fed by flesh.
    paid: food and maintenance are settled.
    attempted: sets of parts tried.
    open_finds: scavenging results that may still be shifted (FS-SCV-2).
    leaders, drawings: number of leaders appointed and cards drawn so far.
    pot: members in the order drawn; the first two take part in the cannibal fight.
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
    """A group.

    caps, clean, radiated: balances, never below 0.
    rating: the last final rating.
    serial: the last number given to a member, item or turf.
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
        """Return the member with this id, or None if it is not on the roster."""
        return next((member for member in self.members if member.id == id), None)

    def item(self, id: str) -> Item | None:
        """Return the item with this id, or None if the group does not own it."""
        return next((item for item in self.items if item.id == id), None)

    def held_by(self, member: str) -> Iterator[Item]:
        """Return the items that a member carries or wears."""
        return (item for item in self.items if item.holder == member)

    def count(self, good: str) -> int:
        """Return how many of a good the group owns."""
        return sum(item.good == good for item in self.items)

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the members in roster order."""
        return [member.id for member in self.members]


class Recruit(Struct, frozen=True):
    """A recruit in the pool. roll: id of the roll that brought it."""

    id: str
    rank: Rank
    roll: str


class RecruitPool(Struct, frozen=True, omit_defaults=True):
    """The state of step 4.

    order: groups that have not hired yet; the first hires now.
    hired: recruits hired by that group.
    rolled: every recruit of the pool, hired or not.
    passed: groups whose turn is over, in order.
    """

    recruits: tuple[Recruit, ...]
    order: tuple[str, ...]
    hired: int = 0
    rolled: tuple[Recruit, ...] = ()
    passed: tuple[str, ...] = ()


class MemberBuilt(Struct, frozen=True, omit_defaults=True):
    """A character as it joins a group.

    - `id`: id in the group.
    - `rank`: its rank.
    - `name`: its name, if it has one.
    - `xp`: experience points.
    - `level`: level that the experience means.
    - `paid`: price in caps, for a recruit.
    """

    id: str
    rank: Rank
    name: str = ""
    xp: int = 0
    level: int = 0
    paid: int | None = None

    @classmethod
    def of(cls, member: Member) -> Self:
        """Return the recorded form of a member."""
        return cls(id=member.id, rank=member.rank, name=member.name, xp=member.xp, level=member.level, paid=member.paid)

    @property
    def state(self) -> Member:
        """The member with this data."""
        return Member(id=self.id, rank=self.rank, name=self.name, xp=self.xp, level=self.level, paid=self.paid)


class MemberBefore(MemberBuilt, frozen=True):
    """A character as it was before a game.

    - `advances`: advancement rolls owed.
    - `raised`: attribute -> points gained by advancements.
    - `injuries`: keys of its injuries.
    - `perks`: its perks.
    - `rads`: radiation in rads.
    - `addictions`: keys of the drugs that it is addicted to.
    - `unfed`, `unmaintained`: post-game phases in a row without food or maintenance.
    - `away`: true if it is in jail until the next game is over.
    - `peak`: the most experience it ever had, if that is more than now.
    - `gained`: attributes and perks gained by advancements, in order.
    """

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
    """A group as it was built.

    - `id`: id of its player.
    - `force`: key of the force.
    - `items`: its items.
    - `turfs`: its turfs.
    - `caps`: unspent caps.
    - `leader`: id of the leader; empty before the appointment.
    - `rating`: group rating; 0 before it is final.
    - `serial`: the last number given to a member, item or turf.
    - `members`: its members.
    """

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
        """Return the recorded form of a group."""
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
        """The group with this data."""
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
    """A group as it was before a game.

    - `id`: id of its player.
    - `force`: key of the force.
    - `items`: its items.
    - `turfs`: its turfs.
    - `caps`: balance of caps.
    - `leader`: id of the leader.
    - `rating`: the last final rating.
    - `serial`: the last number given so far, including during the voided game; numbers are never reused.
    - `members`: its members.
    - `clean`: units of clean food.
    - `radiated`: units of radiated food.
    - `centaurs`: number of Centaurs.
    """

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
        """Return the recorded form of a group."""
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
        """The group with this data."""
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
    """A post-game phase as it begins.

    - `round`: number of the campaign round.
    - `step`: the first open step.
    - `played`: the game that the phase follows.
    - `injured`: ids of members who must roll an injury.
    - `jail`: ids of members whose Luck must be checked.
    - `rerolls`: injury re-rolls available.
    - `rewarded`: true if no reward can be claimed.
    - `awarded`: true if no experience is to be awarded.
    """

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
        """The phase with this data."""
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
    """Return the current value of an attribute; it may fall below 1 (FS-INJ-2, FS-RAD-1, FS-PRK-1)."""
    return sum(part.value for part in attribute_parts(rules, group, member, name))


def attribute_parts(rules: Rules, group: Group, member: Member, name: Attribute) -> list[Modifier]:
    """Return the parts of the current value of an attribute: the profile first, then each change."""
    profile = rules.forces[group.force].ranks[member.rank].profile
    parts = [Modifier("profile", getattr(profile, name)), Modifier("advancement", member.raised.get(name, 0))]
    hurt = {row.injury: row.changes for row in rules.injuries}
    parts += [Modifier(f"injury.{injury}", hurt[injury].get(name, 0)) for injury in member.injuries]
    parts.append(Modifier("radiation", band(rules, member.rads).changes.get(name, 0)))
    for item in group.held_by(member.id):
        parts.append(Modifier(f"worn.{item.good}", rules.goods[item.good].worn.get(name, 0)))
    return [parts[0], *(part for part in parts[1:] if part.value)]


def endurance_in_game(rules: Rules, group: Group, member: Member) -> int:
    """Return Endurance in the next game: one less for each post-game phase in a row without food (FS-UPK-3)."""
    return attribute(rules, group, member, "E") - member.unfed


def band(rules: Rules, rads: int) -> Band:
    """Return the radiation band for a number of rads (FS-RAD-1)."""
    return next(band for band in reversed(rules.core.bands) if band.rads <= rads)


def crippled_limbs(rules: Rules, member: Member, limb: str) -> int:
    """Return how many legs, arms or eyes of a member are crippled (FS-INJ-2, FS-AMB-7)."""
    counted = rules.options.attribute_rows_count_as_limbs
    kinds = {row.injury for row in rules.injuries if row.limb == limb or (counted and row.as_limb == limb)}
    return sum(injury in kinds for injury in member.injuries)


def is_blind(rules: Rules, member: Member) -> bool:
    """Return True if a member has lost both eyes (FS-INJ-1)."""
    return crippled_limbs(rules, member, "eye") >= 2


def meets_requirement(rules: Rules, group: Group, member: Member, perk: str) -> bool:
    """Return True if the attributes of a member meet the requirement of a perk (FS-PRK-1, FS-AMB-14)."""
    values = {name: attribute(rules, group, member, name) for name in rules.advancement.perks[perk].requires}
    if rules.options.perk_requirement == "maximum":
        return all(values[name] <= number for name, number in rules.advancement.perks[perk].requires.items())
    return all(values[name] >= number for name, number in rules.advancement.perks[perk].requires.items())


def is_perk_active(rules: Rules, group: Group, member: Member, held: HeldPerk) -> bool:
    """Return True if a perk of a member is active.

    A perk with its requirement waived is always active under `fs.perk.waived_requirement=usable` (FS-PRK-2, FS-AMB-15).
    """
    if held.waived and rules.options.waived_requirement == "usable":
        return True
    return meets_requirement(rules, group, member, held.perk)


def has_perk(rules: Rules, group: Group, member: Member, perk: str) -> bool:
    """Return True if a member has an active perk. The leader always has the leader's own perk (FS-LDR-2)."""
    if rules.advancement.perks[perk].leader_only:
        return member.id == group.leader
    return any(held.perk == perk and is_perk_active(rules, group, member, held) for held in member.perks)


def rank_for_gear(rules: Rules, member: Member) -> Rank:
    """Return the rank that decides what a member may carry and must wear (FS-AMB-51)."""
    if rules.options.promotion == "none":
        return member.rank
    labels = [level.rank for level in rules.advancement.levels if level.rank and level.level <= member.level]
    order: Mapping[Rank, int] = {"green": 0, "experienced": 1, "veteran": 2}
    return max([member.rank, *labels], key=lambda rank: order[rank])


def rank_name(rules: Rules, force: str, rank: Rank) -> str:
    """Return the name of a rank in its force (FS-AMB-25)."""
    entry = rules.forces[force].ranks[rank]
    return entry.name if rules.options.rank_names == "profile_table" else entry.allowance_name


def armor_save(rules: Rules, force: str, good: str) -> int:
    """Return the armor save of a good in a force; 0 if the good is no armor (FS-AMB-24)."""
    saves, chosen = rules.goods[good].armor, rules.options.trench_coat_armor
    if not saves:
        return 0
    if "any" in saves:
        return saves["any"]
    return saves.get(force, min(saves.values())) if chosen == "per_force" else chosen
