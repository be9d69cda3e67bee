"""Shapes of results and games, with the members that each format has beside those of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields, validate

from services.scoring.campaign.schemas_games import MOST_GROUPS, GameReport
from services.scoring.campaign.schemas_sides import GroupScored, SideShown
from shared.rules.words import LONGEST_WORD
from shared.web.faults import FaultShown
from shared.web.fields import Answer, Choice, Flag, Identifier, Name, Schema, Text, WholeNumber
from shared.web.paging import page_of

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


class ScoreShown(Answer):
    """What the ruleset makes of a result: outcome and values of each side."""

    outcome_1 = fields.String(required=True)
    outcome_2 = fields.String(allow_none=True)
    values_1 = fields.Dict(keys=fields.String(), values=fields.Integer())
    values_2 = fields.Dict(keys=fields.String(), values=fields.Integer())
    groups = fields.List(
        fields.Nested(GroupScored),
        metadata={"description": "Campaigns: the same of each group; 1 and 2 are the first two of them."},
    )


class GameShown(Answer):
    """A game with what is known of its result."""

    game = fields.String(required=True)
    round = fields.Integer(required=True)
    kind = fields.String(required=True)
    venue = fields.String()
    table = fields.Integer(metadata={"description": "0: no table."})
    wave = fields.Integer(metadata={"description": "1: begins with the round; 2: next at that table, and so on."})
    player_1 = fields.String(required=True)
    player_2 = fields.String()
    name_1 = fields.String()
    name_2 = fields.String()
    status = fields.String(
        required=True, metadata={"description": "bye, open, reported, disputed, confirmed, ruled or corrected."}
    )
    binds = fields.Boolean(required=True)
    improbable = fields.Boolean(
        required=True, metadata={"description": "Facts of it were asked back, and whoever told them stands by them."}
    )
    held = fields.Boolean(metadata={"description": "The game has not begun: it waits for a player's list."})
    goes_on = fields.String(
        metadata={"description": "In elimination: who goes on, also from a tie; empty until that is settled."}
    )
    facts = fields.Dict()
    reported_by = fields.String()
    counter_facts = fields.Dict(allow_none=True)
    ruling = fields.String(
        metadata={
            "description": "Empty, referee, head_referee, or organiser: who has overridden the head referee, or whose"
            " word is final where the ruleset knows none."
        }
    )
    both_links_of = fields.String(
        metadata={"description": "Who was handed the links by which both sides spoke, having asked for one at least."}
    )
    appealed = fields.Boolean()
    score = fields.Nested(ScoreShown)
    sides = fields.List(fields.Nested(SideShown), metadata={"description": "Campaigns: every group before the game."})
    due = fields.List(fields.Nested(FaultShown), metadata={"description": "Campaigns: what comes before the game."})


class GamesPage(page_of(GameShown)):  # type: ignore[misc]
    """One page of games."""

    round = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The round that they are of; null: of all rounds, or no round is paired."},
    )
