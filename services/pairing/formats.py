"""The protocol of a format's module, and the view of a round's time that the module returns."""

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
    """A time call of a round: its due time, and whether it was made."""

    call: Annotated[str, "The name that POST …/calls takes."]
    due_at: Annotated[str, "Empty before the round starts."]
    made: bool


class CallPlanned(CallView, frozen=True, kw_only=True):
    """A time call of a round, with its offset from the start."""

    second: Annotated[int, "Seconds after the start of the round."]


class ChessClockView(View, frozen=True, kw_only=True):
    """The chess clock of a game: one clock per player, which runs in their own turns and pauses for scoring."""

    use: Annotated[str, "`allowed` (both players have to agree) or `required`."]
    minutes_each: int
    set_up_minutes: Annotated[int, "Minutes of the round that are reserved for setting up."]
    at_zero: Annotated[str, "`referee_decides` or `no_further_turn`."]
    clause: str


class TimingView(View, frozen=True, kw_only=True):
    """The time of a round: planned values before its start, actual values afterwards."""

    day: Annotated[int, "The day of the event, from 1."]
    minutes: int
    game_rounds: Annotated[int, "The maximum number of game rounds."]
    at_time: Annotated[str, "What players may finish when time is called: finish_game_round, finish_turn or stop_now."]
    overtime_minutes: Annotated[int | None, "Minutes until every game must end; null: no limit."]
    break_minutes: Annotated[int, "The break after the round."]
    early_set_up: Annotated[bool, "True if players may set up before the start."]
    chess_clock: ChessClockView | None
    calls: list[CallPlanned]
    words: Annotated[dict[str, str], "Display texts for `game_rounds` and `at_time`."]
    clauses: dict[str, str]


class PairingFormat(PairingRules, Protocol):
    """The module of a format."""

    def pair(self, state: Tournament, command: PairRound, context: Context, /) -> Sequence[Event]:
        """Pair the next round, by the rules or by hand."""

    def amend(self, state: Tournament, command: AmendPairings, context: Context, /) -> Sequence[Event]:
        """Change pairings by hand."""

    def timing_view(self, state: Tournament, round: Round, /) -> TimingView | None:
        """Return the time of a round; None if rounds have no clock."""
