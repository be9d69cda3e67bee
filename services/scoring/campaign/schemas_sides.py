"""Shapes of what scoring shows of each group in a campaign's game."""

from __future__ import annotations

from marshmallow import fields

from shared.web.fields import Answer


class GroupScored(Answer):
    """How a campaign's game ended for one group."""

    group = fields.String(required=True)
    outcome = fields.String(required=True)
    values = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)


class SideShown(Answer):
    """One group before a campaign's game: on which side it stands, what is recorded, and what is still due."""

    group = fields.String(required=True)
    name = fields.String(required=True)
    side = fields.Integer(required=True, metadata={"description": "From 1; groups of one side are allies."})
    rivals = fields.List(fields.String(), required=True, metadata={"description": "The groups of all other sides."})
    fielded = fields.List(
        fields.String(), required=True, allow_none=True, metadata={"description": "null: not mustered."}
    )
    jams = fields.Dict(keys=fields.String(), values=fields.Boolean(), required=True)
    judged_rival_evil = fields.Boolean(
        required=True, allow_none=True, metadata={"description": "Of any rival, as a die fell; null: none was rolled."}
    )
    judged = fields.Dict(
        keys=fields.String(),
        values=fields.Boolean(),
        required=True,
        metadata={"description": "Rival -> whether a die made it evil."},
    )
    objective = fields.String(required=True, metadata={"description": "Empty: not rolled."})
