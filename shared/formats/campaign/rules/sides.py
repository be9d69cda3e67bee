"""Who stands with whom in a game, and by which name a report calls a member of another group. §1.1, §3.2, FS-REP-2.

A game has two or more sides of one or more groups each. Groups of one side are allies; all others are rivals. Ids of
members are of their group alone, so whoever meets several groups says which one: `p3/m-2`.
"""

from __future__ import annotations

from collections.abc import Sequence

Sides = Sequence[Sequence[str]]
"""Every side of a game with its groups; where none are given, each group stands for itself."""


def rivals_of(sides: Sides, group: str) -> tuple[str, ...]:
    """The groups of all other sides, in the order of the sides."""
    return tuple(other for side in sides if group not in side for other in side)


def allies_of(sides: Sides, group: str) -> tuple[str, ...]:
    """The other groups of the same side."""
    return tuple(other for side in sides if group in side for other in side if other != group)


def name_of_rival(rivals: Sequence[str], group: str, member: str) -> str:
    """What a group with these rivals calls a member (or a turf) of one of them."""
    return member if len(rivals) == 1 else f"{group}/{member}"


def rival_by_name(rivals: Sequence[str], name: str) -> tuple[str, str]:
    """The group and the member (or turf) that such a name means; no group where it means none."""
    if len(rivals) == 1:
        return rivals[0], name
    group, _, member = name.partition("/")
    return (group, member) if group in rivals else ("", name)
