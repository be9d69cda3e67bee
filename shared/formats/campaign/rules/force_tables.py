"""The tables of a force: its ranks, its list, and the numbers of its special rules."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.formats.campaign.rules.words import Rank


class Profile(Struct, frozen=True):
    """The attributes of a character: the seven, wounds, action points."""

    S: int
    P: int
    E: int
    C: int
    I: int  # noqa: E741 - the letter of Intelligence
    A: int
    L: int
    W: int
    AP: int


class Armor(Struct, frozen=True):
    """What a rank wears. must: one of these, or it stays home. may: one of these. never: none at all. FS-GRP-7."""

    duty: Literal["any", "may", "must", "never"] = "any"
    of: tuple[str, ...] = ()


class RankEntry(Struct, frozen=True):
    """A rank of a force. caps: its price. start_most: how many a starting group may have. FS-GRP-4."""

    name: str
    allowance_name: str
    start_most: int
    caps: int
    profile: Profile
    armor: Armor = Armor()


class BigGuns(Struct, frozen=True, omit_defaults=True):
    """One Big Gun for each full complement of `per` members, carried by these ranks. FS-GRP-8.

    carriers_by_option: who carries where the organiser reads the text widely. FS-AMB-26.
    """

    per: int
    carriers: tuple[Rank, ...]
    carriers_by_option: tuple[Rank, ...] = ()


class SpecialRules(Struct, frozen=True, omit_defaults=True):
    """What only some forces have. The comment on each names the clause."""

    jams: bool = False  # FS-GAM-3
    evil: bool = False  # FS-GAM-4
    judges: tuple[str, ...] = ()  # FS-GAM-4: forces that it judges
    evil_until: int = 0  # FS-GAM-4: the highest face that judges evil
    human: bool = True  # FS-SPC-2
    never_concedes: Literal["", "high_tech_in_play", "mutated_present", "against_evil"] = ""  # FS-GAM-11
    high_tech: tuple[str, ...] = ()  # FS-XP-3: tags of the weapons it is after
    hunts_mutated: bool = False  # FS-XP-3
    hunts_evil: bool = False  # FS-XP-3
    jail_caps: int = 0  # FS-INJ-5
    appetite: int = 1  # FS-UPK-1: food for each member
    cannibals: int = 0  # FS-SPC-1: whom one eaten member feeds
    flesh_eaters: int = 0  # FS-SPC-2: whom one killed enemy feeds
    searches: int = 0  # FS-SPC-5: searchers for each roll; such a force visits no merchant
    restaurant: int = 0  # FS-SPC-3: whom the vault feeds; such a force has a clean home
    barter: int = 0  # FS-BAR-3: Charisma at merchants
    refuses: tuple[Rank, ...] = ()  # FS-REC-3
    successor: Rank | None = None  # FS-SPC-4
    bonus_food_per: int = 0  # FS-SCV-2: scavengers for each bonus food
    wounds_by_option: bool = False  # FS-AMB-13


class Force(Struct, frozen=True):
    """A force. goods: what its weapon and armor list holds, at base value."""

    name: str
    ranks: dict[Rank, RankEntry]
    most: int
    big_guns: BigGuns
    goods: tuple[str, ...]
    special: SpecialRules = SpecialRules()
