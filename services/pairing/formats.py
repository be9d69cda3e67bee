"""The module of a format: the names that pairing looks up in it, and the views that it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Protocol

from services.pairing.amendments import AmendPairings
from services.pairing.plans import PairingRules
from services.pairing.rounds import PairRound
from shared.log.event import Event
from shared.shapes import View
from shared.tournament.guards import Context
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


class CallView(View, frozen=True, kw_only=True):
    """A call, when it is due, and whether it was made."""

    call: Annotated[str, "As POST …/calls takes it."]
    due_at: Annotated[str, "Empty before the start."]
    made: bool


class CallPlanned(CallView, frozen=True, kw_only=True):
    """A call of a round. second: from its start; due_at: once it has begun."""

    second: int


class ChessClockView(View, frozen=True, kw_only=True):
    """A clock for each player, that runs in their own turns and stands while points are counted."""

    use: Annotated[str, "allowed (both players have to agree) or required."]
    minutes_each: int
    set_up_minutes: Annotated[int, "How many of the round's minutes are for setting up."]
    at_zero: Annotated[str, "referee_decides or no_further_turn."]
    clause: str


class TimingView(View, frozen=True, kw_only=True):
    """The time of a round: as planned, and once it has begun as it is."""

    day: Annotated[int, "The day of the event, from 1."]
    minutes: int
    game_rounds: Annotated[int, "The most that a game has."]
    at_time: Annotated[str, "What is still finished at the end: finish_game_round, finish_turn or stop_now."]
    overtime_minutes: Annotated[int | None, "How long that may take; null: until it is done."]
    break_minutes: Annotated[int, "After the round."]
    early_set_up: Annotated[bool, "Players may set up before the start."]
    chess_clock: ChessClockView | None
    calls: list[CallPlanned]
    words: Annotated[dict[str, str], "What people call `game_rounds` here, and what `at_time` means."]
    clauses: dict[str, str]


class PairingFormat(PairingRules, Protocol):
    """A module about a format."""

    def pair(self, state: Tournament, command: PairRound, context: Context, /) -> Sequence[Event]:
        """Decide the next round, by the rules or by hand."""

    def amend(self, state: Tournament, command: AmendPairings, context: Context, /) -> Sequence[Event]:
        """Decide a change of pairings by hand."""

    def timing_view(self, state: Tournament, round: Round, /) -> TimingView | None:
        """Return the time of a round; None if rounds have no clock."""
