"""Shapes at scoring's door, and of what it shows, in every format."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.application.schemas import SeasonConsequences
from shared.web.fields import Answer, AsMade, Choice, Identifier, Name, NumberOrAll, QueryNumber, Schema, Text
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


class RowShown(Answer):
    """A line of standings."""

    rank = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    values = fields.Dict(
        required=True, metadata={"description": "The ruleset's columns: whole numbers, or decimals as strings."}
    )
    tied = fields.Boolean(required=True, metadata={"description": "Only a recorded draw separates a neighbour."})
    status = fields.String(required=True)
    separated_by = fields.String(
        metadata={"description": "Campaigns: what it is lower by than the row above; empty where they share a rank."}
    )
    crosstable = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Raw(metadata={"type": ["integer", "string"]})),
        metadata={"description": "Round robins: each opponent met, with the points of each of those games in order."},
    )


class DrawShown(Answer):
    """A draw that broke a tie: anybody can make it again from its seed."""

    purpose = fields.String(required=True)
    round = fields.Integer(required=True)
    order = fields.List(fields.String(), required=True)
    seed = fields.String(required=True)


class StandingsShown(Answer):
    """Standings, with the draws that broke ties."""

    tournament = fields.String(required=True)
    round = fields.Integer(required=True)
    final = fields.Boolean(required=True)
    provisional = fields.Boolean(
        required=True, metadata={"description": "Not as recorded: the round is open, or somebody left."}
    )
    columns = fields.List(fields.String(), required=True)
    words = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": "What people call each column, and (`tied`) what settles a tie; campaigns have none."},
    )
    rows = AsMade(fields.Nested(RowShown), required=True)
    draws = AsMade(fields.Nested(DrawShown))


class ShareShown(Answer):
    """What one round adds to a value."""

    round = fields.Integer(required=True)
    opponent = fields.String(
        required=True, metadata={"description": "Empty: nobody, after a bye; or several, see `opponents`."}
    )
    opponents = fields.List(
        fields.String(), metadata={"description": "Campaigns: every group of another side of that game."}
    )
    value = fields.String(required=True, metadata={"description": "Exact: 8 or 13/6."})


class ValueShown(Answer):
    """A value of a row, its clause, and the rounds that it comes from."""

    column = fields.String(required=True)
    clause = fields.String(required=True)
    value = fields.String(required=True, metadata={"description": "Exact: 8 or 13/6."})
    shares = fields.List(fields.Nested(ShareShown), required=True, attribute="from", data_key="from")
    parts = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "Campaigns: what a group's rating was made of when it was made final."},
    )


class NeighbourShown(Answer):
    """Who stands next to a row, and what separates the two; empty where they share a rank."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    separated_by = fields.String(required=True)


class ExplainedShown(Answer):
    """Where every value of a row comes from."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    values = fields.List(fields.Nested(ValueShown), required=True)
    rank = fields.Integer(metadata={"description": "Campaigns: the present one."})
    above = fields.Nested(NeighbourShown, allow_none=True)
    below = fields.Nested(NeighbourShown, allow_none=True)


class RankMoved(Answer):
    """A rank as it is and as it would be."""

    before = fields.Integer(required=True)
    after = fields.Integer(required=True)


class ValueMoved(Answer):
    """A value as it is and as it would be: a whole number, or a decimal as a string."""

    before = fields.Raw(required=True)
    after = fields.Raw(required=True)


class RowMoved(Answer):
    """Somebody who would stand elsewhere or with other values."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    rank = fields.Nested(RankMoved, required=True)
    values = fields.Dict(keys=fields.String(), values=fields.Nested(ValueMoved), required=True)


class ByeMoved(Answer):
    """A round whose byes would have gone to others."""

    round = fields.Integer(required=True)
    given_to = fields.List(fields.String(), required=True)
    would_go_to = fields.List(fields.String(), required=True)


class CutMoved(Answer):
    """Who would be in the cut."""

    would_be_in = fields.List(fields.String(), required=True)
    would_be_out = fields.List(fields.String(), required=True)
    seeding_changes = fields.Boolean(required=True)


class LaterRound(Answer):
    """A round that was paired from standings that would change; its pairings stand."""

    round = fields.Integer(required=True)
    pairings = fields.Integer(required=True)
    status = fields.String(required=True)


class WinnerMoved(Answer):
    """The winner of the tournament as it is and as it would be."""

    before = fields.String(required=True)
    after = fields.String(required=True)


class ConsequencesShown(Answer):
    """What a correction would move; nothing was appended."""

    events = fields.List(fields.String(), required=True)
    standings_round = fields.Integer()
    moves = fields.List(fields.Nested(RowMoved), required=True)
    rounds_recorded_anew = fields.List(fields.Integer())
    byes = fields.List(fields.Nested(ByeMoved))
    cut = fields.Nested(CutMoved, allow_none=True)
    later_pairings = fields.List(fields.Nested(LaterRound))
    winner = fields.Nested(WinnerMoved, allow_none=True)
    seasons = fields.List(fields.Nested(SeasonConsequences), required=True)


class AwardShown(Answer):
    """An award; it never moves a rank."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    player = fields.String(required=True)
    reason = fields.String()


class AwardsShown(Answer):
    """Awards beside the standings."""

    awards = fields.List(fields.Nested(AwardShown), required=True)
