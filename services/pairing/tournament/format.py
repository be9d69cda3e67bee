"""What pairing asks of a format whose players meet in games: a module `services/pairing/<format>/format.py`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from services.pairing.tournament.commands import AmendPairings, ByHand, PairRound
from services.pairing.tournament.views_time import TimingView
from shared.log.event import Event
from shared.refusals import Fault
from shared.rules.matching import Met
from shared.tournament.guards import Context
from shared.tournament.people import Entries
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


class PairingRules(Protocol):
    """A module with what a format asks of pairings, also of those made by hand."""

    @property
    def MET_CLAUSE(self) -> str:
        """The clause that asks for opponents who have not met; empty if no document does."""

    def met_before(self, state: Tournament, number: int, /) -> Met:
        """Return whom each player has met before a round."""

    def faults_by_hand(
        self, state: Tournament, number: int, pairing: ByHand, kind: str, where: str, /
    ) -> Iterable[Fault]:
        """Return what this format has against a pairing by hand. kind: game, bye or spare. where: its JSON pointer."""

    def avoid_repeats(self, entries: Entries, /) -> bool:
        """Return True if players should not sit at a table where they sat before."""


class PairingFormat(PairingRules, Protocol):
    """A module about a format."""

    def pair(self, state: Tournament, command: PairRound, context: Context, /) -> Sequence[Event]:
        """Decide the next round, by the rules or by hand."""

    def amend(self, state: Tournament, command: AmendPairings, context: Context, /) -> Sequence[Event]:
        """Decide a change of pairings by hand."""

    def timing_view(self, state: Tournament, round: Round, /) -> TimingView | None:
        """Return the time of a round; None if rounds have no clock."""
