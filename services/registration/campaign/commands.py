"""What registration can be asked to do about a campaign."""

from __future__ import annotations

from typing import Annotated, Any

from shared.service.views import RollTold
from shared.shapes import Command, Id, Name, Reason, Shape, Size

MOST = 100
"""Things of one kind in a submission; a group of any force holds far fewer."""
GOOD = "A good by its key, as the ruleset's `rules.goods` has it, or by one of its names, in any case."

Goods = Annotated[list[str], Size(MOST), GOOD]


class EnlistedMember(Shape, frozen=True, kw_only=True):
    """A character of a group. goods: what it carries and wears."""

    rank: Annotated[str, "green, experienced or veteran."]
    name: Annotated[str, Name()] = ""
    goods: Goods = []


class SubmitGroup(Command, frozen=True, kw_only=True):
    """A whole group. force: by key, as the ruleset's `rules.forces` has it, or by name. stash: what nobody carries."""

    player: Id
    force: str
    members: Annotated[list[EnlistedMember], Size(MOST)]
    stash: Goods = []


class RollTurfs(Command, frozen=True, kw_only=True):
    """rolls: one for each starting turf, in their order; up to as many as are missing."""

    player: Id
    rolls: Annotated[list[RollTold], Size(MOST, 1)]


class MoveRuleset(Command, frozen=True, kw_only=True):
    """ruleset: the whole pack with the options in force. given: the member of the request that it came from."""

    from_round: int
    ruleset: dict[str, Any]
    given: str
    reason: Reason
