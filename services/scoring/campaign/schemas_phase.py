"""Shapes of the post-game phase of a campaign at scoring's door, and of groups as it shows them."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.application.schemas import RollTold
from shared.formats.campaign.rules.steps import NAMES
from shared.web.faults import FaultShown
from shared.web.fields import Answer, Flag, Identifier, Schema

MOST_ROLLS = 10
MOST_GROUPS = 5000
STEPS = tuple(NAMES)


MARKS = "Rolls of the group that rest on one word or are denied: `unconfirmed`, `disputed`, `rejected`."


class Choose(Schema):
    """A choice of the open step, as `GET …/groups/{group}/post-game` lists it: its name, what it is about, its dice.

    rolls: in the order in which they are asked for; with `service` the service rolls what is not told.
    """

    does = Identifier(required=True, metadata={"description": "The name of the choice: `scavenge`, `take_offer` …"})
    of = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"description": "As `of` of the listed choice; more where a choice takes it."},
    )
    rolls = fields.List(fields.Nested(RollTold), load_default=list, validate=validate.Length(max=MOST_ROLLS))
    service = Flag(load_default=False)


class CloseStep(Schema):
    """absent: by the staff, for a player who is away: what must be rolled is rolled, nothing else is done."""

    absent = Flag(load_default=False)


class RollOfGroup(RollTold):
    """The die of one group."""

    group = Identifier(required=True)


class OpenRecruits(Schema):
    """rolls: each with its group; the service rolls for every other group."""

    rolls = fields.List(fields.Nested(RollOfGroup), load_default=list, validate=validate.Length(max=MOST_GROUPS))


class AskedQuery(Schema):
    """all: choices that are not legal now, too, each with every reason why."""

    all = fields.Boolean(load_default=False)


class ChoiceShown(Answer):
    """One thing that a group may do, or may not."""

    does = fields.String(required=True)
    of = fields.Dict(keys=fields.String(), required=True, metadata={"description": "What it is about; send it back."})
    dice = fields.List(fields.String(), required=True, metadata={"description": "What is rolled for it, in order."})
    legal = fields.Boolean(required=True)
    why_not = fields.List(fields.Nested(FaultShown), required=True)


class StepShown(Answer):
    """Where a group stands in its post-game phase."""

    group = fields.String(required=True)
    name = fields.String(required=True, metadata={"description": "The player's public name."})
    step = fields.String(required=True, allow_none=True, metadata={"description": "The open one; null: none is."})
    step_name = fields.String(required=True)
    waits_for = fields.List(
        fields.Nested(FaultShown), required=True, metadata={"description": "What has to be done before it closes."}
    )
    done = fields.Boolean(required=True, metadata={"description": "Whether the round is over for this group."})
    marked_dice = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": MARKS}
    )
    dice_to_confirm = fields.List(
        fields.String(), required=True, metadata={"description": "Rolls that wait for the word of this player."}
    )


class RecruitShown(Answer):
    """Somebody who can be hired."""

    id = fields.String(required=True)
    rank = fields.String(required=True)
    roll = fields.String(required=True)


class PoolShown(Answer):
    """Step 4 of the whole campaign. order: who has still to act, the next one first."""

    open = fields.Boolean(required=True)
    recruits = fields.List(fields.Nested(RecruitShown), required=True)
    order = fields.List(fields.String(), required=True)
    waits_for = fields.List(
        fields.Nested(FaultShown), required=True, metadata={"description": "Why recruits cannot be opened yet."}
    )


class PhaseShown(Answer):
    """The post-game phase of a round, over all groups."""

    round = fields.Integer(required=True)
    closed = fields.Boolean(required=True)
    groups = fields.List(fields.Nested(StepShown), required=True)
    recruits = fields.Nested(PoolShown, required=True)


class AskedShown(StepShown):
    """What one group is asked now."""

    choices = fields.List(fields.Nested(ChoiceShown), required=True)


class PartShown(Answer):
    """A part of a value, and where it comes from."""

    source = fields.String(required=True)
    value = fields.Integer(required=True)


class AttributeShown(Answer):
    """An attribute as it is now, with its parts."""

    value = fields.Integer(required=True)
    parts = fields.List(fields.Nested(PartShown), required=True)


class MemberShown(Answer):
    """A member's sheet."""

    member = fields.String(required=True)
    name = fields.String(required=True)
    rank = fields.String(required=True)
    attributes = fields.Dict(keys=fields.String(), values=fields.Nested(AttributeShown), required=True)
    perks = fields.Dict(
        keys=fields.String(), values=fields.Boolean(), required=True, metadata={"description": "Whether it is awake."}
    )
    xp = fields.Integer(required=True)
    level = fields.Integer(required=True)
    injuries = fields.List(fields.String(), required=True)
    addictions = fields.List(fields.String(), required=True)
    rads = fields.Integer(required=True)
    hunger = fields.Integer(required=True)
    critical_failure = fields.Integer(required=True, metadata={"description": "The face from which it is checked."})
    carries = fields.List(fields.String(), required=True)
    away = fields.Boolean(required=True, metadata={"description": "In jail until the next game is over."})
    stays_home = fields.List(fields.Nested(FaultShown), required=True, metadata={"description": "Why, if it must."})


class ItemShown(Answer):
    """One good. holder: empty for the stash."""

    id = fields.String(required=True)
    good = fields.String(required=True)
    holder = fields.String(required=True)


class TurfShown(Answer):
    """A turf."""

    id = fields.String(required=True)
    turf = fields.String(required=True)


class GroupLine(Answer):
    """A group in short."""

    group = fields.String(required=True)
    name = fields.String(required=True)
    force = fields.String(required=True)
    members = fields.Integer(required=True)
    leader = fields.String(required=True)
    rating = fields.Integer(required=True, metadata={"description": "As made final last."})
    caps = fields.Integer(required=True)
    playing = fields.Boolean(required=True)


class GroupsShown(Answer):
    """Every group of a campaign."""

    groups = fields.List(fields.Nested(GroupLine), required=True)


class GroupShown(GroupLine):
    """A group as it lives now: its roster sheet."""

    clean = fields.Integer(required=True, metadata={"description": "Clean food."})
    radiated = fields.Integer(required=True, metadata={"description": "Radiated food."})
    centaurs = fields.Integer(required=True)
    sheets = fields.List(fields.Nested(MemberShown), required=True)
    items = fields.List(fields.Nested(ItemShown), required=True)
    turfs = fields.List(fields.Nested(TurfShown), required=True)
    marked_dice = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": MARKS}
    )
    rating_now = fields.Integer(required=True)
    rating_parts = fields.List(fields.Nested(PartShown), required=True)


class EntryShown(Answer):
    """A line of a balance."""

    event = fields.String(required=True, metadata={"description": "The id of the event."})
    time = fields.String(required=True)
    round = fields.Integer(required=True)
    amount = fields.Integer(required=True)
    balance = fields.Integer(required=True)
    reason = fields.String(required=True)
    clause = fields.String(required=True)
    roll = fields.String(required=True)
    mark = fields.String(required=True, metadata={"description": "Of the roll, as in `marked_dice`; else empty."})


class BalanceShown(Answer):
    """A balance with every entry that made it."""

    group = fields.String(required=True)
    account = fields.String(required=True)
    balance = fields.Integer(required=True)
    entries = fields.List(fields.Nested(EntryShown), required=True)


ACCOUNTS = ("caps", "clean", "radiated")
