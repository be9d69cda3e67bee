"""Shapes of seasons at scoring's door, and of what it shows."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.application.schemas import EventShown, HeadShown, SeasonMoveShown
from shared.web.fields import Answer, AsMade, Identifier, QueryNumber, Schema, Text

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
    overall = fields.Integer(required=True, metadata={"description": "Among all divisions."})
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


class ChangedByShown(Answer):
    """An event of a tournament that changed its results after they had been taken."""

    event = fields.String(required=True)
    type = fields.String(required=True)
    time = fields.String(required=True)
    actor = fields.String(required=True)
    reason = fields.String(required=True)


class TakenShown(Answer):
    """A tournament whose results the season has taken, and where its logs ended then."""

    tournament = fields.String(required=True)
    name = fields.String(required=True)
    why = fields.String(required=True, metadata={"description": "concluded, or corrected."})
    heads = fields.Dict(keys=fields.String(), values=fields.Nested(HeadShown), required=True)
    because = fields.List(fields.Nested(ChangedByShown), required=True)


class ResultsTakenShown(TakenShown):
    """The results of a tournament as the season counts them."""

    time = fields.String(required=True)
    told = fields.Boolean(required=True, metadata={"description": "Came after the end, and are only told."})
    entries = fields.Integer(required=True)


class ResultsShown(Answer):
    """Every tournament that has results here, in the order of the season."""

    tournaments = fields.List(fields.Nested(ResultsTakenShown), required=True)
    waiting = fields.List(fields.String(), required=True, metadata={"description": "Gathered, and not concluded yet."})


class ChangeShown(EventShown):
    """An event of registration between two standings."""

    what = fields.String(required=True)


class HistoryItem(Answer):
    """A time at which somebody moved. told_only: a correction after the end, whose standings stand."""

    number = fields.Integer(required=True, metadata={"description": "Of the standings."})
    time = fields.String(required=True)
    told_only = fields.Boolean(required=True)
    move = fields.Nested(SeasonMoveShown, required=True, allow_none=True)
    causes = fields.List(fields.Nested(TakenShown), required=True, metadata={"description": "Tournaments."})
    changes = fields.List(fields.Nested(ChangeShown), required=True, metadata={"description": "Who is who, and so on."})


class HistoryShown(Answer):
    """Every time that somebody moved, oldest first."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    items = fields.List(fields.Nested(HistoryItem), required=True)


class SeasonResultExplained(Answer):
    """A result with its points, exact, and the clause by which it counts or does not."""

    tournament = fields.String(required=True)
    name = fields.String(required=True)
    place = fields.Integer(required=True)
    field = fields.Integer(required=True)
    points = fields.String(required=True)
    weight = fields.Integer(required=True)
    left = fields.String(required=True)
    clause = fields.String(required=True)


class SeasonValueExplained(Answer):
    """A value of the ranking, exact, with its clause."""

    column = fields.String(required=True)
    value = fields.String(required=True)
    clause = fields.String(required=True)


class NeighbourExplained(Answer):
    """The member above or below. column: what separates the two; empty where nothing does."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    rank = fields.Integer(required=True)
    column = fields.String(required=True)
    own = fields.String(required=True)
    theirs = fields.String(required=True)
    clause = fields.String(required=True)


class BarredShown(Answer):
    """Why somebody is not eligible, and the clause that says so."""

    why = fields.String(required=True)
    clause = fields.String(required=True)


class SeasonRankExplained(Answer):
    """Everything that a rank is made of."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    rank = fields.Integer(required=True)
    division = fields.String(required=True)
    tied = fields.Boolean(required=True)
    listed_last = fields.Boolean(required=True)
    results = fields.List(fields.Nested(SeasonResultExplained), required=True)
    values = fields.List(fields.Nested(SeasonValueExplained), required=True)
    above = fields.Nested(NeighbourExplained, required=True, allow_none=True)
    below = fields.Nested(NeighbourExplained, required=True, allow_none=True)
    barred = fields.List(fields.Nested(BarredShown), required=True)
    rating = fields.Nested(SeasonRatingShown, required=True, allow_none=True)


class DivisionMoveShown(Answer):
    """Somebody who begins the next season in another division."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    division = fields.String(required=True)
    to = fields.String(required=True)
    rank = fields.Integer(required=True)
    why = fields.String(required=True, metadata={"description": "promoted, relegated or inactive."})
    clause = fields.String(required=True)


class TieShown(Answer):
    """Members who share the last place above a line; staff name so many of them."""

    what = fields.String(required=True, metadata={"description": "up, down or final."})
    division = fields.String(required=True)
    places = fields.Integer(required=True)
    players = fields.List(fields.String(), required=True)


class DivisionMovesShown(Answer):
    """Who goes up and down. decided: as recorded at the end; otherwise by the standings of this moment."""

    decided = fields.Boolean(required=True)
    moves = fields.List(fields.Nested(DivisionMoveShown), required=True)
    undecided = fields.List(fields.Nested(TieShown), required=True)


class MakeCut(Schema):
    """named: whom staff name of those who share the last place."""

    named = fields.List(Identifier(), load_default=list, validate=validate.Length(max=500))


class DeclineInvitation(MakeCut):
    """named: whom staff name in a tie for the place that becomes free."""

    reason = Text(500, load_default="")


class FinalistShown(Answer):
    """Somebody invited. status: invited, accepted or declined. instead_of: for whom, where somebody declined."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    status = fields.String(required=True)
    instead_of = fields.String(required=True)


class FinalShown(Answer):
    """Who is invited to the final, in order. standings: the number of those the cut was made from."""

    standings = fields.Integer(required=True)
    named = fields.List(fields.String(), required=True)
    players = fields.List(fields.Nested(FinalistShown), required=True)
