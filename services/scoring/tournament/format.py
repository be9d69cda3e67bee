"""What scoring asks of a format whose players meet in games; the rows are in `services/scoring/formats.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from services.scoring.tournament.commands import CloseRound, CorrectResult
from shared.application.handlers import Decide
from shared.events.base import Event
from shared.tournament.context import By, Context
from shared.tournament.events.pairing import Seat
from shared.tournament.events.scoring import ResultCorrected
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament

Facts = Mapping[str, Any]


class ScoringFormat(Struct, frozen=True, kw_only=True):
    """What a format does in its own way with the results of games.

    possible: facts that can be, as events keep them, of what somebody says; raises what the format refuses, with every
    fault at its place in `facts`. first_report: raises for facts that a first report may not have. settled: a decision
    about a result, with what follows from it. rerecorded: what is recorded anew after a correction; correct: the whole
    correction, where it is more than that. close: a round.
    """

    possible: Callable[[Tournament, Round, Seat, Facts, By], dict[str, Any]]
    close: Callable[[Tournament, CloseRound, Context], Sequence[Event]]
    rerecorded: Callable[[Tournament, ResultCorrected, Context], list[Event]]
    first_report: Callable[[Tournament, Round, Seat, Facts], None] = lambda state, round, seat, facts: None
    settled: Callable[[Decide], Decide] = lambda decide: decide
    correct: Callable[[Tournament, CorrectResult, Context], Sequence[Event]] | None = None


class Ending(Struct, frozen=True):
    """How tournaments of a format end. names_players: whether staff may name some of those who share a place."""

    conclude: Decide
    names_players: bool = False
