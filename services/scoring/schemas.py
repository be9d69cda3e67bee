"""Shapes at scoring's door, and of what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from shared.http.fields import Answer, AsMade, Choice, Identifier, Name, QueryNumber, Schema, Text, WholeNumber
from shared.http.paging import PageQuery

MOST_RESULTS = 500
"""Results of one request that staff enter from paper."""

MOST_EXTRA = 50
"""Further numbers of one result."""


class Winner(fields.Raw):
    """1, 2 or "draw"; neither `true` nor `1.0`."""

    expected = "1, 2 or draw"

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if type(value) in (int, str) and value in (1, 2, "draw"):
            return value
        raise ValidationError(self.expected)


class Facts(Schema):
    """What happened, in the words of the ruleset's result form; what the form does not name is refused."""

    kind = Choice("game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit", load_default="game")
    points_1 = WholeNumber(0, 1_000_000, metadata={"description": "Score of player 1 in the game's own unit."})
    points_2 = WholeNumber(0, 1_000_000)
    winner = Winner(
        metadata={
            "description": "1, 2 or draw, where points do not decide.",
            "anyOf": [{"type": "integer", "minimum": 1, "maximum": 2}, {"type": "string", "enum": ["draw"]}],
        }
    )
    end = Choice("rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession")
    second_player = WholeNumber(1, 2, metadata={"description": "The side without the initiative."})
    conceded_by = WholeNumber(1, 2, metadata={"description": "The side that conceded, forfeits or did not come."})
    destroyed_1 = WholeNumber(0, 1_000_000)
    destroyed_2 = WholeNumber(0, 1_000_000)
    objective_1 = WholeNumber(0, 1_000_000)
    objective_2 = WholeNumber(0, 1_000_000)
    scenario = Name()
    extra = fields.Dict(keys=Identifier(), values=WholeNumber(0, 1_000_000), validate=validate.Length(max=MOST_EXTRA))
    board = fields.Dict(
        keys=Identifier(),
        validate=validate.Length(max=MOST_EXTRA),
        metadata={"description": "What stood on the table at the end, where the ruleset makes a score of it."},
    )


class ReportResult(Schema):
    """A result. Players' reports wait for the opponent; staff's bind at once."""

    facts = fields.Nested(Facts, required=True)


class ResultOfGame(ReportResult):
    """A result with the game that it is of."""

    game = Identifier(required=True)


class ReportResults(Schema):
    """Results that staff enter from paper: all of them, or none and every fault."""

    results = fields.List(fields.Nested(ResultOfGame), required=True, validate=validate.Length(1, MOST_RESULTS))


class Dispute(Schema):
    """Why the player does not agree, and what they say happened."""

    reason = Text(500, minimum=1, required=True)
    facts = fields.Nested(Facts, load_default=None, allow_none=True)


class Ruling(Schema):
    """What the result is, and why."""

    facts = fields.Nested(Facts, required=True)
    reason = Text(500, minimum=1, required=True)
    clause = Text(40, load_default="")


class Correction(Schema):
    """The right facts, and why the recorded ones were wrong."""

    facts = fields.Nested(Facts, required=True)
    reason = Text(500, minimum=1, required=True)


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
    """early: why the tournament ends before its last planned round."""

    early = Text(500, load_default="")


class ScoreShown(Answer):
    """What the ruleset makes of a result: outcome and values of each side."""

    outcome_1 = fields.String(required=True)
    outcome_2 = fields.String(allow_none=True)
    values_1 = fields.Dict(keys=fields.String(), values=fields.Integer())
    values_2 = fields.Dict(keys=fields.String(), values=fields.Integer())


class GameShown(Answer):
    """A game with what is known of its result."""

    game = fields.String(required=True)
    round = fields.Integer(required=True)
    kind = fields.String(required=True)
    venue = fields.String()
    table = fields.Integer(metadata={"description": "0: no table."})
    player_1 = fields.String(required=True)
    player_2 = fields.String()
    name_1 = fields.String()
    name_2 = fields.String()
    status = fields.String(
        required=True, metadata={"description": "bye, open, reported, disputed, confirmed, ruled or corrected."}
    )
    binds = fields.Boolean(required=True)
    facts = fields.Dict()
    reported_by = fields.String()
    counter_facts = fields.Dict(allow_none=True)
    ruling = fields.String(metadata={"description": "Empty, referee or head_referee."})
    appealed = fields.Boolean()
    score = fields.Nested(ScoreShown)


class GamesQuery(PageQuery):
    """round: of which round; left out: the latest. status: only games of this status."""

    round = QueryNumber(1, 1000)
    status = Choice("bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected")
    venue = fields.String()


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
    rows = AsMade(fields.Nested(RowShown), required=True)
    draws = AsMade(fields.Nested(DrawShown))


class ShareShown(Answer):
    """What one round adds to a value."""

    round = fields.Integer(required=True)
    opponent = fields.String(required=True, metadata={"description": "Empty: nobody, after a bye."})
    value = fields.String(required=True, metadata={"description": "Exact: 8 or 13/6."})


class ValueShown(Answer):
    """A value of a row, its clause, and the rounds that it comes from."""

    column = fields.String(required=True)
    clause = fields.String(required=True)
    value = fields.String(required=True, metadata={"description": "Exact: 8 or 13/6."})
    shares = fields.List(fields.Nested(ShareShown), required=True, attribute="from", data_key="from")


class ExplainedShown(Answer):
    """Where every value of a row comes from."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    values = fields.List(fields.Nested(ValueShown), required=True)


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


class AwardShown(Answer):
    """An award; it never moves a rank."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    player = fields.String(required=True)
    reason = fields.String()


class AwardsShown(Answer):
    """Awards beside the standings."""

    awards = fields.List(fields.Nested(AwardShown), required=True)
