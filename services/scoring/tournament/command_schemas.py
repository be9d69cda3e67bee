"""Shapes at scoring's door."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from services.scoring.campaign.schemas_games import MOST_GROUPS, GameReport
from shared.rules.words import LONGEST_WORD
from shared.web.fields import Choice, Flag, Identifier, Name, NumberOrAll, QueryNumber, Schema, Text, WholeNumber
from shared.web.paging import PageQuery

MOST_RESULTS = 500
"""Results of one request that staff enter from paper."""

MOST_EXTRA = 50
"""Further numbers of one result."""


class Winner(fields.Raw):
    """1, 2 or a word, which the ruleset looks at; neither `true` nor `1.0`."""

    expected = "1, 2 or draw"

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        if type(value) is int and value in (1, 2):
            return value
        if type(value) is str and 0 < len(value) <= LONGEST_WORD and not value.strip().isdigit():
            return value
        raise ValidationError(self.expected)


class Facts(Schema):
    """What happened, in the words of the ruleset's result form; what the form does not name is refused."""

    kind = Choice("game", "spare", "forfeit", "no_show", "double_no_show", "double_forfeit", load_default="game")
    points_1 = WholeNumber(0, 1_000_000, metadata={"description": "Score of player 1 in the game's own unit."})
    points_2 = WholeNumber(0, 1_000_000)
    winner = Winner(
        metadata={
            "description": "1, 2 or draw, where points do not decide; draw also as the ruleset's own word (`words`).",
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": 2},
                {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_WORD,
                    "pattern": "[^0-9 ]",
                    "examples": ["draw"],
                },
            ],
        }
    )
    end = Choice("rounds", "time", "defeated_1", "defeated_2", "mutual", "simultaneous", "concession")
    second_player = WholeNumber(1, 2, metadata={"description": "The side without the initiative."})
    conceded_by = WholeNumber(
        1,
        MOST_GROUPS,
        metadata={
            "description": "The side that conceded, forfeits or did not come: 1 or 2; in a campaign the place of its"
            " group in the pairing."
        },
    )
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
    report = fields.Nested(GameReport, metadata={"description": "Campaigns: what happened in the game, side by side."})


def improbable_flag() -> Flag:
    """The member by which somebody stands by facts that were asked back."""
    about = "The facts are right, however improbable: they are marked, and taken."
    return Flag(load_default=False, metadata={"description": about})


class ReportResult(Schema):
    """A result. Players' reports wait for the opponent; staff's bind at once."""

    facts = fields.Nested(Facts, required=True)
    improbable = improbable_flag()


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
    improbable = improbable_flag()


class Ruling(Schema):
    """What the result is, and why."""

    facts = fields.Nested(Facts, required=True)
    reason = Text(500, minimum=1, required=True)
    clause = Text(40, load_default="")
    improbable = improbable_flag()


class Correction(Schema):
    """The right facts, and why the recorded ones were wrong."""

    facts = fields.Nested(Facts, required=True)
    reason = Text(500, minimum=1, required=True)
    improbable = improbable_flag()


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
