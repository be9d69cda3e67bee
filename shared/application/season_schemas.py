"""Shapes of what services show of seasons alike: who moves, how far, and by what."""

from __future__ import annotations

from marshmallow import fields

from shared.web.fields import Answer


class CountedShown(Answer):
    """A result. left: why it does not count; empty: it counts."""

    entry = fields.String(required=True)
    place = fields.Integer(required=True)
    points = fields.Raw(required=True, metadata={"description": "A whole number, or a decimal as a string."})
    left = fields.String(required=True)


class ResultMoved(Answer):
    """A result of one's own that changed; null where there was, or is, none."""

    tournament = fields.String(required=True)
    before = fields.Nested(CountedShown, required=True, allow_none=True)
    after = fields.Nested(CountedShown, required=True, allow_none=True)


class PassedBy(Answer):
    """Somebody who was not ahead before, and is now."""

    player = fields.String(required=True)
    name = fields.String(required=True)


class SeasonMoveShown(Answer):
    """Somebody of a season who stands elsewhere or with other values; no rank: not in the table."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    division = fields.String(required=True)
    rank_before = fields.Integer(required=True, allow_none=True)
    rank_after = fields.Integer(required=True, allow_none=True)
    points_before = fields.Raw(required=True, metadata={"description": "A whole number, or a decimal as a string."})
    points_after = fields.Raw(required=True)
    columns = fields.List(fields.String(), required=True, metadata={"description": "Values that are others."})
    results = fields.List(fields.Nested(ResultMoved), required=True)
    passed_by = fields.List(fields.Nested(PassedBy), required=True, metadata={"description": "Five at most."})


class SeasonConsequences(Answer):
    """What a correction would move in a season that counts the tournament.

    stands: the season is over, and its standings stand; the correction is only told.
    """

    season = fields.String(required=True)
    name = fields.String(required=True)
    stands = fields.Boolean(required=True)
    moves = fields.List(fields.Nested(SeasonMoveShown), required=True)
