"""What a format of tournaments says of itself: well-known names of the module `shared/formats/<format>/format.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from shared.log.event import Event
from shared.refusals import Fault
from shared.rules.ruleset import AnyRuleset
from shared.tournament.placings import Replay, ResultRow
from shared.tournament.state import Change, Reach, Slice, Tournament


class Format(Protocol):
    """A module about a kind of tournaments."""

    @property
    def RULESET(self) -> type[AnyRuleset]:
        """What its packs become."""

    @property
    def EVENTS(self) -> Mapping[str, Sequence[type[Event]]]:
        """Owner -> the events that only this format has."""

    @property
    def SLICES(self) -> Sequence[Slice[Any]]:
        """The slices of the state that only this format has."""

    @property
    def CHANGES(self) -> Mapping[str, Mapping[type, tuple[Reach, Change]]]:
        """Owner -> event -> the slice that it changes, and how."""

    @property
    def REPLAY(self) -> Replay:
        """How its places are found again in a log."""

    def faults(self, ruleset: Any, /) -> list[Fault]:
        """Return what a ruleset of the right shape still gets wrong, each at its JSON pointer."""

    def planned_rounds(self, state: Tournament, /) -> int | None:
        """Return how many rounds are to be played; None while nobody has fixed it. May raise RoundsNotFixed."""

    @property
    def final_results(self) -> Callable[[Tournament], list[ResultRow]] | None:
        """A function that returns what a concluded tournament is worth to a season; None if no season counts it."""
