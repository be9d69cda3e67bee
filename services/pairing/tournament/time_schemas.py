"""Shapes of what pairing shows of time: clocks, calls, days."""

from __future__ import annotations

from marshmallow import fields

from shared.web.fields import Answer


class CallShown(Answer):
    """A call, when it is due, and whether it was made."""

    call = fields.String(required=True, metadata={"description": "As POST …/calls takes it."})
    due_at = fields.String(required=True, metadata={"description": "Empty before the start."})
    made = fields.Boolean(required=True)


class CallPlanned(CallShown):
    """A call of a round. second: from its start; due_at: once it has begun."""

    second = fields.Integer(required=True)


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
    words = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "What people call `game_rounds` here, and what `at_time` means."},
    )
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
