"""Shapes of a campaign's games at scoring's door: dice, what comes before a game, what happened in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import ValidationError, fields, validate

from shared.application.schemas import RollTold
from shared.formats.campaign.rules.reported import Cause
from shared.formats.campaign.rules.ruled import Entered
from shared.formats.campaign.rules.words import Food
from shared.shapes import IDENTIFIER
from shared.web.fields import Answer, Choice, Flag, Identifier, Schema, Text, WholeNumber

MOST_GROUPS = 20
"""In one game."""

MOST_MEMBERS = 50
MOST_GOODS = 50
MANY = 1000


class OfSide(Schema):
    """group: whose; a player may leave it out."""

    group = Identifier(load_default="")


class MusterGroup(OfSide):
    """The members who play; the others stay at home."""

    fielded = fields.List(Identifier(), required=True, validate=validate.Length(max=MOST_MEMBERS))


class RollOfSide(OfSide):
    """roll: at the table; left out, the service rolls."""

    roll = fields.Nested(RollTold, load_default=None, allow_none=True)


class JudgeEvil(RollOfSide):
    """rival: whom the roll judges; left out, the first that is still to be judged."""

    rival = Identifier(load_default="")


class RollJams(RollOfSide):
    """item: the weapon that the roll is for; left out, the service rolls for each that is still due."""

    item = Identifier(load_default="")


class RollOfReport(RollTold):
    """A roll of a report. id: empty, as the facts of a game show it, since it is given when the result binds."""

    id = fields.String(load_default="", validate=validate.OneOf([""], error="nothing"))


class Dose(Schema):
    """A dose of a drug that was taken in the game, and the die of its addiction check."""

    item = Identifier(required=True)
    roll = fields.Nested(RollOfReport, required=True)


class RivalMember(fields.String):
    """A member of a rival group: `m-2`, or `p3/m-2` where several groups are rivals."""

    expected = "a rival's member: m-2, or p3/m-2 where several groups are rivals"
    pattern = f"^{IDENTIFIER}(/{IDENTIFIER})?$"
    minimum, maximum = 1, 129

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        if isinstance(value, str) and re.fullmatch(self.pattern, value):
            return value
        raise ValidationError(self.expected)


class Deeds(Schema):
    """What a fielded member did and suffered; what is left out did not happen.

    down: why it was at 0 wounds; by: which rival did it, and melee: how. removed: killed without an injury roll.
    models: how many different opponents it wounded. took: rivals that it took to 0 wounds. Where several groups are
    rivals, `by` and `took` say which: `p3/m-2`. used: items used up. evil, mutated: enemies of that kind that it took
    out. high_tech: laser and plasma weapons obtained and held.
    """

    member = Identifier(required=True)
    down = Choice(*get_args(Cause))
    by = RivalMember()
    melee = Flag()
    removed = Flag()
    fled = Flag()
    wounds = WholeNumber(0, MANY)
    models = WholeNumber(0, MANY)
    kills = WholeNumber(0, MANY)
    took = fields.List(RivalMember(), validate=validate.Length(max=MOST_MEMBERS))
    computers = WholeNumber(0, MANY)
    locks = WholeNumber(0, MANY)
    rads = WholeNumber(0, MANY)
    doses = fields.List(fields.Nested(Dose), validate=validate.Length(max=MOST_GOODS))
    used = fields.List(Identifier(), validate=validate.Length(max=MOST_GOODS))
    evil = WholeNumber(0, MANY)
    mutated = WholeNumber(0, MANY)
    high_tech = WholeNumber(0, MANY)
    injury = fields.Nested(RollOfReport, metadata={"description": "Where injuries are rolled at the table: 2D12."})


class Search(Schema):
    """A search of a Dead Scavenger or an Enclave Outpost: who, and its 1D12, to which Luck is added.

    amount: 1D3, where the row that this hits asks for it. after: once after the game, by its winner, where nobody
    searched during it.
    """

    at = Identifier(required=True)
    member = Identifier(required=True)
    roll = fields.Nested(RollTold, required=True)
    amount = fields.Nested(RollTold)
    after = Flag()


class Freed(Schema):
    """A slave whose collar a member took off, and the 1D12 that did it; the slave joins after the game."""

    member = Identifier(required=True)
    roll = fields.Nested(RollTold, required=True)


class Encounter(Schema):
    """A random encounter that was played: which card of the ruleset's deck, and how many appeared."""

    met = Identifier(required=True)
    number = WholeNumber(1, MANY, load_default=1)


class Terrain(Schema):
    """What stood on the table that gives experience."""

    computers = WholeNumber(0, MANY, load_default=0)
    locks = WholeNumber(0, MANY, load_default=0)


