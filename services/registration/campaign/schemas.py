"""Shapes of a campaign's groups at registration's door, and of what it shows of them."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.application.schemas import ReceiptShown, RollTold
from shared.web.faults import FaultShown
from shared.web.fields import Answer, Name, Schema

MOST = 100
"""Things of one kind in a submission; a group of any force holds far fewer."""
GOOD = "A good by its key, as the ruleset's `rules.goods` has it, or by one of its names, in any case."


class EnlistedMember(Schema):
    """A character of a group. goods: what it carries and wears."""

    rank = fields.String(required=True, metadata={"description": "green, experienced or veteran."})
    name = Name(load_default="")
    goods = fields.List(
        fields.String(), load_default=list, validate=validate.Length(max=MOST), metadata={"description": GOOD}
    )


class SubmitGroup(Schema):
    """A whole group. force: by key, as the ruleset's `rules.forces` has it, or by name. stash: what nobody carries."""

    force = fields.String(required=True)
    members = fields.List(fields.Nested(EnlistedMember), required=True, validate=validate.Length(max=MOST))
    stash = fields.List(
        fields.String(), load_default=list, validate=validate.Length(max=MOST), metadata={"description": GOOD}
    )


class RollTurfs(Schema):
    """rolls: one for each starting turf, in their order; up to as many as are missing."""

    rolls = fields.List(fields.Nested(RollTold), required=True, validate=validate.Length(1, MOST))


class GroupTaken(ReceiptShown):
    """advice: members who may be on the roster, and cannot be fielded as they are."""

    advice = fields.List(fields.Nested(FaultShown), required=True)


class MemberBuilt(Answer):
    """A member as the group was built."""

    id = fields.String(required=True)
    rank = fields.String(required=True)
    rank_name = fields.String(required=True, metadata={"description": "What the force calls the rank."})
    name = fields.String(required=True)
    xp = fields.Integer(required=True)
    level = fields.Integer(required=True)
    attributes = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    perks = fields.List(fields.String(), required=True)


class ItemBuilt(Answer):
    """One good. holder: the member who carries it; empty for the stash."""

    id = fields.String(required=True)
    good = fields.String(required=True, metadata={"description": GOOD})
    names = fields.List(fields.String(), required=True, metadata={"description": "What it may be on the table."})
    holder = fields.String(required=True)
    caps = fields.Integer(required=True, metadata={"description": "What it counts in the rating."})


class TurfBuilt(Answer):
    """A turf that the group holds."""

    id = fields.String(required=True)
    turf = fields.String(required=True)
    name = fields.String(required=True)


class GroupBuilt(Answer):
    """A group as its player built it, before its first game; scoring shows it as it lives."""

    player = fields.String(required=True)
    player_name = fields.String(required=True)
    force = fields.String(required=True)
    force_name = fields.String(required=True)
    complete = fields.Boolean(required=True, metadata={"description": "Whether it has turfs, leader and rating."})
    turfs_to_roll = fields.Integer(required=True)
    members = fields.List(fields.Nested(MemberBuilt), required=True)
    items = fields.List(fields.Nested(ItemBuilt), required=True)
    turfs = fields.List(fields.Nested(TurfBuilt), required=True)
    caps = fields.Integer(required=True, metadata={"description": "Unspent; no part of the rating."})
    leader = fields.String(required=True, metadata={"description": "Empty until the last turf is rolled."})
    rating = fields.Integer(required=True, metadata={"description": "0 until the last turf is rolled."})
    rating_parts = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    advice = fields.List(fields.Nested(FaultShown), required=True)


class GroupListed(Answer):
    """A player with their group in short. force: empty where none was handed in."""

    player = fields.String(required=True)
    player_name = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "Of the player."})
    force = fields.String(required=True)
    members = fields.Integer(required=True)
    turfs_to_roll = fields.Integer(required=True)
    complete = fields.Boolean(required=True)
    rating = fields.Integer(required=True)


class GroupsListed(Answer):
    """Every player who takes part or waits, with their group."""

    groups = fields.List(fields.Nested(GroupListed), required=True)
