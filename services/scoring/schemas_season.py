"""Shapes of seasons at scoring's door, and of what it shows."""

from __future__ import annotations

from marshmallow import fields

from shared.http.fields import Answer, AsMade, QueryNumber, Schema

EXACT = 'Whole, or exact as "p/q".'


class SeasonStandingsQuery(Schema):
    """number: standings as they were recorded under this number; left out: the latest."""

    number = QueryNumber(1, 1_000_000)


class SeasonResultShown(Answer):
    """What a tournament brought. left: why it does not count, empty where it does."""

    tournament = fields.String(required=True)
    entry = fields.String(required=True)
    place = fields.Integer(required=True)
    field = fields.Integer(required=True)
    points = fields.Raw(required=True, metadata={"description": EXACT})
    weight = fields.Integer(required=True, metadata={"description": "In per cent."})
    left = fields.String(required=True)


class SeasonRatingShown(Answer):
    """A rating beside the points."""

    rating = fields.String(required=True)
    games = fields.Integer(required=True)
    deviation = fields.String()
    volatility = fields.String()


class SeasonRowShown(Answer):
    """A line of the standings. was: the rank before, where it was another one; 0: there was none."""

    rank = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    division = fields.String(required=True)
    points = fields.Raw(required=True, metadata={"description": EXACT})
    values = fields.Dict(required=True)
    tied = fields.Boolean(required=True)
    attended = fields.Integer(required=True)
    listed_last = fields.Boolean(required=True)
    barred = fields.List(fields.String(), required=True, metadata={"description": "Why not eligible; empty: eligible."})
    status = fields.String(required=True)
    rating = fields.Nested(SeasonRatingShown, allow_none=True)
    results = fields.List(fields.Nested(SeasonResultShown), required=True)
    was = fields.Integer(allow_none=True)


class SeasonCauseShown(Answer):
    """A tournament whose results moved the standings."""

    tournament = fields.String(required=True)
    why = fields.String(required=True)


class SeasonStandingsShown(Answer):
    """The standings of a season as recorded. number 0: nothing yet. provisional: something has changed since."""

    tournament = fields.String(required=True)
    number = fields.Integer(required=True)
    time = fields.String(required=True)
    final = fields.Boolean(required=True)
    provisional = fields.Boolean(required=True)
    columns = fields.List(fields.String(), required=True)
    causes = fields.List(fields.Nested(SeasonCauseShown), required=True)
    rows = AsMade(fields.Nested(SeasonRowShown), required=True)