class SideReport(Schema):
    """What one group tells. lines: that it controls, in its side's numbering; vp: their sum. objective, evil, evil_to
    (which of several rivals judged it so): known already, and may be said again as they were rolled.

    searches, freed: by its members, in encounters. loot: goods obtained otherwise, by a scenario of the organiser's.
    missed: laser and plasma weapons not obtained. left: mutated models still on the table.
    """

    group = Identifier(required=True)
    lines = fields.List(WholeNumber(-100, 100), load_default=list, validate=validate.Length(max=MANY))
    vp = WholeNumber(0, MANY, load_default=0)
    objective = WholeNumber(1, 12)
    evil = Flag()
    evil_to = fields.List(Identifier(), validate=validate.Length(max=MOST_GROUPS))
    conceded = Flag(load_default=False)
    members = fields.List(fields.Nested(Deeds), load_default=list, validate=validate.Length(max=MOST_MEMBERS))
    searches = fields.List(fields.Nested(Search), load_default=list, validate=validate.Length(max=MOST_GOODS))
    freed = fields.List(fields.Nested(Freed), load_default=list, validate=validate.Length(max=MOST_GOODS))
    loot = fields.List(Identifier(), load_default=list, validate=validate.Length(max=MOST_GOODS))
    missed = WholeNumber(0, MANY, load_default=0)
    left = WholeNumber(0, MANY, load_default=0)


class GameReport(Schema):
    """A whole game. sides: one for each group that played. last_turn: in which it ended. end_roll: the 1D12 that ended
    it; none where concessions did.

    present: what was there that forbids some forces to concede. encounters: random encounters that were played, without
    which there is nobody to search, to free, or to fight beside the rival. terrain: where somebody counted it.
    """

    sides = fields.List(fields.Nested(SideReport), required=True, validate=validate.Length(2, MOST_GROUPS))
    last_turn = WholeNumber(0, MANY, required=True)
    end_roll = fields.Nested(RollOfReport, load_default=None, allow_none=True)
    present = fields.List(
        Choice("high_tech_in_play", "mutated_present"), load_default=list, validate=validate.Length(max=2)
    )
    encounters = fields.List(fields.Nested(Encounter), load_default=list, validate=validate.Length(max=MOST_GOODS))
    terrain = fields.Nested(Terrain, load_default=None, allow_none=True)


class Entry(Schema):
    """One entry of a ruling: what comes or, below 0, goes; each has its reason and the clause behind it.

    caps and food have an amount; food is clean or radiated; item_gained names a good, item_lost an item of the group.
    experience names a member and its deeds, which say how much it is: `{"wound": 2, "kill": 1}`. experience_unearned
    has an amount, below 0, of what should never have been entered: its levels and advancements go with it.
    """

    entry = Choice(*get_args(Entered), required=True)
    amount = WholeNumber(-MANY, MANY, load_default=0)
    food = Choice(*get_args(Food), load_default="clean")
    good = Text(64, load_default="", metadata={"description": "By key or by name."})
    item = Identifier(load_default="")
    member = Identifier(load_default="")
    deeds = fields.Dict(
        keys=Identifier(), values=WholeNumber(-MANY, MANY), load_default=dict, validate=validate.Length(max=MOST_GOODS)
    )
    reason = Text(500, minimum=1, required=True)
    clause = Text(40, minimum=1, required=True, validate=validate.Regexp(r"FS-[A-Z]+-\d+\Z"))


class LedgerQuery(Schema):
    """preview: answer what would change, and append nothing."""

    preview = fields.Boolean(load_default=False)


class EnterLedger(Schema):
    """All entries, or none."""

    entries = fields.List(fields.Nested(Entry), required=True, validate=validate.Length(1, MOST_GOODS))


class NumberMoved(Answer):
    """A number as it is, and as it would be."""

    before = fields.Integer(required=True)
    after = fields.Integer(required=True)


class MemberMoved(Answer):
    """A member of whom something would change. lost, gained: attributes and perks by advancements, one entry each."""

    member = fields.String(required=True)
    xp = fields.Nested(NumberMoved, required=True)
    level = fields.Nested(NumberMoved, required=True)
    advances = fields.Nested(NumberMoved, required=True, metadata={"description": "Advancements owed."})
    lost = fields.List(fields.String(), required=True)
    gained = fields.List(fields.String(), required=True)


class LedgerPreview(Answer):
    """What entries would change of a group; nothing was appended."""

    group = fields.String(required=True)
    events = fields.List(fields.String(), required=True, metadata={"description": "Types, in order."})
    balances = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(NumberMoved),
        required=True,
        metadata={"description": "caps, clean, radiated and rating, where they would change."},
    )
    members = fields.List(fields.Nested(MemberMoved), required=True)
    items_lost = fields.List(fields.String(), required=True)
    items_gained = fields.List(fields.String(), required=True)
