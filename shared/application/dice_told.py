"""Shapes of dice at the door: told as they lay on the table, or left to the service."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.web.fields import Schema, WholeNumber


class DieTold(Schema):
    """A die as it lay on the table."""

    sides = WholeNumber(required=True)
    natural = WholeNumber(required=True, metadata={"description": "The face, as it lay."})


class RollTold(Schema):
    """Dice that were rolled at a table; without any, the service rolls. The roller is the player, unless it is said."""

    dice = fields.List(fields.Nested(DieTold), load_default=list, validate=validate.Length(max=9))
    rolled_by = fields.String(load_default="", metadata={"description": "The id of a player or a member of staff."})
    witnessed_by = fields.String(load_default="", metadata={"description": "Somebody else who was there."})
