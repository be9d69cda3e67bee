"""Shapes at pairing's door, and of what it shows."""

from __future__ import annotations

from marshmallow import fields, validate

from shared.events.pairing import PAGE
from shared.handling.schemas import ReceiptShown
from shared.http.fields import Answer, Choice, Flag, Identifier, Schema, Text, WholeNumber

LONGEST_ROUND = 5000
"""Pairings of one round by hand."""

ROUNDS = 1000
TABLES = 100_000


class ByHand(Schema):
    """A pairing by hand. Without `player_2` it is a bye; with a member of staff, a game against the spare player.

    table: left out, any free one of the venue; a bye has none, whatever is written.
    """

    player_1 = Identifier(required=True)
    player_2 = Identifier(load_default="", allow_none=True)
    kind = Choice("game", "bye", "spare", load_default="")
    venue = Identifier(load_default="", metadata={"description": "Needed only where it does not follow."})
    table = WholeNumber(1, TABLES, load_default=None, allow_none=True)


def _players() -> fields.List[str]:
    return fields.List(Identifier(), load_default=list, validate=validate.Length(max=LONGEST_ROUND))


class PairRound(Schema):
    """All members may be left out: then the next round is paired by the ruleset.

    round: the one that is meant, so that a request that comes twice pairs once. pairings: the whole round by hand;
    every active player is in one of them or in `sitting_out`.
    """

    round = WholeNumber(1, ROUNDS, load_default=None, allow_none=True)
    scenario = Text(
        100, load_default="", metadata={"description": "Of the whole round; needed where a bye's worth depends on it."}
    )
    pairings = fields.List(
        fields.Nested(ByHand),
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, LONGEST_ROUND),
    )
    sitting_out = _players()
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


class LeftOut(Answer):
    """An active player who was not paired."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    why = fields.String(required=True, metadata={"description": "no_roster, not_checked_in or sitting_out."})


class Paired(ReceiptShown):
    """The round as it stands now, and who was left out of it."""

    round = fields.Integer()
    left_out = fields.List(fields.Nested(LeftOut))


class PairingShown(Answer):
    """A pairing with its place, its game's status and its reason."""

    game = fields.String(required=True)
    kind = fields.String(required=True)
    player_1 = fields.String(required=True)
    name_1 = fields.String(required=True)
    player_2 = fields.String(required=True, metadata={"description": "Empty for a bye; staff in a spare game."})
    name_2 = fields.String(required=True)
    venue = fields.String(required=True)
    venue_name = fields.String(required=True)
    table = fields.Integer(required=True, metadata={"description": "0: none."})
    status = fields.String(required=True, metadata={"description": "open, reported, disputed or binding."})
    reason = fields.String(required=True)
    rematch = fields.Boolean(required=True)
    ends_at = fields.String(metadata={"description": "When time is called for this game; empty before the start."})


class RoundListed(Answer):
    """A round in short."""

    round = fields.Integer(required=True)
    stage = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "paired, started or closed."})
    method = fields.String(required=True, metadata={"description": "The policy's name, or manual."})
    scenario = fields.String()
    reason = fields.String(metadata={"description": "Of a round by hand."})
    games = fields.Integer(required=True, metadata={"description": "Without byes."})
    open = fields.Integer(required=True, metadata={"description": "Games without a binding result."})
    started_at = fields.String()
    ends_at = fields.String()
    seed = fields.String()
    made_from = fields.Integer(metadata={"description": "Scoring's position of the standings it was made from."})
    made_from_older_standings = fields.Boolean(
        metadata={"description": "Standings were recorded anew since; the pairings stand unless somebody acts."}
    )


class SpareShown(Answer):
    """A spare player who stands by."""

    staff = fields.String(required=True)
    name = fields.String(required=True)
    venue = fields.String(required=True, metadata={"description": "Empty: anywhere."})


class RoundsShown(Answer):
    """The rounds of a tournament."""

    rounds = fields.List(fields.Nested(RoundListed), required=True)
    planned = fields.Integer(allow_none=True, metadata={"description": "null: not fixed yet."})
    spares = fields.List(fields.Nested(SpareShown), metadata={"description": "Spare players who stand by."})


class CallPlanned(Answer):
    """A call of a round. second: from its start; due_at: once it has begun."""

    call = fields.String(required=True, metadata={"description": "As POST …/calls takes it."})
    second = fields.Integer(required=True)
    due_at = fields.String(required=True, metadata={"description": "Empty before the start."})
    made = fields.Boolean(required=True)


class ChessClockShown(Answer):
    """A clock for each player, that runs in their own turns and stands while points are counted."""

    use = fields.String(required=True, metadata={"description": "allowed (both players have to agree) or required."})
    minutes_each = fields.Integer(required=True)
    set_up_minutes = fields.Integer(required=True, metadata={"description": "Of the round, for setting up."})
    at_zero = fields.String(required=True, metadata={"description": "referee_decides or no_further_turn."})
    clause = fields.String(required=True)


