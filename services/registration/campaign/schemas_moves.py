"""Shapes of a campaign's move to another version of its ruleset, at registration's door and as it is shown."""

from __future__ import annotations

from marshmallow import fields

from shared.web.fields import Answer, Choice, Schema, Text, WholeNumber


class MoveRuleset(Schema):
    """`ruleset` names a shipped pack, or `pack` brings one as JSON; options stay as they were announced."""

    from_round = WholeNumber(1, 10_000, required=True, metadata={"description": "The first round played by it."})
    ruleset = fields.String(metadata={"description": "Id of a shipped ruleset: GET /rulesets."})
    pack = fields.Dict(metadata={"description": "A whole ruleset pack as JSON, instead of `ruleset`."})
    reason = Text(500, minimum=1, required=True)


class PreviewMove(Schema):
    """preview: `true` shows what would differ, and moves nothing."""

    preview = Choice("true", "false", load_default="false")


class VersionShown(Answer):
    """A version of a ruleset."""

    id = fields.String(required=True)
    version = fields.String(required=True)


class RuleDiffers(Answer):
    """A value that differs. null: it is on one side only."""

    where = fields.String(required=True, metadata={"description": "JSON pointer into the pack."})
    before = fields.Raw(required=True, allow_none=True)
    after = fields.Raw(required=True, allow_none=True)


class MovePreviewed(Answer):
    """What would differ from a round on; nothing was moved."""

    from_round = fields.Integer(required=True)
    before = fields.Nested(VersionShown, required=True)
    after = fields.Nested(VersionShown, required=True)
    differences = fields.List(fields.Nested(RuleDiffers), required=True)


class MoveShown(VersionShown):
    """A version of the ruleset, and the round from which it holds; the one announced holds from 0 on."""

    from_round = fields.Integer(required=True)


class MovesShown(Answer):
    """Every version that the campaign has been played by, the first first."""

    versions = fields.List(fields.Nested(MoveShown), required=True)
