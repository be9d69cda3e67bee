"""Shapes of the ranking of co-operative events, of why everybody stands where they do, and of what would move it."""

from __future__ import annotations

from marshmallow import fields

from shared.application.schemas import SeasonConsequences
from shared.web.fields import Answer, QueryNumber, Schema


class RankingQuery(Schema):
    """round: as published after this round; left out: of all sessions that bind so far."""

    round = QueryNumber(1, 1000)


class BecauseShown(Answer):
    """The first comparison that separates a row from the one above it, or the first row from the one below it."""

    compared_with = fields.String(required=True, metadata={"description": "The session, or the survivor."})
    by = fields.String(
        required=True, metadata={"description": "fewer rounds, more goals …; equal: the rank is shared."}
    )
    own = fields.String(required=True)
    theirs = fields.String(required=True)
    clause = fields.String(required=True)


def _because() -> fields.Nested:
    return fields.Nested(
        BecauseShown, required=True, allow_none=True, metadata={"description": "null: there is no other."}
    )


class TableRankShown(Answer):
    """A table in the ranking. share: of the power track, exact."""

    rank = fields.Integer(required=True)
    session = fields.String(required=True)
    survivors = fields.List(fields.String(), required=True)
    outcome = fields.String(required=True)
    rounds = fields.Integer(required=True)
    share = fields.String(required=True)
    goals = fields.Integer(required=True)
    scenario = fields.String(metadata={"description": "Of its own ranking, where sides are ranked apart."})
    loyal = fields.String()
    because = _because()


class SurvivorRankShown(Answer):
    """A survivor over all sessions so far."""

    rank = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    points = fields.Integer(required=True)
    victories = fields.Integer(required=True)
    rounds = fields.Integer(required=True, metadata={"description": "Of the victories."})
    goals = fields.Integer(required=True)
    because = _because()


class RankingShown(Answer):
    """The tables of a round in order, and the survivors. provisional: not as published."""

    tournament = fields.String(required=True)
    round = fields.Integer(required=True)
    provisional = fields.Boolean(required=True)
    final = fields.Boolean(required=True)
    tables = fields.List(fields.Nested(TableRankShown), required=True)
    survivors = fields.List(fields.Nested(SurvivorRankShown), required=True)


class CorrectionQuery(Schema):
    """preview: answer what would move, and append nothing."""

    preview = fields.Boolean(load_default=False)


class TableMoved(Answer):
    """A table that would stand elsewhere. before: null where it did not count."""

    session = fields.String(required=True)
    before = fields.Integer(required=True, allow_none=True)
    after = fields.Integer(required=True)


class SurvivorMoved(Answer):
    """A survivor who would stand elsewhere or with another sum."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    before = fields.Integer(required=True, allow_none=True)
    after = fields.Integer(required=True)
    points_before = fields.Integer(required=True, allow_none=True)
    points_after = fields.Integer(required=True)


class CorrectionShown(Answer):
    """What a correction would move; nothing was appended."""

    events = fields.List(fields.String(), required=True)
    round = fields.Integer(required=True)
    tables = fields.List(fields.Nested(TableMoved), required=True)
    survivors = fields.List(fields.Nested(SurvivorMoved), required=True)
    seasons = fields.List(fields.Nested(SeasonConsequences), required=True)


class SessionShare(Answer):
    """What one session adds to a survivor's sum."""

    session = fields.String(required=True)
    round = fields.Integer(required=True)
    outcome = fields.String(required=True)
    points = fields.Integer(required=True)
    rounds = fields.Integer(required=True)
    goals = fields.Integer(required=True)
    corrected = fields.Boolean(required=True)


class SurvivorExplained(Answer):
    """Where a survivor stands among all sessions so far, and where the points come from, session by session."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    rank = fields.Integer(required=True, allow_none=True, metadata={"description": "null: in no session that binds."})
    because = _because()
    points = fields.Integer(required=True)
    sessions = fields.List(fields.Nested(SessionShare), required=True)
    clause = fields.String(required=True)