class TimingShown(Answer):
    """The time of a round: as planned, and once it has begun as it is."""

    day = fields.Integer(required=True, metadata={"description": "Of the event, from 1."})
    minutes = fields.Integer(required=True)
    game_rounds = fields.Integer(required=True, metadata={"description": "The most that a game has."})
    at_time = fields.String(
        required=True,
        metadata={"description": "What is still finished at the end: finish_game_round, finish_turn or stop_now."},
    )
    overtime_minutes = fields.Integer(
        required=True, allow_none=True, metadata={"description": "How long that may take; null: until it is done."}
    )
    break_minutes = fields.Integer(required=True, metadata={"description": "After the round."})
    early_set_up = fields.Boolean(required=True, metadata={"description": "Players may set up before the start."})
    chess_clock = fields.Nested(ChessClockShown, required=True, allow_none=True)
    calls = fields.List(fields.Nested(CallPlanned), required=True)
    clauses = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class PlannedRoundShown(Answer):
    """A round of the timetable. date: where the event has days."""

    round = fields.Integer(required=True)
    day = fields.Integer(required=True)
    date = fields.String(required=True)
    stage = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "planned, paired, started or closed."})
    minutes = fields.Integer(required=True)
    break_minutes = fields.Integer(required=True)


class SlotShown(Answer):
    """Time of a day that is no round; least and most 0: the document has no minutes."""

    name = fields.String(required=True)
    least = fields.Integer(required=True)
    most = fields.Integer(required=True)
    clause = fields.String(required=True)


class DayShown(Answer):
    """A day of the event: its rounds with their breaks, and that with the shortest and the longest slots."""

    day = fields.Integer(required=True)
    date = fields.String(required=True)
    rounds = fields.List(fields.Integer(), required=True)
    minutes = fields.Integer(required=True)
    least = fields.Integer(required=True)
    most = fields.Integer(required=True)


class AdviceShown(Answer):
    """Something that the document recommends, and that is otherwise here."""

    said = fields.String(required=True)
    expected = fields.String(required=True)
    clause = fields.String(required=True)


class TimetableShown(Answer):
    """The rounds of an event by day. planned null: not fixed yet; suggested: then, and from no rules document."""

    planned = fields.Integer(required=True, allow_none=True)
    suggested = fields.Integer(required=True, allow_none=True)
    rounds = fields.List(fields.Nested(PlannedRoundShown), required=True)
    days = fields.List(fields.Nested(DayShown), required=True)
    slots = fields.List(fields.Nested(SlotShown), required=True)
    advice = fields.List(fields.Nested(AdviceShown), required=True)


class RoundShown(RoundListed):
    """A round with its pairings, in the order in which they were made."""

    timing = fields.Nested(TimingShown, required=True)

    left_out = fields.List(fields.Nested(LeftOut))
    pairings = fields.List(fields.Nested(PairingShown), required=True)


class PlayersPairing(Answer):
    """A player's game of the latest round."""

    player = fields.String(required=True)
    round = fields.Integer(required=True)
    status = fields.String(required=True)
    pairing = fields.Nested(PairingShown, required=True)


class CallShown(Answer):
    """A call, when it is due, and whether it was made."""

    call = fields.String(required=True)
    due_at = fields.String(required=True)
    made = fields.Boolean(required=True)


class ExtendedGame(Answer):
    """A game with more time than its round."""

    game = fields.String(required=True)
    ends_at = fields.String(required=True)


class ClockShown(Answer):
    """The clock of the round that is being played; `running` false: there is none."""

    running = fields.Boolean(required=True)
    timing = fields.Nested(TimingShown, metadata={"description": "While it runs."})
    now = fields.String(required=True, metadata={"description": "The service's time, to set a phone's clock by."})
    round = fields.Integer(allow_none=True)
    started_at = fields.String()
    ends_at = fields.String()
    remaining_seconds = fields.Integer(metadata={"description": "Below zero after the end."})
    overtime_minutes = fields.Integer(allow_none=True)
    hard_stop_at = fields.String(allow_none=True)
    calls = fields.List(fields.Nested(CallShown))
    extended = fields.List(
        fields.Nested(ExtendedGame), metadata={"description": "Games with more time than the round."}
    )


class PinnedPlayer(Answer):
    """Somebody who keeps a table; never why."""

    player = fields.String(required=True)
    name = fields.String(required=True)


class TableShown(Answer):
    """A table: which game goes on there, and who keeps it; never why."""

    table = fields.Integer(required=True)
    accessible = fields.Boolean(required=True)
    game = fields.Nested(PairingShown, allow_none=True, required=True, metadata={"description": "null: free."})
    pinned = fields.List(fields.Nested(PinnedPlayer), required=True)


class TablesOfVenue(Answer):
    """A venue's tables."""

    venue = fields.String(required=True)
    name = fields.String(required=True)
    tables = fields.List(fields.Nested(TableShown), required=True)


class TablesShown(Answer):
    """Every table of every open venue, in the latest round."""

    round = fields.Integer(allow_none=True)
    venues = fields.List(fields.Nested(TablesOfVenue), required=True)


class SeedShown(Answer):
    """A seat of the cut."""

    seed = fields.Integer(required=True)
    player = fields.String(required=True)
    name = fields.String(required=True)
    given_up = fields.Boolean(required=True)


class CutShown(Answer):
    """Who is in the elimination stage, in seeding order."""

    after_round = fields.Integer(allow_none=True)
    seeds = fields.List(fields.Nested(SeedShown), required=True)
