"""Shapes of what pairing shows."""

from __future__ import annotations

from marshmallow import fields

from shared.handling.schemas import ReceiptShown
from shared.http.fields import Answer


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
