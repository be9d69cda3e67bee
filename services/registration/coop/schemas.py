"""Shapes of co-operative events at registration's door, and of what it shows."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.web.fields import Answer, Identifier, Schema, Text


class PinOperatorData(Schema):
    """data: scenarios with their two sides, cards, how many sit at a table (docs/rulesets.md)."""

    data = fields.Dict(required=True)


class FormParty(Schema):
    """players: two or more who sit together, as many as fit at a table."""

    players = fields.List(Identifier(), required=True, validate=validate.Length(1, 100))


class AcceptInvitation(Schema):
    """invitation: the code that somebody who comes as well has told."""

    invitation = Text(100, minimum=1, required=True)


class InvitationShown(Answer):
    """What a survivor tells those whom they want at their table."""

    player = fields.String(required=True)
    invitation = fields.String(required=True)
    party = fields.String(required=True, metadata={"description": "Their party so far; empty for none."})
    players = fields.List(fields.String(), required=True, metadata={"description": "Who is in it."})
    places = fields.Integer(required=True, metadata={"description": "How many more fit at a table."})


class MissingValues(Answer):
    """A side without which values a table with it is not set up."""

    scenario = fields.String(required=True)
    side = fields.Integer(required=True, metadata={"description": "1 or 2."})
    missing = fields.List(fields.String(), required=True)


class OperatorDataShown(Answer):
    """What was entered last. version 0: nothing yet."""

    version = fields.Integer(required=True)
    data = fields.Dict(required=True)
    missing = fields.List(fields.Nested(MissingValues), required=True)


class PartyShown(Answer):
    """Survivors who sit together."""

    party = fields.String(required=True)
    players = fields.List(fields.String(), required=True)


class PartiesShown(Answer):
    """Every party there is."""

    parties = fields.List(fields.Nested(PartyShown), required=True)
