"""Shapes of what services show of seasons alike: who would move, and how far."""

from __future__ import annotations

from marshmallow import fields

from shared.http.fields import Answer


class SeasonMoveShown(Answer):
    """Somebody of a season who would stand elsewhere or with other points; rank 0: not in the table."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    rank_before = fields.Integer(required=True)
    rank_after = fields.Integer(required=True)
    points_before = fields.Raw(required=True, metadata={"description": 'Whole, or exact as "p/q".'})
    points_after = fields.Raw(required=True)
    division_before = fields.String()
    division_after = fields.String()
