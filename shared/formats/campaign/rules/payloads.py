"""What events hold of groups, members and phases: what was so at that moment, apart from the state that it is now."""

from __future__ import annotations

from typing import Self

import msgspec
from msgspec import Struct

from shared.formats.campaign.rules.reported import Played
from shared.formats.campaign.rules.roster import Group, HeldPerk, Item, Member, OwnedTurf, Phase, Step
from shared.formats.campaign.rules.words import Changes, Rank


class Payload(Struct, frozen=True, omit_defaults=True):
    """A part of a state, as an event holds it."""

    @classmethod
    def of(cls, state: Group | Member | Phase) -> Self:
        """What the event holds of a state."""
        return msgspec.convert(state, cls, from_attributes=True)


class MemberBuilt(Payload, frozen=True):
    """A character as it joins."""

    id: str
    rank: Rank
    name: str = ""
    xp: int = 0
    level: int = 0
    paid: int | None = None

    @property
    def state(self) -> Member:
        """The member that it is from now on."""
        return msgspec.convert(self, Member, from_attributes=True)


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


class _OfGroup(Payload, frozen=True, kw_only=True):
    id: str
    force: str
    items: tuple[Item, ...] = ()
    turfs: tuple[OwnedTurf, ...] = ()
    caps: int = 0
    leader: str = ""
    rating: int = 0
    serial: int = 0

    @property
    def state(self) -> Group:
        """The group that it is from now on."""
        return msgspec.convert(self, Group, from_attributes=True)


class GroupBuilt(_OfGroup, frozen=True, kw_only=True):
    """A group as it was built."""

    members: tuple[MemberBuilt, ...] = ()


class GroupBefore(_OfGroup, frozen=True, kw_only=True):
    """A group as it was before a game; serial: what it is now, since no number is given twice."""

    members: tuple[MemberBefore, ...] = ()
    clean: int = 0
    radiated: int = 0
    centaurs: int = 0


class PhaseBegun(Payload, frozen=True):
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
        return msgspec.convert(self, Phase, from_attributes=True)
