"""What scoring asks of a format: well-known names of the module `services/scoring/<format>/format.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from services.scoring.tournament.commands import CloseRound, Conclude, CorrectResult
from shared.log.event import Event
from shared.refusals import Fault
from shared.tournament.guards import By, Context
from shared.tournament.rounds import Round, Seat
from shared.tournament.state import Tournament

Facts = Mapping[str, Any]


class FactRules(Protocol):
    """A module with what a format asks of the facts of a game."""

    def possible_facts(
        self, state: Tournament, round: Round, seat: Seat, facts: Facts, by: By, first_report: bool = False, /
    ) -> dict[str, Any]:
        """Return facts as events keep them. first_report: they would be the first that is reported of the game.

        Raises what the format refuses, with every fault at its place in `facts`.
        """

    def improbable_facts(self, state: Tournament, facts: Facts, /) -> list[Fault]:
        """Return what of possible facts no game is likely to bring, by the state before they were reported."""


class Ending(Protocol):
    """A module that decides how tournaments of a format end."""

    def conclude(self, state: Tournament, command: Conclude, context: Context, /) -> Sequence[Event]:
        """Decide the end of a tournament."""


class ScoringFormat(FactRules, Ending, Protocol):
    """A module about a format whose players meet in games."""

    def settle(self, state: Tournament, command: Any, events: Sequence[Event], context: Context, /) -> Sequence[Event]:
        """Return the events that a decision about a result gave, with those that follow from them."""

    def correct(self, state: Tournament, command: CorrectResult, context: Context, /) -> Sequence[Event]:
        """Decide a correction, or the override of a ruling."""

    def close(self, state: Tournament, command: CloseRound, context: Context, /) -> Sequence[Event]:
        """Decide the end of a round."""
