"""Shapes at pairing's door."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields, validate, validates_schema

from shared.tournament.events.pairing import PAGE
from shared.web.fields import Choice, Flag, Identifier, Schema, Text, WholeNumber

LONGEST_ROUND = 5000
"""Pairings of one round by hand."""

LARGEST_GAME = 100
"""Sides of a game, and groups of a side."""

ROUNDS = 1000
TABLES = 100_000


class ByHand(Schema):
    """A pairing by hand. Without `player_2` it is a bye; with a member of staff, a game against the spare player.

    table: left out, any free one of the venue; a bye has none, whatever is written. sides: in a campaign, of a game of
    three or more groups, in place of `player_1` and `player_2`.
    """

    player_1 = Identifier(load_default="", metadata={"description": "Needed where there are no `sides`."})
    player_2 = Identifier(load_default="", allow_none=True)
    kind = Choice("game", "bye", "spare", "awarded_bye", "requested_bye", load_default="")
    venue = Identifier(load_default="", metadata={"description": "Needed only where it does not follow."})
    table = WholeNumber(1, TABLES, load_default=None, allow_none=True)
    wave = WholeNumber(
        1,
        LONGEST_ROUND,
        load_default=1,
        metadata={"description": "With a table: 2 for the second game of the round there, 3 for the third."},
    )
    sides = fields.List(
        fields.List(Identifier(), validate=validate.Length(max=LARGEST_GAME)),
        load_default=list,
        validate=validate.Length(max=LARGEST_GAME),
        metadata={"description": "Every side with its groups: two sides or more, three groups or more."},
    )

    @validates_schema
    def _players_or_sides(self, data: dict[str, Any], **_: object) -> None:
        if not data.get("sides") and not data.get("player_1"):
            raise ValidationError("the id of a player, or `sides`", "player_1")
        if data.get("sides") and (data.get("player_1") or data.get("player_2")):
            raise ValidationError("nothing beside `sides`", "player_1" if data.get("player_1") else "player_2")


def _players() -> fields.List[str]:
    return fields.List(Identifier(), load_default=list, validate=validate.Length(max=LONGEST_ROUND))


class ByeGiven(Schema):
    """A bye that does not come from the pairing. kind: `awarded` before the start, or `requested` by the player."""

    player = Identifier(required=True)
    kind = Choice("awarded", "requested", required=True)


class PairRound(Schema):
    """All members may be left out: then the next round is paired by the ruleset.

    round: the one that is meant, so that a request that comes twice pairs once. pairings: the whole round by hand;
    every active player is in one of them or in `sitting_out`. byes: given before the pairing, where the ruleset says
    what they are worth; the others are paired.
    """

    round = WholeNumber(1, ROUNDS, load_default=None, allow_none=True)
    scenario = Text(100, load_default="", metadata={"description": "Of the whole round; needed where a round has one."})
    pairings = fields.List(
        fields.Nested(ByHand),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, LONGEST_ROUND),
    )
    sitting_out = _players()
    byes = fields.List(fields.Nested(ByeGiven), load_default=list, validate=validate.Length(max=LONGEST_ROUND))
    allow_rematch = Flag(load_default=False)
    reason = Text(500, load_default="", metadata={"description": "Why it is paired by hand; stands in the log."})


class RepairRound(PairRound):
    """Why the round is paired again, and how: as for pairing it."""

    round = WholeNumber(1, ROUNDS, load_default=None, allow_none=True, metadata={"description": "As in the address."})
    reason = Text(500, minimum=1, required=True)


class Reason(Schema):
    """Why; it stands in the public log."""

    reason = Text(500, minimum=1, required=True)


class AmendPairings(Schema):
    """Two players change places (`swap`), or games as they are to be from now on (`pairings`)."""

    reason = Text(500, minimum=1, required=True)
    swap = fields.List(Identifier(), load_default=None, allow_none=True, validate=validate.Length(equal=2))
    pairings = fields.List(fields.Nested(ByHand), load_default=list, validate=validate.Length(max=PAGE))
    sitting_out = _players()
    allow_rematch = Flag(load_default=False)


class MoveTable(Schema):
    """Where the game goes on. venue: left out, the same. The reason stands in the public log: nothing private in it."""

    table = WholeNumber(1, TABLES, required=True)
    venue = Identifier(load_default="")
    reason = Text(500, load_default="")


class StartRound(Schema):
    """minutes: left out, the ruleset's. overtime: minutes after the end until every game ends; left out, the same."""

    minutes = WholeNumber(1, 1440, load_default=None, allow_none=True)
    overtime = WholeNumber(0, 120, load_default=None, allow_none=True)


class CallTime(Schema):
    """call: start, halfway, ten_minutes, end, hard_stop: those that the ruleset has."""

    call = Identifier(required=True)


class ExtendClock(Schema):
    """game: left out, the whole round."""

    minutes = WholeNumber(1, 600, required=True)
    reason = Text(500, minimum=1, required=True)
    game = Identifier(load_default="")


class OfferSpare(Schema):
    """staff: the id of a spare player, organiser or referee."""

    staff = Identifier(required=True)


class RecallSpare(Schema):
    """staff: left out, everybody who stands by."""

    staff = Identifier(load_default="")


class MakeCut(Schema):
    """places: left out, what the ruleset says for so many players."""

    places = WholeNumber(2, 1024, load_default=None, allow_none=True)


class GiveUpSeat(Schema):
    """player: who gives the seat up."""

    player = Identifier(required=True)


class PreviewQuery(Schema):
    """preview: `true` shows what would be paired, and pairs nothing."""

    preview = Choice("true", "false", load_default="false")


class RoundQuery(Schema):
    """venue: only its pairings."""

    venue = Identifier(load_default="")
