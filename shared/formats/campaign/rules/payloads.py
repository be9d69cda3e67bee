"""What events hold of groups, members and phases: what was so at that moment, apart from the state that it is now."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from shared.formats.campaign.rules.reported import Played
from shared.formats.campaign.rules.roster import Group, HeldPerk, Item, Member, OwnedTurf, Phase, Step
from shared.formats.campaign.rules.words import Changes, Rank


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
