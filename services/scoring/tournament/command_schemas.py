"""Shapes at scoring's door."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.web.fields import Choice, Identifier, Name, NumberOrAll, QueryNumber, Schema, Text
from shared.web.paging import PageQuery


class CorrectionQuery(Schema):
    """preview: answer what would move, and append nothing."""

    preview = fields.Boolean(load_default=False)


class Reason(Schema):
    """Why; it stands in the public log."""

    reason = Text(500, minimum=1, required=True)


class EnterCoin(Schema):
    """The players of a tied group in the order that a coin gave, best first."""

    order = fields.List(Identifier(), required=True, validate=validate.Length(2, 500))
    reason = Text(500, load_default="")


class GiveAward(Schema):
    """An award beside the standings."""

    title = Name(required=True)
    player = Identifier(required=True)
    reason = Text(500, load_default="")


class Conclude(Schema):
    """early: why the tournament ends before its last planned round, a season before its last tournament.

    named: of a season, whom staff name of those who share a place at a line between divisions.
    """

    early = Text(500, load_default="")
    named = fields.List(Identifier(), load_default=list, validate=validate.Length(max=500))


class GamesQuery(PageQuery):
    """round: of which round, or `all`; left out: the latest, which the answer names. status: only games of this status.

    improbable: true: only games with facts that were asked back and stood by; false: only the others.
    """

    round = NumberOrAll(1000)
    status = Choice("bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected")
    venue = Identifier()
    improbable = fields.Boolean()


class StandingsQuery(Schema):
    """round: standings recorded after this round; left out: the present ones."""

    round = QueryNumber(1, 1000)
