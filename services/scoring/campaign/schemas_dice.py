"""Shapes of what is said about dice that were told at the table, at scoring's door."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields, validate

from shared.formats.campaign.table_dice import Standing
from shared.web.fields import Answer, Choice, Identifier, Schema, Text
from shared.web.paging import PageQuery

MOST_ROLLS = 500
STANDING = (
    "`unconfirmed`: it rests on one word; `disputed`: whoever was named denies it; `confirmed`; `upheld` and "
    "`rejected` by staff; or `not_asked` where `fs.dice.witness` asks nobody."
)


class ConfirmDice(Schema):
    """rolls: by id; a player may leave them out, who then confirms all that wait for that player."""

    rolls = fields.List(Identifier(), load_default=list, validate=validate.Length(max=MOST_ROLLS))


class DisputeDice(Schema):
    """rolls: by id. reason: what is wrong with them."""

    rolls = fields.List(Identifier(), required=True, validate=validate.Length(1, MOST_ROLLS))
    reason = Text(500, minimum=1, required=True)


class RuleDice(DisputeDice):
    """stands: whether the rolls count as they were told."""

    stands = fields.Boolean(required=True)


class DiceQuery(PageQuery):
    """group: dice of one group. standing: only these. waits_for: dice that this player or member of staff confirms."""

    group = Identifier()
    standing = Choice(*get_args(Standing))
    waits_for = Identifier()


class DieShown(Answer):
    """A roll that was told at the table, and how far it is vouched for."""

    roll = fields.String(required=True)
    group = fields.String(required=True)
    round = fields.Integer(required=True)
    purpose = fields.String(required=True, metadata={"description": "The clause that asked for it."})
    faces = fields.List(fields.Integer(), required=True)
    rolled_by = fields.String(required=True)
    witnessed_by = fields.String(required=True)
    told_by = fields.String(required=True, metadata={"description": "Who entered it."})
    standing = fields.String(required=True, metadata={"description": STANDING})
    waits_for = fields.String(
        required=True, metadata={"description": "Whose word is asked for, beside that of staff; empty: nobody's."}
    )
