"""The words that everything in a campaign shares: ranks, attributes, kinds of goods."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Rank = Literal["green", "experienced", "veteran"]
RANKS: tuple[Rank, ...] = ("green", "experienced", "veteran")

Special = Literal["S", "P", "E", "C", "I", "A", "L"]
Attribute = Literal["S", "P", "E", "C", "I", "A", "L", "W", "AP"]
Changes = dict[Attribute, int]
"""What is added to some attributes."""

Kind = Literal[
    "melee", "small_gun", "energy", "big_gun", "grenade", "custom_melee", "custom_ranged", "armor", "drug", "item"
]
WEAPONS: frozenset[Kind] = frozenset(
    {"melee", "small_gun", "energy", "big_gun", "grenade", "custom_melee", "custom_ranged"}
)
CUSTOM: frozenset[Kind] = frozenset({"custom_melee", "custom_ranged"})
SHOOTING: frozenset[Kind] = frozenset({"small_gun", "energy", "big_gun", "custom_ranged"})
"""Ranged weapons; grenades are thrown."""

Food = Literal["clean", "radiated"]


class Outcome(Struct, frozen=True, tag=True, omit_defaults=True):
    """Something that happened to one group, or a roll that decided it."""
